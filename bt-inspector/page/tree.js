// The tree: a collapsible row per node, with its last known status and its breakpoints.

import { SIGNS, WORDS } from "/model.js";

/** The prefixes of nodes that are not ordinary children. */
const ROLES = { Guard: "when", Enter: "enter", Exit: "exit", Service: "does" };
const ON = ["Visit", "Success", "Failure", "Running", "Error", "Halted"];

function element(kind, name, text) {
  const created = document.createElement(kind);
  if (name) created.className = name;
  if (text) created.textContent = text;
  return created;
}

export class TreeView {
  /** `send` sends a request to set breakpoints. */
  constructor(root, send) {
    this.root = root;
    this.send = send;
    this.info = null;
    this.rows = [];
    this.collapsed = new Map(); // by tree: a set of collapsed nodes
    this.breakpoints = new Map(); // by tree: a map from node to triggers
    root.addEventListener("click", (event) => this.click(event));
  }

  /** Shows another tree. */
  show(info, live) {
    if (this.info === info) return;
    this.info = info;
    this.live = live;
    if (!this.collapsed.has(info.key)) this.collapsed.set(info.key, new Set());
    if (!this.breakpoints.has(info.key)) this.breakpoints.set(info.key, new Map());
    this.ends = ends(info.nodes);
    this.rows = info.nodes.map((node) => this.row(node));
    this.root.replaceChildren(...this.rows.map((row) => row.root));
    this.fold();
  }

  row(node) {
    const root = element("div", `row never k-${node.kind}`);
    root.dataset.node = node.id;
    root.setAttribute("role", "treeitem");
    const depth = node.parent === null ? 0 : this.depths[node.parent] + 1;
    this.depths = node.parent === null ? [depth] : this.depths;
    this.depths[node.id] = depth;
    root.setAttribute("aria-level", depth + 1);
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
    return { root, sign, extra, dot, twist, was: "" };
  }

  /** Updates the statuses. `at` is the node at which the agent is stopped, or `null`. */
  update(view, at, heat) {
    this.root.classList.toggle("heat", heat);
    for (const [node, row] of this.rows.entries()) {
      const seen = view.of(node);
      const name = seen ? `${seen.kind} ${seen.fresh ? "fresh" : "stale"}` : "never";
      const now = `row ${name}${at === node ? " at" : ""}`;
      // Restart the animation in each tick that halts the node.
      const again = seen && seen.fresh && seen.kind === "h" && row.haltIndex !== view.fresh;
      if (row.was !== now || again) {
        const hidden = row.root.classList.contains("hidden");
        row.root.className = `${now} k-${this.info.nodes[node].kind}${hidden ? " hidden" : ""}`;
        row.sign.textContent = seen ? SIGNS[seen.kind] : " ";
        row.root.title = seen ? WORDS[seen.kind] + (seen.fresh ? "" : " (earlier tick)") : "never visited";
        row.was = now;
        row.haltIndex = view.fresh;
      }
      if (heat) {
        row.root.style.setProperty("--hot", (0.75 * Math.sqrt(view.hot(node))).toFixed(3));
        row.extra.textContent = view.visits[node] ? `×${view.visits[node]}` : "";
      } else {
        const state = view.states.get(node);
        const child = state === undefined ? null : this.children(node)[state];
        const score = view.score(node);
        const error = view.error(node);
        row.extra.textContent = error ?? (child ? `→ ${child.name}` : score !== null ? `score ${score}` : "");
        row.extra.classList.toggle("error", error !== null);
      }
    }
    if (at !== null && at !== this.at) this.rows[at]?.root.scrollIntoView({ block: "nearest" });
    this.at = at;
  }

  children(node) {
    return this.info.nodes.filter((child) => child.parent === node && (child.role ?? "Child") === "Child");
  }

  fold() {
    const collapsed = this.collapsed.get(this.info.key);
    let until = 0;
    for (const [node, row] of this.rows.entries()) {
      row.root.classList.toggle("hidden", node < until);
      const folds = collapsed.has(node);
      if (this.ends[node] > node + 1) {
        row.twist.textContent = folds ? "▸" : "▾";
        row.root.setAttribute("aria-expanded", String(!folds));
      }
      if (folds && node >= until) until = this.ends[node];
      row.dot.classList.toggle("set", this.breakpoints.get(this.info.key).has(node));
    }
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
    if (event.target.classList.contains("dot")) {
      if (this.live) this.menu(node, event);
    } else if (event.target.classList.contains("twist") && this.ends[node] > node + 1) {
      const collapsed = this.collapsed.get(this.info.key);
      if (!collapsed.delete(node)) collapsed.add(node);
      this.fold();
    }
  }

  /** Opens the menu for the breakpoints of a node. */
  menu(node, event) {
    document.getElementById("breaks")?.remove();
    const menu = element("div");
    menu.id = "breaks";
    menu.append(element("strong", "", `stop any agent at ${this.info.nodes[node].name} on`));
    const breakpoints = this.breakpoints.get(this.info.key);
    for (const on of ON) {
      const label = element("label");
      const box = element("input");
      box.type = "checkbox";
      box.name = on;
      box.checked = breakpoints.get(node)?.has(on) ?? false;
      box.addEventListener("change", () => {
        const set = breakpoints.get(node) ?? new Set();
        if (box.checked) set.add(on);
        else set.delete(on);
        if (set.size) breakpoints.set(node, set);
        else breakpoints.delete(node);
        this.send({ break: { tree: this.info.key, node, on: [...set] } });
        this.fold();
      });
      label.append(box, ` ${on}`);
      menu.append(label);
    }
    menu.style.left = `${Math.min(event.clientX + 8, innerWidth - 240)}px`;
    menu.style.top = `${Math.min(event.clientY, innerHeight - 210)}px`;
    document.body.append(menu);
    const close = (event) => {
      if (event.type === "keydown" ? event.key === "Escape" : !menu.contains(event.target)) {
        menu.remove();
        removeEventListener("pointerdown", close, true);
        removeEventListener("keydown", close);
      }
    };
    addEventListener("pointerdown", close, true);
    addEventListener("keydown", close);
  }

  /** Sends all breakpoints again: the server drops them when no page is connected. */
  sendBreakpoints() {
    for (const [tree, breakpoints] of this.breakpoints) {
      for (const [node, on] of breakpoints) this.send({ break: { tree, node, on: [...on] } });
    }
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
