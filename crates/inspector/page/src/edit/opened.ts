// The document that is edited: what the server has sent of it, what is shown and selected. It belongs to the state of the page.

import type { TreeInfo } from "../model/protocol";
import { visible } from "../model/text";
import { areVersions, nodeIn } from "../model/versions";
import type { Page } from "../page";
import { Model, type Row, type Spot, nodeTitle, roots, treeName } from "./model";
import type { Purpose } from "./palette";
import type { Drop, Where } from "./places";
import type { DocumentInfo, DocumentKey, EditRequest, EditUpdates, Entry, Language, Problem, Rollout } from "./protocol";
import { type Anchor, anchorsOf, documentNames, documentOf, runningNodes } from "./running";
import { Selection } from "./selection";

/** What is open above the editor. */
export type Dialog =
  | { kind: "palette"; purpose: Purpose; where: Where | null }
  | { kind: "name"; what: "extract" | "create" | "rename"; id: number; name: string }
  | { kind: "source"; as: Language }
  | { kind: "into" };

/** Why nothing can be edited, although the document is shown: the program cannot be reached, or is another one. */
export type Gone = "lost" | "refused" | "restarted";

/** What is edited in the row of a node. */
export interface Inline {
  node: number;
  what: "label" | "note";
}

/** The result of a check of an operation. */
export interface Tried {
  error: string | null;
  problems: Problem[];
}

/** What is dragged, and where it would be dropped. */
export interface Drag {
  nodes: number[];
  drop: (Drop & { over: Spot }) | null;
}

/** How long an answer is awaited, in milliseconds. */
const PATIENCE = 3000;
/** What is said of changes while nothing can be edited. */
const UNREACHABLE: Record<Gone, string> = {
  lost: "nothing was changed: the program has ended, or cannot be reached",
  refused: "nothing was changed: the program was restarted at another address",
  restarted: "nothing was changed: the program was restarted",
};

export abstract class Opened {
  documents: DocumentInfo[] = [];
  /** The document that is edited. */
  opened: DocumentKey | null = null;
  model: Model | null = null;
  private readonly palettes = new Map<DocumentKey, Entry[]>();
  /** The tree of the document that is shown. */
  tree: number | null = null;
  readonly selection = new Selection();
  /** Increases whenever the active row has to be scrolled into view. */
  reveals = 0;
  folds: ReadonlySet<number> = new Set();
  dialog: Dialog | null = null;
  inline: Inline | null = null;
  drag: Drag | null = null;
  /** Where the menu of the nodes is open. */
  menu: { x: number; y: number } | null = null;
  /** Whether the difference is shown. */
  showsDifference = false;
  /** Whether the tree gets the focus as soon as it is there: what was inserted is edited by keys. */
  wantsFocus = false;
  readonly tried = new Map<number, Tried>();
  protected askedSource = 0;
  source: { id: number; text: string; error: string | null } | null = null;
  abstract readonly clipboard: { received: (id: number, text: string) => void };
  protected nextId = 1;
  /** Nodes to select as soon as the document has them. */
  private wanted: number[] = [];
  /** The name of a tree to show as soon as the document has it. */
  protected wantedTree: string | null = null;
  /** Where the nodes were in the text that was applied last. */
  private anchors: ReadonlyMap<number, Anchor> | null = null;
  private running: { anchors: ReadonlyMap<number, Anchor>; info: TreeInfo; latest: TreeInfo; nodes: Map<number, number[]> } | null = null;
  /** The tree that the selected agent had when a document was chosen for it, with its machine. */
  protected chosenFor: string | null = null;
  /** What the machines have of the opened document. */
  rollout: Rollout | null = null;
  /** Whether the user has opened the document, not that of the shown tree. */
  protected isPicked = false;
  /** What is done as soon as the server has answered a change: the nodes may be others then. */
  private later: (() => void)[] | null = null;
  /** The number of changes that were sent, and neither accepted nor refused yet. */
  private sent = 0;
  /** The tree that was shown when the last change was sent. */
  private treeOfChange: number | null = null;
  /** Whether the user has selected something since the last change was sent. */
  private hasSelected = false;
  private names: { of: DocumentInfo[]; names: Map<DocumentKey, string> } | null = null;
  /** Whether the connection is another one than that of the opened document. */
  private isStale = false;
  gone: Gone | null = null;
  /** Whether the program was started again while the page was open: the token is that of the earlier run. */
  private wasRestarted = false;
  /** The tree that another document gets, as soon as its text is there. */
  protected into: { id: number; document: DocumentKey; name: string } | null = null;

  constructor(readonly page: Page) {}

  // What is shown.

  get document(): DocumentInfo | null {
    return this.documents.find(({ key }) => key === this.opened) ?? null;
  }

  /** The names of documents, which are distinct. */
  get documentNames(): ReadonlyMap<DocumentKey, string> {
    if (this.names?.of !== this.documents) this.names = { of: this.documents, names: documentNames(this.documents, this.page.machineNames) };
    return this.names.names;
  }

  /** The document that is the source of the shown tree. */
  get ofShownTree(): DocumentInfo | null {
    const { info, agent } = this.page;
    return info && documentOf(this.documents, info, agent?.machine);
  }

  /** Whether the opened document has nodes of the shown tree. */
  get isOfShownTree(): boolean {
    const { document } = this;
    const { info, agent } = this.page;
    return info !== null && document !== null && document.machine === agent?.machine && document.trees.includes(info.first);
  }

  /** Whether there is nothing but documents. */
  get isAlone(): boolean {
    const { page } = this;
    return this.documents.length > 0 && page.agents.id >= 0 && page.agents.total === 0 && page.selected === null;
  }

  get isAvailable(): boolean {
    return this.documents.length > 0;
  }

  /** Why no document can be changed; null if one can. */
  get whyNotEditable(): string | null {
    const { documents, page } = this;
    if (page.isRecording || !documents.length || documents.some(({ edit }) => edit)) return null;
    if (!new URLSearchParams(location.search).has("token")) return "to edit, open the address with the token";
    if (this.wasRestarted) return "to edit, open the new address";
    return page.machines.length ? "the hub, or the programs of the machines, do not allow editing" : "the program does not allow editing";
  }

  /** An agent whose tree has no document is only looked at, unless the user wants another document. */
  get isShown(): boolean {
    return this.isAlone || (this.isAvailable && this.page.settings.edit && (this.isPicked || this.ofShownTree !== null));
  }

  get entries(): readonly Entry[] {
    return (this.opened !== null && this.palettes.get(this.opened)) || [];
  }

  get rows(): Row[] {
    return this.model && this.tree !== null ? this.model.rows(this.tree, this.folds) : [];
  }

  /** The selected nodes without those below others, in the order of the text. */
  get nodes(): number[] {
    return this.model?.topmost(this.selection.nodes) ?? [];
  }

  /** The only selected node. */
  get node(): number | null {
    const { active, nodes } = this.selection;
    return active && active.list === null && nodes.size <= 1 ? active.node : null;
  }

  /** Whether the server offers an operation for the selected node. */
  can(operation: string): boolean {
    return this.node !== null && this.model?.of(this.node)?.node.can.includes(operation) === true;
  }

  /** Returns the nodes of the shown tree by the nodes of the document. */
  get runningNodes(): ReadonlyMap<number, readonly number[]> {
    const [{ anchors, document, running }, { info }] = [this, this.page];
    if (!anchors || !document || !info || !this.isOfShownTree) return new Map();
    const latest = this.page.currentTrees().find((tree) => areVersions(tree, info)) ?? info;
    if (running?.anchors !== anchors || running.info !== info || running.latest !== latest) {
      // The shown tick may be of an earlier tree.
      const inShown = (nodes: number[]) => nodes.map((node) => nodeIn(info, latest, node)).filter((node) => node !== null);
      this.running = { anchors, info, latest, nodes: new Map([...runningNodes(anchors, document, latest)].map(([id, nodes]) => [id, inShown(nodes)])) };
    }
    return this.running!.nodes;
  }

  // What the server sends.

  readonly receives: { [K in keyof EditUpdates]: (content: EditUpdates[K]) => void } = {
    documents: (documents) => {
      this.documents = documents;
      if (this.gone === "restarted") return;
      if (this.isStale && this.document) this.send({ open: this.opened });
      if (this.opened !== null && !this.document) this.close();
      this.isStale = false;
      this.choose();
    },
    palette: ({ document, entries }) => {
      this.palettes.set(document, entries);
    },
    document: (state) => {
      if (state.key !== this.opened) return;
      const before = this.model;
      const near = this.neighbor(before);
      const edited = this.inline?.node ?? (globalThis.document.activeElement?.closest("#fields") ? this.node : null);
      this.model = new Model(state);
      if (edited !== null && !this.sent && before?.of(edited) && !this.model.of(edited)) {
        this.inline = null;
        this.page.notice = `${visible(nodeTitle(before.of(edited)!.node))}, which was edited here, is gone: it was removed elsewhere`;
      }
      if (state.applied || !this.anchors) this.anchors = anchorsOf(this.model);
      if (!this.model.tree(this.tree)) this.tree = this.storedTree() ?? this.treeThatRuns() ?? state.trees[0]?.id ?? null;
      this.selection.keep(this.model, this.tree, near);
      this.selectWanted();
      const created = state.trees.find((tree) => treeName(tree) === this.wantedTree);
      if (created) {
        this.wantedTree = null;
        this.showTree(created.id);
      }
    },
    changed: ({ document, select }) => {
      if (this.into?.document === document) {
        this.page.notice = `${this.into.name} is in ${this.documentNames.get(document)} now`;
        this.into = null;
      }
      if (document !== this.opened) return this.settled();
      // The user may have gone to another tree or node meanwhile.
      if (this.tree === this.treeOfChange && !this.hasSelected) {
        this.wanted = select;
        this.selectWanted();
      }
      // The document has arrived before.
      this.settled();
    },
    refused: ({ message }) => {
      this.settled();
      this.wantedTree = null;
      this.into = null;
      this.page.notice = message;
    },
    tried: ({ id, error, problems }) => {
      // A few fields are checked at a time.
      if (this.tried.size > 20) this.tried.clear();
      this.tried.set(id, { error, problems });
    },
    copied: ({ id, text }) => {
      if (this.into?.id === id) this.createElsewhere(text);
      else this.clipboard.received(id, text);
    },
    source: (source) => {
      if (this.into?.id === source.id && source.error === null) this.createElsewhere(source.text);
      else if (this.into?.id === source.id) {
        this.into = null;
        this.page.notice = source.error!;
      }
      if (source.id === this.askedSource) this.source = source;
    },
    rollout: (rollout) => {
      this.rollout = rollout;
    },
  };

  /** Returns a function that finds the node to select when the active one vanishes: the one after it, before it, or around it. */
  private neighbor(before: Model | null): () => number | null {
    const { active } = this.selection;
    return () => {
      const now = this.model!;
      const first = () => roots(now.tree(this.tree) ?? { id: 0, name: "", title: null, broken: null, root: null, loose: [] })[0]?.id ?? null;
      if (!before || !active) return first();
      for (let at: number | null = active.node; at !== null; at = before.ancestors(at)[0] ?? null) {
        const siblings = before.siblings(at).map(({ id }) => id);
        const index = siblings.indexOf(at);
        const near = [...siblings.slice(index), ...siblings.slice(0, index).reverse()].find((id) => now.of(id));
        if (near !== undefined) return near;
      }
      return first();
    };
  }

  private selectWanted(): void {
    const { model, wanted } = this;
    if (!model || !wanted.length || !wanted.every((id) => model.of(id) || model.tree(id))) return;
    this.wanted = [];
    const nodes = wanted.filter((id) => model.of(id));
    // A tree that was created or renamed.
    const tree = nodes.length ? model.of(nodes[0])!.tree.id : wanted[0];
    if (tree !== this.tree) this.showTree(tree);
    if (nodes.length) this.select(nodes);
  }

  /** The shown tree, and the machine of its agent. */
  protected get shownTree(): string | null {
    const { info, agent } = this.page;
    return info && `${info.first} ${agent?.machine ?? ""}`;
  }

  /** Opens the document of the shown tree, or the one that was opened last. */
  choose(): void {
    const { page, ofShownTree: source } = this;
    if (!this.isShown || this.gone === "restarted") return;
    const of = this.shownTree;
    if (!this.isAlone && of !== this.chosenFor && source) {
      // A page that was reloaded shows what it has shown before.
      const isFirst = this.chosenFor === null && source.name === page.settings.document;
      this.chosenFor = of;
      this.isPicked = false;
      this.open(source.key);
      const runs = isFirst ? null : this.treeThatRuns();
      if (!isFirst) page.set("tree", "");
      if (runs !== null) this.showTree(runs);
    } else if (this.opened === null) {
      const last = this.documents.find(({ name }) => name === page.settings.document);
      this.open((last ?? source ?? this.documents[0]).key);
    } else if (!this.isAlone && of !== this.chosenFor && of !== null) {
      // The tree of another agent has no document.
      this.chosenFor = of;
      this.isPicked = false;
      page.changed();
    }
  }

  /** Asks again for what is edited as soon as the server lists its documents. */
  connected(): void {
    this.tried.clear();
    this.isStale = true;
    if (this.gone !== "restarted") this.gone = null;
  }

  /** Shows what was not saved for as long as it cannot be. */
  disconnected(why: "lost" | "refused"): void {
    if (this.gone === null && this.isUnsaved) this.showsDifference = true;
    if (this.gone === null && this.sent) this.page.notice = "the connection was lost: the last change may be missing";
    // Its edits are lost, whatever becomes of the connection.
    if (this.gone !== "restarted") this.gone = why;
    this.into = null;
    this.answered();
  }

  /** Keeps what was not saved in the program before. */
  restarted(): void {
    this.wasRestarted = true;
    if (!this.isUnsaved) return;
    this.gone = "restarted";
    this.showsDifference = true;
  }

  /** Shows what the program has now that it was started again. */
  takeCurrent(): void {
    this.gone = null;
    this.showsDifference = false;
    this.close();
    this.choose();
    this.page.changed();
  }

  get isUnsaved(): boolean {
    return this.model !== null && !this.model.state.saved;
  }

  // What the user does.

  protected send(request: EditRequest): boolean {
    if (this.gone) {
      this.page.say(UNREACHABLE[this.gone]);
      return false;
    }
    const isSent = this.page.source.send(request);
    if (!isSent) this.page.say("this change is too large for one message");
    return isSent;
  }

  /** Delays what is done next, until the document has arrived that the change results in. */
  protected awaitAnswer(): void {
    const later = (this.later ??= []);
    this.sent++;
    this.treeOfChange = this.tree;
    this.hasSelected = false;
    // There may be none.
    setTimeout(() => this.later === later && this.answered(), PATIENCE);
  }

  private createElsewhere(text: string): void {
    const { document, name } = this.into!;
    this.send({ change: { document, operations: [{ op: "create", name, text }] } });
  }

  /** Whether the answer to a change has not arrived. */
  get isWaiting(): boolean {
    return this.later !== null;
  }

  private settled(): void {
    this.sent = Math.max(this.sent - 1, 0);
    if (!this.sent) this.answered();
  }

  private answered(): void {
    const { later } = this;
    this.later = null;
    this.sent = 0;
    later?.forEach((act) => this.soon(act));
  }

  /** Does something with what is selected: at once, or when the server has answered what was done before. */
  soon(act: () => void): void {
    if (this.later) this.later.push(act);
    else act();
  }

  open(key: DocumentKey): void {
    if (key === this.opened) return;
    this.close();
    this.opened = key;
    this.isPicked = this.document !== this.ofShownTree;
    this.page.set("document", this.document?.name ?? "");
    this.send({ open: key });
    this.page.changed();
  }

  private close(): void {
    Object.assign(this, { opened: null, model: null, tree: null, dialog: null, inline: null, menu: null, drag: null, folds: new Set(), wanted: [], anchors: null });
    this.selection.nodes = new Set();
    this.selection.active = null;
  }

  private storedTree(): number | null {
    const { tree } = this.page.settings;
    return this.model!.state.trees.find((one) => treeName(one) === tree)?.id ?? null;
  }

  showTree(tree: number): void {
    if (!this.model?.tree(tree)) return;
    this.tree = tree;
    this.page.set("tree", treeName(this.model.tree(tree)!));
    const [root] = roots(this.model.tree(tree)!);
    this.selection.nodes = new Set();
    this.selection.active = null;
    if (root) this.selection.only({ node: root.id, list: null });
    this.reveals++;
    this.page.changed();
  }

  /** Returns the tree of the document that the shown tree begins with. */
  private treeThatRuns(): number | null {
    const firsts = [...this.runningNodes].map(([id, nodes]) => [Math.min(...nodes), id] as const);
    const [first] = firsts.sort(([a], [b]) => a - b);
    return first ? this.model!.of(first[1])?.tree.id ?? null : null;
  }

  /** Selects nodes, and scrolls to the first. */
  select(nodes: number[]): void {
    this.selection.all(nodes);
    this.reveal();
  }

  /** Shows a node, wherever it is. */
  show(node: number): void {
    const place = this.model?.of(node);
    if (!place) return;
    if (place.tree.id !== this.tree) this.showTree(place.tree.id);
    this.select([node]);
  }

  /** Scrolls to the active row, which must not be inside a collapsed one. */
  reveal(): void {
    const { active } = this.selection;
    const above = active && this.model ? this.model.ancestors(active.node).concat(active.list === null ? [] : active.node) : [];
    if (above.some((node) => this.folds.has(node))) this.folds = new Set([...this.folds].filter((node) => !above.includes(node)));
    this.reveals++;
    this.page.changed();
  }

  toggleFold(node: number): void {
    const folds = new Set(this.folds);
    if (!folds.delete(node)) folds.add(node);
    this.folds = folds;
    // What is inside a collapsed node has no row.
    const { active } = this.selection;
    if (active && folds.has(node) && (this.model?.ancestors(active.node).includes(node) || (active.node === node && active.list !== null))) this.selection.only({ node, list: null });
    this.page.changed();
  }

  /** Collapses all nodes below a depth; without one, none. */
  foldBelow(depth: number | null): void {
    const { model, tree } = this;
    const isFolded = (node: number) => depth !== null && model!.of(node)!.depth >= depth && model!.of(node)!.node.lists.length > 0;
    this.folds = new Set(model && tree !== null ? model.nodes(tree).filter(isFolded) : []);
    this.reveal();
  }

  say(notice: string): void {
    this.page.say(notice);
  }

  title(node: number): string {
    const place = this.model?.of(node);
    return place ? visible(nodeTitle(place.node)) : "the node";
  }

  /** Moves the active row. */
  go(spot: Spot, how: "only" | "extend" | "move" | "toggle"): void {
    if (how === "extend") this.selection.extend(spot, this.rows);
    else this.selection[how](spot);
    this.hasSelected = true;
    this.reveal();
  }
}
