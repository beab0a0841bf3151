// The tree as a graph.

import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, is, open, pause, select, showRecording, startCrowd, ticks, until } from "./harness.js";

const crowd = startCrowd();
const node = (page, name) => page.locator("#graph .node", { has: page.locator(`.name:text("${name}")`) }).first();
const inside = async (page, locator) => {
  const [box, frame] = [await locator.boundingBox(), await page.locator("#graph").boundingBox()];
  return box !== null && box.x >= frame.x && box.y >= frame.y && box.x + box.width <= frame.x + frame.width && box.y + box.height <= frame.y + frame.height;
};

test("a graph shows the statuses of a whole small tree, and its breakpoints", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  await page.click("#as-graph");
  await until("all nodes are shown", async () => (await page.locator("#graph .node").count()) === 10);
  for (const each of await page.locator("#graph .node").all()) assert.ok(await inside(page, each));
  await until("the root is running", () => is(node(page, "guard"), "r", "fresh"));
  await until("the enemy appears", () => is(node(page, "attack"), "r", "fresh"));
  await until("the enemy disappears", () => is(node(page, "attack"), "h", "stale"));
  await node(page, "attack").locator(".dot").click();
  await page.check("#breaks input[name=Running]");
  await page.keyboard.press("Escape");
  await until("the agent stops there", () => is(node(page, "attack"), "at"));
  await page.click("#remove");
  await page.click("#pause");
  await until("the agent continues", async () => !(await is(node(page, "attack"), "at")));
  await page.keyboard.press("g");
  await until("the outline is shown again", () => page.locator("#tree").isVisible());
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a large graph can be panned, zoomed, and moved by its minimap; only what is visible is in the document", async () => {
  const page = await open(crowd.url);
  await select(page, "soldier 7");
  await page.click("#as-graph");
  const count = () => page.locator("#graph .node").count();
  await until("nodes are shown", async () => (await count()) > 0);
  const shift = () => page.locator("#graph svg > g").getAttribute("transform");
  const [before, few] = [await shift(), await count()];
  assert.ok(few < 150, `${few} nodes`);
  const frame = await page.locator("#graph").boundingBox();
  await page.mouse.move(frame.x + 300, frame.y + 80);
  await page.mouse.down();
  await page.mouse.move(frame.x + 340, frame.y + 140, { steps: 4 });
  await page.mouse.up();
  await until("the graph is panned", async () => (await shift()) !== before);
  const panned = await shift();
  await page.mouse.wheel(0, -200);
  await until("the graph is zoomed", async () => (await shift()) !== panned);
  await page.click("#fit");
  const silhouettes = () => page.locator("#graph .silhouettes").evaluateAll((all) => all.reduce((sum, one) => sum + Number(one.dataset.count), 0));
  await until("the whole tree is shown", async () => (await silhouettes()) > 300);
  const root = await page.locator("#graph .node.active").boundingBox();
  const middle = await page.locator("#graph").boundingBox();
  await page.mouse.click(middle.x + middle.width / 2, middle.y + middle.height / 2);
  await page.mouse.click(root.x + root.width / 2, root.y + root.height / 2);
  await until("a click selects the node at the mouse", async () => (await page.locator("#crumbs button").count()) === 1);
  await page.locator("#zoom button").first().click();
  const zoomed = await shift();
  const map = await page.locator("#minimap").boundingBox();
  await page.mouse.click(map.x + map.width / 2, map.y + 5);
  await until("the graph is moved", async () => (await shift()) !== zoomed);
  // A node that is searched for is moved into view; a click selects it, a double click collapses it.
  await page.fill("#find", "drill");
  await page.locator("#find").press("Enter");
  await until("the node is in view", () => inside(page, node(page, "drill")));
  await until("it is marked", () => is(node(page, "drill"), "found", "active"));
  const link = await page.locator("#crumbs").textContent();
  assert.match(link, /soldier.*drill/);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("keys move between the nodes of a graph, and collapsed nodes are those of the outline", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  await page.click("#as-graph");
  await page.locator("#graph-tree").focus();
  const active = () => page.locator("#graph .node.active .name").textContent();
  await until("the root is active", async () => (await active()) === "guard");
  for (const [key, name] of [["ArrowRight", "guard (selector)"], ["ArrowRight", "fight (sequence)"], ["ArrowDown", "patrol (mem_sequence)"], ["ArrowLeft", "guard (selector)"], ["End", "guard (selector)"]]) {
    await page.keyboard.press(key);
    await until(`${key} leads to ${name}`, async () => (await active()) === name);
  }
  await page.keyboard.press("Enter");
  await until("the nodes below are collapsed", async () => (await page.locator("#graph .node").count()) === 2);
  await page.click("#as-outline");
  await until("they are collapsed in the outline", async () => (await page.locator(".row").count()) === 2);
  await page.reload();
  await pause(300);
  await until("folds stay over a reload", async () => (await page.locator(".row").count()) === 2);
  await page.click("#expand");
  await until("all are shown", async () => (await page.locator(".row").count()) === 10);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("fit shows the whole of a tree of 1998 nodes, wide or deep", async () => {
  const composite = { kind: "Composite" };
  const wide = [describe(0, null, "selector", composite)];
  while (wide.length < 1998) wide.push(describe(wide.length, 0, "look"));
  const deep = [describe(0, null, "selector", composite)];
  while (deep.length < 1998) deep.push(describe(deep.length, deep.length - 1, "invert", composite));
  for (const [name, nodes] of [["wide", wide], ["deep", deep]]) {
    const { url } = await showRecording(name, nodes, [{ agent: 0, name }, { agent: 0, tick: 0, now: 0, status: "Running", events: "0r 1997r" }]);
    for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 760 }]) {
      const page = await open(url, viewport);
      await until("the tree is shown", async () => (await page.locator(".row").count()) > 5);
      await page.click("#as-graph");
      await page.click("#fit");
      const silhouettes = page.locator("#graph .silhouettes");
      await until("all nodes are drawn", async () => (await silhouettes.evaluateAll((all) => all.reduce((sum, one) => sum + Number(one.dataset.count), 0))) === 1998);
      for (const each of await silhouettes.all()) await until(`${name} nodes are visible`, () => inside(page, each));
      assert.deepEqual(page.errors, []);
      await page.close();
    }
  }
});
