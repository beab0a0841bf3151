// Breakpoints.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { is, nodes, number, open, pause, row, showRoot, startCrowd, text, ticks, until } from "./harness.js";

const crowd = startCrowd();

test("a breakpoint stops in the middle of a tick and shows the node", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  await row(page, "attack").locator(".dot").click();
  await page.check("#breaks input[name=Running]");
  await page.keyboard.press("Escape");
  await until("the breakpoint is shown", () => is(row(page, "attack").locator(".dot"), "set"));
  await until("the agent stops at the breakpoint", async () => (await page.textContent("#where")) === "stopped at attack: Running");
  await until("the node is marked", () => is(row(page, "attack"), "at"));
  await until("it is running", () => is(row(page, "attack"), "r", "fresh"));
  await until("the enclosing visits are unfinished", () => is(row(page, "selector"), "o", "fresh"));
  const at = await number(page);
  await pause(300);
  assert.equal(await number(page), at);
  await page.click("#collapse");
  await until("the tree is folded or expanded", () => row(page, "attack").isHidden());
  await page.click("#step");
  await until("the agent waits before the next tick", async () => (await page.textContent("#where")) === "paused before its next tick");
  await page.click("#pause");
  await until("the agent stops again", async () => (await page.textContent("#where")) === "stopped at attack: Running");
  await until("the collapsed nodes above are expanded", () => row(page, "attack").isVisible());
  await row(page, "attack").locator(".dot").click();
  await page.uncheck("#breaks input[name=Running]");
  await page.keyboard.press("Escape");
  await page.click("#pause");
  await until("the agent continues", async () => (await number(page)) > at + 5);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("breakpoints are listed in all pages, and stay over reloads until they are removed", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  const [first, name] = [await number(page), await page.textContent("#agent")];
  await row(page, "attack").locator(".dot").click();
  await page.check("#breaks input[name=Success]");
  await page.check("#breaks input[name=Failure]");
  await page.check("#breaks input[name=only]");
  await page.fill("#breaks input[name=skip]", "3");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  const listed = (page) => page.locator("#breakpoints li .faint").allTextContents();
  const expected = [`Success, Failure, ${name} only, after 3: 0 hits`];
  await until("the breakpoint is listed", async () => (await listed(page)).join() === expected.join());
  const other = await open(crowd.url);
  await until("another page lists it", async () => (await listed(other)).join() === expected.join());
  await other.close();
  await page.reload();
  await until("it stays over a reload", async () => (await listed(page)).join() === expected.join());
  await page.close();
  const again = await open(crowd.url);
  await until("it stays with the tree", async () => (await listed(again)).join() === expected.join());
  await ticks(again);
  assert.ok((await number(again)) > first, "the program continues without a page");
  assert.ok(await is(row(again, "attack").locator(".dot"), "set"));
  await row(again, "attack").locator(".dot").click();
  assert.equal(await again.inputValue("#breaks input[name=skip]"), "3");
  for (const name of ["Success", "Failure"]) await again.uncheck(`#breaks input[name=${name}]`);
  await until("it is removed", async () => (await listed(again)).length === 0);
  assert.ok(await again.locator("#breakpoints").isHidden());
  // Without the agent and the skipped hits.
  await again.uncheck("#breaks input[name=only]");
  await again.fill("#breaks input[name=skip]", "1");
  await again.check("#breaks input[name=Running]");
  await again.keyboard.press("Escape");
  await until("the agent stops at the second hit", async () => (await again.textContent("#where")) === "stopped at attack: Running", 20_000);
  await until("hits are counted", async () => (await listed(again)).join() === "Running, after 1: 2 hits");
  await again.uncheck("#breakpoints input");
  await until("it is disabled", () => is(row(again, "attack").locator(".dot"), "set", "off"));
  await again.click("#pause");
  const at = await number(again);
  await until("the agent continues", async () => (await number(again)) > at + 3);
  await again.click("#collapse");
  await again.click("#breakpoints li button >> nth=0");
  await until("the list leads to the node", () => row(again, "attack").isVisible());
  await again.click("#remove");
  await until("all are removed", async () => (await listed(again)).length === 0);
  assert.deepEqual(again.errors, []);
  await again.close();
});

test("a breakpoint on a halt stops the first agent that is halted", async () => {
  const page = await open(crowd.url);
  await page.fill("#search", "soldier 7");
  await until("the agent is found", async () => (await page.textContent("#list")).includes("soldier 77"));
  await page.click('#list .agent:has-text("soldier 77")');
  await until("the tree is shown", async () => (await nodes(page)) > 300);
  await showRoot(page);
  await row(page, "attack").locator(".dot").click();
  await page.check("#breaks input[name=Halted]");
  await page.keyboard.press("Escape");
  await until("an agent stops", async () => (await page.textContent("#where")) === "stopped at attack: Halted");
  assert.match(await page.textContent("#agent"), /^soldier \d+$/);
  assert.equal(await page.locator("#list .sign:text-is('❚❚')").count(), 1);
  await page.click("#remove");
  await until("the breakpoint is removed", async () => (await page.locator("#breakpoints li").count()) === 0);
  await page.close();
});
