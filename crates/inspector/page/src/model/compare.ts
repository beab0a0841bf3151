// Two ticks side by side: of two agents, or of one.

import type { TickHistory } from "./history";
import { type Path, write } from "./protocol";
import type { View } from "./view";
import type { Letter } from "./words";

/** Which tick is compared with the shown one. `future` is the corresponding tick of the future that the agent has left by going back. */
export type Moment = { kind: "same" } | { kind: "earlier"; ticks: number } | { kind: "pinned"; tick: number } | { kind: "future" };

/** What is compared with the selected agent. */
export interface Comparison {
  /** The key of the other agent; null for the selected agent. */
  agent: number | null;
  moment: Moment;
  /** Whether nodes that do not differ are hidden. */
  isFiltered: boolean;
}

/** Returns the index of the compared tick in `there`; null if there is none. Ticks without times are compared by their numbers. */
export function comparedIndex(moment: Moment, here: TickHistory, index: number, there: TickHistory): number | null {
  const stored = (found: number) => (there.at(found) ? found : null);
  if (moment.kind === "pinned") {
    const found = there.indexOf(moment.tick);
    return there.at(found)?.tick === moment.tick ? found : null;
  }
  if (moment.kind === "future") {
    const rewound = here.rewoundAt(index);
    const found = rewound && rewound.to + index - rewound.at;
    return rewound && found! < rewound.at ? stored(found!) : null;
  }
  const same = here === there ? index : sameTime(here, index, there);
  return same === null ? null : stored(same - (moment.kind === "earlier" ? moment.ticks : 0));
}

/** Returns the index of the last tick at or before the time of a tick of another agent. */
function sameTime(here: TickHistory, index: number, there: TickHistory): number | null {
  const [tick, first] = [here.at(index), there.at(there.first)];
  if (!tick || !first) return null;
  const hasTimes = (here.ticks.at(-1)?.now ?? 0) > 0 || (there.ticks.at(-1)?.now ?? 0) > 0;
  if (!hasTimes) return comparedIndex({ kind: "pinned", tick: tick.tick }, here, index, there);
  return first.at <= tick.at ? there.indexAtTime(tick.at, (tick) => tick.at) : null;
}

/** Returns the status of a node in the shown tick; null if it was not visited. */
export function statusIn(view: View, node: number): Letter | null {
  const seen = view.of(node);
  return seen?.fresh ? seen.kind : null;
}

/** Returns the nodes whose statuses differ. */
export function differingNodes(here: View, there: View): Set<number> {
  const found = new Set<number>();
  for (let node = 0; node < here.nodes; node++) if (statusIn(here, node) !== statusIn(there, node)) found.add(node);
  return found;
}

/** A value that differs; undefined where there is none. */
export interface ValueDifference {
  path: Path;
  here: unknown;
  there: unknown;
}

/** Returns the innermost values that differ. */
export function differingValues(here: unknown, there: unknown, path: Path = []): ValueDifference[] {
  if (isNested(here) && isNested(there) && Array.isArray(here) === Array.isArray(there)) {
    const keys = [...new Set([...Object.keys(here), ...Object.keys(there)])];
    const inner = (value: object, key: string) => (value as Record<string, unknown>)[key];
    return keys.flatMap((key) => differingValues(inner(here, key), inner(there, key), [...path, Array.isArray(here) ? Number(key) : key]));
  }
  const isSame = here === undefined || there === undefined ? here === there : write(here) === write(there);
  return isSame ? [] : [{ path, here, there }];
}

function isNested(value: unknown): value is object {
  return value !== null && typeof value === "object";
}
