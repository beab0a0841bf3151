// The help of the editor: how to do common things, and its keys.

import { EDIT_KEYS } from "../../edit/keys";

export function HowToEdit() {
  return (
    <>
      <h3>How do I edit …</h3>
      <dl class="how">
        <dt>… add a node?</dt>
        <dd>Press / and type a part of its name, then Enter. It goes below a node that has no children yet, otherwise after the selected one; before, after and below can be chosen. What the list does not have can be written: attack(3), or Rust in a source.</dd>
        <dt>… change an argument?</dt>
        <dd>Select the node: its properties are beside the tree (Enter). A mistake is marked while you type. Enter, or leaving the field, sends it; Escape reverts it.</dd>
        <dt>… move nodes?</dt>
        <dd>Drag them, between others or onto a node, or press Alt and an arrow key. Shift and Ctrl select several. The clipboard contains the source of a `tree!`, for other trees, windows and files.</dd>
        <dt>… use a tree in another?</dt>
        <dd>The trees of the file are in the list of nodes. x makes a tree of a node, i puts a tree in the place of its name. “tree” adds, renames and removes trees, shows one as Rust or JSON, and creates it in another document.</dd>
        <dt>… try a change?</dt>
        <dd>With “apply at once”, agents follow with their next tick. Without it, “difference” shows all changes, and “apply” applies them together. Each change can be undone, also after the page was reloaded.</dd>
        <dt>… save?</dt>
        <dd>Ctrl S writes the file, only where something was changed. If the file was changed elsewhere meanwhile, both changes are merged, or the versions are shown and you choose.</dd>
      </dl>
    </>
  );
}

export function EditKeys() {
  return (
    <>
      <h3>Keys while the tree is edited</h3>
      <dl class="keys">
        {EDIT_KEYS.map(([key, text]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
