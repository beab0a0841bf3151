// What the user can do with the document that is edited.

import { Clipboard } from "./clipboard";
import { Opened, type Dialog, type Inline } from "./opened";
import { type Purpose, treeEntries } from "./palette";
import { type Direction, type Where, canDrop, placeFor, placeToMove, usualPlace } from "./places";
import type { DocumentInfo, Entry, Language, Operation, RolloutStep } from "./protocol";

export class Editor extends Opened {
  readonly clipboard = new Clipboard(this);
  /** What is typed for a field that opens as soon as the server has answered. */
  ahead: { text: string } | null = null;

  toggleEditing(): void {
    if (this.isAlone) return;
    if (!this.isAvailable) return this.say("the program has no documents to edit");
    const { isShown } = this;
    this.isPicked = !isShown && this.ofShownTree === null;
    if (this.isPicked) this.chosenFor = this.shownTree;
    this.page.set("edit", !isShown);
    this.choose();
  }

  /** Returns what can be inserted: what the palette has, and the other trees of the document. */
  offered(): Entry[] {
    const { entries, document, model } = this;
    if (!document || !model) return [...entries];
    const isNew = ({ name }: Entry) => !entries.some((entry) => entry.name === name);
    return [...entries, ...treeEntries(model.state.trees.filter(({ id }) => id !== this.tree), document.notation).filter(isNew)];
  }

  openDialog(dialog: Dialog | null): void {
    this.dialog = dialog;
    this.menu = null;
    if (dialog?.kind === "source") this.askSource(dialog.as);
    this.page.drawNow();
  }

  /** Closes a dialog that has changed something. */
  done(): void {
    this.wantsFocus = true;
    this.openDialog(null);
  }

  openMenu(menu: Editor["menu"]): void {
    this.menu = menu;
    this.page.drawNow();
  }

  editInline(inline: Inline | null): void {
    this.inline = inline;
    this.page.drawNow();
  }

  /** Sends changes that are undone together. */
  change(...operations: Operation[]): boolean {
    const { document } = this;
    if (!document) return false;
    if (!document.edit) {
      this.say(`${document.name} cannot be edited here: the program only shows it`);
      return false;
    }
    // It may have been deleted by another page, or in the file.
    if (operations.some((one) => "node" in one && !this.model?.of(one.node))) {
      this.say("nothing was changed: the node is gone, it was removed elsewhere");
      return false;
    }
    this.page.notice = "";
    const isSent = this.send({ change: { document: document.key, operations } });
    if (isSent) this.awaitAnswer();
    return isSent;
  }

  /** Adds an empty tree, and shows it. */
  create(name: string): boolean {
    const isSent = this.change({ op: "create", name });
    this.wantedTree = isSent ? name : null;
    return isSent;
  }

  /** Creates a tree with what the shown one contains in another document. */
  createIn(document: DocumentInfo, name: string): void {
    const tree = this.model?.tree(this.tree);
    if (!tree?.root || this.opened === null) return this.say("the tree is empty");
    const [from, to] = [this.document?.notation, document.notation];
    if (from !== to && (from === "xml" || to === "xml")) return this.say("a tree of XML can only be created in XML; help: `bt convert` converts files");
    const id = this.nextId++;
    this.into = { id, document: document.key, name };
    const isSent = document.notation === "rust" ? this.send({ source: { document: this.opened, id, tree: tree.id, as: "rust" } }) : this.send({ copy: { document: this.opened, id, nodes: [tree.root.id] } });
    if (!isSent) this.into = null;
  }

  /** The other documents that a tree can be created in. */
  get others(): DocumentInfo[] {
    return this.documents.filter(({ key, edit }) => edit && key !== this.opened);
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
    this.askedSource = this.nextId++;
    this.source = null;
    if (this.opened !== null && this.tree !== null) this.send({ source: { document: this.opened, id: this.askedSource, tree: this.tree, as } });
  }

  undo(): void {
    if (this.opened !== null && this.model?.state.undo) this.send({ undo: this.opened });
  }

  redo(): void {
    if (this.opened !== null && this.model?.state.redo) this.send({ redo: this.opened });
  }

  apply(): void {
    const { document } = this;
    if (!document?.runs) {
      // Why a change was refused stays.
      if (!this.page.notice) this.say("no program runs this document: Ctrl S saves it");
    } else if (this.model && !this.model.state.applied) this.send({ apply: document.key });
  }

  save(): void {
    const { document } = this;
    if (!document) return;
    if (!document.write) return this.say(`the program does not allow pages to write ${document.name}`);
    this.send({ save: document.key });
  }

  /** Sends the shown version to machines, or the one from before. */
  rollOut(step: RolloutStep, others: boolean, save: boolean): void {
    if (this.opened !== null) this.send({ rollout: { document: this.opened, step, others, save } });
  }

  setAuto(on: boolean): void {
    if (this.opened === null) return;
    this.send({ auto: { document: this.opened, on } });
    if (this.model) this.model.state.auto = on;
    this.showsDifference = !on;
    this.page.changed();
  }

  resolve(keep: "mine" | "theirs"): void {
    if (this.opened !== null) this.send({ resolve: { document: this.opened, keep } });
  }

  /** Opens the palette. */
  openPalette(purpose: Purpose, where?: Where): void {
    if (!this.model) return;
    if (purpose !== "add" && !this.nodes.length) return this.say("select a node first");
    if (!this.model.state.trees.length) return this.openDialog({ kind: "name", what: "create", id: 0, name: "" });
    if (this.tree === null) return;
    if (this.model.tree(this.tree)?.broken !== null) return this.say("this tree is not valid, so it cannot be edited here");
    if (purpose === "replace" && this.nodes.length > 1) return this.say("select one node to replace it");
    this.openDialog({ kind: "palette", purpose, where: where ?? null });
  }

  /** Returns where new nodes are inserted if the user has not chosen: what was inserted before may have become the active node meanwhile. */
  get usualPlace(): Where {
    return this.model ? usualPlace(this.model, this.selection.active) : "after";
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

  /** Returns the tree of the document that a node uses. */
  treeUsedBy(node: number | null): number | null {
    const used = node === null ? null : (this.model?.of(node)?.node.uses ?? null);
    return used === this.tree ? null : used;
  }

  /** Shows the tree that the selected node uses. */
  showUsed(): void {
    const tree = this.treeUsedBy(this.node);
    if (tree === null) return this.say("select a node that uses another tree of the document to show that tree");
    this.showTree(tree);
  }

  /** Edits the label or the note in the row of the node; in the graph, in the form. */
  editText(what: Inline["what"]): void {
    // What is typed until then belongs to the field, as it does afterwards.
    const ahead = this.isWaiting ? { text: "" } : null;
    this.ahead = ahead;
    this.soon(() => {
      if (this.ahead === ahead) this.ahead = null;
      this.openText(what);
      if (ahead?.text) document.execCommand("insertText", false, ahead.text);
    });
  }

  private openText(what: Inline["what"]): void {
    const { node } = this;
    if (node === null) return;
    if (this.page.settings.view !== "graph") return this.editInline({ node, what });
    // The form may still be that of another node.
    this.page.drawNow();
    document.getElementById(`field-${what}`)?.focus();
  }
}

/** Returns a name for a tree. */
function suggested(label: string | null): string {
  const words = (label ?? "").toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
  return /^[a-z]/.test(words) ? words : "";
}
