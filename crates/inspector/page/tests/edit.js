// What the tests of the editor share.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder, open, start, until } from "./harness.js";

let count = 0;

/** Writes a file, and opens it in `bt edit`. Returns the page, and a function that reads the file. */
export async function edit(name, text, viewport = { width: 1280, height: 800 }, prepare) {
  const path = join(folder, `${count++}-${name}`);
  writeFileSync(path, text);
  const started = await start("bt", "edit", "--no-open", path);
  const url = /http:\S+/.exec(started.url)[0];
  const page = await open(url, viewport, prepare);
  await until("the document is opened", async () => (await page.locator("#tree .row, #graph .node, #empty").count()) > 0);
  return { page, url, path, program: started.program, read: () => readFileSync(path, "utf8") };
}

/** Returns the rows of the tree: two spaces per level, the words and the label, and what is wrong. */
export const outline = (page) =>
  page.locator("#tree .row").evaluateAll((rows) =>
    rows.map((row) => {
      const text = (name) => [...row.querySelectorAll(`:scope > .${name}`)].map((one) => one.textContent).join("");
      const words = text("role") + text("name") + text("params") + (text("label") && ` ${text("label")}`) + (text("note") && ` ${text("note")}`) + text("empty").replace(/:.*/, "");
      return "  ".repeat(Number(row.getAttribute("aria-level")) - 1) + words.trim();
    }),
  );

/** Waits until the tree has these rows. */
export async function shows(page, ...rows) {
  let seen = [];
  await until(`the tree is\n${rows.join("\n")}\n`, async () => JSON.stringify((seen = await outline(page))) === JSON.stringify(rows), 15_000).catch((error) => {
    throw new Error(`${error.message}; it is\n${seen.join("\n")}`);
  });
}

/** The row of a node, by its name and arguments. */
export const rowOf = (page, text) => page.locator("#tree .row", { hasText: text }).first();

/** Types a name into the palette, and chooses what is found first. */
export async function choose(page, key, text) {
  await page.keyboard.press(key);
  await until("the palette is open", async () => (await page.locator("#palette-text").count()) === 1);
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
  await until("the palette is closed", async () => (await page.locator("#palette").count()) === 0);
}

/** Returns the text of the state of the document: saved, applied, errors. */
export const state = (page) => page.textContent("#edit-state");

export const saved = (page) => until("it is saved", async () => /(^|, )saved/.test(await state(page)));
