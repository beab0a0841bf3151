// The tree as an outline.

import assert from "node:assert/strict";
import { test } from "node:test";
import { nodes, open, startCrowd, text, until } from "./harness.js";

const crowd = startCrowd();

test("only the visible rows are in the document, and the tree scrolls", async () => {
  const page = await open(crowd.url);
  await page.fill("#search", "soldier 499");
  await until("the agent is found", async () => (await page.textContent("#count")) === "1 of 501 agents");
  await page.click('#list .agent:has-text("soldier 499")');
  await until("the tree is shown", async () => (await nodes(page)) > 300);
  const ids = () => page.locator("#tree .row").evaluateAll((rows) => rows.map((row) => Number(row.dataset.node)));
  const count = await nodes(page);
  assert.ok((await ids()).length < 60 && (await ids())[0] === 0);
  await page.locator("#tree").focus();
  await page.keyboard.press("End");
  await until("the last row is shown", async () => (await ids()).includes(count - 1));
  assert.ok((await ids()).length < 60 && !(await ids()).includes(0));
  await until("the last row is active", async () => (await page.locator(".row.active").getAttribute("id")) === `node-${count - 1}`);
  await page.locator("#tree").evaluate((tree) => (tree.scrollTop = 0));
  await until("the first row is shown", async () => (await ids()).includes(0));
  await page.close();
});
