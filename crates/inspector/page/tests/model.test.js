// The model behind the page, without a document.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inChromium, load } from "./harness.js";

test("large integers are read and written exactly", async () => {
  const found = await inChromium(["model/protocol"], ({ read, write }) => {
    const values = read('{"a":[18446744073709551615,-9223372036854775808,1e300,0.1234567890123456,9007199254740991,"9007199254740993"]}').a;
    return [values.map((value) => `${typeof value} ${value}`), write(values[0]), write({ id: values[0] }), write("a")];
  });
  const expected = ["bigint 18446744073709551615", "bigint -9223372036854775808", "number 1e+300", "number 0.1234567890123456", "number 9007199254740991"];
  assert.deepEqual(found, [[...expected, "string 9007199254740993"], "18446744073709551615", '{"id":18446744073709551615}', '"a"']);
});

test("a sleeping agent shows until when, or in which leaf an event ends its sleep", async () => {
  const { sleep } = await load("model/words");
  const shown = [{}, { asleep: { until: 12.5 } }, { asleep: "event" }].map((agent) => sleep(agent, ["to the dock"]));
  assert.deepEqual(shown, [null, "asleep until 12.50 s", "asleep until an event in to the dock"]);
});

const node = (id, parent, name, more = {}) => ({ id, parent, name, role: "Child", kind: "Action", label: null, params: [], location: null, transitions: [], ...more });

test("the running leaves are the running nodes without a running child", async () => {
  const [{ Shape }, { View }, { TickHistory }] = [await load("model/shape"), await load("model/view"), await load("model/history")];
  const nodes = [node(0, null, "parallel"), node(1, 0, "sequence"), node(2, 1, "near"), node(3, 1, "go"), node(4, 0, "look"), node(5, 0, "rest")];
  const shape = new Shape({ key: 0, name: "t", fingerprint: "", nodes });
  const history = new TickHistory(false);
  history.add([{ tree: 0, tick: 0, now: 0, status: "Running", events: "0r 1r 2s 3r 4r 5s" }, { tree: 0, tick: 1, now: 1, status: "Running", events: "0R 1R 2S 4R 5s" }]);
  const view = new View(nodes.length);
  view.go(history, 0, null);
  assert.deepEqual(view.leaves(shape), [3, 4]);
  view.go(history, 1, null);
  assert.deepEqual(view.leaves(shape), [1, 4], "a status of an earlier tick does not count");
  assert.deepEqual(shape.find("O"), [3, 4]);
  assert.deepEqual(shape.ancestors(3), [1, 0]);
});

test("ticks that are received again are ignored, and gaps, halts, failures and new leaves are marked", async () => {
  const { TickHistory } = await load("model/history");
  const history = new TickHistory(false);
  const tick = (tick, status, events) => ({ tree: 0, tick, now: tick / 10, status, events });
  const first = [tick(3, "Running", "0r 1r"), tick(4, "Running", "0R 1R"), tick(5, "Running", "0R 1h 2r")];
  history.add(first);
  history.add([...first, tick(9, "Failure", "0F 2F")]);
  assert.deepEqual(history.ticks.map(({ tick, missed }) => [tick, missed]), [[3, 0], [4, 0], [5, 0], [9, 3]]);
  const none = { halts: 0, failures: 0, errors: 0, moved: false };
  assert.deepEqual(history.ticks.map(({ marks }) => marks), [none, none, { ...none, halts: 1, moved: true }, { ...none, failures: 3, moved: true }]);
  assert.deepEqual([history.indexAtTime(0.45), history.indexAtTime(0), history.indexAtTime(99)], [1, 0, 3]);
  assert.deepEqual([history.indexOf(4), history.indexOf(6), history.indexOf(99)], [1, 3, 3]);
});

test("the log has a line for each change of a node's status", async () => {
  const [{ Log }, { TickHistory }] = [await load("model/log"), await load("model/history")];
  const nodes = [node(0, null, "machine", { kind: "Machine" }), node(1, 0, "patrol"), node(2, 0, "chase")];
  const history = new TickHistory(false);
  const log = new Log(7, history, new Map([[0, { key: 0, first: 0, name: "t", fingerprint: "", nodes }]]));
  history.add([
    { tree: 0, tick: 0, now: 0, status: "Running", events: "0r 1r" },
    { tree: 0, tick: 1, now: 1, status: "Running", events: "0R 1R" },
    { tree: 0, tick: 2, now: 2, status: "Running", events: "0R 1h 0@1 2r" },
    { tree: 0, tick: 3, now: 3, status: "Error", events: "0E 2E", reasons: [[2, "lost"]] },
  ]);
  log.update();
  log.update();
  const lines = log.changes.map(({ tick, node, from, to, text }) => [tick, node, from, to, text]);
  assert.deepEqual(lines, [
    [0, 0, null, "r", ""],
    [0, 1, null, "r", ""],
    [2, 0, "r", "r", "→ chase"],
    [2, 1, "r", "h", ""],
    [2, 2, null, "r", ""],
    [3, 0, "r", "e", ""],
    [3, 2, "r", "e", "lost"],
  ]);
  const all = new Set("sfreh");
  assert.equal(log.filtered({ text: "CHA", scope: null, kinds: all }).length, 3, "names and entered states");
  assert.equal(log.filtered({ text: "", scope: { tree: 0, from: 1, to: 3 }, kinds: all }).length, 4);
  assert.equal(log.filtered({ text: "", scope: { tree: 1, from: 1, to: 3 }, kinds: all }).length, 0, "another tree");
  assert.equal(log.filtered({ text: "", scope: null, kinds: new Set("h") }).length, 1);
});

test("after a gap, the log has only what differs from before", async () => {
  const [{ Log }, { TickHistory }] = [await load("model/log"), await load("model/history")];
  const history = new TickHistory(false);
  const log = new Log(0, history, new Map([[0, { key: 0, first: 0, name: "t", fingerprint: "", nodes: [node(0, null, "a"), node(1, 0, "b"), node(2, 0, "c")] }]]));
  history.add([{ tree: 0, tick: 0, now: 0, status: "Running", events: "0r 1s 2r" }, { tree: 0, tick: 9, now: 9, status: "Running", events: "0R 1f 2r" }, { tree: 0, tick: 10, now: 10, status: "Running", events: "0R 1s 2R" }]);
  log.update();
  assert.deepEqual(log.changes.slice(3).map(({ tick, node, from, to }) => [tick, node, from, to]), [[9, 1, null, "f"], [10, 1, "f", "s"]]);
});

test("the log and the history are bounded", async () => {
  const [{ Log }, { TickHistory, MAX_TICKS }] = [await load("model/log"), await load("model/history")];
  const history = new TickHistory(false);
  const log = new Log(0, history, new Map([[0, { key: 0, first: 0, name: "t", fingerprint: "", nodes: [node(0, null, "a")] }]]));
  for (let tick = 0; tick < 40_000; tick++) {
    history.add([{ tree: 0, tick, now: tick, status: "Success", events: tick % 2 ? "0s" : "0f" }]);
    if (tick % 100 === 0) log.update();
  }
  log.update();
  assert.equal(history.ticks.length, MAX_TICKS);
  assert.ok(log.changes.length <= 25_000, `${log.changes.length} changes`);
  assert.equal(log.filtered({ text: "", scope: null, kinds: new Set("sf") }).length, MAX_TICKS);
});

test("links name an agent, a node and a tick", async () => {
  const { readLink, writeLink } = await load("link");
  for (const link of [{ agent: "Gus / the #1 guard", node: 4, tick: 120 }, { agent: "a", node: null, tick: null }, { agent: "a", node: 3, tick: null }]) assert.deepEqual(readLink(writeLink(link)), link);
  assert.equal(readLink(""), null);
  assert.equal(readLink("#%"), null);
  assert.deepEqual(readLink("#a/x/y"), { agent: "a", node: null, tick: null });
});

test("a recording is written and read again, with its values", async () => {
  const found = await inChromium(["model/history", "model/recording"], ({ TickHistory, recorded, parseRecording }) => {
    const nodes = [{ id: 0, parent: null, name: "a <b>", role: "Child", kind: "Action", label: null, params: [], location: null, transitions: [] }];
    const history = new TickHistory(false);
    const tick = (tick, values) => ({ agent: 3, tree: 0, tick, now: tick / 4, status: "Running", events: tick ? "0R" : "0r", values });
    history.add([tick(0, { hp: 3, name: "Ann" }), tick(1, { hp: 2, id: 9007199254740993n }), tick(2, 7)]);
    const text = recorded(new Map([[0, { key: 0, first: 0, name: "guard", fingerprint: "0f", nodes }]]), { key: 3, name: "Ann" }, history);
    const read = parseRecording(text);
    const again = new TickHistory(true);
    again.add(read.ticks.get(3));
    const error = (text) => {
      try {
        return parseRecording(text);
      } catch (error) {
        return String(error);
      }
    };
    const values = [0, 1, 2].map((index) => again.values(index));
    const cut = parseRecording(text.slice(0, -12)).ticks.get(3).length;
    return { header: [read.trees[0].name, read.trees[0].fingerprint, read.trees[0].nodes[0].name, read.names.get(3)], values, cut, garbage: parseRecording(text.replace('{"agent":3,"tick":1', "garbage")).dropped, empty: error("{}") };
  });
  assert.deepEqual(found.header, ["guard", "0f", "a <b>", "Ann"]);
  assert.deepEqual(found.values, [{ hp: 3, name: "Ann" }, { hp: 2, id: 9007199254740993n }, { value: 7 }]);
  assert.equal(found.cut, 3, "a cut line at the end is ignored");
  assert.equal(found.garbage.length, 1, "a damaged line is dropped");
  assert.match(found.garbage[0], /^line 6: /);
  assert.match(found.empty, /line 1 is not the header/);
});

test("a graph has no overlaps, and children are at the right of their parents", async () => {
  const [{ Shape }, { layOut, HEIGHT }] = [await load("model/shape"), await load("model/layout")];
  let seed = 5;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  // In depth-first order, as descriptions are.
  const nodes = [node(0, null, "root")];
  while (nodes.length < 1000) {
    const path = [nodes.at(-1)];
    while (path[0].parent !== null) path.unshift(nodes[path[0].parent]);
    nodes.push(node(nodes.length, path[random(path.length)].id, "x".repeat(random(30))));
  }
  const shape = new Shape({ key: 0, name: "t", fingerprint: "", nodes });
  const { places, links, width, height } = layOut([0], (id) => shape.children[id], (id) => 30 + nodes[id].name.length * 7);
  assert.equal(places.length, 1000);
  assert.equal(links.length, 999);
  const sorted = [...places].sort((a, b) => a.x - b.x || a.y - b.y);
  const byX = Map.groupBy ? Map.groupBy(sorted, ({ x }) => x) : sorted.reduce((map, place) => map.set(place.x, [...(map.get(place.x) ?? []), place]), new Map());
  for (const column of byX.values()) column.forEach((place, index) => assert.ok(index === 0 || place.y >= column[index - 1].y + HEIGHT, "overlap"));
  const at = new Map(places.map((place) => [place.node, place]));
  for (const { from, to } of links) assert.ok(at.get(to).x >= at.get(from).x + at.get(from).width);
  assert.ok(places.every((place) => place.x + place.width <= width && place.y >= 0 && place.y + HEIGHT <= height));
  assert.equal(layOut([0], (id) => shape.children[id].filter((child) => child < 10), () => 50).places.length, 10);
});

test("a view shows the same after any moves as after moving forwards only, and a move applies few ticks", async () => {
  const [{ TickHistory }, { View }] = [await load("model/history"), await load("model/view")];
  const found = (() => {
    let seed = 7;
    const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
    const [history, forwards, nodes] = [new TickHistory(true), new View(20), [...Array(20).keys()]];
    const shown = (view) => JSON.stringify(nodes.map((node) => [view.of(node), view.visits[node], view.score(node), view.reason(node), view.hot(node), view.states.get(node)]));
    const expected = [];
    for (let tick = 0; tick < 40000; tick++) {
      const events = Array.from({ length: 1 + random(3) }, () => random(20) + ["s", "f", "R", "h", "@2", "=0.5"][random(6)]).join(" ");
      history.add([{ tree: 0, tick, now: tick, status: "Running", events, reasons: random(9) ? [] : [[random(20), `error ${tick}`]] }]);
      forwards.go(history, tick, null);
      if (tick % 997 === 0) expected.push([tick, shown(forwards)]);
    }
    const view = new View(20);
    view.go(history, 39999, null);
    const apply = view.apply;
    let applied = 0;
    view.apply = (...tick) => (applied++, apply.call(view, ...tick));
    let [wrong, most] = [0, 0];
    for (let move = 0; move < 300; move++) {
      const [tick, is] = expected[random(expected.length)];
      if (random(3) === 0) view.go(history, tick, { events: "3r 4s" });
      view.go(history, 0, null);
      applied = 0;
      view.go(history, tick + 1 - (tick > 0), null);
      view.go(history, tick, null);
      wrong += shown(view) !== is;
      applied = 0;
      view.go(history, Math.max(0, tick - 1), null);
      most = Math.max(most, applied);
    }
    return { wrong, most, snapshots: view.snapshots.size };
  })();
  assert.equal(found.wrong, 0);
  assert.ok(found.most <= 128 && found.snapshots <= 512, JSON.stringify(found));
});

test("a tick is compared with one of the same time, an earlier one, or a pinned one, if it is stored", async () => {
  const [{ comparedIndex }, { TickHistory }] = [await load("model/compare"), await load("model/history")];
  const history = (first, count, seconds) => {
    const added = new TickHistory(false);
    added.add(Array.from({ length: count }, (_, at) => ({ tree: 0, tick: first + at, now: (first + at) * seconds, status: "Running", events: "" })));
    return added;
  };
  const [slow, fast, timeless] = [history(0, 10, 1), history(6, 40, 0.5), history(2, 5, 0)];
  const same = { kind: "same" };
  assert.deepEqual([3, 4, 9].map((index) => comparedIndex(same, slow, index, fast)), [0, 2, 12]);
  assert.equal(comparedIndex(same, slow, 2, fast), null, "the other begins later");
  assert.equal(comparedIndex(same, slow, 5, slow), 5);
  assert.deepEqual([1, 5, 6].map((ticks) => comparedIndex({ kind: "earlier", ticks }, slow, 5, slow)), [4, 0, null]);
  assert.equal(comparedIndex({ kind: "earlier", ticks: 2 }, slow, 9, fast), 10);
  assert.deepEqual([5, 6, 45, 46].map((tick) => comparedIndex({ kind: "pinned", tick }, slow, 0, fast)), [null, 0, 39, null]);
  assert.deepEqual([0, 1, 4].map((index) => comparedIndex(same, timeless, index, history(3, 3, 0))), [null, 0, null], "without times, by number");
});

test("the innermost values that differ are found", async () => {
  const { differingValues } = await load("model/compare");
  const here = { health: 3, place: { x: 1, y: 2 }, path: [1, 2, 3], mood: "calm", gone: null };
  const there = { health: 3, place: { x: 1, y: 4 }, path: [1, 5], mood: { level: 1 } };
  const expected = [
    { path: ["place", "y"], here: 2, there: 4 },
    { path: ["path", 1], here: 2, there: 5 },
    { path: ["path", 2], here: 3, there: undefined },
    { path: ["mood"], here: "calm", there: { level: 1 } },
    { path: ["gone"], here: null, there: undefined },
  ];
  assert.deepEqual(differingValues(here, there), expected);
  assert.deepEqual(differingValues(undefined, undefined), []);
  assert.deepEqual(differingValues(1, 1), []);
});
