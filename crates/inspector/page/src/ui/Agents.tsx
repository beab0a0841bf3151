// The list of agents: searched, filtered and sorted by the server, which sends a part of it.

import { useEffect, useRef } from "preact/hooks";
import type { AgentInfo, Sort, State } from "../model/protocol";
import { visible } from "../model/text";
import { LETTER, SIGNS, SPOKEN, WORDS, agentName, title } from "../model/words";
import type { Page } from "../page";
import { Cells, ColumnMenu, ColumnNames } from "./Columns";
import { ExpressionInput } from "./ExpressionInput";
import { closesOutside } from "./popup";
import { pressed } from "./pressed";
import { useRoving } from "./roving";
import { VirtualList } from "./VirtualList";

/** The height of a row in pixels, as in the style sheet. */
const ROW = 22;
const STATES: State[] = ["running", "success", "failure", "error", "waiting", "asleep", "new"];
type Name = Extract<Sort, string>;
const SORTS: Name[] = ["added", "name", "status", "machine", "tree", "running"];
const SORT_NAMES: Record<Name, string> = { added: "order of the program", name: "name", status: "status", machine: "machine", tree: "tree", running: "running leaf" };
const STORED_COLUMNS = ["tree", "running", "state"] as const;
const COLUMNS = ["machine", ...STORED_COLUMNS] as const;
type ColumnName = (typeof COLUMNS)[number];
const COLUMN_NAMES: Record<ColumnName, string> = { machine: "machine", tree: "tree", running: "running leaf", state: "asleep, held" };

/** Returns whether each row has this column. */
function hasColumn({ settings }: Page, column: ColumnName): boolean {
  return column === "machine" ? settings.machine : settings.columns.includes(column);
}

function toggleColumn(page: Page, column: ColumnName): void {
  if (column === "machine") page.set("machine", !page.settings.machine);
  else page.set("columns", STORED_COLUMNS.filter((one) => (one === column) !== hasColumn(page, one)));
}

export function Agents({ page }: { page: Page }) {
  const { agents, listing, machines } = page;
  /** The range of visible rows. */
  const seen = useRef([0, 0]);
  const lastRow = useRef<{ key: number | null; row: number }>({ key: null, row: -1 });
  const revealed = useRef({ why: "", row: -1 });
  const count = () => {
    // Agents of a machine that is gone run elsewhere, or not at all.
    const gone = machines.reduce((sum, machine) => sum + (machine.gone ? machine.agents : 0), 0);
    const present = agents.total - gone;
    const all = `${present} agent${present === 1 ? "" : "s"}${gone ? `, ${gone} of machines that are gone` : ""}`;
    return agents.matching === agents.total ? all : `${agents.matching} of ${all}`;
  };
  const isFiltered = listing.states.length > 0 || listing.tree !== null || listing.node !== null || listing.machine != null || listing.filter !== null;
  const tree = listing.tree === null ? null : page.trees.get(listing.tree);
  const trees = page.currentTrees();
  const machine = machines.find(({ key }) => key === listing.machine);
  /** What only a hub knows is not offered without one. */
  const isOffered = (name: string) => name !== "machine" || machines.length > 0;
  const at = (index: number) => agents.list[index - agents.from];
  const selectedIndex = () => {
    const found = agents.list.findIndex((agent) => agent.key === page.selected);
    const row = found < 0 ? -1 : found + agents.from;
    if (row >= 0) lastRow.current = { key: page.selected, row };
    return row;
  };
  /** Requests the part of the list that is visible, unless the answer to the last request is still to come. */
  const request = () => {
    const [from, to] = seen.current.map((index) => Math.min(index, agents.matching));
    if (agents.id !== listing.id || (from >= agents.from && to <= agents.from + agents.list.length)) return;
    page.list({ from: Math.max(0, Math.floor((from + to) / 2) - 100) });
  };
  useEffect(request);
  const key = (event: KeyboardEvent) => {
    // The list may be scrolled to a part without the selected agent.
    const { current } = lastRow;
    const known = selectedIndex();
    const index = known < 0 && current.key === page.selected ? current.row : known;
    const last = agents.matching - 1;
    const next = { ArrowUp: Math.max(index - 1, 0), ArrowDown: Math.min(index + 1, last), Home: 0, End: last }[event.key];
    if (event.key === "Enter" && page.agent) {
      event.preventDefault();
      page.toggleFollowed(page.agent);
    }
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    page.selectRow(next);
  };
  const selected = selectedIndex();
  // Scroll when another agent is selected, or when what is searched for is cleared: not whenever the order changes.
  const why = `${page.selected} ${listing.search === ""}`;
  if (revealed.current.why !== why && selected >= 0 && agents.id === listing.id) revealed.current = { why, row: selected };
  return (
    <aside id="agents" aria-label="list of agents" style={{ "--columns": listing.columns.length }}>
      <input type="search" id="search" placeholder="search agents" aria-label="search agents" autocomplete="off" value={listing.search} onInput={(event) => page.list({ search: event.currentTarget.value, around: event.currentTarget.value ? null : page.selected })} />
      <div class="line">
        <span id="count">{count()}</span>
        <span class="push" />
        <details id="filter" class="pop" aria-label="filter, sort, columns" ref={closesOutside} onKeyDown={(event) => event.key === "Escape" && event.currentTarget.removeAttribute("open")}>
          <summary title="filter, sort, columns" class={isFiltered || listing.sort !== "added" ? "on" : ""}>
            filter
          </summary>
          <div class="box">
            <strong>show only</strong>
            {STATES.map((state) => (
              <label key={state}>
                <input type="checkbox" name={state} checked={listing.states.includes(state)} onChange={() => page.list({ states: STATES.filter((one) => (one === state) !== listing.states.includes(one)) })} /> {state}
              </label>
            ))}
            {machines.length > 0 && (
              <label>
                machine{" "}
                <select name="machine" value={listing.machine ?? ""} onChange={(event) => page.list({ machine: event.currentTarget.value === "" ? null : Number(event.currentTarget.value) })}>
                  <option value="">all</option>
                  {machines.map(({ key, name, agents, gone }) => (
                    <option key={key} value={key}>
                      {`${visible(name)} (${gone ? "gone" : agents})`}
                    </option>
                  ))}
                </select>
              </label>
            )}
            {trees.length > 1 && (
              <label>
                tree{" "}
                <select name="tree" value={listing.tree ?? ""} onChange={(event) => page.list({ tree: event.currentTarget.value === "" ? null : Number(event.currentTarget.value), node: null })}>
                  <option value="">all</option>
                  {trees.map((info) => (
                    <option key={info.key} value={info.key}>
                      {visible(info.name)}
                    </option>
                  ))}
                </select>
              </label>
            )}
            {page.source.evaluates && (
              <>
                <strong>only where</strong>
                <ExpressionInput page={page} id="where-values" label="only agents for whose values this is true" placeholder="hp < 3 && alive" value={listing.filter ?? ""} isCondition apply={(text) => page.list({ filter: text || null })} />
              </>
            )}
            <label>
              sort by{" "}
              <select name="sort" value={typeof listing.sort === "string" ? listing.sort : ""} onChange={(event) => page.list({ sort: event.currentTarget.value as Name })}>
                {typeof listing.sort === "object" && <option value="">a column</option>}
                {SORTS.filter(isOffered).map((sort) => (
                  <option key={sort} value={sort}>
                    {SORT_NAMES[sort]}
                  </option>
                ))}
              </select>
            </label>
            <label>
              <input type="checkbox" name="descending" checked={listing.descending} onChange={() => page.list({ descending: !listing.descending })} /> descending
            </label>
            <strong>columns</strong>
            {COLUMNS.filter(isOffered).map((column) => (
              <label key={column}>
                <input type="checkbox" name={`column-${column}`} checked={hasColumn(page, column)} onChange={() => toggleColumn(page, column)} /> {COLUMN_NAMES[column]}
              </label>
            ))}
            <ColumnMenu page={page} />
          </div>
        </details>
      </div>
      {isFiltered && (
        <div class="line" id="filters">
          {tree && listing.node !== null && <span>in “{title(tree.nodes[listing.node])}”</span>}
          {tree && listing.node === null && <span>tree {visible(tree.name)}</span>}
          {machine && <span>machine {visible(machine.name)}</span>}
          {listing.states.length > 0 && <span>{listing.states.join(", ")}</span>}
          {listing.filter !== null && <span>{visible(listing.filter)}</span>}
          <button class="link" onClick={() => page.list({ states: [], tree: null, node: null, machine: null, filter: null })}>
            show all
          </button>
        </div>
      )}
      <ColumnNames page={page} />
      <VirtualList
        id="list"
        role="listbox"
        aria-label="agents"
        tabIndex={0}
        aria-activedescendant={selected >= 0 ? `agent-${page.selected}` : undefined}
        onKeyDown={key}
        count={agents.matching}
        height={ROW}
        revealed={revealed.current.row}
        reveals={revealed.current.why}
        moved={() => {
          // Who scrolls before the agents have arrived does not want to be taken to the selected one.
          if (revealed.current.why !== why) revealed.current = { why, row: -1 };
        }}
        seen={(...range) => {
          seen.current = range;
          request();
        }}
        rows={(from, to) => {
          const rows = [];
          for (let index = from; index < to; index++) {
            const agent = at(index);
            if (agent) rows.push(<AgentRow key={agent.key} page={page} agent={agent} top={index * ROW} />);
          }
          return rows;
        }}
      />
      {page.followed.length > 0 && <Followed page={page} />}
    </aside>
  );
}

const HELD = { skipped: "held", waiting: "held, a thread waits for it", stopped: "stopped at a breakpoint" };

/** A row of the list or, without `top`, of the followed agents. */
function AgentRow({ page, agent, top }: { page: Page; agent: AgentInfo; top?: number }) {
  const isSelected = agent.key === page.selected;
  const isFollowed = page.followed.some((one) => one.key === agent.key);
  const over = page.whyOver(agent);
  const letter = over !== null ? null : agent.held ? "o" : agent.status ? LETTER[agent.status] : null;
  const running = agent.running === undefined ? null : page.trees.get(agent.tree)?.nodes[agent.running];
  const state = agent.held ?? (agent.asleep === "event" ? "asleep" : agent.asleep ? `until ${agent.asleep.until.toFixed(1)} s` : "");
  const status = over ?? (agent.held ? HELD[agent.held] : agent.status ? SPOKEN[LETTER[agent.status]] : "not ticked yet");
  const shown = [
    hasColumn(page, "state") ? state : "",
    hasColumn(page, "running") && running ? title(running) : "",
    hasColumn(page, "tree") && page.currentTrees().length > 1 ? visible(page.trees.get(agent.tree)?.name ?? "") : "",
    hasColumn(page, "machine") ? visible(page.machineOf(agent) ?? "") : "",
  ].filter(Boolean);
  const follow = () => page.toggleFollowed(agent);
  const isListed = top !== undefined;
  return (
    <div
      class={`agent ${isSelected ? "selected" : ""} ${over !== null ? "removed" : ""}`}
      id={isListed ? `agent-${agent.key}` : undefined}
      role="option"
      aria-selected={isSelected}
      style={isListed ? { position: "absolute", top: `${top}px` } : {}}
      {...pressed(() => page.select(agent.key))}
      onKeyDown={(event) => {
        if (isListed || !["Enter", "Delete"].includes(event.key)) return;
        event.preventDefault();
        if (event.key === "Enter") page.select(agent.key);
        else follow();
      }}
    >
      <span class={`sign ${letter ?? ""}`} aria-hidden="true" title={over ?? agent.held ?? (letter ? WORDS[letter] : "not ticked yet")}>
        {agent.held && over === null ? "❚❚" : letter ? SIGNS[letter] : "·"}
      </span>
      <span class="name">{agentName(agent)}</span>
      {shown.map((text, index) => (
        <span key={index} class="of">
          {text}
        </span>
      ))}
      <Cells page={page} agent={agent} />
      <span class="spoken">{status + (isFollowed ? ", followed" : "")}</span>
      <span
        aria-hidden="true"
        class={`eye ${isFollowed ? "on" : ""}`}
        title={isFollowed ? "do not follow this agent (Enter)" : "follow this agent (Enter): its changes are in the log"}
        {...pressed((event) => {
          event.stopPropagation();
          follow();
        })}
      >
        ◉
      </span>
    </div>
  );
}

/** The agents that are watched besides the selected one. */
function Followed({ page }: { page: Page }) {
  const root = useRef<HTMLDivElement>(null);
  const roving = useRoving(root);
  return (
    <div id="followed">
      <h2>
        followed{" "}
        <button class="link" aria-label="follow none" onClick={() => page.followed.forEach((agent) => page.toggleFollowed(agent))}>
          none
        </button>
      </h2>
      <div ref={root} role="listbox" aria-label="followed agents" {...roving}>
        {page.followed.map((agent) => (
          <AgentRow key={agent.key} page={page} agent={agent} />
        ))}
      </div>
    </div>
  );
}
