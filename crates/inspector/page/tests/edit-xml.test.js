// Files of BehaviorTree.CPP in the editor, without and with a program that runs them.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { choose, edit, rowOf, saved, shows, state } from "./edit.js";
import { folder, is, open, start, ticks, until } from "./harness.js";

const ROBOT = `<root BTCPP_format="4" main_tree_to_execute="Main">
  <BehaviorTree ID="Main">
    <Sequence name="day">
      <!-- It has to know where. -->
      <FindDoor door="{door}"/>
      <SubTree ID="Walk" goal="{door}"/>
    </Sequence>
  </BehaviorTree>
  <BehaviorTree ID="Walk">
    <Goto goal='{goal}'  speed="0.5"/>
  </BehaviorTree>
  <TreeNodesModel>
    <Action ID="FindDoor"><output_port name="door"/></Action>
    <Action ID="Goto"><input_port name="goal"/><input_port name="speed"/></Action>
  </TreeNodesModel>
</root>
`;
const GUARD = `<root BTCPP_format="4">
  <BehaviorTree ID="Guard">
    <ReactiveFallback>
      <ReactiveSequence name="fight">
        <near meters="10.0"/>
        <attack/>
      </ReactiveSequence>
      <patrol/>
    </ReactiveFallback>
  </BehaviorTree>
</root>
`;
const MAIN = ['Sequence "day"', "  FindDoor(door = var(door))", '  SubTree(ID = "Walk", goal = var(door))'];

test("a file of BehaviorTree.CPP is edited, and all else in it stays", async () => {
  const { page, read } = await edit("robot.xml", ROBOT);
  await shows(page, ...MAIN);
  await rowOf(page, "FindDoor").click();
  await choose(page, "w", "timeout");
  await shows(page, MAIN[0], "  Timeout(msec = 1000)", "    FindDoor(door = var(door))", MAIN[2]);
  await page.keyboard.press("#");
  await page.keyboard.press("n");
  await page.keyboard.type("not <yet>");
  await page.keyboard.press("Enter");
  await rowOf(page, "SubTree").click();
  await page.keyboard.press("o");
  await shows(page, "Goto(goal = var(goal), speed = 0.5)");
  await page.keyboard.press("Control+s");
  await saved(page);
  const changed = ROBOT.replace(
    /      <!-- .* -->\n.*\n/,
    `      <Timeout msec="1000" _skipIf="true" _description="not &lt;yet&gt;">
        <!-- It has to know where. -->
        <FindDoor door="{door}"/>
      </Timeout>
`,
  );
  assert.equal(read(), changed);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the form takes what BehaviorTree.CPP writes, and a wrong port is reported", async () => {
  const { page, read } = await edit("robot.xml", ROBOT);
  await shows(page, ...MAIN);
  await page.locator(".tree-name", { hasText: "Walk" }).click();
  await rowOf(page, "Goto").click();
  const fields = page.locator("#fields input");
  // A field that held a variable keeps the focus when it is emptied and typed into.
  await fields.nth(0).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Enter");
  await shows(page, "Goto(speed = 0.5)");
  await page.keyboard.type("{goal}");
  await page.keyboard.press("Enter");
  await shows(page, "Goto(speed = 0.5, goal = var(goal))");
  await rowOf(page, "Goto").click();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await shows(page, "Goto(goal = var(goal), speed = 0.5)");
  await fields.nth(1).fill("{fast}");
  await fields.nth(1).press("Enter");
  await shows(page, "Goto(goal = var(goal), speed = var(fast))");
  const head = page.locator("#field-head");
  await head.fill("Goto(goal = var(goal), sped = 2)");
  await head.press("Enter");
  await until("the error is shown", async () => /1 error/.test(await state(page)));
  assert.match(await page.textContent("#properties"), /unknown port `sped` of Goto; help: did you mean `speed`\?/);
  await rowOf(page, "Goto").click();
  await page.keyboard.press("Control+z");
  await shows(page, "Goto(goal = var(goal), speed = var(fast))");
  await page.keyboard.press("Control+s");
  await saved(page);
  assert.equal(read(), ROBOT.replace('speed="0.5"', 'speed="{fast}"'));
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the tree of a program that loads XML is edited while it runs", async () => {
  const path = join(folder, "guard.xml");
  writeFileSync(path, GUARD);
  const { url } = await start("examples/edited", path);
  const page = await open(url);
  await ticks(page);
  await page.keyboard.press("e");
  await shows(page, "ReactiveFallback", '  ReactiveSequence "fight"', "    near(meters = 10.0)", "    attack", "  patrol");
  await until("the patrol runs", () => is(rowOf(page, "patrol"), "r", "fresh"));
  await rowOf(page, "patrol").click();
  await choose(page, "w", "forcesuccess");
  await until("it is applied", async () => /^(?!.*not applied)/.test(await state(page)));
  await until("the new node runs", () => is(rowOf(page, "ForceSuccess"), "r", "fresh"));
  await until("the fight runs", () => is(rowOf(page, "attack"), "r", "fresh"));
  await page.keyboard.press("Control+s");
  await saved(page);
  assert.equal(readFileSync(path, "utf8"), GUARD.replace("      <patrol/>", "      <ForceSuccess>\n        <patrol/>\n      </ForceSuccess>"));
  await page.keyboard.press("e");
  await until("the tree is looked at", async () => (await page.locator("#tree .row", { hasText: "force_success" }).count()) === 1);
  assert.deepEqual(page.errors, []);
  await page.close();
});
