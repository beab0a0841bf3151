// The tree: a collapsible row per node, with its last known status and its breakpoints.

import { SIGNS, WORDS } from "/model.js";

/** The prefixes of nodes that are not ordinary children. */
const ROLES = { Guard: "when", Enter: "enter", Exit: "exit", Service: "does" };
/** The height of a row in pixels, as in the style sheet, and the number of rows that are drawn above and below the visible ones. */
const ROW = 20;
const MARGIN = 10;

function element(kind, name, text) {
  const created = document.createElement(kind);
  if (name) created.className = name;
  if (text) created.textContent = text;
  return created;
}

export class TreeView {
  constructor(root, breakpoints) {
    this.root = root;
    this.body = element("div"); // as high as all rows together; contains the visible ones
    this.body.setAttribute("role", "presentation");
    root.append(this.body);
    this.breakpoints = breakpoints;
    this.agent = null; // the selected agent
    this.info = null;
    this.rows = new Map(); // by node: its row, created when it first becomes visible
    this.shown = []; // the nodes that are not inside a collapsed one
    this.view = null;
    this.collapsed = new Map(); // by tree: a set of collapsed nodes
    this.active = 0; // the node that the keyboard operates on
    root.addEventListener("click", (event) => this.click(event));
    root.addEventListener("keydown", (event) => this.key(event));
    root.addEventListener("focus", () => this.activate(this.active));
    root.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(root);
  }

  /** Shows another tree. */
  show(info, live) {
    if (this.info === info) return;
    this.info = info;
    this.live = live;
    if (!this.collapsed.has(info.key)) this.collapsed.set(info.key, new Set());
    this.ends = ends(info.nodes);
    this.children = info.nodes.map(() => []);
    this.depths = [];
    for (const node of info.nodes) {
      this.depths[node.id] = node.parent === null ? 0 : this.depths[node.parent] + 1;
      if (node.parent !== null) this.children[node.parent].push(node);
    }
    this.rows = new Map();
    this.view = null;
    this.active = 0;
    this.root.scrollTop = 0;
    this.fold();
  }

  row(node) {
    const root = element("div", `row never k-${node.kind}`);
    root.dataset.node = node.id;
    root.id = `node-${node.id}`;
    root.setAttribute("role", "treeitem");
    const depth = this.depths[node.id];
    const siblings = node.parent === null ? [node] : this.children[node.parent];
    root.setAttribute("aria-level", depth + 1);
    root.setAttribute("aria-setsize", siblings.length);
    root.setAttribute("aria-posinset", siblings.indexOf(node) + 1);
    const dot = element("span", "dot", this.live ? "●" : "");
    dot.title = "set a breakpoint…";
    const indent = element("span", "indent");
    indent.style.setProperty("--depth", depth);
    const twist = element("span", "twist", this.ends[node.id] > node.id + 1 ? "▾" : " ");
    const sign = element("span", "sign", " ");
    const role = element("span", "role", ROLES[node.role] ?? "");
    const name = element("span", "name", node.name);
    const params = node.params.map((param) => `${param.name}: ${param.value}${param.unit ? " " + param.unit : ""}`);
    const extra = element("span", "extra");
    root.append(dot, indent, twist, sign, role, name, element("span", "params", params.length ? `(${params.join(", ")})` : ""));
    if (node.label !== null) root.append(element("span", "label", `"${node.label}"`));
    if (node.transitions.length) root.append(element("span", "extra", `[${node.transitions.map((transition) => `${transition.on} -> ${transition.to}`).join(", ")}]`));
    const source = element("span", "source", node.location === null ? "" : shortLocation(node.location));
    source.title = node.location ?? "";
    root.append(extra, source);
    return { node: node.id, root, sign, extra, dot, twist, was: "" };
  }

  /** Updates the statuses. `at` is the node at which the agent is stopped, or `null`. */
  update(view, at, heat) {
    this.root.classList.toggle("heat", heat);
    const stopped = at !== null && at !== this.at;
    Object.assign(this, { view, at, heat });
    if (stopped) this.reveal(at);
    this.draw();
  }

  /** Puts the rows that are visible into the document, and updates them. */
  draw() {
    if (!this.info) return;
    const first = Math.max(0, Math.floor(this.root.scrollTop / ROW) - MARGIN);
    const count = Math.ceil(this.root.clientHeight / ROW) + 2 * MARGIN;
    const visible = this.shown.slice(first, first + count).map((node) => {
      if (!this.rows.has(node)) this.rows.set(node, this.row(this.info.nodes[node]));
      return this.rows.get(node);
    });
    visible.forEach((row, index) => {
      row.root.style.top = `${(first + index) * ROW}px`;
      this.refresh(row);
    });
    const roots = visible.map((row) => row.root);
    const { children } = this.body;
    if (roots.length !== children.length || roots.some((root, index) => children[index] !== root)) this.body.replaceChildren(...roots);
    const active = this.body.querySelector(".active");
    if (active) this.root.setAttribute("aria-activedescendant", active.id);
    else this.root.removeAttribute("aria-activedescendant");
  }

  /** Updates a row. */
  refresh(row) {
    const { node, root } = row;
    const { view, heat } = this;
    const seen = view?.of(node);
    const classes = ["row", `k-${this.info.nodes[node].kind}`, seen ? `${seen.kind} ${seen.fresh ? "fresh" : "stale"}` : "never"];
    if (this.at === node) classes.push("at");
    if (this.active === node) classes.push("active");
    const now = classes.join(" ");
    // Restart the animation in each tick that halts the node.
    const again = seen && seen.fresh && seen.kind === "h" && row.haltIndex !== view.fresh;
    if (row.was !== now || again) {
      root.className = now;
      row.sign.textContent = seen ? SIGNS[seen.kind] : " ";
      root.title = seen ? WORDS[seen.kind] + (seen.fresh ? "" : " (earlier tick)") : "never visited";
      row.was = now;
      row.haltIndex = view?.fresh;
    }
    const folds = this.collapsed.get(this.info.key).has(node);
    if (this.ends[node] > node + 1 && row.folds !== folds) {
      row.folds = folds;
      row.twist.textContent = folds ? "▸" : "▾";
      root.setAttribute("aria-expanded", String(!folds));
    }
    const breakpoint = this.breakpoints.of(this.info.key, node);
    row.dot.classList.toggle("set", breakpoint !== undefined);
    row.dot.classList.toggle("off", breakpoint?.disabled ?? false);
    let [extra, isError] = ["", false];
    if (heat && view) {
      root.style.setProperty("--hot", (0.75 * Math.sqrt(view.hot(node))).toFixed(3));
      extra = view.visits[node] ? `×${view.visits[node]}` : "";
    } else if (view) {
      const state = view.states.get(node);
      const child = state === undefined ? null : this.children[node].filter((child) => (child.role ?? "Child") === "Child")[state];
      const [score, error] = [view.score(node), view.error(node)];
      extra = error ?? (child ? `→ ${child.name}` : score !== null ? `score ${score}` : "");
      isError = error !== null;
    }
    if (row.extra.textContent !== extra) row.extra.textContent = extra;
    row.extra.classList.toggle("error", isError);
  }

  /** Updates the list of nodes that are not inside a collapsed one. */
  fold() {
    const collapsed = this.collapsed.get(this.info.key);
    this.shown = [];
    for (let node = 0; node < this.info.nodes.length; node = collapsed.has(node) ? this.ends[node] : node + 1) this.shown.push(node);
    if (!this.shown.includes(this.active)) this.active = this.ancestors(this.active).find((node) => this.shown.includes(node)) ?? 0;
    this.body.style.height = `${this.shown.length * ROW}px`;
    this.draw();
  }

  /** Returns the nodes above a node, nearest first. */
  ancestors(node) {
    const above = [];
    for (let up = this.info.nodes[node].parent; up !== null; up = this.info.nodes[up].parent) above.push(up);
    return above;
  }

  /** Expands the nodes above a node, and scrolls to it. */
  reveal(node) {
    const collapsed = this.collapsed.get(this.info.key);
    const above = this.ancestors(node).filter((node) => collapsed.delete(node));
    if (above.length) this.fold();
    const top = this.shown.indexOf(node) * ROW;
    if (top < this.root.scrollTop) this.root.scrollTop = top;
    else if (top + ROW > this.root.scrollTop + this.root.clientHeight) this.root.scrollTop = top + ROW - this.root.clientHeight;
  }

  /** Collapses all nodes at or below this depth, and expands the others. */
  foldAll(depth) {
    if (!this.info) return;
    const all = this.info.nodes.filter((node) => this.depths[node.id] >= depth && this.ends[node.id] > node.id + 1);
    this.collapsed.set(this.info.key, new Set(all.map((node) => node.id)));
    this.fold();
  }

  click(event) {
    const row = event.target.closest?.(".row");
    if (!row) return;
    const node = Number(row.dataset.node);
    this.activate(node);
    if (event.target.classList.contains("dot")) {
      if (this.live) this.menu(node);
    } else if (event.target.classList.contains("twist")) {
      this.toggle(node);
    }
  }

  /** Operates on the active row, as in any tree. `B` opens the menu for its breakpoints. */
  key(event) {
    if (!this.info || event.ctrlKey || event.metaKey || event.altKey) return;
    const { shown } = this;
    const index = shown.indexOf(this.active);
    const node = this.active;
    const [isFolded, hasChildren] = [this.collapsed.get(this.info.key).has(node), this.ends[node] > node + 1];
    const acts = {
      ArrowUp: () => this.activate(shown[Math.max(index - 1, 0)]),
      ArrowDown: () => this.activate(shown[Math.min(index + 1, shown.length - 1)]),
      ArrowLeft: () => (hasChildren && !isFolded ? this.toggle(node) : this.activate(this.info.nodes[node].parent ?? 0)),
      ArrowRight: () => (isFolded ? this.toggle(node) : hasChildren && this.activate(node + 1)),
      Home: () => this.activate(0),
      End: () => this.activate(shown.at(-1)),
      Enter: () => this.toggle(node),
      b: () => this.live && this.menu(node),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** Makes a row the one that the keyboard operates on, and scrolls to it. */
  activate(node) {
    if (!this.info) return;
    this.active = node;
    this.reveal(node);
    this.draw();
  }

  /** Collapses or expands a node. */
  toggle(node) {
    if (this.ends[node] === node + 1) return;
    const collapsed = this.collapsed.get(this.info.key);
    if (!collapsed.delete(node)) collapsed.add(node);
    this.fold();
  }

  /** Opens the menu for the breakpoint of a node. */
  menu(node) {
    this.breakpoints.menu(this.info.key, node, this.info.nodes[node].name, this.agent, this.rows.get(node).dot, () => this.root.focus());
  }
}

/** Returns for each node the index after its last descendant. */
function ends(nodes) {
  const ends = nodes.map((node) => node.id + 1);
  for (let node = nodes.length - 1; node > 0; node--) {
    const parent = nodes[node].parent;
    ends[parent] = Math.max(ends[parent], ends[node]);
  }
  return ends;
}

/** Returns a source location without its folders and column. */
function shortLocation(location) {
  return location.split(/[\\/]/).pop().replace(/:\d+$/, "");
}
