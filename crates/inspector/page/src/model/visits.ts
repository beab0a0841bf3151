// The nesting of the visits of one tick, as in `bt-core/src/observe/why/visits.rs`.

import { type Event, isVisit } from "./history";
import type { Described } from "./protocol";
import type { Shape } from "./shape";
import type { Letter } from "./words";

/** How a composite selects the children that it ticks, where the order of events does not tell. */
export type Rule = "in order" | "by first" | "by value" | "all" | "then cleanup";

const RULES: Record<string, Rule> = { if: "by first", mem_if: "by first", match: "by value", mem_match: "by value", parallel: "all", mem_parallel: "all", finally: "then cleanup" };

export function ruleOf(node: Described | undefined): Rule {
  return (node?.kind === "Composite" && RULES[node.name]) || "in order";
}

export function isChild(node: Described | undefined): boolean {
  return (node?.role ?? "Child") === "Child";
}

/** Returns the nodes in whose visits a node is visited, nearest first. A machine visits the guards and actions of its states. */
export function visitors(shape: Shape, node: number): number[] {
  const { nodes } = shape;
  const above = [];
  for (let at = nodes[node]; at && at.parent !== null; ) {
    const parent = nodes[at.parent];
    const up = parent?.kind === "State" && !isChild(at) ? parent.parent : at.parent;
    if (up === null) break;
    above.push(up);
    at = nodes[up];
  }
  return above;
}

/** What is behind the outcome of a visit: the node itself, without a child, all of its children, the visit of another one, or a child in an earlier tick. */
export type Behind = "itself" | "childless" | "all" | { other: number } | { earlier: number };

/** The events of a tick, each with the visit that it belongs to. Events and visits are named by their index. */
export class Visits {
  /** The visit of an ancestor in which each event occurred; -1 if there is none. */
  readonly within: number[] = [];

  constructor(private readonly shape: Shape, readonly events: Event[]) {
    const open: number[] = [];
    events.forEach((event, index) => {
      const above = event.kind === "@" ? [event.node] : visitors(shape, event.node);
      while (open.length && !above.includes(events[open.at(-1)!].node)) open.pop();
      this.within.push(open.at(-1) ?? -1);
      if (isVisit(event) && event.kind !== "h") open.push(index);
    });
  }

  node(event: number): number {
    return this.events[event].node;
  }

  info(event: number): Described | undefined {
    return this.shape.nodes[this.node(event)];
  }

  isVisit(event: number): boolean {
    return isVisit(this.events[event]) && this.events[event].kind !== "h";
  }

  /** Returns the letter of the status of a visit; `o` if it is not over. */
  status(visit: number): Letter {
    return this.events[visit].kind as Letter;
  }

  isOpened(visit: number): boolean {
    const event = this.events[visit];
    return isVisit(event) && event.opened;
  }

  lastVisit(node: number): number {
    return this.events.findLastIndex((event, index) => event.node === node && this.isVisit(index));
  }

  /** Returns the events within a visit, without those of visits below it. */
  private directlyIn(visit: number): number[] {
    const found = [];
    for (let event = visit + 1; event < this.events.length; event++) if (this.within[event] === visit) found.push(event);
    return found;
  }

  /** Returns the visits of the nodes directly below a visited node, in order. */
  below(visit: number): number[] {
    // A cleanup is also visited while its `finally` is not.
    return this.directlyIn(visit).filter((event) => this.isVisit(event) && visitors(this.shape, this.node(event))[0] === this.node(visit));
  }

  /** Returns the changes of a machine's state within its visit. */
  states(visit: number): number[] {
    return this.directlyIn(visit).filter((event) => this.events[event].kind === "@");
  }

  score(visit: number, child: number): string | null {
    for (const at of this.directlyIn(visit).reverse()) {
      const event = this.events[at];
      if (event.kind === "=" && event.node === child) return event.score;
    }
    return null;
  }

  /** Returns the guard that succeeded last before an event within the visit of a machine; -1 if there is none. */
  guardBefore(visit: number, event: number): number {
    return this.below(visit).findLast((at) => at < event && this.info(at)?.role === "Guard" && this.status(at) === "s") ?? -1;
  }

  isLeaf(visit: number): boolean {
    const kind = this.info(visit)?.kind;
    return kind === undefined || kind === "Action" || kind === "Condition";
  }

  private isBelow(event: number, visit: number): boolean {
    for (let up = event; up >= 0; up = this.within[up]) if (up === visit) return true;
    return false;
  }

  /** Returns the visits without a running visit below among the running visits from this one on down, in order. */
  runningLeaves(visit: number): number[] {
    const halts = new Map<number, number>();
    this.events.forEach((event, index) => event.kind === "h" && halts.set(event.node, index));
    const leaves = new Set<number>();
    for (let at = visit; at < this.events.length; at++) {
      if (this.status(at) !== "r" || !this.isVisit(at) || (halts.get(this.node(at)) ?? -1) > at || !this.isBelow(at, visit)) continue;
      leaves.delete(this.within[at]);
      leaves.add(at);
    }
    return [...leaves];
  }

  /** Returns the visit of a cleanup that a running node waits for: a halt has left the cleanup running, so its `finally` was not visited. */
  awaited(visit: number): number | undefined {
    const isRunning = (visit: number) => this.status(visit) === "r";
    const canWait = ["Composite", "Machine"].includes(this.info(visit)?.kind ?? "");
    if (!canWait || !isRunning(visit) || this.below(visit).some(isRunning)) return undefined;
    const isAwaited = (event: number) => {
      const above = visitors(this.shape, this.node(event));
      const isCleanup = ruleOf(this.shape.nodes[above[0]]) === "then cleanup" && this.node(event) !== above[0] + 1;
      return isCleanup && isRunning(event) && above.includes(this.node(visit));
    };
    return this.events.map((_, event) => event).find(isAwaited);
  }

  /** Returns the visit that has decided the outcome of a visit, as far as the events tell. */
  behind(visit: number): [number, Behind] {
    for (let at = visit; ; ) {
      if (this.isLeaf(at)) return [at, "itself"];
      const all = this.below(at);
      if (!all.length) return [at, "childless"];
      // What a machine does when it enters or leaves a state decides nothing, unless it is an error.
      let below = all.filter((child) => !["Enter", "Exit", "Service"].includes(this.info(child)?.role ?? "") || this.status(child) === "e");
      // The cleanup of a `finally` decides nothing, unless it is an error.
      if (ruleOf(this.info(at)) === "then cleanup" && "sfe".includes(this.status(at))) {
        const body = this.node(at) + 1;
        below = below.filter((child) => this.node(child) === body || this.status(child) === "e");
        if (!below.length) return [at, { earlier: body }];
      }
      if (!below.length) return [at, "itself"];
      const last = below.at(-1)!;
      const [status, ofLast] = [this.status(at), this.status(last)];
      if (status !== ofLast) return [at, ofLast === "s" || ofLast === "f" ? { other: last } : "itself"];
      const isAll = below.length > 1 && below.every((child) => this.status(child) === status);
      if (this.info(at)?.kind === "Composite" && isAll && ruleOf(this.info(at)) !== "by first") return [at, "all"];
      at = last;
    }
  }

  /**
   * Returns the visits that decided that a node was visited, nearest first: at each level the last sibling before it, or the guard of the
   * transition that led to it. Stops below `top`.
   */
  decisions(visit: number, top = -1): number[] {
    const found = [];
    for (let at = visit; at >= 0 && at !== top; at = this.within[at]) {
      const above = this.within[at];
      if (above < 0) break;
      const parent = this.info(above);
      if (parent?.kind === "Machine") {
        const entered = this.states(above).findLast((event) => event < at);
        const guard = entered === undefined ? -1 : this.guardBefore(above, entered);
        if (guard >= 0) found.push(guard);
      } else if (parent?.kind === "Composite" && ruleOf(parent) !== "all") {
        const isDecision = (sibling: number) => sibling < at && "sf".includes(this.status(sibling)) && this.info(sibling)?.role === "Child" && this.node(sibling) !== this.node(at);
        const decision = this.below(above).findLast(isDecision);
        if (decision !== undefined) found.push(decision);
      }
    }
    return found;
  }
}
