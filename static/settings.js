// The viewer's own settings, kept in this browser. This file runs before the page is drawn, so that nothing
// flashes in the wrong skin or scheme; the style sheet reads them off the root element.
(() => {
  "use strict";

  // The first of each is the default.
  const CHOICES = {
    skin: ["orbs", "faces", "numbers"],
    speed: ["normal", "slow", "fast", "off"],
    coordinates: ["on", "off"],
    scheme: ["system", "light", "dark"],
    sound: ["off", "on"],
    vibration: ["off", "on"],
    confirm: ["off", "on"],
    keys: ["on", "off"],
  };
  const KEY = "critmass.settings";
  const root = document.documentElement;

  // Storage may be full, forbidden, or hold what somebody else wrote: then the defaults do, and a change lasts
  // as long as the page.
  function kept() {
    try {
      return Object(JSON.parse(localStorage.getItem(KEY)));
    } catch {
      return {};
    }
  }

  function apply() {
    const settings = kept();
    for (const [name, values] of Object.entries(CHOICES)) {
      root.dataset[name] = values.includes(settings[name]) ? settings[name] : values[0];
    }
  }

  // What was chosen otherwise than it comes.
  const chosen = () => Object.fromEntries(Object.keys(CHOICES).map((key) => [key, root.dataset[key]]).filter(([key, value]) => value !== CHOICES[key][0]));

  function set(name, value) {
    if (!CHOICES[name] || !CHOICES[name].includes(value)) return;
    root.dataset[name] = value;
    try {
      localStorage.setItem(KEY, JSON.stringify(chosen()));
    } catch {
      document.dispatchEvent(new CustomEvent("critmass:unkept")); // but in force on this page
    }
    document.dispatchEvent(new CustomEvent("critmass:setting", { detail: { name, value } }));
  }

  // Takes over what somebody chose in another browser, where nothing was chosen in this one; returns how many that were.
  function adopt(others) {
    const own = chosen();
    const taken = Object.entries(Object(others)).filter(([name, value]) => !own[name] && CHOICES[name] && CHOICES[name].indexOf(value) > 0);
    for (const [name, value] of taken) set(name, value);
    return taken.length;
  }

  // A frame in somebody else's page is as that page asks for it.
  if ("embed" in root.dataset) return;

  apply();
  window.critmass = { settings: { chosen, adopt } };
  window.addEventListener("storage", (event) => {
    if (event.key === KEY || event.key === null) apply();
  });

  // What could not be kept, settings or matches, is told where it says that they are.
  document.addEventListener("critmass:unkept", () => {
    const said = document.querySelector("[data-kept]");
    const text = "Not all of it can be kept: this browser has no room left, or a private window keeps nothing.";
    if (said.textContent !== text) window.critmass.say(said, text);
  });
  document.addEventListener("DOMContentLoaded", () => {
    const panel = document.getElementById("settings");
    if (!panel) return;
    panel.hidden = false;
    const show = () => {
      for (const input of panel.querySelectorAll("input")) input.checked = root.dataset[input.name] === input.value;
    };
    show();
    panel.addEventListener("toggle", show);
    panel.addEventListener("change", (event) => set(event.target.name, event.target.value));
    if (!("vibrate" in navigator)) panel.querySelector('[data-setting="vibration"]').hidden = true;
    document.addEventListener("click", (event) => {
      if (panel.open && !panel.contains(event.target)) panel.open = false;
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && panel.open) {
        panel.open = false;
        panel.querySelector("summary").focus();
      }
    });
  });
})();
