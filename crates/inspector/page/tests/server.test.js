// Lost connections, restarts and invalid messages.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { folder, is, nodes, number, open, pause, row, showRoot, start, startCrowd, ticks, until, values } from "./harness.js";

const crowd = startCrowd();

test("invalid messages are answered, oversized messages close the connection", async () => {
  const [page, other] = [await open(crowd.url), await open(crowd.url)];
  const errors = await page.evaluate(async () => {
    const errors = [];
    const socket = new WebSocket(`ws://${location.host}/live`);
    await new Promise((resolve) => (socket.onopen = resolve));
    socket.onmessage = (event) => event.data.startsWith('{"error"') && errors.push(JSON.parse(event.data).error);
    for (const text of ["x", "{}", '{"select":99999}', '{"break":{"tree":0,"breakpoint":{"node":9999,"on":[]}}}', '{"dance":1}', '{"pause":-1}']) socket.send(text);
    socket.send(new Uint8Array([1, 2, 3]));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const closed = new Promise((resolve) => (socket.onclose = resolve));
    socket.send("x".repeat(100_000));
    await Promise.race([closed, new Promise((_, reject) => setTimeout(() => reject(new Error("not closed")), 3000))]);
    return errors;
  });
  assert.equal(errors.length, 7);
  assert.match(errors[0], /^invalid request: /);
  assert.equal(errors[2], "unknown agent 99999");
  assert.equal(errors[3], "unknown node 9999");
  assert.equal(errors[6], "expected a text message, found a binary message");
  const at = await number(other);
  await until("the other page continues", async () => (await number(other)) > at + 3);
  await page.close();
  await other.close();
});

test("an open page continues after a restart of the program, with the same agent and breakpoints", async () => {
  const first = await start("examples/crowd", "--soldiers", "30");
  const page = await open(first.url);
  await page.fill("#search", "soldier 17");
  await until("the agent is found", async () => (await page.textContent("#count")) === "1 of 31 agents");
  await page.click("#list .agent");
  await page.fill("#search", "");
  await until("the agent is shown", async () => (await page.textContent("#agent")) === "soldier 17" && (await nodes(page)) > 300);
  await showRoot(page);
  await row(page, "attack").locator(".dot").click();
  await page.check("#breaks input[name=only]");
  await page.check("#breaks input[name=Error]");
  await page.keyboard.press("Escape");
  await until("the breakpoint is listed", async () => (await page.locator("#breakpoints li").count()) === 1);
  const ended = new Promise((resolve) => first.program.once("exit", resolve));
  first.program.kill();
  await ended;
  await until("the page reports the lost connection", async () => (await page.textContent("#connection")).startsWith("connection lost"));
  const { url } = await start("examples/crowd", "--soldiers", "40", "--address", new URL(first.url).host);
  assert.equal(url, first.url);
  await until("the page is connected", async () => (await page.textContent("#connection")) === "connected");
  await until("the agent of the same name is shown", async () => (await page.textContent("#agent")) === "soldier 17");
  await ticks(page);
  await until("the list is no longer filtered", async () => (await page.textContent("#count")) === "41 agents");
  await until("the breakpoint is set again", async () => (await page.locator("#breakpoints li .faint").allTextContents()).join() === "Error, soldier 17 only: 0 hits");
  const other = await open(url);
  await until("the program has the breakpoint", async () => (await other.locator("#breakpoints li").count()) === 1);
  await other.close();
  await page.close();
});

test("the page reports when the program has ended", async () => {
  const { url, program } = await start("examples/crowd", "--soldiers", "1");
  const page = await open(url);
  await ticks(page);
  program.kill();
  await until("the page reports the lost connection", async () => (await page.textContent("#connection")).startsWith("connection lost"));
  // The past stays.
  await pause(200);
  const last = await number(page);
  assert.ok(await page.locator("#pause").isDisabled());
  await page.locator("#timeline").focus();
  await page.keyboard.press("ArrowLeft");
  await until("the tick before the last is shown", async () => (await number(page)) === last - 1);
  const before = await values(page);
  const selector = (page) => row(page, "selector").getAttribute("class");
  const shown = await selector(page);
  // It can be saved, and opened again with its values.
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  assert.equal(saved.suggestedFilename(), "Gus-the-guard.jsonl");
  const path = join(folder, "saved.jsonl");
  await saved.saveAs(path);
  const again = await open((await start("bt-inspector", path)).url);
  await until("all ticks arrive", async () => (await number(again)) === last);
  assert.equal(await again.textContent("#agent"), "Gus the guard");
  await again.locator("#timeline").focus();
  await again.keyboard.press("ArrowLeft");
  await until("the tick before the last is shown", async () => (await number(again)) === last - 1);
  assert.match(shown, /\bfresh\b/);
  assert.equal(await selector(again), shown);
  const named = (values) => values.filter((value) => /^(ticks|health|id|speed) /.test(value)).sort();
  assert.deepEqual(named(await values(again)), named(before));
  assert.deepEqual([...page.errors.filter((error) => !/WebSocket|ERR_CONNECTION/.test(error)), ...again.errors], []);
  await again.close();
  await page.close();
});
