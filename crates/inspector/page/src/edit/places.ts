// Where nodes are moved to and inserted.

import type { Model, Spot } from "./model";
import type { At } from "./protocol";

export type Where = "before" | "after" | "below";
export type Direction = "up" | "down" | "out" | "in";

/** Returns where new nodes are inserted, or why they cannot be. */
export function placeFor(model: Model, tree: number, spot: Spot | null, where: Where): At | string {
  const found = model.tree(tree);
  if (found?.broken) return "the text of this tree is not valid: correct it in its file";
  if (found && !found.root) return { tree };
  const place = spot && model.of(spot.node);
  if (!place) return "select a node first";
  const { node, parent } = place;
  if (spot.list !== null) return { in: node.id, list: spot.list, index: where === "after" ? (node.lists[spot.list]?.children.length ?? 0) : 0 };
  if (where === "below") {
    if (!node.lists.length) return `${node.name} has no children`;
    const empty = node.lists.findIndex(({ children }) => !children.length);
    const list = empty < 0 ? node.lists.length - 1 : empty;
    return { in: node.id, list, index: node.lists[list].children.length };
  }
  if (!parent) return "nothing is beside the root: wrap it in a composite first";
  return where === "before" ? { before: node.id } : { after: node.id };
}

/** Returns where new nodes are expected to be inserted: below a node that has no children yet, and below the root. */
export function usualPlace(model: Model, spot: Spot | null): Where {
  const place = spot && model.of(spot.node);
  if (!place || spot.list !== null) return "after";
  const { node, parent } = place;
  return node.lists.length && (!parent || node.lists.every(({ children }) => !children.length)) ? "below" : "after";
}

/** Returns where a key moves nodes, or why it cannot. */
export function placeToMove(model: Model, nodes: number[], direction: Direction): At | string {
  const [first, last] = [model.of(nodes[0]), model.of(nodes.at(-1)!)];
  if (!first || !last) return "select a node first";
  const { parent } = first;
  if (!parent) return "the root cannot be moved";
  if (direction === "out") return model.of(parent.id)!.parent ? { after: parent.id } : "nothing is beside the root";
  const moved = new Set(nodes);
  const before = model.siblings(first.node.id)[first.index - 1];
  if (direction === "in") {
    if (!before) return "there is no node before it that could contain it";
    if (!before.lists.length) return `${before.name} has no children`;
    const list = before.lists.length - 1;
    return { in: before.id, list, index: before.lists[list].children.length };
  }
  if (direction === "up") {
    if (before) return { before: before.id };
    if (first.list === 0) return "it is the first child";
    return { in: parent.id, list: first.list - 1, index: parent.lists[first.list - 1].children.length };
  }
  const next = model.siblings(last.node.id).slice(last.index + 1).find(({ id }) => !moved.has(id));
  if (next) return { after: next.id };
  const lists = last.parent?.lists.length ?? 0;
  return last.list + 1 < lists ? { in: last.parent!.id, list: last.list + 1, index: 0 } : "it is the last child";
}

/** Whether nodes can be dropped at a place: not into themselves. */
export function canDrop(model: Model, nodes: readonly number[], at: At): boolean {
  if ("tree" in at) return nodes.length > 0;
  const target = "in" in at ? at.in : "before" in at ? at.before : at.after;
  return !nodes.includes(target) && !model.ancestors(target).some((above) => nodes.includes(above));
}

/** Where something would be dropped, and at which side of what is there that is shown. */
export interface Drop {
  at: At;
  side: "before" | "after" | "in";
}

/** Returns the place for what is dropped on a node: in its upper or lower part, or in the middle. `part` is from 0 to 1. */
export function dropPlace(model: Model, spot: Spot, part: number, isFolded: boolean): Drop | null {
  const place = model.of(spot.node);
  if (!place) return null;
  const { node, parent } = place;
  if (spot.list !== null) return { at: { in: node.id, list: spot.list, index: 0 }, side: "in" };
  const edge = node.lists.length ? 0.3 : 0.5;
  const list = node.lists.length - 1;
  const isOpen = list >= 0 && !isFolded && node.lists[0].children.length > 0;
  if (part < edge && parent) return { at: { before: node.id }, side: "before" };
  // Below an expanded node is the place of its first child.
  if (part >= 1 - edge && isOpen) return { at: { in: node.id, list: 0, index: 0 }, side: "after" };
  if (part >= 1 - edge && parent) return { at: { after: node.id }, side: "after" };
  return list < 0 ? null : { at: { in: node.id, list, index: node.lists[list].children.length }, side: "in" };
}
