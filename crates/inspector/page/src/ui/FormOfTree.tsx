// The buttons that choose the form of the tree, and whether it is edited.

import type { Page } from "../page";

export function FormOfTree({ page }: { page: Page }) {
  const { settings, editor } = page;
  const isEdited = editor.isShown;
  const why = editor.whyNotEditable;
  return (
    <>
      <div role="group" aria-label="form of the tree" class="group">
        {(["outline", "graph"] as const).map((view) => (
          <button key={view} id={`as-${view}`} class={settings.view === view ? "on" : ""} aria-pressed={settings.view === view} title={`show the tree as ${view === "graph" ? "a graph" : "an outline"} (g)`} onClick={() => page.set("view", view)}>
            {view}
          </button>
        ))}
      </div>
      {why && (
        <span id="not-editable" class="faint" title="documents are read-only">
          {why}
        </span>
      )}
      {editor.isAvailable && !editor.isAlone && (
        <button id="as-edit" class={isEdited ? "on" : ""} aria-pressed={isEdited} title={isEdited ? "only look at the tree (e)" : "edit the tree (e)"} onClick={() => editor.toggleEditing()}>
          edit
        </button>
      )}
    </>
  );
}
