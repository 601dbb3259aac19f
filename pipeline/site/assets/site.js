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
        button.textContent = talk.matches("article") ? (picked ? "★ Picked" : "☆ Pick") : picked ? "★" : "☆";
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

  // True if an item has all words that are looked for, and is of the track, kind and room.
  const fits = (item, { track, kind, room, picks }, words, own) =>
    words.every((word) => item.words.includes(word)) &&
    (!track || item.track === track) &&
    (!kind || item.kind === kind) &&
    (!room || item.rooms.includes(room)) &&
    (!picks || own.has(item.id));

  // The form that finds: what is looked for stands in the address, and is read from there. `find` returns a number.
  const finder = (find) => {
    const form = document.getElementById("find");
    const all = document.getElementById("all");
    const told = document.getElementById("found");
    const reset = tools.querySelector("[type=reset]");

    const run = async () => {
      const wanted = Object.fromEntries(new FormData(form));
      const words = folded(wanted.q).split(/\s+/).filter(Boolean);
      const narrows = Boolean(words.length || wanted.track || wanted.kind || wanted.room || wanted.picks);
      const given = Object.entries(wanted).filter(([, value]) => value);
      history.replaceState(null, "", given.length ? `#${new URLSearchParams(given)}` : location.pathname + location.search);
      if (all) all.href = `index.html${location.hash}`;
      reset.hidden = !given.length;
      const count = await find(wanted, words, narrows);
      told.textContent = narrows ? `${count} found` : "";
      if (tools.dataset.zone) clock();
    };

    const ask = () => {
      if (!location.hash.includes("=")) return;
      const asked = new URLSearchParams(location.hash.slice(1));
      for (const field of form.elements) {
        if (field.type === "checkbox") field.checked = asked.has(field.name);
        else if (field.name) field.value = asked.get(field.name) ?? "";
      }
      run();
      if (form.elements.local?.checked) local(true);
      if (asked.has("day")) document.getElementById(`day-${asked.get("day")}`)?.scrollIntoView();
    };

    form.addEventListener("input", (event) => (event.target.name === "local" ? local(event.target.checked) : null, run()));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(() => (local(false), run())));
    addEventListener("hashchange", ask);
    tools.hidden = false;
    ask();
  };

  const programme = () => {
    const link = document.getElementById("mine");
    const own = stars(tools.dataset.key, (picked) => {
      link.textContent = `My picks (${picked.size})`;
      link.classList.toggle("some", picked.size > 0);
      link.href = picked.size ? `picks.html#${[...picked].join(",")}` : "picks.html";
    });
    if (tools.dataset.items) everywhere(own);
    else onPage(own);
    if (tools.dataset.zone) {
      clock();
      setInterval(clock, 60000);
    }
  };

  // Finds among the items of the page: what does not fit is hidden.
  const onPage = (own) => {
    const blocks = [...document.querySelectorAll(".block")].map((block) => {
      const head = [...block.querySelectorAll(":scope > .when .room, :scope > h3, :scope > .note")];
      const about = head.map((each) => each.textContent).join(" ");
      const rooms = [block.dataset.room ?? ""];
      const talks = [...block.querySelectorAll(".talk")].map((talk) => {
        const { id, more = "", track = "", kind } = talk.dataset;
        const words = folded([talk.textContent, about, more, track, kind.replaceAll("_", " ")].join(" "));
        return { talk, id, track, kind, rooms, words };
      });
      return { block, talks };
    });

    finder((wanted, words, narrows) => {
      let count = 0;
      for (const { block, talks } of blocks) {
        let left = 0;
        for (const each of talks) {
          each.talk.hidden = !fits(each, wanted, words, own);
          left += !each.talk.hidden;
        }
        block.hidden = !left;
        count += left;
        const details = narrows && left ? block.querySelector("details") : null;
        if (details) details.open = true;
      }
      for (const day of document.querySelectorAll("section.day")) day.hidden = !day.querySelector(".block:not([hidden])");
      document.body.classList.toggle("list", narrows || Boolean(wanted.list));
      return count;
    });
  };

  // Finds among the items of all days of a big programme, which are a script: a page opened from the folder may not
  // fetch, but it may run what lies beside it.
  const everywhere = (own) => {
    const hits = document.getElementById("hits");
    let read = null;
    const items = () => {
      read ??= new Promise((done, fail) => {
        document.head.append(make("script", { src: tools.dataset.items, onload: done, onerror: fail }));
      }).then(() =>
        globalThis.items.map((each) => {
          const { title, when, people, kind, track, more, rooms } = each;
          return { ...each, words: folded([title, when, people, kind.replaceAll("_", " "), track, more, ...rooms].join(" ")) };
        }),
      );
      return read;
    };

    finder(async (wanted, words, narrows) => {
      const found = narrows ? (await items()).filter((each) => fits(each, wanted, words, own)) : [];
      hits.replaceChildren(
        ...found.map(({ page, title, when, people }) => {
          const about = [when, people].filter(Boolean).join("; ");
          return make("li", {}, make("a", { href: page }, title), " ", make("span", { className: "note" }, about));
        }),
      );
      return found.length;
    });

    // A link to an item from when the programme was one page.
    const follow = async () => {
      const id = /^#t-([0-9a-f]{8,16})/.exec(location.hash)?.[1];
      const item = id && (await items()).find((each) => each.id === id);
      if (item) location.replace(item.page);
    };
    addEventListener("hashchange", follow);
    follow();
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
    const blocks = [...document.querySelectorAll(".block[data-start]:not([hidden])")]; // of what is looked for
    const on = blocks.filter((each) => each.dataset.start <= now && now < each.dataset.end);
    const later = blocks.map((each) => each.dataset.start).filter((each) => each > now).sort()[0];
    const next = blocks.filter((each) => each.dataset.start === later);
    for (const each of blocks) each.classList.toggle("now", on.includes(each));
    const told = document.getElementById("now");
    told.replaceChildren();
    if (!on.length && !next.length) return;
    told.append("Now: ", ...(on.length ? links(on) : ["nothing"]));
    const [day, time] = (later ?? "").split("T");
    if (next.length) told.append(`; next, ${now.startsWith(day) ? time : `${day} ${time}`}: `, ...links(next));
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
    const at = (each) => data.items[each].at || "~"; // what has no time comes last
    known.sort((one, other) => (at(one) < at(other) ? -1 : 1));
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
    copy.hidden = !known.length;
    keep.hidden = !known.some((each) => data.items[each].ics); // what has no time is in no calendar
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

  // The entries of a page of a listing, of people or of papers that have all words.
  const listed = (form) => {
    const entries = [...document.querySelectorAll(".entry, .index > li")].map((entry) => [entry, folded(entry.textContent)]);
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
