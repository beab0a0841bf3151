// Drawings by bt-core, which Chromium renders.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { browser, built, folder } from "./harness.js";

test("drawings of 100 nodes are well-formed, without overlaps", async () => {
  const folder = join(built, "..", "tmp", "drawings"); // written by `cargo test -p bt-integration drawings`
  for (const name of ["plain.svg", "statuses.svg", "counts.svg"]) {
    const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
    await page.goto(`file://${join(folder, name)}`);
    const found = await page.evaluate(() => {
      const box = (element) => element.getBBox();
      const groups = [...document.querySelectorAll("g")];
      const apart = (a, b) => a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
      const rects = groups.map((group) => box(group.querySelector("rect")));
      const size = document.documentElement.viewBox.baseVal;
      return {
        broken: document.querySelector("parsererror") !== null,
        nodes: groups.length,
        branches: document.querySelectorAll("path").length,
        overlaps: rects.filter((a, i) => rects.some((b, j) => j > i && !apart(a, b))).length,
        tooWide: groups.filter((group) => box(group.querySelector("text")).width > box(group.querySelector("rect")).width - 8).length,
        outside: groups.filter((group) => box(group).x + box(group).width > size.width || box(group).y + box(group).height > size.height).length,
      };
    });
    assert.deepEqual(found, { broken: false, nodes: 100, branches: 99, overlaps: 0, tooWide: 0, outside: 0 }, name);
    await page.close();
  }
});
