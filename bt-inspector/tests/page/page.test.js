// Tests of the page in headless Chromium, with a program of 501 agents. Run `cargo build -p bt-inspector --examples --bins`, then `npm ci && npm test`.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const root = new URL("../../../", import.meta.url).pathname;
const built = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const shots = mkdtempSync(join(tmpdir(), "bt-inspector-shots-"));
const recording = join(mkdtempSync(join(tmpdir(), "bt-inspector-")), "guard.jsonl");

let browser;
const programs = [];

/** Starts a program. Resolves to the URL that it prints, the process, and a function that returns its error output. */
function start(path, ...args) {
  const program = spawn(join(built, path), args, { stdio: ["ignore", "pipe", "pipe"] });
  programs.push(program);
  let errors = "";
  program.stderr.on("data", (text) => (errors += text));
  return new Promise((resolve, reject) => {
    program.stdout.once("data", (text) => resolve({ url: String(text).trim(), program, errors: () => errors }));
    program.once("exit", (code) => reject(new Error(`${path} exited with ${code}: ${errors}`)));
  });
}

async function open(url) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.errors.push(message.text()));
  await page.goto(url);
  return page;
}

const number = async (page) => Number(/^tick (\d+)/.exec(await page.textContent("#tick"))?.[1] ?? -1);
/** Returns the number of the first tick that the page shows. */
const firstTick = async (page) => {
  await until("ticks arrive", async () => (await number(page)) >= 0);
  return number(page);
};
/** Waits until a few ticks have arrived. */
const ticks = async (page) => {
  const first = await firstTick(page);
  await until("more ticks arrive", async () => (await number(page)) > first + 2);
};
const seconds = async (page) => Number(/at ([\d.]+) s/.exec(await page.textContent("#tick"))?.[1] ?? -1);
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** Waits until a condition holds. */
async function until(what, holds, time = 10_000) {
  const end = Date.now() + time;
  while (Date.now() < end) {
    if (await holds()) return;
    await pause(30);
  }
  assert.fail(`timed out: ${what}`);
}

const row = (page, name) => page.locator(".row", { has: page.locator(`.name:text-is("${name}")`) }).first();
const is = async (locator, ...names) => {
  const classes = ((await locator.getAttribute("class")) ?? "").split(" ");
  return names.every((name) => classes.includes(name));
};

/** Returns the number of nodes that are not inside a collapsed one. Only the rows that are visible are in the document. */
const nodes = (page) => page.locator("#tree > div").evaluate((body) => parseInt(body.style.height || 0) / 20);

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

test("statuses and values are updated live", async () => {
  const page = await open(crowd.url);
  await until("an agent is selected automatically", async () => (await page.textContent("#agent")) === "Gus the guard");
  await until("the running path is highlighted", () => is(row(page, "selector"), "r", "fresh"));
  await until("the enemy appears", () => is(row(page, "attack"), "r", "fresh"));
  assert.ok(await is(row(page, "mem_sequence"), "stale") || (await is(row(page, "mem_sequence"), "h")));
  await until("the enemy disappears", () => is(row(page, "enemy_near"), "f", "fresh"));
  await until("the last status remains", () => is(row(page, "attack"), "h", "stale"));
  await until("values change", async () => (await page.locator("#shown .changed").count()) > 0);
  assert.match(await page.textContent("#shown"), /health/);
  assert.match(await row(page, "enemy_near").locator(".source").textContent(), /^crowd\.rs:\d+$/);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("large integers are exact, and non-finite floats are text", async () => {
  const page = await open(crowd.url);
  const value = (key) => page.locator("#shown .pair", { has: page.locator(`.key:text-is("${key}")`) }).locator("span").last().textContent();
  await ticks(page);
  assert.equal(await value("id"), "9007199254740993");
  assert.equal(await value("speed"), '"NaN"');
  const read = await page.evaluate(async () => {
    const { read } = await import("/model.js");
    const values = read('{"a":[18446744073709551615,-9223372036854775808,1e300,0.1234567890123456,9007199254740991,"9007199254740993"]}').a;
    return values.map((value) => `${typeof value} ${value}`);
  });
  const expected = ["bigint 18446744073709551615", "bigint -9223372036854775808", "number 1e+300", "number 0.1234567890123456", "number 9007199254740991"];
  assert.deepEqual(read, [...expected, "string 9007199254740993"]);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a sleeping agent shows until when, or in which leaf an event ends its sleep", async () => {
  const page = await open(crowd.url);
  const shown = await page.evaluate(async () => {
    const { sleep } = await import("/model.js");
    const info = { nodes: [{ name: "sequence", parent: null }, { name: "near", parent: 0 }, { name: "go", label: "to the dock", parent: 0 }] };
    const view = { of: (node) => ({ kind: ["R", "s", "r"][node] }) };
    return [{}, { asleep: { until: 12.5 } }, { asleep: "event" }].map((agent) => sleep(agent, info, view));
  });
  assert.deepEqual(shown, [null, "asleep until 12.50 s", "asleep until an event in to the dock"]);
  await page.close();
});

test("an agent can be paused, stepped and resumed", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  await page.click("#pause");
  await until("the agent waits", async () => (await page.textContent("#where")) === "paused before its next tick");
  const at = await number(page);
  await pause(400);
  assert.equal(await number(page), at, "the agent does not tick");
  await page.click("#step");
  await until("one more tick", async () => (await number(page)) === at + 1);
  await pause(400);
  assert.equal(await number(page), at + 1, "only one tick");
  await page.click("#pause");
  await until("the agent continues", async () => (await number(page)) > at + 5);
  await page.close();
});

test("the view of another agent says which agent waits", async () => {
  const [page, other] = [await open(crowd.url), await open(crowd.url)];
  await other.click('#list li:has-text("soldier 0")');
  await until("the other agent is shown", async () => (await other.textContent("#agent")) === "soldier 0");
  await ticks(page);
  await page.click("#pause");
  await until("the agent waits", async () => (await page.textContent("#where")) === "paused before its next tick");
  await until("the other page leads to the agent that waits", async () => (await other.textContent("#agent")) === "Gus the guard");
  await other.click('#list li:has-text("soldier 0")');
  await until("the other agent says who waits", async () => (await other.textContent("#where")) === "soldier; Gus the guard waits: the program may stand still");
  await pause(1000);
  assert.equal(await other.textContent("#agent"), "soldier 0", "the page does not change the agent again");
  await page.click("#pause");
  await until("the program continues", async () => (await other.textContent("#where")) === "soldier");
  await page.close();
  await other.close();
});

test("closing the page releases a waiting agent", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  await page.click("#pause");
  await until("the agent waits", async () => (await page.textContent("#where")) === "paused before its next tick");
  const then = await seconds(page);
  await page.close();
  await pause(1000);
  const next = await open(crowd.url);
  await until("the program has continued", async () => (await seconds(next)) > then + 0.5);
  assert.equal(await next.textContent("#pause"), "pause");
  await next.close();
});

test("a breakpoint stops in the middle of a tick and shows the node", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  await row(page, "attack").locator(".dot").click();
  await page.check("#breaks input[name=Running]");
  await page.keyboard.press("Escape");
  await until("the breakpoint is shown", () => is(row(page, "attack").locator(".dot"), "set"));
  await until("the agent stops at the breakpoint", async () => (await page.textContent("#where")) === "stopped at attack: Running");
  assert.ok(await is(row(page, "attack"), "at"));
  assert.ok(await is(row(page, "attack"), "r", "fresh"));
  await until("the enclosing visits are unfinished", () => is(row(page, "selector"), "o", "fresh"));
  const at = await number(page);
  await pause(300);
  assert.equal(await number(page), at);
  await page.click("#collapse");
  assert.ok(await row(page, "attack").isHidden());
  await page.click("#step");
  await until("the agent waits before the next tick", async () => (await page.textContent("#where")) === "paused before its next tick");
  await page.click("#pause");
  await until("the agent stops again", async () => (await page.textContent("#where")) === "stopped at attack: Running");
  await until("the collapsed nodes above are expanded", () => row(page, "attack").isVisible());
  await row(page, "attack").locator(".dot").click();
  await page.uncheck("#breaks input[name=Running]");
  await page.keyboard.press("Escape");
  await page.click("#pause");
  await until("the agent continues", async () => (await number(page)) > at + 5);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("breakpoints are listed in all pages, and stay over reloads until they are removed", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  const [first, name] = [await number(page), await page.textContent("#agent")];
  await row(page, "attack").locator(".dot").click();
  await page.check("#breaks input[name=Success]");
  await page.check("#breaks input[name=Failure]");
  await page.check("#breaks input[name=only]");
  await page.fill("#breaks input[name=skip]", "3");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  const listed = (page) => page.locator("#breakpoints li .faint").allTextContents();
  const expected = [`Success, Failure, ${name} only, after 3: 0 hits`];
  await until("the breakpoint is listed", async () => (await listed(page)).join() === expected.join());
  const other = await open(crowd.url);
  await until("another page lists it", async () => (await listed(other)).join() === expected.join());
  await other.close();
  await page.reload();
  await until("it stays over a reload", async () => (await listed(page)).join() === expected.join());
  await page.close();
  const again = await open(crowd.url);
  await until("it stays with the tree", async () => (await listed(again)).join() === expected.join());
  await ticks(again);
  assert.ok((await number(again)) > first, "the program continues without a page");
  assert.ok(await is(row(again, "attack").locator(".dot"), "set"));
  await row(again, "attack").locator(".dot").click();
  assert.equal(await again.inputValue("#breaks input[name=skip]"), "3");
  for (const name of ["Success", "Failure"]) await again.uncheck(`#breaks input[name=${name}]`);
  await until("it is removed", async () => (await listed(again)).length === 0);
  assert.ok(await again.locator("#breakpoints").isHidden());
  // Without the agent and the skipped hits.
  await again.uncheck("#breaks input[name=only]");
  await again.fill("#breaks input[name=skip]", "1");
  await again.check("#breaks input[name=Running]");
  await again.keyboard.press("Escape");
  await until("the agent stops at the second hit", async () => (await again.textContent("#where")) === "stopped at attack: Running", 20_000);
  await until("hits are counted", async () => (await listed(again)).join() === "Running, after 1: 2 hits");
  await again.uncheck("#breakpoints input");
  await until("it is disabled", () => is(row(again, "attack").locator(".dot"), "set", "off"));
  await again.click("#pause");
  const at = await number(again);
  await until("the agent continues", async () => (await number(again)) > at + 3);
  await again.click("#collapse");
  await again.click("#breakpoints li button >> nth=0");
  assert.ok(await row(again, "attack").isVisible(), "the list leads to the node");
  await again.click("#remove");
  await until("all are removed", async () => (await listed(again)).length === 0);
  assert.deepEqual(again.errors, []);
  await again.close();
});

test("a breakpoint on a halt stops the first agent that is halted", async () => {
  const page = await open(crowd.url);
  await page.fill("#search", "soldier 7");
  await until("the agent is found", async () => (await page.textContent("#list")).includes("soldier 77"));
  await page.click('#list li:has-text("soldier 77")');
  await until("the tree is shown", async () => (await nodes(page)) > 300);
  await row(page, "attack").locator(".dot").click();
  await page.check("#breaks input[name=Halted]");
  await page.keyboard.press("Escape");
  await until("an agent stops", async () => (await page.textContent("#where")) === "stopped at attack: Halted");
  assert.match(await page.textContent("#agent"), /^soldier \d+$/);
  assert.equal(await page.locator("#list .sign:text-is('❚❚')").count(), 1);
  await page.click("#remove");
  await until("the breakpoint is removed", async () => (await page.locator("#breakpoints li").count()) === 0);
  await page.close();
});

test("earlier ticks are shown with their statuses", async () => {
  const page = await open(crowd.url);
  const first = await firstTick(page);
  await until("more than 60 ticks arrive", async () => (await number(page)) > first + 60);
  await until("the attack has been halted", () => is(row(page, "attack"), "h"));
  await page.locator("#timeline").focus();
  await page.keyboard.press("ArrowLeft");
  await pause(100);
  const at = await number(page);
  await pause(300);
  assert.equal(await number(page), at, "the shown tick does not change");
  await until("the shown tick contains an enemy", async () => {
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
  await until("a tick near the beginning is shown", async () => (await number(page)) < first + 20);
  await page.click("#live");
  await until("the page follows live ticks", async () => (await number(page)) > at);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("ticks have the numbers of the agent, and gaps are marked", async () => {
  const page = await open(crowd.url);
  const first = await firstTick(page);
  assert.ok(first > 20, "the ticks before the page was opened count");
  await until("some ticks arrive", async () => (await number(page)) > first + 5);
  await page.click('#list li:has-text("soldier 0")');
  await until("another agent is shown", async () => (await page.textContent("#agent")) === "soldier 0" && (await number(page)) > first + 5);
  await pause(1000);
  await page.click('#list li:has-text("Gus the guard")');
  await until("the first agent is shown again", async () => (await page.textContent("#agent")) === "Gus the guard" && (await number(page)) > first + 20);
  await page.locator("#timeline").focus();
  let text = "";
  await until("the tick after the gap is found", async () => {
    await page.keyboard.press("ArrowLeft");
    await pause(40);
    text = await page.textContent("#tick");
    return /after \d+ ticks that were not watched/.test(text);
  });
  assert.ok(Number(/after (\d+)/.exec(text)[1]) > 10, text);
  assert.equal(await page.locator(".row.stale").count(), 0, "what the nodes did before the gap is not shown");
  await page.keyboard.press("ArrowLeft");
  await until("the tick before the gap is shown", async () => (await number(page)) < Number(/^tick (\d+)/.exec(text)[1]) - 10);
  await page.close();
});

test("500 agents can be searched, and 300 nodes collapsed", async () => {
  const page = await open(crowd.url);
  await until("all agents are registered", async () => (await page.textContent("#count")) === "501 agents (200 shown)");
  await page.fill("#search", "SOLDIER 49");
  await until("11 agents are found", async () => (await page.textContent("#count")) === "11 of 501 agents");
  await page.click('#list li:has-text("soldier 499")');
  await until("the tree is shown", async () => (await nodes(page)) > 300);
  await ticks(page);
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
  // Another tree, while heat is on.
  await page.fill("#search", "");
  await page.click('#list li:has-text("Gus the guard")');
  await until("the other tree is shown", async () => (await nodes(page)) < 20);
  await until("its visits are counted", async () => /×\d+/.test(await row(page, "selector").locator(".extra").textContent()));
  const hot = await row(page, "selector").evaluate((row) => Number(row.style.getPropertyValue("--hot")));
  assert.ok(hot > 0.5);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("only the visible rows are in the document, and the tree scrolls", async () => {
  const page = await open(crowd.url);
  await page.fill("#search", "soldier 499");
  await until("the agent is found", async () => (await page.textContent("#count")) === "1 of 501 agents");
  await page.click('#list li:has-text("soldier 499")');
  await until("the tree is shown", async () => (await nodes(page)) > 300);
  const ids = () => page.locator("#tree .row").evaluateAll((rows) => rows.map((row) => Number(row.dataset.node)));
  const count = await nodes(page);
  assert.ok((await ids()).length < 60 && (await ids())[0] === 0);
  await page.locator("#tree").focus();
  await page.keyboard.press("End");
  await until("the last row is shown", async () => (await ids()).includes(count - 1));
  assert.ok((await ids()).length < 60 && !(await ids()).includes(0));
  assert.equal(await page.locator(".row.active").getAttribute("id"), `node-${count - 1}`);
  await page.locator("#tree").evaluate((tree) => (tree.scrollTop = 0));
  await until("the first row is shown", async () => (await ids()).includes(0));
  await page.close();
});

test("a view shows the same after any moves as after moving forwards only, and a move applies few ticks", async () => {
  const page = await open(crowd.url);
  const found = await page.evaluate(async () => {
    const { TickHistory, View } = await import("/model.js");
    let seed = 7;
    const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
    const [history, forwards, nodes] = [new TickHistory(true), new View(20), [...Array(20).keys()]];
    const shown = (view) => JSON.stringify(nodes.map((node) => [view.of(node), view.visits[node], view.score(node), view.error(node), view.hot(node), view.states.get(node)]));
    const expected = [];
    for (let tick = 0; tick < 40000; tick++) {
      const events = Array.from({ length: 1 + random(3) }, () => random(20) + ["s", "f", "R", "h", "@2", "=0.5"][random(6)]).join(" ");
      history.add([{ tick, now: tick, status: "Running", events, errors: random(9) ? [] : [[random(20), `error ${tick}`]] }]);
      forwards.go(history, tick, null);
      if (tick % 997 === 0) expected.push([tick, shown(forwards)]);
    }
    const view = new View(20);
    view.go(history, 39999, null);
    const apply = view.apply;
    let applied = 0;
    view.apply = (...tick) => (applied++, apply.call(view, ...tick));
    let [wrong, most] = [0, 0];
    for (let move = 0; move < 300; move++) {
      const [tick, is] = expected[random(expected.length)];
      if (random(3) === 0) view.go(history, tick, { events: "3r 4s", errors: [] });
      view.go(history, 0, null);
      applied = 0;
      view.go(history, tick + 1 - (tick > 0), null);
      view.go(history, tick, null);
      wrong += shown(view) !== is;
      applied = 0;
      view.go(history, Math.max(0, tick - 1), null);
      most = Math.max(most, applied);
    }
    return { wrong, most, snapshots: view.snapshots.size };
  });
  assert.equal(found.wrong, 0);
  assert.ok(found.most <= 128 && found.snapshots <= 512, JSON.stringify(found));
  await page.close();
});

test("an agent beyond the limit of the list stays selected and live", async () => {
  const page = await open(crowd.url);
  await page.fill("#search", "soldier 499");
  await until("the agent is found", async () => (await page.textContent("#count")) === "1 of 501 agents");
  await page.click('#list li:has-text("soldier 499")');
  await until("ticks arrive", async () => (await page.textContent("#agent")) === "soldier 499" && (await number(page)) > 2);
  await page.fill("#search", "");
  await until("the list is no longer filtered", async () => (await page.textContent("#count")) === "501 agents (200 shown)");
  const at = await number(page);
  await until("the agent continues", async () => (await number(page)) > at + 10);
  assert.equal(await page.textContent("#agent"), "soldier 499");
  await page.click("#pause");
  await until("the agent waits", async () => (await page.textContent("#where")) === "paused before its next tick");
  await page.click("#pause");
  await until("the agent continues", async () => (await number(page)) > at + 20);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("keys work after a click on a button, and operate the list and the tree", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  await page.click("#expand");
  await page.keyboard.press("ArrowLeft");
  await pause(100);
  const at = await number(page);
  await page.keyboard.press(",");
  await until("the tick before is shown", async () => (await number(page)) === at - 1);
  await page.keyboard.press("n");
  await until("the agent is stepped", async () => (await page.textContent("#where")) === "paused before its next tick");
  await page.click("#pause");
  await page.locator("#list").focus();
  await page.keyboard.press("ArrowDown");
  await until("the next agent is selected", async () => (await page.textContent("#agent")) === "soldier 0");
  assert.equal(await page.locator('#list [aria-selected="true"]').textContent().then((text) => text.includes("soldier 0")), true);
  await page.keyboard.press("Home");
  await until("the first agent is selected", async () => (await page.textContent("#agent")) === "Gus the guard");
  await page.locator("#tree").focus();
  const active = () => page.locator(".row.active .name").textContent();
  assert.equal(await active(), "guard");
  await page.keyboard.press("ArrowDown");
  assert.equal(await active(), await page.locator(".row .name").nth(1).textContent());
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.locator(".row:visible").count(), 1);
  await page.keyboard.press("Enter");
  assert.ok((await page.locator(".row:visible").count()) > 1);
  await page.keyboard.press("b");
  await page.keyboard.press("Space");
  assert.ok(await page.locator("#breaks input").first().isChecked());
  await until("the agent stops", async () => (await page.textContent("#where")) === "stopped at guard: Visit");
  await page.keyboard.press("Space");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#breaks").count(), 0);
  await page.click("#pause");
  await until("the agent continues", async () => (await page.textContent("#where")) !== "stopped at guard: Visit");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the page satisfies WCAG AA in both themes and at 390 px", async () => {
  for (const [dark, width] of [[false, 1280], [true, 1280], [false, 390], [true, 390]]) {
    const page = await open(crowd.url);
    await page.setViewportSize({ width, height: 760 });
    if (dark) await page.click("#theme");
    const first = await firstTick(page);
    await until("ticks arrive", async () => (await number(page)) > first + 45);
    await row(page, "attack").locator(".dot").click();
    // The page must not change while it is checked.
    await page.keyboard.press("Escape");
    await page.keyboard.press(" ");
    await until("the agent waits", async () => (await page.textContent("#where")) === "paused before its next tick");
    await page.locator("#tree").focus();
    await page.keyboard.press("b");
    await page.evaluate(axe);
    const found = await page.evaluate(() => axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }));
    const violations = found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html + " " + node.failureSummary).join("\n")}`);
    assert.deepEqual(violations, [], `${dark ? "dark" : "light"}, ${width} px`);
    const box = await page.locator("#shown").boundingBox();
    assert.ok(box.height > 20 && box.width > 100 && box.x + box.width <= width, `values are visible: ${JSON.stringify(box)} ${dark} ${width} ${await page.textContent("#shown")}`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is cut off");
    await page.screenshot({ path: join(shots, `page-${dark ? "dark" : "light"}-${width}.png`) });
    await page.keyboard.press("Escape");
    await page.close();
  }
});

test("nothing moves if the user prefers reduced motion", async () => {
  const page = await open(crowd.url);
  const animation = () => page.evaluate(() => {
    const row = document.querySelector(".row").cloneNode();
    row.className = "row h fresh";
    document.querySelector("#tree").append(row);
    return getComputedStyle(row).animationName;
  });
  await until("the tree is shown", async () => (await page.locator(".row").count()) > 3);
  assert.equal(await animation(), "flash");
  await page.emulateMedia({ reducedMotion: "reduce" });
  assert.equal(await animation(), "none");
  await page.close();
});

test("the theme can be switched and is stored", async () => {
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
  assert.equal(errors[3], "unknown node 9999 in tree 0");
  assert.equal(errors[6], "expected a text message, found a binary message");
  const at = await number(other);
  await until("the other page continues", async () => (await number(other)) > at + 3);
  await page.close();
  await other.close();
});

test("the page shows a recorded file", async () => {
  await until("the recording is written", () => statSync(recording, { throwIfNoEntry: false })?.size > 0 && readFileSync(recording, "utf8").split("\n").length > 202, 30_000);
  const { url } = await start("bt-inspector", recording);
  const page = await open(url);
  await until("all ticks arrive", async () => (await page.textContent("#tick")).startsWith("tick 200 of 201"));
  assert.equal(await page.textContent("#agent"), "Gus");
  assert.equal(await page.textContent("#connection"), "recording");
  assert.ok(await page.locator("#pause").isHidden());
  await page.locator("#timeline").focus();
  await page.keyboard.press("Home");
  await until("the first tick is shown", async () => (await number(page)) === 0);
  for (let tick = 0; tick < 45; tick++) await page.keyboard.press("ArrowRight");
  await until("the enemy appears", () => is(row(page, "attack"), "r", "fresh"));
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the variables of a recording are correct at each tick, in both directions", async () => {
  await until("the recording is written", () => statSync(recording, { throwIfNoEntry: false })?.size > 0, 30_000);
  const [header] = readFileSync(recording, "utf8").split("\n");
  const tick = (agent, tick) => JSON.stringify({ agent, tick, now: tick, status: "Running", events: "0r" });
  const set = (agent, variable, value) => JSON.stringify({ agent, variable, value });
  const lines = [header, set(3, "early", "true"), tick(3, 0), set(3, "hunger", "1"), tick(3, 1), set(3, "__proto__", "7"), set(3, "hunger", null)];
  lines.push(tick(3, 2), tick(3, 3), set(3, "hunger", "2"), "");
  const path = recording.replace("guard", "variables");
  writeFileSync(path, lines.join("\n"));
  const { url } = await start("bt-inspector", path);
  const page = await open(url);
  await until("all ticks arrive", async () => (await page.textContent("#tick")).startsWith("tick 3 of 4"));
  const values = async () => (await page.locator("#shown .pair").allTextContents()).join(" ");
  const expected = ['early"true" hunger"1"', '__proto__"7" early"true"', '__proto__"7" early"true"', '__proto__"7" early"true" hunger"2"'];
  for (const key of ["ArrowLeft", "ArrowRight", "ArrowLeft"]) {
    for (let step = 0; step < 3; step++) {
      const at = await number(page);
      await until(`the values of tick ${at}`, async () => (await values()) === expected[at], 2000);
      await page.keyboard.press(key);
      await until("another tick is shown", async () => (await number(page)) !== at, 2000);
    }
    const at = await number(page);
    await until(`the values of tick ${at}`, async () => (await values()) === expected[at], 2000);
  }
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the scores of a utility selector and the reasons of errors are shown", async () => {
  await until("the recording is written", () => statSync(recording, { throwIfNoEntry: false })?.size > 0, 30_000);
  const [header] = readFileSync(recording, "utf8").split("\n");
  const tick = (tick, events) => JSON.stringify({ agent: 3, tick, now: tick, status: "Running", events });
  const path = recording.replace("guard", "scores");
  const failed = JSON.stringify({ agent: 3, tick: 2, now: 2, status: "Error", events: "0E 1=0.5 1e", errors: [[1, "variable `goal` is not set"]] });
  writeFileSync(path, [header, tick(0, "0r 1=0.75 2=-0.5 1r"), tick(1, "0R 1=NaN 1R"), failed, ""].join("\n"));
  const { url } = await start("bt-inspector", path);
  const page = await open(url);
  const extra = async (row) => page.locator(".row .extra").nth(row).textContent();
  const scores = async () => [await extra(1), await extra(2)].join(", ");
  await until("all ticks arrive", async () => (await page.textContent("#tick")).startsWith("tick 2 of 3"));
  await until("the reason of an error is shown", async () => (await scores()) === "variable `goal` is not set, ", 2000);
  assert.ok(await is(page.locator(".row .extra").nth(1), "error"));
  await page.locator("#timeline").focus();
  await page.keyboard.press("ArrowLeft");
  await until("the scores of the second tick are shown", async () => (await scores()) === "score NaN, ", 2000);
  await page.keyboard.press("ArrowLeft");
  await until("the scores of the first tick are shown", async () => (await scores()) === "score 0.75, score -0.5", 2000);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a truncated recording is shown up to the truncation, an invalid one is rejected", async () => {
  const part = recording.replace("guard", "part");
  writeFileSync(part, readFileSync(recording));
  truncateSync(part, statSync(part).size - 20);
  const { url, errors } = await start("bt-inspector", part);
  const page = await open(url);
  await until("all complete ticks arrive", async () => (await page.textContent("#tick")).startsWith("tick 199 of 200"));
  assert.match(errors(), /part\.jsonl: line \d+ is truncated; showing the 200 ticks before it/);
  await page.close();
  const lines = readFileSync(recording, "utf8").split("\n");
  writeFileSync(part, [...lines.slice(0, 5), "garbage", ...lines.slice(5)].join("\n"));
  await assert.rejects(start("bt-inspector", part), /part\.jsonl: line 6: expected value/);
  await assert.rejects(start("bt-inspector", "/nowhere.jsonl"), /nowhere\.jsonl: No such file/);
  await assert.rejects(start("bt-inspector"), /usage: /);
});

test("drawings of 100 nodes are well-formed, without overlaps", async () => {
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

test("an open page continues after a restart of the program, with the same agent and breakpoints", async () => {
  const first = await start("examples/crowd", "--soldiers", "30");
  const page = await open(first.url);
  await page.fill("#search", "soldier 17");
  await until("the agent is found", async () => (await page.textContent("#count")) === "1 of 31 agents");
  await page.click("#list li");
  await page.fill("#search", "");
  await until("the agent is shown", async () => (await page.textContent("#agent")) === "soldier 17" && (await nodes(page)) > 300);
  await row(page, "attack").locator(".dot").click();
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
  await until("the breakpoint is set again", async () => (await page.locator("#breakpoints li .faint").allTextContents()).join() === "Error: 0 hits");
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
  const before = await page.locator("#shown").textContent();
  // It can be saved, and opened again with its values.
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  assert.equal(saved.suggestedFilename(), "Gus-the-guard.jsonl");
  const path = recording.replace("guard", "saved");
  await saved.saveAs(path);
  const again = await open((await start("bt-inspector", path)).url);
  await until("all ticks arrive", async () => (await number(again)) === last);
  assert.equal(await again.textContent("#agent"), "Gus the guard");
  await again.locator("#timeline").focus();
  await again.keyboard.press("ArrowLeft");
  await until("the tick before the last is shown", async () => (await number(again)) === last - 1);
  assert.ok(await is(row(again, "selector"), "r", "fresh"));
  const shown = /ticks(\d+)/.exec(before)[1];
  assert.match(await again.locator("#shown").textContent(), new RegExp(`ticks"${shown}"`));
  assert.deepEqual([...page.errors.filter((error) => !/WebSocket|ERR_CONNECTION/.test(error)), ...again.errors], []);
  await again.close();
  await page.close();
});
