// Recordings, in the format of `RecordFile`: text of one JSON object per line.

import type { TickHistory } from "./history";
import { type AgentInfo, type NodeInfo, type Tick, type TreeInfo, read, write } from "./protocol";

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

/** What a recording contains. */
export interface Recorded {
  tree: TreeInfo;
  names: Map<number, string>;
  ticks: Map<number, Tick[]>;
}

/** Parses a recording. Throws an error that names the line at fault. A line that is cut off at the end is ignored. */
export function parseRecording(text: string): Recorded {
  const lines = text.split("\n");
  const header = line(lines, 0) as { format?: string; version?: number; tree: string; fingerprint: string; nodes: NodeInfo[] };
  if (header.format !== "bt-recording" || header.version !== 1) throw new Error("line 1 is not the header of a recording of version 1");
  const found: Recorded = { tree: { key: 0, name: header.tree, fingerprint: header.fingerprint, nodes: header.nodes }, names: new Map(), ticks: new Map() };
  const early = new Map<number, Record<string, unknown>>();
  for (let index = 1; index < lines.length; index++) {
    if (!lines[index].trim()) continue;
    if (index === lines.length - 1 && !isComplete(lines[index])) break;
    const entry = line(lines, index) as { agent?: number; name?: string; variable?: string; value?: string | null; events?: string };
    if (entry.agent === undefined) continue;
    const ticks = found.ticks.get(entry.agent) ?? [];
    if (entry.events !== undefined) {
      const tick = entry as Tick;
      const changes = early.get(entry.agent);
      early.delete(entry.agent);
      ticks.push(changes ? { ...tick, changes } : tick);
      found.ticks.set(entry.agent, ticks);
    } else if (entry.variable !== undefined) {
      const last = ticks.at(-1);
      // Changes before the first tick belong to the first tick.
      if (last) last.changes = { ...last.changes, [entry.variable]: entry.value };
      else early.set(entry.agent, { ...early.get(entry.agent), [entry.variable]: entry.value });
    } else if (entry.name !== undefined) found.names.set(entry.agent, entry.name);
  }
  return found;
}

function line(lines: string[], index: number): unknown {
  try {
    return read(lines[index]);
  } catch (error) {
    throw new Error(`line ${index + 1}: ${(error as Error).message}`);
  }
}

function isComplete(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
