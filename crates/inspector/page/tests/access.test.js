// Keys, contrast, themes and small screens.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { agent, describe, firstTick, number, open, pause, replaced, row, select, showRecording, start, startCrowd, ticks, until, waits } from "./harness.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const crowd = startCrowd();

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
  await until("it is selected in the list", async () => (await page.locator('#list [aria-selected="true"]').textContent()).includes("soldier 0"));
  await page.keyboard.press("Home");
  await until("the first agent is selected", async () => (await page.textContent("#agent")) === "Gus the guard");
  await page.locator("#tree").focus();
  const active = () => page.locator(".row.active .name").textContent();
  await until("the root is active", async () => (await active()) === "guard");
  await page.keyboard.press("ArrowDown");
  await until("the next row is active", async () => (await page.locator(".row").nth(1).getAttribute("class")).includes("active"));
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  await until("only the root is left", async () => (await page.locator(".row:visible").count()) === 1);
  await page.keyboard.press("Enter");
  await until("it is expanded", async () => (await page.locator(".row:visible").count()) > 1);
  await page.keyboard.press("b");
  await page.keyboard.press("Space");
  await until("the first trigger is chosen", () => page.locator("#breaks input[name=Visit]").isChecked());
  await until("the agent stops", async () => (await page.textContent("#where")) === "stopped at guard: Visit");
  await page.keyboard.press("Space");
  await page.keyboard.press("Escape");
  await until("the menu is closed", async () => (await page.locator("#breaks").count()) === 0);
  await page.click("#pause");
  await until("the agent continues", async () => (await page.textContent("#where")) !== "stopped at guard: Visit");
  assert.deepEqual(page.errors, []);
  await page.close();
});

/** Checks that the page satisfies WCAG AA. */
async function checkAccess(page, what) {
  await page.evaluate(axe);
  // Halted nodes flash for a moment.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
  const found = await page.evaluate(() => axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }));
  const violations = found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html + " " + node.failureSummary).join("\n")}`);
  assert.deepEqual(violations, [], what);
}

test("a tree that was replaced satisfies WCAG AA in both themes and at 390 px", async () => {
  const { url } = await start("bt-inspector", replaced);
  for (const [dark, width] of [[false, 1280], [true, 1280], [false, 390], [true, 390]]) {
    const page = await open(url, { width, height: 760 });
    if (dark) await page.click("#theme");
    await until("all ticks arrive", async () => (await number(page)) === 3);
    await page.keyboard.press("l");
    await page.locator("#log .change.of-tree").click();
    await until("the change is shown", async () => /first in a new tree/.test(await page.textContent("#tick")));
    await checkAccess(page, `the change, ${dark ? "dark" : "light"}, ${width} px`);
    await page.keyboard.press(",");
    await until("the old tree is shown", async () => (await page.textContent("#where")) === "walker, before the tree was replaced");
    await checkAccess(page, `the tree before, ${dark ? "dark" : "light"}, ${width} px`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is cut off");
    assert.deepEqual(page.errors, []);
    await page.close();
  }
});

test("the page satisfies WCAG AA in both themes and at 390 px", async () => {
  for (const [dark, width] of [[false, 1280], [true, 1280], [false, 390], [true, 390]]) {
    const page = await open(crowd.url, { width, height: 760 });
    if (dark) await page.click("#theme");
    const first = await firstTick(page);
    await until("ticks arrive", async () => (await number(page)) > first + 45);
    await row(page, "attack").locator(".dot").click();
    // The page must not change while it is checked.
    await page.keyboard.press("Escape");
    await page.keyboard.press(" ");
    await waits(page);
    await page.locator("#tree").focus();
    await page.keyboard.press("b");
    const check = (what) => checkAccess(page, `${what}, ${dark ? "dark" : "light"}, ${width} px`);
    await check("the menu of a breakpoint");
    const box = await page.locator("#shown").boundingBox();
    assert.ok(box.height > 20 && box.width > 100 && box.x + box.width <= width, `values are visible: ${JSON.stringify(box)} ${dark} ${width} ${await page.textContent("#shown")}`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is cut off");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await check("the help");
    await page.keyboard.press("Escape");
    await page.click("#filter summary");
    await check("the filter");
    await page.keyboard.press("Escape");
    await page.click("#as-graph");
    await page.click("#log-button");
    await agent(page, "soldier 0").locator(".eye").click();
    await until("the log is shown", async () => (await page.locator("#log .change").count()) > 3);
    if (width > 600) await page.hover("#shown .pair");
    await check("graph, log and followed agents");
    await page.click("#as-outline");
    await page.click("#compare-button");
    // The patrol and the fight differ at some time.
    let earlier = 0;
    await until("a tick differs", async () => {
      await page.fill("#compare-earlier", String(++earlier));
      return (await page.locator("#compare-list .differs").count()) > 0;
    });
    await check("a comparison");
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
  await until("the theme changes", async () => (await ground()) !== light);
  const dark = await ground();
  await page.reload();
  await until("the theme is stored", async () => (await ground()) === dark);
  await page.click("#theme");
  await page.close();
});

test("texts on nodes of any heat have a contrast of 4.5 in both themes", async () => {
  // A chain of decorators, each of which is visited less often than the one above.
  const nodes = [describe(0, null, "node 0", { kind: "Decorator" })];
  for (let id = 1; id < 12; id++) nodes.push(describe(id, id - 1, `node ${id}`, { kind: id % 2 ? "Condition" : "Composite" }));
  const letters = "sferSF";
  const ticks = Array.from({ length: 48 }, (_, tick) => {
    const visited = nodes.filter(({ id }) => tick % 2 ** Math.min(id, 5) === 0 && id < 12 - tick / 5);
    return { agent: 0, tick, now: tick, status: "Running", events: visited.map(({ id }) => `${id}${letters[(tick + id) % letters.length]}`).join(" ") };
  });
  const { url } = await showRecording("heat", nodes, ticks);
  for (const dark of [false, true]) {
    const page = await open(url, { width: 1280, height: 800 });
    if (dark) await page.click("#theme");
    await page.selectOption("#heat", "agent");
    const heats = new Set();
    for (const view of ["outline", "graph"]) {
      await page.click(`#as-${view}`);
      await until("all nodes are shown", async () => (await page.locator("#tree .row, #graph .node").count()) === 12);
      for (const key of ["Home", "ArrowRight", "End"]) {
        await page.keyboard.press(key);
        await pause(150);
        const found = await page.evaluate(() => {
          const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
          const pen = canvas.getContext("2d", { willReadFrequently: true });
          /** Returns the color of layers on top of each other. */
          const mixed = (...colors) => {
            for (const color of colors) {
              pen.fillStyle = color;
              pen.fillRect(0, 0, 1, 1);
            }
            return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
          };
          const light = (color) => {
            const [r, g, b] = color.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const body = getComputedStyle(document.body).backgroundColor;
          const nodes = [...document.querySelectorAll("#tree .row, #graph .node")];
          return nodes.flatMap((node) => {
            const names = [...node.querySelectorAll("span.name, text.name, text.sign")].filter((text) => text.textContent);
            return names.map((text) => {
              const isGraph = text.localName === "text";
              const layers = isGraph ? [getComputedStyle(node.querySelector("rect")).fill] : [getComputedStyle(node).backgroundColor, getComputedStyle(text).backgroundColor];
              const color = getComputedStyle(text)[isGraph ? "fill" : "color"];
              const [a, b] = [light(mixed(body, ...layers)), light(mixed(body, ...layers, color))].sort((a, b) => b - a);
              return { heat: Number(node.style.getPropertyValue("--hot")), contrast: (a + 0.05) / (b + 0.05), what: `${text.textContent} ${layers} ${color}` };
            });
          });
        });
        for (const { heat, contrast, what } of found) {
          heats.add(heat);
          assert.ok(contrast >= 4.5, `${contrast.toFixed(2)} at a heat of ${heat}: ${what}, ${dark ? "dark" : "light"} ${view}`);
        }
      }
    }
    assert.ok(heats.size >= 5 && heats.has(0.75), `several heats: ${[...heats]}`);
    await page.close();
  }
});

test("on small screens and at 200 % zoom, each part is eight rows tall, and the page scrolls to it", async () => {
  for (const viewport of [{ width: 640, height: 400 }, { width: 390, height: 760 }, { width: 1280, height: 400 }]) {
    const page = await open(crowd.url, viewport);
    const size = `${viewport.width}x${viewport.height}`;
    await select(page, "soldier 0");
    await ticks(page);
    await page.click("#log-button");
    await until("the log is shown", async () => (await page.locator("#log .change").count()) > 3);
    for (const [part, row] of [["#tree", 20], ["#log .lines", 20], ["#values", 18]]) {
      await page.locator(part).evaluate((one) => one.scrollIntoView({ block: "nearest" }));
      const box = await page.locator(part).boundingBox();
      assert.ok(box.height >= 8 * row, `${part} is ${box.height} px tall, ${size}`);
      assert.ok(box.y + box.height > 8 * row && box.y < viewport.height - 8 * row, `${part} is at ${box.y}, ${size}`);
    }
    const isOnTop = (selector) => page.locator(selector).evaluate((one) => ((box) => one.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)))(one.getBoundingClientRect()));
    for (const control of ["#pause", "#step", "#theme", "#search", "#find", "#as-graph", "#who", "#live", "#play", "#timeline", "#log-button", "#save", "#log-text"]) {
      await page.locator(control).scrollIntoViewIfNeeded();
      assert.ok(await isOnTop(control), `${control} is covered, ${size}`);
    }
    await page.locator("#as-graph").click();
    await until("the graph is tall", async () => (await page.locator("#graph").boundingBox()).height >= 160);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `nothing is cut off, ${size}`);
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

/** Three leaves in parallel that end one after the other, and a collapsed branch with a breakpoint or not. */
function showParallel() {
  const nodes = [
    describe(0, null, "parallel", { kind: "Composite", label: "work" }),
    describe(1, 0, "dig", { params: [{ name: "depth", value: "3", type_name: "u32" }] }),
    describe(2, 0, "sing", { label: "a song" }),
    describe(3, 0, "walk"),
    describe(4, 0, "invert", { kind: "Decorator", role: "Guard" }),
    describe(5, 4, "look"),
  ];
  const events = ["0r 1r 2r 3r 4s 5f", "0R 1R 2S 3R", "0R 1R 3ht", "0F 1E 2f"];
  const ticks = [0, 1].flatMap((agent) => events.map((events, tick) => ({ agent, tick, now: tick, status: tick < 3 ? "Running" : "Failure", events, ...(tick === 3 ? { reasons: [[1, "rock"], [2, "hoarse"]] } : {}) })));
  return showRecording("parallel", nodes, [{ agent: 0, name: "Ann" }, { agent: 1, name: "Bob" }, { agent: 0, variable: "place", value: "[1,{\"x\":2}]" }, ...ticks]);
}

test("a screen reader finds words for nodes, agents, changes and running leaves", async () => {
  const { url } = await showParallel();
  for (const viewport of [{ width: 1280, height: 800 }, { width: 640, height: 400 }]) {
    const page = await open(url, viewport);
    await until("all ticks arrive", async () => (await number(page)) === 3);
    await page.locator("#node-4 .twist").click();
    await page.locator("#list .eye").nth(1).click();
    await page.keyboard.press("l");
    await until("the log is shown", async () => (await page.locator("#log .change").count()) > 3);
    const names = async (role) => (await spoken(page)).filter((one) => one.role === role).map((one) => one.name);
    assert.deepEqual(await names("treeitem"), ['parallel "work" failed', "dig (depth: 3) rock error", 'sing "a song" hoarse failed', "walk halted earlier", "when invert succeeded earlier"]);
    assert.deepEqual((await spoken(page)).filter((one) => one.role === "treeitem").map((one) => one.expanded), [true, undefined, undefined, undefined, false]);
    const options = await names("option");
    for (const name of ["Ann failed", "Bob failed, followed", "3.00 s #3 Bob Error dig(depth: 3) rock in work", '3.00 s #3 Bob Failure sing "a song" hoarse in work']) assert.ok(options.includes(name), `${name} in ${options.join("; ")}`);
    await page.locator("#timeline").focus();
    await page.keyboard.press("Home");
    await until("the first tick is shown", async () => (await page.locator("#leaves .chip").count()) === 3);
    for (const view of ["graph", "outline"]) {
      await page.click(`#as-${view}`);
      const outline = ['parallel "work" running', "dig (depth: 3) running", 'sing "a song" running', "walk running", "when invert succeeded"];
      const expected = view === "outline" ? outline : ["work (parallel), running", "dig(depth: 3), running", "a song (sing), running", "walk, running", "invert, succeeded"];
      await until(`the names in the ${view} are words`, async () => (await names("treeitem")).join("; ") === expected.join("; "));
      const all = await spoken(page);
      assert.deepEqual(all.filter((one) => one.role === "treeitem").at(-1).expanded, false, view);
      for (const name of ["dig running", "a song running", "walk running"]) assert.ok(all.some((one) => one.role === "button" && one.name === name), name);
      const signs = all.filter((one) => ["button", "option", "treeitem", "checkbox", "combobox", "searchbox", "group", "listbox", "tree"].includes(one.role) && (/[●▾▸▶✓✗■◉❚◐✕★∿✎]/u.test(one.name) || !one.name.trim()));
      assert.deepEqual(signs, [], "no sign instead of a word, and nothing without a name");
    }
    assert.deepEqual(page.errors, []);
    await page.close();
  }
  // A breakpoint is a word, too.
  const page = await open(crowd.url);
  await ticks(page);
  await row(page, "attack").locator(".dot").click();
  await page.check("#breaks input[name=Error]");
  await page.keyboard.press("Escape");
  await until("the breakpoint is named", async () => (await spoken(page)).some((one) => one.role === "treeitem" && /^attack .*, breakpoint crowd.rs:\d+$/.test(one.name)));
  await page.click("#remove");
  await page.close();
});

test("each list has one tab stop, arrow keys move in it, and the focus stays when a button vanishes", async () => {
  const { url } = await showParallel();
  const page = await open(url, { width: 1280, height: 800 });
  await until("all ticks arrive", async () => (await number(page)) === 3);
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent);
  await page.locator("#list").focus();
  await page.keyboard.press("Enter");
  await until("Enter follows the agent", async () => (await page.locator("#followed .agent").count()) === 1);
  await page.keyboard.press("ArrowDown");
  await until("the next agent is selected", async () => (await page.textContent("#agent")) === "Bob");
  await page.keyboard.press("Enter");
  await until("both are followed", async () => (await page.locator("#followed .agent").count()) === 2);
  await page.locator("#followed .agent").first().focus();
  await page.keyboard.press("Enter");
  await until("Enter selects a followed agent", async () => (await page.textContent("#agent")) === "Ann");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Delete");
  await until("Delete removes one, and its neighbor has the focus", async () => (await page.locator("#followed .agent").count()) === 1 && (await focused()).includes("Ann"));
  await page.keyboard.press("l");
  await page.locator("#timeline").focus();
  await page.keyboard.press("Home");
  await until("the first tick is shown", async () => (await page.locator("#leaves .chip").count()) === 3);
  const stops = (part) => page.locator(`${part} :is(button, [tabindex], a, input, select)`).evaluateAll((all) => all.filter((one) => one.tabIndex >= 0 && one.matches(":not(input):not(select)")).length);
  for (const part of ["#leaves", "#crumbs", "#values-section", "#followed [role=listbox]"]) assert.equal(await stops(part), 1, part);
  assert.equal(await page.locator("#log .change[tabindex], #list .agent[tabindex]").count(), 0, "of these lists only the list has a tab stop");
  // Values: up and down move between rows, left and right in a row.
  await page.locator("#shown button").first().focus();
  const seen = [];
  for (const key of ["ArrowRight", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowUp", "End", "Home"]) {
    await page.keyboard.press(key);
    seen.push(await focused());
  }
  assert.deepEqual(seen, ["pin place", "column of 0", "chart of 0", "1", "column of 0", "pin x", "place"]);
  assert.equal(await number(page), 0, "the keys do not change the tick");
  await page.keyboard.press("Enter");
  await until("Enter collapses the value", async () => (await page.locator("#shown button").count()) === 2);
  // The running leaves: with each tick one of them vanishes.
  await page.locator("#leaves .chip").first().focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await focused(), "▶ a song running");
  await page.keyboard.press(".");
  await until("its neighbor has the focus", async () => (await focused()) === "▶ walk running");
  await page.keyboard.press(".");
  await until("the last one has the focus", async () => (await focused()) === "▶ dig running");
  await page.keyboard.press(".");
  await until("the tree has the focus when none is left", async () => (await page.evaluate(() => document.activeElement.id)) === "tree");
  assert.deepEqual(page.errors, []);
  await page.close();
});
