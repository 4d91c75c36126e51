// What a page can do better with a script than without. It knows nothing of the game: every link and every word comes
// from the server, and the style sheet plays the chain.
(() => {
  "use strict";

  const BEAT = 350; // ms at rest before the computer's answer is shown
  const REST = 340; // ms at rest before a tap counts: a double tap must not play the opponent's move
  const { say } = window.critmass;
  const root = document.documentElement;
  const framed = "embed" in root.dataset; // in somebody else's page
  const byId = (id) => document.getElementById(id);
  const match = () => byId("match");
  const grid = () => document.querySelector('[role="grid"]');

  let atRest = 0; // when the board in view came to rest; Infinity while its chain plays
  let settled = null; // the board that was last made ready
  let asking = false; // a move is on its way to the server
  let latest = null; // the request under way whose answer counts
  let places = []; // where the focus goes after a swap: to the first of these that is there

  // --- The board in view ---------------------------------------------------------------------------------------

  function settle() {
    const place = places.map((selector) => document.querySelector(selector)).find(Boolean);
    places = [];
    rove(place && place.closest('[role="grid"]') ? place : null);
    if (place) place.focus({ preventScroll: true });
    share();
    markHint();
    for (const here of document.querySelectorAll('.list [aria-current="true"], .lines [aria-current="true"]')) {
      const list = here.closest(".list, .lines");
      list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
    const last = document.querySelector("[data-just]");
    if (last) {
      const frame = last.closest(".board"); // on a small screen a large board scrolls in it
      frame.scrollLeft += last.getBoundingClientRect().x - frame.getBoundingClientRect().x - frame.clientWidth / 2;
    }
    const shown = match();
    const board = grid(); // a new one with every swap, where the match area may stay the same
    if (!shown || board === settled) return;
    settled = board;
    say(byId("said"), shown.dataset.said); // the region is there from the start and outside of what is swapped
    atRest = Infinity;
    document.dispatchEvent(new CustomEvent("critmass:shown", { detail: shown }));
    askComputer(shown);
    whenAtRest(shown, () => {
      atRest = performance.now();
      document.dispatchEvent(new CustomEvent("critmass:rest", { detail: shown }));
      if ("playing" in shown.dataset) setTimeout(() => board.isConnected && goOn(shown), 450);
    });
  }

  // Calls back once the chain has played to its end, was skipped, or at once where nothing moves.
  function whenAtRest(shown, done) {
    const clock = shown.querySelector(".clock");
    const running = clock && clock.getAnimations ? clock.getAnimations() : [];
    if (running.length === 0) done();
    else running[0].finished.catch(() => {}).then(() => clock.isConnected && done());
  }

  // By the address, or by the page kept for it where there is no network.
  const playing = () => {
    const shown = match();
    const kept = shown && "playing" in shown.dataset && shown.dataset.page === location.pathname + location.search;
    return kept || new URLSearchParams(location.search).has("play");
  };

  // A replay that plays by itself goes on by the link that a person would follow.
  function goOn(shown) {
    const next = shown.querySelector('[data-step="Forward"]');
    if (!next || !next.dataset.on || !playing() || latest) return;
    htmx.ajax("GET", next.dataset.on, { target: "#match", swap: "outerHTML" });
  }

  // --- The computer --------------------------------------------------------------------------------------------

  const isAnswer = ({ sourceElement }) => Boolean(sourceElement && sourceElement.matches("[data-answer]"));

  // Its answer is asked for as soon as its turn is shown, and put into the page once the chain has played to its end.
  function askComputer(shown) {
    const link = shown.querySelector("[data-answer]");
    if (!link || !link.isConnected) return;
    const seen = new Promise((done) => whenAtRest(shown, () => setTimeout(done, BEAT)));
    const fetchAndWait = async (...asked) => {
      const answer = await fetch(...asked);
      if (answer.ok) await seen;
      return answer;
    };
    htmx.ajax("GET", link.getAttribute("href"), { source: link, target: "#match", swap: "outerHTML", fetch: fetchAndWait });
  }

  function askAgain(link, seconds) {
    setTimeout(() => link.isConnected && !latest && askComputer(match()), seconds * 1000);
  }

  function computerIsBusy({ response, sourceElement }) {
    const seconds = Number(response.headers.get("Retry-After")) || 5;
    trouble(`The computer is busy. It is asked again in ${seconds} s.`);
    askAgain(sourceElement, seconds);
  }

  function markHint() {
    const hint = document.querySelector("[data-hint]");
    for (const cell of document.querySelectorAll(".hinted")) cell.classList.remove("hinted");
    if (hint) byId(hint.dataset.hint).classList.add("hinted");
  }

  function trouble(text, retry) {
    const link = retry && document.createElement("a");
    if (link) Object.assign(link, { href: retry, textContent: "Try again" });
    say(byId("trouble"), text, ...(link ? [" ", link] : []));
  }

  // --- Taps ----------------------------------------------------------------------------------------------------

  document.addEventListener(
    "click",
    (event) => {
      const link = event.target.closest('[role="grid"] a');
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const ready = !asking && performance.now() - atRest >= REST;
      // Others may object too: it is not this player's turn, or the move is to be confirmed.
      if (!ready || !link.dispatchEvent(new CustomEvent("critmass:play", { bubbles: true, cancelable: true }))) {
        event.preventDefault();
        event.stopImmediatePropagation();
        return;
      }
      link.dispatchEvent(new CustomEvent("critmass:played", { bubbles: true }));
      asking = true;
      if (!link.hasAttribute("hx-get")) setTimeout(() => (asking = false), 3000);
    },
    true,
  );

  // The match area is one of several parts that are asked for: the share panel and the seats of a new game are others.
  const ofMatch = ({ target }) => target === match() || target === "#match";

  document.addEventListener("htmx:before:request", (event) => {
    const { ctx } = event.detail;
    if (!isAnswer(ctx)) trouble("");
    if (ofMatch(ctx)) latest = ctx;
    // What comes into a live region is told, be it what was there before.
    if (ctx.target.matches && ctx.target.matches('[role="status"]')) say(ctx.target, "");
  });

  document.addEventListener("htmx:finally:request", (event) => {
    asking = false;
    if (event.detail.ctx === latest) latest = null;
  });

  // Whoever went back does not want what is still under way, not even where it comes before what is gone back to.
  addEventListener("popstate", ({ state }) => {
    if (state && state.htmx) latest = null;
  });

  document.addEventListener("htmx:after:request", (event) => {
    const { ctx } = event.detail;
    if (!ofMatch(ctx)) return;
    // Another was made meanwhile, by Back or by Pause.
    if (ctx !== latest) event.preventDefault();
    else if (isAnswer(ctx) && [429, 503].includes(ctx.response.status)) {
      event.preventDefault();
      computerIsBusy(ctx);
    }
    // Whatever is not the match area is a page of its own: an error that says what is wrong, or a network's login.
    else if (ctx.response.status >= 400 || !ctx.text.includes('<article id="match"')) {
      event.preventDefault();
      location.assign(ctx.sourceElement.getAttribute("href") || location.href);
    }
  });

  document.addEventListener("htmx:error", (event) => {
    const { ctx } = event.detail;
    if (ctx && ctx.sourceElement && "news" in ctx.sourceElement.dataset) return trouble("No connection. These are the games so far.");
    if (ctx && !ofMatch(ctx)) return trouble("No connection. What you chose is kept: try again.");
    // A window that a sandbox opened is of no origin: it may go where links lead, and not ask for parts.
    const there = window.origin === "null" && !framed && ctx && ctx.sourceElement.getAttribute("href");
    if (there) return location.assign(there);
    const awaited = document.querySelector("[data-answer]");
    if (awaited) askAgain(awaited, 5);
    if (ctx && isAnswer(ctx)) return trouble("No connection. Your move stands: the computer is asked again in 5 s.", location.href);
    const onBoard = ctx && ctx.sourceElement && ctx.sourceElement.closest('[role="grid"]');
    if (onBoard) trouble("No connection. Your move was not played: tap the cell again when you are back online.");
    else trouble("No connection. The board shows what it showed before.", location.href);
  });

  document.addEventListener("htmx:before:swap", (event) => {
    const { target } = event.detail.ctx;
    if (ofMatch(event.detail.ctx)) trouble("");
    const active = document.activeElement;
    if (!(ofMatch(event.detail.ctx) || target === byId("shown")) || !active || !active.closest("#match, #shown")) return;
    const list = active.closest(".list, .lines");
    const own = list ? `.${list.classList[0]} [aria-current]` : `[data-step="${active.dataset.step}"]`;
    places = [active.id ? `#${active.id}` : own, '[data-step="Pause"]', '[data-step="Play"]'];
  });

  document.addEventListener("htmx:after:swap", (event) => {
    // Where a part of an analysis came in, the reader stays where they are.
    if (event.detail.ctx.sourceElement.closest("[data-awaited], .advised-here")) markHint();
    else settle();
  });

  // A replay that goes on by itself is one step of the history: Back leads to where it was started. And a move is one
  // with the computer's answer to it: Back leads to where it can be played otherwise. The steps of an analysis are none,
  // and in somebody else's page nothing is.
  document.addEventListener("htmx:before:history:update", (event) => {
    if (framed) return;
    event.detail.history.type = playing() || isAnswer(event.detail) || byId("shown") ? "replace" : "push";
  });

  // --- Keys ----------------------------------------------------------------------------------------------------

  const cellsOf = (board) =>
    [...board.querySelectorAll('[role="row"]')].map((row) => [...row.children].map((cell) => cell.firstElementChild || cell));

  // One cell of the board is in the tab order; the arrow keys go on from it.
  function rove(to) {
    const board = grid();
    if (!board) return;
    const cells = cellsOf(board).flat();
    const was = document.activeElement && board.contains(document.activeElement) ? document.activeElement : null;
    const start = to || was || cells.find((cell) => cell.tagName === "A") || cells[0];
    for (const cell of cells) cell.tabIndex = cell === start ? 0 : -1;
    if (to) to.focus({ preventScroll: true });
  }

  const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const STEPS = { ArrowLeft: "Back", ArrowRight: "Forward", Home: "First", End: "Last" };
  const ANYWHERE = { ",": "Back", ".": "Forward" };
  const TYPED_INTO = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

  // Whoever uses keys sees where they go, even where a tap has put the focus.
  document.addEventListener("pointerdown", () => root.removeAttribute("data-keyboard"), true);

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    if (!["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"].includes(event.key)) root.setAttribute("data-keyboard", "");
    const board = event.target.closest('[role="grid"]');
    if (ANYWHERE[event.key]) fromAnywhere(event, board);
    else if (event.shiftKey) return;
    else if (board) onBoard(event, board);
    else if (!event.target.closest("input, textarea, select, [contenteditable]")) onReplay(event);
  });

  // Single characters, which some people's dictation types into the page, can be switched off; in a frame, which has no
  // settings, they are the board's alone.
  function fromAnywhere(event, board) {
    const wanted = root.dataset.keys ? root.dataset.keys === "on" : board;
    if (!wanted || event.target.closest(TYPED_INTO)) return;
    const step = document.querySelector(`[data-step="${ANYWHERE[event.key]}"]`);
    if (step) step.click();
  }

  function onBoard(event, board) {
    const rows = cellsOf(board);
    const row = rows.findIndex((cells) => cells.includes(event.target));
    if (row < 0) return;
    const column = rows[row].indexOf(event.target);
    const by = ARROWS[event.key];
    let to = by && rows[row + by[0]] && rows[row + by[0]][column + by[1]];
    if (event.key === "Home") to = rows[row][0];
    if (event.key === "End") to = rows[row][rows[row].length - 1];
    if (event.key === " " && event.target.tagName === "A") {
      event.preventDefault();
      event.target.click();
    }
    if (by || to) event.preventDefault();
    if (to) rove(to);
  }

  function onReplay(event) {
    const control = event.target.closest("a, button, label, summary");
    const name = event.key === " " && !control ? ["Pause", "Play"] : [STEPS[event.key]];
    const step = name.map((key) => document.querySelector(`[data-step="${key}"]`)).find(Boolean);
    if (!step || (event.target.closest(".list, .lines") && !event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    step.click();
  }

  // --- Sharing -------------------------------------------------------------------------------------------------

  function share() {
    for (const button of document.querySelectorAll(".copy")) button.hidden = false;
    const field = byId("link");
    if (!field) return;
    field.value = new URL(field.value, location.origin).href.replace(/^https?:\/\/[^/]*/, location.origin);
    if (navigator.share) document.querySelector(".share-sheet").hidden = false;
  }

  document.addEventListener("focusin", (event) => {
    if (event.target.matches(".link, .copied-from")) event.target.select();
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest(".copy, .share-sheet, [data-slow]");
    if (!button) return;
    const tell = (text) => say(button.closest(".panel, .share").querySelector(".copied"), text);
    if (button.matches(".copy")) copyText(byId(button.dataset.from || "link"), tell);
    else if (button.matches(".share-sheet")) hand(tell);
    else fetchSlowly(event, button, tell);
  });

  async function copyText(field, tell) {
    let done = false;
    try {
      await navigator.clipboard.writeText(field.value);
      done = true;
    } catch {
      // No clipboard on plain http, or it was refused: the older way.
      field.select();
      field.setSelectionRange(0, field.value.length);
      done = document.execCommand("copy");
    }
    tell(done ? "Copied." : "It could not be copied. It is selected: copy it by hand.");
  }

  async function hand(tell) {
    try {
      await navigator.share({ title: document.title, url: byId("link").value });
    } catch (error) {
      if (error.name !== "AbortError") tell("That did not work. Copy the link instead.");
    }
  }

  // A file that takes a while to make: say so, and hand it over when it is there.
  async function fetchSlowly(event, link, tell) {
    event.preventDefault();
    if (link.getAttribute("aria-busy")) return;
    link.setAttribute("aria-busy", "true");
    tell("Making the film…");
    try {
      const answer = await fetch(link.href);
      if (!answer.ok) throw new Error(String(answer.status));
      window.critmass.handOver(await answer.blob(), link.download);
      tell("The film is made.");
    } catch {
      tell("The film could not be made. Try again when you are back online.");
    } finally {
      link.removeAttribute("aria-busy");
    }
  }

  // --- Out of a frame ------------------------------------------------------------------------------------------

  // A sandbox may let nothing be opened, and tells nobody: the address is shown as well, to be copied.
  document.addEventListener("click", (event) => {
    const link = window.origin === "null" && event.target.closest(".home a");
    if (link) link.parentNode.classList.add("followed");
  });

  // --- The way back --------------------------------------------------------------------------------------------

  // A page out of the back/forward cache is as it was left, which may be another position than its address says.
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    asking = false;
    latest = null;
    const shown = match();
    if (shown && shown.dataset.page !== location.pathname + location.search) {
      const meant = new URL(location.href);
      for (const name of [...meant.searchParams.keys()]) if (!KNOWN.has(name)) meant.searchParams.delete(name);
      if (new URL(shown.dataset.page, location.origin).href !== meant.href) location.reload();
    }
  });
  const KNOWN = new Set(["at", "colours", "names", "computer", "ring", "play", "embed", "scheme", "size", "answer"]);

  // --- Confirming a move ---------------------------------------------------------------------------------------

  // The first tap shows the orb and what it would set off, in the server's words; the second plays.
  document.addEventListener("critmass:play", (event) => {
    const link = event.target;
    const picked = document.querySelector(".picked");
    if (root.dataset.confirm !== "on" || link === picked) return;
    event.preventDefault();
    for (const cell of document.querySelectorAll(".picked, .would")) cell.classList.remove("picked", "would");
    link.classList.add("picked");
    foresee(link);
  });

  async function foresee(link) {
    const note = document.querySelector(".foresight");
    if (!note) return;
    note.hidden = false;
    say(note, `${link.id}: tap again to play.`);
    try {
      const answer = await fetch(link.pathname + ".json" + link.search);
      const next = await answer.json();
      if (!link.classList.contains("picked")) return;
      const { rings, captured } = next.plies[next.plies.length - 1];
      for (const id of new Set(next.rings.flat())) {
        const cell = byId(id);
        if (cell) cell.classList.add("would");
      }
      const many = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;
      const effect = rings ? `sets off ${many(rings, "ring")} and captures ${many(captured, "cell")}` : "sets nothing off";
      say(note, `${link.id} ${effect}. Tap again to play.`);
    } catch {
      // Without a connection the second tap will say so.
    }
  }

  settle();
})();
