// Pausing, stepping and resuming.

import assert from "node:assert/strict";
import { test } from "node:test";
import { agent, number, open, pause, row, seconds, select, showRoot, start, startCrowd, text, ticks, until, waits, where } from "./harness.js";

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

test("each page says which agent waits, leads to it and resumes it, whatever it lists", async () => {
  const { url } = await start("examples/crowd", "--soldiers", "1000");
  const [page, other] = [await open(url), await open(url)];
  await ticks(page);
  await ticks(other);
  await select(page, "soldier 900");
  await showRoot(page);
  await row(page, "selector").locator(".dot").click();
  await page.check("#breaks input[name=only]");
  await page.check("#breaks input[name=Visit]");
  await page.keyboard.press("Escape");
  await until("the agent stops", async () => (await where(page)) === "stopped at soldier: Visit");
  await until("the other page leads to it", async () => (await text(other, "#agent")) === "soldier 900");
  const stopped = /^soldier 900 is stopped in the middle of a tick, at soldier: Visit\./;
  for (const one of [page, other]) await until("the banner names it", async () => stopped.test(await text(one, "#banner")));
  // Another agent is looked at, and the list contains neither.
  await other.click('#list .agent:has-text("soldier 0")');
  await until("the other agent is shown", async () => (await text(other, "#agent")) === "soldier 0");
  await other.fill("#search", "no such agent");
  await until("the list is empty", async () => (await text(other, "#count")) === "0 of 1001 agents");
  await pause(1000);
  assert.match(await text(other, "#banner"), stopped);
  assert.equal(await text(other, "#agent"), "soldier 0", "the page does not change the agent again");
  // A page that is opened now is not left without a word, either.
  const late = await open(url);
  await until("it shows the agent that waits", async () => (await text(late, "#agent")) === "soldier 900" && stopped.test(await text(late, "#banner")));
  await late.close();
  await other.click("#banner-go");
  await until("the agent is shown", async () => (await text(other, "#agent")) === "soldier 900");
  await page.click("#remove");
  await until("the breakpoint is removed", async () => (await page.locator("#breakpoints li").count()) === 0);
  await other.click("#banner-resume");
  for (const one of [page, other]) await until("the banner is gone", async () => (await one.locator("#banner").count()) === 0);
  await ticks(other);
  assert.deepEqual([...page.errors, ...other.errors], []);
  await page.close();
  await other.close();
});

test("a held agent runs node by node", async () => {
  const { url } = await start("examples/crowd", "--soldiers", "3");
  const page = await open(url);
  await ticks(page);
  await page.click("#pause");
  await waits(page);
  const tick = (await number(page)) + 1;
  const stops = async (key, at) => {
    await page.keyboard.press(key);
    await until(`${key}: ${at}`, async () => (await where(page)) === at);
  };
  // Without an enemy, the guard patrols; with one, it fights.
  await stops("i", "stopped at guard: Visit");
  await page.keyboard.press("i");
  await page.keyboard.press("i");
  await stops("i", "stopped at enemy_near: Visit");
  assert.match(await text(page, "#tick"), new RegExp(`^tick ${tick} of`));
  assert.equal(await text(page, "#values-of"), `after tick ${tick - 1}; tick ${tick} is not over`);
  await page.keyboard.press("o");
  await until("the condition is over", async () => /^stopped at enemy_near: (Success|Failure)$/.test(await where(page)));
  await page.keyboard.press("u");
  await until("its sequence is over", async () => /^stopped at fight: (Running|Failure)$/.test(await where(page)));
  await page.click("#walk-out");
  // In some ticks, a patrol ends.
  await until("the selector is over", async () => /^stopped at guard: (Running|Success)$/.test(await where(page)));
  await page.keyboard.press("u");
  await page.keyboard.press("u");
  await until("the tick is over", async () => (await where(page)) === "paused before its next tick");
  assert.equal(await number(page), tick);
  await page.selectOption("#hold", "all");
  await until("only one agent runs node by node", () => page.locator("#walk-into").isDisabled());
  assert.deepEqual(page.errors, []);
  await page.close();
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

test("a program can go on while a page holds one agent, or all", async () => {
  const { url } = await start("examples/crowd", "--soldiers", "3", "--skip-held");
  const [page, other] = [await open(url), await open(url)];
  await ticks(page);
  await agent(other, "soldier 1").click();
  await until("the other page shows another agent", async () => (await other.textContent("#agent")) === "soldier 1");
  await page.click("#pause");
  await waits(page);
  const [held, running] = [await number(page), await number(other)];
  await until("the other agent continues", async () => (await number(other)) > running + 10);
  assert.equal(await number(page), held);
  assert.equal(await where(other), "soldier", "nothing waits");
  await until("the list says so", async () => (await agent(page, "Gus the guard").locator(".sign").getAttribute("title")) === "skipped");
  await page.click("#step");
  await until("one tick is run", async () => (await number(page)) === held + 1);
  // All agents, from the other page.
  await other.selectOption("#hold", "all");
  await until("the button says what it does: one of all is held", async () => (await other.textContent("#pause")) === "resume");
  await other.click("#pause");
  await until("none is held", async () => (await page.textContent("#pause")) === "pause");
  await page.click("#pause");
  await waits(page);
  await until("the other page knows", async () => (await other.textContent("#pause")) === "resume");
  await page.click("#pause");
  await until("the button says that it holds all", async () => (await other.textContent("#pause")) === "pause");
  const begin = await number(page);
  await other.click("#pause");
  await waits(other);
  assert.equal(await other.textContent("#agent"), "soldier 1", "the page stays with its agent");
  const at = await number(other);
  await other.click("#step");
  await until("all run one tick", async () => (await number(other)) === at + 1 && (await number(page)) > begin);
  await until("the button says what it does", async () => (await page.textContent("#pause")) === "resume");
  await other.click("#pause");
  await until("all continue", async () => (await number(other)) > at + 5 && (await number(page)) > held + 5);
  assert.deepEqual([...page.errors, ...other.errors], []);
  await page.close();
  await other.close();
});

test("a late confirmation does not undo a later key", async () => {
  const { url } = await start("examples/crowd", "--soldiers", "3", "--skip-held");
  const page = await open(url, undefined, async (page) => {
    await page.routeWebSocket(/live/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => setTimeout(() => socket.send(message), 500));
    });
  });
  await ticks(page);
  // The confirmation of the first key arrives between the second and the third.
  await page.keyboard.press(" ");
  await pause(300);
  await page.keyboard.press(" ");
  await pause(380);
  await page.keyboard.press(" ");
  await pause(1500);
  await waits(page);
  const held = await number(page);
  await pause(800);
  assert.equal(await number(page), held, "the agent is held");
  assert.equal(await page.textContent("#pause"), "resume");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("keys in quick succession all count, and resuming one agent does not resume the others", async () => {
  const { url } = await start("examples/crowd", "--soldiers", "3", "--skip-held");
  const page = await open(url);
  await ticks(page);
  for (let at = 0; at < 3; at++) await page.keyboard.press(" ");
  await waits(page);
  const held = await number(page);
  for (let at = 0; at < 12; at++) await page.keyboard.press("n");
  await until("12 ticks are run", async () => (await number(page)) === held + 12);
  await pause(300);
  assert.equal(await number(page), held + 12);
  for (let at = 0; at < 2; at++) await page.keyboard.press(" ");
  await waits(page);
  await page.selectOption("#hold", "all");
  await page.click("#pause");
  await until("none is held", async () => (await page.textContent("#pause")) === "pause" && (await agent(page, "Gus the guard").locator(".sign").getAttribute("title")) !== "skipped");
  await page.click("#pause");
  await until("the others are held", async () => (await agent(page, "soldier 1").locator(".sign").getAttribute("title")) === "skipped");
  await page.selectOption("#hold", "one");
  const at = await number(page);
  await page.click("#pause");
  await until("this agent continues", async () => (await number(page)) > at + 10);
  assert.equal(await agent(page, "soldier 1").locator(".sign").getAttribute("title"), "skipped");
  await page.selectOption("#hold", "all");
  await page.click("#pause");
  await until("all continue", async () => (await agent(page, "soldier 1").locator(".sign").getAttribute("title")) === "Running");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the button resumes all agents if a single one is stopped at a breakpoint", async () => {
  const { url } = await start("examples/crowd", "--soldiers", "300");
  const page = await open(url);
  await ticks(page);
  await page.selectOption("#hold", "all");
  assert.equal(await page.textContent("#pause"), "pause");
  await row(page, "guard").locator(".dot").click();
  await page.check("#breaks input[name=Visit]");
  await page.keyboard.press("Escape");
  await until("the agent stops", async () => (await where(page)).startsWith("stopped at"));
  await until("the button says what it does", async () => (await page.textContent("#pause")) === "resume");
  await page.click("#remove");
  await until("the breakpoint is removed", async () => (await page.locator("#breakpoints li").count()) === 0);
  await page.click("#pause");
  await until("the agent continues", async () => (await where(page)) === "guard" && (await page.textContent("#pause")) === "pause");
  assert.deepEqual(page.errors, []);
  await page.close();
});
