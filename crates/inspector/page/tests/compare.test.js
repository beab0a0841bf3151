// Two ticks side by side.

import assert from "node:assert/strict";
import { test } from "node:test";
import { agent, describe, is, number, open, select, showRecording, start, ticks, until } from "./harness.js";

const rows = (page) => page.locator("#compare-list .compared");
const shown = (page) => page.textContent("#compare-count");
/** Returns the differing nodes in both columns. */
const differing = (page, column) => page.locator(`${column} .differs`).evaluateAll((all) => all.map((row) => Number(row.dataset.node)));

/** Two agents on a tree of 6 nodes, with values. Bob begins later. */
function showTwo() {
  const nodes = [
    describe(0, null, "selector", { kind: "Composite", label: "guard" }),
    describe(1, 0, "sequence", { kind: "Composite", label: "fight" }),
    describe(2, 1, "near", { kind: "Condition" }),
    describe(3, 1, "attack"),
    describe(4, 0, "patrol", { params: [{ name: "x", value: "5", type_name: "i32" }] }),
    describe(5, 0, "look"),
  ];
  const [calm, fight] = ["0r 1f 2f 4r", "0R 1r 2s 3r 4h"];
  const lines = [{ agent: 0, name: "Ann" }, { agent: 1, name: "Bob" }];
  for (let tick = 0; tick < 100; tick++) {
    lines.push({ agent: 0, tick, now: tick / 10, status: "Running", events: tick === 60 ? fight : tick > 60 ? "0R 1R 2S 3R" : tick ? "0R 1f 2f 4R" : calm });
    lines.push({ agent: 0, variable: "health", value: String(100 - tick) }, { agent: 0, variable: "place", value: JSON.stringify({ x: tick, room: "hall" }) });
    if (tick < 20) continue;
    lines.push({ agent: 1, tick: tick - 20, now: tick / 10, status: "Running", events: tick > 20 ? "0R 1f 2f 4R" : calm });
    lines.push({ agent: 1, variable: "health", value: "70" }, { agent: 1, variable: "place", value: JSON.stringify({ x: 3, room: "hall", "door": true }) });
  }
  return showRecording("two", nodes, lines);
}

test("a tick is compared with an earlier one of the same agent", async () => {
  const { url } = await showTwo();
  for (const viewport of [{ width: 1280, height: 800 }, { width: 640, height: 400 }, { width: 390, height: 760 }]) {
    const page = await open(url, viewport);
    await until("all ticks arrive", async () => (await number(page)) === 99);
    await page.click("#compare-button");
    await until("the tick before is shown", async () => /^tick 98, at 9\.80 s: 0 nodes and 2 values differ$/.test(await shown(page)));
    assert.equal(await rows(page).count(), 6);
    await page.fill("#compare-earlier", "50");
    await until("the tick 50 ticks before is shown", async () => (await shown(page)) === "tick 49, at 4.90 s: 4 nodes and 2 values differ");
    // Running here; not visited, failed or running there.
    for (const column of ["#tree", "#compare-list"]) assert.deepEqual(await differing(page, column), [1, 2, 3, 4], column);
    assert.equal((await page.locator("#compare-4").textContent()).trim(), "▶patrol(x: 5)running, differs: not visited in the shown tick≠ ·");
    assert.deepEqual(await page.locator("#compare-values tr").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent).join(" | "))), ["value | shown tick | tick 49", "health | 1 | 51", "place.x | 99 | 49"]);
    await page.check("#compare-only");
    await until("only differences are left", async () => (await rows(page).count()) === 4 && (await page.locator("#tree .row").count()) === 4);
    // A pinned tick stays while another tick is shown.
    await page.selectOption("#compare-when", "pinned");
    assert.equal(await page.inputValue("#compare-tick"), "49");
    await page.locator("#timeline").focus();
    await page.keyboard.press("Home");
    await until("the first tick is compared with tick 49", async () => (await number(page)) === 0 && (await shown(page)) === "tick 49, at 4.90 s: 0 nodes and 2 values differ");
    await page.fill("#compare-tick", "500");
    await until("a tick that is not stored is reported", async () => (await page.textContent("#compare .hint")) === "Tick 500 of Ann is not stored.");
    await page.selectOption("#compare-when", "same");
    await until("the same tick is reported", async () => (await page.textContent("#compare .hint")).startsWith("This is the shown tick itself"));
    await page.selectOption("#compare-when", "earlier");
    await until("a time before the first tick is reported", async () => (await page.textContent("#compare .hint")) === "There is no tick of Ann at that time.");
    await page.keyboard.press("Escape");
    await page.locator("#compare-bar button").click();
    await until("the comparison is ended", async () => (await page.locator("#compare, #compare-bar").count()) === 0);
    assert.deepEqual(page.errors, []);
    await page.close();
  }
});

test("two agents are compared at the same time, with words for screen readers, and keys select nodes in both", async () => {
  const { url } = await showTwo();
  const page = await open(url, { width: 1280, height: 800 });
  await until("all ticks arrive", async () => (await number(page)) === 99);
  await page.keyboard.press("c");
  await page.selectOption("#compare-agent", { label: "Bob" });
  await until("the tick at the same time is shown, and the agent is followed", async () => (await shown(page)) === "tick 79, at 9.90 s: 4 nodes and 3 values differ");
  assert.equal(await page.locator("#followed .agent").count(), 1);
  assert.deepEqual(await page.locator("#compare-values tr").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent).join(" | "))), ["value | shown tick | Bob", "health | 1 | 70", "place.x | 99 | 3", "place.door | none | true"]);
  const lefts = await page.locator("#tree, #compare-list").evaluateAll((all) => all.map((one) => [one.getBoundingClientRect().left, one.getBoundingClientRect().top]));
  assert.ok(lefts[0][0] < lefts[1][0] && lefts[0][1] === lefts[1][1], "they are side by side, row by row");
  const client = await page.context().newCDPSession(page);
  const { nodes } = await client.send("Accessibility.getFullAXTree");
  const names = nodes.filter((node) => !node.ignored).map((node) => node.name?.value);
  for (const name of ["attack running, differs", "attack not visited, differs: running in the shown tick", 'selector "guard" running']) assert.ok(names.includes(name), name);
  await page.locator("#compare-list").focus();
  for (const [key, node] of [["End", 5], ["ArrowUp", 4], ["Home", 0], ["ArrowDown", 1]]) {
    await page.keyboard.press(key);
    await until(`${key} selects the node in both`, async () => (await is(page.locator(`#node-${node}`), "active")) && (await is(page.locator(`#compare-${node}`), "active")));
  }
  await page.click("#as-graph");
  await until("the graph is beside it", () => page.locator("#graph").isVisible());
  assert.equal(await rows(page).count(), 6);
  await page.click("#as-outline");
  // Ten seconds of Ann begin before those of Bob.
  await page.locator("#timeline").focus();
  await page.keyboard.press("Home");
  await until("a time before the first tick is reported", async () => (await page.textContent("#compare .hint")) === "There is no tick of Bob at that time.");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("agents of 300 nodes are compared while they run and scroll together; agents of another tree are not", async () => {
  const { url } = await start("examples/crowd", "--soldiers", "300");
  for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 760 }]) {
    const page = await open(url, viewport);
    await select(page, "soldier 3");
    await page.fill("#search", "soldier 7");
    await until("it is listed", async () => (await agent(page, "soldier 7").count()) === 1);
    await page.click("#compare-button");
    await page.selectOption("#compare-agent", { label: "soldier 7" });
    await until("they differ", async () => / ([1-9]\d*) nodes? and ([1-9]\d*) values? differ$/.test(await shown(page)));
    const before = await number(page);
    await ticks(page);
    assert.ok((await number(page)) > before);
    await page.locator("#tree").evaluate((tree) => (tree.scrollTop = 2000));
    await until("the other column scrolls, too", async () => (await page.locator("#compare-list").evaluate((list) => list.scrollTop)) === 2000);
    await page.locator("#compare-list").evaluate((list) => (list.scrollTop = 1000));
    await until("and the other way", async () => (await page.locator("#tree").evaluate((tree) => tree.scrollTop)) === 1000);
    assert.ok((await rows(page).count()) < 60, "only visible rows are in the document");
    for (const part of ["#tree", "#compare-list"]) assert.ok((await page.locator(part).boundingBox()).height >= 160, `${part} is tall enough, ${viewport.width} px`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await page.fill("#search", "Gus");
    await until("the guard is listed", async () => (await agent(page, "Gus the guard").count()) === 1);
    await page.selectOption("#compare-agent", { label: "Gus the guard" });
    await until("another tree is reported", async () => (await page.textContent("#compare .hint")) === "Gus the guard has another tree, guard: only agents of one tree can be compared.");
    assert.deepEqual(page.errors, []);
    await page.close();
  }
});
