// Which nodes of a tree are selected.

import type { Model, Row, Spot } from "./model";

export class Selection {
  /** The selected nodes. */
  nodes: ReadonlySet<number> = new Set();
  /** What the keyboard operates on. */
  active: Spot | null = null;
  /** Where a range begins. */
  private anchor: number | null = null;

  /** Selects one node, or one list. */
  only(spot: Spot): void {
    this.active = spot;
    this.anchor = spot.node;
    this.nodes = new Set(spot.list === null ? [spot.node] : []);
  }

  /** Selects nodes; the first is the active one. */
  all(nodes: number[]): void {
    if (!nodes.length) return;
    this.only({ node: nodes[0], list: null });
    this.nodes = new Set(nodes);
  }

  /** Selects a node in addition, or not any longer. */
  toggle(spot: Spot): void {
    if (spot.list !== null) return this.only(spot);
    const nodes = new Set(this.nodes);
    if (!nodes.delete(spot.node)) nodes.add(spot.node);
    this.active = spot;
    this.anchor = spot.node;
    this.nodes = nodes;
  }

  /** Selects all nodes from the last one that was selected alone to this one. */
  extend(spot: Spot, rows: readonly Row[]): void {
    const indexOf = (node: number | null) => rows.findIndex((row) => row.node === node && row.list === null);
    const to = rows.findIndex((row) => row.node === spot.node && row.list === spot.list);
    const from = this.anchor === null ? -1 : indexOf(this.anchor);
    if (from < 0 || to < 0) return this.only(spot);
    const range = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
    this.nodes = new Set(range.filter(({ list }) => list === null).map(({ node }) => node));
    this.active = spot;
  }

  /** Moves the active row without changing what is selected. */
  move(spot: Spot): void {
    this.active = spot;
  }

  /** Forgets nodes that another version of the document does not have. `near` returns the node to select if none is left. */
  keep(model: Model, tree: number | null, near: () => number | null): void {
    const isThere = (node: number) => model.of(node)?.tree.id === tree;
    const left = [...this.nodes].filter(isThere);
    if (left.length !== this.nodes.size) this.nodes = new Set(left);
    const { active } = this;
    if (active && isThere(active.node) && (active.list === null || model.of(active.node)!.node.lists[active.list])) return;
    const next = left[0] ?? near();
    if (next === null) Object.assign(this, { active: null, anchor: null });
    else if (left.length) this.active = { node: next, list: null };
    else this.only({ node: next, list: null });
  }
}
