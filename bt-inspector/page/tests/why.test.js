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
    history.add(ticks);
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
  history.add(cases[0].ticks);
  assert.deepEqual(why(history, shape, 0, 9999), [{ text: "there is no node #9999 in this tree" }]);
});

test("missing ticks are stated", async () => {
  const [{ Shape }, { TickHistory }, { why }] = [await load("model/shape"), await load("model/history"), await load("model/why")];
  const node = (id, parent, name, kind) => ({ id, parent, name, kind, role: "Child", label: null, params: [] });
  const shape = shapeOf(Shape, [node(0, null, "sequence", "Composite"), node(1, 0, "near", "Condition"), node(2, 0, "attack", "Action")]);
  const history = new TickHistory(true);
  for (const [tick, events] of [[3, "0r 1s 2r"], [7, "0F 1f 2h"], [8, "0f 1f"]]) history.add([{ tick, now: tick, status: null, events }]);
  const sentence = (tick, node) => why(history, shape, history.indexOf(tick), node).map(({ text }) => text).join("");
  assert.equal(sentence(7, 2), "halted at tick 7: `near` failed; it last succeeded at tick 3; ticks 4 to 6 are not recorded");
  assert.equal(sentence(7, 0), "failed at tick 7, after it had run since before tick 7: `near` failed; it last succeeded at tick 3; ticks 4 to 6 are not recorded");
});

test("an answer looks back a bounded number of events, and states nothing about those before", async () => {
  const [{ Shape }, { TickHistory }, { why }] = [await load("model/shape"), await load("model/history"), await load("model/why")];
  const nodes = Array.from({ length: 1998 }, (_, id) => ({ id, parent: id ? 0 : null, name: `n${id}`, kind: id ? "Action" : "Composite", role: "Child", label: null, params: [] }));
  const [shape, history] = [shapeOf(Shape, nodes), new TickHistory(true)];
  history.add(Array.from({ length: 10_000 }, (_, tick) => ({ tick, now: tick, status: "Failure", events: "0f 1f" })));
  // All ticks share the events of a tick of all other nodes.
  const all = nodes.slice(0, 1997).map(({ id }) => ({ node: id, kind: "f", opened: true }));
  for (const tick of history.ticks) tick.events = all;
  const sentence = () => why(history, shape, 9_999, 1997).map(({ text }) => text).join("");
  assert.equal(sentence(), "not visited: `n1996` failed at tick 9999");
});
