// The tree: a row for each node, that can be collapsed, with what it was last seen doing, and breakpoints.

import { SIGNS, WORDS } from "/model.js";

/** What stands before a node that is no child like any other. */
const ROLES = { Guard: "when", Enter: "enter", Exit: "exit", Service: "does" };
const ON = ["Visit", "Success", "Failure", "Running", "Error", "Halted"];

function element(kind, name, text) {
  const made = document.createElement(kind);
  if (name) made.className = name;
  if (text) made.textContent = text;
  return made;
}

export class TreeView {
  /** `ask` sends a breakpoint. */
  constructor(root, ask) {
    this.root = root;
    this.ask = ask;
    this.info = null;
    this.rows = [];
    this.collapsed = new Map(); // by tree: a set of nodes
    this.breaks = new Map(); // by tree: from node to what to stop on
    root.addEventListener("click", (event) => this.click(event));
  }

  /** Shows another tree. */
  show(info, live) {
    if (this.info === info) return;
    this.info = info;
    this.live = live;
    if (!this.collapsed.has(info.key)) this.collapsed.set(info.key, new Set());
    if (!this.breaks.has(info.key)) this.breaks.set(info.key, new Map());
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
    dot.title = "stop here …";
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
    const source = element("span", "source", node.location === null ? "" : short(node.location));
    source.title = node.location ?? "";
    root.append(extra, source);
    return { root, sign, extra, dot, twist, was: "" };
  }

  /** Shows what the nodes were last seen doing. `at` is where the agent waits. */
  update(view, at, heat) {
    this.root.classList.toggle("heat", heat);
    for (const [node, row] of this.rows.entries()) {
      const seen = view.of(node);
      const name = seen ? `${seen.what} ${seen.fresh ? "fresh" : "stale"}` : "never";
      const now = `row ${name}${at === node ? " at" : ""}`;
      // A halt flashes anew with each tick in which it occurs.
      const again = seen && seen.fresh && seen.what === "h" && row.place !== view.fresh;
      if (row.was !== now || again) {
        const hidden = row.root.classList.contains("hidden");
        row.root.className = `${now} k-${this.info.nodes[node].kind}${hidden ? " hidden" : ""}`;
        row.sign.textContent = seen ? SIGNS[seen.what] : " ";
        row.root.title = seen ? WORDS[seen.what] + (seen.fresh ? "" : ", earlier") : "never visited";
        row.was = now;
        row.place = view.fresh;
      }
      if (heat) {
        row.root.style.setProperty("--hot", (0.75 * Math.sqrt(view.hot(node))).toFixed(3));
        row.extra.textContent = view.visits[node] ? `×${view.visits[node]}` : "";
      } else {
        const state = view.states.get(node);
        const child = state === undefined ? null : this.children(node)[state];
        row.extra.textContent = child ? `→ ${child.name}` : "";
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
      row.dot.classList.toggle("set", this.breaks.get(this.info.key).has(node));
    }
  }

  /** Shows all nodes, or only those above this depth. */
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

  /** The breakpoints of a node, to choose from. */
  menu(node, event) {
    document.getElementById("breaks")?.remove();
    const menu = element("div");
    menu.id = "breaks";
    menu.append(element("strong", "", `stop any agent at ${this.info.nodes[node].name} on`));
    const breaks = this.breaks.get(this.info.key);
    for (const on of ON) {
      const label = element("label");
      const box = element("input");
      box.type = "checkbox";
      box.name = on;
      box.checked = breaks.get(node)?.has(on) ?? false;
      box.addEventListener("change", () => {
        const set = breaks.get(node) ?? new Set();
        if (box.checked) set.add(on);
        else set.delete(on);
        if (set.size) breaks.set(node, set);
        else breaks.delete(node);
        this.ask({ break: { tree: this.info.key, node, on: [...set] } });
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

  /** The server has forgotten the breakpoints: nobody was connected. */
  sendBreaks() {
    for (const [tree, breaks] of this.breaks) {
      for (const [node, on] of breaks) this.ask({ break: { tree, node, on: [...on] } });
    }
  }
}

/** For each node, the one after all nodes below it. */
function ends(nodes) {
  const ends = nodes.map((node) => node.id + 1);
  for (let node = nodes.length - 1; node > 0; node--) {
    const parent = nodes[node].parent;
    ends[parent] = Math.max(ends[parent], ends[node]);
  }
  return ends;
}

/** A place without its folders and column. */
function short(place) {
  return place.split(/[\\/]/).pop().replace(/:\d+$/, "");
}
