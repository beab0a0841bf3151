// Which nodes of a tree are collapsed. The browser keeps it.

import type { Shape } from "../model/shape";
import type { TreeInfo } from "../model/protocol";
import { nodeIn, shapeOf } from "../model/versions";
import type { View } from "../model/view";
import type { Page } from "../page";

const key = (shape: Shape) => `${shape.info.name}/${shape.info.fingerprint}`;

let last: { stored: number[] | undefined; set: Set<number> } = { stored: undefined, set: new Set() };

/** Returns the collapsed nodes. */
export function collapsed(page: Page, shape: Shape): ReadonlySet<number> {
  const stored = page.settings.folded[key(shape)];
  if (stored !== last.stored) last = { stored, set: new Set(stored) };
  return stored ? last.set : new Set();
}

function store(page: Page, shape: Shape, nodes: number[]): void {
  const { [key(shape)]: _, ...others } = page.settings.folded;
  // The last one is the newest.
  page.set("folded", nodes.length ? { ...others, [key(shape)]: nodes } : others);
}

export function toggle(page: Page, shape: Shape, node: number): void {
  if (!shape.hasChildren(node)) return;
  const folds = new Set(collapsed(page, shape));
  if (!folds.delete(node)) folds.add(node);
  store(page, shape, [...folds]);
}

/** Expands the nodes above a node. */
export function reveal(page: Page, shape: Shape, node: number): void {
  const folds = collapsed(page, shape);
  const above = shape.ancestors(node).filter((one) => folds.has(one));
  if (above.length) store(page, shape, [...folds].filter((one) => !above.includes(one)));
}

export function expandAll(page: Page, shape: Shape): void {
  store(page, shape, []);
}

/** Collapses all nodes at or below this depth, and expands the others. */
export function collapse(page: Page, shape: Shape, depth: number): void {
  store(page, shape, shape.nodes.filter(({ id }) => shape.depths[id] >= depth && shape.hasChildren(id)).map((node) => node.id));
}

/** Folds the nodes of a new version of a tree like those of the one before. */
export function followFolds(page: Page, from: TreeInfo, to: TreeInfo): void {
  const nodes = [...collapsed(page, shapeOf(from))].map((node) => nodeIn(to, from, node));
  store(page, shapeOf(to), nodes.filter((node) => node !== null));
}

/** Returns the nodes that are shown: not inside a collapsed one, and visited if only those are shown. */
export function shownNodes(page: Page, shape: Shape, view: View): number[] {
  const folds = collapsed(page, shape);
  const { shown } = page.settings;
  const isShown = (node: number) => shown === "all" || (shown === "ever" ? view.of(node) !== null : view.of(node)?.fresh === true);
  const nodes = [];
  for (let node = 0; node < shape.nodes.length; ) {
    // The nodes below one that was not visited were not visited, but a halt reaches nodes whose parents are not visited.
    if (isShown(node) || node === 0) nodes.push(node);
    node = folds.has(node) ? shape.ends[node] : node + 1;
  }
  return nodes;
}
