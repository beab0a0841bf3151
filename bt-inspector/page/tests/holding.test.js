// Pausing, stepping and resuming.

import assert from "node:assert/strict";
import { test } from "node:test";
import { number, open, pause, seconds, startCrowd, text, ticks, until, waits } from "./harness.js";

const crowd = startCrowd();

test("an agent can be paused, stepped and resumed", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  await page.click("#pause");
  await waits(page);
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
  await other.click('#list .agent:has-text("soldier 0")');
  await until("the other agent is shown", async () => (await other.textContent("#agent")) === "soldier 0");
  await ticks(page);
  await page.click("#pause");
  await waits(page);
  await until("the other page leads to the agent that waits", async () => (await other.textContent("#agent")) === "Gus the guard");
  await other.click('#list .agent:has-text("soldier 0")');
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
  await waits(page);
  const then = await seconds(page);
  await page.close();
  await pause(1000);
  const next = await open(crowd.url);
  await until("the program has continued", async () => (await seconds(next)) > then + 0.5);
  assert.equal(await next.textContent("#pause"), "pause");
  await next.close();
});
