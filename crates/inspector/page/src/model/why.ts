// Why a node is running, has ended, or was not visited: the sentences of `Description::why`, computed by the same steps as in
// `bt-core/src/observe/why`. `tests/why.json` holds the two together.

import { type Event, type StoredTick, type Ticks, isVisit } from "./history";
import type { Shape } from "./shape";
import { type Letter, params } from "./words";
import { type Behind, Visits, isChild, ruleOf, visitors } from "./visits";

/** A part of a sentence. One with a link states what a node did in a tick. */
export interface Part {
  text: string;
  link?: { node: number; tick: number };
}

/** Returns why a node is running at the tick with this index, why it has ended, or why it was not visited. */
export function why(history: Ticks, shape: Shape, index: number, node: number): Part[] {
  return new Answer(history, shape).of(index, node);
}

/** The maximum number of events that a question looks at in one direction of its past. */
const MOST_EVENTS = 1 << 21;
/** The maximum number of running leaves that an answer names. */
const MOST_LEAVES = 3;

const VERBS: Record<Letter, string> = { s: "succeeded", f: "failed", r: "was running", e: "returned an error", h: "was halted", o: "was visited" };

const LAST: Record<string, string> = { s: "last succeeded", f: "last failed", r: "was last running", e: "last returned an error", o: "was last visited" };

/** The index of a tick, and of an event in it. */
interface Place {
  tick: number;
  event: number;
}

type Found = Place | "never" | "unknown";

const isOwn = (event: Event, node: number) => event.node === node && isVisit(event);

class Answer {
  private readonly parts: Part[] = [];
  /** The first tick that the answer is about, and the tick of the last statement. */
  private first = Infinity;
  private last = -1;
  private asked = 0;

  constructor(private readonly history: Ticks, private readonly shape: Shape) {}

  of(index: number, node: number): Part[] {
    this.asked = node;
    if (!this.shape.nodes[node]) return [{ text: `there is no node #${node} in this tree` }];
    const tick = this.history.at(index);
    if (!tick) return [{ text: "this tick is not recorded" }];
    const visits = this.visits(index);
    const event = tick.events.findLastIndex((event) => isOwn(event, node));
    const place = { tick: index, event };
    if (event < 0 && this.isTranslated(index)) {
      this.text(`not visited: the tree was another one at tick ${tick.tick}`);
      this.lastSeen(index, node);
    } else if (event < 0) this.unvisited(index, node, visits);
    else if (visits.status(event) === "r") this.running(place, node, visits);
    else if (visits.status(event) === "o") {
      this.happened(node, index, "visited");
      this.text("; the visit is not over");
    } else if (visits.status(event) === "h") {
      this.happened(node, index, "halted");
      this.halt(place, visits, ": ");
    } else this.ended(place, node, visits);
    if (event >= 0 && this.isTranslated(index)) this.text("; the tree was another one then");
    this.missing(index);
    return this.parts;
  }

  // The past.

  private tick(index: number): StoredTick {
    return this.history.at(index)!;
  }

  private number(index: number): number {
    return this.tick(index).tick;
  }

  private visits(index: number): Visits {
    return new Visits(this.shape, this.tick(index).events);
  }

  /** Returns the last event before a place for which a condition holds. */
  private lastEvent(before: Place, holds: (event: Event) => boolean): Found {
    let [seen, end] = [0, before.event];
    for (let tick = before.tick; tick >= this.history.first; tick--) {
      const { events } = this.tick(tick);
      end = Math.min(end, events.length);
      for (let event = end - 1; event >= 0; event--) if (holds(events[event])) return { tick, event };
      seen += end;
      if (seen > MOST_EVENTS) return "unknown";
      end = Infinity;
    }
    return "never";
  }

  /** Returns when the run of a node began that a visit belongs to: in a tick, or before it. */
  private began(visit: Place, node: number): { at: Place } | { before: number } {
    let [seen, end] = [0, visit.event + 1];
    for (let tick = visit.tick; ; tick--) {
      const { events } = this.tick(tick);
      end = Math.min(end, events.length);
      for (let at = end - 1; at >= 0; at--) {
        const event = events[at];
        if (event.node === node && isVisit(event) && event.opened) return { at: { tick, event: at } };
      }
      seen += end;
      if (tick === this.history.first || seen > MOST_EVENTS || this.isMissingBefore(tick)) return { before: tick };
      if (this.isReplacedBefore(tick) && !this.isRunning(tick - 1, node)) return { before: tick };
      end = Infinity;
    }
  }

  /** Returns whether the last event of a node in a tick is a visit in which it was running. */
  private isRunning(tick: number, node: number): boolean {
    const { events } = this.tick(tick);
    return events[events.findLastIndex((event) => isOwn(event, node))]?.kind === "r";
  }

  /** Returns whether the tree was another one at this tick: how its nodes were nested is not known. */
  private isTranslated(tick: number): boolean {
    return this.tick(tick).tree !== this.shape.info.key;
  }

  /** Returns whether the tree was replaced between this tick and the one before. */
  private isReplacedBefore(tick: number): boolean {
    return tick > this.history.first && this.tick(tick).tree !== this.tick(tick - 1).tree;
  }

  private isMissingBefore(tick: number): boolean {
    // Before a tick that the agent has gone back to, the ticks are those of another future.
    return tick > this.history.first && (this.number(tick) !== this.number(tick - 1) + 1 || this.tick(tick).rewound !== null);
  }

  private isMissing(from: number, to: number): boolean {
    for (let tick = from + 1; tick <= to; tick++) if (this.isMissingBefore(tick)) return true;
    return false;
  }

  // Parts of a sentence.

  private text(text: string): void {
    const last = this.parts.at(-1);
    if (last && !last.link) last.text += text;
    else this.parts.push({ text });
  }

  private fact(node: number, tick: number, text: string): void {
    this.first = Math.min(this.first, tick);
    this.last = tick;
    this.parts.push({ text, link: { node, tick: this.number(tick) } });
  }

  /** Adds a statement about a node at a tick. The tick is named if it is not that of the statement before. */
  private happened(node: number, tick: number, text: string): void {
    this.fact(node, tick, this.last === tick ? text : `${text} at tick ${this.number(tick)}`);
  }

  private name(node: number): string {
    const info = this.shape.nodes[node];
    // The parameters of a composite are long, and few of them have the same name.
    return info ? `\`${info.label ?? info.name + (info.kind === "Composite" ? "" : params(info))}\`` : `#${node}`;
  }

  private since(visit: Place, node: number, subject: string): void {
    const began = this.began(visit, node);
    if ("at" in began) this.fact(node, began.at.tick, `${subject} since tick ${this.number(began.at.tick)}`);
    else {
      const first = this.isReplacedBefore(began.before) ? ", the first after the tree was replaced" : "";
      this.fact(node, began.before, `${subject} since before tick ${this.number(began.before)}${first}`);
    }
  }

  /** States that something has not happened before a tick. Nodes that the tree of another tick did not have are not told from those that were not visited. */
  private never(tick: number, what: string): void {
    if (this.isTranslated(tick)) return;
    let isReplaced = false;
    for (let at = this.history.first + 1; at <= tick; at++) isReplaced ||= this.isReplacedBefore(at);
    this.text(`; ${what} before in the recorded ticks${isReplaced ? " since the tree was replaced" : ""}`);
  }

  /** States which ticks are missing between the first and the last one that the answer is about. */
  private missing(last: number): void {
    for (let tick = last; tick > this.first; tick--) {
      if (!this.isMissingBefore(tick)) continue;
      const [from, to] = [this.number(tick - 1) + 1, this.number(tick) - 1];
      this.text(from === to ? `; tick ${from} is not recorded` : `; ticks ${from} to ${to} are not recorded`);
      return;
    }
  }

  // Outcomes.

  private ended(place: Place, node: number, visits: Visits): void {
    this.happened(node, place.tick, VERBS[visits.status(place.event)]);
    if (!visits.isOpened(place.event)) this.since(place, node, ", after it had run");
    this.reason(place, visits, ": ");
  }

  /** States the outcome of a visit, by the node that has decided it, and when that node last had the other outcome. */
  private outcome(place: Place, visits: Visits): void {
    const [event, behind] = visits.behind(place.event);
    this.returned({ ...place, event }, visits);
    this.rest({ ...place, event }, visits, behind, " after ");
  }

  /** States what is behind the outcome of a visit, which is already stated. */
  private reason(place: Place, visits: Visits, before: string): void {
    const [at, behind]: [number, Behind] = this.isTranslated(place.tick) ? [place.event, "itself"] : visits.behind(place.event);
    if (at === place.event) {
      this.stated(place, visits);
      this.rest(place, visits, behind, before);
      return;
    }
    this.text(before);
    this.outcome(place, visits);
  }

  private rest(place: Place, visits: Visits, behind: Behind, before: string): void {
    if (behind === "itself") {
      if (visits.isLeaf(place.event)) this.lastOther(place, visits);
    } else if (behind === "childless") this.text(", without ticking a child");
    else if (behind === "all") this.text(", as did all children that it visited");
    else if ("earlier" in behind) {
      const status = visits.status(place.event);
      const earlier = this.lastEvent(place, (event) => event.kind === status && event.node === behind.earlier);
      if (typeof earlier === "object" && !this.isTranslated(earlier.tick)) {
        this.text(before);
        this.outcome(earlier, this.visits(earlier.tick));
      }
    }
    else {
      this.text(before);
      const [at, further] = visits.behind(behind.other);
      // Further reversals are left to the next question.
      const isTold = further === "itself" || further === "childless";
      const told = { ...place, event: isTold ? at : behind.other };
      this.returned(told, visits);
      if (isTold && visits.isLeaf(at)) this.lastOther(told, visits);
    }
  }

  /** States what a visit has returned. */
  private returned(place: Place, visits: Visits): void {
    const node = visits.node(place.event);
    this.happened(node, place.tick, `${this.name(node)} ${VERBS[visits.status(place.event)]}`);
    this.stated(place, visits);
  }

  /** Adds the reason that the node has stated for its error or failure. */
  private stated(place: Place, visits: Visits): void {
    const status = visits.status(place.event);
    if (status !== "e" && status !== "f") return;
    const reason = this.tick(place.tick).reasons.findLast(([node]) => node === visits.node(place.event));
    if (reason) this.text(` (${reason[1]})`);
  }

  /** States when a node last had the outcome opposite to that of a visit. */
  private lastOther(place: Place, visits: Visits): void {
    const status = visits.status(place.event);
    if (status !== "s" && status !== "f") return;
    const other = status === "s" ? "f" : "s";
    const node = visits.node(place.event);
    const found = this.lastEvent(place, (event) => event.kind === other && event.node === node);
    if (typeof found === "object") {
      this.text("; ");
      this.happened(node, found.tick, `it last ${VERBS[other]}`);
    } else if (found === "never" && other === "s") this.never(place.tick, "it has not succeeded");
  }

  /** States that a node is running, by the leaves that are. */
  private still(place: Place, visits: Visits): void {
    const leaves = visits.runningLeaves(place.event);
    const event = leaves.length === 1 ? leaves[0] : place.event;
    const node = visits.node(event);
    this.since({ ...place, event }, node, `${this.name(node)} has run`);
  }

  /** States what a visit did: that it is running, or its outcome. */
  private decision(place: Place, visits: Visits): void {
    const status = visits.status(place.event);
    if (status === "r") this.still(place, visits);
    else if (status === "o") this.returned(place, visits);
    else this.outcome(place, visits);
  }

  /** States the outcome of a visit in a few words. */
  private brief(place: Place, visits: Visits): void {
    const [at, behind] = visits.behind(place.event);
    this.returned({ ...place, event: behind === "itself" || behind === "childless" ? at : place.event }, visits);
  }

  /** States the last event of a node before a tick. */
  private lastSeen(tick: number, node: number): void {
    const name = this.name(node);
    const found = this.lastEvent({ tick, event: 0 }, (event) => isOwn(event, node));
    if (found === "never") this.never(tick, `${name} has not been visited`);
    if (typeof found !== "object") return;
    const visits = this.visits(found.tick);
    this.text("; ");
    this.last = -1;
    const status = visits.status(found.event);
    if (status === "h") {
      this.happened(node, found.tick, `${name} was halted`);
      this.halt(found, visits, ", when ");
    } else this.happened(node, found.tick, `${name} ${LAST[status]}`);
  }

  // Running.

  private running(place: Place, node: number, visits: Visits): void {
    const began = this.began(place, node);
    this.since(place, node, "running");
    if (this.isTranslated(place.tick)) return;
    if (!visits.isLeaf(place.event)) this.leaves(place, visits);
    // The siblings before it were decided when its run began.
    const start = "at" in began && !this.isTranslated(began.at.tick) ? began.at : place;
    const then = this.visits(start.tick);
    const nearest = then.decisions(start.event)[0];
    if (nearest !== undefined) {
      this.text(", because ");
      this.brief({ ...start, event: nearest }, then);
    }
    const topmost = visits.decisions(place.event).at(-1);
    if (topmost !== undefined && (nearest === undefined || then.node(nearest) !== visits.node(topmost))) {
      this.text(nearest === undefined ? ", because " : ", and ");
      this.brief({ ...place, event: topmost }, visits);
    }
  }

  /** States the running leaves below a node. */
  private leaves(place: Place, visits: Visits): void {
    const cleanup = visits.awaited(place.event);
    if (cleanup !== undefined) {
      this.text(", and waits for a cleanup: ");
      return this.still({ ...place, event: cleanup }, visits);
    }
    if (!visits.below(place.event).length) {
      this.text(", without ticking a child");
      return;
    }
    const leaves = visits.runningLeaves(place.event);
    if (leaves.length === 1 && leaves[0] === place.event) return;
    leaves.slice(0, MOST_LEAVES).forEach((event, index) => {
      this.text(index === 0 ? ": " : ", ");
      this.still({ ...place, event }, visits);
    });
    if (leaves.length > MOST_LEAVES) this.text(` and ${leaves.length - MOST_LEAVES} more`);
  }

  // Halted.

  /** States what has halted a node. */
  private halt(place: Place, visits: Visits, before: string): void {
    if (this.isTranslated(place.tick)) return;
    if (visits.lastVisit(0) < 0) {
      this.text(" from outside");
      return;
    }
    const halting = haltedBy(place.event, visits);
    if (!halting) return;
    const { parent, halt } = halting;
    const node = visits.node(parent);
    const kind = visits.info(parent)?.kind;
    const at = (event: number) => ({ ...place, event });
    this.text(before);
    if (kind === "Machine") {
      const entered = visits.states(parent).find((event) => event > halt);
      if (entered === undefined) return this.outcome(at(parent), visits);
      const state = this.state(node, visits.events[entered]);
      this.happened(state ?? node, place.tick, `${this.stateName(node, state)} was entered`);
      const guard = visits.guardBefore(parent, entered);
      if (guard >= 0) {
        this.text(", because ");
        this.brief(at(guard), visits);
      }
    } else if (kind === "Composite") {
      const ofHalted = [visits.node(halt), ...visitors(this.shape, visits.node(halt))];
      // A child takes over before the other is halted; in a `match`, after that.
      const others = visits.below(parent).filter((visit) => !ofHalted.includes(visits.node(visit)));
      const other = others.findLast((visit) => visit < halt) ?? others[0];
      if (visits.status(parent) !== "r") return this.outcome(at(parent), visits);
      if (other === undefined) return this.returned(at(parent), visits);
      if (visits.status(other) !== "r") return this.outcome(at(other), visits);
      const leaves = visits.runningLeaves(other);
      const leaf = leaves.length === 1 ? leaves[0] : other;
      this.happened(visits.node(leaf), place.tick, `${this.name(visits.node(leaf))} took over`);
      const decision = visits.decisions(leaf, parent)[0];
      if (decision !== undefined) {
        this.text(", because ");
        this.brief(at(decision), visits);
      }
    } else this.returned(at(parent), visits);
  }

  private state(machine: number, event: Event): number | undefined {
    return event.kind === "@" ? this.shape.states(machine)[event.state] : undefined;
  }

  private stateName(machine: number, state: number | undefined): string {
    return state === undefined ? `a state of ${this.name(machine)}` : `state ${this.name(state)}`;
  }

  // Not visited.

  private unvisited(tick: number, node: number, visits: Visits): void {
    this.text("not visited: ");
    // The nearest ancestor that was visited, and the node below it that was not.
    let [below, above] = [node, -1];
    for (const up of visitors(this.shape, node)) {
      above = visits.lastVisit(up);
      if (above >= 0) break;
      below = up;
    }
    const place = { tick, event: above };
    if (above < 0) {
      const isHalted = visits.events.some((event) => event.node === 0 && event.kind === "h");
      this.happened(0, tick, `the tree was ${isHalted ? "halted from outside" : "not ticked"}`);
    } else if (visits.status(above) === "o") {
      this.happened(visits.node(above), tick, `${this.name(visits.node(above))} was visited`);
      this.text(", and its visit is not over");
    } else if (visits.info(above)?.kind === "Machine") this.inOtherState(place, below, visits);
    else this.passedOver(place, below, visits);
    this.lastSeen(tick, node);
  }

  /** States why a visited node that is no machine did not visit a node below it. */
  private passedOver(place: Place, node: number, visits: Visits): void {
    const above = visits.node(place.event);
    const at = (event: number) => ({ ...place, event });
    const name = this.name(above);
    const cleanup = visits.awaited(place.event);
    if (cleanup !== undefined) {
      this.text(`${name} waits for a cleanup: `);
      return this.still(at(cleanup), visits);
    }
    const below = visits.below(place.event);
    if (!below.length) {
      this.returned(place, visits);
      this.text(", without ticking a child");
      return;
    }
    if (!isChild(this.shape.nodes[node])) {
      this.returned(place, visits);
      this.text(`, without ticking ${this.name(node)}`);
      return;
    }
    const [first, last] = [below[0], below.at(-1)!];
    const [firstNode, lastNode] = [visits.node(first), visits.node(last)];
    const score = visits.score(place.event, lastNode);
    if (score !== null) {
      this.happened(lastNode, place.tick, `${name} ticked ${this.name(lastNode)} with the score ${score}`);
      const own = visits.score(place.event, node);
      if (own !== null) {
        this.text("; ");
        this.happened(node, place.tick, `${this.name(node)} had the score ${own}`);
      }
      return;
    }
    const rule = ruleOf(this.shape.nodes[above]);
    if (rule === "by value") this.happened(lastNode, place.tick, `${name} ticked ${this.name(lastNode)}`);
    else if (rule === "by first" && this.shape.states(above)[0] === firstNode) this.decision(at(first), visits);
    else if (rule === "all" && visits.status(place.event) === "r") this.endedBefore(place, node, visits);
    else if (node < firstNode) {
      const isOpened = visits.isOpened(first);
      this.happened(firstNode, place.tick, `${name} ${isOpened ? "started" : "continued"} with ${this.name(firstNode)}`);
      this.text("; ");
      if (isOpened) this.decision(at(last), visits);
      else this.since(at(first), firstNode, `${this.name(firstNode)} ${visits.status(first) === "r" ? "has" : "had"} run`);
    } else this.decision(at(last), visits);
  }

  /** States that a child has ended in the run of its parent that is still running. */
  private endedBefore(place: Place, node: number, visits: Visits): void {
    const above = visits.node(place.event);
    const ended = this.lastEvent({ ...place, event: 0 }, (event) => isOwn(event, node) && event.kind !== "h");
    if (typeof ended === "object" && node !== this.asked && !this.isTranslated(ended.tick)) {
      this.returned(ended, this.visits(ended.tick));
      this.text("; ");
    }
    this.since(place, above, `${this.name(above)} has run`);
  }

  /** States which state a machine is in. */
  private inOtherState(place: Place, node: number, visits: Visits): void {
    const machine = visits.node(place.event);
    const name = this.name(machine);
    const info = this.shape.nodes[node];
    if (isChild(info) && visits.status(place.event) !== "r") return this.outcome(place, visits);
    const guard = visits.guardBefore(place.event, Infinity);
    if (info.role === "Guard" && guard >= 0 && this.guardsWith(node, visits.node(guard))) return this.brief({ ...place, event: guard }, visits);
    const state = visits.below(place.event).findLast((visit) => visits.info(visit)?.kind === "State");
    const visited = state === undefined ? undefined : visits.node(state);
    const entered = this.lastEvent({ ...place, event: Infinity }, (event) => event.node === machine && event.kind === "@");
    if (typeof entered !== "object" || this.isTranslated(entered.tick) || (visited !== undefined && this.isMissing(entered.tick, place.tick))) {
      this.happened(visited ?? machine, place.tick, `${name} was in ${this.stateName(machine, visited)}`);
      return;
    }
    const then = this.visits(entered.tick);
    const present = this.state(machine, then.events[entered.event]);
    const shown = this.stateName(machine, present);
    if (present === node) {
      this.happened(node, entered.tick, `${name} entered ${shown}`);
      const cleanup = visits.awaited(place.event);
      if (cleanup === undefined) return this.text(", after its last visit");
      this.text(", and waits for a cleanup: ");
      return this.still({ ...place, event: cleanup }, visits);
    }
    this.fact(present ?? machine, entered.tick, `${name} has been in ${shown} since tick ${this.number(entered.tick)}`);
    const within = then.within[entered.event];
    const because = within < 0 ? -1 : then.guardBefore(within, entered.event);
    if (because >= 0) {
      this.text(", because ");
      this.brief({ ...entered, event: because }, then);
    }
  }

  /** Returns whether a machine evaluates one guard in the states in which it evaluates the other. */
  private guardsWith(node: number, other: number): boolean {
    const parent = (node: number) => this.shape.nodes[node].parent;
    const above = parent(node);
    return above === parent(other) || (above !== null && this.shape.nodes[above].kind === "Machine");
  }
}

/** Returns the visit of the node that has halted a node, and the halt of the node directly below it. Nodes are halted before those above them. */
function haltedBy(event: number, visits: Visits): { parent: number; halt: number } | null {
  for (let halt = event; ; ) {
    const parent = visits.within[halt];
    if (parent < 0) return null;
    const after = visits.events.findIndex((one, index) => index >= halt && one.kind === "h" && one.node === visits.node(parent));
    if (after < 0) return { parent, halt };
    halt = after;
  }
}
