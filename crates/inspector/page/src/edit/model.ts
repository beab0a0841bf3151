// A document as the page shows it: where each node is, and the rows of a tree.

import type { DocumentState, NodeKind, NodeView, Problem, TreeView } from "./protocol";

const TAKES_CHILDREN: ReadonlySet<NodeKind> = new Set<NodeKind>(["composite", "decorator", "choice", "machine", "state"]);

/** Where a node is. */
export interface Placed {
  node: NodeView;
  tree: TreeView;
  parent: NodeView | null;
  /** The list of the parent, and the index in it. */
  list: number;
  index: number;
  depth: number;
}

/** What the keyboard operates on: a node or, with a number, one of its lists, which may be empty. */
export interface Spot {
  node: number;
  list: number | null;
}

export interface Row extends Spot {
  depth: number;
}

export class Model {
  private readonly places = new Map<number, Placed>();
  private readonly problems = new Map<number, Problem[]>();
  /** The nodes of each tree, in the order of the text. */
  private readonly orders = new Map<number, number[]>();
  /** What is shown of the problems: an empty tree says itself what is missing. */
  readonly shown: readonly Problem[];
  private readonly rowsOf = new Map<number, { folds: ReadonlySet<number>; rows: Row[] }>();

  constructor(readonly state: DocumentState) {
    for (const tree of state.trees) {
      const order: number[] = [];
      const visit = (node: NodeView, parent: NodeView | null, list: number, index: number, depth: number) => {
        // A new node has no list in its text yet.
        if (!node.lists.length && TAKES_CHILDREN.has(node.kind)) node.lists = [{ before: "", children: [] }];
        this.places.set(node.id, { node, tree, parent, list, index, depth });
        order.push(node.id);
        node.lists.forEach(({ children }, list) => children.forEach((child, index) => visit(child, node, list, index, depth + 1)));
      };
      roots(tree).forEach((root, index) => visit(root, null, 0, index, 0));
      this.orders.set(tree.id, order);
    }
    const isEmpty = state.trees.some(({ root, loose, broken }) => !root && !loose.length && broken === null);
    this.shown = state.problems.filter(({ node, message }) => !(isEmpty && node === null && message.includes("expected a node, found an empty tree")));
    for (const problem of this.shown) {
      if (problem.node !== null) this.problems.set(problem.node, [...(this.problems.get(problem.node) ?? []), problem]);
    }
  }

  of(node: number): Placed | undefined {
    return this.places.get(node);
  }

  tree(id: number | null): TreeView | undefined {
    return this.state.trees.find((tree) => tree.id === id);
  }

  /** Returns the nodes of a tree, in the order of the text. */
  nodes(tree: number): readonly number[] {
    return this.orders.get(tree) ?? [];
  }

  problemsOf(node: number): Problem[] {
    return this.problems.get(node) ?? [];
  }

  /** Returns the children in all lists. */
  children(node: number): number[] {
    return this.places.get(node)?.node.lists.flatMap(({ children }) => children.map(({ id }) => id)) ?? [];
  }

  /** Returns the nodes above a node, nearest first. */
  ancestors(node: number): number[] {
    const above = [];
    for (let up = this.places.get(node)?.parent; up; up = this.places.get(up.id)?.parent) above.push(up.id);
    return above;
  }

  /** Returns the nodes beside a node and itself, in order. */
  siblings(node: number): NodeView[] {
    const place = this.places.get(node);
    if (!place) return [];
    return place.parent ? place.parent.lists[place.list].children : roots(place.tree);
  }

  /** Whether a list has a row of its own: it is empty, or there is another one. */
  private hasRow({ lists }: NodeView, list: number): boolean {
    return lists[list].children.length === 0 || (list > 0 && lists[list].before !== "");
  }

  /** Returns the rows of a tree: its nodes that are not inside a collapsed one, and lists. */
  rows(tree: number, folds: ReadonlySet<number>): Row[] {
    const known = this.rowsOf.get(tree);
    if (known?.folds === folds) return known.rows;
    const rows: Row[] = [];
    const visit = (node: NodeView, depth: number) => {
      rows.push({ node: node.id, list: null, depth });
      if (folds.has(node.id)) return;
      node.lists.forEach(({ children }, list) => {
        if (this.hasRow(node, list)) rows.push({ node: node.id, list, depth: depth + 1 });
        for (const child of children) visit(child, depth + 1);
      });
    };
    const found = this.tree(tree);
    for (const root of found ? roots(found) : []) visit(root, 0);
    this.rowsOf.set(tree, { folds, rows });
    return rows;
  }

  /** Returns the given nodes without those below another one of them, in the order of the text. */
  topmost(nodes: ReadonlySet<number>): number[] {
    const top = [...nodes].filter((node) => this.places.has(node) && !this.ancestors(node).some((above) => nodes.has(above)));
    if (top.length < 2) return top;
    const positions = new Map([...this.orders.values()].flat().map((node, index) => [node, index]));
    return top.sort((a, b) => positions.get(a)! - positions.get(b)!);
  }

  /** Returns the nodes of a tree whose head, label or note contains a text, in any case. */
  find(tree: number, text: string): number[] {
    const search = text.trim().toLowerCase();
    if (!search) return [];
    return this.nodes(tree).filter((id) => {
      const { head, label, note, before } = this.places.get(id)!.node;
      return [head, label, note, before].some((one) => one?.toLowerCase().includes(search));
    });
  }
}

/** Returns the root of a tree, and the nodes that it does not reach. */
export function roots(tree: TreeView): NodeView[] {
  return [...(tree.root ? [tree.root] : []), ...tree.loose];
}

/** Returns the name of a tree as it is shown. */
export function treeName({ title, name }: TreeView): string {
  return title || name || "the tree";
}

/** Returns the name in a head, with the path before it, and what is behind the name. */
export function headParts({ head, name }: NodeView): [string, string] {
  const end = head.indexOf(name) + name.length;
  return head.includes(name) && /^(\w+::)*$/.test(head.slice(0, end - name.length)) ? [head.slice(0, end), head.slice(end)] : [head, ""];
}

/** Returns a short text for a node: its label or, without one, its head. */
export function nodeTitle({ label, head, name }: NodeView): string {
  return label ?? (head.length > 60 ? name : head);
}
