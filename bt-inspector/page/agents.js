// The list of agents, with a search field.

import { LETTER, SIGNS } from "/model.js";

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
      item.classList.toggle("removed", agent.removed);
      const letter = agent.waiting ? "o" : (LETTER[agent.status] ?? "");
      const sign = document.createElement("span");
      sign.className = `sign ${letter}`;
      sign.textContent = agent.waiting ? "❚❚" : (SIGNS[letter] ?? "·");
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
    for (const item of this.list.children) item.classList.toggle("selected", Number(item.dataset.agent) === selected);
  }
}
