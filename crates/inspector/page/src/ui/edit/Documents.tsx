// The documents and their trees, where the page has no agents.

import { useRef } from "preact/hooks";
import type { Editor } from "../../edit/editor";
import { treeName } from "../../edit/model";
import { visible } from "../../model/text";
import { WARNING } from "../../model/words";
import { useRoving } from "../roving";

export function Documents({ editor }: { editor: Editor }) {
  const root = useRef<HTMLElement>(null);
  const roving = useRoving(root);
  const { model } = editor;
  return (
    <nav id="documents" ref={root} aria-label="documents and trees" {...roving}>
      {editor.documents.map(({ key, name, path }) => (
        <div key={key} class="document">
          <button class="document-name" title={path ?? name} aria-current={key === editor.opened || undefined} onClick={() => editor.open(key)}>
            {visible(editor.documentNames.get(key)!)}
          </button>
          {key === editor.opened &&
            model?.state.trees.map((tree) => {
              const nodes = model.nodes(tree.id);
              const count = nodes.length;
              const errors = nodes.filter((node) => model.problemsOf(node).some(({ warning }) => !warning)).length;
              return (
                <button key={tree.id} class="tree-name" aria-current={tree.id === editor.tree || undefined} onClick={() => editor.showTree(tree.id)}>
                  <span class="name">{visible(treeName(tree))}</span>
                  {tree.broken !== null && (
                    <span class="warning" title={tree.broken}>
                      {WARNING}
                    </span>
                  )}
                  {errors > 0 && (
                    <span class="error" title={errors === 1 ? "a node with an error" : `${errors} nodes with errors`}>
                      <span aria-hidden="true">!</span>
                      <span class="spoken">with errors, </span>
                    </span>
                  )}
                  <span class="faint">{tree.broken !== null ? "not valid" : count === 0 ? "empty" : count === 1 ? "1 node" : `${count} nodes`}</span>
                </button>
              );
            })}
        </div>
      ))}
      <button class="link" onClick={() => editor.openDialog({ kind: "name", what: "create", id: 0, name: "" })}>
        new tree…
      </button>
    </nav>
  );
}
