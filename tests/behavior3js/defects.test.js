// What behavior3js does, and we do not copy: each defect with a case. `tests/behaviour/loaded.rs` has the same cases for us.

import assert from "node:assert/strict";
import { test } from "node:test";
import { b3, file, run } from "./engine.js";

const told = (number) => ["told", { number }];
const statuses = (results) => results.map(([status]) => status);

test("the first node that is no longer open is not closed: it goes on where it was", () => {
  const tree = file(["Priority", {}, ["Sequence", {}, told(0), ["Runner", {}]], ["MemSequence", {}, told(1), ["Runner", {}]]]);
  // Tick by tick: leaf 0 fails, leaf 1 succeeds; leaf 0 succeeds and takes over; leaf 0 fails again.
  const script = ["Failure", "Success", "Success", "Failure", "Success"];
  assert.deepEqual(run(tree, script, 3, false).at(-1), ["Running", [0]], "leaf 1 is not asked again");
  assert.deepEqual(run(tree, script, 3, true).at(-1), ["Running", [0, 1]], "mended, it is");
});

test("a Repeater cannot be used without a global `b3`", () => {
  assert.throws(() => run(file(["Repeater", { maxLoop: 2 }, told(0)]), ["Success"], 1), /b3 is not defined/);
});

test("a Repeater gives what its child gave last", () => {
  globalThis.b3 = b3;
  try {
    assert.deepEqual(run(file(["Repeater", { maxLoop: 2 }, told(0)]), ["Success", "Failure"], 1), [["Failure", [0, 0]]]);
  } finally {
    delete globalThis.b3;
  }
});

test("a Limiter counts anew with each opening, so it limits nothing", () => {
  const tree = file(["Limiter", { maxLoop: 1 }, told(0)]);
  assert.deepEqual(statuses(run(tree, ["Success"], 3)), ["Success", "Success", "Success"]);
});

test("past its MaxTime a child is ticked once more", async () => {
  const world = file(["MaxTime", { maxTime: 1 }, told(0)]);
  const before = Date.now;
  const RealDate = Date;
  let now = 0;
  globalThis.Date = class extends RealDate {
    getTime() {
      return (now += 10);
    }
  };
  try {
    assert.deepEqual(run(world, ["Running"], 1), [["Failure", [0]]]);
  } finally {
    globalThis.Date = RealDate;
    assert.equal(Date.now, before);
  }
});

test("RepeatUntilFailure fails in the end", () => {
  const tree = file(["RepeatUntilFailure", { maxLoop: 3 }, told(0)]);
  assert.deepEqual(run(tree, ["Success", "Failure"], 1), [["Failure", [0, 0]]]);
});

test("what is dumped has its children in reverse", () => {
  const tree = new b3.BehaviorTree();
  tree.load(file(["Sequence", {}, ["Succeeder", {}], ["Failer", {}]]));
  const { nodes, root } = tree.dump();
  assert.deepEqual(nodes[root].children.map((id) => nodes[id].name), ["Failer", "Succeeder"]);
});

test("a node without children is found out while the tree runs, or never", () => {
  assert.deepEqual(statuses(run(file(["Inverter", {}]), [], 1)), ["Error"]);
  assert.deepEqual(statuses(run(file(["Sequence", {}]), [], 1)), ["Success"]);
});

/** Ticks a tree of leaves A and B, which return what is given in turn. Returns what each tick opens and closes. */
function closings(root, results, ticks) {
  const log = [];
  let next = 0;
  const leaf = (name) =>
    b3.Class(b3.Action, {
      name,
      open: () => log.push(`(${name}`),
      close: () => log.push(`${name})`),
      tick: () => results[next++ % results.length],
    });
  const tree = new b3.BehaviorTree();
  tree.load(file(root), { A: leaf("A"), B: leaf("B") });
  const blackboard = new b3.Blackboard();
  return Array.from({ length: ticks }, () => {
    log.length = 0;
    tree.tick({}, blackboard);
    return log.join(" ");
  });
}

test("a node that has ended is closed again at the end of the tick, after its loop has started anew", () => {
  const loop = ["RepeatUntilSuccess", { maxLoop: 3 }, ["Sequence", {}, ["A", {}], ["Inverter", {}, ["B", {}]]]];
  const { SUCCESS, RUNNING } = b3;
  // In the second tick B succeeds, so the loop starts anew, with A.
  assert.deepEqual(closings(loop, [SUCCESS, RUNNING, SUCCESS, SUCCESS, RUNNING], 2), ["(A A) (B", "(A A) B) (A B)"]);
});

test("0 is no bound of a loop, and no number of a Limiter or MaxTime", () => {
  const { FAILURE, RUNNING } = b3;
  assert.deepEqual(closings(["RepeatUntilSuccess", { maxLoop: 0 }, ["A", {}]], [FAILURE, FAILURE, RUNNING], 1), ["(A A) (A A) (A"]);
  assert.throws(() => run(file(["Limiter", { maxLoop: 0 }, told(0)]), ["Success"], 1), /maxLoop parameter/);
  assert.throws(() => run(file(["MaxTime", { maxTime: 0 }, told(0)]), ["Success"], 1), /maxTime parameter/);
});
