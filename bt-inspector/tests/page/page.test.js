// The page, in headless Chromium, beside a program with five hundred agents: `npm ci && npm test` after `cargo build -p bt-inspector --examples --bins`.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const root = new URL("../../../", import.meta.url).pathname;
const built = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug");
const recording = join(mkdtempSync(join(tmpdir(), "bt-inspector-")), "guard.jsonl");

let browser;
const programs = [];

/** Starts a program and gives the address that it prints first, and all that it says is wrong. */
function start(path, ...args) {
  const program = spawn(join(built, path), args, { stdio: ["ignore", "pipe", "pipe"] });
  programs.push(program);
  let errors = "";
  program.stderr.on("data", (text) => (errors += text));
  return new Promise((resolve, reject) => {
    program.stdout.once("data", (text) => resolve({ url: String(text).trim(), program, errors: () => errors }));
    program.once("exit", (code) => reject(new Error(`${path} ended with ${code}: ${errors}`)));
  });
}

async function open(url) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
  await page.goto(url);
  return page;
}

const number = async (page) => Number(/^tick (\d+)/.exec(await page.textContent("#tick"))?.[1] ?? -1);
const seconds = async (page) => Number(/at ([\d.]+) s/.exec(await page.textContent("#tick"))?.[1] ?? -1);
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** Waits until something holds. */
async function until(what, holds, time = 10_000) {
  const end = Date.now() + time;
  while (Date.now() < end) {
    if (await holds()) return;
    await pause(30);
  }
  assert.fail(`never: ${what}`);
}

const row = (page, name) => page.locator(".row", { has: page.locator(`.name:text-is("${name}")`) }).first();
const is = async (locator, ...names) => {
  const given = ((await locator.getAttribute("class")) ?? "").split(" ");
  return names.every((name) => given.includes(name));
};

let crowd;

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  crowd = await start("examples/crowd", "--record", recording);
});

after(async () => {
  await browser?.close();
  for (const program of programs) program.kill();
});

test("statuses change live, and values with them", async () => {
  const page = await open(crowd.url);
  await until("an agent is chosen by itself", async () => (await page.textContent("#agent")) === "Gus the guard");
  await until("the running path is lit", () => is(row(page, "selector"), "r", "fresh"));
  await until("the enemy comes", () => is(row(page, "attack"), "r", "fresh"));
  assert.ok(await is(row(page, "mem_sequence"), "stale") || (await is(row(page, "mem_sequence"), "h")));
  await until("the enemy goes", () => is(row(page, "enemy_near"), "f", "fresh"));
  await until("the last thing that happened stays", () => is(row(page, "attack"), "h", "stale"));
  await until("values change", async () => (await page.locator("#shown .changed").count()) > 0);
  assert.match(await page.textContent("#shown"), /health/);
  assert.match(await row(page, "enemy_near").locator(".source").textContent(), /^crowd\.rs:\d+$/);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("large integers are exact, and floats that are no numbers are told", async () => {
  const page = await open(crowd.url);
  const value = (key) => page.locator("#shown .pair", { has: page.locator(`.key:text-is("${key}")`) }).locator("span").last().textContent();
  await until("ticks come", async () => (await number(page)) > 2);
  assert.equal(await value("id"), "9007199254740993");
  assert.equal(await value("speed"), '"NaN"');
  const read = await page.evaluate(async () => {
    const { read } = await import("/model.js");
    const values = read('{"a":[18446744073709551615,-9223372036854775808,1e300,0.1234567890123456,9007199254740991,"9007199254740993"]}').a;
    return values.map((value) => `${typeof value} ${value}`);
  });
  const right = ["bigint 18446744073709551615", "bigint -9223372036854775808", "number 1e+300", "number 0.1234567890123456", "number 9007199254740991"];
  assert.deepEqual(read, [...right, "string 9007199254740993"]);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("an agent is paused, does one tick, goes on", async () => {
  const page = await open(crowd.url);
  await until("ticks come", async () => (await number(page)) > 2);
  await page.click("#pause");
  await until("it waits", async () => (await page.textContent("#where")) === "waits for its next tick");
  const at = await number(page);
  await pause(400);
  assert.equal(await number(page), at, "it does not tick");
  await page.click("#step");
  await until("one tick more", async () => (await number(page)) === at + 1);
  await pause(400);
  assert.equal(await number(page), at + 1, "and no other");
  await page.click("#pause");
  await until("it goes on", async () => (await number(page)) > at + 5);
  await page.close();
});

test("a page that is closed leaves nobody waiting", async () => {
  const page = await open(crowd.url);
  await until("ticks come", async () => (await number(page)) > 2);
  await page.click("#pause");
  await until("it waits", async () => (await page.textContent("#where")) === "waits for its next tick");
  const then = await seconds(page);
  await page.close();
  await pause(1000);
  const next = await open(crowd.url);
  await until("the program has gone on", async () => (await seconds(next)) > then + 0.5);
  assert.equal(await next.textContent("#pause"), "pause");
  await next.close();
});

test("a breakpoint stops in the middle of a tick, and shows where", async () => {
  const page = await open(crowd.url);
  await until("ticks come", async () => (await number(page)) > 2);
  await row(page, "attack").locator(".dot").click();
  await page.check("#breaks input[name=Running]");
  await page.keyboard.press("Escape");
  assert.ok(await is(row(page, "attack").locator(".dot"), "set"));
  await until("it stops there", async () => (await page.textContent("#where")) === "stopped at attack: Running");
  assert.ok(await is(row(page, "attack"), "at"));
  assert.ok(await is(row(page, "attack"), "r", "fresh"));
  await until("the visits around it are not over", () => is(row(page, "selector"), "o", "fresh"));
  const at = await number(page);
  await pause(300);
  assert.equal(await number(page), at);
  // One tick more, to the same place.
  await page.click("#step");
  await until("the next tick waits", async () => (await page.textContent("#where")) === "waits for its next tick");
  await page.click("#pause");
  await until("it stops again", async () => (await page.textContent("#where")) === "stopped at attack: Running");
  await row(page, "attack").locator(".dot").click();
  await page.uncheck("#breaks input[name=Running]");
  await page.keyboard.press("Escape");
  await page.click("#pause");
  await until("it goes on", async () => (await number(page)) > at + 5);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("a breakpoint on a halt stops whichever agent comes first", async () => {
  const page = await open(crowd.url);
  await page.fill("#search", "soldier 7");
  await until("it is found", async () => (await page.textContent("#list")).includes("soldier 77"));
  await page.click('#list li:has-text("soldier 77")');
  await until("its tree is shown", async () => (await page.locator(".row").count()) > 300);
  await row(page, "attack").locator(".dot").click();
  await page.check("#breaks input[name=Halted]");
  await page.keyboard.press("Escape");
  await until("somebody stops", async () => (await page.textContent("#where")) === "stopped at attack: Halted");
  assert.match(await page.textContent("#agent"), /^soldier \d+$/);
  assert.equal(await page.locator("#list .sign:text-is('❚❚')").count(), 1);
  await page.close();
});

test("earlier ticks are shown as they were", async () => {
  const page = await open(crowd.url);
  await until("there are some ticks", async () => (await number(page)) > 60);
  await until("an enemy was there", () => is(row(page, "attack"), "h"));
  await page.locator("#timeline").focus();
  await page.keyboard.press("ArrowLeft");
  await pause(100);
  const at = await number(page);
  await pause(300);
  assert.equal(await number(page), at, "it stays where it is");
  await until("back to where the enemy was", async () => {
    await page.keyboard.press("ArrowLeft");
    await pause(40);
    return is(row(page, "attack"), "r", "fresh");
  });
  assert.ok((await number(page)) < at);
  assert.ok(await is(row(page, "enemy_near"), "s", "fresh"));
  const box = await page.locator("#timeline").boundingBox();
  await page.mouse.move(box.x + 5, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 20, box.y + 10);
  await page.mouse.up();
  await until("near the beginning", async () => (await number(page)) < 20);
  await page.click("#live");
  await until("live again", async () => (await number(page)) > at);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("five hundred agents are searched, three hundred nodes are folded", async () => {
  const page = await open(crowd.url);
  await until("all are there", async () => (await page.textContent("#count")) === "501 agents, 200 of them shown");
  await page.fill("#search", "SOLDIER 49");
  await until("some are found", async () => (await page.textContent("#count")) === "11 of 501 agents");
  await page.click('#list li:has-text("soldier 499")');
  await until("its tree is shown", async () => (await page.locator(".row").count()) > 300);
  await until("it is alive", async () => (await number(page)) > 2);
  assert.ok(await row(page, "chance").isVisible());
  await page.click("#collapse");
  assert.ok(!(await row(page, "chance").isVisible()));
  assert.ok(await row(page, "attack").isHidden());
  await page.click("#expand");
  assert.ok(await row(page, "chance").isVisible());
  await page.locator(".row .twist").first().click();
  assert.equal(await page.locator(".row:visible").count(), 1);
  await page.locator(".row .twist").first().click();
  await page.check("#heat");
  await until("visits are counted", async () => /×\d+/.test(await row(page, "selector").locator(".extra").textContent()));
  const hot = await row(page, "selector").evaluate((row) => Number(row.style.getPropertyValue("--hot")));
  assert.ok(hot > 0.5);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("an agent that the list does not reach stays chosen, and alive", async () => {
  const page = await open(crowd.url);
  await page.fill("#search", "soldier 499");
  await until("it is found", async () => (await page.textContent("#count")) === "1 of 501 agents");
  await page.click('#list li:has-text("soldier 499")');
  await until("it is alive", async () => (await page.textContent("#agent")) === "soldier 499" && (await number(page)) > 2);
  await page.fill("#search", "");
  await until("the list is whole", async () => (await page.textContent("#count")) === "501 agents, 200 of them shown");
  const at = await number(page);
  await until("it goes on", async () => (await number(page)) > at + 10);
  assert.equal(await page.textContent("#agent"), "soldier 499");
  await page.click("#pause");
  await until("it waits", async () => (await page.textContent("#where")) === "waits for its next tick");
  await page.click("#pause");
  await until("and goes on", async () => (await number(page)) > at + 20);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("light and dark, remembered", async () => {
  const page = await open(crowd.url);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.click("#theme");
  assert.notEqual(await ground(), light);
  const dark = await ground();
  await page.reload();
  assert.equal(await ground(), dark);
  await page.click("#theme");
  await page.close();
});

test("garbage is answered, too much of it ends the connection, others go on", async () => {
  const [page, other] = [await open(crowd.url), await open(crowd.url)];
  const said = await page.evaluate(async () => {
    const said = [];
    const socket = new WebSocket(`ws://${location.host}/live`);
    await new Promise((resolve) => (socket.onopen = resolve));
    socket.onmessage = (event) => event.data.startsWith('{"error"') && said.push(JSON.parse(event.data).error);
    for (const text of ["x", "{}", '{"choose":99999}', '{"break":{"tree":0,"node":9999,"on":[]}}', '{"dance":1}', '{"pause":-1}']) socket.send(text);
    socket.send(new Uint8Array([1, 2, 3]));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const closed = new Promise((resolve) => (socket.onclose = resolve));
    socket.send("x".repeat(100_000));
    await Promise.race([closed, new Promise((_, reject) => setTimeout(() => reject(new Error("not closed")), 3000))]);
    return said;
  });
  assert.equal(said.length, 7);
  assert.match(said[0], /^not understood: /);
  assert.equal(said[2], "there is no agent 99999");
  assert.equal(said[3], "there is no node 9999 in tree 0");
  assert.equal(said[6], "messages are text");
  const at = await number(other);
  await until("others go on", async () => (await number(other)) > at + 3);
  await page.close();
  await other.close();
});

test("a recorded file opens in the same page", async () => {
  await until("it is written", () => statSync(recording, { throwIfNoEntry: false })?.size > 0 && readFileSync(recording, "utf8").split("\n").length > 202, 30_000);
  const { url } = await start("bt-inspector", recording);
  const page = await open(url);
  await until("all ticks are there", async () => (await page.textContent("#tick")).startsWith("tick 200 of 201"));
  assert.equal(await page.textContent("#agent"), "Gus");
  assert.equal(await page.textContent("#connection"), "a recording");
  assert.ok(await page.locator("#pause").isHidden());
  await page.locator("#timeline").focus();
  await page.keyboard.press("Home");
  await until("at the beginning", async () => (await number(page)) === 0);
  for (let tick = 0; tick < 45; tick++) await page.keyboard.press("ArrowRight");
  await until("the enemy is there", () => is(row(page, "attack"), "r", "fresh"));
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("the variables of a recording are right at each tick, backwards too", async () => {
  await until("it is written", () => statSync(recording, { throwIfNoEntry: false })?.size > 0, 30_000);
  const [header] = readFileSync(recording, "utf8").split("\n");
  const tick = (agent, tick) => JSON.stringify({ agent, tick, now: tick, status: "Running", events: "0r" });
  const set = (agent, variable, value) => JSON.stringify({ agent, variable, value });
  const lines = [header, set(3, "early", "true"), tick(3, 0), set(3, "hunger", "1"), tick(3, 1), set(3, "__proto__", "7"), set(3, "hunger", null)];
  lines.push(tick(3, 2), tick(3, 3), set(3, "hunger", "2"), "");
  const path = recording.replace("guard", "variables");
  writeFileSync(path, lines.join("\n"));
  const { url } = await start("bt-inspector", path);
  const page = await open(url);
  await until("all ticks are there", async () => (await page.textContent("#tick")).startsWith("tick 3 of 4"));
  const values = async () => (await page.locator("#shown .pair").allTextContents()).join(" ");
  const right = ['early"true" hunger"1"', '__proto__"7" early"true"', '__proto__"7" early"true"', '__proto__"7" early"true" hunger"2"'];
  for (const key of ["ArrowLeft", "ArrowRight", "ArrowLeft"]) {
    for (let step = 0; step < 3; step++) {
      const at = await number(page);
      await until(`the values of tick ${at}`, async () => (await values()) === right[at], 2000);
      await page.keyboard.press(key);
      await until("it is shown", async () => (await number(page)) !== at, 2000);
    }
    const at = await number(page);
    await until(`the values of tick ${at}`, async () => (await values()) === right[at], 2000);
  }
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("a recording that broke off is shown as far as it goes, a wrong one is told", async () => {
  const part = recording.replace("guard", "part");
  writeFileSync(part, readFileSync(recording));
  truncateSync(part, statSync(part).size - 20);
  const { url, errors } = await start("bt-inspector", part);
  const page = await open(url);
  await until("nearly all ticks are there", async () => (await page.textContent("#tick")).startsWith("tick 199 of 200"));
  assert.match(errors(), /part\.jsonl: line \d+ is broken off; the 200 ticks before it are shown/);
  await page.close();
  const lines = readFileSync(recording, "utf8").split("\n");
  writeFileSync(part, [...lines.slice(0, 5), "garbage", ...lines.slice(5)].join("\n"));
  await assert.rejects(start("bt-inspector", part), /part\.jsonl: line 6: expected value/);
  await assert.rejects(start("bt-inspector", "/nowhere.jsonl"), /nowhere\.jsonl: No such file/);
  await assert.rejects(start("bt-inspector"), /usage: /);
});

test("drawings of a hundred nodes are well-formed and nothing in them overlaps", async () => {
  const folder = join(built, "..", "tmp", "drawings"); // written by `cargo test -p bt-tests --test drawings`
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

test("a program that ends is told", async () => {
  const { url, program } = await start("examples/crowd", "--soldiers", "1");
  const page = await open(url);
  await until("ticks come", async () => (await number(page)) > 2);
  program.kill();
  await until("it says so", async () => (await page.textContent("#connection")).startsWith("the program is gone"));
  await page.close();
});
