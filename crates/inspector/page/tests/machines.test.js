// The agents of several machines, from a hub that the test plays.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { agent, describe, is, open, text, until } from "./harness.js";

const FILES = { "/": ["index.html", "text/html"], "/page.js": ["dist/page.js", "text/javascript"], "/page.css": ["dist/page.css", "text/css"], "/icon.svg": ["icon.svg", "image/svg+xml"] };
const TREE = { key: 0, first: 0, name: "guard", fingerprint: "1", nodes: [describe(0, null, "sequence"), describe(1, 0, "patrol")] };

/** Opens a page that is connected to a hub of these machines and agents. */
async function openHub(machines, agents, settings = {}, ofAgents = {}) {
  const hub = { machines, agents, lists: [], requests: [], session: 1 };
  const send = (update) => hub.socket.send(JSON.stringify(update));
  hub.send = send;
  hub.sendList = () => {
    const { machine, search = "", id = 0 } = hub.lists.at(-1) ?? {};
    const list = hub.agents.filter((one) => (machine === undefined || one.machine === machine) && one.name.includes(search));
    send({ agents: { id, total: hub.agents.length, matching: list.length, from: 0, list, waiting: [], selected: null, held: false, holds: 0 } });
  };
  hub.changed = (machines, agents) => {
    Object.assign(hub, { machines, agents });
    if (machines) send({ machines });
    hub.sendList();
  };
  const receive = (request) => {
    hub.requests.push(request);
    if ("list" in request) {
      hub.lists.push(request.list);
      hub.sendList();
    }
    const { select } = request;
    const ticks = (agent) => [0, 1].map((tick) => ({ agent, tick, tree: 0, now: tick / 10, status: "Running", events: "0r 1r" }));
    if (select !== undefined) send({ ticks: { agent: select, list: ofAgents[select] ?? ticks(select) } });
    for (const followed of request.follow ?? []) send({ ticks: { agent: followed, list: ofAgents[followed] ?? ticks(followed) } });
  };
  const page = await open("http://hub.test/", undefined, async (page) => {
    for (const [path, [file, contentType]] of Object.entries(FILES)) {
      const body = readFileSync(new URL(`../${file}`, import.meta.url));
      await page.route(`http://hub.test${path}`, (route) => route.fulfill({ contentType, body }));
    }
    await page.addInitScript((settings) => {
      for (const [name, value] of Object.entries(settings)) localStorage.setItem(`bt-inspector.${name}`, JSON.stringify(value));
    }, settings);
    await page.routeWebSocket("ws://hub.test/live", (socket) => {
      hub.socket = socket;
      socket.onMessage((message) => receive(JSON.parse(message)));
      send({ hello: { recording: false, session: hub.session } });
      send({ trees: [TREE] });
      if (hub.machines) send({ machines: hub.machines });
      hub.sendList();
    });
  });
  await until("the agents are listed", async () => (await page.locator("#list .agent").count()) === agents.length);
  return { page, hub };
}

const machine = (key, name, agents, gone = false) => ({ key, name, agents, gone });
const on = (machine, key, name) => ({ key, name, tree: 0, machine, status: "Running", removed: false });
const ROBOTS = [machine(0, "robot-1", 2), machine(1, "robot-2", 1)];
const AGENTS = [on(0, 0, "Ann"), on(0, 1, "Bob"), on(1, 2, "Ann")];
const names = (page) => page.locator("#list .agent").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll(".name, .of")].map((part) => part.textContent).join(" of ")));
const options = (page, name) => page.locator(`#filter select[name=${name}] option`).allTextContents();

test("the list can be limited to a machine, and names that of each agent", async () => {
  // Earlier pages have stored columns without machines.
  const { page, hub } = await openHub(ROBOTS, AGENTS, { columns: ["running"] });
  assert.deepEqual(await names(page), ["Ann of robot-1", "Bob of robot-1", "Ann of robot-2"]);
  await until("the first agent is shown with its machine", async () => (await text(page, "#agent")) === "robot-1 / Ann");
  assert.ok(hub.lists.every((list) => !("machine" in list)));
  await page.click("#filter summary");
  assert.deepEqual(await options(page, "machine"), ["all", "robot-1 (2)", "robot-2 (1)"]);
  await page.selectOption("#filter select[name=machine]", { label: "robot-2 (1)" });
  await until("its agents are listed", async () => (await names(page)).join() === "Ann of robot-2");
  assert.equal(hub.lists.at(-1).machine, 1);
  assert.match(await text(page, "#filters"), /^machine robot-2/);
  await page.selectOption("#filter select[name=sort]", "machine");
  assert.equal(hub.lists.at(-1).sort, "machine");
  await page.uncheck("#filter input[name=column-machine]");
  assert.deepEqual(await names(page), ["Ann"]);
  assert.equal(await page.evaluate(() => localStorage.getItem("bt-inspector.columns")), '["running"]');
  await page.keyboard.press("Escape");
  await page.click("#filters button");
  await until("all are listed", async () => (await names(page)).join() === "Ann,Bob,Ann");
  assert.ok(!("machine" in hub.lists.at(-1)));
  assert.equal(await page.locator("#filters").count(), 0);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the agents of a machine that is gone stay, and the selected one is found again when it is back", async () => {
  const { page, hub } = await openHub(ROBOTS, AGENTS);
  await agent(page, "Bob").click();
  await until("the agent is shown", async () => (await text(page, "#tick")).startsWith("tick 1"));
  await page.click("#filter summary");
  await page.selectOption("#filter select[name=machine]", { label: "robot-1 (2)" });
  hub.changed([machine(0, "robot-1", 2, true), ROBOTS[1]], AGENTS);
  await until("the machine is gone", async () => (await text(page, "#where")) === "its machine is gone");
  assert.deepEqual(await options(page, "machine"), ["all", "robot-1 (gone)", "robot-2 (1)"]);
  const bob = agent(page, "Bob");
  assert.ok(await is(bob, "removed"));
  assert.equal(await bob.locator(".spoken").textContent(), "its machine is gone");
  assert.ok(await page.locator("#pause").isDisabled());
  // Its past stays, also when the machine is back.
  await page.locator("#timeline").focus();
  await page.keyboard.press("ArrowLeft");
  await until("the tick before is shown", async () => (await text(page, "#tick")).startsWith("tick 0"));
  const back = [[ROBOTS[1], machine(2, "robot-1", 2)], [on(1, 2, "Bob"), on(2, 3, "Ann"), on(2, 4, "Bob")]];
  hub.changed(...back);
  await until("the filter is cleared", async () => (await names(page)).join() === "Bob of robot-2,Ann of robot-1,Bob of robot-1");
  assert.ok(!("machine" in hub.lists.at(-1)));
  assert.equal(await text(page, "#agent"), "robot-1 / Bob");
  assert.equal(await text(page, "#where"), "its machine is gone");
  await page.locator("#timeline").focus();
  await page.keyboard.press("ArrowRight");
  hub.changed(...back);
  await until("the agent of the same name is selected", () => is(page.locator("#agent-4"), "selected"));
  assert.equal(await text(page, "#agent"), "robot-1 / Bob");
  assert.equal(await text(page, "#where"), "guard");
  // A hub that was restarted.
  hub.session = 2;
  hub.machines = [machine(0, "robot-3", 1)];
  hub.agents = [on(0, 0, "Eve")];
  await hub.socket.close();
  await until("the page is connected again", async () => (await names(page)).join() === "Eve of robot-3");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a program without a hub is asked for nothing about machines", async () => {
  const { page, hub } = await openHub(null, [{ key: 0, name: "Ann", tree: 0, status: "Running", removed: false }]);
  assert.deepEqual(await names(page), ["Ann"]);
  await until("the agent is shown", async () => (await text(page, "#agent")) === "Ann");
  await page.click("#filter summary");
  assert.equal(await page.locator("#filter [name=machine], #filter [name=column-machine], #filter option[value=machine]").count(), 0);
  await page.check("#filter input[name=running]");
  assert.deepEqual(hub.lists.at(-1).states, ["running"]);
  assert.ok(hub.lists.every((list) => !("machine" in list)));
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the log has the changes of agents of several machines in the order of the time of day", async () => {
  // Each machine has its own clock.
  const ticks = (agent, start, at) => [0, 1].map((tick) => ({ agent, tick, tree: 0, now: start + tick, at: at + 10 * tick, status: tick ? "Success" : "Running", events: tick ? "0S 1S" : "0r 1r" }));
  const { page } = await openHub(ROBOTS, AGENTS, {}, { 0: ticks(0, 500, 1_795_000_000), 2: ticks(2, 3, 1_795_000_005) });
  await page.locator("#list .agent").nth(2).locator(".eye").click();
  await page.click("#log-button");
  const lines = () => page.locator("#log .change .who").allTextContents();
  await until("all changes are there", async () => (await lines()).length === 8);
  const machines = (await lines()).map((who) => who.match(/robot-./)?.[0]);
  assert.deepEqual(machines, ["robot-1", "robot-1", "robot-2", "robot-2", "robot-1", "robot-1", "robot-2", "robot-2"]);
  assert.deepEqual(page.errors, []);
  await page.close();
});

/** A document of a machine, and its state. */
const documentAt = (machine, more = {}) => ({ key: 100 + machine, name: "guard.bt", path: null, notation: "text", tree: 0, trees: [0], edit: true, write: false, runs: true, machine, ...more });
const stateOf = (key, more = {}) => ({
  key,
  version: 0,
  trees: [{ id: 1, name: "", title: null, broken: null, root: { id: 2, name: "sequence", kind: "composite", head: "sequence", arguments: [], before: "", label: null, note: "", disabled: false, place: null, uses: null, lists: [{ before: "", children: [] }], can: [] }, loose: [] }],
  problems: [],
  undo: null,
  redo: null,
  applied: true,
  saved: true,
  auto: true,
  difference: "",
  conflict: null,
  error: null,
  ...more,
});

/** Opens the editor of the document of the first machine. */
async function openDocument(machines, documents) {
  const { page, hub } = await openHub(machines, AGENTS);
  hub.send({ documents });
  await agent(page, "Ann").first().click();
  await page.keyboard.press("e");
  await until("the document is requested", () => hub.requests.some((request) => request.open !== undefined && request.open !== null));
  const { open } = hub.requests.findLast((request) => request.open !== undefined);
  hub.send({ document: stateOf(open) });
  await until("it is shown", async () => (await page.locator("#trees").count()) === 1);
  return { page, hub, open };
}

test("the document of the machine of the selected agent is edited", async () => {
  const { page, hub, open } = await openDocument(ROBOTS, [documentAt(0), documentAt(1)]);
  assert.equal(open, 100);
  assert.deepEqual(await page.locator("#edit-document option").allTextContents(), ["robot-1 / guard.bt", "robot-2 / guard.bt"]);
  assert.equal(await page.locator("#rollout").count(), 0, "the hub has not sent anything of other machines");
  // The same tree at another machine has another document.
  await page.locator("#agent-2").click();
  await until("the other one is requested", () => hub.requests.findLast((request) => request.open !== undefined).open === 101);
  hub.send({ document: stateOf(101) });
  await until("it is shown", async () => (await page.locator("#edit-document").inputValue()) === "101");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a version is sent to a tenth of the machines, to all, and back", async () => {
  const { page, hub, open } = await openDocument(ROBOTS, [documentAt(0, { write: true }), documentAt(1)]);
  const rollout = (states, stage) => hub.send({ rollout: { document: open, machines: states.map(([state, error], machine) => ({ machine, state, error })), stage } });
  const shows = (text) => until(text, async () => (await page.locator("#rollout-state").textContent()) === text);
  const requested = (what) => until(JSON.stringify(what), () => JSON.stringify(hub.requests.at(-1)) === JSON.stringify({ rollout: { document: open, ...what } }));
  rollout([["same"], ["before"]], null);
  await shows("1 of 2 machines has this version");
  assert.equal(await page.locator("#roll-back").count(), 0);
  await page.click("#send-tenth");
  await requested({ step: "tenth", others: false, save: false });
  rollout([["same"], ["waiting"]], { step: "tenth", ready: false, error: null });
  await shows("1 of 2 machines has this version, 1 awaited (sent to 10 %)");
  assert.ok(await page.locator("#roll-back").isDisabled());
  rollout([["same"], ["refused", "unknown node `rest`"]], { step: "tenth", ready: true, error: null });
  await shows("1 of 2 machines has this version (sent to 10 %)");
  assert.deepEqual(await page.locator("#rollout li").allTextContents(), ["robot-2 refused it: unknown node `rest`"]);
  rollout([["same"], ["edited"]], { step: "tenth", ready: true, error: null });
  await until("it is another version", async () => (await page.locator("#rollout li").allTextContents()).join() === "robot-2 has another version, which was edited there");
  await page.check("#replace-others");
  await page.check("#save-there");
  await page.click("#send-all");
  await requested({ step: "all", others: true, save: true });
  rollout([["same"], ["same"]], { step: "all", ready: true, error: null });
  await shows("all 2 machines have this version (sent to all)");
  assert.ok(await page.locator("#send-all").isEnabled(), "the files can be saved");
  await page.uncheck("#save-there");
  assert.ok(await page.locator("#send-all").isDisabled());
  await page.check("#save-there");
  rollout([["unapplied"], ["before"]], { step: "all", ready: true, error: null });
  await until("each is named", async () => (await page.locator("#rollout li").allTextContents()).join() === "robot-1 does not run it,robot-2 has an earlier version");
  await page.locator("#roll-back").focus();
  await page.keyboard.press("Enter");
  await requested({ step: "back", others: true, save: true });
  rollout([["same"], ["same"]], { step: "back", ready: true, error: "the document has 300000 bytes, the limit is 262144" });
  await shows("all 2 machines have this version (sent back)");
  assert.equal(await page.locator("#rollout .error").textContent(), "the document has 300000 bytes, the limit is 262144");
  await page.click("#end-rollout");
  await requested({ step: "end", others: true, save: true });
  // A tree with errors would be refused everywhere.
  rollout([["same"], ["before"]], null);
  hub.send({ document: stateOf(open, { version: 1, problems: [{ node: 2, argument: null, message: "unknown node", warning: false }] }) });
  await until("nothing is sent", async () => (await page.locator("#send-all").getAttribute("title")) === "the tree has errors");
  assert.ok(await page.locator("#send-all").isDisabled());
  // Of another document, nothing is shown.
  hub.send({ rollout: { document: 101, machines: [], stage: null } });
  await until("nothing is shown", async () => (await page.locator("#rollout").count()) === 0);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a breakpoint that is switched off looks so before the program has answered", async () => {
  const { page, hub } = await openHub(ROBOTS, AGENTS);
  hub.send({ breakpoints: [{ tree: 0, node: 1, on: ["Visit"], agent: null, hits: 0, skip: 0, disabled: false, condition: "" }] });
  hub.send({ watches: [{ tree: 0, expression: "hp", agent: null, hits: 0, disabled: false }] });
  await until("both are listed", async () => (await page.locator("#breakpoints li").count()) === 2);
  for (const name of ["stop at patrol", "stop at changes of hp"]) {
    const box = page.getByRole("checkbox", { name });
    await box.uncheck();
    hub.changed(null, [on(0, 0, name)]);
    await until("the page is drawn again", async () => (await names(page)).join() === `${name} of robot-1`);
    assert.ok(!(await box.isChecked()), name);
  }
  assert.deepEqual(hub.requests.flatMap((request) => Object.keys(request)).filter((name) => name === "break" || name === "watch"), ["break", "watch"]);
  assert.deepEqual(page.errors, []);
  await page.close();
});
