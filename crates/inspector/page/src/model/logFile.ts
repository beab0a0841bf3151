// Changes of the log as a file: lines of text, or JSON.

import { type Change, type LoggedNode, REPLACED } from "./log";
import { SPOKEN } from "./words";

/** A change with the name of its agent and what the log says of its node. */
export interface Entry {
  change: Change;
  agent: string;
  /** Null for a change of the tree. */
  node: LoggedNode | null;
}

/** Returns a line per change, with its parts separated by tabs. */
export function asText(entries: Entry[]): string {
  const line = ({ change: { now, tick, from, to, text }, agent, node }: Entry) => {
    if (!node || !to) return [`${now.toFixed(3)} s`, `#${tick}`, agent, REPLACED, text].join("\t") + "\n";
    const { name, label, path, location } = node;
    const status = `${from ? SPOKEN[from] : "?"} -> ${SPOKEN[to]}`;
    return [`${now.toFixed(3)} s`, `#${tick}`, agent, status, name + (label === null ? "" : ` "${label}"`), path.join(" / "), location ?? "", text].join("\t").trimEnd() + "\n";
  };
  return entries.map(line).join("");
}

/** Returns the changes as a JSON array of objects. */
export function asJson(entries: Entry[]): string {
  const object = ({ change: { now, tick, from, to, text, node: id }, agent, node }: Entry) => ({
    agent,
    tick,
    seconds: now,
    ...(node && to ? { node: { id, ...node }, from: from && SPOKEN[from], to: SPOKEN[to] } : { tree: REPLACED }),
    text,
  });
  return JSON.stringify(entries.map(object), null, 1) + "\n";
}
