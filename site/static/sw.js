// Answers from the stored files of this version of the site. What was not stored yet is stored when it is first used.

const VERSION = "<!--version-->";
/** What all pages need. */
const SHELL = [/*shell*/];

addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(SHELL)).then(() => skipWaiting()));
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
  const response = await fetch(request);
  if (response.ok) await cache.put(key, response.clone());
  return response;
}
