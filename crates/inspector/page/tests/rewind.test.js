// Why a node does what it does, and going back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { number, open, row, start, text, ticks, until, values, waits, where } from "./harness.js";

/** Stores a few ticks, and pauses. Returns the number of the last one. */
async function storeTicks(page) {
  await page.selectOption("#past", "1");
  const first = (await number(page)) + 3;
  await until("some ticks are stored", async () => (await number(page)) > first + 20);
  await page.click("#pause");
  await waits(page);
  return number(page);
}

test("it is explained why the active node runs or was not visited, with links to nodes and ticks", async () => {
  const { url } = await start("examples/crowd", "--soldiers", "3");
  for (const width of [1280, 390]) {
    const page = await open(url, { width, height: 760 });
    await ticks(page);
    await page.click("#pause");
    await waits(page);
    // Step until the guard has been in a fight, and patrols again. Each step is waited for: a later one may begin another fight.
    const hasLeft = async () => (await page.locator("#leaves").textContent()).match(/go|rest/) && (await page.locator("#tree .row.k-Action").first().getAttribute("class")).includes(" h");
    const step = async () => {
      const before = await number(page);
      await page.keyboard.press("n");
      await until("it has stepped", async () => (await number(page)) > before);
    };
    for (let left = 300; !(await hasLeft()); left--) {
      assert.ok(left > 0, "it has left a fight");
      await step();
    }
    // In this tick the attack was halted; in the next one it is not visited.
    await step();
    await row(page, "attack").locator(".name").click();
    const why = () => page.textContent("#why");
    await until("the condition is named", async () => /^why\? not visited: `enemy_near` failed at tick \d+; .*last/.test(await why()));
    const tick = Number(/last succeeded at tick (\d+)/.exec(await why())[1]);
    await page.locator("#why .link", { hasText: `at tick ${tick}` }).last().click();
    await until("its tick is shown", async () => (await number(page)) === tick);
    await page.keyboard.press("End");
    await page.keyboard.press("w");
    await until("the sentence is hidden", async () => (await page.locator("#why").count()) === 0);
    await page.keyboard.press("w");
    await page.click("#pause");
    assert.deepEqual(page.errors, []);
    await page.close();
  }
});

test("an agent goes back to a tick and runs on from there, and both futures are compared", async () => {
  const { url } = await start("examples/crowd", "--soldiers", "3");
  const page = await open(url);
  await ticks(page);
  assert.ok(await page.locator("#rewind").isDisabled(), "nothing is stored");
  const last = await storeTicks(page);
  const shown = async () => (await values(page)).find((value) => value.startsWith("ticks "));
  for (let left = 10; left > 0; left--) await page.keyboard.press(",");
  await until("an earlier tick is shown", async () => (await number(page)) === last - 10);
  const expected = await shown();
  await until("its past is stored", () => page.locator("#rewind").isEnabled());
  await page.click("#rewind");
  await until("a second click does not choose another tick", () => page.locator("#rewind").isDisabled());
  await page.keyboard.press("n");
  await until("the tick is repeated", async () => (await text(page, "#tick")).endsWith(`, tick ${last - 10} again`));
  assert.equal(await number(page), last + 1, "ticks are counted on");
  // A program shows values after its tick, so they can come with the next message.
  await until("the context is as it was", async () => (await shown()) === expected);
  await page.click("#futures");
  await until("the same tick of the first future is compared", async () => (await text(page, "#compare-count")).startsWith(`tick ${last - 10}, at`));
  assert.match(await text(page, "#compare-count"), / 0 nodes and 0 values differ$/);
  for (let left = 11; left > 0; left--) await page.keyboard.press("n");
  await until("the first future is over", async () => /^The future that Gus the guard has left has no tick for this one/.test(await text(page, "#compare")));
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("all agents go back to the time of a tick", async () => {
  const { url } = await start("examples/crowd", "--soldiers", "3", "--skip-held");
  const page = await open(url);
  await ticks(page);
  await page.selectOption("#hold", "all");
  const last = await storeTicks(page);
  for (let left = 10; left > 0; left--) await page.keyboard.press(",");
  await until("its past is stored", () => page.locator("#rewind").isEnabled());
  await page.click("#rewind");
  await page.keyboard.press("n");
  await until("the tick is repeated", async () => (await text(page, "#tick")).endsWith(`, tick ${last - 10} again`));
  await page.click('#list .agent:has-text("soldier 1")');
  await until("the other one has gone back, too", async () => (await text(page, "#agent")) === "soldier 1" && (await where(page)) === "paused before its next tick");
  await page.selectOption("#past", "0");
  await until("nothing is stored any more", () => page.locator("#rewind").isDisabled());
  assert.deepEqual(page.errors, []);
  await page.close();
});
