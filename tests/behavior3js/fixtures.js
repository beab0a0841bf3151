// Runs random trees through the real behavior3js and keeps what they did: `npm ci && npm run fixtures` writes fixtures.json, which `cargo test` asserts of our own engine.

import { writeFileSync } from "node:fs";
import { file, run } from "./engine.js";

let seed = 20261121;
function below(bound) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * bound);
}

let leaves = 0;
function tree(depth) {
  if (depth === 0 || below(4) === 0) {
    const leaf = below(12);
    if (leaf < 9) return ["told", { number: leaves++ }];
    return [["Succeeder", "Failer", "Runner"][leaf - 9], {}];
  }
  const kind = below(10);
  if (kind === 0) return ["Inverter", {}, tree(depth - 1)];
  if (kind === 1) return ["RepeatUntilSuccess", { maxLoop: 1 + below(3) }, tree(depth - 1)];
  const children = Array.from({ length: 1 + below(4) }, () => tree(depth - 1));
  return [["Sequence", "Priority", "MemSequence", "MemPriority"][below(4)], {}, ...children];
}

const cases = [];
while (cases.length < 160) {
  leaves = 0;
  const made = file(tree(3));
  const told = Array.from({ length: 5 + below(30) }, () => ["Success", "Failure", "Running", "Running", "Success", "Failure", "Error"][below(below(8) ? 6 : 7)]);
  if (leaves > 1) cases.push({ file: made, told, ticks: run(made, told, 12) });
}
writeFileSync(new URL("fixtures.json", import.meta.url), "[\n" + cases.map((one) => JSON.stringify(one)).join(",\n") + "\n]\n");
console.log(`${cases.length} trees`);
