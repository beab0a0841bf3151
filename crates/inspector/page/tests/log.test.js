// The log, and the marks of the timeline.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { agent, describe, number, open, pause, row, showRecording, startCrowd, ticks, until } from "./harness.js";

const crowd = startCrowd();
const lines = (page) => page.locator("#log .change").evaluateAll((all) => all.map((line) => [...line.children].map((part) => part.textContent.trim()).join(" ").trim()));

test("the log lists changes, filtered by node and status; a line leads to its tick and node", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  await page.keyboard.press("l");
  await until("the enemy comes and goes", async () => (await lines(page)).some((line) => /Halted attack/.test(line)));
  const all = await lines(page);
  assert.match(all[0], /^\d+\.\d\d s #\d+ (·|.) → . (Success|Failure|Running|Halted) \S+/);
  await page.fill("#log-text", "ATTACK");
  await until("only the node is listed", async () => (await lines(page)).length > 0 && (await lines(page)).every((line) => line.includes("attack")));
  for (const kind of ["Success", "Failure", "Running", "Error"]) await page.uncheck(`#log input[name=${kind}]`);
  await until("only halts are listed", async () => (await lines(page)).length > 0 && (await lines(page)).every((line) => /Halted attack in guard \/ fight crowd.rs:\d+$/.test(line)));
  const [, tick] = /#(\d+)/.exec((await lines(page))[0]);
  await page.locator("#log .change").first().click();
  await until("the tick is shown", async () => (await number(page)) === Number(tick));
  await until("the node is selected", async () => (await page.locator(".row.active .name").textContent()) === "attack");
  assert.ok((await row(page, "attack").getAttribute("class")).includes("h fresh"));
  await page.fill("#log-text", "nothing");
  await until("nothing is listed", async () => (await lines(page)).length === 0);
  await page.click("#log-button");
  await until("the log is closed", async () => (await page.locator("#log").count()) === 0);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the log contains the changes of followed agents, and only what is visible is in the document", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  await page.keyboard.press("l");
  for (const name of ["soldier 0", "soldier 1"]) await agent(page, name).locator(".eye").click();
  const of = async () => new Set(await page.locator("#log .change .who").allTextContents());
  assert.equal(await page.textContent("#agent"), "Gus the guard", "following does not select");
  await until("there are many changes", async () => parseInt(await page.textContent("#log-count")) > 150);
  assert.ok((await lines(page)).length < 60);
  await page.selectOption("#log-agent", { label: "soldier 1" });
  await page.fill("#log-text", "fight");
  const chosen = await lines(page);
  assert.ok(chosen.length >= 0);
  await page.selectOption("#log-agent", { label: "all followed agents" });
  await page.fill("#log-text", "enemy_near");
  await until("all agents are listed", async () => [...(await of())].sort().join() === "Gus the guard,soldier 0,soldier 1");
  await page.locator("#log .change", { hasText: "soldier 1" }).first().click();
  await until("a line of another agent selects it", async () => (await page.textContent("#agent")) === "soldier 1");
  await until("the node is selected", async () => (await page.locator(".row.active .name").textContent()) === "enemy_near");
  await page.locator("#followed button").click();
  await until("none is followed", async () => (await page.locator("#followed").count()) === 0);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("halts and changes of the running leaf are marked above the timeline, with an axis of time below", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  await until("the attack is halted", async () => (await row(page, "attack").getAttribute("class")).includes("h stale"));
  const colors = () =>
    page.evaluate(() => {
      const canvas = document.querySelector("#timeline");
      const pen = canvas.getContext("2d");
      const count = (y) => {
        const { data } = pen.getImageData(0, y, canvas.width, 1);
        const found = new Set();
        for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) found.add([...data.slice(at, at + 3)].join());
        return [...found];
      };
      const below = pen.getImageData(0, canvas.height - 10, canvas.width, 9).data.some((value, at) => at % 4 === 3 && value > 100);
      return { top: count(1), below };
    });
  // The colors of the style sheet: --h and --faint.
  await until("marks are drawn", async () => (await colors()).top.includes("21,101,192"));
  assert.ok((await colors()).top.includes("95,98,105"));
  assert.ok((await colors()).below, "there are labels below");
  await page.close();
});

test("the times of the axis have as many digits as their distance needs", async () => {
  const nodes = [describe(0, null, "act")];
  for (const [distance, digits] of [[0, 0], [0.0001, 3], [0.016, 1], [0.4, 0], [20, 0]]) {
    const times = Array.from({ length: distance ? 400 : 1 }, (_, tick) => ({ agent: 0, tick, now: 34.9 + tick * distance, status: "Running", events: "0r" }));
    const { url } = await showRecording(`every ${distance} s`, nodes, times);
    for (const width of [1280, 390]) {
      const labels = new Set();
      const page = await open(url, { width, height: 760 }, async (page) => {
        await page.exposeFunction("drawn", (label) => labels.add(label));
        await page.addInitScript(() => {
          const { fillText } = CanvasRenderingContext2D.prototype;
          CanvasRenderingContext2D.prototype.fillText = function (label, ...place) {
            window.drawn(label);
            return fillText.call(this, label, ...place);
          };
        });
      });
      await until("all ticks arrive", async () => (await number(page)) === times.length - 1);
      // The labels of one drawing.
      await pause(300);
      labels.clear();
      await page.click("#theme");
      await until("labels are drawn", () => labels.size > (distance ? 1 : 0));
      const most = Math.max(...[...labels].map((label) => /^\d+(?:\.(\d+))? s$/.exec(label)[1]?.length ?? 0));
      assert.ok(most <= (distance ? digits : 3), `${[...labels].join(", ")} for ticks every ${distance} s, ${width} px`);
      assert.equal(new Set([...labels].map(parseFloat)).size, labels.size, "each label names another time");
      assert.deepEqual(page.errors, []);
      await page.close();
    }
  }
});

/** A patrol with parameters, labels and source locations, of which two agents have 120 ticks. */
function showPatrol() {
  const nodes = [
    describe(0, null, "selector", { kind: "Composite", label: "guard", location: "src/guard.rs:10:5" }),
    describe(1, 0, "sequence", { kind: "Composite", label: "patrol", location: "src/guard.rs:11:9" }),
    describe(2, 1, "go", { params: [{ name: "x", value: "5", type_name: "i32" }], location: "src/guard.rs:12:13" }),
    describe(3, 1, "rest", { label: "short break", location: "src/guard.rs:13:13" }),
    describe(4, 0, "sleep", { location: "src/guard.rs:14:9" }),
  ];
  const events = ["0r 1r 2r", "0R 1R 2S 3e", "0r 1f 2f 4r"];
  const ticks = [0, 1].flatMap((agent) => Array.from({ length: 120 }, (_, tick) => ({ agent, tick, now: tick / 20, status: "Running", events: events[tick % 3], ...(tick % 3 === 1 ? { reasons: [[3, "no bench"]] } : {}) })));
  return showRecording("patrol", nodes, [{ agent: 0, name: "Ann" }, { agent: 1, name: "Bob" }, ...ticks]);
}

test("a line names its node with parameters, label, path and source; the log is filtered by text and by a part of the tree", async () => {
  const { url } = await showPatrol();
  const page = await open(url, { width: 1280, height: 800 });
  await until("the tree is shown", async () => (await page.locator(".row").count()) === 5);
  await page.keyboard.press("l");
  await until("the log is shown", async () => (await lines(page)).length > 5);
  const count = async () => parseInt(await page.textContent("#log-count"));
  const all = await count();
  const every = async (holds) => (await lines(page)).length > 0 && (await lines(page)).every(holds);
  await page.fill("#log-text", "X: 5");
  await until("parameters are searched", () => every((line) => /go\(x: 5\) in guard \/ patrol guard\.rs:12$/.test(line)));
  await page.fill("#log-text", "NO BENCH");
  await until("reasons are searched", () => every((line) => /Error rest "short break" no bench in guard \/ patrol guard\.rs:13$/.test(line)));
  await page.fill("#log-text", "guard.rs:14");
  await until("sources are searched", () => every((line) => /sleep in guard guard\.rs:14$/.test(line)));
  await page.fill("#log-text", "");
  // A node, and the nodes below it. It stays chosen when another node is selected.
  await page.locator("#node-1 .name").click();
  await page.selectOption("#log-scope", { label: "only “patrol”" });
  await until("one node is listed", () => every((line) => line.includes('sequence "patrol"')));
  await page.selectOption("#log-scope", { label: "at and below “patrol”" });
  await until("nodes below are listed", async () => (await every((line) => !/sleep|selector/.test(line))) && (await lines(page)).some((line) => line.includes("go(x: 5)")));
  await page.locator("#node-4 .name").click();
  await until("the choice stays", () => every((line) => !line.includes("sleep")));
  await page.selectOption("#log-scope", { label: "only “sleep”" });
  await until("another node is chosen", () => every((line) => line.includes("sleep")));
  await page.selectOption("#log-scope", { label: "all nodes" });
  await until("all are listed", async () => (await count()) === all);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("keys move in the log, and what is listed can be saved as text and as JSON", async () => {
  const { url } = await showPatrol();
  for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 760 }]) {
    const page = await open(url, viewport);
    await until("the tree is shown", async () => (await page.locator(".row").count()) === 5);
    await page.locator("#list .agent .eye").nth(1).click();
    await page.keyboard.press("l");
    await page.selectOption("#log-agent", { label: "Bob" });
    await page.fill("#log-text", "short break");
    await until("40 errors are listed", async () => (await page.textContent("#log-count")) === "40 changes");
    await page.locator("#log .lines").focus();
    const cursor = () => page.locator("#log .change.cursor .number").textContent();
    for (const [key, tick] of [["Home", 1], ["ArrowDown", 4], ["ArrowDown", 7], ["PageDown", 31], ["ArrowUp", 28], ["End", 118]]) {
      await page.keyboard.press(key);
      await until(`${key} leads to tick ${tick}`, async () => (await cursor()) === `#${tick}`);
    }
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await until("the agent, tick and node are shown", async () => (await page.textContent("#agent")) === "Bob" && (await number(page)) === 115 && (await page.locator("#node-3.active").count()) === 1);
    assert.equal(await page.evaluate(() => document.activeElement.className), "lines", "the focus stays in the log");
    const saved = async (button) => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
      return [download.suggestedFilename(), readFileSync(await download.path(), "utf8")];
    };
    const [name, text] = await saved("#log-save-text");
    assert.equal(name, "log.txt");
    assert.equal(text.split("\n").length, 41);
    assert.equal(text.split("\n")[1], '0.200 s\t#4\tBob\terror -> error\trest "short break"\tguard / patrol\tsrc/guard.rs:13:13\tno bench');
    const [jsonName, json] = await saved("#log-save-json");
    assert.equal(jsonName, "log.json");
    const node = { id: 3, name: "rest", label: "short break", path: ["guard", "patrol"], location: "src/guard.rs:13:13" };
    assert.deepEqual(JSON.parse(json)[0], { agent: "Bob", tick: 1, seconds: 0.05, node, from: null, to: "error", text: "no bench" });
    assert.equal(JSON.parse(json).length, 40);
    assert.deepEqual(page.errors, []);
    await page.close();
  }
});

test("a failure is logged again if it has another reason, and its reason is shown at the node", async () => {
  const nodes = [describe(0, null, "sequence", { kind: "Composite" }), describe(1, 0, "grasp")];
  const reasons = ["slipped", "slipped", "out of reach"];
  const ticks = reasons.map((reason, tick) => ({ agent: 0, tick, now: tick, status: "Failure", events: "0f 1f", reasons: [[1, reason]] }));
  const { url } = await showRecording("reasons", nodes, ticks);
  const page = await open(url);
  await until("all ticks arrive", async () => (await number(page)) === 2);
  await page.keyboard.press("l");
  await until("the log is shown", async () => (await lines(page)).length > 0);
  const of = (await lines(page)).filter((line) => line.includes("grasp"));
  assert.equal(of.length, 2, of.join("; "));
  assert.match(of[0], /#0 .* Failure grasp slipped/);
  assert.match(of[1], /#2 .* Failure grasp out of reach/);
  assert.match(await row(page, "grasp").textContent(), /out of reach/);
  assert.deepEqual(page.errors, []);
  await page.close();
});
