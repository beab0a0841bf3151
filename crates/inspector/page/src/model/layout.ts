// The places of nodes in a graph, from left to right: d3-hierarchy places them, and each level is as wide as its widest node.

import { hierarchy, tree } from "d3-hierarchy";

export interface Place {
  node: number;
  x: number;
  y: number;
  width: number;
}

export interface Layout {
  places: Place[];
  /** From the right edge of a node to the left edge of a child. */
  links: { from: number; to: number; path: string }[];
  width: number;
  height: number;
}

export const HEIGHT = 24;
const GAP = 8;
const LEVEL_GAP = 40;

/** The space between two trees, in pixels. */
const TREE_GAP = 24;

/** Places the nodes of trees, one below the other. `width` returns that of a node. */
export function layOut(roots: readonly number[], children: (node: number) => number[], width: (node: number) => number): Layout {
  const placed = roots.map((root) =>
    tree<number>()
      .nodeSize([HEIGHT + GAP, 1])
      .separation((a, b) => (a.parent === b.parent ? 1 : 1.3))(hierarchy(root, children)),
  );
  const widths: number[] = [];
  for (const root of placed) root.each(({ data, depth }) => (widths[depth] = Math.max(widths[depth] ?? 0, width(data))));
  const lefts = widths.map(() => 0);
  for (let depth = 1; depth < widths.length; depth++) lefts[depth] = lefts[depth - 1] + widths[depth - 1] + LEVEL_GAP;
  const places: Place[] = [];
  const byNode = new Map<number, Place>();
  let below = 0;
  for (const root of placed) {
    let [top, bottom] = [0, 0];
    root.each(({ x }) => ([top, bottom] = [Math.min(top, x), Math.max(bottom, x)]));
    root.each(({ data, depth, x }) => {
      const place = { node: data, x: lefts[depth], y: below + x - top, width: width(data) };
      places.push(place);
      byNode.set(data, place);
    });
    below += bottom - top + HEIGHT + TREE_GAP;
  }
  const links = placed.flatMap((root) => root.links()).map(({ source, target }) => {
    const [a, b] = [byNode.get(source.data)!, byNode.get(target.data)!];
    const [x, y, p, q] = [a.x + a.width, a.y + HEIGHT / 2, b.x, b.y + HEIGHT / 2];
    const middle = b.x - LEVEL_GAP / 2;
    return { from: a.node, to: b.node, path: `M${x},${y}H${middle - 10}C${middle},${y} ${middle},${q} ${middle + 10},${q}H${p}` };
  });
  return { places, links, width: (lefts.at(-1) ?? 0) + (widths.at(-1) ?? 0), height: Math.max(below - TREE_GAP, HEIGHT) };
}
