// What all agents of a recording do. The server counts it for agents that run.

import { isVisit, parse } from "./history";
import type { NodeCounts, Overview, Tick } from "./protocol";
import type { Letter } from "./words";

const COUNTED: Record<Exclude<Letter, "o">, keyof NodeCounts> = { s: "success", f: "failure", r: "running", e: "error", h: "halts" };

export function overviewOf(tree: number, nodes: number, agents: Iterable<Tick[]>): Overview {
  const counts: NodeCounts[] = Array.from({ length: nodes }, () => ({ visits: 0, runs: 0, success: 0, failure: 0, running: 0, error: 0, halts: 0, here: 0 }));
  let [ticks, number] = [0, 0];
  for (const list of agents) {
    number++;
    ticks += list.length;
    for (const tick of list) {
      for (const event of parse(tick.events)) {
        const count = counts[event.node];
        if (!count || !isVisit(event)) continue;
        if (event.kind !== "h") count.visits++;
        if (event.opened) count.runs++;
        if (event.kind !== "o") count[COUNTED[event.kind]]++;
        if (event.kind === "r" && tick === list.at(-1)) count.here++;
      }
    }
  }
  return { tree, agents: number, ticks, nodes: counts };
}
