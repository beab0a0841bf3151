// The tree as an outline.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { describe, firstTick, nodes, number, open, row, select, showRecording, showRoot, start, startCrowd, ticks, until } from "./harness.js";

const crowd = startCrowd();

test("only the visible rows are in the document, and the tree scrolls", async () => {
  const page = await open(crowd.url);
  await page.fill("#search", "soldier 499");
  await until("the agent is found", async () => (await page.textContent("#count")) === "1 of 501 agents");
  await page.click('#list .agent:has-text("soldier 499")');
  await until("the tree is shown", async () => (await nodes(page)) > 300);
  const ids = () => page.locator("#tree .row").evaluateAll((rows) => rows.map((row) => Number(row.dataset.node)));
  const count = await nodes(page);
  await page.locator("#tree").focus();
  await page.keyboard.press("Home");
  await until("the first row is shown", async () => (await ids())[0] === 0);
  assert.ok((await ids()).length < 60);
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
  await until("the leaves are listed", async () => /^▶ (go|rest|attack) running$/.test((await page.locator("#running .chip").allTextContents()).join()));
  await until("the list follows the agent", async () => (await page.locator("#running .chip").allTextContents()).join() === "▶ attack running");
  await page.locator("#running .chip").first().click();
  // The agent goes on: another leaf may run when the chip is clicked.
  const path = async () => (await page.locator("#crumbs button").allTextContents()).join("/");
  await until("the path is shown", async () => /^guard\/guard\/(fight\/attack|patrol\/(go|rest))$/.test(await path()));
  await page.locator("#crumbs button", { hasText: /^(fight|patrol)$/ }).click();
  await until("a part of the path is selected", async () => /^(mem_)?sequence$/.test(await page.locator(".row.active .name").textContent()));
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

/** A tree of 60 leaves below a path of 12 labeled nodes, of which the last leaf is running. */
function tall() {
  const nodes = [describe(0, null, "selector", { kind: "Composite", label: "a rather long label of the root" })];
  for (let id = 1; id < 12; id++) nodes.push(describe(id, id - 1, "sequence", { kind: "Composite", label: `a rather long label ${id}` }));
  while (nodes.length < 72) nodes.push(describe(nodes.length, 11, "act", { label: `act ${nodes.length}` }));
  return nodes;
}
const path = Array.from({ length: 12 }, (_, id) => `${id}r`).join(" ");

test("the first view of an agent shows its running leaf, once", async () => {
  const tick = (agent, tick, leaf) => ({ agent, tick, now: tick / 20, status: "Running", events: `${path} ${leaf}r` });
  const lines = [0, 1].flatMap((agent) => [{ agent, name: `agent ${agent}` }, tick(agent, 0, 71), tick(agent, 1, 12), tick(agent, 2, 70)]);
  const { url } = await showRecording("tall", tall(), lines);
  const page = await open(url, { width: 1280, height: 800 });
  const isInView = (node) =>
    page.evaluate((node) => {
      const [tree, row] = [document.querySelector("#tree"), document.querySelector(`#node-${node}`)].map((one) => one?.getBoundingClientRect());
      return row !== undefined && row.top >= tree.top && row.bottom <= tree.bottom + 1;
    }, node);
  const top = () => page.locator("#tree").evaluate((tree) => tree.scrollTop);
  await until("the running leaf is in view", () => isInView(70));
  assert.equal(await page.locator(".row.active").count(), 0, "it is not selected");
  const shown = await top();
  await page.keyboard.press("ArrowLeft");
  await until("the tick before is shown", async () => (await number(page)) === 1);
  assert.equal(await top(), shown, "the tree stays where it is");
  await page.locator("#list").focus();
  await page.keyboard.press("ArrowDown");
  await until("the leaf of another agent is in view", async () => (await page.textContent("#agent")) === "agent 1" && (await isInView(70)));
  await page.locator("#tree").hover();
  await page.mouse.wheel(0, -5000);
  await until("the tree is scrolled", async () => (await top()) === 0);
  await page.locator("#list").focus();
  await page.keyboard.press("ArrowUp");
  await until("the first agent is shown", async () => (await page.textContent("#agent")) === "agent 0");
  await page.waitForTimeout(200);
  assert.equal(await top(), 0, "the second view of an agent scrolls nowhere");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the rows above the tree stay as tall as they are, and say how much they clip", async () => {
  const leaves = (count) => Array.from({ length: count }, (_, at) => `${12 + at}r`).join(" ");
  const ticks = [60, 1, 0, 25].map((count, tick) => ({ agent: 0, tick, now: tick, status: "Running", events: `${path} ${leaves(count)}` }));
  const { url } = await showRecording("many-leaves", tall(), [{ agent: 0, name: "Ann with a rather long name of her own" }, ...ticks]);
  for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 760 }]) {
    const page = await open(url, viewport);
    const place = () => page.evaluate(() => ["#bars", "#running", "#tree"].map((id) => ((box) => [box.top + scrollY, box.height].join())(document.querySelector(id).getBoundingClientRect())).join(" "));
    await until("25 leaves are running", async () => (await page.locator("#leaves .chip").count()) === 25);
    const before = await place();
    for (const count of [0, 1, 60]) {
      await page.locator("#timeline").focus();
      await page.keyboard.press("ArrowLeft");
      if (count) await until(`${count} leaves are running`, async () => (await page.locator("#leaves .chip").count()) === count);
      assert.equal(await place(), before, `${count} leaves, ${viewport.width} px`);
    }
    const hidden = async (strip) => Number((await page.locator(`.strip:has(${strip}) .more`).textContent()).slice(1));
    const visible = (strip) => page.locator(`${strip} button`).evaluateAll((all) => all.filter((one) => ((inner, outer) => inner.left >= outer.left - 2 && inner.right <= outer.right + 2)(one.getBoundingClientRect(), one.parentElement.getBoundingClientRect())).length);
    await until("the number of clipped leaves is shown", async () => (await hidden("#leaves")) > 40 && (await hidden("#leaves")) + (await visible("#leaves")) === 60);
    await page.locator("#leaves .chip").first().focus();
    await page.keyboard.press("End");
    await until("keys reach the last leaf", async () => (await page.evaluate(() => document.activeElement.textContent)) === "▶ act 71 running");
    await page.keyboard.press("Enter");
    await until("the end of the path is visible", async () => (await hidden("#crumbs")) + (await visible("#crumbs")) === 13 && (await hidden("#crumbs")) > 5);
    assert.ok(await page.locator("#crumbs button").last().evaluate((one) => one.getBoundingClientRect().right <= innerWidth));
    assert.equal(await place(), before, "with a long path");
    assert.deepEqual(page.errors, []);
    await page.close();
  }
});

test("visits and outcomes are counted over all agents of the tree, and nodes that none has visited are named", async () => {
  const { url } = await start("examples/crowd", "--soldiers", "20");
  const page = await open(url);
  await ticks(page);
  await select(page, "soldier 3");
  await showRoot(page);
  await page.selectOption("#heat", "all");
  const extra = (name) => row(page, name).locator(".extra").textContent();
  // Numbers become 1.2K within seconds, and an agent whose tree has just ended is not here.
  await until("visits of all agents are counted", async () => /^×[\d.]+K? · .*▶ \d+ %.* · (1\d|20) here$/.test(await extra("soldier")));
  assert.match(await page.textContent("#overview"), /^20 agents, [\d.]+K? ticks so far$/);
  await until("some nodes are not visited", async () => (await page.locator(".row .extra", { hasText: "never visited" }).count()) > 0);
  assert.ok(Number(await row(page, "soldier").evaluate((row) => row.style.getPropertyValue("--hot"))) > 0.5);
  await page.selectOption("#heat", "off");
  await until("nothing is counted", async () => (await extra("soldier")) === "");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the name of a node has the size of its state", async () => {
  const page = await open(crowd.url);
  await select(page, "Gus the guard");
  await until("the tree is shown", async () => (await nodes(page)) > 3 && (await row(page, "attack").count()) === 1);
  const memory = (name) => row(page, name).locator(".name").getAttribute("title");
  assert.equal(await memory("sequence"), "memory: 1 byte while it runs");
  assert.equal(await memory("rest"), "memory: 4 bytes while it runs");
  assert.equal(await memory("enemy_near"), null);
  assert.deepEqual(page.errors, []);
  await page.close();
});
