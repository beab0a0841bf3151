// Runs random trees through the real behavior3js and keeps what they did: `npm ci && npm run fixtures` writes fixtures.json, which `cargo test` asserts of our own engine.

import { writeFileSync } from "node:fs";
import { file, run } from "./engine.js";
import { random, script, tree } from "./trees.js";

const below = random(20261121);
const cases = [];
while (cases.length < 500) {
  const { root, leaves } = tree(below);
  const told = script(below);
  // A tick as its result and the leaves that it visited, `R 0 1`; results by their first letters.
  const ticks = () => run(file(root), told, 12).map(([status, seen]) => [status[0], ...seen].join(" "));
  if (leaves > 1) cases.push({ root, told: told.map((result) => result[0]).join(""), ticks: ticks() });
}
writeFileSync(new URL("fixtures.json", import.meta.url), "[\n" + cases.map((one) => JSON.stringify(one)).join(",\n") + "\n]\n");
console.log(`${cases.length} trees`);
