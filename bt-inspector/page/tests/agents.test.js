// The list of agents.

import assert from "node:assert/strict";
import { test } from "node:test";
import { nodes, number, open, row, startCrowd, text, ticks, until, waits } from "./harness.js";

const crowd = startCrowd();

test("500 agents can be searched, and 300 nodes collapsed", async () => {
  const page = await open(crowd.url);
  await until("all agents are registered", async () => (await page.textContent("#count")) === "501 agents");
  await page.fill("#search", "SOLDIER 49");
  await until("11 agents are found", async () => (await page.textContent("#count")) === "11 of 501 agents");
  await page.click('#list .agent:has-text("soldier 499")');
  await until("the tree is shown", async () => (await nodes(page)) > 300);
  await ticks(page);
  await until("the tree is folded or expanded", () => row(page, "chance").isVisible());
  await page.click("#collapse");
  await until("the node is collapsed", async () => !(await row(page, "chance").isVisible()));
  await until("the tree is folded or expanded", () => row(page, "attack").isHidden());
  await page.click("#expand");
  await until("the tree is folded or expanded", () => row(page, "chance").isVisible());
  await page.locator(".row .twist").first().click();
  await until("only the root is left", async () => (await page.locator(".row:visible").count()) === 1);
  await page.locator(".row .twist").first().click();
  await page.check("#heat");
  await until("visits are counted", async () => /×\d+/.test(await row(page, "selector").locator(".extra").textContent()));
  // Another tree, while heat is on.
  await page.fill("#search", "");
  await page.click('#list .agent:has-text("Gus the guard")');
  await until("the other tree is shown", async () => (await nodes(page)) < 20);
  await until("its visits are counted", async () => /×\d+/.test(await row(page, "selector").locator(".extra").textContent()));
  const hot = await row(page, "selector").evaluate((row) => Number(row.style.getPropertyValue("--hot")));
  assert.ok(hot > 0.5);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("an agent beyond the limit of the list stays selected and live", async () => {
  const page = await open(crowd.url);
  await page.fill("#search", "soldier 499");
  await until("the agent is found", async () => (await page.textContent("#count")) === "1 of 501 agents");
  await page.click('#list .agent:has-text("soldier 499")');
  await until("ticks arrive", async () => (await page.textContent("#agent")) === "soldier 499" && (await number(page)) > 2);
  await page.fill("#search", "");
  await until("the list is no longer filtered", async () => (await page.textContent("#count")) === "501 agents");
  const at = await number(page);
  await until("the agent continues", async () => (await number(page)) > at + 10);
  assert.equal(await page.textContent("#agent"), "soldier 499");
  await page.click("#pause");
  await waits(page);
  await page.click("#pause");
  await until("the agent continues", async () => (await number(page)) > at + 20);
  assert.deepEqual(page.errors, []);
  await page.close();
});
