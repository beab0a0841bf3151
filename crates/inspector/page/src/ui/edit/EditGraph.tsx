// The edited tree as a graph: the same nodes, keys and places to drop as in the outline.

import { useMemo, useRef } from "preact/hooks";
import { treeKey } from "../../edit/keys";
import { type Model, type Spot, nodeTitle, roots } from "../../edit/model";
import { dropPlace } from "../../edit/places";
import { HEIGHT, type Place, layOut } from "../../model/layout";
import { visible } from "../../model/text";
import type { View } from "../../model/view";
import { WARNING } from "../../model/words";
import type { Page } from "../../page";
import { GraphCanvas, SIGN, cut, widthOf } from "../GraphCanvas";
import { beginDrag, dropClass } from "./drag";
import { type Looks, instanceOf, looksOf } from "./looks";

/** How far from a node something is still dropped at it, in pixels. */
const NEAR = 24;

interface Properties {
  page: Page;
  model: Model;
  view: View | null;
}

export function EditGraph({ page, model, view }: Properties) {
  const { editor } = page;
  const { folds, tree, selection } = editor;
  const locate = useRef<((x: number, y: number) => [number, number]) | null>(null);
  const layout = useMemo(() => {
    const width = (id: number) => widthOf(textOf(model, id), model.problemsOf(id).length > 0);
    return layOut(roots(model.tree(tree)!).map(({ id }) => id), (id) => (folds.has(id) ? [] : model.children(id)), width);
  }, [model, tree, folds]);
  const active = selection.active?.node ?? null;
  const found = new Set(model.find(tree!, page.search));
  const next = (key: string): Spot | null | undefined => {
    const spot = (node: number | undefined) => (node === undefined ? null : { node, list: null });
    // Several keys may be pressed before the page is drawn again.
    const active = selection.active?.node;
    const { folds, model } = editor;
    const tree = model?.tree(editor.tree);
    if (!model || !tree || active === undefined || !model.of(active)) return undefined;
    const siblings = model.siblings(active).map(({ id }) => id);
    const at = siblings.indexOf(active);
    const spots: Record<string, () => Spot | null> = {
      ArrowLeft: () => spot(model.of(active)!.parent?.id),
      ArrowRight: () => {
        if (folds.has(active)) editor.toggleFold(active);
        return spot(model.children(active)[0]);
      },
      ArrowUp: () => spot(siblings[at - 1]),
      ArrowDown: () => spot(siblings[at + 1]),
      Home: () => spot(roots(tree)[0]?.id),
      End: () => spot(model.nodes(tree.id).at(-1)),
    };
    return spots[key]?.();
  };
  const over = (x: number, y: number) => {
    const [px, py] = locate.current!(x, y);
    const away = ({ y }: Place) => Math.abs(y + HEIGHT / 2 - py);
    const near = layout.places.filter((place) => px > place.x - NEAR && px < place.x + place.width + NEAR && away(place) < HEIGHT / 2 + NEAR);
    const place = near.sort((a, b) => away(a) - away(b))[0];
    if (!place) return null;
    const spot = { node: place.node, list: null };
    // Right of a node is the place of its children.
    const part = px > place.x + place.width ? 0.5 : Math.min(1, Math.max(0, (py - place.y) / HEIGHT));
    const drop = dropPlace(model, spot, part, true);
    return drop && { ...drop, over: spot };
  };
  const looks = (node: number) => looksOf(editor, view, model.of(node)!);
  return (
    <GraphCanvas
      label="edited behavior tree as a graph: arrow keys move between nodes"
      layout={layout}
      of={`${editor.opened}/${tree}`}
      refits
      first={{ node: layout.places[0]?.node ?? -1, isLeft: true }}
      active={active}
      prefix="edit-"
      reveals={editor.reveals}
      followed={-1}
      isHeated={false}
      isMultiselectable
      isRunning={(node) => isRunning(page, view, node)}
      look={(node) => [looks(node).classes.join(" "), ""]}
      color={(node) => (selection.nodes.has(node) ? "accent" : isRunning(page, view, node) ? "r" : "line")}
      onNode={(node, event) => editor.go({ node, list: null }, event.shiftKey || event.ctrlKey || event.metaKey ? "toggle" : "only")}
      onKey={(event) => treeKey(editor, event, next)}
      onContextMenu={(event) => {
        event.preventDefault();
        // A key opens the menu at the active node.
        if (event.button === 2) editor.openMenu({ x: event.clientX, y: event.clientY });
      }}
      pans={(event) => !(event.target as Element).closest(".node")}
      locate={locate}
    >
      {(place, isSmall) => <GraphNode key={place.node} page={page} model={model} place={place} looks={looks(place.node)} isSmall={isSmall} isFound={found.has(place.node)} begin={(event) => beginDrag(editor, event, place.node, null, over)} />}
    </GraphCanvas>
  );
}

function isRunning({ editor }: Page, view: View | null, node: number): boolean {
  const running = instanceOf(editor, view, node);
  return view !== null && running !== undefined && view.isRunning(running);
}

/** Returns the text of a node. */
function textOf(model: Model, id: number): string {
  const { node, parent, list, index } = model.of(id)!;
  const name = node.label === null ? nodeTitle(node) : `${node.label} (${node.name})`;
  return visible([parent && list > 0 && index === 0 ? parent.lists[list].before : "", node.before && `${node.before} =>`, name].filter(Boolean).join(" "));
}

interface NodeProperties {
  page: Page;
  model: Model;
  place: Place;
  looks: Looks;
  isSmall: boolean;
  isFound: boolean;
  begin: (event: PointerEvent) => void;
}

function GraphNode({ page: { editor }, model, place: { node: id, x, y, width }, looks, isSmall, isFound, begin }: NodeProperties) {
  const { node, depth } = model.of(id)!;
  const text = textOf(model, id);
  const isFolded = editor.folds.has(id);
  const drop = dropClass(editor, id, null);
  const hasLists = node.lists.length > 0;
  const classes = ["node", ...looks.classes, isFound ? "found" : "", drop];
  return (
    <g
      class={classes.filter(Boolean).join(" ")}
      id={`edit-${id}`}
      data-node={id}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={editor.selection.nodes.has(id)}
      aria-expanded={hasLists ? !isFolded : undefined}
      aria-label={[text, visible(node.note), looks.spoken].filter(Boolean).join(", ")}
      transform={`translate(${x},${y})`}
      onPointerDown={begin}
      onClick={(event) => editor.go({ node: id, list: null }, event.shiftKey || event.ctrlKey || event.metaKey ? "toggle" : "only")}
      onDblClick={() => editor.toggleFold(id)}
      onContextMenu={() => editor.selection.nodes.has(id) || editor.go({ node: id, list: null }, "only")}
    >
      <title>{[visible(node.head), visible(node.note), ...looks.problems].filter(Boolean).join("\n")}</title>
      <rect width={width} height={HEIGHT} rx={hasLists ? 4 : 11} />
      {!isSmall && (
        <>
          <text class="sign" aria-hidden="true" x={12} y={16}>
            {looks.sign}
          </text>
          <text class="name" aria-hidden="true" x={24} y={16}>
            {cut(text)}
            {isFolded ? " ▸" : ""}
          </text>
          {looks.problems.length > 0 && (
            <text class="warning" aria-hidden="true" x={width - SIGN} y={16}>
              {WARNING}
            </text>
          )}
          {node.note && !hasLists && (
            <text class="note" aria-hidden="true" x={width + 6} y={15}>
              {cut(visible(node.note.split("\n")[0]))}
            </text>
          )}
        </>
      )}
      {drop && drop !== "drop-in" && <path class="drop" d={`M0,${drop === "drop-before" ? -4 : HEIGHT + 4}h${width}`} />}
    </g>
  );
}
