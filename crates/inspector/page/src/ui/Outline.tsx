// The tree as an outline: a row per node, with its last known status and its breakpoint.

import { useLayoutEffect, useRef } from "preact/hooks";
import type { Shape } from "../model/shape";
import type { View } from "../model/view";
import { visible } from "../model/text";
import { SIGNS, SPOKEN, WARNING, params, rolePrefix, shortLocation, title } from "../model/words";
import type { Page } from "../page";
import { collapsed, reveal, toggle } from "./folding";
import { heatOf } from "./heat";
import { extraText, memoryText, nodeClasses, spoken, warningTexts } from "./nodeText";
import { VirtualList } from "./VirtualList";

/** The height of a row in pixels, as in the style sheet. */
const ROW = 20;
/** The width of the indent of a level in pixels. */
const INDENT = 21;

interface Properties {
  page: Page;
  shape: Shape;
  view: View;
  leaves: number[];
  /** The nodes that have a row. */
  nodes: number[];
  /** The nodes whose statuses differ from those that they are compared with. */
  differing?: ReadonlySet<number>;
}

export function Outline({ page, shape, view, leaves, nodes, differing }: Properties) {
  const { settings } = page;
  const last = useRef({ shape, reveals: page.reveals });
  // A node that is selected, or the running leaf, must not be inside a collapsed one.
  const isFirst = page.isFirstView && page.history!.ticks.length > 0;
  const followed = (settings.follow || isFirst) && leaves.length ? leaves[0] : -1;
  useLayoutEffect(() => {
    if (isFirst) page.seen();
    if (last.current.reveals !== page.reveals) reveal(page, shape, page.active);
    last.current = { shape, reveals: page.reveals };
  });
  const folds = collapsed(page, shape);
  const found = new Set(shape.find(page.search));
  const positions = new Map(nodes.map((node, index) => [node, index]));
  const rowOf = (node: number) => positions.get(node) ?? positions.get(shape.ancestors(node).find((one) => positions.has(one)) ?? 0) ?? 0;
  const active = nodes[rowOf(page.active)];
  if (page.active >= shape.nodes.length) page.active = 0;
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !nodes.length) return;
    const index = rowOf(page.active);
    const node = nodes[index];
    const isFolded = folds.has(node);
    const acts: Record<string, () => void> = {
      ArrowUp: () => page.activate(nodes[Math.max(index - 1, 0)]),
      ArrowDown: () => page.activate(nodes[Math.min(index + 1, nodes.length - 1)]),
      ArrowLeft: () => (shape.hasChildren(node) && !isFolded ? toggle(page, shape, node) : page.activate(shape.nodes[node].parent ?? 0)),
      ArrowRight: () => (isFolded ? toggle(page, shape, node) : shape.hasChildren(node) && page.activate(node + 1)),
      Home: () => page.activate(nodes[0]),
      End: () => page.activate(nodes.at(-1)!),
      Enter: () => toggle(page, shape, node),
      b: () => page.openMenu({ tree: shape.info.key, node }),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  // What the user selects wins over what runs, until another leaf runs.
  const reveals = `${page.reveals} ${shape.info.key}`;
  const [revealed, why] = useRevealed(rowOf(page.active), reveals, followed >= 0 ? rowOf(followed) : -1, followed, isFirst);
  return (
    <VirtualList
      id="tree"
      class={settings.heat === "off" ? "" : "heat"}
      role="tree"
      aria-label="behavior tree"
      tabIndex={0}
      aria-activedescendant={`node-${active}`}
      onKeyDown={key}
      onWheel={() => page.seen()}
      onPointerDown={() => page.seen()}
      count={nodes.length}
      height={ROW}
      revealed={revealed}
      reveals={why}
      revealedLeft={45 + shape.depths[nodes[revealed] ?? 0] * INDENT}
      rows={(from, to) => nodes.slice(from, to).map((node, index) => <Row key={node} page={page} shape={shape} view={view} node={node} top={(from + index) * ROW} isFolded={folds.has(node)} isActive={node === active} isFound={found.has(node)} differs={differing?.has(node) === true} />)}
    />
  );
}

/** Returns the row to scroll to, and a number that changes whenever to scroll. */
function useRevealed(activeRow: number, reveals: string, followedRow: number, followed: number, isFirst: boolean): [number, number] {
  const last = useRef({ reveals: "", followed: -1, row: -1, count: 0 });
  const { current } = last;
  const isOther = followed >= 0 && (isFirst || current.followed !== followed);
  if (current.reveals !== reveals && !(isFirst && isOther)) Object.assign(current, { reveals, followed, row: activeRow, count: current.count + 1 });
  else if (isOther) Object.assign(current, { reveals, followed, row: followedRow, count: current.count + 1 });
  return [current.row, current.count];
}

interface RowProperties {
  page: Page;
  shape: Shape;
  view: View;
  node: number;
  top: number;
  isFolded: boolean;
  isActive: boolean;
  isFound: boolean;
  differs: boolean;
}

function Row({ page, shape, view, node, top, isFolded, isActive, isFound, differs }: RowProperties) {
  const info = shape.nodes[node];
  const seen = view.of(node);
  const breakpoint = page.breakpointOf(shape.info.key, node);
  const siblings = info.parent === null ? [node] : shape.children[info.parent];
  const [extra, isError] = extraText(page, shape, view, node);
  const hasChildren = shape.hasChildren(node);
  const warnings = warningTexts(shape, node);
  const classes = ["row", `k-${info.kind}`, ...nodeClasses(page, view, node), isActive ? "active" : "", isFound ? "found" : "", differs ? "differs" : ""];
  const click = (event: MouseEvent) => {
    const target = event.target as HTMLElement;
    if (target.closest("a")) return;
    page.activate(node);
    if (target.classList.contains("dot")) page.openMenu({ tree: shape.info.key, node });
    else if (target.classList.contains("twist")) toggle(page, shape, node);
  };
  return (
    <div
      class={classes.filter(Boolean).join(" ")}
      id={`node-${node}`}
      data-node={node}
      role="treeitem"
      aria-level={shape.depths[node] + 1}
      aria-setsize={siblings.length}
      aria-posinset={siblings.indexOf(node) + 1}
      aria-expanded={hasChildren ? !isFolded : undefined}
      aria-selected={isActive}
      style={{ top: `${top}px`, "--hot": heatOf(page, view, node)?.toFixed(3) }}
      onClick={click}
    >
      <span class={`dot ${breakpoint ? "set" : ""} ${breakpoint?.disabled ? "off" : ""}`} title="set a breakpoint…" aria-hidden="true">
        {page.isRecording ? "" : "●"}
      </span>
      <span class="indent" aria-hidden="true" style={{ "--depth": shape.depths[node] }} />
      <span class="twist" aria-hidden="true">{hasChildren ? (isFolded ? "▸" : "▾") : " "}</span>
      <span class="sign" aria-hidden="true" title={seen ? SPOKEN[seen.kind] : "not visited"}>
        {seen ? SIGNS[seen.kind] : " "}
      </span>
      <span class="role">{rolePrefix(info)}</span>
      <span class="name" title={memoryText(shape, node) || undefined}>{visible(info.name)}</span>
      <span class="params">{params(info)}</span>
      {warnings.length > 0 && <span class="warning" aria-hidden="true" title={warnings.join("\n")}>{WARNING}</span>}
      {info.label !== null && <span class="label">"{title(info)}"</span>}
      {info.transitions.length > 0 && <span class="extra">[{visible(info.transitions.map((transition) => `${transition.on} -> ${transition.to}`).join(", "))}]</span>}
      <span class={`extra ${isError ? "error" : ""}`}>{extra}</span>
      <span class="spoken">{spoken(page, shape, view, node) + (differs ? ", differs" : "")}</span>
      <Source page={page} shape={shape} location={info.location} />
    </div>
  );
}

/** The source location, as a link that opens the user's editor. */
function Source({ page, shape, location }: { page: Page; shape: Shape; location: string | null }) {
  if (location === null) return <span class="source" />;
  const [, path, line, column] = /^(.*?):(\d+):(\d+)$/.exec(location) ?? [];
  const isAbsolute = /^([/\\]|\w:)/.test(path ?? "");
  // Without the folder of the sources, a link would lead elsewhere, unless the user has written the folder into the setting.
  const isKnown = isAbsolute || shape.info.folder !== undefined || !/:\/\/file\/\{path\}/.test(page.settings.editor);
  if (!path || !page.settings.editor || !isKnown) return <span class="source" title={visible(location)}>{shortLocation(location)}</span>;
  const full = shape.info.folder && !isAbsolute ? `${shape.info.folder}/${path}` : path;
  const parts: Record<string, string> = { path: encodeURI(full), line, column };
  return (
    <a class="source" title={`open ${visible(location)} in the editor`} tabIndex={-1} href={page.settings.editor.replace(/\{(path|line|column)\}/g, (_, part) => parts[part])}>
      {shortLocation(location)}
    </a>
  );
}
