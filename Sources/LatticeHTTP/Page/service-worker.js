// Lets the page open without its node: with the files of the page, and with what was seen last.
//
// The node is asked first; what is kept here is given where it does not answer. Nothing is written from here.

const FILES = "files ";
/// What the node told one person. `offline.js` removes it when somebody else comes.
const SEEN = "seen";
/// A node that is there has answered within this.
const PATIENCE_MS = 3_000;
const SEEN_MAX = 300;
const SEEN_BYTES_MAX = 1 << 20;
const TABS_MAX = 50;

/// How often what was seen was forgotten: an answer that was asked for before is not kept any more.
let forgotten = 0;

/// Tabs whose page came from here: its files do, too, so that none of another version stands beside them.
const keptTabs = new Set();

self.addEventListener("install", (event) => {
  event.waitUntil(keepFiles());
  self.skipWaiting();
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("message", ({ data }) => {
  if (data?.forget) forgotten += 1;
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (url.pathname === "/") event.respondWith(pageOf(event));
  else if (url.pathname.startsWith("/page/")) event.respondWith(fileOf(event, url.pathname));
  else if (isSeen(url.pathname)) event.respondWith(answerOf(event));
});

/// All files of one version, also those of views that were not opened yet; then the older version goes.
async function keepFiles() {
  const { version, files } = await (await fetch("/page/files.json", { cache: "no-cache" })).json();
  const name = FILES + version;
  if (await caches.has(name)) return;
  const filling = `${name} filling`;
  const cache = await caches.open(filling);
  await cache.addAll(["/", ...files]);
  const whole = await caches.open(name);
  for (const request of await cache.keys()) await whole.put(request, await cache.match(request));
  for (const other of await caches.keys()) if (other.startsWith(FILES) && other !== name) await caches.delete(other);
}

async function kept(path) {
  const name = (await caches.keys()).find((one) => one.startsWith(FILES) && !one.endsWith(" filling"));
  return name && (await caches.open(name)).match(path);
}

async function pageOf(event) {
  const asked = fetch(event.request);
  event.waitUntil(asked.then((response) => (response.ok ? keepFiles() : undefined)).catch(() => {}));
  const page = await kept("/");
  if (!page) return asked;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, page));
  const given = await Promise.race([asked.catch(() => page), late]);
  if (given === page) {
    if (keptTabs.size >= TABS_MAX) keptTabs.clear();
    keptTabs.add(event.resultingClientId);
  }
  return given;
}

async function fileOf(event, path) {
  if (keptTabs.has(event.clientId)) {
    const file = await kept(path);
    if (file) return file;
  }
  try {
    return await fetch(event.request);
  } catch (error) {
    const file = await kept(path);
    if (file) return file;
    throw error;
  }
}

/// Lists, people, lines and items; no stream, no file or photo, no secret, and no question about a name.
const isSeen = (path) =>
  /^\/v1\/(me|visit|rooms|conversations|people|posts|events|items|timeline|notifications|unread|marks|pins|places|urgent|here)(\/|$)/.test(path)
  && !/\/(files|original|photo|thumbnail|key|name|switches)$/.test(path);

async function answerOf(event) {
  const asked = fetch(event.request);
  const before = forgotten;
  event.waitUntil(asked.then((response) => keepAnswer(event.request.url, response.clone(), () => before === forgotten)).catch(() => {}));
  const seen = await (await caches.open(SEEN)).match(event.request.url);
  if (!seen) return asked;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, seen));
  return Promise.race([asked.catch(() => seen), late]);
}

async function keepAnswer(key, response, isCurrent) {
  // Somebody else is at this browser, or nobody.
  if (response.status === 401) await caches.delete(SEEN);
  const type = response.headers.get("content-type") ?? "";
  if (response.status !== 200 || !type.includes("json") || response.headers.get("cache-control") === "no-store") return;
  const bytes = await response.arrayBuffer();
  if (bytes.byteLength > SEEN_BYTES_MAX) return;
  const cache = await caches.open(SEEN);
  if (!isCurrent()) return;
  await cache.put(key, new Response(bytes, { headers: { "content-type": type } }));
  const keys = await cache.keys();
  for (const old of keys.slice(0, Math.max(0, keys.length - SEEN_MAX))) await cache.delete(old);
}

/// A notification leads to what it is about.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data?.hash ?? ""));
});

async function show(hash) {
  const [page] = await self.clients.matchAll({ type: "window" });
  if (!page) {
    await self.clients.openWindow(`/${hash}`);
    return;
  }
  await page.focus();
  page.postMessage({ go: hash });
}
