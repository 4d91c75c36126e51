// Everything that this browser remembers, saved to a file and read back. What is read is merged with what is there. A
// file may be anything, so all that is taken from it is looked at, and what it says of a match leads to this site alone.
(() => {
  "use strict";

  const { handOver, matches: memory, persist, settings } = window.critmass;
  const APP = "critical-mass";
  const FORMAT = 1;
  const LARGEST = 5; // MB, several times what a browser remembers at most
  const SOLVED = "critmass.solved";
  const COMMON = 8; // plies after which a match that goes on from another is taken for the same
  const OPTIONS = /^(?:colours=[a-z]{2,8}|computer=[0-9,]{1,32}|names=[^\s&#<>"'\\]{1,2000})$/;
  // Controls and what changes the direction of a text beyond itself; emoji and words need the joiners.
  const UNSEEN = /(?![\u200c\u200d\u2066-\u2069])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

  class Refused extends Error {}

  const many = (number, thing, things = `${thing}s`) => `${number} ${number === 1 ? thing : things}`;
  const listed = (parts) => parts.filter(Boolean).join(", ").replace(/, ([^,]*)$/, " and $1");
  const isNumber = (value, most) => Number.isInteger(value) && value >= 1 && value <= most;
  const solvedOf = (kept) => (Array.isArray(kept) ? kept.filter((number) => isNumber(number, 100000)) : []);
  const plies = (it) => it.moves.length / it.width;
  const linkOf = (it) => `${it.game}${it.moves}${it.query}`;

  function load(key) {
    try {
      return JSON.parse(localStorage.getItem(key));
    } catch {
      return null;
    }
  }

  // --- Saving --------------------------------------------------------------------------------------------------

  function save() {
    const kept = { app: APP, format: FORMAT, saved: new Date().toISOString(), matches: memory.all(), solved: solvedOf(load(SOLVED)), settings: settings.chosen() };
    const what = contents(kept);
    if (!what) return "There is nothing to save yet.";
    const name = `${APP}-${kept.saved.slice(0, 10)}.json`;
    handOver(new Blob([JSON.stringify(kept, null, 1)], { type: "application/json" }), name);
    persist(true);
    return `Saved as ${name}: ${what}.`;
  }

  const contents = (kept) =>
    listed([
      kept.matches.length && many(kept.matches.length, "match", "matches"),
      kept.solved.length && many(kept.solved.length, "solved puzzle"),
      Object.keys(kept.settings).length && "your settings",
    ]);

  // --- Reading -------------------------------------------------------------------------------------------------

  async function read(file) {
    try {
      return take(parse(await textOf(file)));
    } catch (error) {
      if (error instanceof Refused) return error.message;
      throw error;
    }
  }

  async function textOf(file) {
    if (file.size > LARGEST * 1e6) throw new Refused(`That file is too large: it has ${Math.ceil(file.size / 1e6)} MB, and none that was saved here has more than ${LARGEST}. Nothing was read.`);
    try {
      return await file.text();
    } catch {
      throw new Refused("That file could not be opened. Choose it once more.");
    }
  }

  function parse(text) {
    if (!text.trim()) throw new Refused("That file is empty. Choose another one that was saved here.");
    let kept = null;
    try {
      kept = JSON.parse(text);
    } catch {
      if (text.includes(`"app"`) && text.includes(APP)) throw new Refused("That file is damaged: it was saved here, but a part of it is missing or was changed. Nothing was read; try another copy of it.");
    }
    if (!kept || kept.app !== APP) throw new Refused(`That file was not saved here, so nothing was read. One that was is called ${APP}, with a date. A single match is read on the page Import.`);
    if (!Number.isInteger(kept.format) || kept.format > FORMAT) throw new Refused("That file was saved by a newer version of Critical Mass. Load this page again, and then read it.");
    return kept;
  }

  // One match of a file, with nothing in it but what belongs there; null where it is none.
  function cleaned(it) {
    if (!memory.isSound(it) || it.moves.length > 2000) return null;
    const whole = (value, most) => (isNumber(value, most) ? value : undefined);
    const title = it.title.replace(UNSEEN, "").trim();
    const options = it.query.slice(1).split("&").filter((pair) => OPTIONS.test(pair));
    return {
      game: it.game,
      moves: it.moves,
      query: options.length ? `?${options.join("&")}` : "",
      title: [...title].slice(0, 100).join("") || "A match",
      width: it.width,
      turn: whole(it.turn, 8) || 0,
      computer: /^[0-9,]{1,32}$/.test(it.computer) ? it.computer : "",
      mine: it.mine.filter((ply) => isNumber(ply, plies(it))),
      not: it.not.filter((player) => isNumber(player, 8)),
      side: whole(it.side, 8),
      both: it.both === true || undefined,
      when: whole(it.when, Date.now()),
    };
  }

  function take(kept) {
    const given = Array.isArray(kept.matches) ? kept.matches : [];
    const found = given.map(cleaned).filter(Boolean);
    const merged = mergeMatches(memory.all().map((it) => ({ ...it })), found);
    const solved = new Set(solvedOf(load(SOLVED)));
    const before = solved.size;
    for (const number of solvedOf(kept.solved)) solved.add(number);
    write({ [memory.KEY]: merged.matches, [SOLVED]: [...solved] });
    const adopted = settings.adopt(kept.settings);
    document.dispatchEvent(new CustomEvent("critmass:read"));
    persist(true);
    return told({ ...merged, puzzles: solved.size - before, adopted, broken: given.length - found.length });
  }

  function told({ added, further, left, puzzles, adopted, broken }) {
    const news = listed([
      added && many(added, "match", "matches"),
      further && `the moves of ${many(further, "match", "matches")}`,
      puzzles && many(puzzles, "solved puzzle"),
      adopted && many(adopted, "setting"),
    ]);
    const lines = [news ? `Read: ${news}.` : "All that is in that file was here already."];
    if (broken) lines.push(`${many(broken, "entry", "entries")} of the file could not be understood.`);
    if (left) lines.push(`${many(left, "match", "matches")} found no room: this browser remembers ${memory.MOST}. The file has them still.`);
    return lines.join(" ");
  }

  // --- Merging -------------------------------------------------------------------------------------------------

  // A match that is known is brought up to date, whichever of the two goes further; others are added. The last ones that
  // were seen come first.
  function mergeMatches(here, found) {
    const known = new Map(here.map((it) => [linkOf(it), it]));
    const open = new Set(here);
    const others = [];
    for (const it of found) {
      const same = known.get(linkOf(it));
      if (same) join(same, it);
      else others.push(it);
      if (same) open.delete(same);
    }
    let further = 0;
    const added = [];
    for (const it of others) {
      const same = [...open].find((other) => isSame(other, it));
      if (!same) added.push(it);
      else if (same.moves.length < it.moves.length) further += 1;
      if (same) join(same, it);
      if (same) open.delete(same);
    }
    const fitting = added.slice(0, Math.max(0, memory.MOST - here.length));
    const matches = [...here, ...fitting].sort((a, b) => (b.when || 0) - (a.when || 0));
    return { matches, added: fitting.length, further, left: added.length - fitting.length };
  }

  function isSame(a, b) {
    const [shorter, longer] = a.moves.length < b.moves.length ? [a, b] : [b, a];
    return a.game === b.game && (a.computer || "") === b.computer && plies(shorter) >= COMMON && longer.moves.startsWith(shorter.moves);
  }

  // What is known here counts where the two differ.
  function join(here, other) {
    here.mine = [...new Set([...here.mine, ...other.mine])];
    here.not = [...new Set([...here.not, ...other.not])];
    if (!here.side && !here.both) Object.assign(here, { side: other.side, both: other.both });
    here.when = Math.max(here.when || 0, other.when || 0) || undefined;
    if (other.moves.length <= here.moves.length) return;
    for (const name of ["moves", "query", "title", "turn"]) here[name] = other[name];
  }

  // All of it is written, or nothing.
  function write(values) {
    const before = {};
    try {
      for (const [key, value] of Object.entries(values)) {
        before[key] = localStorage.getItem(key);
        localStorage.setItem(key, JSON.stringify(value));
      }
    } catch (error) {
      restore(before);
      const why = error.name === "SecurityError" ? "it keeps nothing here, as in a private window or where storage is switched off" : "it has no room left";
      throw new Refused(`This browser cannot keep what is in that file: ${why}. What was here is unchanged.`);
    }
  }

  function restore(before) {
    for (const [key, value] of Object.entries(before)) {
      try {
        if (value === null) localStorage.removeItem(key);
        else localStorage.setItem(key, value);
      } catch {
        // It was never changed.
      }
    }
  }

  window.critmass.backup = { save, read };
})();
