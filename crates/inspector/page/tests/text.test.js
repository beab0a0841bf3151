// Texts of the program that would hide or move what is around them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, load, open, showRecording, until } from "./harness.js";

const [RLO, EVIL] = ["\u202e", "one\ntwo\u202ethree\u0007\u2028"];
const SHOWN = "one␊two\\u{202E}three␇\\u{2028}";

test("control characters are shown as signs, and ordinary text stays as it is", async () => {
  const { visible } = await load("model/text");
  assert.equal(visible(EVIL), SHOWN);
  assert.equal(visible("\t\u007f\u200b\u2066"), "␉␡\\u{200B}\\u{2066}");
  for (const text of ["Ann 7 → ✓", "שלום", "👩‍🚀", "a b"]) assert.equal(visible(text), text);
});

test("names, labels, parameters, values and reasons of errors stay in their places", async () => {
  const param = { name: EVIL, value: EVIL, type_name: "String" };
  const nodes = [
    describe(0, null, "selector", { kind: "Composite", label: EVIL, location: `src/${EVIL}.rs:3:4` }),
    describe(1, 0, EVIL, { params: [param] }),
    describe(2, 0, "שלום", { label: "עולם", location: "src/tree.rs:1:2" }),
    describe(3, 0, "after"),
  ];
  const lines = [
    { agent: 0, name: EVIL },
    { agent: 0, variable: EVIL, value: JSON.stringify({ [EVIL]: EVIL }) },
    { agent: 0, tick: 0, now: 0, status: "Running", events: "0r 1e 2r 3r", reasons: [[1, EVIL]] },
    { agent: 1, name: `${RLO}evil` },
    { agent: 1, tick: 0, now: 0, status: "Running", events: "0r 1r" },
  ];
  const { url } = await showRecording(EVIL, nodes, lines);
  for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 760 }]) {
    const page = await open(url, viewport);
    await until("the tree is shown", async () => (await page.locator(".row").count()) === 4);
    await page.locator("#list .eye").nth(1).click();
    await page.keyboard.press("l");
    await until("the log is shown", async () => (await page.locator("#log .change").count()) > 3);
    const check = async (what) => {
      const unsafe = await page.evaluate(() => {
        const isUnsafe = (text) => /[\p{Cc}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F]/u.test(text.replace(/\n/g, ""));
        const found = [];
        for (const one of document.querySelectorAll("body *:not(script)")) {
          const texts = [...one.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE).map((child) => child.data);
          for (const name of ["title", "aria-label"]) texts.push(one.getAttribute(name) ?? "");
          found.push(...texts.filter((text) => isUnsafe(text) || (/\n/.test(text) && one.localName !== "title")));
        }
        return found;
      });
      assert.deepEqual(unsafe, [], what);
      const tall = await page.locator(".row *, .change *, .agent *, #crumbs button, .chip, #where").evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height > 26).map((one) => one.outerHTML));
      assert.deepEqual(tall, [], `${what}: each stays in its line`);
    };
    await check("the outline and the log");
    assert.equal(await page.textContent("#agent"), SHOWN);
    assert.equal(await page.locator("#node-0 .label").textContent(), `"${SHOWN}"`);
    assert.equal(await page.locator("#node-1 .params").textContent(), `(${SHOWN}: ${SHOWN})`);
    assert.equal(await page.locator("#node-1 .error").textContent(), SHOWN);
    assert.ok((await page.textContent("#shown")).includes(SHOWN.replace("␊", "\\n").replace("␇", "\\u0007")));
    // Names and labels that are written from right to left do not change the order of what is around them.
    const lefts = await page.locator("#node-2 > span:not(.spoken)").evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect()).filter((box) => box.height).map((box) => box.left));
    assert.deepEqual(lefts, [...lefts].sort((a, b) => a - b), lefts.join());
    await page.click("#as-graph");
    await until("the graph is shown", async () => (await page.locator("#graph .node").count()) === 4);
    await check("the graph");
    assert.deepEqual(page.errors, []);
    await page.close();
  }
});
