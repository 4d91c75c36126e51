// What several scripts of a page share, and what loads those that few visits need.
(() => {
  "use strict";

  const PAUSE = 100; // ms for which a region is empty before it is told the same again
  const due = new Map(); // the regions that are empty just now, and what is going to fill them
  const loading = {}; // scripts by name, each a promise
  const { dataset } = document.documentElement;
  let asked = false;

  const critmass = Object.assign((window.critmass = window.critmass || {}), {
    // Loads a script that only some need; the settings panel, which all pages have, says where it is.
    load(name) {
      return (loading[name] = loading[name] || new Promise((done, failed) => {
        const script = document.createElement("script");
        script.src = document.getElementById("settings").dataset[name];
        script.onload = done;
        script.onerror = failed;
        document.head.append(script);
      }).catch((error) => {
        delete loading[name];
        throw error;
      }));
    },

    // Tells a live region something: a text, and maybe elements after it. What is in the region already would be passed
    // over in silence, so that is taken away first, for long enough to be noticed.
    say(region, ...parts) {
      const told = document.createElement("p");
      told.append(...parts.filter(Boolean));
      const tell = () => {
        due.delete(region);
        region.replaceChildren(...told.childNodes);
      };
      const again = due.has(region) || region.textContent === told.textContent;
      clearTimeout(due.get(region));
      if (!again || !told.textContent) return tell();
      region.replaceChildren();
      due.set(region, setTimeout(tell, PAUSE));
    },

    // Asks the browser not to clear what it keeps for this site, once there is something to lose. Firefox passes the
    // question on to the person, so it is asked only where the person does something about it.
    async persist(byHand) {
      if (asked || (!byHand && "mozInnerScreenX" in window)) return;
      asked = true;
      try {
        if (!(await navigator.storage.persisted())) await navigator.storage.persist();
      } catch {
        // No secure context, or a browser that knows nothing of it.
      }
    },

    // Hands a file over to be saved.
    handOver(blob, name) {
      const file = document.createElement("a");
      file.href = URL.createObjectURL(blob);
      file.download = name;
      file.click();
      setTimeout(() => URL.revokeObjectURL(file.href), 60000);
    },
  });

  // Sound and vibration are off for most.
  function listen({ detail }) {
    if (dataset.sound !== "on" && dataset.vibration !== "on") return;
    critmass.load("sound").then(() => detail.name === "sound" && critmass.sample(), () => {});
  }

  document.addEventListener("critmass:shown", listen);
  document.addEventListener("critmass:setting", listen);
})();
