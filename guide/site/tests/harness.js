// What the tests of the site share: a server of its files, and how to look at an example. The rest is that of the tests of the inspector's page.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before } from "node:test";
import { gzipSync } from "node:zlib";
import { browser, root, until, visitIn } from "../../../crates/inspector/page/tests/harness.js";

export * from "../../../crates/inspector/page/tests/harness.js";

export const dist = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "site/dist");
const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".json": "application/json", ".png": "image/png", ".woff2": "font/woff2" };

/** A server of the site in a folder, as hosts of static files have it. */
export class Site {
  /** The bytes that were sent, compressed. */
  sent = 0;
  #server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://host").pathname);
    try {
      if (!path.startsWith("/site/")) throw new Error("another folder");
      const file = gzipSync(readFileSync(join(dist, path.slice(6), path.endsWith("/") ? "index.html" : "")));
      this.sent += file.length;
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/html", "content-encoding": "gzip" }).end(file);
    } catch {
      response.writeHead(404).end();
    }
  });

  async start() {
    await new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${this.#server.address().port}/site/`;
  }

  stop() {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** Starts a server before the tests. */
export function startSite() {
  const site = new Site();
  before(() => site.start());
  after(() => site.stop());
  return site;
}

/** Opens a page with a context of its own. */
export async function visit(url, options = { viewport: { width: 1280, height: 720 } }, prepare = async () => {}) {
  const context = await browser.newContext(options);
  return visitIn(await context.newPage(), url, prepare);
}

/** Returns the inspector's page beside an example, as soon as it shows ticks. */
export async function inspector(page) {
  let frame;
  await until("the inspector is loaded", () => (frame = page.frames().find((frame) => frame.url().includes("/inspector/"))));
  await until("it shows ticks", async () => /^tick \d/.test((await frame.locator("#tick").textContent().catch(() => "")) ?? ""));
  return frame;
}

/** Returns the scene of an example as text: empty until the example is loaded. */
export const scene = (page) =>
  page.evaluate(async () => {
    if (!document.querySelector("canvas")?.dataset.cellWidth) return "";
    const example = await import(new URL("example.js", location.href));
    return [...example.draw(80, 30)].filter((_, index) => index % 3 === 0).map((letter) => String.fromCodePoint(letter)).join("");
  });

/** Returns where a cell of the scene is drawn on the canvas. */
export const cell = (page, column, row) =>
  page.evaluate(([column, row]) => {
    const { cellWidth, cellHeight } = document.querySelector("canvas").dataset;
    return { x: (column + 0.5) * Number(cellWidth), y: (row + 0.5) * Number(cellHeight) };
  }, [column, row]);
