// Recorded files.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { built, firstTick, folder, inChromium, is, load, number, open, pause, record, replaced, row, start, ticks, until, values } from "./harness.js";

test("the page shows a recorded file", async () => {
  const recording = await record();
  const { url } = await start("bt-inspector", recording);
  const page = await open(url);
  await until("all ticks arrive", async () => (await page.textContent("#tick")).startsWith("tick 200 of 201"));
  assert.equal(await page.textContent("#agent"), "Gus");
  assert.equal(await page.textContent("#connection"), "recording");
  assert.ok(await page.locator("#pause").isHidden());
  await page.locator("#timeline").focus();
  await page.keyboard.press("Home");
  await until("the first tick is shown", async () => (await number(page)) === 0);
  for (let tick = 0; tick < 45; tick++) await page.keyboard.press("ArrowRight");
  await until("the enemy appears", () => is(row(page, "attack"), "r", "fresh"));
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the variables of a recording are correct at each tick, in both directions", async () => {
  const recording = await record();
  const [header] = readFileSync(recording, "utf8").split("\n");
  const tick = (agent, tick) => JSON.stringify({ agent, tick, now: tick, status: "Running", events: "0r" });
  const set = (agent, variable, value) => JSON.stringify({ agent, variable, value });
  const lines = [header, set(3, "early", "true"), tick(3, 0), set(3, "hunger", "1"), tick(3, 1), set(3, "__proto__", "7"), set(3, "hunger", null)];
  lines.push(tick(3, 2), tick(3, 3), set(3, "hunger", "2"), "");
  const path = recording.replace("guard", "variables");
  writeFileSync(path, lines.join("\n"));
  const { url } = await start("bt-inspector", path);
  const page = await open(url);
  await until("all ticks arrive", async () => (await page.textContent("#tick")).startsWith("tick 3 of 4"));
  const expected = ["early true hunger 1", "__proto__ 7 early true", "__proto__ 7 early true", "__proto__ 7 early true hunger 2"];
  for (const key of ["ArrowLeft", "ArrowRight", "ArrowLeft"]) {
    for (let step = 0; step < 3; step++) {
      const at = await number(page);
      await until(`the values of tick ${at}`, async () => (await values(page)).join(" ") === expected[at]);
      await page.keyboard.press(key);
      await until("another tick is shown", async () => (await number(page)) !== at);
    }
    const at = await number(page);
    await until(`the values of tick ${at}`, async () => (await values(page)).join(" ") === expected[at]);
  }
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the scores of a utility selector and the reasons of errors are shown", async () => {
  const recording = await record();
  const [header] = readFileSync(recording, "utf8").split("\n");
  const tick = (tick, events) => JSON.stringify({ agent: 3, tick, now: tick, status: "Running", events });
  const path = recording.replace("guard", "scores");
  const failed = JSON.stringify({ agent: 3, tick: 2, now: 2, status: "Error", events: "0E 1=0.5 1e", reasons: [[1, "variable `goal` is not set"]] });
  writeFileSync(path, [header, tick(0, "0r 1=0.75 2=-0.5 1r"), tick(1, "0R 1=NaN 1R"), failed, ""].join("\n"));
  const { url } = await start("bt-inspector", path);
  const page = await open(url);
  const extra = async (row) => page.locator(".row .extra").nth(row).textContent();
  const scores = async () => [await extra(1), await extra(2)].join(", ");
  await until("all ticks arrive", async () => (await page.textContent("#tick")).startsWith("tick 2 of 3"));
  await until("the reason of an error is shown", async () => (await scores()) === "variable `goal` is not set, ");
  assert.ok(await is(page.locator(".row .extra").nth(1), "error"));
  await page.locator("#timeline").focus();
  await page.keyboard.press("ArrowLeft");
  await until("the scores of the second tick are shown", async () => (await scores()) === "score NaN, ");
  await page.keyboard.press("ArrowLeft");
  await until("the scores of the first tick are shown", async () => (await scores()) === "score 0.75, score -0.5");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("lines that cannot be read are dropped and reported, a file without a header is rejected", async () => {
  const recording = await record();
  const part = recording.replace("guard", "part");
  writeFileSync(part, readFileSync(recording));
  truncateSync(part, statSync(part).size - 20);
  const { url, errors } = await start("bt-inspector", part);
  const page = await open(url);
  await until("all complete ticks arrive", async () => (await page.textContent("#tick")).startsWith("tick 199 of 200"));
  assert.match(errors(), /part\.jsonl: dropped line \d+: truncated: /);
  await page.close();
  const lines = readFileSync(recording, "utf8").split("\n");
  writeFileSync(part, [...lines.slice(0, 5), "garbage", ...lines.slice(5)].join("\n"));
  const damaged = await start("bt-inspector", part);
  const other = await open(damaged.url);
  await until("the ticks before and after the damage arrive", async () => (await other.textContent("#tick")).startsWith("tick 200 of 201"));
  assert.match(damaged.errors(), /part\.jsonl: dropped line 6: expected value/);
  await other.close();
  writeFileSync(part, lines.slice(1).join("\n"));
  await assert.rejects(start("bt-inspector", part), /part\.jsonl: line 1: not a recording/);
  await assert.rejects(start("bt-inspector", "/nowhere.jsonl"), /nowhere\.jsonl: No such file/);
  await assert.rejects(start("bt-inspector"), /usage: /);
});

test("pages say how much of a recording has been read, until it is there", async () => {
  const recording = await record();
  const [header, ...lines] = readFileSync(recording, "utf8").trimEnd().split("\n");
  const path = recording.replace("guard", "slow");
  execFileSync("mkfifo", [path]);
  const pipe = createWriteStream(path);
  const started = start("bt-inspector", path);
  pipe.write(`${header}\n`);
  const { url } = await started;
  const page = await open(`${url}#Gus/0/7`);
  await until("nothing is read yet", async () => (await page.textContent("#connection")) === "reading slow.jsonl: 0 MB");
  const comment = `{"agent":0,"name":"${" ".repeat(99_000)}"}\n`;
  for (let megabytes = 0; megabytes < 2; megabytes += 0.1) if (!pipe.write(comment)) await once(pipe, "drain");
  await until("a part is read", async () => /^reading slow\.jsonl: [12] MB$/.test(await page.textContent("#connection")));
  assert.equal(await page.locator("#list .agent").count(), 0);
  assert.equal(await page.textContent("#notice"), "");
  pipe.end(`${lines.join("\n")}\n`);
  await until("it is there", async () => (await page.textContent("#connection")) === "recording");
  await until("the agent and the tick of the link are shown", async () => (await page.textContent("#agent")) === "Gus" && (await number(page)) === 7);
  const later = await open(url);
  await until("a later page shows all ticks", async () => (await later.textContent("#tick")).startsWith("tick 200 of 201"));
  assert.equal(await later.textContent("#connection"), "recording");
  assert.deepEqual([...page.errors, ...later.errors], []);
  await page.close();
  await later.close();
});

test("the past is played at its speed, or a multiple of it", async () => {
  const recording = await record();
  const { url } = await start("bt-inspector", recording);
  const page = await open(url);
  await until("all ticks arrive", async () => (await page.textContent("#tick")).startsWith("tick 200 of 201"));
  await page.click("#play");
  await until("it starts over", async () => (await number(page)) < 30);
  await until("it goes on", async () => (await number(page)) > 30);
  await page.keyboard.press("p");
  await until("it stops", async () => (await page.getAttribute("#play", "aria-label")) === "play the past");
  const at = await number(page);
  await pause(300);
  assert.equal(await number(page), at);
  await page.selectOption("#speed", "16");
  await page.click("#play");
  await until("it plays to the end", async () => (await number(page)) === 200);
  await until("it stops at the end", async () => (await page.getAttribute("#play", "aria-label")) === "play the past");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("one HTML file contains the page and a recording", async () => {
  const recording = await record();
  const report = join(folder, "report.html");
  await assert.rejects(start("bt-inspector", "--html", report, recording), /exited with 0/);
  const page = await open(`file://${report}`);
  await until("all ticks are shown", async () => (await page.textContent("#tick")).startsWith("tick 200 of 201"));
  assert.equal(await page.textContent("#agent"), "Gus");
  assert.equal(await page.textContent("#connection"), "recording");
  await page.locator("#timeline").focus();
  await page.keyboard.press("Home");
  await until("the first tick is shown", async () => (await number(page)) === 0);
  await page.click("#as-graph");
  await until("the graph is shown", async () => (await page.locator("#graph .node").count()) === 10);
  // The page in the file can save itself again.
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#save-html")]);
  const again = join(folder, "again.html");
  await saved.saveAs(again);
  const other = await open(`file://${again}`);
  await until("all ticks are shown", async () => (await other.textContent("#tick")).startsWith("tick 200 of 201"));
  await assert.rejects(start("bt-inspector", "--html", report), /usage: /);
  const broken = join(folder, "broken.html");
  writeFileSync(broken, readFileSync(report, "utf8").replace('"events":"0r', "garbage"));
  const third = await open(`file://${broken}`);
  await until("a line that cannot be read is reported", async () => /^dropped line 3: (?!.*more)/.test(await third.textContent("#notice")));
  await until("the other ticks are shown", async () => (await third.textContent("#tick")).startsWith("tick 200 of "));
  for (const each of [page, other, third]) {
    assert.deepEqual(each.errors, []);
    await each.close();
  }
});

test("a running program is saved as one HTML file, with its values", async () => {
  const { url } = await start("examples/crowd", "--soldiers", "2");
  const page = await open(url);
  await ticks(page);
  await page.click("#pause");
  await until("the agent waits", async () => (await page.textContent("#where")) === "paused before its next tick");
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#save-html")]);
  assert.equal(saved.suggestedFilename(), "Gus-the-guard.html");
  const path = join(folder, "live.html");
  await saved.saveAs(path);
  const other = await open(`file://${path}`);
  await until("the last tick is shown", async () => (await number(other)) === (await number(page)));
  assert.deepEqual((await values(other)).sort(), (await values(page)).sort());
  assert.deepEqual(other.errors, []);
  await page.close();
  await other.close();
});

test("a unit test repeats ticks of a recording", async () => {
  const { url } = await start("bt-inspector", await record());
  const page = await open(url);
  await firstTick(page);
  await page.click("#save-test summary");
  await page.fill("#test-from", "0");
  await page.fill("#test-to", "3");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#write-test")]);
  assert.equal(file.suggestedFilename(), "ticks_0_to_3.rs");
  const source = readFileSync(await file.path(), "utf8");
  assert.match(source, /^#\[test\]\nfn ticks_0_to_3\(\) \{/);
  assert.match(source, /let mut test = TreeTest::new\(guard\(\), /);
  await page.fill("#test-to", "9999");
  await page.fill("#test-from", "9000");
  await page.click("#write-test");
  await until("the reason is shown", async () => (await page.textContent("#notice")) === "no test can be written: no tick from 9000 to 9999 is recorded");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a tree that was replaced is shown as it was in each tick, with a server, in one HTML file and when that is saved again", async () => {
  const html = join(folder, "replaced.html");
  execFileSync(join(built, "bt-inspector"), ["--html", html, replaced]);
  const { url } = await start("bt-inspector", replaced);
  for (const address of [url, `file://${html}`]) {
    const page = await open(address);
    await until("all ticks arrive", async () => (await page.textContent("#tick")).startsWith("tick 3 of 4"));
    assert.ok(await is(row(page, "walk"), "r", "fresh"));
    await row(page, "walk").locator(".name").click();
    assert.equal(await page.getAttribute("#tree", "aria-activedescendant"), "node-5");
    await page.locator("#timeline").focus();
    await page.keyboard.press("ArrowLeft");
    await until("the change is named", async () => (await page.textContent("#tick")) === "tick 2 of 4, at 2.00 s, first in a new tree");
    assert.equal(await row(page, "retry").count(), 1);
    await page.keyboard.press("Home");
    await until("the first tick is shown", async () => (await number(page)) === 0);
    assert.equal(await row(page, "retry").count(), 0, "it was not there yet");
    assert.deepEqual(await page.locator("#tree .name").allTextContents(), ["first", "selector", "sequence", "tired", "run", "walk"]);
    assert.ok(await is(row(page, "walk"), "r", "fresh"));
    await row(page, "run").locator(".name").click();
    await page.locator("#timeline").focus();
    await page.keyboard.press("End");
    await until("the last tick is shown", async () => (await number(page)) === 3);
    assert.equal(await page.locator(".row.active .name").textContent(), "sequence", "the node above the one that is gone");
    await page.keyboard.press("l");
    const replacements = () => page.locator("#log .change.of-tree").evaluateAll((all) => all.map((line) => [...line.children].map((part) => part.textContent).join(" ")));
    await until("the log has the change", async () => (await replacements()).join() === "2.00 s #2 the tree was replaced 2 added, 1 removed, 1 changed");
    await page.selectOption("#heat", "all");
    await until("the nodes are counted over the change", async () => /^×4 /.test(await row(page, "walk").locator(".extra").textContent()));
    if (address === url) {
      await page.click("#save-test summary");
      await page.fill("#test-from", "0");
      await page.fill("#test-to", "3");
      await page.click("#write-test");
      await until("no test has ticks of two trees", async () => /the tree was replaced before tick 2/.test(await page.textContent("#notice")));
    }
    const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
    const lines = (text) => text.trimEnd().split("\n").map((line) => JSON.parse(line));
    const saved = lines(readFileSync(await file.path(), "utf8")).filter((line) => line.name === undefined);
    // The server numbers agents in the order of their first ticks.
    const without = (lines) => lines.map(({ agent, ...line }) => line);
    assert.deepEqual(without(saved), without(lines(readFileSync(replaced, "utf8"))));
    assert.deepEqual(page.errors, []);
    await page.close();
  }
});

test("the page reads recordings of both versions", async () => {
  const [one, two] = ["version_1", "version_2"].map((name) => readFileSync(replaced.replace("version_2", name), "utf8"));
  const parsed = (text) => inChromium(["model/recording", "model/history", "model/versions"], `({ parseRecording, TickHistory, TicksIn }) => {
    const { trees, ticks, dropped } = parseRecording(${JSON.stringify(text)});
    const history = new TickHistory(true);
    history.add([...ticks.values()].flat());
    const last = new TicksIn(history, trees.at(-1), new Map(trees.map((tree) => [tree.key, tree])));
    const words = ({ events, reasons }) => [events.map(({ node, kind, state, score, opened }) => node + (kind === "@" ? kind + state : kind === "=" ? kind + score : opened || kind === "h" ? kind : kind.toUpperCase())).join(" "), reasons];
    const translated = history.ticks.map((_, index) => words(last.at(index)));
    return { nodes: trees.at(-1).nodes.map((node) => node.name), numbers: trees.at(-1).numbers, ticks: history.ticks.map((tick) => [tick.tree, tick.written]), translated, dropped };
  }`);
  const old = await parsed(one);
  assert.deepEqual([old.nodes.length, old.ticks.length, old.dropped], [10, 61, []]);
  const read = await parsed(two);
  const ticks = [[0, "0r 1r 2f 3f 5r"], [0, "0R 1R 2f 3f 5R"], [1, "0r 1r 2f 3f 4r 5r"], [1, "0R 1R 2f 3f 4R 5R"]];
  assert.deepEqual([read.dropped, read.nodes[4], read.numbers, read.ticks], [[], "retry", [0, 1, 2, 3, 6, 5, 7], ticks]);

  // A machine with a guard, whose first state moved behind the second one; an action that is gone, with its error.
  const node = (id, parent, role = "Child") => ({ id, parent, name: String(id), role, kind: "Action", label: null, params: [], location: null, transitions: [] });
  const lines = [
    { format: "bt-recording", version: 2, tree: "m", fingerprint: "1", nodes: [node(0, null), node(1, 0, "Guard"), node(2, 0), node(3, 0), node(4, 0)] },
    { agent: 1, tick: 0, now: 0, status: "Error", events: "0r 4=0.5 0@1 3r 2h 4e 0@2", reasons: [[4, "no map"], [3, "lost"]] },
    { fingerprint: "2", nodes: [node(0, null), node(1, 0, "Guard"), node(2, 0), node(3, 2), node(4, 0)], matching: [0, 1, 4, 2, null] },
    { agent: 1, tick: 1, now: 1, version: 1, status: "Running", events: "0R 2R 3r" },
    { fingerprint: "3", nodes: [node(0, null), node(1, 0), node(2, 1, "Guard"), node(3, 1), node(4, 3), node(5, 1)], matching: [1, 2, 3, 4, 5] },
  ];
  const written = (lines) => lines.map((line) => JSON.stringify(line) + "\n").join("");
  const twice = await parsed(written(lines));
  assert.deepEqual([twice.nodes.length, twice.dropped, twice.numbers], [6, [], [6, 0, 1, 3, 5, 2]]);
  assert.deepEqual(twice.translated, [["1r 1@0 3r 5h", [[3, "lost"]]], ["1R 3R 4r", []]]);

  const invalid = await parsed(written([...lines.slice(0, 2), { ...lines[2], matching: [0, 1, 4, 4, null] }, ...lines.slice(3)]));
  assert.equal(invalid.ticks.length, 1);
  assert.match(invalid.dropped[0], /^line 3: invalid matching/);
  assert.match(invalid.dropped[1], /^line 4: a tick of version 1 of the tree, which was not read/);
});

test("what a change has changed is counted", async () => {
  const { changesOf } = await load("model/versions");
  const tree = (key, numbers, parents, names) => ({ key, first: 0, name: "t", fingerprint: String(key), numbers, nodes: parents.map((parent, id) => ({ id, parent, name: names[id], role: "Child", kind: "Action", label: null, params: [], location: null, transitions: [] })) });
  const old = tree(0, [0, 1, 2, 3, 4], [null, 0, 1, 0, 0], ["root", "a", "b", "c", "d"]);
  const changes = (...next) => changesOf(old, tree(1, ...next));
  assert.equal(changes([0, 1, 2, 3, 4], [null, 0, 1, 0, 0], ["root", "a", "b", "c", "d"]), "all nodes are the same");
  assert.equal(changes([0, 5, 1, 2, 3, 4], [null, 0, 1, 2, 0, 0], ["root", "repeat", "a", "b", "c", "d"]), "1 added", "nothing has moved into it");
  assert.equal(changes([0, 2, 3, 4], [null, 0, 0, 0], ["root", "b", "c", "d"]), "1 removed", "nothing has moved out of it");
  assert.equal(changes([0, 3, 4, 1, 2], [null, 0, 0, 0, 3], ["root", "c", "d", "a", "b"]), "1 moved", "with what is below it");
  assert.equal(changes([0, 1, 3, 4, 2], [null, 0, 1, 0, 0], ["root", "a", "c", "e", "b"]), "2 moved, 1 changed");
});

test("what is typed into the form of a unit test stays when the opening of the form is reported later", async () => {
  const { url } = await start("bt-inspector", await record());
  const page = await open(url);
  await firstTick(page);
  // Browsers report `toggle` in a task of its own.
  await page.evaluate(() => {
    document.querySelector("#save-test summary").click();
    const type = (id, value) => Object.assign(document.getElementById(id), { value }).dispatchEvent(new Event("input", { bubbles: true }));
    type("test-from", "0");
    type("test-to", "3");
  });
  await pause(200);
  assert.deepEqual([await page.inputValue("#test-from"), await page.inputValue("#test-to")], ["0", "3"]);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("what all agents do is counted over a recording, with a server and in one HTML file", async () => {
  const [recording, html] = [await record(), join(folder, "overview.html")];
  execFileSync(join(built, "bt-inspector"), ["--html", html, recording]);
  const { url } = await start("bt-inspector", recording);
  const counts = [];
  for (const address of [url, `file://${html}`]) {
    const page = await open(address);
    await firstTick(page);
    await page.selectOption("#heat", "all");
    await until("the ticks are counted", async () => (await page.textContent("#overview")) === "1 agent, 201 ticks");
    assert.match(await row(page, "selector").locator(".extra").textContent(), /^×201 · .*1 here$/);
    counts.push(await page.locator("#tree .extra").allTextContents());
    assert.deepEqual(page.errors, []);
    await page.close();
  }
  assert.deepEqual(counts[0], counts[1], "both count the same");
});
