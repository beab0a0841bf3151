// The clipboard of the system: nodes are copied as text, so they can be pasted into other trees, other windows, and sources.

import type { Editor } from "./editor";

export class Clipboard {
  /** What was copied last, for browsers that do not let pages read the clipboard. */
  private text = "";
  /** The copy that was requested last, and the nodes to delete with it. */
  private pending: { id: number; cut: number[] } | null = null;

  constructor(private readonly editor: Editor) {}

  copy(isCut: boolean): void {
    const { nodes } = this.editor;
    if (nodes.length) this.pending = { id: this.editor.askCopy(nodes), cut: isCut ? nodes : [] };
  }

  async received(id: number, text: string): Promise<void> {
    if (this.pending?.id !== id) return;
    const { cut } = this.pending;
    this.pending = null;
    this.text = text;
    await this.write(text);
    if (cut.length) this.editor.change({ op: "delete", nodes: cut });
  }

  /** Writes a text to the clipboard; only into this page, if the browser does not allow more. */
  async write(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      this.editor.say("the browser does not let this page write to the clipboard: it can be pasted in this page only");
    }
  }

  /** Inserts what a paste event brings, or what can be read from the clipboard. */
  async paste(event: ClipboardEvent | null): Promise<void> {
    let text = event?.clipboardData?.getData("text/plain") ?? "";
    if (!text && !event) text = (await navigator.clipboard?.readText().catch(() => "")) ?? "";
    text = (text || this.text).trim();
    if (!text) return this.editor.say("there is no text in the clipboard");
    const { active } = this.editor.selection;
    const place = active && this.editor.model?.of(active.node);
    this.editor.insert(text, place && !place.parent && active.list === null ? "below" : "after");
  }
}
