// The log, and the marks of the timeline.

import assert from "node:assert/strict";
import { test } from "node:test";
import { agent, describe, number, open, row, showRecording, startCrowd, ticks, until } from "./harness.js";

const crowd = startCrowd();
const lines = (page) => page.locator("#log .change").evaluateAll((all) => all.map((line) => [...line.children].map((part) => part.textContent.trim()).join(" ").trim()));

test("the log lists changes, filtered by node and status; a line leads to its tick and node", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  await page.keyboard.press("l");
  await until("the enemy comes and goes", async () => (await lines(page)).some((line) => /attack Halted/.test(line)), 20_000);
  const all = await lines(page);
  assert.match(all[0], /^\d+\.\d\d s #\d+ (·|.) → . \S+ (Success|Failure|Running|Halted)/);
  await page.fill("#log-node", "ATTACK");
  await until("only the node is listed", async () => (await lines(page)).length > 0 && (await lines(page)).every((line) => line.includes("attack")));
  for (const kind of ["Success", "Failure", "Running", "Error"]) await page.uncheck(`#log input[name=${kind}]`);
  await until("only halts are listed", async () => (await lines(page)).length > 0 && (await lines(page)).every((line) => line.endsWith("attack Halted")));
  const [, tick] = /#(\d+)/.exec((await lines(page))[0]);
  await page.locator("#log .change").first().click();
  await until("the tick is shown", async () => (await number(page)) === Number(tick));
  await until("the node is selected", async () => (await page.locator(".row.active .name").textContent()) === "attack");
  assert.ok((await row(page, "attack").getAttribute("class")).includes("h fresh"));
  await page.fill("#log-node", "nothing");
  await until("nothing is listed", async () => (await lines(page)).length === 0);
  await page.click("#log-button");
  await until("the log is closed", async () => (await page.locator("#log").count()) === 0);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the log contains the changes of followed agents, and only what is visible is in the document", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  await page.keyboard.press("l");
  for (const name of ["soldier 0", "soldier 1"]) await agent(page, name).locator(".eye").click();
  const of = async () => new Set(await page.locator("#log .change .who").allTextContents());
  assert.equal(await page.textContent("#agent"), "Gus the guard", "following does not select");
  await until("there are many changes", async () => parseInt(await page.textContent("#log-count")) > 150, 30_000);
  assert.ok((await lines(page)).length < 60);
  await page.selectOption("#log-agent", { label: "soldier 1" });
  await page.fill("#log-node", "fight");
  const chosen = await lines(page);
  assert.ok(chosen.length >= 0);
  await page.selectOption("#log-agent", { label: "all followed agents" });
  await page.fill("#log-node", "enemy_near");
  await until("all agents are listed", async () => [...(await of())].sort().join() === "Gus the guard,soldier 0,soldier 1");
  await page.locator("#log .change", { hasText: "soldier 1" }).first().click();
  await until("a line of another agent selects it", async () => (await page.textContent("#agent")) === "soldier 1");
  await until("the node is selected", async () => (await page.locator(".row.active .name").textContent()) === "enemy_near");
  await page.locator("#followed button").click();
  await until("none is followed", async () => (await page.locator("#followed").count()) === 0);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("halts and changes of the running leaf are marked above the timeline, with an axis of time below", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  await until("the attack is halted", async () => (await row(page, "attack").getAttribute("class")).includes("h stale"), 20_000);
  const colors = () =>
    page.evaluate(() => {
      const canvas = document.querySelector("#timeline");
      const pen = canvas.getContext("2d");
      const count = (y) => {
        const { data } = pen.getImageData(0, y, canvas.width, 1);
        const found = new Set();
        for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) found.add([...data.slice(at, at + 3)].join());
        return [...found];
      };
      const below = pen.getImageData(0, canvas.height - 10, canvas.width, 9).data.some((value, at) => at % 4 === 3 && value > 100);
      return { top: count(1), below };
    });
  // The colors of the style sheet: --h and --faint.
  await until("marks are drawn", async () => (await colors()).top.includes("21,101,192"));
  assert.ok((await colors()).top.includes("95,98,105"));
  assert.ok((await colors()).below, "there are labels below");
  await page.close();
});

test("the times of the axis have as many digits as their distance needs", async () => {
  const nodes = [describe(0, null, "act")];
  for (const [distance, digits] of [[0, 0], [0.0001, 3], [0.016, 1], [0.4, 0], [20, 0]]) {
    const times = Array.from({ length: distance ? 400 : 1 }, (_, tick) => ({ agent: 0, tick, now: 34.9 + tick * distance, status: "Running", events: "0r" }));
    const { url } = await showRecording(`every ${distance} s`, nodes, times);
    for (const width of [1280, 390]) {
      const labels = new Set();
      const page = await open(url, { width, height: 760 }, async (page) => {
        await page.exposeFunction("drawn", (label) => labels.add(label));
        await page.addInitScript(() => {
          const { fillText } = CanvasRenderingContext2D.prototype;
          CanvasRenderingContext2D.prototype.fillText = function (label, ...place) {
            window.drawn(label);
            return fillText.call(this, label, ...place);
          };
        });
      });
      await until("all ticks arrive", async () => (await number(page)) === times.length - 1);
      await until("labels are drawn", () => labels.size > (distance ? 1 : 0));
      const most = Math.max(...[...labels].map((label) => /^\d+(?:\.(\d+))? s$/.exec(label)[1]?.length ?? 0));
      assert.ok(most <= (distance ? digits : 3), `${[...labels].join(", ")} for ticks every ${distance} s, ${width} px`);
      assert.equal(new Set([...labels].map(parseFloat)).size, labels.size, "each label names another time");
      assert.deepEqual(page.errors, []);
      await page.close();
    }
  }
});
