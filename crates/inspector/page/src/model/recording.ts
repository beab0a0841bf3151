// Recordings, in the format of `RecordFile`: text of one JSON object per line.

import type { TickHistory } from "./history";
import { type AgentInfo, type Described, type TickInfo, type TreeInfo, read, write } from "./protocol";
import { nodeIn, numbersOf } from "./versions";

/** Returns the recording of an agent, with the values that were shown next to its ticks. */
export function recorded(trees: ReadonlyMap<number, TreeInfo>, agent: AgentInfo, history: TickHistory): string {
  let tree = trees.get(history.at(history.first)?.tree ?? agent.tree)!;
  let version = 0;
  const header = { format: "bt-recording", version: 2, tree: tree.name, fingerprint: tree.fingerprint, nodes: tree.nodes };
  const lines: unknown[] = [header, { agent: agent.key, name: agent.name }];
  let before: Record<string, string> = {};
  for (let index = history.first; index < history.end; index++) {
    const { tick, now, status, written, reasons, tree: key } = history.at(index)!;
    const next = trees.get(key);
    if (next && next.key !== tree.key) {
      lines.push({ fingerprint: next.fingerprint, nodes: next.nodes, matching: tree.nodes.map(({ id }) => nodeIn(next, tree, id)) });
      [tree, version] = [next, version + 1];
    }
    lines.push({ agent: agent.key, tick, now, ...(version ? { version } : {}), status, events: written, ...(reasons.length ? { reasons } : {}) });
    const values = named(history.values(index));
    for (const [variable, value] of Object.entries(values)) {
      if (before[variable] !== value) lines.push({ agent: agent.key, variable, value });
    }
    for (const variable of Object.keys(before)) if (!(variable in values)) lines.push({ agent: agent.key, variable, value: null });
    before = values;
  }
  return lines.map((line) => JSON.stringify(line) + "\n").join("");
}

/** Returns values by their names, as JSON. */
function named(values: unknown): Record<string, string> {
  if (values === undefined) return {};
  if (values === null || typeof values !== "object" || Array.isArray(values)) return { value: write(values) };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, write(value)]));
}

/** What a recording contains. */
export interface Recorded {
  /** The versions of the tree, whose keys are their indices. */
  trees: TreeInfo[];
  names: Map<number, string>;
  ticks: Map<number, TickInfo[]>;
  /** The lines that cannot be read, each with its number and the reason. */
  dropped: string[];
}

/** Parses a recording. A line that cannot be read is dropped. Throws an error if the first line is no header. */
export function parseRecording(text: string): Recorded {
  const lines = text.split("\n");
  const header = read(lines[0]) as { format?: string; version?: number; tree: string; fingerprint: string; nodes: Described[] };
  const isKnown = header?.format === "bt-recording" && (header.version === 1 || header.version === 2);
  if (!isKnown) throw new Error("line 1 is not the header of a recording of version 1 or 2");
  const tree = { key: 0, first: 0, name: header.tree, fingerprint: header.fingerprint, nodes: header.nodes };
  const found: Recorded = { trees: [tree], names: new Map(), ticks: new Map(), dropped: [] };
  const early = new Map<number, Record<string, unknown>>();
  for (let index = 1; index < lines.length; index++) {
    if (index === lines.length - 1 && !lines[index]) break;
    try {
      const line = read(lines[index]) as Line;
      const version = line.version ?? 0;
      if (line.format !== undefined || (line.tick !== undefined && version !== found.trees.length - 1)) {
        const what = line.format === undefined ? `a tick of version ${version} of the tree, which was not read` : "the header of another recording";
        found.dropped.push(`line ${index + 1}: ${what}: the lines after it were not read`);
        break;
      }
      if (line.matching === undefined || line.tick !== undefined) add(found, early, line);
      else replace(found.trees, line);
    } catch (error) {
      found.dropped.push(`line ${index + 1}: ${(error as Error).message}`);
    }
  }
  return found;
}

/** The fields of all kinds of lines. */
type Line = Partial<TickInfo> & Partial<Pick<TreeInfo, "fingerprint" | "nodes">> & {
  name?: string;
  variable?: string;
  value?: string | null;
  version?: number;
  format?: string;
  matching?: unknown;
  /** The name of `reasons` in the first format. */
  errors?: TickInfo["reasons"];
};

/** Adds the next version of a tree. A new node gets the next number that no node has had. */
function replace(trees: TreeInfo[], { fingerprint, nodes, matching }: Line): void {
  const before = trees.at(-1)!;
  if (typeof fingerprint !== "string" || !Array.isArray(nodes)) throw new Error("expected a text `fingerprint`, and a list `nodes`");
  if (!fits(matching, before.nodes.length, nodes.length)) throw new Error("invalid matching: expected the id in the new tree, or null, of each node before");
  const known = new Map(matching.map((id, old) => [id, numbersOf(before)[old]]));
  let next = trees.flatMap(numbersOf).reduce((most, number) => Math.max(most, number), -1) + 1;
  const numbers = nodes.map(({ id }) => known.get(id) ?? next++);
  trees.push({ ...before, key: trees.length, fingerprint, nodes, numbers });
}

/** Whether a matching has each node of the tree before, and no two of them are the same node of the new tree. */
function fits(matching: unknown, before: number, after: number): matching is (number | null)[] {
  if (!Array.isArray(matching) || matching.length !== before) return false;
  const ids = matching.filter((id) => id !== null);
  return new Set(ids).size === ids.length && ids.every((id) => Number.isInteger(id) && id >= 0 && id < after);
}

/** Adds a line to a recording. `early` has the variables of agents that have no tick yet. */
function add(found: Recorded, early: Map<number, Record<string, unknown>>, line: Line): void {
  const { agent, name, variable, value } = line;
  if (typeof agent !== "number") throw new Error("expected a field `agent`");
  const ticks = found.ticks.get(agent) ?? [];
  if (line.tick !== undefined) {
    if (typeof line.tick !== "number" || typeof line.now !== "number" || typeof line.events !== "string") {
      throw new Error("expected numbers `tick` and `now`, and a text `events`");
    }
    const changes = early.get(agent);
    early.delete(agent);
    const { errors, ...rest } = line;
    const tick = { reasons: errors, ...(rest as TickInfo), tree: found.trees.length - 1 };
    ticks.push(changes ? { ...tick, changes } : tick);
    found.ticks.set(agent, ticks);
  } else if (variable !== undefined) {
    const last = ticks.at(-1);
    // Changes before the first tick belong to the first tick.
    if (last) last.changes = { ...last.changes, [variable]: value };
    else early.set(agent, { ...early.get(agent), [variable]: value });
  } else if (name !== undefined) found.names.set(agent, name);
  else throw new Error("unknown kind of line: expected a field `tick`, `variable`, `name` or `matching`");
}
