// Above the edited tree: what is edited, what can be done with it, and what becomes of the changes.

import { useRef, useState } from "preact/hooks";
import type { Editor } from "../../edit/editor";
import { treeName } from "../../edit/model";
import type { DocumentInfo } from "../../edit/protocol";
import { visible } from "../../model/text";
import type { Page } from "../../page";
import { Find } from "../Find";
import { FormOfTree } from "../FormOfTree";
import { useRoving } from "../roving";
import { TreeMenu } from "./NodeMenu";

export function EditBar({ page }: { page: Page }) {
  const { editor } = page;
  const { model, document } = editor;
  const trees = model?.state.trees ?? [];
  const isList = editor.documents.length > 1 && !editor.isAlone;
  return (
    <div id="bars">
      <div class="bar">
        <span id="heading" title={document?.path ?? undefined}>
          {page.agent && !editor.isAlone && editor.isOfShownTree && <strong id="agent">{page.fullName(page.agent)}</strong>} {!isList && <span id="edit-name">{document && visible(document.name)}</span>}
          {isList && <DocumentSelect editor={editor} />}
        </span>
        {trees.length > 1 && !editor.isAlone && (
          <select id="edit-which" aria-label="tree" title="the trees of this document" value={editor.tree ?? ""} onChange={(event) => editor.showTree(Number(event.currentTarget.value))}>
            {trees.map((tree) => (
              <option key={tree.id} value={tree.id}>
                {visible(treeName(tree))}
              </option>
            ))}
          </select>
        )}
        <Find page={page} what="head, label or note" search={() => (editor.model && editor.tree !== null ? editor.model.find(editor.tree, page.search) : [])} go={(node) => editor.show(node)} />
        <div role="group" aria-label="fold the tree" class="group">
          <button id="expand" title="expand all nodes" aria-label="expand all nodes" onClick={() => editor.foldBelow(null)}>
            ▾
          </button>
          <button id="collapse" title="collapse all nodes below the second level" aria-label="collapse all nodes below the second level" onClick={() => editor.foldBelow(2)}>
            ▸
          </button>
        </div>
        <FormOfTree page={page} />
      </div>
      <Tools editor={editor} />
    </div>
  );
}

/** The documents beside a running program: those of the shown tree, and the others. */
function DocumentSelect({ editor }: { editor: Editor }) {
  const { documents, page } = editor;
  const { agent, info } = page;
  const isOwn = ({ trees, machine }: DocumentInfo) => info !== null && machine === agent?.machine && trees.includes(info.first);
  const others = documents.filter((one) => !isOwn(one));
  const groups: [string, DocumentInfo[]][] = [
    ["of this agent", documents.filter(isOwn)],
    ["others", others],
  ];
  return (
    <select id="edit-document" aria-label="document" title="the documents of this program" value={String(editor.opened ?? "")} onChange={(event) => editor.open(documents.find(({ key }) => String(key) === event.currentTarget.value)!.key)}>
      {groups.map(
        ([name, group]) =>
          group.length > 0 && (
            <optgroup key={name} label={name}>
              {group.map(({ key }) => (
                <option key={key} value={String(key)}>
                  {visible(editor.documentNames.get(key)!)}
                </option>
              ))}
            </optgroup>
          ),
      )}
    </select>
  );
}

/** Returns what became of the changes. */
function stateOf({ model, document, tree }: Editor): string {
  if (!model || !document) return "opening…";
  const { applied, saved, conflict } = model.state;
  if (conflict) return "changed elsewhere";
  const errors = model.shown.filter(({ warning }) => !warning).length;
  const isEmpty = model.tree(tree)?.broken === null && model.nodes(tree!).length === 0;
  return [isEmpty ? "empty" : "", errors ? `${errors} error${errors === 1 ? "" : "s"}` : "", document.runs && !applied ? "not applied" : "", document.path === null ? "" : saved ? "saved" : "not saved", document.edit ? "" : "read-only"].filter(Boolean).join(", ");
}

function Tools({ editor }: { editor: Editor }) {
  const root = useRef<HTMLDivElement>(null);
  const roving = useRoving(root);
  const [treeMenu, setTreeMenu] = useState<{ x: number; y: number } | null>(null);
  const { model, document, nodes } = editor;
  const state = model?.state;
  const below = (event: MouseEvent) => {
    const { left, bottom } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return { x: left, y: bottom + 2 };
  };
  const hasConflict = state?.conflict != null;
  const isNone = !nodes.length || hasConflict;
  const isBroken = model?.tree(editor.tree)?.broken !== null;
  return (
    <div class="bar" id="tools">
      <div ref={root} role="toolbar" aria-label="edit" class="line" {...roving}>
        <div class="group">
          <button id="undo" title={state?.undo ? `undo: ${state.undo} (Ctrl Z)` : "nothing to undo"} aria-label={state?.undo ? `undo: ${state.undo}` : "undo"} disabled={!state?.undo} onClick={() => editor.undo()}>
            undo
          </button>
          <button id="redo" title={state?.redo ? `redo: ${state.redo} (Ctrl Shift Z)` : "nothing to redo"} aria-label={state?.redo ? `redo: ${state.redo}` : "redo"} disabled={!state?.redo} onClick={() => editor.redo()}>
            redo
          </button>
        </div>
        <button id="add" title="add a node: keywords and leaves with their documentation (/)" disabled={isBroken || hasConflict} onClick={() => editor.openPalette("add")}>
          add…
        </button>
        <div class="group">
          <button id="wrap" title="put a node around the selected ones (w)" disabled={isNone} onClick={() => editor.openPalette("wrap")}>
            wrap…
          </button>
          <button id="replace" title="replace the keyword; children, label and notes stay (r)" disabled={nodes.length !== 1 || hasConflict} onClick={() => editor.openPalette("replace")}>
            replace…
          </button>
        </div>
        <button id="node-menu" aria-haspopup="menu" aria-expanded={editor.menu !== null} title="all that can be done with the selected nodes (right click, Shift F10)" disabled={!model || hasConflict} onClick={(event) => editor.openMenu(below(event))}>
          node ▾
        </button>
        <button id="tree-menu" aria-haspopup="menu" aria-expanded={treeMenu !== null} title="show the tree as source, create it in another document; new tree, rename, remove" disabled={!model} onClick={(event) => setTreeMenu(below(event))}>
          tree ▾
        </button>
      </div>
      <div id="outcome" role="group" aria-label="apply and save">
        <span id="edit-state" class={model?.shown.some(({ warning }) => !warning) ? "error" : "faint"} role="status">
          {stateOf(editor)}
        </span>
        {document?.runs && (
          <label title="whether agents follow each change with their next tick">
            <input type="checkbox" id="auto" checked={state?.auto ?? false} onChange={(event) => editor.setAuto(event.currentTarget.checked)} /> apply at once
          </label>
        )}
        <button
          id="show-difference"
          title="what is not applied or not saved yet"
          aria-pressed={editor.showsDifference}
          class={editor.showsDifference ? "on" : ""}
          onClick={() => {
            editor.showsDifference = !editor.showsDifference;
            editor.page.changed();
          }}
        >
          difference
        </button>
        {document?.runs && (
          <button id="apply" title="apply all changes to the running program (Ctrl Enter)" disabled={!state || state.applied} onClick={() => editor.apply()}>
            apply
          </button>
        )}
        {document?.write && (
          <button id="save-document" title="write the file (Ctrl S)" disabled={!state || state.saved || hasConflict} onClick={() => editor.save()}>
            save
          </button>
        )}
      </div>
      {treeMenu && <TreeMenu editor={editor} at={treeMenu} close={() => setTreeMenu(null)} />}
    </div>
  );
}
