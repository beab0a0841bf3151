// The list of agents.

import assert from "node:assert/strict";
import { test } from "node:test";
import { agent, nodes, number, open, row, select, showRoot, start, startCrowd, text, ticks, until, waits } from "./harness.js";

const crowd = startCrowd();

test("500 agents can be searched, and 300 nodes collapsed", async () => {
  const page = await open(crowd.url);
  await until("all agents are registered", async () => (await page.textContent("#count")) === "501 agents");
  await page.fill("#search", "SOLDIER 49");
  await until("11 agents are found", async () => (await page.textContent("#count")) === "11 of 501 agents");
  await page.click('#list .agent:has-text("soldier 499")');
  await until("the tree is shown", async () => (await nodes(page)) > 300);
  await ticks(page);
  await until("the tree is folded or expanded", () => row(page, "chance").isVisible());
  await page.click("#collapse");
  await until("the node is collapsed", async () => !(await row(page, "chance").isVisible()));
  await until("the tree is folded or expanded", () => row(page, "attack").isHidden());
  await page.click("#expand");
  await until("the tree is folded or expanded", () => row(page, "chance").isVisible());
  await page.locator(".row .twist").first().click();
  await until("only the root is left", async () => (await page.locator(".row:visible").count()) === 1);
  await page.locator(".row .twist").first().click();
  await page.selectOption("#heat", "agent");
  await until("visits are counted", async () => /×\d+/.test(await row(page, "selector").locator(".extra").textContent()));
  // Another tree, while heat is on.
  await select(page, "Gus the guard");
  await until("the other tree is shown", async () => (await nodes(page)) < 20);
  await until("its visits are counted", async () => /×\d+/.test(await row(page, "selector").locator(".extra").textContent()));
  const hot = await row(page, "selector").evaluate((row) => Number(row.style.getPropertyValue("--hot")));
  assert.ok(hot > 0.5);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("an agent whose row moves while the button is pressed is selected", async () => {
  const page = await open(crowd.url);
  await until("all agents are listed", async () => (await page.textContent("#count")) === "501 agents");
  const press = async (part) => {
    await page.fill("#search", "");
    await until("all agents are listed", async () => (await page.textContent("#count")) === "501 agents");
    await part.hover();
    await page.mouse.down();
    await page.fill("#search", "soldier 9");
    await until("the row has moved", async () => (await page.textContent("#count")) === "11 of 501 agents");
    await page.mouse.up();
  };
  await press(agent(page, "soldier 9"));
  await until("the agent is shown", async () => (await text(page, "#agent")) === "soldier 9");
  await press(agent(page, "soldier 8").locator(".eye"));
  await until("another one is followed", async () => (await page.locator("#followed .name").allTextContents()).join() === "soldier 8");
  assert.equal(await text(page, "#agent"), "soldier 9");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("an agent beyond the limit of the list stays selected and live", async () => {
  const page = await open(crowd.url);
  await page.fill("#search", "soldier 499");
  await until("the agent is found", async () => (await page.textContent("#count")) === "1 of 501 agents");
  await page.click('#list .agent:has-text("soldier 499")');
  await until("ticks arrive", async () => (await page.textContent("#agent")) === "soldier 499" && (await number(page)) > 2);
  await page.fill("#search", "");
  await until("the list is no longer filtered", async () => (await page.textContent("#count")) === "501 agents");
  const at = await number(page);
  await until("the agent continues", async () => (await number(page)) > at + 10);
  assert.equal(await page.textContent("#agent"), "soldier 499");
  await page.click("#pause");
  await waits(page);
  await page.click("#pause");
  await until("the agent continues", async () => (await number(page)) > at + 20);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("agents are sorted and filtered by status, tree and node, and columns are chosen", async () => {
  const page = await open(crowd.url);
  await until("all agents are listed", async () => (await page.textContent("#count")) === "501 agents");
  const names = () => page.locator("#list .agent .name").allTextContents();
  await page.click("#filter summary");
  await page.selectOption("#filter select[name=sort]", "name");
  await page.check("#filter input[name=descending]");
  await until("they are sorted by name", async () => (await names()).slice(0, 3).join() === "soldier 499,soldier 498,soldier 497");
  await page.check("#filter input[name=column-running]");
  await until("the running leaves are shown", async () => /^(go|rest|attack)$/.test(await page.locator("#list .agent .of").first().textContent()));
  await page.uncheck("#filter input[name=column-tree]");
  await page.selectOption("#filter select[name=tree]", { label: "guard" });
  await until("only one has this tree", async () => (await names()).join() === "Gus the guard" && (await page.textContent("#count")) === "1 of 501 agents");
  await page.selectOption("#filter select[name=tree]", { label: "all" });
  await page.check("#filter input[name=failure]");
  await until("nothing has failed", async () => (await page.textContent("#count")) === "0 of 501 agents");
  await page.uncheck("#filter input[name=failure]");
  await page.check("#filter input[name=running]");
  await until("most are running", async () => parseInt(await page.textContent("#count")) > 100);
  await page.selectOption("#filter select[name=sort]", "added");
  await page.uncheck("#filter input[name=descending]");
  await page.locator("#tree").click();
  await until("a click elsewhere closes the filter", async () => !(await page.locator("#filter .box").isVisible()));
  await page.locator("#filters button").click();
  // Who is in a node?
  await select(page, "soldier 3");
  await showRoot(page);
  await row(page, "attack").locator(".name").click();
  await page.click("#who");
  await until("the filter is shown", async () => (await page.textContent("#filters")).startsWith("in “attack”"));
  const found = async () => parseInt(await page.textContent("#count"));
  // All soldiers see an enemy in the last 20 of 60 ticks.
  await until("all soldiers fight", async () => (await found()) === 500);
  await until("no soldier fights", async () => (await found()) === 0);
  await page.locator("#filters button").click();
  await until("all agents are listed", async () => (await page.textContent("#count")) === "501 agents");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a list of 10,000 agents scrolls to its end", async () => {
  const { url } = await start("examples/crowd", "--soldiers", "9999");
  const page = await open(url);
  await until("all agents are registered", async () => (await page.textContent("#count")) === "10000 agents");
  assert.ok((await page.locator("#list .agent").count()) < 80);
  // The list shows the first agent when that is selected.
  await until("an agent is shown", async () => (await page.textContent("#agent")) === "Gus the guard");
  await page.locator("#list").evaluate((list) => (list.scrollTop = list.scrollHeight));
  await until("the last agent is listed", async () => (await agent(page, "soldier 9998").count()) === 1);
  await agent(page, "soldier 9998").click();
  await until("it is shown", async () => (await page.textContent("#agent")) === "soldier 9998");
  await page.locator("#list").evaluate((list) => (list.scrollTop = list.scrollHeight / 2));
  await until("the middle is listed", async () => (await agent(page, "soldier 5000").count()) === 1);
  await page.locator("#list").focus();
  await page.keyboard.press("End");
  await until("the last agent is selected", async () => (await page.textContent("#agent")) === "soldier 9998");
  await page.keyboard.press("ArrowUp");
  await until("the one before is selected", async () => (await page.textContent("#agent")) === "soldier 9997");
  await page.keyboard.press("Home");
  await until("the first agent is selected", async () => (await page.textContent("#agent")) === "Gus the guard");
  await page.fill("#search", "soldier 77");
  await until("the search covers all", async () => (await page.textContent("#count")) === "111 of 10000 agents");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("clearing the search shows the selected agent in the whole list", async () => {
  const page = await open(crowd.url);
  await until("all agents are listed", async () => (await page.textContent("#count")) === "501 agents");
  for (const name of ["soldier 3", "soldier 470", "soldier 250"]) {
    await page.fill("#search", name);
    await agent(page, name).click();
    await until("the agent is shown", async () => (await text(page, "#agent")) === name);
    await page.fill("#search", "");
    const isInView = () =>
      page.evaluate(() => {
        const [list, row] = ["#list", "#list [aria-selected=true]"].map((one) => document.querySelector(one)?.getBoundingClientRect());
        return row !== undefined && row.top >= list.top && row.bottom <= list.bottom + 1;
      });
    await until("all are listed", async () => (await page.textContent("#count")) === "501 agents");
    await until(`${name} is in view`, isInView);
  }
  // The user may scroll away from it.
  await page.locator("#list").evaluate((list) => (list.scrollTop = 0));
  await until("the first is listed", async () => (await agent(page, "Gus the guard").count()) === 1);
  await page.waitForTimeout(300);
  assert.equal(await page.locator("#list").evaluate((list) => list.scrollTop), 0);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("values and times of all agents are columns by which the list is sorted and filtered", async () => {
  const page = await open(crowd.url);
  await ticks(page);
  await select(page, "soldier 3");
  await page.click("#filter summary");
  await page.fill("#add-column", "healthy");
  await until("an unknown value is an error", async () => (await page.textContent("#add-column-checked")) === "no value `healthy` is shown; expected one of `enemy`, `health`, `id`, `position`, `seed`, `speed`, `ticks`");
  await page.fill("#add-column", "id");
  await until("the present value is shown", async () => (await page.textContent("#add-column-checked")) === "now 9007199254741002");
  await page.keyboard.press("Enter");
  await page.click("text=+ ticks in the running leaf");
  await page.click("text=+ ticks since id has changed");
  const cells = (name) => agent(page, name).locator(".cell").allTextContents();
  await until("the program is asked for the values", async () => (await cells("soldier 3"))[0] === "9007199254741002");
  await until("times are counted", async () => (await cells("soldier 3")).slice(1).every((text) => /^\d+$/.test(text)) && Number((await cells("soldier 3"))[2]) > 5);
  await page.keyboard.press("Escape");
  const first = () => page.locator("#list .agent .name").first().textContent();
  await page.locator("#column-names button", { hasText: "id" }).first().click();
  await until("the largest is first", async () => (await first()) === "soldier 499");
  await page.locator("#column-names button", { hasText: "id" }).first().click();
  await until("the smallest is first", async () => (await first()) === "Gus the guard");
  await page.click("#filter summary");
  await page.fill("#where-values", "id >= 9007199254741002 && id < 9007199254741005");
  await page.keyboard.press("Enter");
  await until("the list is filtered", async () => (await page.textContent("#count")) === "3 of 501 agents");
  assert.deepEqual(await page.locator("#list .agent .name").allTextContents(), ["soldier 3", "soldier 4", "soldier 5"]);
  await page.keyboard.press("Escape");
  await page.locator("#filters .link").click();
  await until("all are listed", async () => (await page.textContent("#count")) === "501 agents");
  await page.click("#filter summary");
  for (let left = 3; left > 0; left--) await page.locator('#filter [aria-label^="remove the column"]').first().click();
  await until("the columns are removed", async () => (await page.locator("#column-names").count()) === 0);
  assert.deepEqual(page.errors, []);
  await page.close();
});
