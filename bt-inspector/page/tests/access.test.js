// Keys, contrast, themes and small screens.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { agent, firstTick, number, open, pause, row, startCrowd, ticks, until, waits } from "./harness.js";

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
    await page.evaluate(axe);
    const check = async (what) => {
      // Halted nodes flash for a moment.
      await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
      const found = await page.evaluate(() => axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }));
      const violations = found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html + " " + node.failureSummary).join("\n")}`);
      assert.deepEqual(violations, [], `${what}, ${dark ? "dark" : "light"}, ${width} px`);
    };
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
