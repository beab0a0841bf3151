// The edited tree as an outline: a row per node, and one per list that is empty or has a word before it.

import { useLayoutEffect, useRef } from "preact/hooks";
import type { Editor } from "../../edit/editor";
import { savesAnywhere, treeKey } from "../../edit/keys";
import type { Model, Row, Spot } from "../../edit/model";
import { dropPlace } from "../../edit/places";
import { visible } from "../../model/text";
import type { View } from "../../model/view";
import { WARNING } from "../../model/words";
import type { Page } from "../../page";
import { VirtualList } from "../VirtualList";
import { beginDrag, dropClass } from "./drag";
import { looksOf } from "./looks";

/** The height of a row in pixels, as in the style sheet. */
const ROW = 20;
/** The width of the indent of a level in pixels. */
const INDENT = 21;

/** The id of the element of a row. */
const idOf = ({ node, list }: Spot) => (list === null ? `edit-${node}` : `edit-${node}-${list}`);

interface Properties {
  page: Page;
  model: Model;
  view: View | null;
}

export function EditOutline({ page, model, view }: Properties) {
  const { editor } = page;
  const { rows, selection } = editor;
  const { active } = selection;
  // Several keys may be pressed before the page is drawn again.
  const indexOf = (spot: Spot | null) => (spot ? editor.rows.findIndex(({ node, list }) => node === spot.node && list === spot.list) : -1);
  const index = indexOf(active);
  const found = new Set(model.find(editor.tree!, page.search));
  const next = (key: string): Spot | null | undefined => {
    // What has arrived may not be drawn yet.
    const { rows, folds } = editor;
    const at = Math.max(indexOf(selection.active), 0);
    const row = rows[at];
    const place = row && editor.model?.of(row.node);
    if (!place) return undefined;
    const isFolded = folds.has(row.node);
    const hasLists = row.list === null && place.node.lists.length > 0;
    const parent = row.list === null ? place.parent?.id : row.node;
    const spots: Record<string, () => Spot | null | undefined> = {
      ArrowUp: () => rows[Math.max(at - 1, 0)],
      ArrowDown: () => rows[Math.min(at + 1, rows.length - 1)],
      Home: () => rows[0],
      End: () => rows.at(-1),
      ArrowLeft: () => {
        if (!hasLists || isFolded) return parent === undefined ? null : { node: parent, list: null };
        editor.toggleFold(row.node);
        return null;
      },
      ArrowRight: () => {
        if (hasLists && !isFolded) return rows[at + 1];
        if (isFolded) editor.toggleFold(row.node);
        return null;
      },
    };
    return spots[key]?.();
  };
  const over = (x: number, y: number) => {
    const row = document.elementFromPoint(x, y)?.closest<HTMLElement>("#tree .row");
    if (!row) return null;
    const spot = { node: Number(row.dataset.node), list: row.dataset.list === undefined ? null : Number(row.dataset.list) };
    const { top, height } = row.getBoundingClientRect();
    const drop = dropPlace(model, spot, (y - top) / height, editor.folds.has(spot.node));
    return drop && { ...drop, over: spot };
  };
  return (
    <VirtualList
      id="tree"
      class={editor.drag ? "dragging" : ""}
      role="tree"
      aria-label="behavior tree, edited"
      aria-multiselectable
      tabIndex={0}
      aria-activedescendant={active && index >= 0 ? idOf(active) : undefined}
      onKeyDown={(event) => treeKey(editor, event, next) && event.preventDefault()}
      onContextMenu={(event) => {
        event.preventDefault();
        // A key opens the menu at the active node.
        if (event.button === 2) editor.openMenu({ x: event.clientX, y: event.clientY });
      }}
      count={rows.length}
      height={ROW}
      revealed={index}
      reveals={editor.reveals}
      revealedLeft={45 + (rows[index]?.depth ?? 0) * INDENT}
      rows={(from, to) =>
        rows.slice(from, to).map((row, at) => {
          const top = (from + at) * ROW;
          if (row.list !== null) return <ListRow key={idOf(row)} editor={editor} model={model} row={row} top={top} />;
          return <NodeRow key={row.node} editor={editor} model={model} view={view} row={row} top={top} isFound={found.has(row.node)} begin={(event, node) => beginDrag(editor, event, node, document.getElementById("tree"), over)} />;
        })
      }
    />
  );
}

/** Returns what a click selects. */
function howToSelect(event: MouseEvent): "extend" | "toggle" | "only" {
  return event.shiftKey ? "extend" : event.ctrlKey || event.metaKey ? "toggle" : "only";
}

interface RowProperties {
  editor: Editor;
  model: Model;
  view: View | null;
  row: Row;
  top: number;
  isFound: boolean;
  begin: (event: PointerEvent, node: number) => void;
}

function NodeRow({ editor, model, view, row: { node: id, depth }, top, isFound, begin }: RowProperties) {
  const place = model.of(id)!;
  const { node } = place;
  const looks = looksOf(editor, view, place);
  const siblings = model.siblings(id);
  const isFolded = editor.folds.has(id);
  const hasLists = node.lists.length > 0;
  const inline = editor.inline?.node === id ? editor.inline.what : null;
  const press = (event: MouseEvent) => {
    const target = event.target as HTMLElement;
    if (target.closest("input, textarea")) return;
    if (target.classList.contains("twist")) return editor.toggleFold(id);
    editor.go({ node: id, list: null }, howToSelect(event));
    // What is done next is done with this node.
    editor.page.drawNow();
  };
  return (
    <div
      class={["row", ...looks.classes, isFound ? "found" : "", dropClass(editor, id, null)].filter(Boolean).join(" ")}
      id={`edit-${id}`}
      data-node={id}
      role="treeitem"
      aria-level={depth + 1}
      aria-setsize={siblings.length}
      aria-posinset={siblings.indexOf(node) + 1}
      aria-expanded={hasLists ? !isFolded : undefined}
      aria-selected={editor.selection.nodes.has(id)}
      style={{ top: `${top}px` }}
      onPointerDown={(event) => !(event.target as HTMLElement).closest("input, textarea") && begin(event, id)}
      onClick={press}
      onDblClick={() => editor.editText("label")}
      onContextMenu={() => editor.selection.nodes.has(id) || editor.go({ node: id, list: null }, "only")}
    >
      <span class="indent" aria-hidden="true" style={{ "--depth": depth }} />
      <span class="twist" aria-hidden="true">{hasLists ? (isFolded ? "▸" : "▾") : " "}</span>
      <span class="sign" aria-hidden="true">{looks.sign || " "}</span>
      {node.before && <span class="role">{visible(node.before)} =&gt; </span>}
      <span class="name">{looks.name}</span>
      <span class="params">{looks.params}</span>
      {looks.problems.length > 0 && (
        <span class={`warning ${looks.isError ? "error" : ""}`} aria-hidden="true" title={looks.problems.join("\n")}>
          {WARNING}
        </span>
      )}
      {inline === "label" ? <InlineField editor={editor} id={id} what="label" text={node.label ?? ""} /> : node.label !== null && <span class="label">"{visible(node.label)}"</span>}
      {inline === "note" ? <InlineField editor={editor} id={id} what="note" text={node.note} /> : node.note && <span class="note" title={node.note}>{`// ${visible(node.note.split("\n").join(" "))}`}</span>}
      {looks.spoken && <span class="spoken">, {looks.spoken}</span>}
    </div>
  );
}

/** The label or the note, in the row. */
function InlineField({ editor, id, what, text }: { editor: Editor; id: number; what: "label" | "note"; text: string }) {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const isOver = useRef(false);
  /** The row may vanish with its field: it is scrolled away, or the node is removed. */
  const typed = useRef(text);
  useLayoutEffect(() => {
    field.current!.focus();
    field.current!.select();
  }, []);
  const end = (isChanged: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    const value = typed.current.trim();
    const hadFocus = document.activeElement === field.current;
    const isKept = isChanged && value !== text && !editor.change(what === "label" ? { op: "label", node: id, label: value || null } : { op: "note", node: id, text: value });
    // What cannot be sent stays in the field.
    isOver.current = !isKept;
    if (isKept) return;
    editor.editInline(null);
    if (hadFocus) document.getElementById("tree")?.focus();
  };
  const all = {
    class: "inline",
    ref: field,
    "aria-label": what,
    placeholder: what,
    autocomplete: "off" as const,
    defaultValue: text,
    onInput: (event: InputEvent) => (typed.current = (event.currentTarget as HTMLInputElement).value),
    onBlur: () => end(true),
    onKeyDown: (event: KeyboardEvent) => {
      if (savesAnywhere(event)) return;
      event.stopPropagation();
      if (event.key === "Escape") end(false);
      if (event.key !== "Enter" || event.shiftKey) return;
      event.preventDefault();
      end(true);
    },
  };
  return what === "label" ? <input type="text" {...all} /> : <textarea rows={Math.min(6, Math.max(2, text.split("\n").length))} title="Enter: done, Shift Enter: another line" {...all} />;
}

/** A list that is empty, or has a word before it: what is inserted there is inserted into the list. */
function ListRow({ editor, model, row, top }: { editor: Editor; model: Model; row: Row; top: number }) {
  const { node } = model.of(row.node)!;
  const { before, children } = node.lists[row.list!];
  const { active } = editor.selection;
  const isNear = active?.node === row.node;
  const isActive = isNear && active.list === row.list;
  const lists = node.lists.length;
  return (
    <div
      class={["row", "of-list", isActive ? "active" : "", dropClass(editor, row.node, row.list)].filter(Boolean).join(" ")}
      id={idOf(row)}
      data-node={row.node}
      data-list={row.list}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-setsize={lists}
      aria-posinset={row.list! + 1}
      aria-selected={isActive}
      style={{ top: `${top}px` }}
      onClick={() => editor.go(row, "only")}
      onDblClick={() => editor.openPalette("add")}
    >
      <span class="indent" aria-hidden="true" style={{ "--depth": row.depth }} />
      <span class="twist" aria-hidden="true"> </span>
      <span class="sign" aria-hidden="true"> </span>
      {before && <span class="role">{visible(before)} </span>}
      {!children.length && <span class="empty">{`no children yet${isNear ? ": / adds one" : ""}`}</span>}
    </div>
  );
}
