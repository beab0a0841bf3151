// Warnings of trees from files: what in them can never happen, or does nothing.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { describe, firstTick, open, showRecording, until } from "./harness.js";

const UNREACHABLE = "unreachable node; note: the child before it only returns `Success`";
const POINTLESS = "`retry(1)` never starts its child again\u202E";
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Shows a tree with warnings at two nodes, in three nodes of the file. */
async function show() {
  const file = (id, warnings) => ({ file: { id, name: "N", properties: "{}", more: "" }, ...(warnings && { warnings }) });
  const nodes = [
    describe(0, null, "selector", { kind: "Composite", ...file("1") }),
    describe(1, 0, "greet", file("2", [])),
    describe(2, 0, "retry", { kind: "Decorator", ...file("3", [UNREACHABLE, POINTLESS]) }),
    describe(3, 2, "walk", file("4")),
    describe(4, 0, "stand", { params: [{ name: "distance", value: "12" }], ...file("5", [UNREACHABLE]) }),
  ];
  const { url } = await showRecording("warned", nodes, [
    { agent: 0, name: "Ann" },
    { agent: 0, tick: 0, now: 0, status: "Success", events: "0s 1s" },
  ]);
  return url;
}

test("nodes with warnings have a sign, and the texts are below the tree", async () => {
  const page = await open(await show());
  await firstTick(page);
  const sign = (node) => page.locator(`#node-${node} .warning`);
  assert.deepEqual([await sign(1).count(), await sign(2).count(), await sign(3).count(), await sign(4).count()], [0, 1, 0, 1]);
  const texts = [UNREACHABLE, POINTLESS.replace("\u202E", "\\u{202E}")].map((text) => `warning: ${text}`);
  assert.equal(await sign(2).getAttribute("title"), texts.join("\n"));
  assert.ok((await page.textContent("#node-2 .spoken")).endsWith(texts.join(", ")));
  assert.equal(await page.locator("#warnings").count(), 0, "the root has none");
  await page.click("#node-2 .name");
  await until("the texts are shown", async () => (await page.locator("#warnings p").count()) === 2);
  assert.deepEqual(await page.locator("#warnings p").allTextContents(), texts.map((text) => `⚠ ${text}`));
  await page.click("#node-3 .name");
  await until("the texts are gone", async () => (await page.locator("#warnings").count()) === 0);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the number of warnings leads from one to the next", async () => {
  const page = await open(await show());
  await firstTick(page);
  const count = page.locator("#warning-count");
  assert.equal(await count.textContent(), "⚠ 3");
  assert.equal(await count.getAttribute("aria-label"), "3 warnings in this tree: show the next one");
  for (const node of [2, 4, 2]) {
    await count.click();
    await until(`node ${node} is active`, async () => (await page.locator(".row.active").getAttribute("id")) === `node-${node}`);
  }
  await page.close();
});

test("the graph shows warnings", async () => {
  const page = await open(await show());
  await firstTick(page);
  await page.click("#as-graph");
  const node = page.locator("#graph-4");
  await until("the sign is shown", async () => (await node.locator(".warning").count()) === 1);
  assert.ok((await node.locator("title").textContent()).includes(`\nwarning: ${UNREACHABLE}`));
  assert.ok((await node.getAttribute("aria-label")).includes(`warning: ${UNREACHABLE}`));
  assert.equal(await page.locator("#graph-1 .warning").count(), 0);
  const [rect, name, sign] = await Promise.all(["rect", ".name", ".warning"].map((part) => node.locator(part).boundingBox()));
  assert.ok(name.x + name.width <= sign.x && sign.x + sign.width <= rect.x + rect.width, "the sign is behind the name, in the node");
  await page.close();
});

test("warnings are accessible in both color schemes, also on a narrow screen", async () => {
  const url = await show();
  for (const width of [1280, 390]) {
    for (const dark of [false, true]) {
      const page = await open(url, { width, height: 760 });
      await firstTick(page);
      if (dark) await page.click("#theme");
      await page.click("#warning-count");
      await until("the texts are shown", async () => (await page.locator("#warnings p").count()) === 2);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }));
      assert.deepEqual(violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(" ")}`), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} px`);
      const [tree, texts] = await Promise.all(["#trees > *", "#warnings"].map((part) => page.locator(part).first().boundingBox()));
      assert.ok(tree.height > 100 && tree.y + tree.height <= texts.y, `the texts are below the tree: ${width} px`);
      if (process.env.PICTURES) {
        await page.screenshot({ path: `${process.env.PICTURES}/warnings-${width}-${dark}.png` });
        await page.click("#as-graph");
        await page.waitForTimeout(400);
        await page.screenshot({ path: `${process.env.PICTURES}/warnings-${width}-${dark}-graph.png` });
      }
      await page.close();
    }
  }
});
