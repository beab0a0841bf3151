// Ticks of earlier versions of a tree, with the ids of the last version: as `TickRecord::translated` in Rust.

import type { NodeInfo, Tick } from "./protocol";

/** A change of the tree. `matching` has the new id of each node of the tree before; null for a node that is gone. */
export interface Change {
  nodes: NodeInfo[];
  matching: (number | null)[];
}

/** Whether a matching has each node of the tree before, and no two of them are the same node of the new tree. */
export function fits(matching: unknown, before: number, after: number): matching is (number | null)[] {
  if (!Array.isArray(matching) || matching.length !== before) return false;
  const ids = matching.filter((id) => id !== null);
  return new Set(ids).size === ids.length && ids.every((id) => Number.isInteger(id) && id >= 0 && id < after);
}

/** Returns a function that translates a tick from its version, which is 0 for `first`, to the last one. */
export function toLast(first: NodeInfo[], changes: Change[]): (tick: Tick, version: number) => Tick {
  const versions = [first, ...changes.map((change) => change.nodes)].map(childrenOf);
  const last = versions[changes.length];
  // The ids in the last version of the nodes of each version.
  const ids: (number | null)[][] = [];
  ids[changes.length] = last.map((_, node) => node);
  for (let version = changes.length - 1; version >= 0; version--) {
    ids[version] = changes[version].matching.map((next) => (next === null ? null : ids[version + 1][next]));
  }
  return (tick, version) => {
    if (version === changes.length) return tick;
    const [children, to] = [versions[version], ids[version]];
    const event = (word: string) => {
      const [, old, what] = /^(\d+)(.*)$/.exec(word) ?? [];
      const node = to[Number(old)] ?? null;
      if (node === null || !what.startsWith("@")) return node === null ? [] : [node + what];
      const state = last[node].indexOf(to[children[Number(old)][Number(what.slice(1))]] ?? -1);
      return state < 0 ? [] : [`${node}@${state}`];
    };
    const errors = tick.errors?.flatMap(([node, error]): [number, string][] => (typeof to[node] === "number" ? [[to[node], error]] : []));
    return { ...tick, events: tick.events.split(" ").flatMap(event).join(" "), ...(errors && { errors }) };
  };
}

/** Returns the children of each node. */
function childrenOf(nodes: NodeInfo[]): number[][] {
  const children: number[][] = nodes.map(() => []);
  for (const { id, parent } of nodes) if (parent !== null) children[parent].push(id);
  return children;
}
