// The editor: the tree with its tools, problems and differences. Its form is beside it.

import { useLayoutEffect } from "preact/hooks";
import type { View } from "../../model/view";
import { treeName } from "../../edit/model";
import { visible } from "../../model/text";
import type { Page } from "../../page";
import { treeElement } from "../roving";
import { Conflict } from "./Conflict";
import { Difference } from "./Difference";
import { EditBar } from "./EditBar";
import { EditGraph } from "./EditGraph";
import { EditOutline } from "./EditOutline";
import { Gone } from "./Gone";
import { IntoDialog } from "./IntoDialog";
import { NameDialog } from "./NameDialog";
import { NodeMenu } from "./NodeMenu";
import { Palette } from "./Palette";
import { Problems } from "./Problems";
import { Rollout } from "./Rollout";
import { SourceDialog } from "./SourceDialog";

export function EditView({ page, view }: { page: Page; view: View | null }) {
  const { editor } = page;
  const { model, dialog } = editor;
  useLayoutEffect(() => {
    const tree = treeElement();
    // What had the focus may have vanished, as with the first node.
    if (!tree || dialog || !(editor.wantsFocus || document.activeElement === document.body)) return;
    editor.wantsFocus = false;
    tree.focus({ preventScroll: true });
  });
  return (
    <main id="editor">
      <EditBar page={page} />
      <Gone editor={editor} />
      <Rollout key={String(editor.opened)} editor={editor} />
      {model?.state.error && (
        <p id="edit-error" class="error" role="alert">
          {visible(model.state.error)}
        </p>
      )}
      {model?.state.conflict ? <Conflict editor={editor} conflict={model.state.conflict} /> : <Tree page={page} view={view} />}
      {model && <Problems editor={editor} />}
      {!model?.state.conflict && <Difference editor={editor} />}
      {editor.menu && <NodeMenu key={`${editor.menu.x} ${editor.menu.y}`} editor={editor} />}
      {dialog?.kind === "palette" && <Palette key={dialog.purpose} editor={editor} dialog={dialog} />}
      {dialog?.kind === "name" && <NameDialog key={dialog.what} editor={editor} dialog={dialog} />}
      {dialog?.kind === "into" && <IntoDialog editor={editor} />}
      {dialog?.kind === "source" && <SourceDialog editor={editor} dialog={dialog} />}
    </main>
  );
}

function Tree({ page, view }: { page: Page; view: View | null }) {
  const { editor } = page;
  const { model } = editor;
  const tree = model?.tree(editor.tree);
  if (!model) return <div class="hint">The document is being opened…</div>;
  if (!tree) {
    return (
      <div class="hint" id="empty">
        <p>{`${visible(editor.document?.name ?? "The document")} has no trees yet.`}</p>
        <p>
          <button id="add-first" disabled={editor.document?.edit === false} onClick={() => editor.openPalette("add")}>
            new tree…
          </button>{" "}
          or press <kbd>/</kbd>, and type its name.
        </p>
      </div>
    );
  }
  if (tree.broken !== null) return <div class="hint">{`This tree is not valid, so it cannot be edited here: ${visible(tree.broken)}. Correct its text in the file: this page follows.`}</div>;
  if (!tree.root && !tree.loose.length) {
    return (
      <div class="hint" id="empty">
        <p>{`${visible(treeName(tree))} is empty.`}</p>
        <p>
          <button id="add-first" disabled={editor.document?.edit === false} onClick={() => editor.openPalette("add")}>
            add the first node…
          </button>{" "}
          or press <kbd>/</kbd> and type a part of its name. Many trees begin with <code>selector</code>: it ticks its children in order, until one does not fail.
        </p>
        <p>
          Then <kbd>/</kbd> adds children and siblings, <kbd>F2</kbd> a label, <kbd>Ctrl Z</kbd> undoes, and <kbd>?</kbd> shows all keys.
        </p>
      </div>
    );
  }
  return (
    <div id="trees">
      {page.settings.view === "graph" ? <EditGraph page={page} model={model} view={view} /> : <EditOutline key={`${editor.opened}/${editor.tree}`} page={page} model={model} view={view} />}
    </div>
  );
}
