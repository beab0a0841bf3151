// What the tests of the page share: a browser, programs, and how to find things in the page.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { build } from "esbuild";
import { chromium } from "playwright-core";

export const root = new URL("../../../../", import.meta.url).pathname;
export const built = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug");
/** A folder for the files of this test. */
export const folder = mkdtempSync(join(tmpdir(), "bt-inspector-"));

export let browser;
const programs = [];

/** Starts Chromium, with or without a graphics card. */
export function launch(graphics = ["--disable-gpu"]) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", ...graphics, "--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

before(async () => {
  browser = await launch();
});

after(async () => {
  await browser?.close();
  for (const program of programs) program.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a program. Resolves to the URL that it prints, the process, and a function that returns its error output. */
export function start(path, ...args) {
  const program = spawn(join(built, path), args, { stdio: ["ignore", "pipe", "pipe"] });
  programs.push(program);
  let errors = "";
  program.stderr.on("data", (text) => (errors += text));
  return new Promise((resolve, reject) => {
    program.stdout.once("data", (text) => resolve({ url: String(text).trim(), program, errors: () => errors }));
    program.once("exit", (code) => reject(new Error(`${path} exited with ${code}: ${errors}`)));
  });
}

/** Starts a program of 501 agents before the tests, and returns its URL later. */
export function startCrowd(...args) {
  const crowd = {};
  before(async () => Object.assign(crowd, await start("examples/crowd", ...args)));
  return crowd;
}

/** Records 200 ticks of a guard, and returns the path of the file. */
export async function record() {
  const path = join(folder, "guard.jsonl");
  const lines = () => (statSync(path, { throwIfNoEntry: false })?.size > 0 ? readFileSync(path, "utf8").split("\n") : []);
  if (!lines().length) await start("examples/crowd", "--soldiers", "1", "--fast", "--record", path);
  await until("the recording is written", () => lines().length > 202 && lines().at(-1) === "");
  return path;
}

/** A recording of a tree that is replaced, written by the test `a_recording_of_today_and_one_of_the_first_format_are_read`. */
export const replaced = join(root, "tests/behaviour/recorded/version_2.jsonl");

/** Returns a node of a description. */
export const describe = (id, parent, name, more = {}) => ({ id, parent, role: "Child", kind: "Action", name, label: null, params: [], location: null, returns: "Success | Failure | Running", transitions: [], file: null, ...more });

/** Writes a recording of a tree, and starts an inspector that shows it. Each line is a name, a tick or a value of an agent. */
export async function showRecording(tree, nodes, lines) {
  const path = join(folder, `${tree.replace(/\W/g, "-")}.jsonl`);
  const header = { format: "bt-recording", version: 1, tree, fingerprint: "0123456789abcdef", nodes };
  writeFileSync(path, [header, ...lines].map((line) => JSON.stringify(line) + "\n").join(""));
  return start("bt-inspector", path);
}

/** Returns the exports of a module of the page that does not need a document. */
export async function load(module) {
  const outfile = join(folder, `${module.replace(/\W/g, "-")}.mjs`);
  await build({ entryPoints: [new URL(`../src/${module}.ts`, import.meta.url).pathname], bundle: true, format: "esm", platform: "neutral", outfile, logLevel: "error" });
  return import(outfile);
}

/** Evaluates a function in Chromium, with the exports of modules of the page. Node 20 does not parse large integers exactly. */
export async function inChromium(modules, act) {
  const page = await browser.newPage();
  const contents = modules.map((module) => `export * from ${JSON.stringify(new URL(`../src/${module}.ts`, import.meta.url).pathname)};`).join("\n");
  const { outputFiles } = await build({ stdin: { contents, resolveDir: folder }, bundle: true, format: "iife", globalName: "modules", write: false, logLevel: "error" });
  await page.addScriptTag({ content: outputFiles[0].text });
  const result = await page.evaluate(`(${act})(modules)`);
  await page.close();
  return result;
}

/** Loads a URL in a page that was just opened. Its errors are collected. */
export async function visitIn(page, url, prepare) {
  page.setDefaultTimeout(90_000);
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.errors.push(message.text()));
  await prepare(page);
  await page.goto(url);
  return page;
}

export async function open(url, viewport = { width: 1280, height: 720 }, prepare = async () => {}) {
  const page = await visitIn(await browser.newPage({ viewport }), url, prepare);
  for (const hand of [page, page.keyboard, page.mouse]) drawAfterActions(hand, () => page);
  drawAfterActions(Object.getPrototypeOf(page.locator("body")), (locator) => locator.page());
  return page;
}

const ACTIONS = ["check", "clear", "click", "dblclick", "dispatchEvent", "down", "dragTo", "dragAndDrop", "emulateMedia", "fill", "focus", "hover", "insertText", "move", "press", "pressSequentially", "scrollIntoViewIfNeeded", "selectOption", "setInputFiles", "setViewportSize", "type", "uncheck", "up", "wheel"];
const DRAWS = Symbol("draws after actions");

/**
 * Makes what a user does resolve when the page has drawn what follows: the page draws with the next frame, and an effect of that
 * with the second. What the server has to answer still needs `until`.
 */
function drawAfterActions(hand, pageOf) {
  if (hand[DRAWS]) return;
  hand[DRAWS] = true;
  for (const name of ACTIONS.filter((name) => name in hand)) {
    const act = hand[name];
    hand[name] = async function (...args) {
      const result = await act.apply(this, args);
      const page = pageOf(this);
      // The action may have closed the page, or left it.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))).catch((error) => {
        if (!page.isClosed() && !/navigation|closed/.test(error.message)) throw error;
      });
      return result;
    };
  }
}

export const text = (page, selector) => page.textContent(selector);
/** Returns the number of the shown tick; -1 without one. */
export const number = async (page) => Number(/^tick (\d+)/.exec(await page.textContent("#tick"))?.[1] ?? -1);
export const seconds = async (page) => Number(/at ([\d.]+) s/.exec(await page.textContent("#tick"))?.[1] ?? -1);
/** Returns the number of the first tick that the page shows. */
export async function firstTick(page) {
  await until("ticks arrive", async () => (await number(page)) >= 0);
  return number(page);
}
/** Waits until a few ticks have arrived. */
export async function ticks(page) {
  const first = await firstTick(page);
  await until("more ticks arrive", async () => (await number(page)) > first + 2);
}
export const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** Waits until a condition holds. */
export async function until(what, holds, time = 90_000) {
  const end = Date.now() + time;
  while (Date.now() < end) {
    if (await holds()) return;
    await pause(30);
  }
  assert.fail(`timed out: ${what}`);
}

/** Selects an agent that may not be listed. */
export async function select(page, name) {
  await page.fill("#search", name);
  const isSearched = (names, name) => names.length > 0 && names.every((one) => one.textContent.includes(name));
  await until("the list was searched", () => page.locator("#list .agent .name").evaluateAll(isSearched, name));
  await agent(page, name).click();
  await until("the agent is shown", async () => (await text(page, "#agent")) === name);
  await page.fill("#search", "");
}

/** Scrolls to the root of the tree. The first view of an agent shows its running leaf. */
export async function showRoot(page) {
  await firstTick(page);
  await page.locator("#tree").focus();
  await page.keyboard.press("Home");
  await until("the root is shown", async () => (await page.locator("#node-0").count()) === 1);
}

export const agent = (page, name) => page.locator("#list .agent", { has: page.locator(`.name:text-is("${name}")`) });
export const row = (page, name) => page.locator(".row", { has: page.locator(`.name:text-is("${name}")`) }).first();
export async function is(locator, ...names) {
  const classes = ((await locator.getAttribute("class")) ?? "").split(" ");
  return names.every((name) => classes.includes(name));
}
/** Returns the shown values, as `name value`. */
export const values = (page) => page.locator("#shown .pair").evaluateAll((pairs) => pairs.map((pair) => [...pair.children].filter((part) => !part.classList.contains("tools")).slice(0, 2).map((part) => part.textContent).join(" ")));
/** Returns the number of nodes that are shown. Only the rows that are visible are in the document. */
export const nodes = (page) => page.locator("#tree > div").evaluate((body) => parseInt(body.style.height || 0) / 20);
export const where = (page) => page.textContent("#where");
/** Waits until the agent waits before its next tick. */
export const waits = (page) => until("the agent waits", async () => (await where(page)) === "paused before its next tick");
