// Stores the site in the browser, so that it works without a network.

if ("serviceWorker" in navigator) navigator.serviceWorker.register(new URL("sw.js", import.meta.url));
