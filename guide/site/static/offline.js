// Stores the site in the browser, so that it works without a network.

const worker = navigator.serviceWorker;
if (worker) {
  // What was loaded before the service worker answers is loaded once more, so that it is stored, too.
  if (!worker.controller) {
    worker.addEventListener("controllerchange", () => {
      const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
      for (const url of new Set([location.href, ...loaded])) if (url.startsWith(location.origin)) fetch(url).catch(() => {});
    }, { once: true });
  }
  worker.register(new URL("sw.js", import.meta.url));
}
