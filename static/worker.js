// The worker: it keeps the pages around the matches, the static files, and the matches that were opened, so that they
// replay without a network. What comes before these lines are the constants that it is served with.
//
// A match is kept as its part, under its address without `part`: title and match area. A page is the part put into the
// page of an empty match, so one answer serves for both. All of it is of one version of the program, and goes with it.
"use strict";

const NAMES = { shell: `critmass-shell-${VERSION}`, opened: `critmass-opened-${VERSION}`, steps: `critmass-steps-${VERSION}`, pictures: `critmass-pictures-${VERSION}` };
const MOST = { opened: 60, steps: 480, pictures: 120 };
const PATIENCE = 4000; // ms that the network has before what is kept is shown
const PACE = 120; // ms between the steps of a match that are fetched ahead
const MATCH = /^\/(?:m|codingame|classic\/\d+x\d+\/\d)\/[0-9a-z]*$/;
const PICTURE = /^\/(?:m|codingame|classic\/\d+x\d+\/\d)\/[0-9a-z]*\.svg$/;
const KNOWN = ["at", "colours", "names", "computer", "ring", "play"];
const LOOSE = { ignoreVary: true };
const EMPTY = SHELL[SHELL.length - 1];
const OFFLINE = "/offline";

const open = (kind) => caches.open(NAMES[kind]);
const current = (answer) => answer.status === 200 && !answer.redirected && answer.headers.get(MARK) === VERSION;

// --- Coming and going ------------------------------------------------------------------------------------------

self.addEventListener("install", (event) => {
  event.waitUntil(install());
  self.skipWaiting();
});

async function install() {
  const shell = await open("shell");
  for (const path of SHELL) {
    const answer = await fetch(path, { cache: "no-cache" });
    if (!current(answer)) throw new Error(`${path} is not of this version`);
    await shell.put(path, answer);
  }
  await shell.addAll(FILES);
}

self.addEventListener("activate", (event) => event.waitUntil(clean()));

async function clean() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("critmass-") && !Object.values(NAMES).includes(name));
  await Promise.all(old.map((name) => caches.delete(name)));
}

// --- Requests --------------------------------------------------------------------------------------------------

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || request.headers.has("range")) return;
  const options = optionsOf(url).map(nameOf);
  if (options.includes("embed")) return;
  if (url.pathname.startsWith("/static/")) event.respondWith(file(request, url));
  else if (PICTURE.test(url.pathname) && request.mode !== "navigate") answer(event, () => picture(url), keepPicture);
  else if (MATCH.test(url.pathname)) {
    const part = options.includes("part");
    const asked = request.headers.has("HX-Request");
    if (part && !asked && request.mode !== "navigate") return;
    if (part && asked) answer(event, () => asPart(url), keepMatch);
    else answer(event, () => asPage(url), keepMatch);
  } else if (SHELL.includes(url.pathname) && request.mode === "navigate") answer(event, () => page(url), keepPage);
  else if (request.mode === "navigate") answer(event, () => undefined, () => undefined);
});

// The network's answer, which is kept; what is kept, if the network takes too long or is not there; or neither.
function answer(event, kept, keep) {
  const network = fetch(event.request);
  event.waitUntil(network.then((got) => (current(got) ? keep(new URL(event.request.url), got.clone()) : undefined)).catch(() => {}));
  event.respondWith(first(network, kept, event.request.mode === "navigate"));
}

async function first(network, kept, navigating) {
  const late = new Promise((done) => setTimeout(done, PATIENCE));
  const quick = await Promise.race([network, late]).catch(() => undefined);
  const found = quick || (await kept());
  if (found) return found;
  try {
    return await network;
  } catch {
    return (navigating && (await (await open("shell")).match(OFFLINE, LOOSE))) || Response.error();
  }
}

async function file(request, url) {
  const shell = await open("shell");
  const found = await shell.match(url.pathname, LOOSE);
  if (found) return found;
  try {
    return await fetch(request);
  } catch {
    // A page of another version is shown with the files there are, as the server does it.
    const name = url.pathname.slice(url.pathname.lastIndexOf("/"));
    const instead = FILES.find((path) => path.endsWith(name));
    return (instead && (await shell.match(instead, LOOSE))) || Response.error();
  }
}

async function page(url) {
  return (await open("shell")).match(url.pathname, LOOSE);
}

async function keepPage(url, got) {
  await (await open("shell")).put(url.pathname, got);
}

// --- Pictures --------------------------------------------------------------------------------------------------

const optionsOf = (url) => url.search.slice(1).split("&").filter(Boolean);
const nameOf = (pair) => pair.split("=")[0];

// The address without the options that the server would ignore.
function keyOf(url, known = KNOWN, but = "") {
  const kept = optionsOf(url).filter((pair) => known.includes(nameOf(pair)) && nameOf(pair) !== but);
  return url.pathname + (kept.length ? `?${kept.join("&")}` : "");
}

const pictureKey = (url) => keyOf(url, [...KNOWN, "scheme"]);

async function picture(url) {
  return (await open("pictures")).match(pictureKey(url), LOOSE);
}

async function keepPicture(url, got) {
  const pictures = await open("pictures");
  await pictures.put(pictureKey(url), got);
  await trim("pictures", pictures);
}

// --- Matches ---------------------------------------------------------------------------------------------------

const isStep = (key) => /[?&](?:at|ring|play)=/.test(key);

async function keepMatch(url, got) {
  const key = keyOf(url);
  const kind = isStep(key) ? "steps" : "opened";
  const cache = await open(kind);
  const text = await got.text();
  const part = /^\s*<!doctype/i.test(text) ? cut(text) : text;
  if (!part.startsWith("<title>")) return;
  await cache.delete(key, LOOSE); // so that it is the newest again
  await cache.put(key, new Response(part, { headers: { "Content-Type": "text/html; charset=utf-8" } }));
  await trim(kind, cache);
}

async function trim(kind, cache) {
  const keys = await cache.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - MOST[kind]))) await cache.delete(key, LOOSE);
}

// The part in a page: its title, and all of its main element.
function cut(text) {
  const title = text.slice(text.indexOf("<title>"), text.indexOf("</title>") + 8);
  const main = text.indexOf(">", text.indexOf("<main ")) + 1;
  return `${title}\n${text.slice(main, text.lastIndexOf("</main>")).trim()}\n`;
}

// The text kept for an address. A replay that goes on by itself shows the same as one that does not.
async function part(url) {
  const find = async (key) => {
    const found = await (await open(isStep(key) ? "steps" : "opened")).match(key, LOOSE);
    return found && found.text();
  };
  const key = keyOf(url);
  const text = await find(key);
  const still = keyOf(url, KNOWN, "play");
  if (text || still === key) return text;
  const shown = await find(still);
  return shown && shown.replace('<article id="match"', '<article id="match" data-playing');
}

async function asPart(url) {
  const text = await part(url);
  if (!text) return undefined;
  const where = /data-page="([^"]*)"/.exec(text);
  const headers = { "Content-Type": "text/html; charset=utf-8" };
  const pushed = optionsOf(url).some((pair) => nameOf(pair) === "play") ? "HX-Replace-Url" : "HX-Push-Url";
  if (where) headers[pushed] = where[1].replaceAll("&amp;", "&");
  return new Response(text, { headers });
}

async function asPage(url) {
  const [text, empty] = [await part(url), await (await open("shell")).match(EMPTY, LOOSE)];
  if (!text || !empty) return undefined;
  const around = await empty.text();
  const title = text.slice(0, text.indexOf("</title>") + 8);
  const main = text.slice(title.length);
  const headers = new Headers(empty.headers);
  for (const name of ["Content-Encoding", "Content-Length", "ETag"]) headers.delete(name);
  const whole = around
    .replace(/<title>[^]*?<\/title>/, () => title)
    .replace(/<link rel="canonical"[^>]*>/, "")
    .replace(/(<main [^>]*>)[^]*(<\/main>)/, (_, before, after) => `${before}${main}${after}`);
  return new Response(whole, { headers });
}

// --- Fetching ahead --------------------------------------------------------------------------------------------

// A page that is at rest asks for what it shows to be kept, and for the steps of its match, one after another. A page
// that shows something else asks anew, and so ends the fetching of before.
let asked = 0;

self.addEventListener("message", (event) => {
  const { page: shown, steps = [], picture: small } = event.data || {};
  asked += 1;
  if (typeof shown === "string") event.waitUntil(fetchAhead(asked, shown, steps, small));
});

async function fetchAhead(turn, shown, steps, small) {
  try {
    await fetchPart(shown);
    if (small) await fetchPicture(small);
    for (const step of steps) {
      if (turn !== asked) return;
      if (await fetchPart(step)) await new Promise((done) => setTimeout(done, PACE));
    }
  } catch {
    // Without a network there is nothing to be had.
  }
}

async function fetchPart(path) {
  const url = new URL(path, location.origin);
  if (url.origin !== location.origin || !MATCH.test(url.pathname)) return false;
  const key = keyOf(url);
  if (await (await open(isStep(key) ? "steps" : "opened")).match(key, LOOSE)) return false;
  const address = key + (key.includes("?") ? "&" : "?") + "part=1";
  let got = await fetch(address, { headers: { "HX-Request": "true" } });
  if (got.status === 200 && !current(got)) got = await fetch(address, { headers: { "HX-Request": "true" }, cache: "no-cache" });
  if (current(got)) await keepMatch(url, got);
  return true;
}

async function fetchPicture(path) {
  const url = new URL(path, location.origin);
  if (url.origin !== location.origin || !PICTURE.test(url.pathname) || (await picture(url))) return;
  const got = await fetch(url);
  if (current(got)) await keepPicture(url, got);
}
