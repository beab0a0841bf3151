// What nodes have done over time: a line for each change of a node's status, and of the tree.

import { type TickHistory, isVisit } from "./history";
import type { TreeInfo } from "./protocol";
import type { Shape } from "./shape";
import { visible } from "./text";
import { areVersions, changesOf, nodeIn, shapeOf } from "./versions";
import { type Letter, params, rolePrefix, title } from "./words";

/** What the log says of a change of the tree, before what has changed. */
export const REPLACED = "the tree was replaced";

/** A change of a node's status, or of the tree. */
export interface Change {
  agent: number;
  /** The index of the tick in the agent's history. */
  index: number;
  tick: number;
  now: number;
  /** The time by which changes of different agents are ordered. */
  at: number;
  /** The key of the version of the tree that has the node. */
  tree: number;
  /** The node; null for a change of the tree. */
  node: number | null;
  /** The status in the last tick in which the node was visited or halted; null if that is not known. */
  from: Letter | null;
  to: Letter | null;
  /** The state that a machine has entered, the reason of an error or a failure, or what has changed in the tree. */
  text: string;
}

/** What the log says of a node. */
export interface LoggedNode {
  /** Its name and parameters. */
  name: string;
  label: string | null;
  /** The labels of the nodes above it. */
  path: string[];
  location: string | null;
}

/** The nodes of a tree that are listed: from one to the one before another. */
export interface Scope {
  tree: number;
  from: number;
  to: number;
}

export interface LogFilter {
  /** What a name, parameter, label, path, source location or reason has to contain. */
  text: string;
  scope: Scope | null;
  kinds: ReadonlySet<Letter>;
}

/** The maximum number of changes that are kept per agent. */
const MAX_CHANGES = 20_000;

/** Returns what the log says of each node of a tree. */
function loggedNodes(shape: Shape): LoggedNode[] {
  return shape.nodes.map((node) => ({
    name: rolePrefix(node) + visible(node.name) + params(node),
    label: node.label === null ? null : title(node),
    path: shape.path(node.id),
    location: node.location === null ? null : visible(node.location),
  }));
}

/** The changes of an agent, computed as its ticks arrive. */
export class Log {
  readonly changes: Change[] = [];
  /** By key of the tree: what the log says of its nodes. */
  private readonly logged = new Map<number, LoggedNode[]>();
  private next: number;
  /** The tree of the last tick, and the last statuses of its nodes. */
  private tree: TreeInfo | null = null;
  private last: (Letter | null)[] = [];
  /** The nodes that may have done something else in ticks that were not received. */
  private unsure = new Set<number>();
  /** The reasons that nodes have stated in their last visits. */
  private readonly reasons = new Map<number, string>();

  constructor(readonly agent: number, readonly history: TickHistory, private readonly trees: ReadonlyMap<number, TreeInfo>) {
    this.next = history.first;
  }

  /** Returns what the log says of the node of a change; null for a change of the tree. */
  of({ tree, node }: Change): LoggedNode | null {
    return node === null ? null : this.nodes(tree)[node];
  }

  private nodes(tree: number): LoggedNode[] {
    let logged = this.logged.get(tree);
    if (!logged) this.logged.set(tree, (logged = loggedNodes(shapeOf(this.trees.get(tree)!))));
    return logged;
  }

  /** Adds the changes of new ticks. */
  update(): void {
    this.next = Math.max(this.next, this.history.first);
    for (; this.next < this.history.end; this.next++) {
      const tick = this.history.at(this.next)!;
      const tree = this.trees.get(tick.tree);
      if (!tree) continue;
      const shape = shapeOf(tree);
      const line = { agent: this.agent, index: this.next, tick: tick.tick, now: tick.now, at: tick.at, tree: tree.key };
      if (this.tree?.key !== tree.key) {
        if (this.tree) this.changes.push({ ...line, node: null, from: null, to: null, text: visible(this.replace(this.tree, tree)) });
        else this.last = tree.nodes.map(() => null);
        this.tree = tree;
      }
      if (tick.missed || tick.rewound !== null) for (const { id } of tree.nodes) this.unsure.add(id);
      const entered = new Map<number, string>();
      for (const event of tick.events) {
        if (event.kind !== "@") continue;
        const state = shape.nodes[shape.states(event.node)[event.state]];
        if (state) entered.set(event.node, `→ ${title(state)}`);
      }
      const left = [...tick.reasons];
      for (const event of tick.events) {
        if (!isVisit(event) || event.node >= this.last.length) continue;
        const { node, kind } = event;
        const before = this.last[node];
        const from = this.unsure.delete(node) ? null : before;
        const found = kind === "f" || kind === "e" ? left.findIndex(([of]) => of === node) : -1;
        const reason = found < 0 ? undefined : left.splice(found, 1)[0][1];
        // An error is logged each time, a failure that is repeated once.
        const isNew = reason === undefined ? entered.has(node) : kind === "e" || reason !== this.reasons.get(node);
        if (reason === undefined) this.reasons.delete(node);
        else this.reasons.set(node, reason);
        const text = visible(reason ?? entered.get(node) ?? "");
        if (before === kind && !isNew && !(event.opened && kind === "r" && from !== null)) continue;
        this.last[node] = kind;
        this.changes.push({ ...line, node, from, to: kind, text });
      }
    }
    // Remove many at once: each removal moves all others.
    if (this.changes.length > MAX_CHANGES * 1.25) this.changes.splice(0, this.changes.length - MAX_CHANGES);
    const first = this.changes.findIndex((change) => change.index >= this.history.first);
    if (first > 1000) this.changes.splice(0, first);
  }

  /** Goes on with another version of the tree. Returns what has changed. */
  private replace(from: TreeInfo, to: TreeInfo): string {
    const before = to.nodes.map(({ id }) => nodeIn(from, to, id));
    this.last = before.map((node) => (node === null ? null : this.last[node]));
    this.reasons.clear();
    this.unsure = new Set(to.nodes.map((node) => node.id).filter((id) => before[id] !== null && this.unsure.has(before[id]!)));
    return replacedText(this.trees, from, to);
  }

  /** Returns the changes that match a filter. */
  filtered({ text, scope, kinds }: LogFilter): Change[] {
    const search = text.trim().toLowerCase();
    const contains = (...texts: (string | null)[]) => texts.some((one) => one?.toLowerCase().includes(search));
    const scoped = scope && this.trees.get(scope.tree);
    /** By key of the tree: for each node whether the text is found in what the log says of it; null if it is not in the scope. */
    const known = new Map<number, (boolean | null)[]>();
    const isListed = (change: Change): boolean => {
      const { tree: key, node, text: reason } = change;
      if (node === null) return scope === null && contains(REPLACED, reason);
      const tree = this.trees.get(key)!;
      if (!known.has(key)) {
        const isInScope = (node: number) => {
          const at = scoped ? nodeIn(scoped, tree, node) : null;
          return scope === null || (at !== null && at >= scope.from && at < scope.to);
        };
        known.set(key, this.nodes(key).map(({ name, label, path, location }, id) => (isInScope(id) ? contains(name, label, path.join(" / "), location) : null)));
      }
      const found = known.get(key)![node];
      return found === true || (found === false && contains(reason));
    };
    return this.changes.filter((change) => (change.to === null || kinds.has(change.to)) && change.index >= this.history.first && isListed(change));
  }
}

/** Returns what has changed from a version of a tree to a later one, with the breakpoints that are gone. */
export function replacedText(trees: ReadonlyMap<number, TreeInfo>, from: TreeInfo, to: TreeInfo): string {
  const between = [...trees.values()].filter((tree) => areVersions(tree, to) && tree.key > from.key && tree.key <= to.key);
  const dropped = between.flatMap((tree) => tree.dropped ?? []).map((name) => `“${name}”`);
  const gone = dropped.length ? `; the breakpoint${dropped.length > 1 ? "s" : ""} at ${dropped.join(", ")} ${dropped.length > 1 ? "are" : "is"} gone` : "";
  return changesOf(from, to) + gone;
}
