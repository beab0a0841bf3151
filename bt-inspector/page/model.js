// What has happened to an agent: its ticks, and what each node was last seen doing at any of them. Nothing here touches the page.

/** So many ticks are kept; with a recording, all. */
export const MOST = 10000;
/** So far back is looked for the last thing that happened to a node. */
const BACK = 2000;

/** Reads a message. Integers that are no exact numbers, such as large ids, are read as BigInt. */
export function read(message) {
  if (!/\d{16}/.test(message)) return JSON.parse(message);
  return JSON.parse(message, (_, value, context) => {
    if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
    return /^-?\d+$/.test(context?.source ?? "") ? BigInt(context.source) : value;
  });
}

/** Reads the events of a tick: see the format of recordings. */
export function parse(text) {
  const events = [];
  for (const word of text.split(" ")) {
    const match = /^(\d+)([sfreohSFREO]|@\d+)$/.exec(word);
    if (!match) continue;
    const node = Number(match[1]);
    const what = match[2];
    if (what[0] === "@") events.push({ node, what: "@", state: Number(what.slice(1)) });
    else events.push({ node, what: what.toLowerCase(), opened: what === what.toLowerCase() && what !== "h" });
  }
  return events;
}

/** The ticks of an agent, oldest first. */
export class Past {
  constructor(isRecording) {
    this.ticks = [];
    this.first = 0; // how many were forgotten
    this.dropped = 0; // how many never came
    this.most = isRecording ? Infinity : MOST;
    this.last = undefined; // the last values that came
    this.changed = new Map(); // by variable: the places where it changed, and its values there
  }

  add(list, dropped) {
    this.dropped += dropped;
    for (const tick of list) {
      if (tick.values !== undefined) this.last = tick.values;
      // Changes are not added up here: all variables of all ticks would be quadratic in the recording.
      for (const [name, value] of Object.entries(tick.changes ?? {})) {
        if (!this.changed.has(name)) this.changed.set(name, []);
        this.changed.get(name).push({ place: this.end, value });
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

  /** A tick by its place, counted from the first that ever came. */
  at(place) {
    return this.ticks[place - this.first];
  }

  /** The values that are shown next to a tick. */
  values(place) {
    if (!this.changed.size) return this.at(place)?.values;
    const values = [];
    for (const [name, changes] of this.changed) {
      const value = lastUpTo(changes, place)?.value ?? null;
      if (value !== null) values.push([name, value]);
    }
    values.sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(values);
  }
}

/** The last of some changes, which are in order, that is not after a place. */
function lastUpTo(changes, place) {
  let [from, to] = [0, changes.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (changes[middle].place <= place) from = middle + 1;
    else to = middle;
  }
  return changes[from - 1];
}

/** What each node was last seen doing: follows a Past, forwards step by step, otherwise anew. */
export class View {
  constructor(nodes) {
    this.nodes = nodes;
    this.forget();
  }

  forget() {
    this.seen = new Array(this.nodes).fill(null);
    this.visits = new Array(this.nodes).fill(0);
    this.states = new Map();
    this.next = null;
    this.extra = null;
  }

  /** Goes to a tick of the past; `extra` is one more, that is not over. */
  go(past, place, extra) {
    if (this.next === null || this.extra || place + 1 < this.next || place + 1 - this.next > BACK || this.next < past.first) {
      this.forget();
      this.next = Math.max(past.first, place + 1 - BACK);
    }
    for (; this.next <= place; this.next++) {
      const tick = past.at(this.next);
      if (tick) this.apply(tick.events, this.next);
    }
    this.fresh = place;
    if (extra) {
      this.fresh = place + 1;
      this.apply(parse(extra.events), place + 1);
      this.extra = extra;
    }
  }

  apply(events, place) {
    for (const { node, what, state } of events) {
      if (node >= this.nodes) continue;
      if (what === "@") {
        this.states.set(node, state);
        continue;
      }
      this.seen[node] = { what, place };
      if (what !== "h") this.visits[node]++;
    }
  }

  /** What a node was last seen doing, and whether that was in the tick that is shown. */
  of(node) {
    const seen = this.seen[node];
    return seen && { what: seen.what, fresh: seen.place === this.fresh };
  }

  /** How often a node was visited, from 0 to 1 of the most. */
  hot(node) {
    const most = this.visits.reduce((most, one) => Math.max(most, one), 1);
    return this.visits[node] / most;
  }
}

/** The last statuses of a tree as words, for the page's texts. */
export const WORDS = { s: "Success", f: "Failure", r: "Running", e: "Error", h: "Halted", o: "executing" };
export const SIGNS = { s: "✓", f: "✗", r: "▶", e: "!", h: "■", o: "●" };
export const LETTER = { Success: "s", Failure: "f", Running: "r", Error: "e" };
