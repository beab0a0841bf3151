// The breakpoints of all trees: what the server reports, the menu that sets one, and the panel that lists them. Breakpoints are stored by the server, so all
// pages show the same.

const ON = ["Visit", "Success", "Failure", "Running", "Error", "Halted"];

function element(kind, text, properties = {}) {
  const created = document.createElement(kind);
  if (text) created.textContent = text;
  return Object.assign(created, properties);
}

export class Breakpoints {
  /** `send` sends a request, and `go` shows a node of a tree. */
  constructor(panel, send, go) {
    this.panel = panel;
    this.send = send;
    this.go = go;
    this.list = [];
  }

  /** Replaces the breakpoints. `trees` and `agents` are the information about them. */
  show(list, trees, agents) {
    this.list = list;
    const items = list.map((breakpoint) => {
      const { tree, node, on, agent, hits, skip, disabled } = breakpoint;
      const info = trees[tree];
      const name = info?.nodes[node]?.label ?? info?.nodes[node]?.name ?? `node ${node}`;
      const item = element("li");
      const box = element("input", "", { type: "checkbox", checked: !disabled, ariaLabel: `stop at ${name}` });
      box.addEventListener("change", () => this.set({ ...breakpoint, disabled: !box.checked }));
      const link = element("button", name, { className: "link", title: "show the node" });
      link.addEventListener("click", () => this.go(tree, node));
      const only = agent === null ? "" : `, ${agents.find((one) => one.key === agent)?.name ?? "one agent"} only`;
      const after = skip ? `, after ${skip}` : "";
      const text = element("span", `${on.join(", ")}${only}${after}: ${hits} hit${hits === 1 ? "" : "s"}`, { className: "faint" });
      const remove = element("button", "✕", { className: "link", title: "remove", ariaLabel: `remove the breakpoint of ${name}` });
      remove.addEventListener("click", () => this.set({ ...breakpoint, on: [] }));
      item.append(box, link, text, remove);
      return item;
    });
    this.panel.hidden = !items.length;
    this.panel.querySelector("ul").replaceChildren(...items);
  }

  /** Returns the breakpoint of a node. */
  of(tree, node) {
    return this.list.find((one) => one.tree === tree && one.node === node);
  }

  /** Sets or, without triggers, removes a breakpoint. */
  set({ tree, node, on, agent = null, disabled = false, skip = 0 }) {
    this.send({ break: { tree, breakpoint: { node, on, agent, disabled, skip } } });
  }

  removeAll() {
    for (const breakpoint of this.list) this.set({ ...breakpoint, on: [] });
  }

  /** Sends all breakpoints to a program that has been restarted. The trees have the same keys if the program registers them in the same order. */
  restore(trees, before) {
    for (const breakpoint of this.list) {
      const [was, is] = [before[breakpoint.tree], trees[breakpoint.tree]];
      const isSame = was && is && was.name === is.name && was.nodes[breakpoint.node]?.name === is.nodes[breakpoint.node]?.name;
      if (isSame) this.set({ ...breakpoint, agent: null });
    }
  }

  /** Opens the menu for the breakpoint of a node, beside its row. `agent` is the selected one; `close` is called when a key closes the menu. */
  menu(tree, node, name, agent, dot, close) {
    document.getElementById("breaks")?.remove();
    const menu = element("div", "", { id: "breaks" });
    menu.setAttribute("role", "dialog");
    menu.setAttribute("aria-label", `breakpoint of ${name}`);
    menu.append(element("strong", `stop at ${name} on`));
    const now = { tree, node, on: [], agent: null, disabled: false, skip: 0, ...this.of(tree, node) };
    const box = (text, name, checked, change) => {
      const label = element("label");
      const box = element("input", "", { type: "checkbox", name, checked });
      box.addEventListener("change", () => {
        change(box.checked);
        this.set(now);
      });
      label.append(box, ` ${text}`);
      menu.append(label);
    };
    for (const on of ON) box(on, on, now.on.includes(on), (is) => (now.on = ON.filter((one) => (one === on ? is : now.on.includes(one)))));
    if (agent) box(`only ${agent.name}`, "only", now.agent === agent.key, (is) => (now.agent = is ? agent.key : null));
    const label = element("label", "not at the first ");
    const skip = element("input", "", { type: "number", name: "skip", min: 0, max: 1e9, value: now.skip });
    skip.addEventListener("change", () => {
      now.skip = Math.max(0, Math.floor(Number(skip.value)) || 0);
      this.set(now);
    });
    label.append(skip, " hits");
    menu.append(label);
    const at = dot.getBoundingClientRect();
    document.body.append(menu);
    menu.style.left = `${Math.max(0, Math.min(at.right + 8, innerWidth - menu.offsetWidth))}px`;
    menu.style.top = `${Math.max(0, Math.min(at.top, innerHeight - menu.offsetHeight))}px`;
    menu.querySelector("input").focus();
    const end = (event) => {
      if (event.type === "keydown" ? event.key === "Escape" : !menu.contains(event.target)) {
        menu.remove();
        removeEventListener("pointerdown", end, true);
        removeEventListener("keydown", end);
        if (event.type === "keydown") close();
      }
    };
    addEventListener("pointerdown", end, true);
    addEventListener("keydown", end);
  }
}
