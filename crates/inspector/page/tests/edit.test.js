// The editor: what can be done with trees in `bt edit`, by keys and with the mouse.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { built, open, until } from "./harness.js";
import { choose, edit, outline, rowOf, saved, shows, state } from "./edit.js";

const GUARD = `// The guard of the bridge.
selector {
    sequence "fight" {
        near(meters = 10.0),
        cooldown(secs(2)) { attack } // hard
    }
    patrol,
}
`;
const ROOT = "selector // The guard of the bridge.";

test("a tree is built from nothing with keys, and saved as a text that bt reads", async () => {
  const { page, path, read } = await edit("empty.bt", "tree guard {}\n");
  await page.click("#add-first");
  await until("the palette is open", async () => (await page.locator("#palette-text").count()) === 1);
  await page.keyboard.type("selec");
  await page.keyboard.press("Enter");
  await shows(page, "selector", "  no children yet");
  await choose(page, "/", "sequence");
  await shows(page, "selector", "  sequence", "    no children yet");
  await choose(page, "/", "enemy_near");
  await choose(page, "/", "attack");
  await shows(page, "selector", "  sequence", "    enemy_near", "    attack");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("F2");
  await page.keyboard.type("fight");
  await page.keyboard.press("Enter");
  await choose(page, "/", "patrol");
  await shows(page, "selector", '  sequence "fight"', "    enemy_near", "    attack", "  patrol");
  await page.keyboard.press("Control+s");
  await saved(page);
  assert.match(read(), /selector \{\s+sequence "fight" \{\s*enemy_near,?\s+attack,?\s*\},?\s+patrol,?\s*\}/);
  assert.equal(spawnSync(join(built, "bt"), ["fmt", "--check", path]).status, 0, "it is formatted");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("each operation has a key, is undone and done again, and without changes the file stays as it is", async () => {
  const { page, read } = await edit("guard.bt", GUARD);
  const before = [ROOT, '  sequence "fight"', "    near(meters = 10.0)", "    cooldown(secs(2))", "      attack", "  patrol"];
  await shows(page, ...before);
  const step = async (node, act, ...rows) => {
    await rowOf(page, node).click();
    await act();
    await shows(page, ...rows);
    await page.keyboard.press("Control+z");
    await shows(page, ...before);
    await page.keyboard.press("Control+Shift+Z");
    await shows(page, ...rows);
    await page.keyboard.press("Control+z");
    await shows(page, ...before);
  };
  const press = (...keys) => async () => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await step("attack", () => choose(page, "w", "invert"), ...before.slice(0, 4), "      invert", "        attack", "  patrol");
  await step("cooldown", press("u"), ROOT, '  sequence "fight"', "    near(meters = 10.0)", "    attack", "  patrol");
  await step("sequence", () => choose(page, "r", "mem_sequence"), ROOT, '  mem_sequence "fight"', ...before.slice(2));
  await step("near", press("Alt+ArrowDown"), ROOT, '  sequence "fight"', "    cooldown(secs(2))", "      attack", "    near(meters = 10.0)", "  patrol");
  await step("patrol", press("Alt+ArrowUp"), ROOT, "  patrol", ...before.slice(1, 5));
  await step("near", press("Alt+ArrowLeft"), ROOT, '  sequence "fight"', "    cooldown(secs(2))", "      attack", "  near(meters = 10.0)", "  patrol");
  await step("patrol", press("Alt+ArrowRight"), ...before.slice(0, 5), "    patrol");
  await step("near", press("Control+d"), ROOT, '  sequence "fight"', "    near(meters = 10.0)", ...before.slice(2));
  await step("patrol", press("Delete"), ...before.slice(0, 5));
  await step("patrol", async () => {
    await page.keyboard.press("n");
    await page.keyboard.type("along the river");
    await page.keyboard.press("Enter");
  }, ...before.slice(0, 5), "  patrol // along the river");
  await rowOf(page, "patrol").click();
  await page.keyboard.press("#");
  await until("it is disabled", async () => (await page.locator(".row.disabled").count()) === 1);
  await page.keyboard.press("#");
  await until("it is enabled", async () => (await page.locator(".row.disabled").count()) === 0);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await until("all is undone", async () => (await page.locator("#undo").isDisabled()) && (await state(page)) === "saved");
  assert.equal(read(), GUARD);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the mouse at rest does not choose in the palette", async () => {
  const { page } = await edit("guard.bt", GUARD);
  await rowOf(page, "patrol").click();
  const box = await page.locator("#tree").boundingBox();
  // The list opens and changes below the mouse.
  for (const part of [0.2, 0.3, 0.4]) {
    await page.mouse.move(box.x + box.width / 3, box.y + box.height * part);
    await choose(page, "w", "cooldown");
    await until("it is wrapped", async () => (await rowOf(page, "cooldown(secs(1))").count()) === 1);
    await page.keyboard.press("Control+z");
    await until("it is undone", async () => (await rowOf(page, "cooldown(secs(1))").count()) === 0);
  }
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("nodes are copied as text and pasted into another window, several at once", async () => {
  const { page } = await edit("guard.bt", GUARD);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await rowOf(page, "near").click();
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Control+c");
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await until("the text is in the clipboard", async () => /near\(meters = 10\.0\)[\s\S]*cooldown\(secs\(2\)\) \{ attack \}/.test(await clipboard()));
  await page.keyboard.press("Control+x");
  await shows(page, ROOT, '  sequence "fight"', "    no children yet", "  patrol");
  const other = await edit("other.bt", "sequence { walk }\n");
  const text = await clipboard();
  await rowOf(other.page, "walk").click();
  await other.page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
  await shows(other.page, "sequence", "  walk", "  near(meters = 10.0)", "  cooldown(secs(2))", "    attack");
  await page.bringToFront();
  await rowOf(page, "patrol").click();
  await page.keyboard.press("Control+v");
  await shows(page, ROOT, '  sequence "fight"', "    no children yet", "  patrol", "  near(meters = 10.0)", "  cooldown(secs(2))", "    attack");
  assert.deepEqual([page.errors, other.page.errors], [[], []]);
  await page.close();
  await other.page.close();
});

/** Drags from the middle of an element to a part of another one, from 0 at its top to 1. */
async function drag(page, from, to, part) {
  const [a, b] = [await from.boundingBox(), await to.boundingBox()];
  await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
  await page.mouse.down();
  await page.mouse.move(a.x + a.width / 2 + 8, a.y + a.height / 2 + 4);
  await page.mouse.move(b.x + b.width / 2, b.y + b.height * part, { steps: 3 });
  await until("the place is marked", async () => (await page.locator(".drop-before, .drop-in, .drop-after").count()) === 1);
  await page.mouse.up();
}

test("nodes are dragged in the outline and in the graph, between siblings and into nodes", async () => {
  const { page } = await edit("guard.bt", GUARD);
  const name = (text) => rowOf(page, text).locator(".name");
  await drag(page, name("patrol"), rowOf(page, "near"), 0.1);
  await shows(page, ROOT, '  sequence "fight"', "    patrol", "    near(meters = 10.0)", "    cooldown(secs(2))", "      attack");
  await drag(page, name("near"), rowOf(page, "selector"), 0.5);
  await shows(page, ROOT, '  sequence "fight"', "    patrol", "    cooldown(secs(2))", "      attack", "  near(meters = 10.0)");
  await page.click("#as-graph");
  const node = (text) => page.locator("#graph .node", { has: page.locator(`.name:text("${text}")`) }).first().locator("rect");
  await until("the graph is placed", async () => (await page.locator("#graph .node").count()) === 6 && !/^translate\(0,0\)/.test(await page.getAttribute("#graph svg > g", "transform")));
  await drag(page, node("near"), node("patrol"), 0.9);
  await page.click("#as-outline");
  await shows(page, ROOT, '  sequence "fight"', "    patrol", "    near(meters = 10.0)", "    cooldown(secs(2))", "      attack");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a field is marked while it is typed, sent when it is left, and Escape reverts it", async () => {
  const { page, read } = await edit("guard.bt", GUARD.replace("patrol,", "chance(0.5) { patrol }"));
  await rowOf(page, "chance").click();
  const field = page.locator("#argument-0");
  const message = () => page.textContent("#argument-0-message");
  await field.fill("1.5");
  await until("it is marked", async () => (await message()) !== "" && (await field.getAttribute("aria-invalid")) === "true");
  assert.equal(await rowOf(page, "chance").locator(".params").textContent(), "(0.5)", "nothing is sent while typing");
  await field.press("Escape");
  await until("it is as before", async () => (await field.inputValue()) === "0.5" && (await message()) === "");
  await field.fill("0.8");
  await field.press("Enter");
  await until("it is sent", async () => (await rowOf(page, "chance").locator(".params").textContent()) === "(0.8)");
  await rowOf(page, "cooldown").click();
  assert.equal(await field.inputValue(), "2");
  await field.fill("3");
  await page.locator("#field-label").focus();
  await until("leaving the field sends it", async () => (await rowOf(page, "cooldown").locator(".params").textContent()) === "(secs(3))");
  await page.selectOption('select[aria-label="unit of time"]', "ms");
  await until("the duration stays", async () => (await rowOf(page, "cooldown").locator(".params").textContent()) === "(millis(3000))");
  await page.keyboard.press("Control+s");
  await saved(page);
  assert.equal(read(), GUARD.replace("secs(2)", "millis(3000)").replace("patrol,", "chance(0.8) { patrol }"));
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("problems are listed and lead to their nodes", async () => {
  const { page } = await edit("guard.bt", GUARD);
  await rowOf(page, "cooldown").click();
  await page.locator("#field-head").fill("chance(1.5)");
  await page.locator("#field-head").press("Enter");
  await until("there is an error", async () => (await page.locator("#problems li.error").count()) === 1);
  assert.match(await state(page), /^1 error, not saved/);
  await rowOf(page, "patrol").click();
  await page.locator("#problems button").click();
  await until("it is selected", async () => /chance/.test(await page.locator(".row.selected").textContent()));
  await until("it has the sign", async () => (await rowOf(page, "chance").locator(".warning").count()) === 1);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("trees are created, used in another, extracted, inlined, renamed and removed", async () => {
  const { page, read } = await edit("trees.bt", `tree guard { ${GUARD.split("\n").slice(1).join("\n").trim()} }\n`);
  const names = () => page.locator(".tree-name .name").allTextContents();
  await rowOf(page, "sequence").click();
  await page.keyboard.press("x");
  await until("the name is suggested", async () => (await page.inputValue("#tree-name")) === "fight");
  await page.keyboard.press("Enter");
  await shows(page, "selector", "  fight", "  patrol");
  await until("both are listed", async () => (await names()).join() === "guard,fight");
  await page.locator(".tree-name", { hasText: "fight" }).click();
  await shows(page, 'sequence "fight"', "  near(meters = 10.0)", "  cooldown(secs(2))", "    attack");
  await page.click("#tree-menu");
  await page.getByRole("menuitem", { name: "new tree…" }).click();
  await page.keyboard.type("rest");
  await page.keyboard.press("Enter");
  await until("the new tree is shown", async () => (await page.locator("#empty").count()) === 1);
  await choose(page, "/", "wait");
  await until("it has a node", async () => (await outline(page)).length === 1);
  await page.locator(".tree-name", { hasText: "guard" }).click();
  await rowOf(page, "patrol").click();
  await choose(page, "/", "rest");
  await shows(page, "selector", "  fight", "  patrol", "  rest");
  await rowOf(page, "fight").click();
  await page.keyboard.press("i");
  await shows(page, "selector", '  sequence "fight"', "    near(meters = 10.0)", "    cooldown(secs(2))", "      attack", "  patrol", "  rest");
  await page.click("#tree-menu");
  await page.getByRole("menuitem", { name: "show as Rust source" }).click();
  await until("the source is shown", async () => /selector \{/.test(await page.textContent("#source-dialog pre")));
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+s");
  await saved(page);
  assert.match(read(), /tree rest \{/);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("two pages see each other's edits, and what can be undone is there after a reload", async () => {
  const { page, url } = await edit("guard.bt", GUARD);
  const other = await open(url);
  await until("the other page shows it", async () => (await outline(other)).length === 6);
  await rowOf(page, "patrol").click();
  await page.keyboard.press("Delete");
  await until("the other page follows", async () => (await outline(other)).length === 5);
  await page.reload();
  await until("it is opened again", async () => (await outline(page)).length === 5);
  assert.equal(await page.getAttribute("#undo", "aria-label"), "undo: delete patrol");
  await page.click("#undo");
  await until("both have it again", async () => (await outline(page)).length === 6 && (await outline(other)).length === 6);
  await page.close();
  await other.close();
});

test("a file that is changed elsewhere is merged, or its versions are shown", async () => {
  const { page, path, read } = await edit("guard.bt", GUARD);
  await rowOf(page, "cooldown").click();
  await page.locator("#argument-0").fill("5");
  await page.locator("#argument-0").press("Enter");
  await until("it is changed here", async () => (await rowOf(page, "cooldown").textContent()).includes("secs(5)"));
  writeFileSync(path, GUARD.replace("patrol", "wander"));
  await until("both changes are there", async () => (await rowOf(page, "wander").count()) === 1 && (await rowOf(page, "cooldown").textContent()).includes("secs(5)"));
  await page.locator("#tree").focus();
  await page.keyboard.press("Control+s");
  await saved(page);
  assert.equal(read(), GUARD.replace("patrol", "wander").replace("secs(2)", "secs(5)"));
  await rowOf(page, "cooldown").click();
  await page.locator("#argument-0").fill("6");
  await page.locator("#argument-0").press("Enter");
  await until("it is changed here", async () => (await rowOf(page, "cooldown").textContent()).includes("secs(6)"));
  const theirs = GUARD.replace("secs(2)", "secs(7)");
  writeFileSync(path, theirs);
  await until("three versions are shown", async () => (await page.locator("#conflict pre").count()) === 3);
  assert.equal(read(), theirs, "nothing is overwritten");
  const texts = await page.locator("#conflict pre").allTextContents();
  assert.deepEqual(texts.map((text) => /secs\((\d)\)/.exec(text)[1]), ["5", "6", "7"]);
  assert.match(await page.textContent("#properties"), /Choose one of the versions first/);
  assert.ok((await page.locator("#add").isDisabled()) && (await page.locator("#save-document").isDisabled()));
  await page.click("#keep-mine");
  await until("the conflict is over", async () => (await page.locator("#conflict").count()) === 0);
  await page.keyboard.press("Control+s");
  await saved(page);
  assert.match(read(), /secs\(6\)/);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a large tree stays fluent, and only what is visible is in the document", async () => {
  const part = `    sequence { ${"near(meters = 10.0), ".repeat(19)} },\n`;
  const { page } = await edit("large.bt", `selector {\n${part.repeat(100)}}\n`);
  await until("it is shown", async () => (await page.locator("#tree .row").count()) > 20);
  assert.ok((await page.locator("#tree .row").count()) < 90);
  await page.locator("#tree").focus();
  const most = await page.evaluate(async () => {
    const tree = document.getElementById("tree");
    let [most, added] = [0, 0];
    const count = (changes) => (added += changes.reduce((sum, change) => sum + change.addedNodes.length, 0));
    const observer = new MutationObserver(count);
    observer.observe(tree, { childList: true, subtree: true });
    for (let step = 0; step < 60; step++) {
      tree.scrollTop += 500;
      tree.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", shiftKey: true, bubbles: true }));
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      count(observer.takeRecords());
      [most, added] = [Math.max(most, added), 0];
    }
    return most;
  });
  assert.ok(most > 0 && most < 500, `a step creates only what becomes visible, not ${most} elements of 2100 rows`);
  await page.close();
});
