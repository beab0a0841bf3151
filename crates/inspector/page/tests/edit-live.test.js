// A tree that is edited while an agent runs it.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { choose, rowOf, saved, shows, state } from "./edit.js";
import { agent, folder, is, open, row, start, text, ticks, until } from "./harness.js";

const GUARD = `selector {
    sequence "fight" {
        near(10.0),
        attack,
    }
    patrol,
}
`;
let count = 0;

/** Starts a program whose agent runs the tree of a file, and edits it in the page. */
async function run(viewport = { width: 1280, height: 800 }) {
  const path = join(folder, `live-${count++}.bt`);
  writeFileSync(path, GUARD);
  const { url } = await start("examples/edited", path);
  const page = await open(url, viewport);
  await ticks(page);
  await page.keyboard.press("e");
  await shows(page, "selector", '  sequence "fight"', "    near(10.0)", "    attack", "  patrol");
  return { page, path, read: () => readFileSync(path, "utf8") };
}

test("nodes that run are marked while they are edited, in the outline and in the graph", async () => {
  const { page } = await run();
  await until("the patrol runs", () => is(rowOf(page, "patrol"), "r", "fresh"));
  await until("the fight runs", () => is(rowOf(page, "attack"), "r", "fresh"));
  await until("the patrol is halted", () => is(rowOf(page, "patrol"), "h"));
  assert.match(await rowOf(page, "attack").textContent(), /running/);
  await page.click("#as-graph");
  const node = (text) => page.locator("#graph .node", { has: page.locator(`.name:text("${text}")`) }).first();
  await until("it runs in the graph, too", () => is(node("attack"), "r", "fresh"));
  await until("so does the patrol", () => is(node("patrol"), "r", "fresh"));
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a change is applied to running agents at once, and what runs goes on", async () => {
  const { page } = await run();
  await until("the patrol runs", () => is(rowOf(page, "patrol"), "r", "fresh"));
  await rowOf(page, "patrol").click();
  await choose(page, "w", "force_success");
  await shows(page, "selector", '  sequence "fight"', "    near(10.0)", "    attack", "  force_success", "    patrol");
  await until("it is applied", async () => /^(?!.*not applied)/.test(await state(page)));
  await until("the new node runs", () => is(rowOf(page, "force_success"), "r", "fresh"));
  await page.keyboard.press("e");
  await until("the tree runs with it", async () => (await page.locator("#tree .row", { hasText: "force_success" }).count()) === 1);
  await page.keyboard.press("e");
  await page.keyboard.press("Control+z");
  await shows(page, "selector", '  sequence "fight"', "    near(10.0)", "    attack", "  patrol");
  await until("the patrol runs again", () => is(rowOf(page, "patrol"), "r", "fresh"));
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("without “apply at once”, the difference is shown and applied together", async () => {
  const { page, read } = await run();
  await page.uncheck("#auto");
  await rowOf(page, "near").click();
  assert.match(await page.textContent("#properties"), /Whether an enemy is near/, "the documentation of the leaf");
  await page.locator("#argument-0").fill("12.5");
  await page.locator("#argument-0").press("Enter");
  const added = async () => (await page.locator("#difference .added").allTextContents()).join("\n");
  await until("the argument is in the difference", async () => /near\(12\.5\)/.test(await added()));
  await rowOf(page, "patrol").click();
  await page.keyboard.press("Alt+ArrowUp");
  await until("both are in the difference", async () => /patrol[^]*near\(12\.5\)/.test(await added()));
  assert.match(await state(page), /not applied/);
  await page.click("#apply");
  await until("all is applied", async () => !/not applied/.test(await state(page)));
  await page.keyboard.press("Control+s");
  await saved(page);
  assert.match(read(), /^selector \{\s+patrol,\s+sequence "fight" \{\s+near\(12\.5\),\s+attack,?\s+\}\s+\}\n$/);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("an invalid change shows its errors, and the tree before runs on", async () => {
  const { page } = await run();
  await rowOf(page, "near").click();
  await page.locator("#argument-0").fill("far");
  await until("the field is marked", async () => (await page.getAttribute("#argument-0", "aria-invalid")) === "true");
  await page.locator("#argument-0").press("Enter");
  await until("the error is listed", async () => (await page.locator("#problems li.error").count()) === 1 && /1 error, not applied/.test(await state(page)));
  await until("the agent goes on", () => is(rowOf(page, "attack"), "r", "fresh"));
  await page.locator("#tree").focus();
  await page.keyboard.press("Control+z");
  await until("nothing is wrong", async () => (await page.locator("#problems").count()) === 0);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("all documents of a program can be opened, and an agent whose tree has none is looked at", async () => {
  const paths = ["guard.bt", "dog.bt"].map((name) => join(folder, name));
  writeFileSync(paths[0], GUARD);
  writeFileSync(paths[1], "tree rest { patrol }\n\ntree dog { sequence { near(5.0), rest } }\n");
  const { url } = await start("examples/edited", ...paths);
  const page = await open(url);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await ticks(page);
  await page.keyboard.press("e");
  await shows(page, "selector", '  sequence "fight"', "    near(10.0)", "    attack", "  patrol");
  const shown = () => page.locator("#edit-document").evaluate((list) => list.selectedOptions[0].textContent);
  assert.deepEqual(await page.locator("#edit-document optgroup").evaluateAll((groups) => groups.map((group) => [group.label, ...[...group.children].map((one) => one.textContent)])), [["of this agent", "guard.bt"], ["others", "dog.bt"]]);
  await rowOf(page, "near").click();
  await page.keyboard.press("Control+c");
  await until("it is copied", async () => (await page.evaluate(() => navigator.clipboard.readText())).includes("near"));
  await page.selectOption("#edit-document", { label: "dog.bt" });
  await shows(page, "patrol");
  assert.equal(await page.locator("#agent").count(), 0, "it is not the tree of the agent");
  await page.selectOption("#edit-which", { label: "dog" });
  await shows(page, "sequence", "  near(5.0)", "  rest");
  await rowOf(page, "rest").click();
  await page.keyboard.press("Control+v");
  await shows(page, "sequence", "  near(5.0)", "  rest", "  near(10.0)");
  await rowOf(page, "rest").click();
  await page.keyboard.press("o");
  await shows(page, "patrol");
  await agent(page, "Bob").click();
  await until("the agent runs the document", async () => (await page.locator("#agent").count()) === 1 && (await text(page, "#agent")) === "Bob");
  await agent(page, "Dan").click();
  await until("its tree is shown", async () => (await page.locator("#editor").count()) === 0 && (await row(page, "patrol").count()) === 1);
  await page.keyboard.press("e");
  await until("a document is edited", async () => (await page.locator("#edit-document").count()) === 1);
  await agent(page, "Ann").click();
  await until("it is that of the agent", async () => (await shown()) === "guard.bt");
  await shows(page, "selector", '  sequence "fight"', "    near(10.0)", "    attack", "  patrol");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("at 390 px, a running tree is edited below the list of agents", async () => {
  const { page } = await run({ width: 390, height: 844 });
  await rowOf(page, "near").click();
  await page.locator("#argument-0").scrollIntoViewIfNeeded();
  await page.locator("#argument-0").fill("20");
  await page.locator("#argument-0").press("Enter");
  await until("it is changed", async () => (await rowOf(page, "near").textContent()).includes("near(20"));
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is cut off");
  assert.deepEqual(page.errors, []);
  await page.close();
});
