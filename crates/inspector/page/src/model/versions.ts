// The versions of a tree: the nodes of one as nodes of another, ticks with the ids of another, and what a change has changed.

import type { Event, StoredTick, TickHistory, Ticks } from "./history";
import type { TreeInfo } from "./protocol";
import { Shape } from "./shape";

/** The nodes of a tree by their numbers. */
const nodesByNumber = new WeakMap<TreeInfo, Map<number, number>>();
const shapes = new WeakMap<TreeInfo, Shape>();

export function shapeOf(tree: TreeInfo): Shape {
  let shape = shapes.get(tree);
  if (!shape) shapes.set(tree, (shape = new Shape(tree)));
  return shape;
}

/** Returns the numbers of the nodes of a tree, which are the same in all versions. */
export function numbersOf(tree: TreeInfo): number[] {
  return tree.numbers ?? tree.nodes.map((node) => node.id);
}

/** Whether two trees are versions of one. */
export function areVersions(one: TreeInfo | null | undefined, other: TreeInfo | null | undefined): boolean {
  return one !== null && one !== undefined && one.first === other?.first;
}

/** Returns a node of a tree as a node of another version of it; null if that does not have it. */
export function nodeIn(to: TreeInfo, from: TreeInfo, node: number): number | null {
  if (from.key === to.key) return node;
  if (!areVersions(from, to)) return null;
  let nodes = nodesByNumber.get(to);
  if (!nodes) nodesByNumber.set(to, (nodes = new Map(numbersOf(to).map((number, id) => [number, id]))));
  return nodes.get(numbersOf(from)[node]) ?? null;
}

/** Returns a node of a tree, or the nearest one above it, that another version of it has too. */
export function nearestIn(to: TreeInfo, from: TreeInfo, node: number): number {
  for (let at: number | null | undefined = node; at !== null && at !== undefined; at = from.nodes[at]?.parent) {
    const found = nodeIn(to, from, at);
    if (found !== null) return found;
  }
  return 0;
}

/** Returns events with the ids of another version, as `TickRecord::translated` in Rust. Those of nodes that it does not have are left out. */
export function eventsIn(to: TreeInfo, from: TreeInfo, events: Event[]): Event[] {
  return events.flatMap((event): Event[] => {
    const node = nodeIn(to, from, event.node);
    if (node === null) return [];
    if (event.kind !== "@") return [{ ...event, node }];
    const before = shapeOf(from).states(event.node)[event.state];
    const state = before === undefined ? null : nodeIn(to, from, before);
    const index = state === null ? -1 : shapeOf(to).states(node).indexOf(state);
    return index < 0 ? [] : [{ ...event, node, state: index }];
  });
}

/** The ticks of an agent with the ids of one version of its tree, as if that had never been another one. */
export class TicksIn implements Ticks {
  private readonly known = new WeakMap<StoredTick, StoredTick>();

  constructor(private readonly history: TickHistory, readonly tree: TreeInfo, private readonly trees: ReadonlyMap<number, TreeInfo>) {}

  get first(): number {
    return this.history.first;
  }

  at(index: number): StoredTick | undefined {
    const tick = this.history.at(index);
    if (!tick || tick.tree === this.tree.key) return tick;
    let found = this.known.get(tick);
    if (!found) {
      const from = this.trees.get(tick.tree);
      const events = from ? eventsIn(this.tree, from, tick.events) : [];
      const reasons = (from ? tick.reasons : []).flatMap(([node, reason]): [number, string][] => {
        const there = nodeIn(this.tree, from!, node);
        return there === null ? [] : [[there, reason]];
      });
      this.known.set(tick, (found = Object.assign(Object.create(tick) as StoredTick, { events, reasons })));
    }
    return found;
  }
}

/** Returns what has changed from a version to a later one, as text. */
export function changesOf(from: TreeInfo, to: TreeInfo): string {
  const kept = from.nodes.filter((node) => nodeIn(to, from, node.id) !== null);
  const there = (node: number) => nodeIn(to, from, node)!;
  const isChanged = ({ id }: { id: number }) => about(from, id) !== about(to, there(id));
  const counts: [number, string][] = [
    [to.nodes.length - kept.length, "added"],
    [from.nodes.length - kept.length, "removed"],
    [moved(from, to, kept.map((node) => node.id)), "moved"],
    [kept.filter(isChanged).length, "changed"],
  ];
  const found = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return found.length ? found.join(", ") : "all nodes are the same";
}

function about(tree: TreeInfo, node: number): string {
  const { name, label, params, transitions } = tree.nodes[node];
  return JSON.stringify([name, label, params.map(({ name, value }) => [name, value]), transitions]);
}

/** Returns the number of nodes that are below another node, or in another order below the same one. Nodes that only one tree has are passed over. */
function moved(from: TreeInfo, to: TreeInfo, kept: number[]): number {
  const above = (tree: TreeInfo, node: number, isKept: (node: number) => boolean) => {
    let up = tree.nodes[node].parent;
    while (up !== null && !isKept(up)) up = tree.nodes[up].parent;
    return up;
  };
  const isNew = (node: number) => nodeIn(from, to, node) === null;
  const below = new Map<number | null, number[]>();
  let count = 0;
  for (const node of kept) {
    const old = above(from, node, (up) => nodeIn(to, from, up) !== null);
    const there = nodeIn(to, from, node)!;
    const now = above(to, there, (up) => !isNew(up));
    const same = old === null ? null : nodeIn(to, from, old);
    if (same === now) below.set(now, [...(below.get(now) ?? []), there]);
    else count++;
  }
  for (const nodes of below.values()) count += nodes.length - longestRising(nodes);
  return count;
}

/** Returns the length of the longest rising part of a list, not necessarily contiguous. */
function longestRising(list: number[]): number {
  const ends: number[] = [];
  for (const one of list) {
    const at = ends.findIndex((end) => end >= one);
    ends[at < 0 ? ends.length : at] = one;
  }
  return ends.length;
}
