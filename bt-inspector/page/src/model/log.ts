// What nodes have done over time: a line for each change of a node's status.

import { type TickHistory, isVisit } from "./history";
import type { Shape } from "./shape";
import { visible } from "./text";
import { type Letter, title } from "./words";

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

export interface LogFilter {
  node: string;
  kinds: ReadonlySet<Letter>;
}

/** The maximum number of changes that are kept per agent. */
const MAX_CHANGES = 20_000;

/** The changes of an agent, computed as its ticks arrive. */
export class Log {
  readonly changes: Change[] = [];
  private next: number;
  private readonly last: (Letter | null)[];
  /** The nodes that may have done something else in ticks that were not received. */
  private readonly unsure = new Set<number>();

  constructor(readonly agent: number, readonly history: TickHistory, readonly shape: Shape) {
    this.next = history.first;
    this.last = shape.nodes.map(() => null);
  }

  /** Adds the changes of new ticks. */
  update(): void {
    this.next = Math.max(this.next, this.history.first);
    for (; this.next < this.history.end; this.next++) {
      const tick = this.history.at(this.next)!;
      if (tick.missed) for (const { id } of this.shape.nodes) this.unsure.add(id);
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
  filtered({ node, kinds }: LogFilter): Change[] {
    const search = node.trim().toLowerCase();
    const names = this.shape.nodes.map((one) => `${one.name} ${one.label ?? ""}`.toLowerCase().includes(search));
    return this.changes.filter((change) => kinds.has(change.to) && names[change.node] && change.index >= this.history.first);
  }
}
