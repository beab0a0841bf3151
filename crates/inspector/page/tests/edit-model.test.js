// The model of the editor, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./harness.js";

const { Model, headParts } = await load("edit/model");
const { placeFor, placeToMove, dropPlace, canDrop, usualPlace } = await load("edit/places");
const { Selection } = await load("edit/selection");
const values = await load("edit/values");
const palette = await load("edit/palette");
const { diffLines, changedLines } = await load("edit/difference");
const { anchorsOf, documentNames, documentOf, runningNodes } = await load("edit/running");

/** Returns a node; its lists are arrays of children, or of a word and children. */
const node = (id, head, ...lists) => ({ id, head, name: /^\w+/.exec(head)[0], kind: lists.length ? "composite" : "leaf", arguments: [], before: "", label: null, note: "", disabled: false, place: null, uses: null, lists: lists.map((list) => (typeof list[0] === "string" ? { before: list[0], children: list.slice(1) } : { before: "", children: list })), can: [] });
const document = (root, more = {}) => new Model({ key: 0, version: 1, trees: [{ id: 100, name: "guard", title: null, broken: null, root, loose: [] }, { id: 101, name: "empty", title: null, broken: null, root: null, loose: [] }], problems: [], undo: null, redo: null, applied: true, saved: true, auto: true, difference: "", conflict: null, error: null, ...more });
/** A selector of a fight, an `if` with two branches, and a patrol. */
const guard = () => document(node(1, "selector", [node(2, "sequence", [node(3, "near"), node(4, "attack")]), node(5, "if", [node(6, "look")], ["else", node(7, "wait")], ["then"]), node(8, "patrol")]));
const spot = (node, list = null) => ({ node, list });

test("rows are the nodes that are not collapsed, and lists that are empty or have a word", () => {
  const model = guard();
  const rows = (folds = []) => model.rows(100, new Set(folds)).map(({ node, list, depth }) => (list === null ? `${depth}:${node}` : `${depth}:${node}/${list}`));
  assert.deepEqual(rows(), ["0:1", "1:2", "2:3", "2:4", "1:5", "2:6", "2:5/1", "2:7", "2:5/2", "1:8"]);
  assert.deepEqual(rows([2, 5]), ["0:1", "1:2", "1:5", "1:8"]);
  assert.deepEqual(model.rows(101, new Set()), []);
});

test("of nodes inside each other, the outer ones are changed, in the order of the text", () => {
  assert.deepEqual(guard().topmost(new Set([8, 4, 2, 7])), [2, 7, 8]);
});

test("nodes are inserted before, after and below; beside the root is no place", () => {
  const model = guard();
  const at = (spot, where, tree = 100) => placeFor(model, tree, spot, where);
  assert.deepEqual(at(spot(3), "after"), { after: 3 });
  assert.deepEqual(at(spot(3), "before"), { before: 3 });
  assert.deepEqual(at(spot(2), "below"), { in: 2, list: 0, index: 2 });
  assert.deepEqual(at(spot(5), "below"), { in: 5, list: 2, index: 0 }, "an empty list first");
  assert.deepEqual(at(spot(5, 2), "after"), { in: 5, list: 2, index: 0 });
  assert.deepEqual(at(null, "after", 101), { tree: 101 });
  assert.match(at(spot(3), "below"), /no children/);
  assert.match(at(spot(1), "after"), /beside the root/);
  assert.equal(usualPlace(model, spot(1)), "below");
  assert.equal(usualPlace(model, spot(2)), "after");
  assert.equal(usualPlace(document(node(1, "selector", [node(2, "sequence", [])])), spot(2)), "below");
});

test("keys move nodes among their siblings, into another list, out of the parent and into the node before", () => {
  const model = guard();
  const move = (nodes, direction) => placeToMove(model, nodes, direction);
  assert.deepEqual(move([8], "up"), { before: 5 });
  assert.deepEqual(move([2], "down"), { after: 5 });
  assert.deepEqual(move([2, 5], "down"), { after: 8 });
  assert.deepEqual(move([3], "out"), { after: 2 });
  assert.deepEqual(move([8], "in"), { in: 5, list: 2, index: 0 });
  assert.deepEqual(move([7], "up"), { in: 5, list: 0, index: 1 });
  assert.deepEqual(move([6], "down"), { in: 5, list: 1, index: 0 });
  assert.match(move([2], "up"), /first/);
  assert.match(move([8], "down"), /last/);
  assert.match(move([2], "out"), /root/);
  assert.match(move([1], "up"), /root/);
  assert.match(move([4], "in"), /near has no children/);
});

test("what is dropped on the upper part of a node is before it, on the middle inside, never in itself", () => {
  const model = guard();
  const drop = (node, part, isFolded = false) => dropPlace(model, spot(node), part, isFolded)?.at;
  assert.deepEqual(drop(8, 0.2), { before: 8 });
  assert.deepEqual(drop(8, 0.8), { after: 8 });
  assert.deepEqual(drop(2, 0.5), { in: 2, list: 0, index: 2 });
  assert.deepEqual(drop(2, 0.9), { in: 2, list: 0, index: 0 }, "between a node and its first child");
  assert.deepEqual(drop(2, 0.9, true), { after: 2 });
  assert.deepEqual(drop(1, 0.1), { in: 1, list: 0, index: 3 }, "nothing is beside the root");
  assert.equal(canDrop(model, [2], { after: 4 }), false);
  assert.equal(canDrop(model, [2], { in: 2, list: 0, index: 0 }), false);
  assert.equal(canDrop(model, [2], { after: 8 }), true);
});

test("a range is selected from the node that was selected last", () => {
  const [model, selection] = [guard(), new Selection()];
  const rows = model.rows(100, new Set());
  selection.only(spot(4));
  selection.extend(spot(6), rows);
  assert.deepEqual([...selection.nodes], [4, 5, 6]);
  selection.extend(spot(3), rows);
  assert.deepEqual([...selection.nodes], [3, 4]);
  selection.toggle(spot(8));
  assert.deepEqual([...selection.nodes], [3, 4, 8]);
  selection.keep(document(node(1, "selector", [node(4, "attack")])), 100, () => 1);
  assert.deepEqual([[...selection.nodes], selection.active], [[4], spot(4)]);
  selection.keep(document(node(1, "selector", [])), 100, () => 1);
  assert.deepEqual([[...selection.nodes], selection.active], [[1], spot(1)]);
});

test("times are written as they were, with another number or unit", () => {
  const { readTime, writeTime } = values;
  for (const text of ["secs(2)", "millis(500)", "1.5s", "250ms", '"3s"']) assert.equal(writeTime(readTime(text, null), null), text);
  assert.equal(writeTime(readTime("1000", "ms"), "ms"), "1000");
  assert.equal(writeTime({ ...readTime("secs(2)", null), amount: "500", unit: "ms" }, null), "millis(500)");
  for (const text of ["secs(1)..=secs(3)", "var(pause)", "PAUSE", "secs(a)", "1000"]) assert.equal(readTime(text, null), null, text);
});

test("texts are shown without quotes and escapes, if nothing is lost", () => {
  const { readText, writeText } = values;
  assert.equal(readText(String.raw`"a \"b\" \\ c"`), String.raw`a "b" \ c`);
  assert.equal(writeText(String.raw`a "b" \ c`), String.raw`"a \"b\" \\ c"`);
  for (const text of ["var(mood)", String.raw`"a\n"`, '"a" + "b"', "a"]) assert.equal(readText(text), null, text);
});

test("numbers out of bounds are named, expressions are not", () => {
  const check = (text, min, max) => values.outOfBounds(text, { min, max });
  assert.equal(check("1.5", 0, 1), "a number from 0 to 1 is expected");
  assert.equal(check("0", 1, null), "a number of at least 1 is expected");
  assert.equal(check("1_000", 1, null), null);
  assert.equal(check("var(chance)", 0, 1), null);
});

test("the variables of a document complete what is typed", () => {
  const root = node(1, "selector", [node(2, "cooldown(var(every))", [])]);
  root.lists[0].children[0].arguments = [{ name: "mood", text: "tired", type: "variable", unit: null }];
  assert.deepEqual(values.variablesOf(document(root)), ["tired", "var(every)"]);
});

test("the palette finds names before documentation, and offers only what fits", () => {
  const entry = (name, kind, doc = "", group = "words") => ({ name, kind, doc, group, insert: name, params: [] });
  const all = [entry("selector", "composite", "Ticks until one does not fail."), entry("cooldown", "decorator", "Waits."), entry("wait", "leaf"), entry("mem_wait", "leaf"), entry("attack", "leaf", "", "npc::war")];
  const names = (entries) => entries.map(({ name }) => name);
  assert.deepEqual(names(palette.searched(all, "wait")), ["wait", "mem_wait", "cooldown"]);
  assert.deepEqual(names(palette.searched(all, "wait(secs(2))")), ["wait", "mem_wait", "cooldown"]);
  assert.deepEqual(names(palette.searched(all, "war")), ["attack"]);
  assert.deepEqual(palette.grouped(all).map(({ name, entries }) => [name, entries.length]), [["composites", 1], ["decorators", 1], ["leaves", 2], ["npc::war", 1]]);
  assert.deepEqual(names(palette.offered(all, "wrap", [node(1, "a")])), ["selector", "cooldown"]);
  assert.deepEqual(names(palette.offered(all, "wrap", [node(1, "a"), node(2, "b")])), ["selector"]);
  assert.deepEqual(names(palette.offered(all, "replace", [node(1, "sequence", [node(2, "a"), node(3, "b")])])), ["selector"]);
  assert.equal(palette.headOf({ insert: "cooldown(secs(1)) { }" }), "cooldown(secs(1))");
});

test("the palette finds names as each notation writes them, and a name before all documentation", () => {
  const entry = (name, doc = "") => ({ name, kind: "leaf", doc, group: "words", insert: name, params: [] });
  const all = [entry("Sequence", "Like mem_sequence, but the other way. See also inverter and wait."), entry("MemSequence"), entry("Inverter"), entry("invert"), entry("wait_for")];
  const found = (text) => palette.searched(all, text).map(({ name }) => name);
  assert.equal(found("mem_seq")[0], "MemSequence");
  assert.equal(found("mem seq")[0], "MemSequence");
  assert.deepEqual(found("mem_sequence"), ["MemSequence", "Sequence"], "a name first");
  assert.deepEqual(found("inverter"), ["Inverter", "invert", "Sequence"]);
  assert.deepEqual(found("invert").slice(0, 2), ["invert", "Inverter"], "the exact name first");
  assert.deepEqual(found("waitfor"), ["wait_for"]);
  assert.deepEqual(found("sequence"), ["Sequence", "MemSequence"]);
  assert.deepEqual(found("wait"), ["wait_for", "Sequence"], "the begin of a name before documentation");
});

test("differences have kinds of lines, and versions the lines that the base does not have", () => {
  assert.deepEqual(diffLines("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z\n").map(({ kind }) => kind), ["file", "file", "place", "removed", "added", "same"]);
  assert.deepEqual([...changedLines(["a", "b", "c", "d"], ["a", "x", "c", "y", "d"])], [1, 3]);
  assert.deepEqual([...changedLines(["a", "b"], ["a", "b"])], []);
  assert.deepEqual([...changedLines(["a", "b", "c"], ["a", "c"])], []);
});

test("nodes that run are found by their place in the file, by their id in it, or by their place in the text", () => {
  const root = node(1, "selector", [node(2, "attack"), node(3, "patrol")]);
  root.place = "2:5";
  root.lists[0].children[0].place = "3:9";
  root.lists[0].children[1].fileid = "c3";
  const file = (id, name) => ({ id, name });
  const nodes = [{ id: 0, location: "src/guard.rs:2:5" }, { id: 1, location: "src/other.rs:3:9" }, { id: 2, location: "src/guard.rs:3:9" }, { id: 3, location: null, file: file("c3", "patrol") }, { id: 4, location: "src/guard.rs:3:9" }];
  const found = (document, root, nodes) => [...runningNodes(anchorsOf(root), document, { nodes })];
  assert.deepEqual(found({ path: "/game/src/guard.rs", name: "guard.rs", notation: "rust" }, document(root), nodes), [[1, [0]], [2, [2, 4]], [3, [3]]], "a subtree may be there twice");
  assert.deepEqual(found({ path: "/game/npc/guard.rs", name: "guard.rs", notation: "rust" }, document(root), nodes.slice(0, 3)), [], "another file of this name");
  const at = (line, column) => ({ ...file("#1", "mem_selector"), place: [line, column] });
  const text = [{ id: 0, location: null, file: at(2, 5) }, { id: 1, location: null, file: at(3, 10) }, { id: 2, location: null, file: at(3, 9) }];
  assert.deepEqual(found({ path: null, name: "guard.bt", notation: "text" }, document(root), text), [[1, [0]], [2, [2]]]);
});

test("a tree begins in one of the documents that it is written in, and documents with one name have their folders", () => {
  const documents = ["/game/npc/tree.rs", "/game/dog/tree.rs", "/game/npc/idle.rs", "/game/cat.bt"].map((path, key) => ({ key, path, name: path.split("/").pop(), tree: key === 3 ? 9 : null, trees: [[0], [1], [0, 1], [9]][key] }));
  const of = (first, location) => documentOf(documents, { first, nodes: [{ location }] }, undefined)?.key ?? null;
  assert.deepEqual([of(0, "npc/tree.rs:1:1"), of(1, "dog/tree.rs:1:1"), of(0, "npc/idle.rs:1:1"), of(1, null), of(9, null), of(2, "npc/tree.rs:1:1")], [0, 1, 2, 1, 3, null]);
  assert.deepEqual([...documentNames(documents, new Map()).values()], ["npc/tree.rs", "dog/tree.rs", "idle.rs", "cat.bt"]);
  // A hub shows those of each machine.
  const at = (machine) => ({ ...documents[2], key: machine + 10, machine });
  const two = [at(0), at(1)];
  assert.deepEqual([...documentNames(two, new Map([[0, "robot-1"], [1, "robot-2"]])).values()], ["robot-1 / idle.rs", "robot-2 / idle.rs"]);
  const tree = { first: documents[2].trees[0], nodes: [{ location: null }] };
  assert.deepEqual([0, 1, 2].map((machine) => documentOf(two, tree, machine)?.key ?? null), [10, 11, null]);
});

test("a name is shown with its path, and what is behind it apart", () => {
  const parts = (name, head) => headParts({ name, head });
  assert.deepEqual(parts("cooldown", "cooldown(secs(2))"), ["cooldown", "(secs(2))"]);
  assert.deepEqual(parts("sing", "npc::sing(1)"), ["npc::sing", "(1)"]);
  assert.deepEqual(parts("if", "if near(2.0)"), ["if", " near(2.0)"]);
  assert.deepEqual(parts("invert", "!"), ["!", ""]);
  assert.deepEqual(parts("tired", "tired -> rest"), ["tired", " -> rest"]);
  assert.deepEqual(parts("step", "|npc| npc.step()"), ["|npc| npc.step()", ""]);
});

test("a composite that has no list yet can have children", () => {
  const model = document({ ...node(1, "selector"), kind: "composite" });
  assert.deepEqual(model.rows(100, new Set()).map(({ node, list }) => [node, list]), [[1, null], [1, 0]]);
  assert.deepEqual(placeFor(model, 100, spot(1), "below"), { in: 1, list: 0, index: 0 });
});
