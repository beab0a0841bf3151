// What all agents of a recording do. The server counts it for agents that run.

import { isVisit, parse } from "./history";
import type { NodeOverview, Overview, TickInfo, TreeInfo } from "./protocol";
import { eventsIn } from "./versions";
import type { Letter } from "./words";

const COUNTED: Record<Exclude<Letter, "o">, keyof NodeOverview> = { s: "success", f: "failure", r: "running", e: "error", h: "halts" };

/** Returns what agents do in the nodes of a version of their tree. `trees` are all versions, by key. */
export function overviewOf(tree: TreeInfo, trees: TreeInfo[], agents: Iterable<TickInfo[]>): Overview {
  const counts: NodeOverview[] = Array.from({ length: tree.nodes.length }, () => ({ visits: 0, runs: 0, success: 0, failure: 0, running: 0, error: 0, halts: 0, here: 0 }));
  let [ticks, number] = [0, 0];
  for (const list of agents) {
    number++;
    ticks += list.length;
    for (const tick of list) {
      for (const event of eventsIn(tree, trees[tick.tree], parse(tick.events))) {
        const count = counts[event.node];
        if (!count || !isVisit(event)) continue;
        if (event.kind !== "h") count.visits++;
        if (event.opened) count.runs++;
        if (event.kind !== "o") count[COUNTED[event.kind]]++;
        if (event.kind === "r" && tick === list.at(-1)) count.here++;
      }
    }
  }
  return { tree: tree.key, agents: number, ticks, nodes: counts };
}
