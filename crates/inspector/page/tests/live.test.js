// What the page shows of a running program.

import assert from "node:assert/strict";
import { test } from "node:test";
import { firstTick, is, number, open, pause, row, startCrowd, text, ticks, until } from "./harness.js";

const crowd = startCrowd();

test("statuses and values are updated live", async () => {
  const page = await open(crowd.url);
  await until("an agent is selected automatically", async () => (await page.textContent("#agent")) === "Gus the guard");
  await until("the running path is highlighted", () => is(row(page, "selector"), "r", "fresh"));
  await until("the guard patrols", () => is(row(page, "mem_sequence"), "r", "fresh"));
  await until("the enemy appears", () => is(row(page, "attack"), "r", "fresh"));
  await until("the patrol is over", async () => (await is(row(page, "mem_sequence"), "stale")) || is(row(page, "mem_sequence"), "h"));
  await until("the enemy disappears", () => is(row(page, "enemy_near"), "f", "fresh"));
  await until("the last status remains", () => is(row(page, "attack"), "h", "stale"));
  await until("values change", async () => (await page.locator("#shown .changed").count()) > 0);
  assert.match(await page.textContent("#shown"), /health/);
  assert.match(await row(page, "enemy_near").locator(".source").textContent(), /^crowd\.rs:\d+$/);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("large integers are exact, and non-finite floats are text", async () => {
  const page = await open(crowd.url);
  const value = (key) => page.locator("#shown .pair", { has: page.locator(`.key:text-is("${key}")`) }).locator(".key + *").textContent();
  await ticks(page);
  assert.equal(await value("id"), "9007199254740993");
  assert.equal(await value("speed"), '"NaN"');
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("earlier ticks are shown with their statuses", async () => {
  const page = await open(crowd.url);
  const first = await firstTick(page);
  await until("more than 60 ticks arrive", async () => (await number(page)) > first + 60);
  await until("the attack has been halted", () => is(row(page, "attack"), "h"));
  await page.locator("#timeline").focus();
  await page.keyboard.press("ArrowLeft");
  await pause(100);
  const at = await number(page);
  await pause(300);
  assert.equal(await number(page), at, "the shown tick does not change");
  await until("the shown tick contains an enemy", async () => {
    await page.keyboard.press("ArrowLeft");
    await pause(40);
    return is(row(page, "attack"), "r", "fresh");
  });
  assert.ok((await number(page)) < at);
  assert.ok(await is(row(page, "enemy_near"), "s", "fresh"));
  const box = await page.locator("#timeline").boundingBox();
  await page.mouse.move(box.x + 5, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 20, box.y + 10);
  await page.mouse.up();
  await until("a tick near the beginning is shown", async () => (await number(page)) < first + 20);
  await page.click("#live");
  await until("the page follows live ticks", async () => (await number(page)) > at);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("ticks have the numbers of the agent, and gaps are marked", async () => {
  const page = await open(crowd.url);
  const first = await firstTick(page);
  assert.ok(first > 20, "the ticks before the page was opened count");
  await until("some ticks arrive", async () => (await number(page)) > first + 5);
  await page.click('#list .agent:has-text("soldier 0")');
  await until("another agent is shown", async () => (await page.textContent("#agent")) === "soldier 0" && (await number(page)) > first + 5);
  // Both agents tick in the same loop.
  const before = await number(page);
  await until("many ticks pass", async () => (await number(page)) > before + 20);
  await page.click('#list .agent:has-text("Gus the guard")');
  // The gap is before the first new tick, so that must not be the latest.
  await until("the first agent is shown again", async () => (await page.textContent("#agent")) === "Gus the guard" && (await number(page)) > before + 25);
  await page.locator("#timeline").focus();
  await page.keyboard.press("ArrowLeft");
  await pause(200);
  let text = await page.textContent("#tick");
  for (let steps = 0; steps < 200 && !/after \d+ ticks that were not watched/.test(text); steps++) {
    const at = await number(page);
    await page.keyboard.press("ArrowLeft");
    await until("another tick is shown", async () => (await number(page)) !== at);
    text = await page.textContent("#tick");
  }
  assert.ok(Number(/after (\d+)/.exec(text)[1]) > 10, text);
  assert.equal(await page.locator(".row.stale").count(), 0, "what the nodes did before the gap is not shown");
  await page.keyboard.press("ArrowLeft");
  await until("the tick before the gap is shown", async () => (await number(page)) < Number(/^tick (\d+)/.exec(text)[1]) - 10);
  await page.close();
});
