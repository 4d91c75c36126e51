// What this browser remembers: the matches that were opened or played here, and which side is whose. All of it stays in
// this browser. A match is known by the text of its moves; nothing here knows what a move does.
(() => {
  "use strict";

  // In a frame of somebody else's page nothing is remembered.
  if ("embed" in document.documentElement.dataset) return;

  const KEY = "critmass.matches";
  const PLAYED = "critmass.played";
  const MOST = 500;
  const GAME = new RegExp(`^/(?:${window.critmass.games})/$`);
  const COMMON = 8; // plies that two matches share before one is asked about

  // --- Storage: may be full, forbidden, or hold anything -------------------------------------------------------

  function load() {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY));
      return Array.isArray(kept) ? kept.filter(sound) : [];
    } catch {
      return [];
    }
  }

  const sound = (it) =>
    it &&
    typeof it.game === "string" && GAME.test(it.game) &&
    typeof it.moves === "string" && /^[0-9a-z]*$/.test(it.moves) &&
    typeof it.query === "string" && /^(\?|$)/.test(it.query) &&
    typeof it.title === "string" &&
    (it.width === 1 || it.width === 2) && it.moves.length % it.width === 0 &&
    Array.isArray(it.mine) && it.mine.every(Number.isInteger) &&
    Array.isArray(it.not) && it.not.every(Number.isInteger);

  let matches = load();
  if (matches.length) window.critmass.persist();

  function save() {
    matches = matches.slice(0, MOST);
    for (let most = matches.length; ; most = most >> 1) {
      try {
        localStorage.setItem(KEY, JSON.stringify(matches.slice(0, most)));
        return;
      } catch {
        document.dispatchEvent(new CustomEvent("critmass:unkept"));
        if (most <= 1) return; // what cannot be kept lasts as long as the page
      }
    }
  }

  function remember(entry) {
    entry.when = Date.now();
    matches = [entry, ...matches.filter((it) => it !== entry)];
    save();
  }

  // The move just tapped, by which the next page knows whose it was; it has to live through a page change.
  let tapped = null;

  function played(value) {
    const kept = tapped || takePlayed();
    tapped = value || null;
    try {
      if (value) sessionStorage.setItem(PLAYED, JSON.stringify(value));
    } catch {
      // Then it is known on this page only.
    }
    return kept;
  }

  function takePlayed() {
    try {
      return JSON.parse(sessionStorage.getItem(PLAYED));
    } catch {
      return null;
    } finally {
      try {
        sessionStorage.removeItem(PLAYED);
      } catch {
        // There is nothing to remove.
      }
    }
  }

  // --- Matches -------------------------------------------------------------------------------------------------

  const plies = (it) => it.moves.length / it.width;
  const url = (it) => it.game + it.moves + it.query;

  function common(a, b) {
    let shared = 0;
    while (shared < Math.min(a.moves.length, b.moves.length) && a.moves[shared] === b.moves[shared]) shared++;
    return Math.floor(shared / a.width);
  }

  function read(shown) {
    const { game, moves, query, turn, title, computer } = shown.dataset;
    return { game, moves, query, turn: Number(turn), title, computer, width: Number(shown.dataset.width), mine: [], not: [] };
  }

  const alone = (shown) => "alone" in shown.dataset;
  const kin = (here) => matches.filter((it) => it.game === here.game && (it.computer || "") === here.computer);

  // Finds what is remembered of the match that is shown, or asks about it; null while the question stands. Whoever plays
  // alone, against computers, is asked nothing.
  function recall(shown, here, own) {
    const same = kin(here);
    const [earlier] = same
      .filter((it) => it.moves && here.moves.startsWith(it.moves))
      .sort((a, b) => b.moves.length - a.moves.length);
    if (earlier) return earlier;
    const later = same.find((it) => it.moves.startsWith(here.moves));
    if (later && here.moves) {
      if (!alone(shown)) offerNewest(shown, later);
      return later;
    }
    const parted = same.find((it) => {
      const shared = common(it, here);
      return shared >= COMMON && it.mine.some((ply) => ply <= shared);
    });
    if (!parted || alone(shown)) return { ...here };
    // A branch that was tapped here needs no question: it is this player's own, beside the other.
    if (own) return { ...here, mine: parted.mine.filter((ply) => ply <= common(parted, here)), both: parted.both, side: parted.side };
    askWhich(shown, here, parted);
    return null;
  }

  function update(shown) {
    const here = read(shown);
    const move = played();
    const own = move && move.game === here.game && here.moves.startsWith(move.moves) && here.moves.length === move.moves.length + here.width;
    const entry = recall(shown, here, own);
    if (!entry) return;
    const older = entry.moves.length > here.moves.length;
    if (!older) Object.assign(entry, { moves: here.moves, query: here.query, title: here.title, turn: here.turn });
    if (own) {
      window.critmass.persist();
      entry.mine = [...new Set([...entry.mine, plies(here)])];
      if (!entry.both) entry.side = move.turn;
    }
    if (plies(here) > 0) remember(entry);
    if (!older) seat(shown, here, entry);
  }

  // --- Sides ---------------------------------------------------------------------------------------------------

  const part = (shown, name) => shown.querySelector(`[data-memory="${name}"]`);

  function waiting(here, entry) {
    if (!here.turn || entry.both) return false;
    return (entry.side && entry.side !== here.turn) || entry.not.includes(here.turn);
  }

  function seat(shown, here, entry) {
    if (!shown.hasAttribute("data-at-end") || !here.turn || plies(here) === 0) return;
    const wait = part(shown, "waiting");
    const who = part(shown, "who");
    if (!wait || alone(shown)) return; // it is the computer's turn, or nobody else's
    const must = waiting(here, entry);
    shown.toggleAttribute("data-waiting", must);
    wait.hidden = !must;
    who.hidden = must || Boolean(entry.side) || Boolean(entry.both);
    part(shown, "both").onclick = () => settle({ both: true });
    part(shown, "yes").onclick = () => settle({ side: here.turn });
    part(shown, "no").onclick = () => settle({ not: [...entry.not, here.turn] });
    function settle(what) {
      Object.assign(entry, what);
      remember(entry);
      seat(shown, here, entry);
    }
  }

  document.addEventListener("critmass:play", (event) => {
    const shown = event.target.closest("[data-game]");
    if (!shown) return;
    if (shown.hasAttribute("data-waiting")) {
      event.preventDefault();
      const wait = part(shown, "waiting");
      wait.classList.remove("nudge");
      void wait.offsetWidth; // so that the nudge plays again
      wait.classList.add("nudge");
      window.critmass.say(document.getElementById("said"), wait.firstChild.textContent.trim());
    }
  });

  document.addEventListener("critmass:played", (event) => {
    const shown = event.target.closest("[data-game]");
    if (!shown) return;
    const { game, moves, turn } = shown.dataset;
    played({ game, moves, turn: Number(turn) });
  });

  document.addEventListener("click", (event) => {
    const back = event.target.closest("[data-take-back]");
    const shown = back && back.closest("[data-game]");
    if (!shown) return;
    // What is taken back is no longer the newest of the match: one move, or more where computers have answered it.
    const here = read(shown);
    const entry = kin(here).find((it) => it.moves === here.moves);
    if (!entry) return;
    entry.moves = here.moves.slice(0, -here.width * Number(back.dataset.takeBack));
    entry.mine = entry.mine.filter((ply) => ply <= plies(entry));
    save();
  });

  // --- Questions -----------------------------------------------------------------------------------------------

  function offerNewest(shown, later) {
    const older = part(shown, "older");
    older.hidden = false;
    const link = older.querySelector("a");
    link.href = url(later);
    link.textContent = `Go to move ${plies(later)}`;
  }

  function askWhich(shown, here, parted) {
    const box = part(shown, "which");
    const shared = common(parted, here);
    const [mine, theirs] = box.querySelectorAll("figure");
    show(mine, parted, shared + 1);
    show(theirs, here, shared + 1);
    box.hidden = false;
    const says = box.querySelector("p");
    Promise.all([parted, here].map((it) => fetch(`${it.game}${it.moves}.json`).then((answer) => answer.json())))
      .then(([was, is]) => {
        const [before, now] = [was.moves[shared], is.moves[shared]];
        if (before && now) says.textContent = `Is this your match? Move ${shared + 1} was ${before}, here it is ${now}.`;
      })
      .catch(() => {});
    part(shown, "keep").href = url(parted);
    part(shown, "take").onclick = () => choose(Object.assign(parted, { moves: here.moves, query: here.query, title: here.title, turn: here.turn }));
    part(shown, "another").onclick = () => choose({ ...here });
    function choose(entry) {
      box.hidden = true;
      entry.mine = entry.mine.filter((ply) => ply <= plies(entry));
      remember(entry);
      seat(shown, here, entry);
    }
  }

  // Puts the picture of a match before everything else in an element.
  function show(where, it, at) {
    const image = document.createElement("img");
    image.width = image.height = 160;
    image.alt = where.dataset.alt || "";
    image.loading = "lazy";
    image.src = `${it.game}${it.moves}.svg${options(it, at)}`;
    where.prepend(image);
  }

  function options(it, at) {
    const dark = document.documentElement.dataset.scheme === "dark" ||
      (document.documentElement.dataset.scheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
    // As it is: written anew, a comma in a name would be one between two.
    const query = it.query.slice(1).split("&").filter(Boolean);
    if (at !== undefined) query.push(`at=${Math.min(at, plies(it))}`);
    if (dark) query.push("scheme=dark");
    return query.length ? `?${query.join("&")}` : "";
  }

  // --- The list on the front page ------------------------------------------------------------------------------

  function list() {
    const section = document.getElementById("remembered");
    if (!section) return;
    const rows = section.querySelector("ol");
    const row = section.querySelector("template");
    rows.textContent = "";
    section.hidden = matches.length === 0;
    for (const entry of matches) {
      const item = row.content.cloneNode(true).firstElementChild;
      item.querySelector("a").href = url(entry);
      show(item.querySelector("a"), entry);
      item.querySelector("strong").textContent = entry.title;
      item.querySelector("span").textContent = entry.side && entry.side === entry.turn && !entry.both ? "Your turn" : "";
      const remove = item.querySelector("button");
      remove.setAttribute("aria-label", `Forget: ${entry.title}`);
      remove.addEventListener("click", () => {
        matches = matches.filter((it) => it !== entry);
        save();
        list();
      });
      rows.append(item);
    }
    section.querySelector("[data-forget-all]").onclick = () => {
      matches = [];
      save();
      list();
    };
  }

  // --- Saved to a file, and read back --------------------------------------------------------------------------

  window.critmass.matches = { all: () => matches, isSound: sound, MOST, KEY };
  let place = null; // where it is said what came of it

  async function keep(work) {
    const { load, say } = window.critmass;
    const loaded = await load("backup").then(() => true, () => false);
    say(place, loaded ? await work(window.critmass.backup) : "This needs a connection once. Try again when you are back online.");
  }

  document.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-save], [data-read]");
    if (!button) return;
    place = button.closest("[data-keeping]").querySelector('[role="status"]');
    if ("save" in button.dataset) keep((backup) => backup.save());
    else document.querySelector("#settings [type=file]").click();
  });

  document.addEventListener("change", ({ target }) => {
    if (!target.matches("#settings [type=file]") || !target.files.length) return;
    const [file] = target.files;
    keep((backup) => backup.read(file));
    target.value = ""; // so that the same file can be chosen again
  });

  document.addEventListener("critmass:read", () => {
    matches = load();
    list();
  });
  document.addEventListener("critmass:shown", (event) => {
    if ("game" in event.detail.dataset && event.detail.id === "match") update(event.detail);
  });
  window.addEventListener("storage", (event) => {
    if (event.key === KEY) matches = load();
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) matches = load();
    list();
  });
  if (document.readyState !== "loading") list();
})();
