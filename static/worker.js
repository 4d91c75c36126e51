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
const MATCH = new RegExp(`^/(?:${GAMES})/[0-9a-z]*$`);
const PICTURE = new RegExp(`^/(?:${GAMES})/[0-9a-z]*\\.svg$`);
const LOOSE = { ignoreVary: true };
const EMPTY = SHELL[SHELL.length - 1];
const OFFLINE = "/offline";

const open = (kind) => caches.open(NAMES[kind]);

// --- Whose answer it is ----------------------------------------------------------------------------------------

// Between here and the site may be a proxy whose server is gone, or a network that wants a login first. Their answers
// lack the app's mark, whatever their status; and an app that has failed has nothing better to show than what is kept.
// A redirection shows no mark: of what is kept here, the app sends nothing on.
const isOurs = (answer) => answer.headers.has(MARK) && answer.status < 500;
const current = (answer) => answer.status === 200 && !answer.redirected && answer.headers.get(MARK) === VERSION;
const isFile = (answer) => answer.ok && !/html/.test(answer.headers.get("Content-Type"));
const isAway = (answer) => answer.status >= 500 && !answer.headers.has(MARK);

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
  for (const path of FILES) {
    const answer = await fetch(path);
    if (!isFile(answer)) throw new Error(`${path} is not to be had`);
    await shell.put(path, answer);
  }
}

self.addEventListener("activate", (event) => event.waitUntil(clean()));

async function clean() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("critmass-") && !Object.values(NAMES).includes(name));
  await Promise.all(old.map((name) => caches.delete(name)));
}

// --- Addresses -------------------------------------------------------------------------------------------------

const STUCK_TO_LINK = new RegExp(`[${[...STUCK].map((kind) => `\\p{${kind}}`).join("")}]+$`, "u");
const STUCK_TO_NAMES = /[\p{P}\p{Z}\p{C}$+<=>^`|~]+$/u;

const lower = (text) => text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());

function unescaped(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // no text: the server will say so
  }
}

// An address as the server reads it, which undoes what people and programs do to links: its path, the first of each
// option that is known, and whether it was `clean` already.
function read(url) {
  const given = unescaped(url.pathname);
  const address = { path: pathOf(given), options: new Map() };
  address.clean = address.path === given;
  for (const pair of url.search.slice(1).replaceAll("+", " ").split("&")) {
    const [name, ...rest] = pair.split("=");
    const [known, value] = [lower(unescaped(name)), rest.join("=")];
    if (!OPTIONS.includes(known) || address.options.has(known)) continue;
    const read = known === "names" ? namesOf(value) : optionOf(value);
    address.options.set(known, read.written);
    if (unescaped(name) !== known || !read.clean) address.clean = false;
  }
  return address;
}

function pathOf(given) {
  const path = lower(given).replace(STUCK_TO_LINK, "");
  if (Object.hasOwn(BEGUN, path)) return BEGUN[path];
  return MATCH.test(`${path}/`) ? `${path}/` : path || "/";
}

function optionOf(value) {
  const given = unescaped(value);
  const meant = lower(given.replace(STUCK_TO_LINK, ""));
  return { written: escaped(meant).replaceAll("%2C", ","), clean: given === meant };
}

// What is escaped at the end of names is part of one, and so is what no script uses for punctuation. Commas that are not
// escaped separate them; where there is none, those that are.
function namesOf(value) {
  const given = value.includes(",") ? value : value.replace(/%2c/gi, ",");
  const names = given.split(",").map(unescaped);
  const stuck = STUCK_TO_NAMES.exec(unescaped(given.replace(/%[0-7][0-9a-f]/gi, "x")));
  for (let left = stuck ? [...stuck[0]].length : 0; left; left--) {
    const name = [...names.pop()];
    if (name.length) names.push(name.slice(0, -1).join(""));
  }
  return { written: names.map(escaped).join(","), clean: !stuck };
}

// As the app writes names: no sign in a link that could be lost on its way.
function escaped(value) {
  const sign = (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(value).replace(/[^\w%]|_/g, sign);
}

function urlOf({ path, options }, names) {
  const query = names.filter((name) => options.has(name)).map((name) => `${name}=${options.get(name)}`);
  return path + (query.length ? `?${query.join("&")}` : "");
}

// Where the server sends an address on that is not clean.
const cleanUrl = (address) => urlOf(address, [...address.options.keys()]);

// What an address is kept under: without the options that change nothing, the others in one order and one spelling.
const keyOf = (address, names = SHOWN) => urlOf(address, names);

// --- Requests --------------------------------------------------------------------------------------------------

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || request.headers.has("range")) return;
  if (url.pathname.startsWith("/static/")) {
    event.respondWith(file(request, url));
    return;
  }
  const address = read(url);
  const { path, options } = address;
  const navigating = request.mode === "navigate";
  if (options.has("embed")) return;
  if (PICTURE.test(path) && !navigating) answer(event, address, picture, keepPicture);
  else if (MATCH.test(path)) {
    const asked = request.headers.has("HX-Request");
    if (options.has("part") && !asked && !navigating) return;
    answer(event, address, options.has("part") && asked ? asPart : asPage, keepMatch);
  } else if (SHELL.includes(path) && navigating) answer(event, address, page, keepPage);
  else if (navigating) event.respondWith(fetch(request).catch(offline));
});

// The app's own answer, which is kept; what is kept, if there is none, or none in time; else whatever there is.
function answer(event, address, kept, keep) {
  const network = fetch(event.request);
  const navigating = event.request.mode === "navigate";
  event.waitUntil(network.then((got) => (current(got) ? keep(address, got.clone()) : undefined)).catch(() => {}));
  event.respondWith(first(network, address, kept, navigating));
}

async function first(network, address, kept, navigating) {
  const quick = await inTime(network);
  if (quick && isOurs(quick)) return quick;
  const found = await kept(address);
  if (found) return address.clean || !navigating ? found : Response.redirect(cleanUrl(address), 308);
  const got = await network.catch(() => undefined);
  if (got && !(navigating && isAway(got))) return got;
  return navigating ? offline() : Response.error();
}

// The network's answer if it comes soon, all of it; one that stops halfway is none.
async function inTime(network) {
  const late = new Promise((done) => setTimeout(done, PATIENCE));
  const whole = network.then(async (got) => {
    await got.clone().blob();
    return got;
  });
  return Promise.race([whole, late]).catch(() => undefined);
}

async function offline() {
  return (await (await open("shell")).match(OFFLINE, LOOSE)) || Response.error();
}

async function file(request, url) {
  const shell = await open("shell");
  const found = await shell.match(url.pathname, LOOSE);
  if (found) return found;
  const network = fetch(request);
  const quick = await inTime(network);
  if (quick && isFile(quick)) return quick;
  // A page of another version is shown with the files there are, as the server does it.
  const name = url.pathname.slice(url.pathname.lastIndexOf("/"));
  const instead = FILES.find((path) => path.endsWith(name));
  return (instead && (await shell.match(instead, LOOSE))) || network.catch(() => Response.error());
}

async function page({ path }) {
  return (await open("shell")).match(path, LOOSE);
}

async function keepPage({ path }, got) {
  await (await open("shell")).put(path, got);
}

// --- Pictures --------------------------------------------------------------------------------------------------

const pictureKey = (address) => keyOf(address, [...SHOWN, "scheme"]);

async function picture(address) {
  return (await open("pictures")).match(pictureKey(address), LOOSE);
}

async function keepPicture(address, got) {
  const pictures = await open("pictures");
  await pictures.put(pictureKey(address), got);
  await trim("pictures", pictures);
}

// --- Matches ---------------------------------------------------------------------------------------------------

const isStep = (key) => /[?&](?:at|ring|play)=/.test(key);

async function keepMatch(address, got) {
  const key = keyOf(address);
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
async function part(address) {
  const find = async (key) => {
    const found = await (await open(isStep(key) ? "steps" : "opened")).match(key, LOOSE);
    if (!found && key === EMPTY) return cut(await (await page({ path: EMPTY })).text());
    return found && found.text();
  };
  const key = keyOf(address);
  const text = await find(key);
  const still = keyOf(address, SHOWN.filter((name) => name !== "play"));
  if (text || still === key) return text;
  const shown = await find(still);
  return shown && shown.replace('<article id="match"', '<article id="match" data-playing');
}

async function asPart(address) {
  const text = await part(address);
  if (!text) return undefined;
  const where = /data-page="([^"]*)"/.exec(text);
  const headers = { "Content-Type": "text/html; charset=utf-8" };
  const pushed = address.options.has("play") ? "HX-Replace-Url" : "HX-Push-Url";
  if (where) headers[pushed] = where[1].replaceAll("&amp;", "&");
  return new Response(text, { headers });
}

async function asPage(address) {
  const [text, empty] = [await part(address), await page({ path: EMPTY })];
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
  const address = read(url);
  if (url.origin !== location.origin || !MATCH.test(address.path)) return false;
  const key = keyOf(address);
  if (await (await open(isStep(key) ? "steps" : "opened")).match(key, LOOSE)) return false;
  const wanted = path + (path.includes("?") ? "&" : "?") + "part=1";
  let got = await fetch(wanted, { headers: { "HX-Request": "true" } });
  if (got.status === 200 && !current(got)) got = await fetch(wanted, { headers: { "HX-Request": "true" }, cache: "no-cache" });
  if (current(got)) await keepMatch(address, got);
  return true;
}

async function fetchPicture(path) {
  const url = new URL(path, location.origin);
  const address = read(url);
  if (url.origin !== location.origin || !PICTURE.test(address.path) || (await picture(address))) return;
  const got = await fetch(url);
  if (current(got)) await keepPicture(address, got);
}
