// Which puzzles were solved in this browser, and which one comes next.
(() => {
  "use strict";

  const KEY = "critmass.solved";

  function load() {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY));
      return new Set(Array.isArray(kept) ? kept.filter(Number.isInteger) : []);
    } catch {
      return new Set();
    }
  }

  function save(solved) {
    try {
      localStorage.setItem(KEY, JSON.stringify([...solved]));
      window.critmass.persist();
    } catch {
      // What cannot be kept is shown on this page only.
    }
  }

  function mark(solved) {
    for (const place of document.querySelectorAll("[data-done]")) place.hidden = !solved.has(Number(place.dataset.done));
    for (const link of document.querySelectorAll("[data-next]")) link.href = `/puzzle/${nextAfter(link, solved)}`;
    for (const note of document.querySelectorAll("[data-progress]")) {
      const total = Number(note.dataset.progress);
      const done = [...solved].filter((number) => number >= 1 && number <= total).length;
      note.hidden = done === 0;
      note.textContent = `Solved in this browser: ${done} of ${total}.`;
    }
  }

  // The next one that is not solved; simply the next one where all are.
  function nextAfter(link, solved) {
    const [here, total] = [Number(link.dataset.next), Number(link.dataset.total)];
    const others = Array.from({ length: total }, (_, step) => ((here + step) % total) + 1);
    return others.find((number) => !solved.has(number)) || others[0];
  }

  function look() {
    const solved = load();
    const shown = document.querySelector("[data-solved]");
    if (shown && !solved.has(Number(shown.dataset.solved))) save(solved.add(Number(shown.dataset.solved)));
    mark(solved);
  }

  document.addEventListener("critmass:shown", look);
  document.addEventListener("critmass:read", look); // out of a file
  window.addEventListener("pageshow", look);
})();
