// The tree as a graph.

import { useMemo } from "preact/hooks";
import { HEIGHT, type Place, layOut } from "../model/layout";
import type { Shape } from "../model/shape";
import type { View } from "../model/view";
import { visible } from "../model/text";
import { SIGNS, WARNING, params, title } from "../model/words";
import type { Page } from "../page";
import { GraphCanvas, SIGN, cut, widthOf } from "./GraphCanvas";
import { collapsed, reveal, shownNodes, toggle } from "./folding";
import { heatOf } from "./heat";
import { extraText, memoryText, nodeClasses, spoken, warningTexts } from "./nodeText";

/** The number of different colors of heat, when nodes are drawn together. */
const HEATS = 8;

interface Properties {
  page: Page;
  shape: Shape;
  view: View;
  leaves: number[];
}

export function Graph({ page, shape, view, leaves }: Properties) {
  const folds = collapsed(page, shape);
  const shown = shownNodes(page, shape, view);
  const shownKey = shown.length === shape.nodes.length ? "all" : shown.join();
  const layout = useMemo(() => {
    const set = new Set(shown);
    return layOut([0], (node) => shape.children[node].filter((child) => set.has(child)), (node) => widthOf(text(shape, node), shape.warnings(node).length > 0));
  }, [shape, shownKey]);
  const found = new Set(shape.find(page.search));
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const node = page.active;
    const siblings = shape.nodes[node].parent === null ? [node] : shape.children[shape.nodes[node].parent!];
    const to = { ArrowLeft: shape.nodes[node].parent, ArrowRight: shape.children[node][0], ArrowUp: siblings[siblings.indexOf(node) - 1], ArrowDown: siblings[siblings.indexOf(node) + 1], Home: 0 }[event.key];
    const acts: Record<string, () => void> = {
      Enter: () => toggle(page, shape, node),
      b: () => page.openMenu({ tree: shape.info.key, node }),
    };
    if (to !== undefined && to !== null) page.activate(to);
    else if (acts[event.key]) acts[event.key]();
    else return ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home"].includes(event.key);
    return true;
  };
  const look = (node: number): [string, string] => {
    const heat = heatOf(page, view, node);
    return [nodeClasses(page, view, node).join(" "), heat === undefined ? "" : (Math.round(heat * HEATS) / HEATS).toFixed(3)];
  };
  const color = (node: number) => {
    const seen = view.of(node);
    return seen?.fresh ? (seen.kind === "o" ? "accent" : seen.kind) : node === page.active ? "accent" : "line";
  };
  return (
    <GraphCanvas
      label="behavior tree as a graph: arrow keys move between nodes"
      layout={layout}
      of={shape}
      first={{ node: leaves[0] ?? 0, isLeft: !leaves.length }}
      active={page.active}
      prefix="graph-"
      reveals={page.reveals}
      onReveal={() => reveal(page, shape, page.active)}
      followed={page.settings.follow && leaves.length ? leaves[0] : -1}
      isHeated={page.settings.heat !== "off"}
      isRunning={(node) => view.isRunning(node)}
      look={look}
      color={color}
      onNode={(node) => page.activate(node)}
      onKey={key}
    >
      {(place, isSmall) => <GraphNode key={place.node} page={page} shape={shape} view={view} place={place} isSmall={isSmall} isFound={found.has(place.node)} isFolded={folds.has(place.node)} />}
    </GraphCanvas>
  );
}

/** Returns the text of a node. */
function text(shape: Shape, node: number): string {
  const info = shape.nodes[node];
  return info.label === null ? title(info) + params(info) : `${title(info)} (${visible(info.name)})`;
}

interface NodeProperties {
  page: Page;
  shape: Shape;
  view: View;
  place: Place;
  isSmall: boolean;
  isFound: boolean;
  isFolded: boolean;
}

function GraphNode({ page, shape, view, place: { node, x, y, width }, isSmall, isFound, isFolded }: NodeProperties) {
  const info = shape.nodes[node];
  const seen = view.of(node);
  const [extra] = extraText(page, shape, view, node);
  const breakpoint = page.breakpointOf(shape.info.key, node);
  const classes = ["node", `k-${info.kind}`, ...nodeClasses(page, view, node), isFound ? "found" : "", node === page.active ? "active" : ""];
  const heat = heatOf(page, view, node);
  const hot = heat === undefined ? undefined : { "--hot": heat.toFixed(3) };
  return (
    <g class={classes.join(" ")} id={`graph-${node}`} data-node={node} role="treeitem" aria-level={shape.depths[node] + 1} aria-selected={node === page.active} aria-expanded={shape.hasChildren(node) ? !isFolded : undefined} aria-label={[text(shape, node), extra, spoken(page, shape, view, node)].filter(Boolean).join(", ")} transform={`translate(${x},${y})`} style={hot} onClick={() => page.activate(node)} onDblClick={() => toggle(page, shape, node)}>
      <title>{[text(shape, node), extra, ...warningTexts(shape, node), memoryText(shape, node), visible(info.location ?? ""), shape.hasChildren(node) ? "double click: collapse or expand" : ""].filter(Boolean).join("\n")}</title>
      <rect width={width} height={HEIGHT} rx={shape.hasChildren(node) ? 4 : 11} />
      {!isSmall && (
        <>
          <text class="sign" aria-hidden="true" x={12} y={16}>
            {seen ? SIGNS[seen.kind] : ""}
          </text>
          <text class="name" aria-hidden="true" x={24} y={16}>
            {cut(text(shape, node))}
            {isFolded ? " ▸" : ""}
          </text>
          {shape.warnings(node).length > 0 && (
            <text class="warning" aria-hidden="true" x={width - SIGN} y={16}>
              {WARNING}
            </text>
          )}
          {extra && (
            <text class="note" aria-hidden="true" x={6} y={HEIGHT + 9}>
              {cut(extra)}
            </text>
          )}
        </>
      )}
      <circle
        class={`dot ${breakpoint ? "set" : ""} ${breakpoint?.disabled ? "off" : ""}`}
        cx={0}
        cy={HEIGHT / 2}
        r={5}
        onClick={(event) => {
          event.stopPropagation();
          page.activate(node);
          page.openMenu({ tree: shape.info.key, node });
        }}
      />
    </g>
  );
}
