// The last known status of each node at a tick.

import { type StoredTick, type Ticks, isVisit, parse } from "./history";
import type { TickRecord } from "./protocol";
import type { Shape } from "./shape";
import { LETTERS, type Letter } from "./words";

/** The maximum number of stored states of a view. */
const MAX_SNAPSHOTS = 512;

/** The state of a view at a tick. */
interface Snapshot {
  kinds: Uint8Array;
  indices: Int32Array;
  visits: Uint32Array;
  most: number;
  states: Map<number, number>;
  scores: Map<number, { score: string; index: number }>;
  reasons: Map<number, { text: string; index: number }>;
}

/** Moves forwards by applying ticks, and backwards by restoring a stored state, so that a move to any tick applies few ticks. */
export class View {
  /** By node: 0 for none, or the position of its letter in `LETTERS` plus 1. */
  private kinds!: Uint8Array;
  private indices!: Int32Array;
  visits!: Uint32Array;
  /** The visits of the most visited node. */
  private most!: number;
  /** By machine: its state. */
  states!: Map<number, number>;
  private scores!: Map<number, { score: string; index: number }>;
  private reasons!: Map<number, { text: string; index: number }>;
  /** By index of the next tick: a copy of the state. */
  readonly snapshots = new Map<number, Snapshot>();
  /** The number of ticks between two stored states. */
  private stride = 64;
  /** The index of the next tick to apply. */
  private next: number | null = null;
  /** Whether an unfinished tick was applied. */
  private extra = false;
  /** The index of the shown tick. */
  private fresh = -1;

  constructor(readonly nodes: number) {
    this.forget();
  }

  private forget(): void {
    this.kinds = new Uint8Array(this.nodes);
    this.indices = new Int32Array(this.nodes);
    this.visits = new Uint32Array(this.nodes);
    this.most = 1;
    this.states = new Map();
    this.scores = new Map();
    this.reasons = new Map();
  }

  /** Moves to a tick of the history. `extra` is an unfinished tick after it. */
  go(history: Ticks, index: number, extra: TickRecord | null): void {
    if (this.next === null || this.next < history.first || this.extra || index + 1 < this.next) this.restore(history.first, index + 1);
    for (; this.next! <= index; this.next!++) {
      if (this.next! % this.stride === 0) this.store(history.first);
      const tick = history.at(this.next!);
      if (tick?.missed || (tick && tick.rewound !== null)) {
        // In ticks that were not received, or before the one that the agent has gone back to, the nodes may have done something else.
        this.kinds.fill(0);
        this.states.clear();
      }
      if (tick) this.apply(tick, this.next!);
    }
    this.fresh = index;
    this.extra = extra !== null;
    if (extra) {
      this.fresh = index + 1;
      this.apply({ events: parse(extra.events), reasons: extra.reasons ?? [] }, index + 1);
    }
  }

  /** Stores the state before the next tick. If there are too many stored states, every other one is dropped. */
  private store(first: number): void {
    if (this.snapshots.has(this.next!)) return;
    const { kinds, indices, visits, most, states, scores, reasons } = this;
    this.snapshots.set(this.next!, copy({ kinds, indices, visits, most, states, scores, reasons }));
    if (this.snapshots.size <= MAX_SNAPSHOTS) return;
    const before = this.snapshots.size;
    for (const next of this.snapshots.keys()) if (next < first) this.snapshots.delete(next);
    if (this.snapshots.size < before) return;
    this.stride *= 2;
    for (const next of this.snapshots.keys()) if (next % this.stride !== 0) this.snapshots.delete(next);
  }

  /** Restores the last stored state at or before `next`. */
  private restore(first: number, next: number): void {
    let found: number | null = null;
    for (const stored of this.snapshots.keys()) if (stored <= next && stored >= first && stored > (found ?? -1)) found = stored;
    this.next = found ?? first;
    if (found === null) this.forget();
    else Object.assign(this, copy(this.snapshots.get(found)!));
  }

  private apply({ events, reasons }: Pick<StoredTick, "events" | "reasons">, index: number): void {
    for (const [node, text] of reasons) this.reasons.set(node, { text, index });
    for (const event of events) {
      if (event.node >= this.nodes) continue;
      if (event.kind === "=") this.scores.set(event.node, { score: event.score, index });
      else if (event.kind === "@") this.states.set(event.node, event.state);
      else if (isVisit(event)) {
        this.kinds[event.node] = LETTERS.indexOf(event.kind) + 1;
        this.indices[event.node] = index;
        if (event.kind !== "h") this.most = Math.max(this.most, ++this.visits[event.node]);
      }
    }
  }

  /** Returns the last known status of a node, and whether it is from the shown tick. */
  of(node: number): { kind: Letter; fresh: boolean } | null {
    const kind = LETTERS[this.kinds[node] - 1];
    return kind ? { kind, fresh: this.indices[node] === this.fresh } : null;
  }

  /** Returns the reason of a node's error or failure in the shown tick, unless a later visit of that tick has succeeded or is running. */
  reason(node: number): string | null {
    const [found, kind] = [this.reasons.get(node), this.of(node)?.kind];
    const isStated = kind === "f" || kind === "e" || kind === "o";
    return found && isStated && found.index === this.fresh ? found.text : null;
  }

  /** Returns the score of a node in the shown tick, as text. */
  score(node: number): string | null {
    const found = this.scores.get(node);
    return found && found.index === this.fresh ? found.score : null;
  }

  /** Returns the number of visits of a node, as a fraction of the most visited node. */
  hot(node: number): number {
    return this.visits[node] / this.most;
  }

  /** Returns whether a node is running in the shown tick, or executing at a breakpoint. */
  isRunning(node: number): boolean {
    const seen = this.of(node);
    return seen !== null && seen.fresh && (seen.kind === "r" || seen.kind === "o");
  }

  /** Returns the nodes that are running in the shown tick and have no running child. */
  leaves(shape: Shape): number[] {
    const leaves: number[] = [];
    const running = (node: number): boolean => {
      if (!this.isRunning(node)) return false;
      const below = shape.children[node].map(running);
      if (!below.includes(true)) leaves.push(node);
      return true;
    };
    // A cleanup that a halt has left runs below a node that does not.
    for (const { id, parent } of shape.nodes) if (parent === null || !this.isRunning(parent)) running(id);
    return leaves;
  }
}

function copy({ kinds, indices, visits, most, states, scores, reasons }: Snapshot): Snapshot {
  return {
    kinds: kinds.slice(),
    indices: indices.slice(),
    visits: visits.slice(),
    most,
    states: new Map(states),
    scores: new Map(scores),
    reasons: new Map(reasons),
  };
}
