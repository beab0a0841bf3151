// The palette: words and leaves are searched by typing, and inserted, put around nodes, or in the place of one.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Editor } from "../../edit/editor";
import type { Dialog as Opened } from "../../edit/opened";
import { type Group, grouped, headOf, offered, searched, signature } from "../../edit/palette";
import { type Where, placeFor } from "../../edit/places";
import type { Entry } from "../../edit/protocol";
import { visible } from "../../model/text";
import { Dialog } from "./Dialog";

/** The maximum number of entries that are listed. Typing finds the others. */
const MAX_ENTRIES = 300;
const TITLES = { add: "add a node", wrap: "wrap in a node", replace: "replace the node" };
const WHERE: [Where, string, string][] = [
  ["before", "before", "Alt ↑"],
  ["after", "after", "Alt ↓"],
  ["below", "below", "Alt →"],
];

export function Palette({ editor, dialog }: { editor: Editor; dialog: Extract<Opened, { kind: "palette" }> }) {
  const { purpose } = dialog;
  const { model, tree } = editor;
  const entries = useMemo(() => editor.offered(), [model, editor.entries]);
  const [text, setText] = useState("");
  const [chosen, setWhere] = useState(dialog.where);
  const where = chosen ?? editor.usualPlace;
  const [index, setIndex] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const nodes = editor.nodes.map((id) => model!.of(id)!.node);
  const groups = useMemo(() => {
    const found = searched(offered(entries, purpose, nodes), text).slice(0, MAX_ENTRIES);
    // With a text, the best is first, whatever its group.
    return text.trim() ? groupsInOrder(found) : grouped(found);
  }, [entries, purpose, text]);
  const all = groups.flatMap(({ entries }) => entries);
  const typed = text.trim();
  // Anything can be written: an entry with arguments, or Rust.
  const hasTyped = typed !== "" && !all.some(({ name, insert }) => typed === name || typed === insert);
  const isFirst = hasTyped && (/[({]/.test(typed) || !all.length);
  const options: (Entry | null)[] = !hasTyped ? all : isFirst ? [null, ...all] : [...all, null];
  const at = Math.min(index, options.length - 1);
  const active = options[at];
  const isEmpty = model?.tree(tree)?.root === null;
  const target = editor.selection.active && model?.of(editor.selection.active.node);
  useEffect(() => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [at, text]);

  const choose = (entry: Entry | null) => {
    const insert = entry ? entry.insert : typed;
    if (!insert) return;
    const head = entry ? headOf(entry) : typed;
    editor.soon(() => act(insert, head));
  };
  const act = (insert: string, head: string) => {
    const isSent = purpose === "add" ? editor.insert(insert, chosen ?? editor.usualPlace) : purpose === "wrap" ? editor.change({ op: "wrap", nodes: editor.nodes, head }) : editor.change({ op: "replace", node: editor.nodes[0], head });
    if (isSent) editor.done();
  };
  const key = (event: KeyboardEvent) => {
    const last = options.length - 1;
    const aside = event.altKey ? ({ ArrowUp: "before", ArrowDown: "after", ArrowRight: "below" } as const)[event.key] : undefined;
    const to = event.altKey ? undefined : { ArrowDown: at >= last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, PageDown: Math.min(at + 8, last), PageUp: Math.max(at - 8, 0) }[event.key];
    if (aside && purpose === "add") {
      if (typeof placeFor(model!, tree!, editor.selection.active, aside) !== "string") setWhere(aside);
    } else if (to !== undefined) setIndex(to);
    else if (event.key === "Enter" && (event.target as HTMLElement).id === "palette-text") choose(active ?? null);
    else return;
    event.preventDefault();
  };
  let count = 0;
  const option = (entry: Entry | null) => {
    const number = options.indexOf(entry);
    return (
      <div key={entry ? `${entry.kind} ${entry.group} ${entry.name} ${entry.insert}` : "typed"} id={`option-${number}`} role="option" aria-selected={number === at} class="option" onPointerMove={(event) => moves(event) && setIndex(number)} onClick={() => choose(entry)}>
        {entry ? (
          <>
            <span class="name">{visible(entry.name)}</span>
            <span class="params">{visible(signature(entry))}</span>
            <span class="doc">{visible(entry.doc.split("\n")[0])}</span>
          </>
        ) : (
          <>
            <span class="doc">as written: </span>
            <span class="name">{visible(typed)}</span>
          </>
        )}
      </div>
    );
  };
  return (
    <Dialog id="palette" label={TITLES[purpose]} close={() => editor.openDialog(null)} onKeyDown={key}>
      <div class="line">
        <h2>{TITLES[purpose]}</h2>
        <span class="push" />
        <button aria-label="close" onClick={() => editor.openDialog(null)}>
          ✕
        </button>
      </div>
      {purpose === "add" && !isEmpty && target && (
        <div role="radiogroup" aria-label={`where: before, after or below ${target.node.label ?? target.node.name}`} class="line">
          {WHERE.map(([one, name, key]) => (
            <label key={one} title={key}>
              <input type="radio" name="where" checked={where === one} disabled={typeof placeFor(model!, tree!, editor.selection.active, one) === "string"} onChange={() => setWhere(one)} /> {name}
            </label>
          ))}
          <span class="faint">{`${visible(target.node.label ?? target.node.name)} (Alt ↑ ↓ →)`}</span>
        </div>
      )}
      <input
        type="text"
        id="palette-text"
        data-first
        role="combobox"
        aria-label="search keywords and leaves, or write a node"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-autocomplete="list"
        aria-activedescendant={options.length ? `option-${at}` : undefined}
        aria-describedby="palette-doc"
        placeholder="search keywords and leaves, or write a node"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setIndex(0);
        }}
      />
      <div class="columns">
        <div id="palette-list" ref={list} role="listbox" aria-label="keywords and leaves" tabIndex={-1}>
          {isFirst && option(null)}
          {groups.map((group) => (
            <div key={`${group.name} ${count++}`} role="group" aria-label={group.name}>
              <div class="group-name" aria-hidden="true">
                {visible(group.name)}
              </div>
              {group.entries.map(option)}
            </div>
          ))}
          {hasTyped && !isFirst && option(null)}
          {!options.length && <div class="hint" role="presentation">Nothing can be chosen here.</div>}
        </div>
        <Documentation entry={active ?? null} typed={typed} />
      </div>
    </Dialog>
  );
}

/** Whether the pointer has moved, not the list below it. */
function moves({ movementX, movementY }: PointerEvent): boolean {
  return movementX !== 0 || movementY !== 0;
}

/** Groups entries that follow each other. */
function groupsInOrder(entries: readonly Entry[]): Group[] {
  const groups: Group[] = [];
  for (const entry of entries) {
    const [{ name }] = grouped([entry]);
    if (groups.at(-1)?.name === name) groups.at(-1)!.entries.push(entry);
    else groups.push({ name, entries: [entry] });
  }
  return groups;
}

/** The documentation of the active entry, with its parameters. */
function Documentation({ entry, typed }: { entry: Entry | null; typed: string }) {
  if (!entry) return <div id="palette-doc">{typed ? <p>A node as it is written, such as cooldown(secs(2)), or Rust.</p> : null}</div>;
  return (
    <div id="palette-doc">
      <p>
        <b>{visible(entry.name)}</b> <span class="faint">{entry.is_condition ? "condition" : visible(entry.kind)}</span>
      </p>
      <p class="text">{visible(entry.doc).replace(/␊/g, "\n")}</p>
      {entry.params.length > 0 && (
        <ul>
          {entry.params.map((param) => (
            <li key={param.name}>
              <b>{visible(param.name)}</b>: {param.unit ? `${param.type} in ${param.unit}` : param.type}
              {bounds(param)}
              {param.required ? "" : `, ${param.default === null ? "optional" : `default ${visible(param.default)}`}`}
              {param.doc && <span class="faint"> {visible(param.doc)}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function bounds({ min, max }: { min: number | null; max: number | null }): string {
  if (min !== null && max !== null) return `, ${min} to ${max}`;
  return min !== null ? `, at least ${min}` : max !== null ? `, at most ${max}` : "";
}
