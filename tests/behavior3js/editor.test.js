// The real Behavior3 editor, with the libraries that it contains, opens what `bt` writes, and writes the same.
//
// `BEHAVIOR3_EDITOR` is a clone of github.com/behavior3/behavior3editor, with or without a work tree; 20c2202 is the newest commit. The editor is not part of
// this repository, and nothing is fetched: without the variable, the tests are skipped.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { converted, edited } from "./bt.js";
import { random, tree } from "./trees.js";

const clone = process.env.BEHAVIOR3_EDITOR;
const skip = clone ? false : "no clone of the Behavior3 editor in BEHAVIOR3_EDITOR";
if (skip) console.log(`The real Behavior3 editor is not tested: ${skip}.`);

const LIBRARIES = ["createjs.min", "creatine-1.0.0.min", "behavior3js-0.1.0.min", "mousetrap.min"];

let browser, page;
before(async () => {
  if (skip) return;
  const git = (...command) => execFileSync("git", ["-C", clone, ...command], { encoding: "utf8", maxBuffer: 1 << 26 });
  const sources = git("ls-tree", "-r", "--name-only", "HEAD", "src/editor").split("\n").filter((name) => name.endsWith(".js"));
  // The order in which the editor's own build concatenates them.
  const rank = (name) => (name.endsWith("namespaces.js") ? 0 : name.includes("/utils/") ? 1 : 2);
  sources.sort((one, other) => rank(one) - rank(other));
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
  page = await browser.newPage();
  // A page with an address has the storage that the editor needs.
  await page.route("http://editor.test/", (route) => route.fulfill({ contentType: "text/html", body: "<body></body>" }));
  await page.goto("http://editor.test/");
  for (const name of [...LIBRARIES.map((name) => `src/assets/libs/${name}.js`), ...sources]) {
    // Some are empty.
    await page.addScriptTag({ content: git("show", `HEAD:${name}`) || " " });
  }
});
after(() => browser?.close());

/** Opens a project in the editor. Returns it as the editor writes it, and again after each node was moved by a step of the grid. */
function opened(data) {
  return page.evaluate((data) => {
    window.editor ??= new b3e.editor.Editor();
    if (data.trees) {
      editor.project.open(data);
    } else {
      editor.project.create();
      editor.import.treeAsData(data);
    }
    const written = editor.export.projectToData();
    const orders = (project) => JSON.stringify(project.trees.map(({ nodes }) => Object.values(nodes).map(({ id, children }) => [id, children])));
    const before = orders(written);
    let changed = 0;
    for (const tree of editor.project.get().children) {
      for (const block of tree.blocks.getAll()) {
        for (const step of [12, -24]) {
          block.y += step;
          if (orders(editor.export.projectToData()) !== before) changed++;
        }
        block.y += 12;
      }
    }
    return { written: JSON.parse(JSON.stringify(written)), changed };
  }, data);
}

/** Asserts that the editor reads the trees of a file as they are. */
async function survives(data) {
  const { written, changed } = await opened(data);
  assert.equal(changed, 0, "a node that is moved a little keeps its place among its siblings");
  const trees = data.trees ?? [data];
  const said = ({ root, title, nodes }) => ({
    root,
    title,
    nodes: Object.fromEntries(
      Object.values(nodes).map(({ id, name, title, properties, children, child }) => [id, { name, title, properties, children: children ?? (child ? [child] : []) }]),
    ),
  });
  for (const tree of trees) {
    assert.deepEqual(said(written.trees.find(({ id }) => id === tree.id) ?? written.trees.at(-1)), said(tree));
  }
  if (data.trees) assert.equal(written.selectedTree, data.selectedTree);
  return written;
}

const TREES = `
tree guard {
    selector "watch" {
        sequence { hungry, eat }
        parallel(success = one) { fight, patrol }
        limit(3) { cooldown(secs(2)) { shout(words = "stop", loud = true) } }
        machine { state idle { rest, tired -> idle } }
        patrol
    }
}
tree fight { mem_sequence { near(meters = 3.5), near, rest, wait(secs(1)) } }
tree patrol { random_selector { 2 => rest, shout(words = "hm") } }
tree rest { wait(millis(500)) }
`;

test("several trees that use each other", { skip }, async () => {
  const project = converted(TREES);
  assert.deepEqual(project.trees.map(({ id }) => id), ["rest", "fight", "patrol", "guard"]);
  assert.equal(project.selectedTree, "guard");
  await survives(project);
});

test("a tree alone", { skip }, async () => {
  await survives(converted("sequence { selector { a, b { c } }, if near { d } else { e }, finally { f, g } }"));
});

test("trees of BehaviorTree.CPP", { skip }, async () => {
  const xml = `<root BTCPP_format="4" main_tree_to_execute="Main">
    <BehaviorTree ID="Main"><Sequence><SubTree ID="Open"/><Fallback><SubTree ID="Open" name="again"/><AlwaysFailure/></Fallback></Sequence></BehaviorTree>
    <BehaviorTree ID="Open"><Sequence><Push door="{door}"/><Delay delay_msec="5"><Push door="3"/></Delay></Sequence></BehaviorTree>
  </root>`;
  await survives(converted(xml, "xml"));
});

test("random trees, of which some use others", { skip }, async () => {
  const below = random(9);
  const text = (index) => ([name, , ...children]) =>
    children.length ? `own_${name}_${children.length === 1} { ${children.map(text(index)).join(", ")} }` : below(6) || index === 19 ? "act" : `t${index + 1 + below(19 - index)}`;
  const trees = Array.from({ length: 20 }, (_, index) => `tree t${index} { ${text(index)(tree(below).root)} }`);
  await survives(converted(trees.join("\n")));
});

test("a file that the editor has written, edited", { skip }, async () => {
  const { written } = await opened(converted(TREES));
  const project = edited(written, 'insert in "watch" index 0 sequence "leap" { jump, duck(fast = true), rest }', 'extract "leap" leaping');
  await survives(project);
});

test("a tree alone is a project after a part of it was extracted", { skip }, async () => {
  const one = edited(converted('sequence "all" { selector "either" { a, b { c } }, d }'), 'extract "either" choosing', 'insert in "all" index 0 glance');
  assert.deepEqual([one.trees.length, one.trees[1].id, one.trees[1].id], [2, one.selectedTree, "main"]);
  const written = await survives(one);
  assert.ok(written.custom_nodes.some(({ name }) => name === "glance"));
});
