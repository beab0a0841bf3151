// Recordings, in the format of `RecordFile`: text of one JSON object per line.

import type { TickHistory } from "./history";
import { type AgentInfo, type NodeInfo, type Tick, type TreeInfo, read, write } from "./protocol";
import { type Change, fits, toLast } from "./versions";

/** Returns the recording of an agent, with the values that were shown next to its ticks. */
export function recorded(info: TreeInfo, agent: AgentInfo, history: TickHistory): string {
  const header = { format: "bt-recording", version: 1, tree: info.name, fingerprint: info.fingerprint, nodes: info.nodes };
  const lines: unknown[] = [header, { agent: agent.key, name: agent.name }];
  let before: Record<string, string> = {};
  for (let index = history.first; index < history.end; index++) {
    const { tick, now, status, written, errors } = history.at(index)!;
    lines.push({ agent: agent.key, tick, now, status, events: written, ...(errors.length ? { errors } : {}) });
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

/** What a recording contains. A tree that was replaced is there as its last version, also in the ticks before. */
export interface Recorded {
  tree: TreeInfo;
  names: Map<number, string>;
  ticks: Map<number, Tick[]>;
  /** The lines that cannot be read, each with its number and the reason. */
  dropped: string[];
}

/** Parses a recording. A line that cannot be read is dropped. Throws an error if the first line is no header. */
export function parseRecording(text: string): Recorded {
  const lines = text.split("\n");
  const header = read(lines[0]) as { format?: string; version?: number; tree: string; fingerprint: string; nodes: NodeInfo[] };
  const isKnown = header?.format === "bt-recording" && (header.version === 1 || header.version === 2);
  if (!isKnown) throw new Error("line 1 is not the header of a recording of version 1 or 2");
  const tree = { key: 0, name: header.tree, fingerprint: header.fingerprint, nodes: header.nodes };
  const found: Recorded = { tree, names: new Map(), ticks: new Map(), dropped: [] };
  const early = new Map<number, Record<string, unknown>>();
  const changes: Change[] = [];
  for (let index = 1; index < lines.length; index++) {
    if (index === lines.length - 1 && !lines[index]) break;
    try {
      const line = read(lines[index]) as Line;
      const version = line.version ?? 0;
      if (line.format !== undefined || (line.tick !== undefined && version !== changes.length)) {
        const what = line.format === undefined ? `a tick of version ${version} of the tree, which was not read` : "the header of another recording";
        found.dropped.push(`line ${index + 1}: ${what}: the lines after it were not read`);
        break;
      }
      if (line.matching === undefined || line.tick !== undefined) add(found, early, line);
      else changes.push(change(found, line));
    } catch (error) {
      found.dropped.push(`line ${index + 1}: ${(error as Error).message}`);
    }
  }
  if (changes.length) {
    const translate = toLast(header.nodes, changes);
    for (const [agent, ticks] of found.ticks) found.ticks.set(agent, ticks.map((tick: Line) => translate(tick as Tick, tick.version ?? 0)));
  }
  return found;
}

/** The fields of all kinds of lines. */
type Line = { agent?: number; name?: string; variable?: string; value?: string | null; version?: number; format?: string } & Partial<Tick> & Partial<Change> & { fingerprint?: string };

/** Replaces the tree of a recording. */
function change(found: Recorded, { fingerprint, nodes, matching }: Line): Change {
  if (typeof fingerprint !== "string" || !Array.isArray(nodes)) throw new Error("expected a text `fingerprint`, and a list `nodes`");
  if (!fits(matching, found.tree.nodes.length, nodes.length)) throw new Error("invalid matching: expected the id in the new tree, or null, of each node before");
  found.tree = { ...found.tree, fingerprint, nodes };
  return { nodes, matching };
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
    ticks.push(changes ? { ...(line as Tick), changes } : (line as Tick));
    found.ticks.set(agent, ticks);
  } else if (variable !== undefined) {
    const last = ticks.at(-1);
    // Changes before the first tick belong to the first tick.
    if (last) last.changes = { ...last.changes, [variable]: value };
    else early.set(agent, { ...early.get(agent), [variable]: value });
  } else if (name !== undefined) found.names.set(agent, name);
  else throw new Error("unknown kind of line: expected a field `tick`, `variable`, `name` or `matching`");
}
