// The real behavior3js, with leaves that are told what to give, and a mend for the one defect that random trees would meet at every turn.

import { createRequire } from "node:module";

export const b3 = createRequire(import.meta.url)("behavior3js");

const STATUS = { Success: b3.SUCCESS, Failure: b3.FAILURE, Running: b3.RUNNING, Error: b3.ERROR };
const NAMES = Object.fromEntries(Object.entries(STATUS).map(([name, status]) => [status, name]));

/** A leaf that gives what is told next, and notes that it was visited. */
function toldLeaf(world) {
  return b3.Class(b3.Action, {
    name: "told",
    initialize(properties) {
      b3.Action.prototype.initialize.call(this, { name: "told" });
      this.number = properties.number;
    },
    tick() {
      world.seen.push(this.number);
      return STATUS[world.told[world.next++ % world.told.length]];
    },
  });
}

/** Closes every node that was open and is not any more, last first. The library leaves out the first that differs. */
function mendedTick(tree, target, blackboard) {
  const last = (blackboard.get("openNodes", tree.id) ?? []).slice();
  // With nothing noted as open, the library closes nothing itself.
  blackboard.set("openNodes", [], tree.id);
  const status = tree.tick(target, blackboard);
  const now = blackboard.get("openNodes", tree.id);
  const tick = Object.assign(new b3.Tick(), { tree, target, blackboard });
  for (const node of last.reverse()) {
    if (!now.includes(node) && blackboard.get("isOpen", tree.id, node.id)) node._close(tick);
  }
  return status;
}

/** Loads a file and ticks it so many times. Gives what each tick gave, and which leaves it visited. */
export function run(file, told, ticks, mended = true) {
  const world = { told, next: 0, seen: [] };
  const tree = new b3.BehaviorTree();
  tree.load(file, { told: toldLeaf(world) });
  const blackboard = new b3.Blackboard();
  const results = [];
  for (let tick = 0; tick < ticks; tick++) {
    world.seen = [];
    const status = mended ? mendedTick(tree, {}, blackboard) : tree.tick({}, blackboard);
    results.push([NAMES[status], world.seen]);
  }
  return results;
}

/** A file of nodes: a name, perhaps properties, and children. */
export function file(root) {
  const nodes = {};
  const add = ([name, properties, ...children]) => {
    const id = `n${Object.keys(nodes).length}`;
    const node = (nodes[id] = { id, name, properties });
    const ids = children.map(add);
    if (ids.length && ["Inverter", "Repeater", "RepeatUntilSuccess", "RepeatUntilFailure", "Limiter", "MaxTime"].includes(name)) node.child = ids[0];
    else if (ids.length) node.children = ids;
    return id;
  };
  return { title: "tree", root: add(root), nodes };
}
