// A program whose tree is replaced while it runs.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { agent, firstTick, folder, number, open, pause, row, select, start, text, until } from "./harness.js";

/** Writes a Behavior3 file of a tree: nodes as `[id, name, children, properties]`. */
function write(path, tree) {
  const nodes = {};
  const add = ([id, name, children = [], properties = {}]) => {
    nodes[id] = { name, properties, ...(name === "MaxTime" ? { child: children[0][0] } : children.length ? { children: children.map(([child]) => child) } : {}) };
    children.forEach(add);
  };
  add(tree);
  writeFileSync(path, JSON.stringify({ title: "guard", root: tree[0], nodes }));
}

const fight = ["fight", "Sequence", [["enemy", "Enemy"], ["attack", "Attack"]]];
const nap = ["nap", "MemSequence", [["tired", "Tired"], ["rest", "Rest"]]];
const walk = ["walk", "Walk"];
const before = ["root", "Priority", [nap, fight, walk]];
/** `walk` is wrapped, `fight` is the first child, `rest` is gone. */
const after = ["root", "Priority", [fight, ["nap", "MemSequence", [["tired", "Tired"]]], ["patrol", "MaxTime", [walk], { maxTime: 9_000_000 }]]];

const names = (page) => page.locator("#tree .name").allTextContents();
const changes = (page) => page.locator("#log .change.of-tree").evaluateAll((all) => all.map((line) => [...line.children].slice(2).map((part) => part.textContent).join(": ")));

/** Starts a herd, and opens a page with one of its agents. */
async function herd(name) {
  const path = join(folder, `${name}.b3.json`);
  write(path, before);
  // However slow the machine is, the guards walk until the end of a test.
  const { url } = await start("examples/herd", path, "--agents", "200", "--energy", "100000");
  const page = await open(url);
  await until("all agents are registered", async () => (await text(page, "#count")) === "200 agents");
  await select(page, "guard 3");
  await firstTick(page);
  await until("the tree is shown", async () => (await names(page)).length === 8);
  return { page, path, url };
}

test("what the page knows of the nodes goes on when the tree is replaced", async () => {
  const { page, path } = await herd("goes-on");
  const set = async (node) => {
    await row(page, node).locator(".dot").click();
    await page.check("#breaks input[name=Error]");
    await page.keyboard.press("Escape");
  };
  for (const node of ["Rest", "Walk"]) await set(node);
  await until("the breakpoints are set", async () => (await page.locator("#breakpoints li").count()) === 2);
  await row(page, "sequence").locator(".twist").click();
  await until("the sequence is folded", async () => !(await names(page)).includes("Attack"));
  await row(page, "Walk").locator(".name").click();
  await page.click("#filter summary");
  await page.getByText("+ ticks in “Walk”").click();
  await page.selectOption("#heat", "all");
  await until("the nodes are counted", async () => /^×/.test(await row(page, "Tired").locator(".extra").textContent()));
  await page.keyboard.press("l");
  await until("guard 3 walks", async () => Number(await agent(page, "guard 3").locator(".cell").textContent()) > 20);
  const last = await number(page);

  write(path, after);
  await until("the new tree is shown", async () => (await names(page)).join() === "selector,sequence,mem_sequence,Tired,timeout,Walk");
  assert.equal(await text(page, "#agent"), "guard 3");
  assert.equal(await text(page, "#notice"), "the tree was replaced: 1 added, 1 removed, 1 moved; the breakpoint at “Rest” is gone");
  assert.equal(await page.locator(".row.active .name").textContent(), "Walk");
  await until("one breakpoint is left", async () => (await page.locator("#breakpoints li button.link").first().textContent()) === "Walk" && (await page.locator("#breakpoints li").count()) === 1);
  assert.ok(await row(page, "Walk").locator(".dot.set").isVisible());
  await until("the log has the change", async () => (await changes(page)).join() === "the tree was replaced: 1 added, 1 removed, 1 moved; the breakpoint at “Rest” is gone");
  await until("the walk goes on", async () => Number(await agent(page, "guard 3").locator(".cell").textContent()) > 25);
  await until("the counts go on", async () => /^×\S+ · .* here$/.test(await row(page, "Walk").locator(".extra").textContent()));
  await until("ticks are counted on", async () => (await number(page)) > last + 3);

  // Back over the change.
  await page.locator("#log .change.of-tree").click();
  await until("the first tick with the new tree is shown", async () => /, first in a new tree$/.test(await text(page, "#tick")));
  await page.locator("#timeline").focus();
  await page.keyboard.press("ArrowLeft");
  await until("the old tree is shown", async () => (await names(page)).join() === "selector,mem_sequence,Tired,Rest,sequence,Walk");
  assert.equal(await text(page, "#where"), "guard, before the tree was replaced");
  assert.equal(await page.locator(".row.active .name").textContent(), "Walk");
  assert.match(await row(page, "Walk").getAttribute("class"), /\br fresh\b/);
  assert.equal(await row(page, "Rest").locator(".dot.set").count(), 0);
  await row(page, "Rest").locator(".dot").click();
  await page.check("#breaks input[name=Error]");
  await until("no breakpoint can be set at a node that is gone", async () => /^the tree was replaced, and node \d+ is gone$/.test(await text(page, "#notice")));
  await page.keyboard.press("Escape");
  await page.click("#live");
  await until("the new tree is shown again", async () => (await names(page)).includes("timeout"));

  // A recording contains both trees.
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  const lines = readFileSync(await file.path(), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual([lines[0].version, lines.filter((line) => line.matching).map((line) => line.matching)], [2, [[0, 4, 5, null, 1, 2, 3, 7]]]);
  const versions = lines.filter((line) => line.tick !== undefined).map((line) => line.version ?? 0);
  assert.deepEqual([...new Set(versions)], [0, 1]);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a tree that is put back keeps its nodes, and a page that is opened later shows all trees", async () => {
  const { page, path, url } = await herd("put-back");
  await row(page, "Walk").locator(".name").click();
  for (const [tree, shown] of [[after, "timeout"], [before, "Rest"]]) {
    const last = await number(page);
    write(path, tree);
    await until(`${shown} is there`, async () => (await names(page)).includes(shown));
    await until("ticks are counted on", async () => (await number(page)) > last + 5);
    await pause(200);
  }
  assert.equal(await page.locator(".row.active .name").textContent(), "Walk");
  // A link names a node of the tree of its tick.
  await page.keyboard.press("l");
  await page.locator("#log .change.of-tree").last().click();
  await row(page, "timeout").waitFor({ state: "detached" });
  await page.locator("#timeline").focus();
  await page.keyboard.press("ArrowLeft");
  await row(page, "timeout").locator(".name").click();
  const [, link] = /(#.*)/.exec(page.url());
  assert.match(link, /^#guard%203\/6\/\d+$/);
  const other = await open(`${url}${link}`);
  await until("the agent is shown", async () => (await text(other, "#agent")) === "guard 3");
  await until("the tick is shown in its tree", async () => (await number(other)) === Number(link.split("/")[2]) && (await other.locator(".row.active .name").textContent()) === "timeout");
  await other.keyboard.press("l");
  await until("the log has both changes", async () => (await changes(other)).join() === "the tree was replaced: 1 added, 1 removed, 1 moved,the tree was replaced: 1 added, 1 removed, 1 moved");
  await page.close();
  assert.deepEqual([...page.errors, ...other.errors], []);
  await other.close();
});
