// Takes the pictures of README and guide: `npm run pictures`, after `cargo build -p bt-cli` and `cargo build -p melee_enemy --features live,inspect`.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const root = new URL("../../../../", import.meta.url).pathname;
const built = process.env.CARGO_TARGET_DIR ?? `${root}target`;
const folder = mkdtempSync(join(tmpdir(), "bt-pictures-"));
const programs = [];
process.on("exit", () => {
  programs.forEach((program) => program.kill());
  rmSync(folder, { recursive: true, force: true });
});
setTimeout(() => process.exit(1), 300_000).unref();

/** Starts a program. Returns the URL that it prints. */
async function start(name, ...args) {
  const program = spawn(`${built}/debug/${name}`, args, { stdio: ["ignore", "pipe", "inherit"] });
  programs.push(program);
  return new Promise((resolve) => program.stdout.once("data", (text) => resolve(/http:\S+/.exec(String(text))[0])));
}

const url = await start("melee_enemy", "--headless", "--edit", "--ticks", "100000", "--seed", "1");
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

/** Opens the page with a student, and waits until it attacks the player. */
async function open(colorScheme, student = 4) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme });
  await page.addInitScript(() => localStorage.setItem("bt-inspector.columns", '["running"]'));
  await page.goto(`${url}#student%20${student}`);
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

const GUARD = `tree guard {
    selector {
        sequence "flee" { hurt, run_away }
        // Only whoever is close is worth it.
        sequence "fight" {
            near(meters = 10.0),
            cooldown(secs(2)) { attack }
        }
        sequence "look around" { heard_noise, timeout(secs(5)) { search } }
        patrol,
    }
}

tree captain { selector { order, guard } }
`;

/** Takes the picture of a file in the editor: a decorator and its form. */
async function takeEditor() {
  const path = join(folder, "guard.bt");
  writeFileSync(path, GUARD);
  const page = await browser.newPage({ viewport: { width: 1160, height: 560 }, colorScheme: "light" });
  await page.goto(await start("bt", "edit", "--no-open", path));
  await page.locator("#tree .row", { hasText: "cooldown" }).click();
  await page.screenshot({ path: `${root}guide/src/editor.png` });
}

/** Takes the picture of a running tree in the editor, in which a node was put around the running one. */
async function takeLive() {
  const page = await open("light", 0);
  await page.setViewportSize({ width: 1280, height: 680 });
  await page.waitForFunction(() => /talk|wait|move_to_point/.test(document.querySelector("#running")?.textContent));
  await page.keyboard.press("e");
  await page.locator("#tree .row", { hasText: "idle" }).click();
  await page.keyboard.press("o");
  await page.locator("#tree .row.r", { hasText: "mem_sequence" }).first().click();
  await page.keyboard.press("w");
  await page.keyboard.type("timeout");
  await page.keyboard.press("Enter");
  await page.locator("#tree .row.r", { hasText: "timeout" }).waitFor();
  const time = page.locator("#argument-0");
  await time.fill("20");
  await time.press("Enter");
  await page.waitForTimeout(3000);
  await page.screenshot({ path: `${root}guide/src/editor-live.png` });
  await page.locator("#tree").focus();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await page.close();
}

await takeEditor();
await takeLive();
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
