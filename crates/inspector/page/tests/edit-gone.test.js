// The editor when what it edits is gone: the program, another page's node, the token, the tree.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { choose, edit, outline, rowOf, saved, shows, state } from "./edit.js";
import { folder, open, pause, start, text, until } from "./harness.js";

const GUARD = `selector {
    sequence "fight" { near(meters = 10.0), attack },
    patrol,
}
`;
const there = (page, selector) => async () => (await page.locator(selector).count()) === 1;

test("a page whose program has ended says so, keeps what is typed, and shows what was not saved", async () => {
  const { page, program, read } = await edit("guard.bt", GUARD);
  await rowOf(page, "patrol").click();
  await page.keyboard.press("F2");
  await page.keyboard.type("along the river");
  await page.keyboard.press("Enter");
  await until("it is not saved", async () => /not saved/.test(await state(page)));
  await rowOf(page, "attack").click();
  await page.keyboard.press("F2");
  await page.keyboard.type("with a sword");
  program.kill();
  await until("the page says so", there(page, "#gone"));
  await until("gone says so", async () => /program has ended.*not saved is shown below/.test(await text(page, "#gone")));
  assert.ok((await page.locator("#difference .added").allTextContents()).some((line) => line.includes("along the river")));
  await page.keyboard.press("Enter");
  assert.equal(await page.inputValue("input.inline"), "with a sword");
  await until("notice says so", async () => /nothing was changed: the program has ended/.test(await text(page, "#notice")));
  await page.keyboard.press("Escape");
  await page.keyboard.press("Delete");
  await until("it says so again", async () => /nothing was changed/.test(await text(page, "#notice")));
  assert.equal((await outline(page)).length, 5);
  assert.equal(read(), GUARD);
  // A program that was started again refuses the token.
  await page.route((url) => url.pathname === "/", (route) => route.fulfill({ status: 403 }));
  await until("it leads to the new address", async () => /open the address that it prints/.test(await text(page, "#gone")));
  await until("connection says so", async () => /open the address/.test(await text(page, "#connection")));
  assert.deepEqual(page.errors.filter((error) => !/ERR_CONNECTION|WebSocket|403/.test(error)), []);
  await page.close();
});

test("a node that another page deletes while its label or a field is edited is gone with a word", async () => {
  const { page, url } = await edit("guard.bt", GUARD);
  const other = await open(url);
  await until("the other page shows it", async () => (await outline(other)).length === 5);
  const removed = async (type) => {
    await type();
    await rowOf(other, "attack").click();
    await other.keyboard.press("Delete");
    await until("it is gone", async () => (await outline(page)).length === 4);
    await until("the page says so", async () => /attack.*is gone|node is gone/.test(await text(page, "#notice")));
    await other.keyboard.press("Control+z");
    await until("it is there again", async () => (await outline(page)).length === 5);
  };
  await removed(async () => {
    await rowOf(page, "attack").click();
    await page.keyboard.press("F2");
    await page.keyboard.type("hard");
  });
  await removed(async () => {
    await rowOf(page, "attack").click();
    await page.locator("#field-note").fill("hard");
  });
  assert.deepEqual([page.errors, other.errors], [[], []]);
  await page.close();
  await other.close();
});

test("Ctrl S saves from fields, dialogs and the header, and Ctrl Enter sends what was typed", async () => {
  const { page, read } = await edit("guard.bt", GUARD);
  await rowOf(page, "patrol").click();
  await page.keyboard.press("F2");
  await page.keyboard.type("river");
  await page.keyboard.press("Control+s");
  await until("the label is saved", () => read().includes('patrol "river"'));
  await saved(page);
  await page.keyboard.press("Control+d");
  await until("it is not saved", async () => /not saved/.test(await state(page)));
  await page.keyboard.press("/");
  await page.keyboard.type("wai");
  await page.keyboard.press("Control+s");
  await saved(page);
  await page.keyboard.type("t");
  assert.equal(await page.inputValue("#palette-text"), "wait", "the dialog keeps the focus");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+z");
  await page.locator("#theme").focus();
  await until("it is not saved", async () => /not saved/.test(await state(page)));
  await page.keyboard.press("Control+s");
  await saved(page);
  await rowOf(page, "attack").click();
  await page.locator("#field-note").fill("hard");
  await page.locator("#field-note").press("Control+Enter");
  await shows(page, "selector", '  sequence "fight"', "    near(meters = 10.0)", "    attack // hard", '  patrol "river"');
  assert.doesNotMatch(await text(page, "#notice"), /no program follows/, "nothing is asked of a program");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a document without trees, and a tree without nodes, take keys", async () => {
  const { url } = await start("bt", "edit", "--no-open", join(folder, "new.json"));
  const page = await open(/http:\S+/.exec(url)[0]);
  await until("the document is opened", there(page, "#empty"));
  await until("empty says so", async () => /no trees yet|is empty/.test(await text(page, "#empty")));
  for (const key of ["Home", "End", "ArrowDown", "ArrowLeft", "n", "w", "u", "x", "F2"]) await page.keyboard.press(key);
  assert.equal(await page.locator("[role=dialog]").count(), 0);
  await page.keyboard.press("/");
  await until("a dialog is open", there(page, "[role=dialog]"));
  if (await page.locator("#tree-name").count()) {
    await page.keyboard.type("guard");
    await page.keyboard.press("Enter");
    await until("the tree is there", async () => /guard is empty/.test(await text(page, "#empty")));
    for (const key of ["Home", "ArrowUp", "Enter"]) await page.keyboard.press(key);
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await until("the palette is open", there(page, "#palette-text"));
  }
  await page.keyboard.type("mem_seq");
  await page.keyboard.press("Enter");
  await shows(page, "MemSequence", "  no children yet");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a note has several lines, and a suggested name is replaced by typing", async () => {
  const { page } = await edit("trees.bt", `tree guard { ${GUARD.trim()} }\n`);
  await rowOf(page, "patrol").click();
  await page.keyboard.press("n");
  await page.keyboard.type("along");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("the river");
  await page.keyboard.press("Enter");
  await until("both lines are there", async () => (await page.inputValue("#field-note")) === "along\nthe river");
  await page.keyboard.press("n");
  assert.equal(await page.inputValue("textarea.inline"), "along\nthe river");
  await page.keyboard.press("Escape");
  await rowOf(page, "sequence").click();
  await page.keyboard.press("x");
  await until("the name is suggested", async () => (await page.inputValue("#tree-name")) === "fight");
  await page.keyboard.type("battle");
  await page.keyboard.press("Enter");
  await until("it has the other name", async () => (await page.locator(".tree-name .name").allTextContents()).join() === "guard,battle");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a page without the token says why nothing can be edited", async () => {
  const path = join(folder, "without-token.bt");
  writeFileSync(path, GUARD);
  const { url } = await start("examples/edited", path);
  const page = await open(url.replace(/\?.*/, ""));
  await until("it says why", there(page, "#not-editable"));
  await until("not-editable says so", async () => /open the address with the token/.test(await text(page, "#not-editable")));
  const other = await open(url);
  await until("the tree can be edited", there(other, "#as-edit"));
  assert.equal(await other.locator("#not-editable").count(), 0);
  await page.close();
  await other.close();
});

test("a tree is created in another document", async () => {
  const paths = ["guard.bt", "dog.bt"].map((name) => join(folder, `into-${name}`));
  writeFileSync(paths[0], `tree guard { ${GUARD.trim()} }\n`);
  writeFileSync(paths[1], "tree dog { sit }\n");
  const { url } = await start("bt", "edit", "--no-open", ...paths);
  const page = await open(/http:\S+/.exec(url)[0]);
  await until("a document is opened", async () => (await page.locator("#tree .row").count()) === 5);
  await page.click("#tree-menu");
  await page.getByRole("menuitem", { name: "into another document…" }).click();
  await page.keyboard.type("watch");
  await page.keyboard.press("Enter");
  await until("it is there", async () => /watch is in into-dog.bt now/.test(await text(page, "#notice")));
  await page.locator(".document-name", { hasText: "dog" }).click();
  await until("the other document is open", async () => (await page.locator(".tree-name .name").allTextContents()).join() === "dog,watch");
  await page.locator(".tree-name", { hasText: "watch" }).click();
  await shows(page, "selector", '  sequence "fight"', "    near(meters = 10.0)", "    attack", "  patrol");
  await page.keyboard.press("Control+s");
  await saved(page);
  assert.match(readFileSync(paths[1], "utf8"), /tree watch \{/);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("letters belong to the editor wherever it has the focus, and control the program from the list of agents", async () => {
  const path = join(folder, "letters.bt");
  writeFileSync(path, GUARD.replace("meters = ", ""));
  const { url } = await start("examples/edited", path);
  const page = await open(url);
  await until("the tree can be edited", there(page, "#as-edit"));
  await page.keyboard.press("e");
  await shows(page, "selector", '  sequence "fight"', "    near(10.0)", "    attack", "  patrol");
  const isPaused = async () => (await text(page, "#pause")) === "resume";
  for (const part of ["#theme", "#bars #as-outline", "#tools #add"]) {
    await rowOf(page, "patrol").click();
    await page.locator(part).focus();
    await page.keyboard.press("n");
    await until("the note is edited", there(page, "textarea.inline"));
    await page.keyboard.press("Escape");
  }
  for (const letter of ["i", "o", "u", "c", "f"]) await page.locator("#theme").press(letter);
  assert.equal(await isPaused(), false);
  assert.equal((await outline(page)).length, 5);
  await page.locator("#list").focus();
  await page.keyboard.press("n");
  await until("the agent is stepped", isPaused);
  assert.deepEqual(page.errors, []);
  await page.close();
});

/** Changes what the server sends, and delays it by milliseconds. Both functions have a message and the number of its connection. Returns the sockets. */
async function between(page, change, delay = () => 0) {
  const sockets = [];
  await page.routeWebSocket("**/live*", (socket) => {
    const server = socket.connectToServer();
    sockets.push(socket);
    const connection = sockets.length;
    server.onMessage((message) => {
      const send = () => socket.send(change(String(message), connection));
      const time = delay(String(message), connection);
      if (time) setTimeout(send, time);
      else send();
    });
  });
  return sockets;
}

test("what was not saved when the program is started again stays, until the user takes what it has now", async () => {
  let sockets;
  const change = (message, connection) => (connection === 1 ? message : message.replace(/"session":\d+/, '"session":1').replace(/"edit":true/g, '"edit":false'));
  // The list that the page asks for, and the documents, arrive late.
  const delay = (message, connection) => (connection > 1 && /^{"(documents|agents":{"id":[1-9])/.test(message) ? 300 : 0);
  const { page } = await edit("guard.bt", GUARD, undefined, async (page) => void (sockets = await between(page, change, delay)));
  await rowOf(page, "patrol").click();
  await page.keyboard.press("Delete");
  await until("it is not saved", async () => /not saved/.test(await state(page)));
  await sockets[0].close();
  await until("the page says so", there(page, "#take-current"));
  await until("gone says so", async () => /restarted.*not saved is shown below/.test(await text(page, "#gone")));
  await page.keyboard.press("Control+s");
  await until("notice says so", async () => /nothing was changed/.test(await text(page, "#notice")));
  // The connection is lost once more.
  await sockets[1].close();
  await until("only a program that is there can be asked", async () => (await page.locator("#take-current").count()) === 0);
  await until("the page is connected again", async () => sockets.length === 3 && (await text(page, "#connection")) === "connected");
  await pause(600);
  assert.match(await text(page, "#gone"), /restarted.*not saved is shown below/);
  await page.click("#take-current");
  await until("the document is opened again", async () => (await page.locator("#gone").count()) === 0 && (await outline(page)).length === 4);
  await until("not-editable says so", async () => /open the new address/.test(await text(page, "#not-editable")));
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a reason of a conflict is listed once", async () => {
  const conflict = { base: "a", mine: "b", theirs: "c", reasons: ["attack was changed", "attack was changed", "patrol was removed"] };
  const change = (message) => message.replace('"conflict":null', `"conflict":${JSON.stringify(conflict)}`);
  const path = join(folder, "conflict.bt");
  writeFileSync(path, GUARD);
  const { url } = await start("bt", "edit", "--no-open", path);
  const page = await open(/http:\S+/.exec(url)[0], undefined, async (page) => void (await between(page, change)));
  await until("the conflict is shown", there(page, "#conflict"));
  assert.deepEqual(await page.locator("#conflict li").allTextContents(), ["attack was changed", "patrol was removed"]);
  await page.close();
});

test("what is typed while the server is slow goes into the field that it was typed for, and Ctrl S saves it", async () => {
  const slow = (page) =>
    page.routeWebSocket("**/live*", (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => setTimeout(() => socket.send(message), 300));
    });
  const { page, read } = await edit("guard.bt", GUARD, undefined, slow);
  await rowOf(page, "patrol").click();
  await choose(page, "w", "mem_selector");
  await page.keyboard.press("F2");
  await page.keyboard.type("xun of ix");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Enter");
  await page.keyboard.press("n");
  await page.keyboard.type("o/ w#");
  await page.keyboard.press("Control+s");
  await until("all is saved", () => /mem_selector "xun of i" \{/.test(read()) && read().includes("// o/ w#"));
  assert.equal(await page.locator("[role=dialog], .inline").count(), 0);
  await saved(page);
  assert.deepEqual(page.errors, []);
  await page.close();
});
