// The editor for those who do not see it, do not use a mouse, or have a small screen.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { until } from "./harness.js";
import { edit, rowOf, state } from "./edit.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TREE = `tree guard {
    selector {
        sequence "fight" { near(meters = 10.0), cooldown(secs(2)) { attack } },
        // Along the river.
        chance(1.5) { patrol },
        rest,
    }
}

tree rest { wait(millis(500)) }
`;

async function check(page, what) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }));
  assert.deepEqual(found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join("\n")}`), [], what);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `nothing is cut off: ${what}`);
}

test("the editor satisfies WCAG AA in both themes and at 390 px", async () => {
  for (const [dark, width] of [[false, 1280], [true, 1280], [false, 390], [true, 390]]) {
    const { page } = await edit("guard.bt", TREE, { width, height: 800 });
    if (dark) await page.click("#theme");
    const of = (what) => check(page, `${what}, ${dark ? "dark" : "light"}, ${width} px`);
    await until("the error is shown", async () => /1 error/.test(await state(page)));
    await rowOf(page, "chance").click();
    await page.keyboard.press("Shift+ArrowDown");
    await of("two selected nodes");
    await rowOf(page, "chance").click();
    await page.locator("#argument-0").fill("7");
    await until("the field is marked", async () => (await page.locator("#argument-0[aria-invalid]").count()) === 1);
    await of("a field that is not valid");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.keyboard.press("#");
    await page.click("#show-difference");
    await until("the difference is shown", async () => (await page.locator("#difference .added").count()) > 0);
    await of("the difference");
    await page.locator("#tree").focus();
    await page.keyboard.press("F2");
    await of("a label in its row");
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.keyboard.type("se");
    await of("the palette");
    await page.keyboard.press("Escape");
    await page.click("#node-menu");
    await of("the menu");
    await page.keyboard.press("Escape");
    await page.click("#tree-menu");
    await page.keyboard.press("Enter");
    await until("the source is shown", async () => /selector/.test(await page.textContent("#source-dialog pre")));
    await of("the source");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await of("the help");
    await page.keyboard.press("Escape");
    await page.click("#as-graph");
    await until("the graph is shown", async () => (await page.locator("#graph .node").count()) > 3);
    await of("the graph");
    assert.deepEqual(page.errors, []);
    await page.close();
  }
});

/** Returns the roles and names of what a screen reader finds. */
async function spoken(page) {
  const client = await page.context().newCDPSession(page);
  const { nodes } = await client.send("Accessibility.getFullAXTree");
  return nodes.filter((node) => !node.ignored).map(({ role, name, properties }) => ({ role: role?.value, name: name?.value ?? "", ...Object.fromEntries((properties ?? []).map((one) => [one.name, one.value.value])) }));
}

test("a screen reader finds words for nodes, tools, fields and entries", async () => {
  const { page } = await edit("guard.bt", TREE);
  await until("the error is shown", async () => /1 error/.test(await state(page)));
  await rowOf(page, "chance").click();
  const names = async (role) => (await spoken(page)).filter((one) => one.role === role).map((one) => one.name);
  const items = await names("treeitem");
  assert.equal(items[1], 'sequence "fight"');
  assert.match(items[5], /^chance \(1\.5\) ?\/\/ Along the river\. ?, error: .*0 to 1/);
  const fields = await names("textbox");
  for (const name of ["label", "note", "as written"]) assert.ok(fields.includes(name), `${name} in ${fields}`);
  assert.ok(fields.some((name) => name.startsWith("probability")), `${fields}`);
  await page.keyboard.press("w");
  await page.keyboard.type("cool");
  await until("an entry is found", async () => (await names("option")).some((name) => name.startsWith("cooldown")));
  const all = await spoken(page);
  assert.ok(all.some(({ role, name }) => role === "dialog" && name === "wrap in a node"));
  assert.ok(all.some(({ role, name }) => role === "listbox" && name === "keywords and leaves"));
  assert.deepEqual(all.filter(({ role, name }) => ["button", "option", "treeitem", "checkbox", "combobox", "searchbox", "group", "listbox", "tree", "menuitem", "textbox", "radio"].includes(role) && (!name.trim() || /^[▾▸✕◐]$/u.test(name))), [], "nothing is without a name");
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.id), "tree", "the focus is back in the tree");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the menu has all operations, keys move in it, and it gives the focus back", async () => {
  const { page } = await edit("guard.bt", TREE);
  await rowOf(page, "attack").click();
  await page.keyboard.press("Shift+F10");
  await until("the menu is open", async () => (await page.locator("[role=menu]").count()) === 1);
  const items = await page.locator("[role=menuitem]").evaluateAll((all) => all.map((one) => one.firstElementChild.textContent));
  for (const name of ["add before…", "add after…", "wrap in…", "unwrap", "replace by…", "move up", "cut", "copy", "paste", "duplicate", "delete", "disable", "label", "note", "extract as a tree…", "inline the tree"]) assert.ok(items.includes(name), name);
  await page.keyboard.press("End");
  await page.keyboard.press("d");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /^(duplicate|delete|disable)/);
  await page.keyboard.press("Escape");
  await until("the menu is closed", async () => (await page.locator("[role=menu]").count()) === 0);
  assert.equal(await page.evaluate(() => document.activeElement.id), "tree");
  await page.close();
});

test("at 390 px the properties are below the tree, and can be edited", async () => {
  const { page } = await edit("guard.bt", TREE, { width: 390, height: 844 });
  await rowOf(page, "cooldown").click();
  const [tree, form] = [await page.locator("#tree").boundingBox(), await page.locator("#properties").boundingBox()];
  assert.ok(form.y >= tree.y + tree.height && tree.height >= 160, JSON.stringify([tree, form]));
  await page.locator("#argument-0").scrollIntoViewIfNeeded();
  await page.locator("#argument-0").fill("4");
  await page.locator("#argument-0").press("Enter");
  await until("it is changed", async () => (await rowOf(page, "cooldown").textContent()).includes("secs(4)"));
  const box = await page.locator("#argument-0").boundingBox();
  assert.ok(box.width > 60 && box.x + box.width <= 390);
  assert.deepEqual(page.errors, []);
  await page.close();
});
