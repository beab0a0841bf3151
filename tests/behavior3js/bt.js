// The command `bt`, over files in a folder of the test.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

const root = new URL("../../", import.meta.url).pathname;
const bt = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug/bt");
const folder = mkdtempSync(join(tmpdir(), "bt-behavior3js-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Converts a text to a file of the editor. `kind` is how its name ends. */
export function converted(text, kind = "bt") {
  const [from, to] = [join(folder, `from.${kind}`), join(folder, "to.json")];
  rmSync(to, { force: true });
  writeFileSync(from, text);
  execFileSync(bt, ["convert", from, to]);
  return JSON.parse(readFileSync(to, "utf8"));
}

/** Applies operations to a file of the editor. */
export function edited(data, ...operations) {
  const path = join(folder, "edited.json");
  writeFileSync(path, JSON.stringify(data, null, 2));
  execFileSync(bt, ["edit", path, ...operations.flatMap((operation) => ["--apply", operation])]);
  return JSON.parse(readFileSync(path, "utf8"));
}
