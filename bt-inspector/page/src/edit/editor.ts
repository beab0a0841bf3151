// The document that is edited: what the server has sent of it, what is selected, and what the user can do. It belongs to the state of the page.

import type { TreeInfo } from "../model/protocol";
import { visible } from "../model/text";
import type { Page } from "../page";
import { Clipboard } from "./clipboard";
import { Model, type Row, type Spot, nodeTitle, roots, treeName } from "./model";
import { type Purpose, treeEntries } from "./palette";
import { type Direction, type Drop, type Where, canDrop, placeFor, placeToMove, usualPlace } from "./places";
import type { DocumentInfo, DocumentKey, EditRequest, EditUpdates, Entry, Language, Operation, Problem } from "./protocol";
import { runningNodes } from "./running";
import { Selection } from "./selection";

/** What is open above the editor. */
export type Dialog =
  | { kind: "palette"; purpose: Purpose; where: Where }
  | { kind: "name"; what: "extract" | "create" | "rename"; id: number; name: string }
  | { kind: "source"; as: Language };

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

export class Editor {
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
  readonly tried = new Map<number, Tried>();
  source: { id: number; text: string; error: string | null } | null = null;
  readonly clipboard = new Clipboard(this);
  private nextId = 1;
  /** Nodes to select as soon as the document has them. */
  private wanted: number[] = [];
  /** The name of a tree to show as soon as the document has it. */
  private wantedTree: string | null = null;
  private running: { model: Model; info: TreeInfo; nodes: Map<number, number> } | null = null;
  /** The tree that the selected agent had when a tree was chosen for it. */
  private chosenFor: number | null = null;
  /** Whether the connection is another one than that of the opened document. */
  private isStale = false;

  constructor(readonly page: Page) {}

  // What is shown.

  get document(): DocumentInfo | null {
    return this.documents.find(({ key }) => key === this.opened) ?? null;
  }

  /** The document that is the source of the shown tree, if the page may edit it. */
  get ofShownTree(): DocumentInfo | null {
    const first = this.page.info?.first;
    return this.documents.find(({ tree, edit }) => edit && tree !== null && tree === first) ?? null;
  }

  /** Whether there is nothing but documents. */
  get isAlone(): boolean {
    const { page } = this;
    return this.documents.length > 0 && page.agents.id > 0 && page.agents.total === 0 && page.selected === null;
  }

  get isAvailable(): boolean {
    return this.isAlone || this.ofShownTree !== null;
  }

  get isShown(): boolean {
    return this.isAvailable && (this.isAlone || this.page.settings.edit);
  }

  get entries(): readonly Entry[] {
    return (this.opened !== null && this.palettes.get(this.opened)) || [];
  }

  /** Returns what can be inserted: what the palette has, and the other trees of the document. */
  offered(): Entry[] {
    const { entries, document, model } = this;
    if (!document || !model) return [...entries];
    const isNew = ({ name }: Entry) => !entries.some((entry) => entry.name === name);
    return [...entries, ...treeEntries(model.state.trees.filter(({ id }) => id !== this.tree), document.notation).filter(isNew)];
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

  /** Returns the nodes of the running tree by the nodes of the document. */
  get runningNodes(): ReadonlyMap<number, number> {
    const [{ model, document, running }, { info }] = [this, this.page];
    if (!model || !document || !info || document.tree !== info.first) return new Map();
    if (running?.model !== model || running.info !== info) this.running = { model, info, nodes: runningNodes(model, document, info) };
    return this.running!.nodes;
  }

  // What the server sends.

  readonly receives: { [K in keyof EditUpdates]: (content: EditUpdates[K]) => void } = {
    documents: (documents) => {
      this.documents = documents;
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
      this.model = new Model(state);
      if (!this.model.tree(this.tree)) this.tree = this.storedTree() ?? state.trees[0]?.id ?? null;
      this.selection.keep(this.model, this.tree, near);
      if (state.error && state.error !== before?.state.error) this.page.notice = state.error;
      this.selectWanted();
      const created = state.trees.find((tree) => treeName(tree) === this.wantedTree);
      if (created) {
        this.wantedTree = null;
        this.showTree(created.id);
      }
    },
    changed: ({ document, select }) => {
      if (document !== this.opened) return;
      this.wanted = select;
      this.selectWanted();
    },
    refused: ({ message }) => {
      this.wantedTree = null;
      this.page.notice = message;
    },
    tried: ({ id, error, problems }) => {
      // A few fields are checked at a time.
      if (this.tried.size > 20) this.tried.clear();
      this.tried.set(id, { error, problems });
    },
    copied: ({ id, text }) => this.clipboard.received(id, text),
    source: (source) => {
      if (source.id === this.nextId - 1 || source.id === this.source?.id) this.source = source;
    },
  };

  /** Returns a function that finds the node to select when the active one vanishes: the one after it, before it, or around it. */
  private neighbor(before: Model | null): () => number | null {
    const { active } = this.selection;
    return () => {
      const now = this.model!;
      const first = () => roots(now.tree(this.tree) ?? { id: 0, name: "", title: null, broken: null, root: null })[0]?.id ?? null;
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

  /** Opens the document of the shown tree, or the one that was opened last. */
  choose(): void {
    const { page } = this;
    if (!this.isShown) return;
    const of = page.info?.first ?? null;
    if (!this.isAlone && of !== this.chosenFor) {
      this.chosenFor = of;
      this.open(this.ofShownTree!.key);
      this.showTreeOf(page.info);
    } else if (this.opened === null) {
      const last = this.documents.find(({ name }) => name === page.settings.document);
      this.open((last ?? this.ofShownTree ?? this.documents[0]).key);
    }
  }

  /** Asks again for what is edited as soon as the server lists its documents. */
  connected(): void {
    this.tried.clear();
    this.isStale = true;
  }

  // What the user does.

  private send(request: EditRequest): boolean {
    const isSent = this.page.source.send(request);
    if (!isSent) this.page.say("this change is too large for one message");
    return isSent;
  }

  open(key: DocumentKey): void {
    if (key === this.opened) return;
    this.close();
    this.opened = key;
    this.page.set("document", this.document?.name ?? "");
    this.send({ open: key });
    this.page.changed();
  }

  private close(): void {
    Object.assign(this, { opened: null, model: null, tree: null, dialog: null, inline: null, menu: null, drag: null, folds: new Set(), wanted: [] });
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

  /** Shows the tree of the document that an agent runs. */
  private showTreeOf(info: TreeInfo | null): void {
    if (info) this.page.settings.tree = info.name;
  }

  toggleEditing(): void {
    if (!this.isAvailable || this.isAlone) return;
    this.page.set("edit", !this.page.settings.edit);
    this.choose();
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

  openDialog(dialog: Dialog | null): void {
    this.dialog = dialog;
    this.menu = null;
    if (dialog?.kind === "source") this.askSource(dialog.as);
    this.page.drawNow();
  }

  openMenu(menu: Editor["menu"]): void {
    this.menu = menu;
    this.page.drawNow();
  }

  editInline(inline: Inline | null): void {
    this.inline = inline;
    this.page.drawNow();
  }

  say(notice: string): void {
    this.page.say(notice);
  }

  /** Sends changes that are undone together. */
  change(...operations: Operation[]): boolean {
    const { document } = this;
    if (!document) return false;
    if (!document.edit) {
      this.say(`${document.name} cannot be edited here: the program only shows it`);
      return false;
    }
    this.page.notice = "";
    return this.send({ change: { document: document.key, operations } });
  }

  /** Adds an empty tree, and shows it. */
  create(name: string): boolean {
    const isSent = this.change({ op: "create", name });
    this.wantedTree = isSent ? name : null;
    return isSent;
  }

  /** Checks an operation. The result arrives in `tried`, with the returned number. */
  try(operation: Operation): number {
    const id = this.nextId++;
    if (this.opened !== null) this.page.source.send({ try: { document: this.opened, id, operation } });
    return id;
  }

  askCopy(nodes: number[]): number {
    const id = this.nextId++;
    if (this.opened !== null) this.send({ copy: { document: this.opened, id, nodes } });
    return id;
  }

  askSource(as: Language): void {
    const id = this.nextId++;
    this.source = null;
    if (this.opened !== null && this.tree !== null) this.send({ source: { document: this.opened, id, tree: this.tree, as } });
  }

  undo(): void {
    if (this.opened !== null && this.model?.state.undo) this.send({ undo: this.opened });
  }

  redo(): void {
    if (this.opened !== null && this.model?.state.redo) this.send({ redo: this.opened });
  }

  apply(): void {
    if (this.opened !== null) this.send({ apply: this.opened });
  }

  save(): void {
    const { document } = this;
    if (!document) return;
    if (!document.write) return this.say(`the program does not allow pages to write ${document.name}`);
    this.send({ save: document.key });
  }

  setAuto(on: boolean): void {
    if (this.opened === null) return;
    this.send({ auto: { document: this.opened, on } });
    this.showsDifference = !on;
    this.page.changed();
  }

  resolve(keep: "mine" | "theirs"): void {
    if (this.opened !== null) this.send({ resolve: { document: this.opened, keep } });
  }

  /** Opens the palette. */
  openPalette(purpose: Purpose, where?: Where): void {
    const { model, selection } = this;
    if (!model || this.tree === null) return;
    if (purpose !== "add" && !this.nodes.length) return this.say("select a node first");
    if (purpose === "replace" && this.nodes.length > 1) return this.say("select one node to replace it");
    this.openDialog({ kind: "palette", purpose, where: where ?? usualPlace(model, selection.active) });
  }

  /** Inserts a text where the user is. */
  insert(text: string, where: Where): boolean {
    const { model, tree, selection } = this;
    if (!model || tree === null) return false;
    const at = placeFor(model, tree, selection.active, where);
    if (typeof at !== "string") return this.change({ op: "insert", text, at });
    this.say(at);
    return false;
  }

  move(direction: Direction): void {
    const { model, nodes } = this;
    if (!model || !nodes.length) return this.say("select a node first");
    const at = placeToMove(model, nodes, direction);
    if (typeof at === "string") this.say(at);
    else this.change({ op: "move", nodes, at });
  }

  drop(): void {
    const { drag, model } = this;
    this.drag = null;
    if (drag?.drop && model && canDrop(model, drag.nodes, drag.drop.at)) this.change({ op: "move", nodes: drag.nodes, at: drag.drop.at });
    this.page.changed();
  }

  delete(): void {
    if (this.nodes.length) this.change({ op: "delete", nodes: this.nodes });
  }

  duplicate(): void {
    if (this.nodes.length) this.change({ op: "duplicate", nodes: this.nodes });
  }

  /** Leaves the nodes out of the tree; if all are left out, puts them back. */
  toggleDisabled(): void {
    const { nodes, model } = this;
    if (!nodes.length) return;
    const areDisabled = nodes.every((node) => model!.of(node)!.node.disabled);
    this.change({ op: areDisabled ? "enable" : "disable", nodes });
  }

  unwrap(): void {
    const { node } = this;
    if (node === null) return this.say("select one node to unwrap it");
    if (this.can("unwrap")) this.change({ op: "unwrap", node });
    else this.say(`${this.title(node)} cannot be unwrapped: its parent cannot take what it contains`);
  }

  extract(): void {
    const { node } = this;
    if (node === null) return this.say("select one node to extract it");
    if (this.can("extract")) this.openDialog({ kind: "name", what: "extract", id: node, name: suggested(this.model!.of(node)!.node.label) });
    else this.say(`${this.title(node)} cannot be extracted`);
  }

  inlineTree(): void {
    const { node } = this;
    if (node !== null && this.can("inline")) this.change({ op: "inline", node });
    else this.say("select a node that uses another tree of the document to inline it");
  }

  /** Whether the server offers an operation for the selected node. */
  can(operation: string): boolean {
    return this.node !== null && this.model?.of(this.node)?.node.can.includes(operation) === true;
  }

  /** Edits the label or the note in the row of the node; in the graph, or if it has several lines, in the form. */
  editText(what: Inline["what"]): void {
    const { node } = this;
    if (node === null) return;
    const isLong = what === "note" && this.model!.of(node)!.node.note.includes("\n");
    if (this.page.settings.view === "graph" || isLong) document.getElementById(`field-${what}`)?.focus();
    else this.editInline({ node, what });
  }

  title(node: number): string {
    const place = this.model?.of(node);
    return place ? visible(nodeTitle(place.node)) : "the node";
  }

  /** Moves the active row. */
  go(spot: Spot, how: "only" | "extend" | "move" | "toggle"): void {
    if (how === "extend") this.selection.extend(spot, this.rows);
    else this.selection[how](spot);
    this.reveal();
  }
}

/** Returns a name for a tree. */
function suggested(label: string | null): string {
  const words = (label ?? "").toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
  return /^[a-z]/.test(words) ? words : "";
}
