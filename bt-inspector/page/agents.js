// The list of agents, with a search field.

import { LETTER, SIGNS, WORDS } from "/model.js";

export class AgentList {
  constructor({ list, count, search }, select, find) {
    this.list = list;
    this.count = count;
    this.selected = null;
    this.agents = [];
    list.addEventListener("click", (event) => {
      const item = event.target.closest("li");
      if (item) select(Number(item.dataset.agent));
    });
    list.addEventListener("keydown", (event) => {
      const index = this.agents.findIndex((agent) => agent.key === this.selected);
      const last = this.agents.length - 1;
      const next = { ArrowUp: Math.max(index - 1, 0), ArrowDown: Math.min(index + 1, last), Home: 0, End: last }[event.key];
      if (next === undefined || event.ctrlKey || event.metaKey || event.altKey || !this.agents[next]) return;
      event.preventDefault();
      select(this.agents[next].key);
    });
    search.addEventListener("input", () => find(search.value.trim()));
  }

  show({ total, matching, list }, trees) {
    this.agents = list;
    const more = matching > list.length ? ` (${list.length} shown)` : "";
    const all = `${total} agent${total === 1 ? "" : "s"}${more}`;
    this.count.textContent = matching === total ? all : `${matching} of ${all}`;
    const items = list.map((agent) => {
      const item = document.createElement("li");
      item.dataset.agent = agent.key;
      item.id = `agent-${agent.key}`;
      item.setAttribute("role", "option");
      item.classList.toggle("removed", agent.removed);
      const letter = agent.waiting ? "o" : (LETTER[agent.status] ?? "");
      const sign = document.createElement("span");
      sign.className = `sign ${letter}`;
      sign.textContent = agent.waiting ? "❚❚" : (SIGNS[letter] ?? "·");
      sign.title = agent.waiting ? "waiting" : (WORDS[letter] ?? "not ticked yet");
      const of = document.createElement("span");
      of.className = "of";
      of.textContent = trees.length > 1 ? (trees[agent.tree]?.name ?? "") : "";
      item.append(sign, agent.name, of);
      return item;
    });
    this.list.replaceChildren(...items);
    this.mark(this.selected);
  }

  mark(selected) {
    this.selected = selected;
    this.list.removeAttribute("aria-activedescendant");
    for (const item of this.list.children) {
      const is = Number(item.dataset.agent) === selected;
      const was = item.classList.contains("selected");
      item.classList.toggle("selected", is);
      item.setAttribute("aria-selected", String(is));
      if (is) this.list.setAttribute("aria-activedescendant", item.id);
      if (is && !was && this.list === document.activeElement) item.scrollIntoView({ block: "nearest" });
    }
  }
}
