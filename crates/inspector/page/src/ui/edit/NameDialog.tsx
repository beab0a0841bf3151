// A dialog that asks for the name of a tree.

import { useState } from "preact/hooks";
import type { Editor } from "../../edit/editor";
import type { Dialog as Opened } from "../../edit/opened";
import { Dialog } from "./Dialog";

const TITLES = { extract: "extract as a tree", create: "new tree", rename: "rename the tree" };

export function NameDialog({ editor, dialog }: { editor: Editor; dialog: Extract<Opened, { kind: "name" }> }) {
  const [name, setName] = useState(dialog.name);
  const { what, id } = dialog;
  const act = () => {
    const given = name.trim();
    if (!given) return;
    const isSent = what === "extract" ? editor.change({ op: "extract", node: id, name: given }) : what === "create" ? editor.create(given) : editor.change({ op: "rename", tree: id, name: given });
    if (isSent) editor.done();
  };
  return (
    <Dialog id="name-dialog" label={TITLES[what]} close={() => editor.openDialog(null)}>
      <h2>{TITLES[what]}</h2>
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          act();
        }}
      >
        <label>
          name <input type="text" id="tree-name" data-first autocomplete="off" spellcheck={false} value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <button type="submit" disabled={!name.trim()}>
          {what}
        </button>
        <button type="button" onClick={() => editor.openDialog(null)}>
          cancel
        </button>
      </form>
    </Dialog>
  );
}
