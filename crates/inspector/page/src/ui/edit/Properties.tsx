// The properties of the selected node, as a form.

import { useMemo } from "preact/hooks";
import type { Editor } from "../../edit/editor";
import type { Placed } from "../../edit/model";
import { annotationName, annotates, entryOf, fieldsOf, variablesOf } from "../../edit/values";
import { visible } from "../../model/text";
import { treeElement } from "../roving";
import { Field, Frame, described } from "./Field";
import { useDraft } from "./draft";

/** The id of the list of variables. */
const VARIABLES = "variables";

export function Properties({ editor }: { editor: Editor }) {
  const { model, tree, selection } = editor;
  const variables = useMemo(() => (model ? variablesOf(model) : []), [model]);
  const id = editor.node;
  const place = id === null ? undefined : model?.of(id);
  const broken = model?.tree(tree)?.broken;
  const leave = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    treeElement()?.focus();
  };
  return (
    <aside id="properties" aria-label="properties" onKeyDown={leave}>
      <h2>properties</h2>
      {model?.state.conflict ? (
        <div class="hint">Choose one of the versions first.</div>
      ) : place ? (
        <Form key={place.node.id} editor={editor} place={place} variables={variables.length ? VARIABLES : undefined} />
      ) : (
        <div class="hint">{broken ? "The text of this tree is not valid." : selection.nodes.size > 1 ? `${selection.nodes.size} nodes are selected. Select one to see its properties.` : model?.tree(tree)?.root ? "Select a node to see its properties." : "The form of the selected node is here."}</div>
      )}
      <datalist id={VARIABLES}>
        {variables.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </aside>
  );
}

function Form({ editor, place: { node, parent }, variables }: { editor: Editor; place: Placed; variables: string | undefined }) {
  const entry = entryOf(editor.entries, node);
  const rows = fieldsOf(entry, node);
  const general = editor.model!.problemsOf(node.id).filter(({ argument }) => argument === null);
  return (
    <>
      <p class="what">
        {/\w/.test(node.name) && node.kind !== "rust" && <b>{visible(node.name)} </b>}
        <span class="faint">{node.kind === "rust" ? "Rust" : node.kind}</span>
        {node.disabled && <span class="faint">, disabled</span>}
      </p>
      {entry?.doc && <p class="faint doc">{visible(entry.doc.split("\n\n")[0]).replace(/␊/g, " ")}</p>}
      {general.length > 0 && (
        <ul class="general">
          {general.map(({ message, warning }, index) => (
            <li key={index} class={warning ? "warning" : "error"}>
              <span class="spoken">{warning ? "warning: " : "error: "}</span>
              {visible(message).replace(/␊/g, "\n")}
            </li>
          ))}
        </ul>
      )}
      <div id="fields">
        {rows.map((row) => (
          <Field key={row.param.name} editor={editor} node={node} row={row} variables={variables} />
        ))}
        {annotates(parent) && <Line editor={editor} id="field-before" label={annotationName(parent)} value={node.before} operation={(before) => ({ op: "annotate", node: node.id, before })} checks={node.id} />}
        <Line editor={editor} id="field-label" label="label" value={node.label ?? ""} operation={(label) => ({ op: "label", node: node.id, label: label.trim() || null })} />
        <Note editor={editor} value={node.note} operation={(text) => ({ op: "note", node: node.id, text })} />
        <Line editor={editor} id="field-head" label="as written" value={node.head} operation={(head) => ({ op: "replace", node: node.id, head })} checks={node.id} isCode />
      </div>
    </>
  );
}

interface LineProperties {
  editor: Editor;
  id: string;
  label: string;
  value: string;
  operation: Parameters<typeof useDraft>[0]["operation"];
  /** The node that is checked while the text is typed. */
  checks?: number;
  isCode?: boolean;
}

function Line({ editor, id, label, value, operation, checks, isCode }: LineProperties) {
  const known = checks === undefined ? [] : editor.model!.problemsOf(checks).map(({ message }) => message);
  const draft = useDraft({ editor, value, operation, isAbout: checks === undefined ? undefined : ({ node, message }) => node === checks && !known.includes(message) });
  return (
    <Frame id={id} label={label} draft={draft}>
      {isCode && draft.text.length > 40 ? (
        <textarea {...described(id, draft)} class="code" rows={Math.min(8, 1 + Math.ceil(draft.text.length / 36))} spellcheck={false} value={draft.text} onInput={(event) => draft.type(event.currentTarget.value)} onBlur={() => draft.commit()} onKeyDown={draft.onKeyDown} />
      ) : (
        <input type="text" {...described(id, draft)} class={isCode ? "code" : ""} autocomplete="off" spellcheck={!isCode} value={draft.text} onInput={(event) => draft.type(event.currentTarget.value)} onBlur={() => draft.commit()} onKeyDown={draft.onKeyDown} />
      )}
    </Frame>
  );
}

function Note({ editor, value, operation }: Pick<LineProperties, "editor" | "value" | "operation">) {
  const draft = useDraft({ editor, value, operation });
  return (
    <Frame id="field-note" label="note" draft={draft}>
      <textarea {...described("field-note", draft)} rows={Math.min(6, Math.max(2, draft.text.split("\n").length))} value={draft.text} onInput={(event) => draft.type(event.currentTarget.value)} onBlur={() => draft.commit()} onKeyDown={draft.onKeyDown} />
    </Frame>
  );
}
