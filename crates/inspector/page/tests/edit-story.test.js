// What a new user does in the first five minutes: builds the guard of the README, and changes the melee enemy while it runs.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { promisify } from "node:util";
import { choose, edit, outline, rowOf, saved, shows, state } from "./edit.js";
import { agent, built, folder, is, number, open, root, start, ticks, until } from "./harness.js";

/** Writes a crate outside of the workspace, and returns a function that runs it. */
function crate(main) {
  const path = join(folder, "guard");
  mkdirSync(join(path, "src"), { recursive: true });
  const dependency = `bt-core = { path = ${JSON.stringify(join(root, "bt-core"))} }`;
  writeFileSync(join(path, "Cargo.toml"), `[package]\nname = "guard"\nedition = "2024"\n\n[dependencies]\n${dependency}\n\n[workspace]\n`);
  cpSync(join(root, "Cargo.lock"), join(path, "Cargo.lock"));
  const source = join(path, "src/main.rs");
  writeFileSync(source, main);
  // In a folder of its own, it does not wait for what is built beside the tests.
  const run = async () => (await promisify(execFile)("cargo", ["run", "--quiet", "--offline", "--target-dir", join(built, "../story")], { cwd: path })).stdout;
  return { source, run };
}

test("the README's guard is built from an empty tree with keys alone, saved as Rust, and runs", async () => {
  const [, program] = /```rust\n([^`]*fn main\(\)[^`]*)```/.exec(readFileSync(join(root, "README.md"), "utf8"));
  const tree = /tree! \{ (selector .*) \}\n/.exec(program)[1];
  const { source, run } = crate("fn main() {}\n");
  // What the program needs is compiled meanwhile.
  const compiled = run();
  const { page, read } = await edit("guard.rs", program.replace(/tree! \{ selector .* \}\n/, "tree! {}\n"));
  await until("the page says how to begin", async () => /guard is empty.*press \/.*selector/s.test(await page.textContent("#empty")));
  assert.equal(await state(page), "empty, saved");
  await choose(page, "/", "sel");
  await choose(page, "/", "seq");
  await page.keyboard.press("F2");
  await page.keyboard.type("fight");
  await page.keyboard.press("Enter");
  await shows(page, "selector", '  sequence "fight"', "    no children yet");
  await choose(page, "/", "enemy_near");
  await choose(page, "/", "attack");
  await page.keyboard.press("ArrowLeft");
  await choose(page, "/", "patrol");
  await shows(page, "selector", '  sequence "fight"', "    enemy_near", "    attack", "  patrol");
  assert.equal(await page.locator("#problems").count(), 0);
  await page.keyboard.press("Control+s");
  await saved(page);
  const words = (text) => text.replace(/[\s,]+/g, " ").trim();
  assert.equal(words(read()), words(program), "it is the program of the README");
  assert.deepEqual(page.errors, []);
  await page.close();
  await compiled;
  writeFileSync(source, read());
  const printed = (await run()).split("\n").map((line) => line.replace(/^[│├└─ ]+/, ""));
  assert.deepEqual(printed.filter(Boolean), ["guard", ...words(tree).replace(/[{}]/g, "").replace(/(?<=\w|") +(?!")/g, "\n").split("\n").map((word) => word.trim()).filter(Boolean)]);
});

const MELEE = join(root, "examples/melee_enemy/tree.rs");
const IDLE = ["mem_selector", '  mem_sequence "TK practice"', "    find_and_move_to(&[Kind::Box], 50.0)"];
const melee = {};
before(async () => {
  const { url } = await start("melee_enemy", "--headless", "--ticks", "100000", "--seed", "1", "--edit");
  melee.url = /http:\S+/.exec(url)[0];
});

/** Opens the editor of the subtree in which calm students are. */
async function editIdle() {
  const page = await open(melee.url, { width: 1280, height: 800 });
  await ticks(page);
  await page.keyboard.press("e");
  await until("the tree is shown", async () => (await outline(page))[0] === 'selector "melee enemy"');
  // With this seed, the player does not come near students 0 and 3 for two minutes.
  await until("the student is calm", () => is(rowOf(page, "idle"), "r", "fresh"));
  await rowOf(page, "idle").click();
  await page.keyboard.press("o");
  await until("its subtree is shown", async () => JSON.stringify((await outline(page)).slice(0, 3)) === JSON.stringify(IDLE));
  return page;
}

/** Whether the timeline has the sign of a tree that was replaced. */
const isMarked = (page) =>
  page.locator("#timeline").evaluate((canvas) => {
    const [r, g, b] = [1, 3, 5].map((at) => parseInt(getComputedStyle(canvas).getPropertyValue("--accent").trim().slice(at, at + 2), 16));
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, 4);
    return data.some((_, at) => at % 4 === 0 && data[at] === r && data[at + 1] === g && data[at + 2] === b);
  });
const wrapped = async (page) => (await outline(page))[0] === "force_success";
const isApplied = async (page) => !/not applied/.test(await state(page));

test("the melee enemy is changed while students run it, an invalid change is not, and undo brings the tree back", async () => {
  const text = readFileSync(MELEE, "utf8");
  const page = await editIdle();
  assert.equal(await isMarked(page), false);
  await rowOf(page, "mem_selector").click();
  await choose(page, "w", "force_success");
  await until("it is changed", () => wrapped(page));
  await until("the new node runs", () => is(rowOf(page, "force_success"), "r", "fresh"));
  await until("what is in it runs on", () => is(rowOf(page, "mem_selector"), "r", "fresh"));
  await until("the timeline shows the new version", () => isMarked(page));
  assert.match(await page.textContent("#notice"), /the tree was replaced: 1 added/);
  await agent(page, "student 3").click();
  await until("it runs in other students", async () => (await page.textContent("#agent")) === "student 3" && (await is(rowOf(page, "force_success"), "fresh")));
  await rowOf(page, "tk_lift").click();
  await choose(page, "/", "sing");
  await until("the error is shown", async () => /`sing` is not in this tree of the running program/.test(await page.textContent("#problems")));
  assert.match(await state(page), /^1 error, not applied/);
  const tick = await number(page);
  await until("the tree before runs on", async () => (await number(page)) > tick + 2 && (await is(rowOf(page, "force_success"), "fresh")));
  await page.keyboard.press("Control+z");
  await until("nothing is wrong", async () => (await page.locator("#problems").count()) === 0 && (await isApplied(page)));
  await page.keyboard.press("Control+z");
  await until("the tree is back", async () => !(await wrapped(page)) && (await state(page)) === "saved");
  await until("it runs", () => is(rowOf(page, "mem_selector"), "fresh"));
  assert.equal(readFileSync(MELEE, "utf8"), text, "the source was never written");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("two pages on a running tree see each other's changes, and share one history", async () => {
  const [page, other] = [await editIdle(), await editIdle()];
  await rowOf(page, "mem_selector").click();
  await choose(page, "w", "force_success");
  await until("both pages have it", async () => (await wrapped(page)) && (await wrapped(other)));
  await until("it runs in the other page", () => is(rowOf(other, "force_success"), "fresh"));
  await other.locator("#tree").focus();
  await other.keyboard.press("Control+z");
  await until("both pages have the tree before", async () => !(await wrapped(page)) && !(await wrapped(other)));
  assert.equal(await page.getAttribute("#redo", "aria-label"), await other.getAttribute("#redo", "aria-label"));
  assert.deepEqual([page.errors, other.errors], [[], []]);
  await page.close();
  await other.close();
});
