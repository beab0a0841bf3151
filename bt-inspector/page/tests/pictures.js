// Takes the pictures of README and guide: `npm run pictures`, after `cargo build -p melee_enemy --features inspect`.

import { spawn } from "node:child_process";
import { chromium } from "playwright-core";

const root = new URL("../../../", import.meta.url).pathname;
const built = process.env.CARGO_TARGET_DIR ?? `${root}target`;
const program = spawn(`${built}/debug/melee_enemy`, ["--headless", "--inspect", "--ticks", "100000", "--seed", "1"], { stdio: ["ignore", "pipe", "inherit"] });
process.on("exit", () => program.kill());
setTimeout(() => process.exit(1), 300_000).unref();
const url = await new Promise((resolve) => program.stdout.once("data", (text) => resolve(/http:\S+/.exec(String(text))[0])));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

/** Opens the page with a student, and waits until it attacks the player. */
async function open(colorScheme) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme });
  await page.addInitScript(() => localStorage.setItem("bt-inspector.columns", '["running"]'));
  await page.goto(`${url}#student%204`);
  return page;
}
const attack = (page) => page.waitForFunction(() => document.querySelector("#running").textContent.includes("melee_attack"), null, { timeout: 120_000 });
/** Takes a picture while the agent is held, so that it does not change. */
async function take(page, name) {
  await page.click("#pause");
  // The running leaf, and why it runs.
  await page.click("#leaves .chip");
  await page.waitForTimeout(700);
  await page.mouse.move(700, 690);
  await page.screenshot({ path: `${root}guide/src/${name}.png` });
  await page.click("#pause");
}

const [page, dark] = [await open("light"), await open("dark")];
await attack(page);
await take(page, "inspector");
await page.click("#as-graph");
await page.waitForTimeout(500);

await take(page, "inspector-graph");
await dark.click("#log-button");
const number = dark.locator("#shown .pair", { has: dark.locator('[aria-label^="chart of"]') }).first();
await number.hover();
await number.locator('[aria-label^="chart of"]').click();
await dark.waitForTimeout(1500);
await take(dark, "inspector-log");
await browser.close();
process.exit();
