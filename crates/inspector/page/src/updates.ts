// What the server sends, and what it changes in the page.

import type { Connected } from "./connection";
import type { AgentInfo, BreakpointInfo, Column, TreeInfo, Updates, WatchInfo } from "./model/protocol";
import { REPLACED, replacedText } from "./model/log";
import { areVersions, nodeIn } from "./model/versions";
import type { Page } from "./page";
import { download } from "./save";
import { followFolds } from "./ui/folding";

/** Returns whether a column is about a node, which another program does not have. */
function isOfNode(column: Column): boolean {
  return typeof column === "object" && ("running" in column || "visited" in column);
}

/** The number of versions of trees from which on those that nothing refers to are forgotten. */
const MAX_TREES = 100;

export class Receiver {
  /** Differs after a restart of the program. */
  private session: number | null = null;
  /** The trees and breakpoints before a restart, with the names of their agents. */
  private treesBefore = new Map<number, TreeInfo>();
  private breakpointsBefore: (BreakpointInfo & { name: string | null })[] = [];
  private watchesBefore: (WatchInfo & { name: string | null })[] = [];
  private readonly handlers: { [K in keyof Updates]: (content: Updates[K]) => void };

  constructor(private readonly page: Page) {
    this.handlers = {
      hello: ({ recording, session }) => {
        // A program that has been restarted has other agents, and none of the breakpoints.
        const isRestarted = this.session !== null && this.session !== session;
        this.session = session;
        if (isRestarted) {
          const name = (agent: number | null) => (agent === null ? null : page.nameOf(agent));
          this.breakpointsBefore = page.breakpoints.map((breakpoint) => ({ ...breakpoint, name: name(breakpoint.agent) }));
          this.watchesBefore = page.watches.map((watch) => ({ ...watch, name: name(watch.agent) }));
          this.treesBefore = new Map(page.trees);
          page.notice = "";
          page.editor.restarted();
        }
        // Ticks that are still here may be of trees that the server has forgotten.
        if (isRestarted) page.trees.clear();
        page.isRecording = recording;
        page.loading = null;
        if (recording) page.connection = "recording";
        if (isRestarted) {
          page.wanted = page.agent && { agent: page.agent.name, node: page.active || null, tick: null };
          page.watched.clear();
          page.machineNames.clear();
          Object.assign(page, { selected: null, agent: null, followed: [], machines: [] });
          page.listing = { ...page.listing, tree: null, node: null, machine: null, from: 0, columns: page.listing.columns.filter((column) => !isOfNode(column)), sort: "added" };
        } else if (page.selected !== null) page.select(page.selected, true);
        if (!isRestarted) page.sendFollowed();
        page.requestOverview(true);
        page.sendList(page.wanted ? { ...page.listing, search: page.wanted.agent, states: [] } : page.listing);
      },
      loading: (text) => {
        page.loading = text;
        // The agent of a link may be there now.
        if (text === null && page.wanted) page.sendList({ ...page.listing, search: page.wanted.agent, states: [] });
      },
      trees: (list) => {
        for (const info of list) {
          const before = page.currentTrees().find((tree) => areVersions(tree, info));
          page.trees.set(info.key, info);
          if (before && before.key < info.key) this.replaced(before, info);
        }
        if (page.trees.size > MAX_TREES) this.forgetTrees();
      },
      machines: (list) => {
        page.machines = list;
        for (const { key, name } of list) page.machineNames.set(key, name);
        const { machine } = page.listing;
        if (machine != null && !list.some(({ key }) => key === machine)) page.list({ machine: null });
        this.succeed();
      },
      agents: (content) => {
        const before = page.waiting;
        // A state from before the last request is not shown.
        const all = [content.selected, ...content.list, ...content.waiting];
        const held = content.holds < page.holds ? page.agents.held : content.held || all.some((agent) => agent?.held);
        page.agents = { ...content, held };
        if (this.breakpointsBefore.length || this.watchesBefore.length) this.restoreBreakpoints(content.list);
        // The list is limited and filtered, so it may not contain the selected agent.
        const selected = all.find((agent) => agent?.key === page.selected);
        if (selected) page.agent = selected;
        page.followed = page.followed.map((agent) => all.find((one) => one?.key === agent.key) ?? agent);
        if (this.succeed()) return;
        // Select an agent that has reached a breakpoint, or that another page has paused.
        const isNew = (agent: AgentInfo) => agent.key !== page.selected && !before.some((one) => one.key === agent.key);
        if (page.wantedRow !== null && content.id === page.listing.id) page.selectRow(page.wantedRow);
        const waiting = page.waiting.find((agent) => isNew(agent) && (agent.held === "stopped" || agent.why !== undefined || !content.held));
        if (waiting && !page.agent?.held && page.selected !== null) return page.select(waiting.key);
        if (page.wanted) {
          const link = page.wanted;
          const same = content.list.find((agent) => agent.name === link.agent);
          // The list may not have been searched for the agent yet, or the recording is still being read.
          if (!same && (content.id !== page.listing.id || page.loading !== null)) return;
          page.wanted = null;
          page.sendList(page.listing);
          if (same) {
            page.select(same.key);
            page.wanted = link;
            return page.arrive();
          }
          page.say(`there is no agent “${link.agent}”`);
          // The first agent is selected when the whole list arrives.
          return;
        }
        if (page.selected === null && content.list.length) page.select((waiting ?? content.list[0]).key);
      },
      ticks: ({ agent, list }) => {
        const watched = page.watched.get(agent);
        if (!watched) return;
        watched.history.add(list);
        if (agent === page.selected && list.some((tick) => tick.rewound !== undefined)) Object.assign(page, { notice: "", rewinding: false });
        if (agent !== page.selected) return;
        if (page.shown !== null && page.shown < watched.history.first) {
          page.shown = watched.history.first;
          page.notice = "the shown tick is no longer stored";
        }
        page.goToWanted();
      },
      pause: ({ agent, paused, stop, holds }) => {
        if (agent !== page.selected || holds < page.holds) return;
        const isStopped = stop?.at && !page.stop?.at;
        Object.assign(page, { paused, stop });
        if (!isStopped) return;
        Object.assign(page, { shown: null, playing: null });
        page.activate(stop.at![0]);
        if (stop.current) page.history?.stoppedIn(stop.current.tick);
      },
      present: ({ agent, values }) => {
        const watched = page.watched.get(agent);
        if (watched) watched.history.present = values ?? undefined;
      },
      breakpoints: (list) => {
        page.breakpoints = list;
      },
      watches: (list) => {
        page.watches = list;
      },
      checked: (checked) => {
        // A few fields are checked at a time.
        if (page.checked.size > 20) page.checked.clear();
        page.checked.set(checked.expression, checked);
      },
      test: (source) => {
        download(`${/fn (\w+)/.exec(source)?.[1] ?? "test"}.rs`, source, "text/plain");
      },
      overview: (overview) => {
        page.overview = overview;
      },
      edited: ({ path, error }) => {
        page.notice = error === null ? "" : `${path.join(".")}: ${error}`;
      },
      lost: (key) => {
        if (key === page.selected) Object.assign(page, { selected: null, agent: null });
      },
      error: (message) => {
        page.rewinding = false;
        page.notice = message;
      },
      ...page.editor.receives,
    };
  }

  /** Forgets the versions of trees that nothing refers to. */
  private forgetTrees(): void {
    const { page } = this;
    const used = new Set(page.currentTrees().map((tree) => tree.key));
    for (const { history } of page.watched.values()) for (const tick of history.ticks) used.add(tick.tree);
    for (const column of page.listing.columns) if (isOfNode(column)) for (const [tree] of Object.values(column)) used.add(tree);
    for (const key of page.trees.keys()) if (!used.has(key)) page.trees.delete(key);
  }

  /** Goes on with another version of a tree. */
  private replaced(from: TreeInfo, to: TreeInfo): void {
    const { page } = this;
    if (page.isRecording) return;
    followFolds(page, from, to);
    const { tree, node, columns } = page.listing;
    const move = ([of, node]: [number, number]): [number, number] => {
      const there = page.trees.has(of) ? nodeIn(to, page.trees.get(of)!, node) : null;
      return there === null ? [of, node] : [to.key, there];
    };
    const moved = columns.map((column) => (typeof column !== "object" ? column : "running" in column ? { running: move(column.running) } : "visited" in column ? { visited: move(column.visited) } : column));
    const isListed = areVersions(tree === null ? null : page.trees.get(tree), to);
    const [listed, at] = isListed ? (node === null ? [to.key, null] : move([tree!, node])) : [tree, node];
    page.listing = { ...page.listing, tree: listed, node: at, columns: moved };
    if (isListed || columns.some(isOfNode)) page.sendList(page.listing);
    if (areVersions(page.info, to)) page.say(`${REPLACED}: ${replacedText(page.trees, from, to)}`);
  }

  /** Selects the agent that has taken the place of the selected one: it has another tree, or its machine is back. Returns whether there is one. */
  private succeed(): boolean {
    const { page } = this;
    const { agent, active, info } = page;
    // The past of an agent whose machine was gone stays while it is shown.
    if (!agent || page.whyOver() === null || (!agent.removed && !page.isLive)) return false;
    const successor = page.agents.list.find((one) => one.name === agent.name && page.machineOf(one) === page.machineOf(agent) && page.whyOver(one) === null);
    if (!successor) return false;
    page.select(successor.key);
    if (info && page.info?.fingerprint === info.fingerprint) page.active = active;
    return true;
  }

  connected(connection: Connected): void {
    const { page } = this;
    page.connection = connection;
    page.holds = 0;
    if (connection === "connected") page.editor.connected();
    else {
      page.editor.disconnected(connection);
      page.stop = null;
      if (page.playing === null && page.isLive) page.paused = false;
    }
    page.changed();
  }

  receive<K extends keyof Updates>(kind: K, content: Updates[K]): void {
    (this.handlers as Record<K, (content: Updates[K]) => void>)[kind]?.(content);
    this.page.changed();
  }

  /**
   * Sends all breakpoints to a program that has been restarted, for trees with the same names. A breakpoint for an agent that is not listed is disabled: it must
   * not stop others.
   */
  private restoreBreakpoints(agents: AgentInfo[]): void {
    const { page } = this;
    const key = (name: string | null) => (name === null ? null : (agents.find((agent) => agent.name === name)?.key ?? null));
    const trees = (key: number) => {
      const was = this.treesBefore.get(key);
      // The keys are the same if the program registers its trees in the same order, and has replaced none.
      const same = page.currentTrees().filter((tree) => tree.name === was?.name);
      return [was, same.find((tree) => tree.key === key) ?? same[0]];
    };
    for (const { name, ...breakpoint } of this.breakpointsBefore) {
      const [was, is] = trees(breakpoint.tree);
      const isSame = is && was!.nodes[breakpoint.node]?.name === is.nodes[breakpoint.node]?.name;
      const agent = key(name);
      if (isSame) page.setBreakpoint({ ...breakpoint, tree: is.key, agent, disabled: breakpoint.disabled || (name !== null && agent === null) });
    }
    for (const { name, ...watch } of this.watchesBefore) {
      const [, is] = trees(watch.tree);
      const agent = key(name);
      if (is) page.setWatch({ ...watch, tree: is.key, agent, disabled: watch.disabled || (name !== null && agent === null) });
    }
    this.watchesBefore = [];
    this.breakpointsBefore = [];
  }
}
