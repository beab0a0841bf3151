// The shape of a tree: what can be computed from its nodes alone.

import type { Described, TreeInfo } from "./protocol";
import { params, title } from "./words";

export class Shape {
  readonly nodes: Described[];
  /** For each node the index after its last descendant. */
  readonly ends: number[];
  readonly depths: number[];
  readonly children: number[][];
  /** The nodes with warnings, in order. */
  readonly warned: number[];

  constructor(readonly info: TreeInfo) {
    const { nodes } = info;
    this.nodes = nodes;
    this.children = nodes.map(() => []);
    this.depths = nodes.map(() => 0);
    this.ends = nodes.map((node) => node.id + 1);
    this.warned = nodes.filter((node) => node.warnings?.length).map((node) => node.id);
    for (const { id, parent } of nodes) {
      if (parent === null) continue;
      this.children[parent].push(id);
      this.depths[id] = this.depths[parent] + 1;
    }
    for (let node = nodes.length - 1; node > 0; node--) {
      const parent = nodes[node].parent!;
      this.ends[parent] = Math.max(this.ends[parent], this.ends[node]);
    }
  }

  hasChildren(node: number): boolean {
    return this.ends[node] > node + 1;
  }

  /** Returns why a part of a node can never happen, or does nothing. */
  warnings(node: number): string[] {
    return this.nodes[node]?.warnings ?? [];
  }

  /** Returns the nodes above a node, nearest first. */
  ancestors(node: number): number[] {
    const above = [];
    for (let up = this.nodes[node].parent; up !== null; up = this.nodes[up].parent) above.push(up);
    return above;
  }

  /** Returns the labels of the nodes above a node, outermost first. */
  path(node: number): string[] {
    const labeled = this.ancestors(node).filter((one) => this.nodes[one].label !== null);
    return labeled.reverse().map((one) => title(this.nodes[one]));
  }

  /** Returns the nodes whose name, label, parameters or location contain a text, in any case. */
  find(text: string): number[] {
    const search = text.trim().toLowerCase();
    const matches = (node: Described) => [node.name + params(node), node.label, node.location].some((one) => one?.toLowerCase().includes(search));
    return search ? this.nodes.filter(matches).map((node) => node.id) : [];
  }

  /** Returns the children of a machine that are its states: not guards, hooks or services. */
  states(node: number): number[] {
    return this.children[node].filter((child) => (this.nodes[child].role ?? "Child") === "Child");
  }
}
