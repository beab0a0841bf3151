// The history of an agent: its ticks, and the last known status of each node at any tick. Independent of the DOM.

/** The maximum number of stored ticks. Recordings are stored entirely. */
export const MAX_TICKS = 10000;
/** The maximum number of ticks searched backwards for the status of a node. */
const LOOKBACK = 2000;

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
    this.dropped = 0; // number of ticks that the server dropped
    this.most = isRecording ? Infinity : MAX_TICKS;
    this.last = undefined; // latest received values
    this.changed = new Map(); // by variable: the indices of its changes, with the new values
  }

  add(list, dropped) {
    this.dropped += dropped;
    for (const tick of list) {
      if (tick.values !== undefined) this.last = tick.values;
      // Store changes only: the variables of each tick would be quadratic in the size of the recording.
      for (const [name, value] of Object.entries(tick.changes ?? {})) {
        if (!this.changed.has(name)) this.changed.set(name, []);
        this.changed.get(name).push({ index: this.end, value });
      }
      this.ticks.push({ ...tick, events: parse(tick.events), values: this.last });
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

/** The last known status of each node at a tick. Advances incrementally, and restarts when it moves backwards. */
export class View {
  constructor(nodes) {
    this.nodes = nodes;
    this.forget();
  }

  forget() {
    this.seen = new Array(this.nodes).fill(null);
    this.visits = new Array(this.nodes).fill(0);
    this.states = new Map();
    this.scores = new Map(); // by node: the score and the tick in which it was computed
    this.errors = new Map(); // by node: the reason of its last error, and the tick
    this.next = null;
    this.extra = null;
  }

  /** Moves to a tick of the history. `extra` is an unfinished tick after it. */
  go(history, index, extra) {
    if (this.next === null || this.extra || index + 1 < this.next || index + 1 - this.next > LOOKBACK || this.next < history.first) {
      this.forget();
      this.next = Math.max(history.first, index + 1 - LOOKBACK);
    }
    for (; this.next <= index; this.next++) {
      const tick = history.at(this.next);
      if (tick) this.apply(tick.events, this.next, tick.errors);
    }
    this.fresh = index;
    if (extra) {
      this.fresh = index + 1;
      this.apply(parse(extra.events), index + 1, extra.errors);
      this.extra = extra;
    }
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
      this.seen[node] = { kind, index };
      if (kind !== "h") this.visits[node]++;
    }
  }

  /** Returns the last known status of a node, and whether it is from the shown tick. */
  of(node) {
    const seen = this.seen[node];
    return seen && { kind: seen.kind, fresh: seen.index === this.fresh };
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
    const most = this.visits.reduce((most, one) => Math.max(most, one), 1);
    return this.visits[node] / most;
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
