// Sound and vibration, in step with the chain: the times are read off the animations that the style sheet plays.
(() => {
  "use strict";

  const on = (name) => document.documentElement.dataset[name] === "on";
  let context = null;
  let playing = null; // the sounds under way share one volume, so that they can be silenced together

  function hush() {
    if (playing) playing.disconnect();
    playing = null;
    if (on("vibration") && navigator.vibrate) navigator.vibrate(0);
  }

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

  function sound({ orb, rings }, won) {
    const Context = window.AudioContext || window.webkitAudioContext;
    // Before a first tap on the page browsers keep silent, and complain.
    if (!Context || (navigator.userActivation && !navigator.userActivation.hasBeenActive)) return;
    context = context || new Context();
    if (context.state === "suspended") context.resume().catch(() => {});
    playing = context.createGain();
    playing.connect(context.destination);
    const start = context.currentTime;
    for (const at of orb) if (at >= 0) tone(start + at / 1000, 880, 0.07, 0.12, "sine");
    rings.forEach((at, ring) => {
      // Deeper than the orb, and rising with the chain, two octaves at the most.
      const pitch = 110 * 2 ** (Math.min(ring, 24) / 12);
      if (at >= 0) tone(start + at / 1000, pitch, 0.24, 0.25, "triangle");
    });
    if (won) {
      const end = start + Math.max(0, ...orb, ...rings) / 1000 + 0.5;
      for (const pitch of [261.6, 329.6, 392, 523.3]) tone(end, pitch, 1.4, 0.1, "sine");
    }
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
    if (name === "sound" && value === "on") sound({ orb: [0], rings: [] }, false);
  });
})();
