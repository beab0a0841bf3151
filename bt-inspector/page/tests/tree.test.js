// The tree as an outline.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { firstTick, nodes, number, open, row, select, startCrowd, ticks, until } from "./harness.js";

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

test("running leaves are listed, and the running leaf is kept in view", async () => {
  const page = await open(crowd.url);
  await until("the leaves are listed", async () => /^▶ (go|rest|attack)$/.test((await page.locator("#running .chip").allTextContents()).join()));
  await until("the list follows the agent", async () => (await page.locator("#running .chip").allTextContents()).join() === "▶ attack");
  await page.locator("#running .chip").first().click();
  await until("the path is shown", async () => (await page.locator("#crumbs button").allTextContents()).join("/") === "guard/guard/fight/attack");
  await page.locator("#crumbs button", { hasText: "fight" }).click();
  await until("a part of the path is selected", async () => (await page.locator(".row.active .name").textContent()) === "sequence");
  await select(page, "soldier 9");
  await until("the tree is shown", async () => (await nodes(page)) > 300);
  await page.check("#follow");
  const isInView = () =>
    page.evaluate(() => {
      const [tree, rows] = [document.querySelector("#tree").getBoundingClientRect(), [...document.querySelectorAll(".row.fresh.r")]];
      const leaf = rows.at(-1)?.getBoundingClientRect();
      return leaf !== undefined && leaf.top >= tree.top && leaf.bottom <= tree.bottom + 1;
    });
  for (let at = 0; at < 10; at++) {
    await until("the running leaf is in view", isInView);
    await page.waitForTimeout(200);
  }
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("nodes are searched by name, label and file", async () => {
  const page = await open(crowd.url);
  await select(page, "soldier 9");
  await until("the tree is shown", async () => (await nodes(page)) > 300);
  await page.click("#collapse");
  await page.keyboard.press("/");
  await page.keyboard.type("dri");
  await until("one is found", async () => (await page.textContent("#found")) === "1");
  await page.keyboard.press("Enter");
  await until("it is shown", async () => (await page.locator(".row.active.found .label").textContent()) === '"drill"');
  await page.fill("#find", "errand");
  await until("many are found", async () => Number(await page.textContent("#found")) > 20);
  const seen = new Set();
  for (let at = 0; at < 5; at++) {
    await page.locator("#find").press("Enter");
    await until("the next is shown", async () => !seen.has(await page.locator(".row.active").getAttribute("id")));
    seen.add(await page.locator(".row.active").getAttribute("id"));
  }
  await page.fill("#find", "crowd.rs");
  await until("nodes of a file are found", async () => Number(await page.textContent("#found")) > 300);
  await page.fill("#find", "number: 7");
  await until("nodes are found by their parameters", async () => Number(await page.textContent("#found")) === 1);
  await page.fill("#find", "nothing of the kind");
  await until("nothing is found", async () => (await page.textContent("#found")) === "0");
  await page.locator("#find").press("Enter");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("nodes that were not visited can be hidden", async () => {
  const page = await open(crowd.url);
  await select(page, "soldier 9");
  await until("the tree is shown", async () => (await nodes(page)) > 300);
  await ticks(page);
  await page.selectOption("#shown-nodes", "tick");
  await until("few are left", async () => (await nodes(page)) < 100);
  await until("all of them were visited in this tick", async () => (await page.locator(".row:not(.fresh)").count()) === 0);
  await page.selectOption("#shown-nodes", "ever");
  await until("each has a status", async () => (await page.locator(".row.never").count()) === 0);
  await page.selectOption("#shown-nodes", "all");
  await until("all are shown again", async () => (await nodes(page)) > 300);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("source locations open the editor that the user has set", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  const link = page.locator(".row a.source").last();
  const href = await link.getAttribute("href");
  const [, path] = /^vscode:\/\/file\/(.*crowd\.rs):\d+:\d+$/.exec(href) ?? [];
  assert.ok(path && existsSync(path), href);
  await page.keyboard.press("?");
  await page.fill("#editor", "idea://open?file={path}&line={line}");
  await page.keyboard.press("Escape");
  await until("the link leads to the other editor", async () => /^idea:\/\/open\?file=.*crowd\.rs&line=\d+$/.test(await link.getAttribute("href")));
  await page.reload();
  await ticks(page);
  assert.match(await link.getAttribute("href"), /^idea:/);
  await page.close();
});

test("links lead to an agent, a node and a tick", async () => {
  const page = await open(crowd.url);
  const first = await firstTick(page);
  await until("ticks arrive", async () => (await number(page)) > first + 12);
  await row(page, "attack").locator(".name").click();
  await page.locator("#timeline").focus();
  for (let at = 0; at < 5; at++) await page.keyboard.press("ArrowLeft");
  await until("the address names what is shown", async () => new URL(page.url()).hash === `#Gus%20the%20guard/4/${await number(page)}`);
  const [url, at] = [page.url(), await number(page)];
  const other = await open(url);
  await until("the tick is shown", async () => (await number(other)) === at);
  assert.equal(await other.locator(".row.active .name").textContent(), "attack");
  await other.evaluate(() => (location.hash = "#soldier 499/2"));
  await until("another agent is shown", async () => (await other.textContent("#agent")) === "soldier 499");
  await until("another node is selected", async () => (await other.locator(".row.active").getAttribute("id")) === "node-2");
  await until("the list is not filtered", async () => (await other.textContent("#count")) === "501 agents");
  const unknown = await open(`${crowd.url}#nobody`);
  await until("a link to an unknown agent shows the first", async () => (await unknown.textContent("#agent")) === "Gus the guard");
  assert.equal(await unknown.textContent("#notice"), "there is no agent “nobody”");
  await unknown.evaluate(() => (location.hash = "#Gus the guard/77"));
  await until("an unknown node is reported", async () => (await unknown.textContent("#notice")) === "the tree has no node 77");
  // Agents beyond those that are listed first.
  const far = await open(`${crowd.url}#soldier%20470`);
  await until("the agent is found", async () => (await far.textContent("#agent")) === "soldier 470");
  await far.reload();
  await until("it stays over a reload", async () => (await far.textContent("#agent")) === "soldier 470");
  await far.close();
  for (const each of [page, other, unknown]) {
    assert.deepEqual(each.errors, []);
    await each.close();
  }
});
