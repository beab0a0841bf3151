// Values: folds, pins, search, charts and edits.

import assert from "node:assert/strict";
import { test } from "node:test";
import { number, open, pause, select, start, startCrowd, ticks, until, values, waits } from "./harness.js";

const crowd = startCrowd();
const pair = (page, key, root = "#shown") => page.locator(`${root} .pair`, { has: page.locator(`.key:text("${key}")`) }).first();

test("values can be folded, searched and pinned", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  await until("nested values are shown", async () => (await values(page)).some((value) => /^1 -?\d+$/.test(value)));
  await page.locator("#shown .fold", { hasText: "position" }).click();
  await until("the nested values are hidden", async () => (await values(page)).some((value) => value === "▸ position [2]"));
  await page.locator("#shown .fold", { hasText: "position" }).click();
  await page.fill("#find-value", "pos");
  await until("values are found by their path", async () => (await values(page)).map((value) => value.split(" ")[0]).join() === "position.0,position.1");
  await pair(page, "position.1").hover();
  await page.getByLabel("pin position.1").first().click();
  await page.fill("#find-value", "");
  await until("the value is pinned", async () => /^position\.1-?\d+$/.test((await pair(page, "position.1", "#pinned").locator("> :nth-child(-n+2)").allTextContents()).join("")));
  await page.reload();
  await until("pins stay over a reload", async () => (await page.locator("#pinned .key").allTextContents()).join() === "position.1");
  await page.locator("#pinned").getByLabel("unpin position.1").click();
  await until("the value is not pinned", async () => (await page.locator("#pinned").count()) === 0);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a chart shows the history of a number, and a click shows a tick", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  await page.getByLabel("chart of ticks").click();
  const label = () => page.locator(".chart svg").getAttribute("aria-label");
  await until("the chart covers some ticks", async () => {
    const [, from, to] = /ticks from (\d+) to (\d+)/.exec(await label()) ?? [];
    return to - from > 10;
  });
  const latest = await number(page);
  await page.locator(".chart svg").click({ position: { x: 5, y: 20 } });
  await until("an early tick is shown", async () => (await number(page)) < latest - 3);
  const shown = await number(page);
  assert.equal(await pair(page, "ticks").locator("> :nth-child(2)").textContent(), String(shown + 1));
  await page.getByLabel("chart of ticks").press("Enter");
  await until("the chart is closed", async () => (await page.locator(".chart").count()) === 0);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("values that the program allows are edited, others are not", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  const health = async () => Number(/^health (-?\d+)$/.exec((await values(page)).find((value) => value.startsWith("health ")))?.[1]);
  const edit = async (key, text) => {
    await page.getByLabel(`edit ${key}:`, { exact: false }).click();
    await page.locator(".edit").fill(text);
    await page.keyboard.press("Enter");
  };
  await page.getByLabel("edit health:").waitFor();
  // A value changes at any time; what is pressed stays where it is.
  const [row, button] = [await pair(page, "0").boundingBox(), await page.getByLabel("edit position.0:").boundingBox()];
  assert.ok(Math.abs(row.x + row.width - button.x - button.width) < 1, "the button takes the row");
  assert.equal((await pair(page, "seed").boundingBox()).height, row.height, "a long number has one line");
  await page.getByLabel("edit position.0:").hover();
  await page.mouse.down();
  await page.locator(".edit").waitFor();
  await page.mouse.up();
  await pause(100);
  assert.ok(await page.locator(".edit").evaluate((field) => field === document.activeElement && field.selectionEnd === field.value.length), "the field keeps the focus");
  await page.keyboard.press("Escape");
  await edit("health", "700");
  await until("the value is changed", async () => (await health()) > 600 || (await page.locator("#shown .changed", { hasText: "700" }).count()) > 0);
  await edit("health", "many");
  await until("the error is shown", async () => (await page.textContent("#notice")) === 'health: invalid type: string "many", expected i32');
  await edit("position.1", "40");
  await until("a part of a value is changed", async () => Number(/^1 (-?\d+)$/.exec((await values(page)).find((value) => value.startsWith("1 ")))?.[1]) > 20);
  assert.equal(await page.textContent("#notice"), "");
  await page.getByLabel("edit position as JSON").focus();
  await page.keyboard.press("Enter");
  await page.locator(".edit").fill("[-70, 3]");
  await page.keyboard.press("Enter");
  await until("a value is changed as a whole", async () => Number(/^0 (-?\d+)$/.exec((await values(page)).find((value) => value.startsWith("0 ")))?.[1]) < -30);
  await edit("health", `"${"x".repeat(20000)}"`);
  await until("a value that is too large is rejected", async () => (await page.textContent("#notice")) === "health: the new value is too large");
  await page.getByLabel("edit health:").click();
  await page.locator(".edit").fill("1");
  await page.keyboard.press("Escape");
  await until("the edit is canceled", async () => (await page.locator(".edit").count()) === 0);
  // Neither a value that is only shown, nor one of a program that only shows.
  assert.equal(await page.getByLabel("edit enemy:").count(), 0);
  await select(page, "soldier 0");
  await ticks(page);
  assert.equal(await page.getByLabel("edit health:").count(), 0);
  // Nor one of the past.
  await page.locator("#list .agent").first().click();
  await page.getByLabel("edit health:").waitFor();
  await page.locator("#timeline").focus();
  await page.keyboard.press("ArrowLeft");
  await until("the past cannot be edited", async () => (await page.getByLabel("edit health:").count()) === 0);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a held agent of a program that goes on is edited at once", async () => {
  const { url } = await start("examples/crowd", "--soldiers", "3", "--skip-held");
  const page = await open(url);
  await ticks(page);
  await page.click("#pause");
  await waits(page);
  const at = await number(page);
  await page.getByLabel("edit health:").click();
  await page.locator(".edit").fill("77");
  await page.keyboard.press("Enter");
  await until("the value is changed", async () => (await values(page)).includes("health 77"));
  await pause(200);
  assert.equal(await number(page), at, "without a tick");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("values say of which tick they are, and a held agent shows the present ones", async () => {
  const { url } = await start("examples/crowd", "--soldiers", "3", "--skip-held");
  const page = await open(url);
  await ticks(page);
  await page.click("#pause");
  await waits(page);
  const at = await number(page);
  await until("the program shows its values now", async () => (await page.textContent("#values-of")) === `now, before tick ${at + 1}`);
  await page.getByLabel("edit health:", { exact: false }).click();
  await page.locator(".edit").fill("77");
  await page.keyboard.press("Enter");
  await until("a change is shown at once", async () => (await values(page)).includes("health 77"));
  await page.keyboard.press("ArrowLeft");
  await until("an earlier tick has its own values", async () => (await page.textContent("#values-of")) === `after tick ${at - 1}`);
  assert.ok(!(await values(page)).includes("health 77"));
  assert.deepEqual(page.errors, []);
  await page.close();
});
