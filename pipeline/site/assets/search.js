"use strict";
// Finds in the whole site by Pagefind, whose code and indexes are fetched: that needs a server.
(() => {
  const MOST = 50;
  const form = document.getElementById("search");
  const told = document.getElementById("found");
  const hits = document.getElementById("hits");
  if (location.protocol === "file:") {
    document.getElementById("folder").hidden = false;
    return;
  }
  form.hidden = false;

  const load = async () => {
    const [first, ...others] = form.dataset.indexes.split(" ");
    const engine = await import(new URL(`search/${first}/pagefind.js`, location.href).href);
    await engine.options({ noWorker: true, excerptLength: 30 });
    await engine.init();
    for (const other of others) await engine.mergeIndex(new URL(`search/${other}/`, location.href).pathname);
    return engine;
  };

  const shown = ({ meta, plain_excerpt: excerpt }) => {
    const [item, link, about, text] = ["li", "a", "span", "p"].map((name) => document.createElement(name));
    link.href = meta.page;
    link.textContent = meta.title;
    about.className = "note";
    about.textContent = meta.about;
    text.textContent = excerpt;
    item.append(link, " ", about, text);
    return item;
  };

  let engine = null;
  let last = 0;
  const find = async () => {
    const words = form.elements.q.value.trim();
    const own = (last += 1);
    history.replaceState(null, "", words ? `#${new URLSearchParams({ q: words })}` : location.pathname);
    try {
      engine ??= load();
      const found = words ? (await (await engine).search(words)).results : [];
      const data = await Promise.all(found.slice(0, MOST).map((each) => each.data()));
      if (own !== last) return; // more was typed meanwhile
      hits.replaceChildren(...data.map(shown));
      told.textContent = words ? `${found.length} found${found.length > MOST ? `, the first ${MOST} are shown` : ""}` : "";
    } catch (error) {
      engine = null;
      told.textContent = `The index cannot be read: ${error}`;
    }
  };

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", find);
  form.elements.q.value = new URLSearchParams(location.hash.slice(1)).get("q") ?? "";
  if (form.elements.q.value) find();
})();
