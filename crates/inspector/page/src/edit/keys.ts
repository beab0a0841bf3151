// The keys of the editor.

import type { Editor } from "./editor";

/** The keys, as the help describes them. */
export const EDIT_KEYS: [string, string][] = [
  ["e", "edit the tree, or only look at it"],
  ["/ or Insert", "add a node; in the list, Alt and ↑ ↓ → choose before, after, below"],
  ["w, u, r", "wrap in a node, unwrap, replace the keyword"],
  ["Alt ↑ ↓", "move among its siblings"],
  ["Alt ← →", "move out of the parent, into the node before it"],
  ["Ctrl X C V", "cut, copy, paste"],
  ["Ctrl D, Delete", "duplicate, delete"],
  ["# or Ctrl /", "disable or enable"],
  ["F2, n", "edit the label, the note; Shift Enter starts a new line in the note"],
  ["Enter", "edit the properties"],
  ["x, i, o", "extract a tree, inline one, open the one that the node uses"],
  ["Shift ↑ ↓, Ctrl A", "select several nodes, all nodes"],
  ["Ctrl Space", "select a node in addition"],
  ["Menu, Shift F10", "the menu of the node"],
  ["Ctrl Z, Ctrl Shift Z", "undo, redo"],
  ["Ctrl S, Ctrl Enter", "save, apply"],
];

/** Whether a key is typed into a field. */
const isField = (target: HTMLElement) => target.matches("input:not([type=checkbox], [type=radio]), textarea, select");

/** Whether the editor acts where the focus is: not in dialogs, fields and menus. */
export function takesText(editor: Editor, target: HTMLElement): boolean {
  return isInside(editor, target) && !isField(target);
}

function isInside(editor: Editor, target: HTMLElement): boolean {
  const isIn = target === document.body || target.closest("header, #editor, #properties, #documents") !== null;
  return editor.isShown && isIn && target.closest("[role=dialog], [role=menu]") === null;
}

/** Whether a key saves the document: it does so in dialogs, fields and menus, too. */
export const savesAnywhere = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => (ctrlKey || metaKey) && !altKey && key.toLowerCase() === "s";

/** Acts on a key, wherever the focus is in the editor. Returns whether the editor has it. */
export function editKey(editor: Editor, event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (!(editor.isShown && savesAnywhere(event)) && !isInside(editor, target)) return false;
  if (typesAhead(editor, event)) {
    event.preventDefault();
    return true;
  }
  const isControl = event.ctrlKey || event.metaKey;
  const name = `${isControl ? "Ctrl+" : ""}${event.altKey ? "Alt+" : ""}${event.shiftKey && event.key.length > 1 ? "Shift+" : ""}${event.key.length === 1 && (isControl || event.altKey) ? event.key.toLowerCase() : event.key}`;
  const always: Record<string, () => void> = { "Ctrl+s": () => editor.save(), "Ctrl+Enter": () => editor.apply() };
  const act = always[name] ?? (isField(target) ? undefined : acts(editor, event.shiftKey)[name]);
  // A text that is selected in the page is copied by the browser.
  if (!act || (name === "Ctrl+c" && getSelection()?.toString())) return false;
  if (target.matches("button, a, summary, input") && (event.key === "Enter" || event.key === " ") && !isControl) return false;
  // What is typed into a field belongs to what is saved.
  if (isField(target) && always[name] && !target.closest("[role=dialog]")) target.blur();
  event.preventDefault();
  // The palette is typed into at once; what it inserts finds its place later. A field takes what is typed before it opens.
  if (["/", "Insert", "F2", "n"].includes(name)) act();
  else editor.soon(act);
  return true;
}

/** Takes a key for a field that is not open yet. Returns whether nothing else is done with it. */
function typesAhead(editor: Editor, { key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const { ahead } = editor;
  if (!ahead) return false;
  const isText = key.length === 1 && !ctrlKey && !metaKey && !altKey;
  if (isText) ahead.text += key;
  else if (key === "Backspace") ahead.text = ahead.text.slice(0, -1);
  else if (key === "Enter" || key === "Escape" || key.length === 1) {
    editor.ahead = null;
    editor.soon(() => {
      if (key === "Escape") editor.editInline(null);
      else (document.activeElement as HTMLElement | null)?.blur();
    });
    return key.length > 1;
  }
  return true;
}

function acts(editor: Editor, isShifted: boolean): Record<string, () => void> {
  return {
    "/": () => editor.openPalette("add"),
    Insert: () => editor.openPalette("add"),
    w: () => editor.openPalette("wrap"),
    r: () => editor.openPalette("replace"),
    u: () => editor.unwrap(),
    x: () => editor.extract(),
    i: () => editor.inlineTree(),
    o: () => editor.showUsed(),
    n: () => editor.editText("note"),
    F2: () => editor.editText("label"),
    "#": () => editor.toggleDisabled(),
    "Ctrl+/": () => editor.toggleDisabled(),
    Delete: () => editor.delete(),
    Backspace: () => editor.delete(),
    "Ctrl+d": () => editor.duplicate(),
    "Ctrl+x": () => editor.clipboard.copy(true),
    "Ctrl+c": () => editor.clipboard.copy(false),
    "Ctrl+z": () => (isShifted ? editor.redo() : editor.undo()),
    "Ctrl+y": () => editor.redo(),
    "Alt+ArrowUp": () => editor.move("up"),
    "Alt+ArrowDown": () => editor.move("down"),
    "Alt+ArrowLeft": () => editor.move("out"),
    "Alt+ArrowRight": () => editor.move("in"),
  };
}

/** Acts on a key in the tree itself. `next` returns the row in a direction. */
export function treeKey(editor: Editor, event: KeyboardEvent, next: (key: string) => { node: number; list: number | null } | null | undefined): boolean {
  const { selection } = editor;
  const isControl = event.ctrlKey || event.metaKey;
  if (event.altKey || editor.ahead) return false;
  if (/^(Arrow|Home$|End$)/.test(event.key)) {
    const how = event.shiftKey ? "extend" : isControl ? "move" : "only";
    editor.soon(() => {
      const to = next(event.key);
      if (to) editor.go(to, how);
    });
    return true;
  }
  const { active } = selection;
  if (isControl && event.key.toLowerCase() === "a") {
    selection.nodes = new Set(editor.rows.filter(({ list }) => list === null).map(({ node }) => node));
    editor.page.changed();
    return true;
  }
  if (event.key === " " && isControl && active) {
    editor.go(active, "toggle");
    return true;
  }
  if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
    const box = document.querySelector("#tree .row.active, #graph .node.active")?.getBoundingClientRect();
    if (box) editor.openMenu({ x: box.left + Math.min(60, box.width / 2), y: box.bottom });
    return true;
  }
  if (event.key === "Escape" && active && selection.nodes.size > 1) {
    editor.go(active, "only");
    return true;
  }
  if (event.key !== "Enter" || isControl) return false;
  const isEmpty = !active || active.list !== null;
  if (isEmpty) editor.openPalette("add");
  else {
    // The form may still be that of another node.
    editor.page.drawNow();
    document.querySelector<HTMLElement>("#fields :is(input, select, textarea)")?.focus();
  }
  return true;
}
