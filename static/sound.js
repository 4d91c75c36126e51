// Sound and vibration, in step with the chain: the times are read off the animations that the style sheet plays.
(() => {
  "use strict";

  const on = (name) => document.documentElement.dataset[name] === "on";
  const Context = window.AudioContext || window.webkitAudioContext;
  const LATE = 60; // ms after which a sound is no longer in step with what is seen
  let context = null;
  let interrupted = false; // by a call, or by another app
  let playing = null; // the sounds under way share one volume, so that they can be silenced together

  function hush() {
    if (playing) playing.disconnect();
    playing = null;
    if (on("vibration") && navigator.vibrate) navigator.vibrate(0);
  }

  // --- The context ---------------------------------------------------------------------------------------------

  // Before a first tap on the page browsers keep silent, and complain.
  const allowed = () => Context && (!navigator.userActivation || navigator.userActivation.hasBeenActive);
  const lost = () => !context || context.state === "closed" || context.state === "interrupted" || interrupted;

  // Browsers begin sound only where something was tapped or pressed, so that is when it is got ready: what is heard comes
  // later. A context that was interrupted may come back with a clock that stands still, so another takes its place.
  function ready() {
    if (!on("sound") || !allowed()) return;
    if (lost()) replace();
    wake();
  }

  function replace() {
    if (context && context.state !== "closed") context.close().catch(() => {});
    context = new Context();
    playing = null;
    interrupted = false;
    context.onstatechange = ({ target }) => {
      if (target === context && target.state === "interrupted") interrupted = true;
    };
  }

  async function wake() {
    if (!context || context.state === "running" || context.state === "closed") return;
    if (context.state === "interrupted") interrupted = true;
    await context.resume().catch(() => {}); // refused as long as the call lasts
  }

  for (const gesture of ["click", "keydown"]) addEventListener(gesture, ready, true);
  for (const sign of ["touchend", "pageshow", "focus"]) addEventListener(sign, wake);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && wake());

  // --- What is heard -------------------------------------------------------------------------------------------

  // When the orb lands and when each ring goes off, in ms from now.
  function times(shown) {
    const starts = (selector, ending) =>
      [...shown.querySelectorAll(selector)].flatMap((element) =>
        element.getAnimations().map((animation) => {
          const { delay, duration } = animation.effect.getTiming();
          return delay + (ending ? duration : 0) - (animation.currentTime || 0);
        }),
      );
    return { orb: starts(".chain .d", true), rings: starts(".flash .e", false).sort((a, b) => a - b) };
  }

  function tone(at, frequency, length, volume, type) {
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    oscillator.type = type;
    oscillator.frequency.setValueAtTime(frequency, at);
    oscillator.frequency.exponentialRampToValueAtTime(frequency * 0.6, at + length);
    gain.gain.setValueAtTime(0.0001, at);
    gain.gain.exponentialRampToValueAtTime(volume, at + 0.012);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
    oscillator.connect(gain).connect(playing);
    oscillator.start(at);
    oscillator.stop(at + length);
  }

  async function sound({ orb, rings }, won) {
    if (!allowed()) return;
    if (!context || context.state === "closed") replace();
    const volume = (playing = context.createGain());
    volume.connect(context.destination);
    const asked = performance.now();
    if (context.state !== "running") await wake();
    const late = performance.now() - asked; // it may have begun with the next tap only: what was due before is left out
    if (playing !== volume || context.state !== "running") return;
    const start = context.currentTime - late / 1000;
    const due = (at) => at >= Math.max(0, late - LATE);
    for (const at of orb) if (due(at)) tone(start + at / 1000, 880, 0.07, 0.12, "sine");
    rings.forEach((at, ring) => {
      // Deeper than the orb, and rising with the chain, two octaves at the most.
      const pitch = 110 * 2 ** (Math.min(ring, 24) / 12);
      if (due(at)) tone(start + at / 1000, pitch, 0.24, 0.25, "triangle");
    });
    const end = Math.max(0, ...orb, ...rings) + 500;
    if (won && due(end)) for (const pitch of [261.6, 329.6, 392, 523.3]) tone(start + end / 1000, pitch, 1.4, 0.1, "sine");
  }

  function shake({ orb, rings }) {
    const pattern = [];
    let now = 0;
    for (const at of [...orb, ...rings].slice(0, 60)) {
      if (at < now) continue;
      pattern.push(at - now, 18);
      now = at + 18;
    }
    if (pattern.length) navigator.vibrate([0, ...pattern]);
  }

  document.addEventListener("critmass:shown", (event) => {
    hush();
    const shown = event.detail;
    if (!shown.getAnimations) return;
    const when = times(shown);
    if (on("sound")) sound(when, shown.classList.contains("won"));
    if (on("vibration") && navigator.vibrate) shake(when);
  });

  document.addEventListener("change", (event) => {
    if (event.target.id === "skip") hush();
  });

  document.addEventListener("critmass:setting", (event) => {
    const { name, value } = event.detail;
    if (value === "off" && (name === "sound" || name === "vibration")) hush();
  });

  // What is heard where sound was switched on.
  window.critmass.sample = () => on("sound") && sound({ orb: [0], rings: [] }, false);
})();
