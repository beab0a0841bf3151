// The answers of the page are those of `Description::why`, which has written `why.json`.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "./harness.js";

const cases = JSON.parse(readFileSync(new URL("why.json", import.meta.url), "utf8"));

const shapeOf = (Shape, nodes) => new Shape({ key: 0, name: "t", fingerprint: "", nodes: nodes.map((node) => ({ location: null, transitions: [], ...node })) });

test("the page answers as the library does", async () => {
  const [{ Shape }, { TickHistory }, { why }] = [await load("model/shape"), await load("model/history"), await load("model/why")];
  let answered = 0;
  for (const { nodes, ticks, answers } of cases) {
    const [shape, history] = [shapeOf(Shape, nodes), new TickHistory(true)];
    history.add(ticks.map((tick) => ({ tree: 0, ...tick })));
    for (const [tick, node, expected] of answers) {
      const parts = why(history, shape, history.indexOf(tick), node);
      const found = parts.map(({ text, link }) => (link ? [text, link.node, link.tick] : text));
      assert.deepEqual(found, expected, `node ${node} at tick ${tick} of ${JSON.stringify(ticks)}`);
      answered++;
    }
  }
  assert.ok(answered > 500, `${answered} answers`);
});

test("unknown nodes and ticks have an answer", async () => {
  const [{ Shape }, { TickHistory }, { why }] = [await load("model/shape"), await load("model/history"), await load("model/why")];
  const [shape, history] = [shapeOf(Shape, cases[0].nodes), new TickHistory(false)];
  assert.deepEqual(why(history, shape, 0, 0), [{ text: "this tick is not recorded" }]);
  history.add(cases[0].ticks.map((tick) => ({ tree: 0, ...tick })));
  assert.deepEqual(why(history, shape, 0, 9999), [{ text: "there is no node #9999 in this tree" }]);
});

test("missing ticks are stated", async () => {
  const [{ Shape }, { TickHistory }, { why }] = [await load("model/shape"), await load("model/history"), await load("model/why")];
  const node = (id, parent, name, kind) => ({ id, parent, name, kind, role: "Child", label: null, params: [] });
  const shape = shapeOf(Shape, [node(0, null, "sequence", "Composite"), node(1, 0, "near", "Condition"), node(2, 0, "attack", "Action")]);
  const history = new TickHistory(true);
  for (const [tick, events] of [[3, "0r 1s 2r"], [7, "0F 1f 2h"], [8, "0f 1f"]]) history.add([{ tree: 0, tick, now: tick, status: null, events }]);
  const sentence = (tick, node) => why(history, shape, history.indexOf(tick), node).map(({ text }) => text).join("");
  assert.equal(sentence(7, 2), "halted at tick 7: `near` failed; it last succeeded at tick 3; ticks 4 to 6 are not recorded");
  assert.equal(sentence(7, 0), "failed at tick 7, after it had run since before tick 7: `near` failed; it last succeeded at tick 3; ticks 4 to 6 are not recorded");
});

test("an answer looks back a bounded number of events, and states nothing about those before", async () => {
  const [{ Shape }, { TickHistory }, { why }] = [await load("model/shape"), await load("model/history"), await load("model/why")];
  const nodes = Array.from({ length: 1998 }, (_, id) => ({ id, parent: id ? 0 : null, name: `n${id}`, kind: id ? "Action" : "Composite", role: "Child", label: null, params: [] }));
  const [shape, history] = [shapeOf(Shape, nodes), new TickHistory(true)];
  history.add(Array.from({ length: 10_000 }, (_, tick) => ({ tree: 0, tick, now: tick, status: "Failure", events: "0f 1f" })));
  // All ticks share the events of a tick of all other nodes.
  const all = nodes.slice(0, 1997).map(({ id }) => ({ node: id, kind: "f", opened: true }));
  for (const tick of history.ticks) tick.events = all;
  const sentence = () => why(history, shape, 9_999, 1997).map(({ text }) => text).join("");
  assert.equal(sentence(), "not visited: `n1996` failed at tick 9999");
});

test("what an older tree had is not stated of this one", async () => {
  const [{ Shape }, { TickHistory }, { why }, { TicksIn }] = [await load("model/shape"), await load("model/history"), await load("model/why"), await load("model/versions")];
  const node = (id, parent, name, kind) => ({ id, parent, name, kind, role: "Child", label: null, location: null, params: [], transitions: [] });
  const tree = (key, numbers, nodes) => ({ key, first: 0, numbers, name: "t", fingerprint: "", nodes });
  const below = (id, parent) => [
    node(id, parent, "selector", "Composite"),
    node(id + 1, id, "sequence", "Composite"),
    node(id + 2, id + 1, "enemy", "Condition"),
    node(id + 3, id + 1, "flee", "Action"),
    node(id + 4, id, "patrol", "Action"),
  ];
  // The root is wrapped, and `patrol` was deleted and put back.
  const before = tree(0, [0, 1, 2, 3, 4], below(0, null));
  const after = tree(2, [5, 0, 1, 2, 3, 6], [node(0, null, "repeat", "Decorator"), ...below(1, 0)]);
  const history = new TickHistory(true);
  const ticks = ["0r 1f 2f 4r", "0R 1r 2s 3r 4h", "0R 1R 2s 3R", "0R 1F 2f 3h 4r"];
  ticks.forEach((events, tick) => history.add([{ tick, now: tick, status: "Running", events, tree: 0 }]));
  ["0R 1R 2f 3f 5r", "0R 1R 2r 3s 4r 5h", "0R 1R 2R 3s 4R"].forEach((events, at) => history.add([{ tick: 4 + at, now: 4 + at, status: "Running", events, tree: 2 }]));
  const trees = new Map([before, after].map((tree) => [tree.key, tree]));
  const shape = new Shape(after);
  const sentence = (tick, node) => why(new TicksIn(history, after, trees), shape, tick, node).map(({ text }) => text).join("");
  assert.equal(sentence(4, 0), "running since before tick 4, the first after the tree was replaced: `patrol` has run since tick 4");
  assert.equal(sentence(4, 1), "running since tick 0: `patrol` has run since tick 4");
  assert.equal(sentence(4, 4), "not visited: `enemy` failed at tick 4; it last succeeded at tick 2; `flee` was halted at tick 3");
  assert.equal(sentence(6, 5), "not visited: `flee` has run since tick 5; `patrol` was halted at tick 5, when `flee` took over, because `enemy` succeeded");
  assert.equal(sentence(1, 5), "not visited: the tree was another one at tick 1");
  assert.equal(sentence(3, 4), "halted at tick 3; the tree was another one then");
  const ofOld = (tick, node) => why(new TicksIn(history, before, trees), new Shape(before), tick, node).map(({ text }) => text).join("");
  assert.equal(ofOld(3, 3), "halted at tick 3: `enemy` failed; it last succeeded at tick 2");
  history.add([{ tick: 7, now: 7, status: "Running", events: "0R 1R 2F 3f 4h", tree: 3 }]);
  const last = tree(3, [5, 0, 1, 2, 3, 7], after.nodes);
  trees.set(3, last);
  const ofLast = why(new TicksIn(history, last, trees), new Shape(last), 7, 5).map(({ text }) => text).join("");
  assert.match(ofLast, /; `patrol` has not been visited before in the recorded ticks since the tree was replaced$/);
});
