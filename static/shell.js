// The page's side of being an app: it registers the worker, tells it what to keep, fills the page that says what is
// missing, and prints.
(() => {
  "use strict";

  const REST = 2500; // ms at rest before anything is fetched ahead
  const MOST = 120; // plies of a match that are fetched ahead
  const root = document.documentElement;

  // --- Printing ------------------------------------------------------------------------------------------------

  const print = document.querySelector("[data-print]");
  if (print) {
    print.hidden = false;
    print.addEventListener("click", () => window.print());
  }

  // --- Without a network ---------------------------------------------------------------------------------------

  const offline = document.getElementById("offline");
  if (offline) tellMissing();

  function tellMissing() {
    const games = window.critmass.games.split("|").map((game) => game.split("/")[0]);
    const match = games.includes(location.pathname.split("/")[1].toLowerCase());
    const step = match && /[?&](at|ring|play)=/i.test(location.search);
    for (const text of offline.querySelectorAll("[data-missing]")) {
      text.hidden = text.dataset.missing !== (step ? "step" : match ? "match" : "page");
    }
    const again = offline.querySelector("[data-again]");
    again.href = location.pathname === "/offline" ? "/" : location.href;
    if (location.pathname !== "/offline") {
      window.addEventListener("online", () => setTimeout(tryAgain, 300));
      setInterval(tryAgain, 3000);
    }
    listKept().catch(() => {});
  }

  // A browser may say that it is online and be wrong, and what answers may be a proxy alone; the worker leaves this
  // request alone.
  async function tryAgain() {
    if (!navigator.onLine || document.visibilityState !== "visible") return;
    const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
    if (answer && answer.status < 500) location.reload();
  }

  // The matches that the worker has, the newest first.
  async function listKept() {
    if (!("caches" in window)) return;
    const name = (await caches.keys()).find((it) => it.startsWith("critmass-opened-"));
    if (!name) return;
    const cache = await caches.open(name);
    const keys = (await cache.keys()).reverse().slice(0, 20);
    const list = document.querySelector("#kept ul");
    for (const key of keys) {
      const kept = await cache.match(key, { ignoreVary: true });
      const title = kept && /<title>([^<]*)<\/title>/.exec(await kept.text());
      const url = new URL(key.url);
      if (!title || /\/$/.test(url.pathname)) continue;
      const link = document.createElement("a");
      link.className = "card";
      link.href = url.pathname + url.search;
      const text = new DOMParser().parseFromString(title[1], "text/html").documentElement.textContent;
      link.textContent = text.replace(/ · Critical Mass$/, "");
      const where = document.createElement("span");
      where.textContent = url.pathname;
      link.append(where);
      const item = document.createElement("li");
      item.append(link);
      list.append(item);
    }
    document.getElementById("kept").hidden = !list.children.length;
  }

  // --- The worker ----------------------------------------------------------------------------------------------

  if (!("serviceWorker" in navigator) || "embed" in root.dataset || window.top !== window) return;

  let waiting = 0;
  let registered = null;
  let moved = false; // the position in view was played here: its match goes on, and its steps with it

  document.addEventListener("critmass:played", () => (moved = true));

  function later() {
    clearTimeout(waiting);
    waiting = setTimeout(() => (window.requestIdleCallback || ((then) => then()))(keep), REST);
  }

  document.addEventListener("critmass:rest", later);
  document.addEventListener("critmass:shown", () => clearTimeout(waiting));
  if (document.readyState === "complete") later();
  else window.addEventListener("load", later);

  async function keep() {
    if (document.visibilityState !== "visible") return;
    try {
      registered = registered || (await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }));
      const { active } = await navigator.serviceWorker.ready;
      const shown = document.querySelector("#match[data-page]");
      if (shown && active) active.postMessage(wanted(shown));
    } catch {
      // A browser that forbids it, or no network: the site works without.
    }
  }

  function wanted(shown) {
    const { page, game, moves, query, width } = shown.dataset;
    const it = { page, steps: [] };
    const saving = navigator.connection && navigator.connection.saveData;
    if (saving || moves === "") return it;
    it.picture = `${game}${moves}.svg${pictured(query)}`;
    const going = moved && "atEnd" in shown.dataset && shown.dataset.turn;
    moved = false;
    if (going) return it;
    const length = moves.length / Number(width);
    it.steps.push(game + moves + query);
    for (let at = length; at >= Math.max(0, length - MOST); at--) {
      it.steps.push(`${game}${moves}?at=${at}${query.replace("?", "&")}`);
    }
    return it;
  }

  function pictured(query) {
    const system = matchMedia("(prefers-color-scheme: dark)").matches;
    const dark = root.dataset.scheme === "dark" || (root.dataset.scheme !== "light" && system);
    const options = new URLSearchParams(query);
    if (dark) options.set("scheme", "dark");
    return options.size || options.toString() ? `?${options}` : "";
  }
})();
