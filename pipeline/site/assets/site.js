"use strict";
// What a reader may do on a page: find and filter, see what is on now, pick talks. Everything is readable without.
(() => {
  const ID = /^[0-9a-f]{8,16}$/;
  const tools = document.getElementById("tools");
  const picks = document.getElementById("picks");

  const load = (key) => {
    try {
      const found = JSON.parse(localStorage.getItem(`picks:${key}`) ?? "[]");
      return new Set(Array.isArray(found) ? found.filter((each) => ID.test(each)) : []);
    } catch {
      return new Set();
    }
  };

  const save = (key, ids) => {
    try {
      localStorage.setItem(`picks:${key}`, JSON.stringify([...ids]));
    } catch {
      // Without storage the picks last as long as the page: the link to them still holds them.
    }
  };

  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  const age = (text) => {
    const hours = Math.floor((Date.now() - new Date(text)) / 3600000);
    if (hours < 1) return "less than an hour ago";
    return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
  };

  // A star before each talk; returns what tells whether one is picked.
  const stars = (key, told) => {
    const own = load(key);
    const talks = [...document.querySelectorAll(".talk[data-id]")];
    const show = () => {
      for (const talk of talks) {
        const picked = own.has(talk.dataset.id);
        talk.classList.toggle("picked", picked);
        const button = talk.querySelector(".pick");
        button.setAttribute("aria-pressed", String(picked));
        button.textContent = picked ? "★" : "☆";
      }
      told(own);
    };
    for (const talk of talks) {
      const button = make("button", { type: "button", className: "pick" });
      button.setAttribute("aria-label", `Pick: ${talk.querySelector(".title").textContent}`);
      button.addEventListener("click", () => {
        const id = talk.dataset.id;
        if (!own.delete(id)) own.add(id);
        save(key, own);
        show();
      });
      talk.prepend(button, " ");
    }
    show();
    return own;
  };

  const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

  const programme = () => {
    const form = document.getElementById("find");
    const link = document.getElementById("mine");
    const own = stars(tools.dataset.key, (picked) => {
      link.textContent = `My picks (${picked.size})`;
      link.href = picked.size ? `picks.html#${[...picked].join(",")}` : "picks.html";
    });
    const blocks = [...document.querySelectorAll(".block")].map((block) => {
      const head = [...block.querySelectorAll(":scope > .when .room, :scope > h3, :scope > .note")];
      const about = head.map((each) => each.textContent).join(" ");
      const talks = [...block.querySelectorAll(".talk")].map((talk) => {
        const { more = "", track = "", kind } = talk.dataset;
        return { talk, track, kind, words: folded([talk.textContent, about, more, track, kind.replaceAll("_", " ")].join(" ")) };
      });
      return { block, talks, room: block.dataset.room ?? "" };
    });

    const find = () => {
      const wanted = Object.fromEntries(new FormData(form));
      const words = folded(wanted.q).split(/\s+/).filter(Boolean);
      const narrows = Boolean(words.length || wanted.track || wanted.kind || wanted.room || wanted.picks);
      let count = 0;
      for (const { block, talks, room } of blocks) {
        let left = 0;
        for (const each of talks) {
          const fits =
            words.every((word) => each.words.includes(word)) &&
            (!wanted.track || each.track === wanted.track) &&
            (!wanted.kind || each.kind === wanted.kind) &&
            (!wanted.room || room === wanted.room) &&
            (!wanted.picks || own.has(each.talk.dataset.id));
          each.talk.hidden = !fits;
          left += fits;
        }
        block.hidden = !left;
        count += left;
        const details = narrows && left ? block.querySelector("details") : null;
        if (details) details.open = true;
      }
      for (const day of document.querySelectorAll("section.day")) day.hidden = !day.querySelector(".block:not([hidden])");
      document.body.classList.toggle("list", narrows || Boolean(wanted.list));
      document.getElementById("found").textContent = narrows ? `${count} found` : "";
      const told = Object.entries(wanted).filter(([, value]) => value);
      history.replaceState(null, "", told.length ? `#${new URLSearchParams(told)}` : location.pathname + location.search);
    };

    const ask = () => {
      if (!location.hash.includes("=")) return;
      const asked = new URLSearchParams(location.hash.slice(1));
      for (const field of form.elements) {
        if (field.type === "checkbox") field.checked = asked.has(field.name);
        else if (field.name) field.value = asked.get(field.name) ?? "";
      }
      find();
      if (form.elements.local?.checked) local(true);
      if (asked.has("day")) document.getElementById(`day-${asked.get("day")}`)?.scrollIntoView();
    };

    form.addEventListener("input", (event) => (event.target.name === "local" ? local(event.target.checked) : null, find()));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(() => (local(false), find())));
    addEventListener("hashchange", ask);
    tools.hidden = false;
    ask();
    if (tools.dataset.zone) {
      clock();
      setInterval(clock, 60000);
    }
  };

  // The wall clock of a zone at a moment, as the pages write it.
  const wall = (moment, timeZone) => moment.toLocaleString("sv-SE", { timeZone }).slice(0, 16).replace(" ", "T");

  // The moment at which the clock of a zone shows a time: guessed, then put right by what the clock shows then.
  const moment = (time, zone) => {
    let guess = new Date(`${time}Z`);
    for (let round = 0; round < 2; round += 1) guess = new Date(+guess + (new Date(`${time}Z`) - new Date(`${wall(guess, zone)}Z`)));
    return guess;
  };

  const local = (on) => {
    for (const each of document.querySelectorAll(".local")) each.remove();
    if (!on) return;
    for (const when of document.querySelectorAll(".block[data-start] > .when")) {
      const here = moment(when.parentElement.dataset.start, tools.dataset.zone);
      const text = here.toLocaleString([], { weekday: "short", hour: "2-digit", minute: "2-digit" });
      when.append(make("span", { className: "local" }, `${text} for you`));
    }
  };

  const clock = () => {
    const now = wall(new Date(), tools.dataset.zone);
    const blocks = [...document.querySelectorAll(".block[data-start]")];
    const on = blocks.filter((each) => each.dataset.start <= now && now < each.dataset.end);
    const later = blocks.map((each) => each.dataset.start).filter((each) => each > now).sort()[0];
    const next = blocks.filter((each) => each.dataset.start === later);
    for (const each of blocks) each.classList.toggle("now", on.includes(each));
    const told = document.getElementById("now");
    told.replaceChildren();
    if (!on.length && !next.length) return;
    told.append("Now: ", ...(on.length ? links(on) : ["nothing"]));
    if (next.length) told.append(`; next, ${later.replace("T", " ")}: `, ...links(next));
  };

  const links = (blocks) =>
    blocks.flatMap((each, place) => {
      const title = (each.querySelector("h3") ?? each.querySelector(".title")).textContent;
      const target = each.querySelector(".talk[id]");
      return [place ? ", " : "", make("a", { href: `#${target.id}` }, title)];
    });

  const shared = () => location.hash.slice(1).split(",").filter((each) => ID.test(each));

  const mine = () => {
    const key = picks.dataset.key;
    const data = JSON.parse(document.getElementById("data").textContent);
    const own = load(key);
    const ids = new Set(shared().length ? shared() : own);
    const known = [...ids].filter((each) => Object.hasOwn(data.items, each));
    const [told, add, copy, keep, list] = ["told", "add", "copy", "save", "list"].map((each) => document.getElementById(each));
    const gone = ids.size - known.length;
    const says = [known.length ? `${known.length} picked` : "Nothing is picked: choose a star in the programme"];
    if (gone) says.push(`${gone} picked before ${gone > 1 ? "are" : "is"} not in the programme any more`);
    told.textContent = `${says.join("; ")}.`;
    list.replaceChildren(
      ...known.map((each) => {
        const item = data.items[each];
        const about = [...item.when, item.room].filter(Boolean).join("; ");
        return make("li", {}, make("a", { href: item.page }, item.title), make("p", {}, about || "No time given"));
      }),
    );
    add.hidden = known.every((each) => own.has(each));
    copy.hidden = keep.hidden = !known.length;
    add.onclick = () => {
      save(key, new Set([...own, ...known]));
      add.hidden = true;
      told.textContent = `${known.length} added to my picks.`;
    };
    copy.onclick = async () => {
      history.replaceState(null, "", `#${known.join(",")}`);
      try {
        await navigator.clipboard.writeText(location.href);
        told.textContent = "The link is copied.";
      } catch {
        told.textContent = "The link is the address of this page now.";
      }
    };
    keep.onclick = () => {
      const text = data.head + known.map((each) => data.items[each].ics).join("") + data.tail;
      const url = URL.createObjectURL(new Blob([text], { type: "text/calendar" }));
      make("a", { href: url, download: "picks.ics" }).click();
      setTimeout(() => URL.revokeObjectURL(url), 1000);
    };
  };

  // The records of a page of a listing that have all words.
  const listed = (form) => {
    const entries = [...document.querySelectorAll(".entry")].map((entry) => [entry, folded(entry.textContent)]);
    form.hidden = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => {
      const words = folded(form.elements.q.value).split(/\s+/).filter(Boolean);
      let count = 0;
      for (const [entry, text] of entries) {
        entry.hidden = !words.every((word) => text.includes(word));
        count += !entry.hidden;
      }
      document.getElementById("found").textContent = words.length ? `${count} found` : "";
    });
  };

  const words = document.getElementById("words");
  if (words) listed(words);
  for (const each of document.querySelectorAll("time[data-age]")) each.after(` (${age(each.dateTime)})`);
  const alone = document.querySelector("article.talk[data-key]");
  if (tools) programme();
  if (alone) stars(alone.dataset.key, () => {});
  if (picks) {
    mine();
    addEventListener("hashchange", mine);
  }
})();
