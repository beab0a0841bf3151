// What `bt` writes for the Behavior3 editor is what behavior3js loads, and does the same.

import assert from "node:assert/strict";
import { test } from "node:test";
import { converted } from "./bt.js";
import { b3, file, run } from "./engine.js";
import { random, script, tree } from "./trees.js";

const WORDS = {
  Sequence: "sequence", Priority: "selector", MemSequence: "mem_sequence", MemPriority: "mem_selector",
  Inverter: "invert", Succeeder: "succeed", Failer: "fail", Runner: "run",
};

/** Returns a nested list as the text of a file. */
function text([name, properties, ...children]) {
  if (name === "told") return `told(number = ${properties.number})`;
  return WORDS[name] + (children.length ? ` { ${children.map(text).join(", ")} }` : "");
}

/** Returns a tree without the node that is not a word of `tree!`. */
function words(below) {
  for (;;) {
    const { root, leaves } = tree(below);
    if (leaves > 1 && !JSON.stringify(root).includes("RepeatUntilSuccess")) return root;
  }
}

test("500 random trees that are written do what the trees do", () => {
  const below = random(65);
  const trees = Array.from({ length: 500 }, () => words(below));
  const project = converted(trees.map((root, index) => `tree t${index} {\n    ${text(root)}\n}\n`).join("\n"));
  assert.equal(project.trees.length, 500);
  for (const [index, root] of trees.entries()) {
    const written = project.trees.find((tree) => tree.id === `t${index}`);
    const told = script(below);
    assert.deepEqual(run(written, told, 12), run(file(root), told, 12), text(root));
  }
});

test("words that behavior3js has are written under its names, with its numbers", () => {
  const written = converted(`
    selector {
        limit(3) { timeout(secs(2)) { mem_sequence { wait(millis(1500)), until_failure { a } } } }
        repeat { mem_selector { b, until_success { fail } } }
        repeat(4) { invert { run } }
        succeed
    }`);
  const names = Object.values(written.nodes).map((node) => [node.name, node.properties]);
  assert.deepEqual(names.filter(([name]) => name.length > 1), [
    ["Priority", {}],
    ["Limiter", { maxLoop: 3 }],
    ["MaxTime", { maxTime: 2000 }],
    ["MemSequence", {}],
    ["Wait", { milliseconds: 1500 }],
    ["RepeatUntilFailure", { maxLoop: -1 }],
    ["Repeater", { maxLoop: -1 }],
    ["MemPriority", {}],
    ["RepeatUntilSuccess", { maxLoop: -1 }],
    ["Failer", {}],
    ["Repeater", { maxLoop: 4 }],
    ["Inverter", {}],
    ["Runner", {}],
    ["Succeeder", {}],
  ]);
  globalThis.b3 = b3;
  try {
    const leaf = b3.Class(b3.Action, { name: "a", tick: () => b3.FAILURE });
    new b3.BehaviorTree().load(written, { a: leaf, b: leaf });
  } finally {
    delete globalThis.b3;
  }
});
