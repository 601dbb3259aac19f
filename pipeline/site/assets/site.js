"use strict";
// What a reader may do on a page: hide rooms and kinds, see what is on now, pick talks. Everything is readable without.
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

  const programme = () => {
    const key = tools.dataset.key;
    const own = load(key);
    const mine = document.getElementById("mine");
    const only = document.getElementById("only");
    const talks = [...document.querySelectorAll(".talk[data-id]")];

    const show = () => {
      for (const talk of talks) {
        const picked = own.has(talk.dataset.id);
        talk.classList.toggle("picked", picked);
        const button = talk.querySelector(".pick");
        button.setAttribute("aria-pressed", String(picked));
        button.textContent = picked ? "★" : "☆";
      }
      mine.textContent = `My picks (${own.size})`;
      mine.href = own.size ? `picks.html#${[...own].join(",")}` : "picks.html";
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
    only.addEventListener("click", () => {
      const on = document.body.classList.toggle("only");
      only.setAttribute("aria-pressed", String(on));
      for (const each of document.querySelectorAll("section details")) each.open = each.open || on;
    });
    for (const box of tools.querySelectorAll("input[data-hides]")) {
      box.addEventListener("change", () => {
        for (const each of document.querySelectorAll(`[data-${box.dataset.hides}="${box.value}"]`)) {
          each.hidden = !box.checked;
        }
      });
    }
    tools.hidden = false;
    show();
    if (tools.dataset.zone) {
      clock();
      setInterval(clock, 60000);
    }
  };

  const clock = () => {
    const parts = new Date().toLocaleString("sv-SE", { timeZone: tools.dataset.zone }).slice(0, 16);
    const now = parts.replace(" ", "T");
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

  for (const each of document.querySelectorAll("time[data-age]")) each.after(` (${age(each.dateTime)})`);
  if (tools) programme();
  if (picks) {
    mine();
    addEventListener("hashchange", mine);
  }
})();
