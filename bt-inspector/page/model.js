// The history of an agent: its ticks, and the last known status of each node at any tick. Independent of the DOM.

/** The maximum number of stored ticks. Recordings are stored entirely. */
export const MAX_TICKS = 10000;

/** Parses a message. Integers that a number cannot represent exactly, such as large ids, become BigInt. */
export function read(message) {
  if (!/\d{16}/.test(message)) return JSON.parse(message);
  return JSON.parse(message, (_, value, context) => {
    if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
    return /^-?\d+$/.test(context?.source ?? "") ? BigInt(context.source) : value;
  });
}

/** Parses the events of a tick. The format is that of recordings. */
export function parse(text) {
  const events = [];
  for (const word of text.split(" ")) {
    const match = /^(\d+)([sfreohSFREO]|@\d+|=\S+)$/.exec(word);
    if (!match) continue;
    const node = Number(match[1]);
    const kind = match[2];
    if (kind[0] === "@") events.push({ node, kind: "@", state: Number(kind.slice(1)) });
    else if (kind[0] === "=") events.push({ node, kind: "=", score: kind.slice(1) });
    else events.push({ node, kind: kind.toLowerCase(), opened: kind === kind.toLowerCase() && kind !== "h" });
  }
  return events;
}

/** The ticks of an agent, oldest first. */
export class TickHistory {
  constructor(isRecording) {
    this.ticks = [];
    this.first = 0; // number of ticks no longer stored
    this.longest = 1; // number of events of the longest tick so far
    this.most = isRecording ? Infinity : MAX_TICKS;
    this.last = undefined; // latest received values
    this.changed = new Map(); // by variable: the indices of its changes, with the new values
  }

  add(list) {
    for (const tick of list) {
      if (tick.values !== undefined) this.last = tick.values;
      // Store changes only: the variables of each tick would be quadratic in the size of the recording.
      for (const [name, value] of Object.entries(tick.changes ?? {})) {
        if (!this.changed.has(name)) this.changed.set(name, []);
        this.changed.get(name).push({ index: this.end, value });
      }
      const events = parse(tick.events);
      const before = this.ticks.at(-1);
      // The number of ticks before this one that were not received: nothing watched the agent, or the page was too slow.
      const missed = before ? Math.max(0, tick.tick - before.tick - 1) : 0;
      this.longest = Math.max(this.longest, events.length);
      this.ticks.push({ ...tick, written: tick.events, events, missed, values: this.last });
    }
    const over = this.ticks.length - this.most;
    if (over > 0) {
      this.ticks.splice(0, over);
      this.first += over;
    }
  }

  get end() {
    return this.first + this.ticks.length;
  }

  /** Returns a tick by its index, counted from the first received tick. */
  at(index) {
    return this.ticks[index - this.first];
  }

  /** Returns the values shown next to a tick. */
  values(index) {
    if (!this.changed.size) return this.at(index)?.values;
    const values = [];
    for (const [name, changes] of this.changed) {
      const value = lastUpTo(changes, index)?.value ?? null;
      if (value !== null) values.push([name, value]);
    }
    values.sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(values);
  }
}

/** Returns the last change at or before `index`. `changes` are sorted by index. */
function lastUpTo(changes, index) {
  let [from, to] = [0, changes.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (changes[middle].index <= index) from = middle + 1;
    else to = middle;
  }
  return changes[from - 1];
}

/** The kinds of events that a node's last status can be. Index 0 is none. */
const KINDS = ["", "s", "f", "r", "e", "h", "o"];
/** The maximum number of stored states of a view. */
const MAX_SNAPSHOTS = 512;

/**
 * The last known status of each node at a tick. Moves forwards by applying ticks, and backwards by restoring a stored state, so that a move to any tick
 * applies few ticks.
 */
export class View {
  constructor(nodes) {
    this.nodes = nodes;
    this.snapshots = new Map(); // by index of the next tick: a copy of the state
    this.stride = 64; // number of ticks between two stored states
    this.next = null; // index of the next tick to apply
    this.extra = false; // whether an unfinished tick was applied
    this.forget();
  }

  /** Forgets what the nodes did last: in ticks that were not received, they may have done something else. */
  forgetStatuses() {
    this.kinds.fill(0);
    this.states.clear();
  }

  forget() {
    this.kinds = new Uint8Array(this.nodes);
    this.indices = new Int32Array(this.nodes);
    this.visits = new Uint32Array(this.nodes);
    this.most = 1; // visits of the most visited node
    this.states = new Map();
    this.scores = new Map(); // by node: the score and the tick in which it was computed
    this.errors = new Map(); // by node: the reason of its last error, and the tick
  }

  /** Moves to a tick of the history. `extra` is an unfinished tick after it. */
  go(history, index, extra) {
    if (this.next === null || this.next < history.first || this.extra || index + 1 < this.next) this.restore(history.first, index + 1);
    for (; this.next <= index; this.next++) {
      if (this.next % this.stride === 0) this.store(history.first);
      const tick = history.at(this.next);
      if (tick?.missed) this.forgetStatuses();
      if (tick) this.apply(tick.events, this.next, tick.errors);
    }
    this.fresh = index;
    this.extra = Boolean(extra);
    if (extra) {
      this.fresh = index + 1;
      this.apply(parse(extra.events), index + 1, extra.errors);
    }
  }

  /** Stores the state before the next tick. If there are too many stored states, every other one is dropped. */
  store(first) {
    if (this.snapshots.has(this.next)) return;
    const { kinds, indices, visits, most, states, scores, errors } = this;
    const copy = { kinds: kinds.slice(), indices: indices.slice(), visits: visits.slice(), most };
    this.snapshots.set(this.next, { ...copy, states: new Map(states), scores: new Map(scores), errors: new Map(errors) });
    if (this.snapshots.size <= MAX_SNAPSHOTS) return;
    const before = this.snapshots.size;
    for (const next of this.snapshots.keys()) if (next < first) this.snapshots.delete(next);
    if (this.snapshots.size < before) return;
    this.stride *= 2;
    for (const next of this.snapshots.keys()) if (next % this.stride !== 0) this.snapshots.delete(next);
  }

  /** Restores the last stored state at or before `next`. */
  restore(first, next) {
    let found = null;
    for (const stored of this.snapshots.keys()) if (stored <= next && stored >= first && stored > (found ?? -1)) found = stored;
    this.next = found ?? first;
    if (found === null) return this.forget();
    const { kinds, indices, visits, most, states, scores, errors } = this.snapshots.get(found);
    Object.assign(this, { kinds: kinds.slice(), indices: indices.slice(), visits: visits.slice(), most });
    Object.assign(this, { states: new Map(states), scores: new Map(scores), errors: new Map(errors) });
  }

  apply(events, index, errors = []) {
    for (const [node, text] of errors) this.errors.set(node, { text, index });
    for (const { node, kind, state, score } of events) {
      if (node >= this.nodes) continue;
      if (kind === "=") {
        this.scores.set(node, { score, index });
        continue;
      }
      if (kind === "@") {
        this.states.set(node, state);
        continue;
      }
      this.kinds[node] = KINDS.indexOf(kind);
      this.indices[node] = index;
      if (kind !== "h") this.most = Math.max(this.most, ++this.visits[node]);
    }
  }

  /** Returns the last known status of a node, and whether it is from the shown tick. */
  of(node) {
    const kind = KINDS[this.kinds[node]];
    return kind ? { kind, fresh: this.indices[node] === this.fresh } : null;
  }

  /** Returns the reason of a node's error in the shown tick. */
  error(node) {
    const found = this.errors.get(node);
    return found && found.index === this.fresh ? found.text : null;
  }

  /** Returns the score of a node in the shown tick, as text. */
  score(node) {
    const found = this.scores.get(node);
    return found && found.index === this.fresh ? found.score : null;
  }

  /** Returns the number of visits of a node, as a fraction of the most visited node. */
  hot(node) {
    return this.visits[node] / this.most;
  }
}

/** The names of statuses, for tooltips. */
export const WORDS = { s: "Success", f: "Failure", r: "Running", e: "Error", h: "Halted", o: "executing" };
export const SIGNS = { s: "✓", f: "✗", r: "▶", e: "!", h: "■", o: "●" };
export const LETTER = { Success: "s", Failure: "f", Running: "r", Error: "e" };

/** Returns until when an agent sleeps, and for which leaves it waits; null if it does not. */
export function sleep(agent, info, view) {
  if (!agent.asleep) return null;
  if (agent.asleep !== "event") return `asleep until ${agent.asleep.until.toFixed(2)} s`;
  const parents = new Set(info.nodes.map((node) => node.parent));
  const running = info.nodes.filter((node, index) => !parents.has(index) && /r/i.test(view.of(index)?.kind ?? ""));
  const names = running.map((node) => node.label ?? node.name).join(", ");
  return names ? `asleep until an event in ${names}` : "asleep until an event";
}
