// What nodes have done over time: a line for each change of a node's status.

import { type TickHistory, isVisit } from "./history";
import type { Shape } from "./shape";
import { visible } from "./text";
import { type Letter, params, rolePrefix, title } from "./words";

/** A change of a node's status. */
export interface Change {
  agent: number;
  /** The index of the tick in the agent's history. */
  index: number;
  tick: number;
  now: number;
  node: number;
  /** The status in the last tick in which the node was visited or halted; null if that is not known. */
  from: Letter | null;
  to: Letter;
  /** The state that a machine has entered, or the reason of an error. */
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

/** The changes of an agent, computed as its ticks arrive. */
export class Log {
  readonly changes: Change[] = [];
  readonly nodes: LoggedNode[];
  private next: number;
  private readonly last: (Letter | null)[];
  /** The nodes that may have done something else in ticks that were not received. */
  private readonly unsure = new Set<number>();

  constructor(readonly agent: number, readonly history: TickHistory, readonly shape: Shape) {
    this.next = history.first;
    this.last = shape.nodes.map(() => null);
    this.nodes = shape.nodes.map((node) => ({
      name: rolePrefix(node) + visible(node.name) + params(node),
      label: node.label === null ? null : title(node),
      path: shape.path(node.id),
      location: node.location === null ? null : visible(node.location),
    }));
  }

  /** Adds the changes of new ticks. */
  update(): void {
    this.next = Math.max(this.next, this.history.first);
    for (; this.next < this.history.end; this.next++) {
      const tick = this.history.at(this.next)!;
      if (tick.missed || tick.rewound !== null) for (const { id } of this.shape.nodes) this.unsure.add(id);
      const entered = new Map<number, string>();
      for (const event of tick.events) {
        if (event.kind !== "@") continue;
        const state = this.shape.nodes[this.shape.states(event.node)[event.state]];
        if (state) entered.set(event.node, `→ ${title(state)}`);
      }
      const reasons = new Map(tick.errors);
      for (const event of tick.events) {
        if (!isVisit(event) || event.node >= this.last.length) continue;
        const { node, kind } = event;
        const before = this.last[node];
        const from = this.unsure.delete(node) ? null : before;
        const text = visible(reasons.get(node) ?? entered.get(node) ?? "");
        if (before === kind && !text && !(event.opened && kind === "r" && from !== null)) continue;
        this.last[node] = kind;
        this.changes.push({ agent: this.agent, index: this.next, tick: tick.tick, now: tick.now, node, from, to: kind, text });
      }
    }
    // Remove many at once: each removal moves all others.
    if (this.changes.length > MAX_CHANGES * 1.25) this.changes.splice(0, this.changes.length - MAX_CHANGES);
    const first = this.changes.findIndex((change) => change.index >= this.history.first);
    if (first > 1000) this.changes.splice(0, first);
  }

  /** Returns the changes that match a filter. */
  filtered({ text, scope, kinds }: LogFilter): Change[] {
    const search = text.trim().toLowerCase();
    const contains = (...texts: (string | null)[]) => texts.some((one) => one?.toLowerCase().includes(search));
    const found = this.nodes.map(({ name, label, path, location }) => contains(name, label, path.join(" / "), location));
    const [from, to] = scope === null ? [0, Infinity] : scope.tree === this.shape.info.key ? [scope.from, scope.to] : [0, 0];
    return this.changes.filter(({ to: kind, node, text: reason, index }) => kinds.has(kind) && node >= from && node < to && (found[node] || contains(reason)) && index >= this.history.first);
  }
}
