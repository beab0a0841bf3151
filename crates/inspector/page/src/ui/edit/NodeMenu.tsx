// The menus of nodes, and of trees.

import type { Editor } from "../../edit/editor";
import { treeName } from "../../edit/model";
import { type Item, Menu } from "./Menu";

export function NodeMenu({ editor }: { editor: Editor }) {
  const { menu, nodes, model } = editor;
  if (!menu || !model) return null;
  const isNone = !nodes.length;
  const isOne = editor.node !== null && nodes.length === 1;
  const areDisabled = !isNone && nodes.every((node) => model.of(node)!.node.disabled);
  const root = isOne && !model.of(editor.node!)!.parent;
  const items: Item[] = [
    { name: "add before…", act: () => editor.openPalette("add", "before"), isDisabled: !isOne || root },
    { name: "add after…", key: "/", act: () => editor.openPalette("add", "after"), isDisabled: !isOne || root },
    { name: "add below…", act: () => editor.openPalette("add", "below"), isDisabled: !isOne || !model.of(editor.node!)!.node.lists.length },
    { name: "wrap in…", key: "w", act: () => editor.openPalette("wrap"), isDisabled: isNone, begins: true },
    { name: "unwrap", key: "u", act: () => editor.unwrap(), isDisabled: !editor.can("unwrap") },
    { name: "replace by…", key: "r", act: () => editor.openPalette("replace"), isDisabled: !isOne },
    { name: "move up", key: "Alt ↑", act: () => editor.move("up"), isDisabled: isNone || root, begins: true },
    { name: "move down", key: "Alt ↓", act: () => editor.move("down"), isDisabled: isNone || root },
    { name: "move out of the parent", key: "Alt ←", act: () => editor.move("out"), isDisabled: isNone || root },
    { name: "move into the node before it", key: "Alt →", act: () => editor.move("in"), isDisabled: isNone || root },
    { name: "cut", key: "Ctrl X", act: () => editor.clipboard.copy(true), isDisabled: isNone, begins: true },
    { name: "copy", key: "Ctrl C", act: () => editor.clipboard.copy(false), isDisabled: isNone },
    { name: "paste", key: "Ctrl V", act: () => void editor.clipboard.paste(null) },
    { name: "duplicate", key: "Ctrl D", act: () => editor.duplicate(), isDisabled: isNone || root },
    { name: "delete", key: "Delete", act: () => editor.delete(), isDisabled: isNone },
    { name: areDisabled ? "enable" : "disable", key: "#", act: () => editor.toggleDisabled(), isDisabled: isNone, begins: true },
    { name: "label", key: "F2", act: () => editor.editText("label"), isDisabled: !isOne },
    { name: "note", key: "n", act: () => editor.editText("note"), isDisabled: !isOne },
    { name: "extract as a tree…", key: "x", act: () => editor.extract(), isDisabled: !editor.can("extract") },
    { name: "open the tree", key: "o", act: () => editor.showUsed(), isDisabled: editor.treeUsedBy(editor.node) === null },
    { name: "inline the tree", key: "i", act: () => editor.inlineTree(), isDisabled: !editor.can("inline") },
  ];
  return <Menu label={isOne ? `actions for ${editor.title(editor.node!)}` : `actions for ${nodes.length} nodes`} items={items} {...menu} close={() => editor.openMenu(null)} />;
}

export function TreeMenu({ editor, at, close }: { editor: Editor; at: { x: number; y: number }; close: () => void }) {
  const { model, tree } = editor;
  const shown = model?.tree(tree);
  const items: Item[] = [
    { name: "show as Rust source", act: () => editor.openDialog({ kind: "source", as: "rust" }), isDisabled: !shown },
    { name: "show as JSON", act: () => editor.openDialog({ kind: "source", as: "json" }), isDisabled: !shown },
    { name: "into another document…", act: () => editor.openDialog({ kind: "into" }), isDisabled: !shown?.root || !editor.others.length },
    { name: "new tree…", act: () => editor.openDialog({ kind: "name", what: "create", id: 0, name: "" }), begins: true },
    { name: "rename the tree…", act: () => shown && editor.openDialog({ kind: "name", what: "rename", id: shown.id, name: shown.title ?? shown.name }), isDisabled: !shown },
    { name: "remove the tree", act: () => shown && editor.change({ op: "remove", tree: shown.id }), isDisabled: !shown || model!.state.trees.length < 2 },
  ];
  return <Menu label={shown ? `actions for ${treeName(shown)}` : "actions for trees"} items={items} {...at} close={close} />;
}
