// The site as people use it: each example plays, its inspector watches, holds and edits it, and all of it works offline.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { choose, shows } from "../../../crates/inspector/page/tests/edit.js";
import { agent, cell, dist, inspector, is, number, row, scene, startSite, ticks, until, visit } from "./harness.js";

const site = startSite();
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 3 };
const notice = (page) => page.textContent("#notice");
/** Bytes of the first example with all that it needs, as a server sends them. */
const MAX_FIRST = 1_080_000;

test("the home page leads to each example, which plays beside the inspector", async () => {
  const page = await visit(site.url);
  const links = await page.locator(".stories a").evaluateAll((links) => links.map(({ href }) => href));
  assert.deepEqual(links.map((link) => link.split("/").at(-2)), ["melee_enemy", "settlers", "sheep", "villagers", "delivery", "playground"]);
  for (const link of links) {
    await page.goto(link);
    const frame = await inspector(page);
    await ticks(frame);
    const before = await scene(page);
    assert.ok(before.trim().length > 80, before);
    if (!link.includes("/playground/")) await until("the scene changes", async () => (await scene(page)) !== before);
    assert.ok((await frame.locator("#list .agent").count()) > 0, "agents are listed");
  }
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("the first example is small", async () => {
  const before = site.sent;
  const page = await visit(`${site.url}melee_enemy/`, undefined, (page) => page.addInitScript(() => delete Navigator.prototype.serviceWorker));
  await inspector(page);
  const sent = site.sent - before;
  assert.ok(sent < MAX_FIRST, `${sent} bytes`);
  await page.context().close();
});

test("a breakpoint suspends the tick, and the example goes on when it is resumed", async () => {
  const page = await visit(`${site.url}settlers/`);
  const frame = await inspector(page);
  await row(frame, "WalkTo").last().locator(".dot").click();
  await frame.check("#breaks input[name=Visit]");
  await page.keyboard.press("Escape");
  await until("the tick is stopped at the node", async () => /^stopped at WalkTo/.test(await frame.textContent("#where")));
  await until("the program says so", async () => /waits/.test(await notice(page)));
  assert.equal((await scene(page)).length, 0, "the tick is not over");
  await frame.locator("#controls button", { hasText: "over" }).click();
  await until("it goes on to the end of the visit", async () => /^stopped at WalkTo: /.test(await frame.textContent("#where")));
  await row(frame, "WalkTo").last().locator(".dot").click();
  await frame.uncheck("#breaks input[name=Visit]");
  await page.keyboard.press("Escape");
  await frame.click("#pause");
  const at = await number(frame);
  await until("it goes on", async () => (await number(frame)) > at + 3 && (await notice(page)) === "");
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("an agent goes back to an earlier tick, and runs on from there", async () => {
  const page = await visit(`${site.url}melee_enemy/`);
  const frame = await inspector(page);
  await frame.selectOption("#past", "1");
  const first = await number(frame);
  await until("some ticks are stored", async () => (await number(frame)) > first + 20);
  await frame.click("#pause");
  await until("the agent is held", async () => /^paused/.test(await frame.textContent("#where")));
  const last = await number(frame);
  for (let left = 10; left > 0; left--) await page.keyboard.press(",");
  await until("an earlier tick is shown", async () => (await number(frame)) === last - 10);
  const shown = await frame.textContent("#shown");
  await until("its past is stored", () => frame.locator("#rewind").isEnabled());
  await frame.click("#rewind");
  await page.keyboard.press("n");
  await until("the tick is repeated", async () => (await frame.textContent("#tick")).endsWith(`, tick ${last - 10} again`));
  assert.equal(await frame.textContent("#shown"), shown, "the student is as it was");
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("where no tick can be suspended, a breakpoint holds the agent before its next tick", async () => {
  const old = (page) => page.addInitScript(() => delete WebAssembly.Suspending);
  const page = await visit(`${site.url}settlers/`, undefined, old);
  const frame = await inspector(page);
  await row(frame, "WalkTo").last().locator(".dot").click();
  await frame.check("#breaks input[name=Visit]");
  await frame.check("#breaks input[name=only]");
  await page.keyboard.press("Escape");
  await until("the agent is held", async () => /WalkTo/.test(await frame.textContent("#where")));
  const before = await scene(page);
  await until("the others go on", async () => (await scene(page)) !== before);
  const at = await number(frame);
  await frame.click("#step");
  await until("it has run a tick", async () => (await number(frame)) > at);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("the inspector connects after the browser has gone back to an example", async () => {
  const page = await visit(site.url);
  await page.locator(".stories a").nth(1).click();
  await inspector(page);
  await page.click("header a");
  await page.waitForSelector(".stories");
  await page.goBack();
  await ticks(await inspector(page));
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("the scene stays when the window is resized while a tick waits", async () => {
  const page = await visit(`${site.url}settlers/`);
  const frame = await inspector(page);
  await row(frame, "WalkTo").last().locator(".dot").click();
  await frame.check("#breaks input[name=Visit]");
  await page.keyboard.press("Escape");
  await until("the tick waits", async () => (await scene(page)).length === 0);
  await page.setViewportSize({ width: 900, height: 600 });
  const colors = () => page.evaluate(() => {
    const canvas = document.querySelector("canvas");
    return new Set(new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
  });
  await until("it is drawn", async () => (await colors()) > 3);
  await page.context().close();
});

test("the page and the inspector follow the color scheme", async () => {
  const page = await visit(`${site.url}settlers/`, { viewport: { width: 1280, height: 720 }, colorScheme: "light" });
  const frame = await inspector(page);
  const isDark = () => frame.evaluate(() => document.documentElement.classList.contains("dark"));
  assert.equal(await isDark(), false);
  await page.emulateMedia({ colorScheme: "dark" });
  await until("the inspector is dark", isDark);
  await frame.click("#theme");
  await until("the inspector is light", async () => !(await isDark()));
  await page.emulateMedia({ colorScheme: "light" });
  await page.emulateMedia({ colorScheme: "dark" });
  assert.equal(await isDark(), false, "what the user has chosen stays");
  await page.context().close();
});

test("the past is shown while the example goes on", async () => {
  const page = await visit(`${site.url}melee_enemy/`);
  const frame = await inspector(page);
  await ticks(frame);
  await frame.locator("#live").focus();
  await page.keyboard.press(",");
  await until("a tick of the past is shown", async () => (await frame.locator("#live.on").count()) === 0);
  const shown = (await number(frame)) - 1;
  await page.keyboard.press(",");
  await until("the tick before it is shown", async () => (await number(frame)) === shown);
  const before = await scene(page);
  await until("the scene changes", async () => (await scene(page)) !== before);
  assert.equal(await number(frame), shown, "the shown tick stays");
  await page.context().close();
});

test("the settlers' tree is edited while they run, and the change is undone", async () => {
  const page = await visit(`${site.url}settlers/`);
  const frame = await inspector(page);
  frame.keyboard = page.keyboard;
  await frame.locator("#tree").focus();
  await page.keyboard.press("e");
  const chop = frame.locator("#tree .row", { hasText: "Chop" }).first();
  await chop.click();
  const rows = await frame.locator("#tree .row").count();
  await choose(frame, "w", "repeat");
  await until("the node is wrapped", async () => (await frame.locator("#tree .row").count()) === rows + 1);
  await until("it is applied", async () => /the tree has been reloaded/.test(await scene(page)));
  await page.keyboard.press("Control+z");
  await until("the change is undone", async () => (await frame.locator("#tree .row").count()) === rows);
  await until("all agents go on", async () => {
    const at = await number(frame);
    return (await number(frame)) >= at && (await scene(page)).split("the tree has been reloaded").length > 2;
  });
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("a tap moves the player, and buttons are keys", async () => {
  const page = await visit(`${site.url}melee_enemy/`, PHONE);
  await inspector(page);
  await until("the court is drawn", async () => /simulated/.test(await scene(page)));
  await page.locator("canvas").tap({ position: { x: 150, y: 80 } });
  await until("the player follows", async () => /controlled by you/.test(await scene(page)));
  await page.locator("#keys button", { hasText: "simulate player" }).tap();
  await until("the player is simulated", async () => /simulated/.test(await scene(page)));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(wide, 390, "nothing is beside the screen");
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("the keyboard plays, and the tabulator moves the focus", async () => {
  const page = await visit(`${site.url}melee_enemy/`);
  await inspector(page);
  await page.focus("canvas");
  await page.keyboard.press("ArrowRight");
  await until("the player is controlled", async () => /controlled by you/.test(await scene(page)));
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.closest("#keys") !== null), true);
  await page.context().close();
});

test("a reloaded inspector connects again", async () => {
  const page = await visit(`${site.url}melee_enemy/`);
  const frame = await inspector(page);
  await agent(frame, "student 3").click();
  await until("it is selected", async () => (await frame.textContent("#agent")) === "student 3");
  await frame.evaluate(() => location.reload());
  await until("it is there again", async () => {
    const again = page.frames().find((frame) => frame.url().includes("/inspector/"));
    return (await again.locator("#tick").textContent().catch(() => ""))?.startsWith("tick ");
  });
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("a visited example, the home page and the guide work offline", async () => {
  const own = new (await import("./harness.js")).Site();
  await own.start();
  const page = await visit(`${own.url}melee_enemy/`);
  await inspector(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await until("what was loaded before the service worker is stored", () =>
    page.evaluate(async () => (await caches.match(new URL("example_bg.wasm", location.href))) !== undefined && (await caches.match(new URL("index.html", location.href))) !== undefined));
  await page.goto(`${own.url}guide/index.html`);
  own.stop();
  await page.goto(`${own.url}index.html`);
  assert.ok((await page.locator(".stories a").count()) > 3);
  await page.locator(".stories a").first().click();
  const frame = await inspector(page);
  await ticks(frame);
  await page.goto(`${own.url}guide/index.html`);
  assert.match(await page.textContent("h1"), /./);
  await page.goto(`${own.url}sheep/index.html`);
  assert.match(await page.textContent("body"), /was not opened before/);
  await page.context().close();
});

test("a tree of the guide runs, and its leaves return what the user says", async () => {
  const page = await visit(`${site.url}guide/composites.html`);
  const link = page.locator("a.run").first();
  assert.match(decodeURIComponent(await link.getAttribute("href")), /battery_low, recharge/);
  await link.click();
  const frame = await inspector(page);
  await until("its leaves are listed", async () => /✓ success *battery_low.*recharge/.test(await scene(page)));
  await until("the first branch succeeds", () => is(row(frame, "recharge"), "s", "fresh"));
  await page.click("canvas", { position: await cell(page, 6, 1) });
  await until("the first leaf fails", async () => /✗ failure *battery_low/.test(await scene(page)));
  await until("the other branch runs", () => is(row(frame, "drive_to(0)"), "s", "fresh"));
  await page.focus("canvas");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await page.keyboard.press("Space");
  await until("a leaf runs", async () => /▶ running *recharge/.test(await scene(page)));
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("a tree of the user runs, and a wrong one says why it does not", async () => {
  const page = await visit(`${site.url}playground/index.html?tree=${encodeURIComponent("selecter { a }")}`);
  await until("it says why", async () => /1:1: .*selecter/.test((await scene(page)).replace(/ +/g, " ")));
  await page.click("summary");
  assert.equal(await page.inputValue("textarea"), "selecter { a }");
  await page.fill("textarea", 'selector { sequence "own" { first, second } third }');
  await page.click("form button");
  const frame = await inspector(page);
  await until("the tree of the user runs", () => is(row(frame, "first"), "s", "fresh"));
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("the guide links to the examples", async () => {
  const page = await visit(`${site.url}guide/examples.html`);
  await page.click("a:has-text('cargo run --example sheep')");
  await inspector(page);
  assert.match(page.url(), /\/sheep\/index\.html/);
  await page.context().close();
});

test("nothing is missing in the folder", () => {
  const names = readdirSync(dist).sort();
  assert.deepEqual(names, ["delivery", "game.js", "guide", "index.html", "inspector", "inspector.js", "melee_enemy", "offline.js", "playground", "scene.js", "settlers", "sheep", "story.js", "style.css", "suspend.js", "sw.js", "villagers"]);
  assert.ok(readdirSync(join(dist, "guide")).includes("first-tree.html"));
});
