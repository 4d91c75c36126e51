// What an analysis needs besides what every page has: it fills by itself, and shows where one is in it.
(() => {
  "use strict";

  // Batch after batch is asked for, the last plies first, as long as the page is open. A batch that finds the computer
  // busy comes back as the place that waits for it, with the seconds to wait.
  async function study() {
    const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));
    for (let awaited; (awaited = [...document.querySelectorAll("[data-awaited]")].pop()); ) {
      await pause(awaited.dataset.delay);
      const options = { source: awaited, target: awaited, swap: "outerHTML" };
      await htmx.ajax("GET", awaited.dataset.awaited, options).catch(() => {});
      if (awaited.isConnected) await pause(5); // there was no answer
    }
  }

  let marked = null; // the step that was told

  // A step swaps the board alone: where it is in the graph and in the move list is marked here, and told.
  function markPly() {
    const shown = document.getElementById("shown");
    if (!shown) return;
    for (const place of document.querySelectorAll("[data-ply]")) {
      if (place.dataset.ply === shown.dataset.at) place.setAttribute("aria-current", "true");
      else place.removeAttribute("aria-current");
    }
    if (shown !== marked) window.critmass.say(document.getElementById("said"), shown.dataset.said);
    marked = shown;
  }

  document.addEventListener("htmx:after:swap", markPly, true); // before the list scrolls to the mark
  markPly();
  study();
})();
