// The state of the page, and what the user can do. Each change is drawn with the next frame.

import type { Source } from "./connection";
import { Editor } from "./edit/editor";
import { type Link, readLink, writeLink } from "./link";
import type { Comparison } from "./model/compare";
import { Log } from "./model/log";
import { TickHistory, type Ticks } from "./model/history";
import type { AgentInfo, AgentList, BreakpointInfo, Checked, HoldRequest, Listing, Machine, Overview, Path, StopInfo, TreeInfo, Walk, WatchInfo } from "./model/protocol";
import type { Shape } from "./model/shape";
import { TicksIn, areVersions, nearestIn, nodeIn, shapeOf } from "./model/versions";
import { View } from "./model/view";
import { visible } from "./model/text";
import { agentName, hasThread, sleep, title } from "./model/words";
import { type Settings, isStored, loadSettings, storeSetting } from "./settings";

/** The maximum number of agents that are watched besides the selected one. */
const MAX_FOLLOWED = 16;
/** The number of versions of its tree in which the ticks of an agent are stored. */
const MAX_TRANSLATED = 2;
/** How long a message is shown, in milliseconds. */
const NOTICE_TIME = 20_000;
/** The number of ticks per second, if they have no times. */
const TICK_RATE = 20;

/** The ticks of an agent that is or was selected or followed. */
interface Watched {
  history: TickHistory;
  log: Log | null;
  /** Whether the tree was shown with a tick, or the user has moved in it. */
  isSeen: boolean;
}

export class Page {
  readonly settings: Settings = loadSettings();
  source: Source = { send: () => true, evaluates: false };
  /** The versions of all trees, by key. A later version has a larger key. */
  readonly trees = new Map<number, TreeInfo>();
  private readonly translated = new WeakMap<TickHistory, Map<TreeInfo, TicksIn>>();
  /** Its number is negative until the server has sent a list. */
  agents: AgentList = { id: -1, total: 0, matching: 0, from: 0, list: [], waiting: [], selected: null, held: false, holds: 0 };
  listing: Listing = { search: "", states: [], tree: null, node: null, machine: null, filter: null, columns: [], sort: "added", descending: false, from: 0, around: null, id: 0 };
  /** The machines that a hub shows; empty without a hub. */
  machines: Machine[] = [];
  /** The names of all machines so far, by key: one that has come back has replaced an earlier one. */
  readonly machineNames = new Map<number, string>();
  breakpoints: BreakpointInfo[] = [];
  watches: WatchInfo[] = [];
  /** The last results of checks, by expression. */
  readonly checked = new Map<string, Checked>();
  /** What all agents of a tree do, while it is shown. */
  overview: Overview | null = null;
  /** The tree whose overview was requested. */
  private overviewOf: number | null = null;
  /** The key of the selected agent. */
  selected: number | null = null;
  /** The selected agent as the server described it last. */
  agent: AgentInfo | null = null;
  /** The agents that are watched besides the selected one, in the order in which they were added. */
  followed: AgentInfo[] = [];
  readonly watched = new Map<number, Watched>();
  private view: View | null = null;
  private viewOf: Ticks | null = null;
  /** The index of the shown tick; null for the latest. */
  shown: number | null = null;
  /** The node that the keyboard operates on, and the tree in which it was chosen. */
  private chosen: { tree: TreeInfo | null; node: number } = { tree: null, node: 0 };
  /** Increases whenever the active node has to be scrolled into view. */
  reveals = 0;
  /** What the shown tick is compared with. */
  comparison: Comparison | null = null;
  /** What is searched for in the tree. */
  search = "";
  paused = false;
  /** The number of requests to pause, resume or step in this connection. The server repeats it with the state that follows. */
  holds = 0;
  stop: StopInfo | null = null;
  isRecording = false;
  connection: "connecting" | "connected" | "recording" | "lost" | "refused" = "connecting";
  /** How much of a recording the server has read, while it reads one. */
  loading: string | null = null;
  private text = "";
  private fades: ReturnType<typeof setTimeout> | undefined;
  /** Whether pausing and stepping apply to all agents. */
  holdsAll = false;
  /** The node whose breakpoint is edited. */
  menu: { tree: number; node: number } | null = null;
  help = false;
  /** While the past is played: when playing began, in milliseconds, and the index of the tick that was shown then. */
  playing: { since: number; from: number } | null = null;
  speed = 1;
  /** What to select as soon as it is known: a link, or the agent from before a restart. */
  wanted: Link | null = null;
  /** Whether the agent is about to go back. Another tick can be chosen meanwhile. */
  rewinding = false;
  /** The row of the list to select as soon as the list contains it. */
  wantedRow: number | null = null;
  /** The node and the tick of a link to the selected agent, until the tick has arrived. */
  private wantedPlace: { node: number | null; tick: number } | null = null;
  private isDirty = false;
  readonly editor: Editor = new Editor(this);

  /** `drawNow` draws the page at once, so that a key that follows reaches what has been opened or closed. */
  constructor(readonly drawNow: () => void) {
    this.wanted = readLink(location.hash);
  }

  /** A message about what the user has done last. It fades after a while. */
  get notice(): string {
    return this.text;
  }

  set notice(text: string) {
    this.text = text;
    clearTimeout(this.fades);
    if (!text) return;
    this.fades = setTimeout(() => {
      this.text = "";
      this.changed();
    }, NOTICE_TIME);
  }

  /** Draws the page with the next frame. */
  changed(): void {
    if (this.isDirty) return;
    this.isDirty = true;
    requestAnimationFrame(() => {
      this.isDirty = false;
      this.play();
      this.drawNow();
    });
  }

  /** Opens or closes the help. */
  toggleHelp(): void {
    this.help = !this.help;
    this.drawNow();
  }

  /** Opens or closes the menu for the breakpoint of a node. */
  openMenu(menu: Page["menu"]): void {
    if (menu && this.isRecording) return;
    this.menu = menu;
    this.drawNow();
  }

  /** Follows the color scheme of the system, unless the user has chosen one. */
  followScheme(dark: boolean): void {
    if (isStored("dark")) return;
    this.settings.dark = dark;
    this.changed();
  }

  set<K extends keyof Settings>(name: K, value: Settings[K]): void {
    this.settings[name] = value;
    storeSetting(this.settings, name);
    this.changed();
  }

  /** Compares the shown tick with another one, or not any longer. */
  compare(comparison: Comparison | null): void {
    this.comparison = comparison;
    this.changed();
  }

  /** Begins a comparison with the tick before, or ends the comparison. */
  toggleComparison(): void {
    this.compare(this.comparison ? null : { agent: null, moment: { kind: "earlier", ticks: 1 }, isFiltered: false });
  }

  // What is shown.

  /** The tree of the shown tick; while the latest is shown, the one that the agent has now. */
  get info(): TreeInfo | null {
    if (!this.agent) return null;
    const tick = this.isLive && !this.isRecording ? undefined : this.history?.at(this.index);
    return this.trees.get(tick?.tree ?? this.stop?.tree ?? this.agent.tree) ?? null;
  }

  /** Returns the last version of each tree. */
  currentTrees(): TreeInfo[] {
    return [...new Map([...this.trees.values()].map((tree) => [tree.first, tree])).values()];
  }

  /** The node that the keyboard operates on. In another version of the tree it is the same node, or the nearest one above that is there. */
  get active(): number {
    const { info, chosen } = this;
    return info && areVersions(chosen.tree, info) ? nearestIn(info, chosen.tree!, chosen.node) : chosen.node;
  }

  set active(node: number) {
    this.chosen = { tree: this.info, node };
  }

  /** Returns a node of a tree as a node of the shown one; null if that does not have it. */
  shownNode(tree: number, node: number): number | null {
    const [from, { info }] = [this.trees.get(tree), this];
    return from && info ? nodeIn(info, from, node) : null;
  }

  /** Returns a node of a tree, or the nearest one above it, as a node of the shown one. */
  nearestNode(tree: number, node: number): number {
    const [from, { info }] = [this.trees.get(tree), this];
    return from && info ? nearestIn(info, from, node) : 0;
  }

  shapeOf(info: TreeInfo): Shape {
    return shapeOf(info);
  }

  /** Returns the ticks of an agent with the ids of a version of its tree. */
  ticksIn(history: TickHistory, tree: TreeInfo): Ticks {
    let known = this.translated.get(history);
    if (!known) this.translated.set(history, (known = new Map()));
    let ticks = known.get(tree);
    if (!ticks) {
      // They hold translated ticks: keep those of the trees that were shown last.
      for (const oldest of known.keys()) if (known.size >= MAX_TRANSLATED) known.delete(oldest);
      known.set(tree, (ticks = new TicksIn(history, tree, this.trees)));
    }
    return ticks;
  }

  get history(): TickHistory | null {
    return this.selected === null ? null : (this.watched.get(this.selected)?.history ?? null);
  }

  /** Whether the tree of the selected agent is shown for the first time, and the user has not moved in it. */
  get isFirstView(): boolean {
    return this.selected !== null && this.watched.get(this.selected)?.isSeen === false;
  }

  /** Notes that the tree of the selected agent is no longer shown for the first time. */
  seen(): void {
    const watched = this.selected === null ? undefined : this.watched.get(this.selected);
    if (watched) watched.isSeen = true;
  }

  get isLive(): boolean {
    return this.shown === null;
  }

  /** The index of the shown tick; -1 if there is none. */
  get index(): number {
    const { history } = this;
    return this.shown ?? (history ? history.end - 1 : -1);
  }

  /** The tick in the middle of which the agent is stopped, if it is shown. */
  get unfinished() {
    return this.isLive ? (this.stop?.current ?? null) : null;
  }

  /** Returns the statuses of the nodes at the shown tick. */
  currentView(): View | null {
    const { info, history } = this;
    if (!info || !history) return null;
    const ticks = this.ticksIn(history, info);
    if (!this.view || this.viewOf !== ticks) {
      this.view = new View(info.nodes.length);
      this.viewOf = ticks;
    }
    this.view.go(ticks, this.index, this.unfinished);
    return this.view;
  }

  /** Returns the changes of the selected and the followed agents. */
  logs(): Log[] {
    const logs: Log[] = [];
    for (const agent of [this.agent, ...this.followed]) {
      const watched = agent && this.watched.get(agent.key);
      if (!watched) continue;
      watched.log ??= new Log(agent.key, watched.history, this.trees);
      watched.log.update();
      if (!logs.includes(watched.log)) logs.push(watched.log);
    }
    return logs;
  }

  /** Describes where the selected agent is. */
  where(leaves: string[]): string {
    const { info, stop, agent } = this;
    if (!info || !agent) return "";
    const over = this.whyOver();
    if (over !== null) return over;
    const stopped = this.trees.get(stop?.tree ?? agent.tree) ?? info;
    if (stop?.at) return `stopped at ${title(stopped.nodes[stop.at[0]])}: ${stop.at[1]}`;
    if (stop) return stop.why === null ? "paused before its next tick" : `paused before its next tick: ${visible(stop.why)}`;
    const asleep = this.isLive ? sleep(agent, leaves) : null;
    const isEarlier = info.key !== agent.tree;
    return visible(info.name) + (asleep ? `, ${asleep}` : isEarlier ? ", before the tree was replaced" : "");
  }

  /** All agents for which a thread waits, or that have stopped because of a value. */
  get waiting(): AgentInfo[] {
    // A resumed agent may still be in the last list.
    return this.agents.waiting.filter((agent) => !this.isGone(agent) && (agent.key !== this.selected || this.stop !== null));
  }

  /** Returns the name of the machine of an agent; null without a hub. */
  machineOf(agent: AgentInfo): string | null {
    return agent.machine === undefined ? null : (this.machineNames.get(agent.machine) ?? null);
  }

  /** Returns the name of an agent, after that of its machine if a hub shows several. */
  fullName(agent: AgentInfo): string {
    const machine = this.machineOf(agent);
    return machine === null ? agentName(agent) : `${visible(machine)} / ${agentName(agent)}`;
  }

  /** Returns whether the machine of an agent has disappeared. */
  isGone(agent: AgentInfo): boolean {
    return agent.machine !== undefined && !this.machines.some(({ key, gone }) => key === agent.machine && !gone);
  }

  /** Returns why an agent, by default the selected one, has no more ticks; null if it may have some. */
  whyOver(agent = this.agent): string | null {
    if (agent?.removed) return "removed by the program";
    return agent && this.isGone(agent) ? "its machine is gone" : null;
  }

  nameOf(key: number): string {
    return this.known(key)?.name ?? `agent ${key}`;
  }

  /** Returns the name of an agent, with that of its machine in a page of a hub. */
  fullNameOf(key: number): string {
    const agent = this.known(key);
    const machine = agent && this.machineOf(agent);
    return machine ? `${machine} / ${agent.name}` : this.nameOf(key);
  }

  private known(key: number): AgentInfo | undefined {
    return [this.agent, ...this.followed, ...this.agents.list, ...this.agents.waiting].find((agent) => agent?.key === key) ?? undefined;
  }

  // What the user does.

  select(key: number, again = false): void {
    if (key === this.selected && !again) return;
    const before = this.info;
    const known = [...this.agents.list, ...this.agents.waiting, ...this.followed].find((agent) => agent.key === key);
    Object.assign(this, { selected: key, shown: null, rewinding: false, paused: false, stop: null, playing: null });
    this.agent = known ?? (again ? this.agent : null);
    this.watch(key);
    if (!areVersions(this.info, before)) this.active = 0;
    this.source.send({ select: key });
    this.link();
    this.changed();
  }

  /** Selects the agent in a row of the list, when the list contains it. */
  selectRow(row: number): void {
    const { agents } = this;
    const agent = agents.list[row - agents.from];
    this.wantedRow = agent ? null : row;
    if (agent) this.select(agent.key);
    else this.list({ from: Math.max(0, row - 100) });
  }

  private watch(key: number): void {
    const known = this.watched.get(key);
    this.watched.delete(key);
    this.watched.set(key, known ?? { history: new TickHistory(this.isRecording), log: null, isSeen: false });
    const kept = (one: number) => one === this.selected || this.followed.some((agent) => agent.key === one);
    // Ticks of the agents that were looked at last are kept.
    for (const one of this.watched.keys()) if (this.watched.size > MAX_FOLLOWED && !kept(one)) this.watched.delete(one);
  }

  /** Watches an agent besides the selected one, or not any longer. */
  toggleFollowed(agent: AgentInfo): void {
    const without = this.followed.filter((one) => one.key !== agent.key);
    if (without.length === this.followed.length) {
      if (without.length >= MAX_FOLLOWED) return this.say(`at most ${MAX_FOLLOWED} agents can be followed`);
      without.push(agent);
    }
    this.followed = without;
    for (const { key } of without) this.watch(key);
    this.sendFollowed();
    this.changed();
  }

  sendFollowed(): void {
    this.source.send({ follow: this.followed.map((agent) => agent.key) });
  }

  list(change: Partial<Listing>): void {
    this.listing = { ...this.listing, from: 0, around: null, ...change };
    this.sendList(this.listing);
    this.changed();
  }

  sendList(listing: Listing): void {
    this.listing.id++;
    this.source.send({ list: { ...listing, search: listing.search.trim(), machine: listing.machine ?? undefined, id: this.listing.id } });
  }

  /** Shows a tick; the latest without an index. */
  goTo(index: number | null): void {
    const { history } = this;
    if (!history?.ticks.length) return;
    const last = history.end - 1;
    if (index !== null) this.rewinding = false;
    this.shown = index === null ? null : Math.min(Math.max(index, history.first), last);
    if (this.shown === last && !this.isRecording && !this.paused) this.shown = null;
    this.playing = null;
    this.link();
    this.changed();
  }

  goBy(ticks: number): void {
    if (this.history) this.goTo(this.index + ticks);
  }

  /** Plays the ticks after the shown one at their times, or stops doing so. From the last tick it starts over. */
  togglePlaying(): void {
    const { history } = this;
    if (!history?.ticks.length) return;
    if (this.playing) this.playing = null;
    else {
      const from = this.index >= history.end - 1 ? history.first : this.index;
      this.goTo(from);
      this.shown = from;
      this.playing = { since: performance.now(), from };
    }
    this.changed();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    if (this.playing) this.playing = { since: performance.now(), from: this.index };
    this.changed();
  }

  private play(): void {
    const { playing, history } = this;
    if (!playing || !history) return;
    const seconds = ((performance.now() - playing.since) / 1000) * this.speed;
    const begin = history.at(playing.from)?.now ?? history.at(history.first)?.now ?? 0;
    // Ticks without times are played at a rate of their own.
    const hasTimes = (history.ticks.at(-1)?.now ?? 0) > begin;
    const index = hasTimes ? history.indexAtTime(begin + seconds) : playing.from + Math.floor(seconds * TICK_RATE);
    this.shown = Math.min(Math.max(index, playing.from, history.first), history.end - 1);
    if (this.shown >= history.end - 1) {
      this.playing = null;
      this.goTo(history.end - 1);
    }
    this.changed();
  }

  /** Makes a node the active one, and scrolls to it. */
  activate(node: number): void {
    this.active = node;
    this.reveals++;
    this.seen();
    this.link();
    this.changed();
  }

  /** Shows a node of a tree: of the selected agent, or of another agent if it has another tree. */
  showNode(tree: number, node: number): void {
    const has = (agent: AgentInfo | null) => agent !== null && areVersions(this.trees.get(agent.tree), this.trees.get(tree));
    if (!has(this.agent)) {
      const other = this.agents.list.find(has);
      if (!other) return this.say("no listed agent has this tree");
      this.select(other.key);
    }
    // The shown tick may be of an earlier tree.
    if (this.shownNode(tree, node) === null) this.goTo(null);
    this.activate(this.nearestNode(tree, node));
  }

  /** Whether pausing and stepping have an effect. */
  get canHold(): boolean {
    return this.selected !== null && this.connection === "connected" && (this.holdsAll || this.whyOver() === null);
  }

  /** Whether the agent, or any of all, is held. */
  get isHeld(): boolean {
    return this.paused || (this.holdsAll && this.agents.held);
  }

  togglePaused(): void {
    if (!this.canHold) return;
    this.notice = "";
    const key = this.holdsAll ? null : this.selected;
    this.hold(this.isHeld ? { resume: key } : { pause: key });
    // The server confirms it; a second key may come before.
    const held = !this.isHeld;
    if (this.holdsAll) this.agents.held = held;
    this.paused = held;
    this.goTo(null);
  }

  step(): void {
    if (!this.canHold) return;
    this.hold({ step: this.holdsAll ? null : this.selected });
    this.goTo(null);
  }

  /** Runs a part of the current tick of the agent, or of its next tick. */
  walk(how: Walk): void {
    if (!this.canHold || this.selected === null || this.whyOver() !== null) return;
    this.hold({ walk: { agent: this.selected, how } });
    this.goTo(null);
  }

  /** Whether the program lets pages take the agent back. */
  get canRewind(): boolean {
    return this.connection === "connected" && this.agent?.past !== undefined && this.whyOver() === null;
  }

  /** Stores the past of the agent, or of all, with this number of ticks between two snapshots; 0 ends it. */
  keepPast(every: number): void {
    this.source.send({ past: { agent: this.holdsAll ? null : this.selected, every } });
  }

  /** Takes the agent, or all of them, back to before the shown tick. */
  rewind(): void {
    const { tick, at } = this.history?.at(this.index) ?? {};
    if (this.selected === null || tick === undefined || !this.canRewind) return;
    // The agents of other machines go by the time of day.
    this.source.send({ rewind: { agent: this.selected, tick, all: this.holdsAll, at: this.machines.length ? at : undefined } });
    this.goTo(null);
    this.rewinding = true;
    this.say(`back to before tick ${tick}: the next tick repeats it`);
  }

  /** Resumes an agent, selected or not. */
  resume(key: number): void {
    this.hold({ resume: key });
    if (key === this.selected) this.paused = false;
    this.changed();
  }

  private hold(request: HoldRequest): void {
    this.holds += 1;
    this.source.send(request);
  }

  breakpointOf(tree: number, node: number): BreakpointInfo | undefined {
    const of = this.trees.get(tree);
    return this.breakpoints.find((one) => {
      const other = one.tree === tree ? of : this.trees.get(one.tree);
      return of && other && nodeIn(of, other, one.node) === node;
    });
  }

  /** Sets or, without triggers, removes a breakpoint. */
  setBreakpoint({ tree, node, on, agent, disabled, skip, condition }: Omit<BreakpointInfo, "hits">): void {
    this.source.send({ break: { tree, breakpoint: { node, on, agent, disabled, skip, condition } } });
    // A switch shows its state at once, also while ticks arrive before the answer.
    this.breakpoints = this.breakpoints.map((one) => (one.tree === tree && one.node === node ? { ...one, disabled } : one));
    this.changed();
  }

  /** Stops agents when a value changes, or removes that. */
  setWatch({ tree, expression, agent, disabled }: Omit<WatchInfo, "hits">, remove = false): void {
    this.source.send({ watch: { tree, watch: { expression, agent, disabled }, remove } });
    this.watches = this.watches.map((one) => (one.tree === tree && one.expression === expression && one.agent === agent ? { ...one, disabled } : one));
    this.changed();
  }

  removeBreakpoints(): void {
    for (const breakpoint of this.breakpoints) this.setBreakpoint({ ...breakpoint, on: [] });
    for (const watch of this.watches) this.setWatch(watch, true);
  }

  /** Has an expression checked with the values of the selected agent. The result arrives in `checked`. */
  check(expression: string, condition: boolean): void {
    if (this.selected !== null) this.source.send({ check: { agent: this.selected, expression, condition } });
  }

  /** Requests what all agents of the shown tree do, or ends that. */
  requestOverview(again = false): void {
    const tree = this.settings.heat === "all" ? (this.agent?.tree ?? null) : null;
    if (tree === this.overviewOf && !again) return;
    this.overviewOf = tree;
    if (this.overview?.tree !== tree) this.overview = null;
    this.source.send({ overview: tree });
  }

  edit(path: Path, value: unknown): void {
    if (this.selected === null) return;
    // A thread that waits applies it after its next tick.
    this.notice = hasThread(this.agent) ? `${path.join(".")} is changed after the next tick` : "";
    if (!this.source.send({ edit: { agent: this.selected, path, value } })) this.notice = `${path.join(".")}: the new value is too large`;
    this.changed();
  }

  say(notice: string): void {
    this.notice = notice;
    this.changed();
  }

  /** Writes what is shown into the address, so that it can be copied. */
  private link(): void {
    const { agent, active, shown, history } = this;
    if (!agent || this.playing) return;
    const tick = shown === null ? null : (history?.at(shown)?.tick ?? null);
    const hash = writeLink({ agent: agent.name, node: active || tick !== null ? active : null, tick });
    if (hash !== location.hash) window.history.replaceState(null, "", hash);
  }

  /** Goes to what a link names. */
  follow(link: Link | null): void {
    if (!link) return;
    this.wanted = link;
    const listed = this.agents.list.find((agent) => agent.name === link.agent);
    if (this.agent?.name === link.agent) this.arrive();
    else if (listed) {
      this.select(listed.key);
      this.wanted = link;
      this.arrive();
    } else this.sendList({ ...this.listing, search: link.agent, from: 0 });
  }

  /** Goes to the node and, when it has arrived, the tick of the link. */
  arrive(): void {
    const { wanted, info } = this;
    this.wanted = null;
    if (!wanted || !info) return;
    const { node, tick } = wanted;
    if (node !== null) this.showWanted(node, tick === null);
    this.wantedPlace = tick === null ? null : { node, tick };
    this.goToWanted();
    this.changed();
  }

  /** Selects a node of the shown tree. */
  private showWanted(node: number, isLast: boolean): void {
    if (node < (this.info?.nodes.length ?? 0)) {
      this.active = node;
      this.reveals++;
      this.seen();
    } else if (isLast) this.say(`the tree has no node ${node}`);
  }

  goToWanted(): void {
    const { history, wantedPlace } = this;
    const last = history?.ticks.at(-1);
    if (!wantedPlace || !history || !last || (last.tick < wantedPlace.tick && !this.isRecording)) return;
    this.wantedPlace = null;
    const { node, tick } = wantedPlace;
    this.goTo(history.indexOf(tick));
    // The tree may be another one in this tick.
    if (node !== null) this.showWanted(node, true);
    this.link();
    if (history.at(this.index)?.tick !== tick) this.say(`tick ${tick} is not stored`);
  }

  /** Returns the names of nodes of the shown tree. */
  titles(nodes: number[]): string[] {
    return nodes.map((node) => title(this.info!.nodes[node]));
  }
}

