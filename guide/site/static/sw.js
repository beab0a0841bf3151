// Answers from the stored files of this version of the site. What was not stored yet is stored when it is first used.

const VERSION = "<!--version-->";
/** What all pages need. */
const SHELL = [/*shell*/];

addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(SHELL.map((path) => new Request(path, { cache: "reload" })))).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const others = caches.keys().then((names) => Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name))));
  event.waitUntil(others.then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(registration.scope)) event.respondWith(answer(request));
});

async function answer(request) {
  const cache = await caches.open(VERSION);
  // A folder and its page are one.
  const key = request.url.replace(/[?#].*/, "").replace(/\/$/, "/index.html");
  const stored = await cache.match(key);
  if (stored) return stored;
  try {
    // The browser may still have the file of another version.
    const response = await fetch(key, { cache: "no-cache" });
    if (response.ok) await cache.put(key, response.clone());
    return response;
  } catch (error) {
    if (request.mode !== "navigate") throw error;
    const text = "<!doctype html><meta charset=utf-8><title>Offline</title><p>There is no network, and this page was not opened before. <a href=javascript:history.back()>Back</a>";
    return new Response(text, { status: 503, headers: { "content-type": "text/html" } });
  }
}
