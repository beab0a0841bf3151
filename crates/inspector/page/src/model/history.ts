// The ticks of an agent, oldest first.

import { type Status, type TickInfo, read } from "./protocol";
import { LETTERS, type Letter } from "./words";

/** The maximum number of stored ticks. Recordings are stored entirely. */
export const MAX_TICKS = 10_000;

/** An event of a tick. */
export type Event =
  | { node: number; kind: Letter; opened: boolean }
  | { node: number; kind: "@"; state: number }
  | { node: number; kind: "="; score: string };

/** What a timeline marks in a tick. */
export interface Marks {
  /** The number of nodes that were halted. */
  halts: number;
  /** The number of nodes that had been running and failed or returned an error, and whether the tree did. */
  failures: number;
  errors: number;
  /** Whether other leaves are running than in the tick before. */
  moved: boolean;
}

export interface StoredTick {
  tick: number;
  /** The key of the version of the tree whose ids the tick has, and whether the tick before has those of another one. */
  tree: number;
  replaced: boolean;
  now: number;
  /** The time by which ticks of different agents are ordered: in a page of a hub the time of day, because each machine has its own clock; otherwise `now`. */
  at: number;
  status: Status | null;
  events: Event[];
  /** The events as they were received. */
  written: string;
  /** The reasons of errors and failures, each with its node. */
  reasons: [number, string][];
  values: unknown;
  /** The tick after which the program has shown the values; null if that is known for each value. */
  valuesOf: number | null;
  /** The number of ticks before this one that were not received: nothing watched the agent, or the page was too slow. */
  missed: number;
  marks: Marks;
  /** The tick before which the agent was like before this one, because a page has taken it back; null otherwise. */
  rewound: number | null;
  /** Whether the agent has stopped at a breakpoint in this tick. */
  stopped: boolean;
}

/** Ticks with the ids of one version of the tree. They are named by their index, counted from the first received tick. */
export interface Ticks {
  /** The index of the first stored tick. */
  readonly first: number;
  at(index: number): StoredTick | undefined;
}

/** Parses the events of a tick. The format is that of recordings. */
export function parse(text: string): Event[] {
  const events: Event[] = [];
  for (const word of text.split(" ")) {
    const match = /^(\d+)([sfreoSFREO]|h[etsx]?|@\d+|=\S+)$/.exec(word);
    if (!match) continue;
    const [node, kind] = [Number(match[1]), match[2]];
    if (kind[0] === "@") events.push({ node, kind: "@", state: Number(kind.slice(1)) });
    else if (kind[0] === "=") events.push({ node, kind: "=", score: kind.slice(1) });
    else if (kind[0] === "h") events.push({ node, kind: "h", opened: false });
    else events.push({ node, kind: kind.toLowerCase() as Letter, opened: kind === kind.toLowerCase() });
  }
  return events;
}

export function isVisit(event: Event): event is Event & { kind: Letter } {
  return LETTERS.includes(event.kind as Letter);
}

export class TickHistory {
  ticks: StoredTick[] = [];
  /** The number of ticks no longer stored. */
  first = 0;
  /** The number of events of the longest tick so far. */
  longest = 1;
  private readonly most: number;
  /** The latest received values. */
  private last: unknown = undefined;
  private lastOf: number | null = null;
  /** By variable: the indices of its changes, with the new values. */
  private readonly changed = new Map<string, { index: number; value: unknown }[]>();
  /** The values shown since the last tick, while the program goes on without the agent. */
  present: unknown = undefined;
  /** A leaf that was running in the last tick. */
  private leaf: number | null = null;
  private nextStopped = new Set<number>();

  constructor(readonly isRecording: boolean) {
    this.most = isRecording ? Infinity : MAX_TICKS;
  }

  /** Adds ticks. Those that were received before are ignored. */
  add(list: TickInfo[]): void {
    for (const tick of list) {
      const before = this.ticks.at(-1);
      if (before?.tick === tick.tick && tick.values !== undefined) {
        // Values of the last tick have been edited.
        before.values = this.last = tick.values;
        before.valuesOf = this.lastOf = tick.tick;
      }
      if (before && tick.tick <= before.tick) continue;
      if (tick.values !== undefined) [this.last, this.lastOf] = [tick.values, tick.tick];
      // Store changes only: the variables of each tick would be quadratic in the size of the recording.
      for (const [name, value] of Object.entries(tick.changes ?? {})) {
        if (!this.changed.has(name)) this.changed.set(name, []);
        this.changed.get(name)!.push({ index: this.end, value });
      }
      const events = parse(tick.events);
      const { tree } = tick;
      const replaced = before !== undefined && before.tree !== tree;
      this.longest = Math.max(this.longest, events.length);
      this.ticks.push({
        tick: tick.tick,
        tree,
        replaced,
        now: tick.now,
        at: tick.at ?? tick.now,
        status: tick.status,
        events,
        written: tick.events,
        reasons: tick.reasons ?? [],
        values: this.last,
        valuesOf: this.lastOf,
        missed: before ? Math.max(0, tick.tick - before.tick - 1) : 0,
        marks: this.marks(events, tick.status, replaced),
        rewound: tick.rewound ?? null,
        stopped: this.nextStopped.delete(tick.tick),
      });
    }
    // Remove several at once: each removal moves all others.
    const over = this.ticks.length - this.most;
    if (over > 0) {
      this.ticks.splice(0, over);
      this.first += over;
    }
  }

  /** Notes that the agent has stopped at a breakpoint in a tick that is not over. */
  stoppedIn(tick: number): void {
    this.nextStopped.add(tick);
  }

  private marks(events: Event[], status: Status | null, replaced: boolean): Marks {
    const marks = { halts: 0, failures: 0, errors: 0, moved: false };
    let leaf: number | null = null;
    for (const event of events) {
      if (event.kind === "h") marks.halts++;
      else if (event.kind === "e") marks.errors++;
      else if (event.kind === "f" && isVisit(event) && !event.opened) marks.failures++;
    }
    if (status === "Failure") marks.failures++;
    // Events are in the order in which visits began, so the last running node is a leaf.
    for (const event of events) if (event.kind === "r") leaf = event.node;
    // The leaf may have another number in another tree.
    marks.moved = leaf !== this.leaf && !replaced && this.ticks.length > 0;
    this.leaf = leaf;
    return marks;
  }

  /** Returns the indices of the last tick up to this one before which the agent has gone back, and of the tick that it has gone back to. */
  rewoundAt(index: number): { at: number; to: number } | null {
    for (let at = index; at >= this.first; at--) {
      const rewound = this.at(at)?.rewound ?? null;
      if (rewound !== null) return { at, to: this.indexOf(rewound) };
    }
    return null;
  }

  get end(): number {
    return this.first + this.ticks.length;
  }

  /** Returns a tick by its index, counted from the first received tick. */
  at(index: number): StoredTick | undefined {
    return this.ticks[index - this.first];
  }

  /** Returns the index of the last tick at or before a time, or of the first one. */
  indexAtTime(time: number, of: (tick: StoredTick) => number = (tick) => tick.now): number {
    let [from, to] = [0, this.ticks.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (of(this.ticks[middle]) <= time) from = middle + 1;
      else to = middle;
    }
    return this.first + Math.max(0, from - 1);
  }

  /** Returns the index of the tick with this number, or of the first one after it. */
  indexOf(tick: number): number {
    const found = this.ticks.findIndex((one) => one.tick >= tick);
    return this.first + (found < 0 ? this.ticks.length - 1 : found);
  }

  /** Returns the values shown next to a tick. */
  values(index: number): unknown {
    if (!this.changed.size) return this.at(index)?.values;
    const values: [string, unknown][] = [];
    for (const [name, changes] of this.changed) {
      const value = lastUpTo(changes, index)?.value ?? null;
      if (value !== null) values.push([name, typeof value === "string" ? parsed(value) : value]);
    }
    values.sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(values);
  }
}

/** Returns the last change at or before `index`. `changes` are sorted by index. */
function lastUpTo<T extends { index: number }>(changes: T[], index: number): T | undefined {
  let [from, to] = [0, changes.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (changes[middle].index <= index) from = middle + 1;
    else to = middle;
  }
  return changes[from - 1];
}

/** The values of variables of recordings are texts: JSON, or the output of `Debug`. */
function parsed(text: string): unknown {
  try {
    return read(text);
  } catch {
    return text;
  }
}
