// A second tick beside the tree: of another agent, or an earlier one. What differs is marked.

import { useEffect, useRef } from "preact/hooks";
import { type Comparison, type Moment, type ValueDifference, comparedIndex, differingNodes, differingValues, statusIn } from "../model/compare";
import type { Ticks } from "../model/history";
import { write } from "../model/protocol";
import type { AgentInfo } from "../model/protocol";
import type { Shape } from "../model/shape";
import { visible } from "../model/text";
import { areVersions } from "../model/versions";
import { View } from "../model/view";
import { SIGNS, SPOKEN, agentName, params, rolePrefix, title } from "../model/words";
import type { Page } from "../page";
import { VirtualList } from "./VirtualList";

/** The height of a row in pixels, as in the style sheet. */
const ROW = 20;
/** The maximum number of agents to choose from, besides the followed ones, and of values. */
const [MAX_AGENTS, MAX_VALUES] = [50, 200];

/** What is compared, and how it differs. */
export interface Compared {
  comparison: Comparison;
  agent: AgentInfo;
  /** Why nothing can be compared; null if it can. */
  problem: string | null;
  /** The compared tick. */
  tick: { tick: number; now: number } | null;
  view: View | null;
  nodes: ReadonlySet<number>;
  values: ValueDifference[];
}

/** Compares the shown tick with what the user has chosen; null if that is nothing. */
export function useCompared(page: Page, shape: Shape | null, view: View | null): Compared | null {
  const last = useRef<{ ticks: Ticks; view: View } | null>(null);
  const { comparison, agent: selected, history, info } = page;
  if (!comparison || !selected || !history || !info || !shape || !view) return null;
  const agent = page.followed.find((one) => one.key === comparison.agent) ?? selected;
  const name = agentName(agent);
  const nothing = (problem: string): Compared => ({ comparison, agent, problem, tick: null, view: null, nodes: new Set(), values: [] });
  const tree = page.trees.get(agent.tree);
  if (tree?.fingerprint !== info.fingerprint && !areVersions(tree, info)) return nothing(`${name} has another tree, ${visible(tree?.name ?? "which is not known")}: only agents of one tree can be compared.`);
  const there = page.watched.get(agent.key)?.history;
  if (!there?.ticks.length) return nothing(`There are no ticks of ${name} yet.`);
  const index = comparedIndex(comparison.moment, history, page.index, there);
  if (index === null) return nothing(missing(comparison.moment, name));
  // Trees with the same fingerprint that were registered one by one have the same ids.
  const ticks = page.ticksIn(there, areVersions(tree, info) ? info : tree!);
  if (last.current?.ticks !== ticks) last.current = { ticks, view: new View(shape.nodes.length) };
  const other = last.current.view;
  other.go(ticks, index, null);
  const isSame = there === history && index === page.index && !page.unfinished;
  return {
    comparison,
    agent,
    problem: isSame ? "This is the shown tick itself: choose another agent or another tick." : null,
    tick: there.at(index)!,
    view: other,
    nodes: differingNodes(view, other),
    values: differingValues(history.values(page.index), there.values(index)),
  };
}

/** Returns why there is no tick to compare with. */
function missing(moment: Moment, name: string): string {
  if (moment.kind === "pinned") return `Tick ${moment.tick} of ${name} is not stored.`;
  if (moment.kind === "future") return `The future that ${name} has left has no tick for this one: it was shorter, or is not stored.`;
  return `There is no tick of ${name} at that time.`;
}

/** What is compared: an agent, a tick, and whether only differences are shown. */
export function CompareBar({ page, compared }: { page: Page; compared: Compared }) {
  const { comparison, agent, tick, problem, nodes, values } = compared;
  const { moment } = comparison;
  const change = (change: Partial<Comparison>) => page.compare({ ...comparison, ...change });
  const others = page.followed.filter((one) => one.key !== page.selected);
  const listed = page.agents.list.filter((one) => one.key !== page.selected && !others.some((other) => other.key === one.key)).slice(0, MAX_AGENTS);
  const choose = (key: number) => {
    const found = listed.find((one) => one.key === key);
    // Only the ticks of followed agents are received.
    if (found) page.toggleFollowed(found);
    const isOther = key !== page.selected;
    if (isOther && !page.followed.some((one) => one.key === key)) return;
    change({ agent: isOther ? key : null, moment: isOther ? { kind: "same" } : { kind: "earlier", ticks: 1 } });
  };
  const kinds: Record<Moment["kind"], () => Moment> = {
    same: () => ({ kind: "same" }),
    earlier: () => ({ kind: "earlier", ticks: 1 }),
    pinned: () => ({ kind: "pinned", tick: tick?.tick ?? 0 }),
    future: () => ({ kind: "future" }),
  };
  const number = (value: string) => Math.max(0, Math.floor(Number(value)) || 0);
  const count = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
  return (
    <div class="bar" id="compare-bar" role="group" aria-label="what is compared">
      <label>
        compare with{" "}
        <select id="compare-agent" aria-label="agent to compare with" value={agent.key} onChange={(event) => choose(Number(event.currentTarget.value))}>
          <option value={page.selected!}>this agent</option>
          {others.map((one) => (
            <option key={one.key} value={one.key}>
              {agentName(one)}
            </option>
          ))}
          {listed.length > 0 && (
            <optgroup label="follow and compare">
              {listed.map((one) => (
                <option key={one.key} value={one.key}>
                  {agentName(one)}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      </label>
      {moment.kind === "earlier" && <input type="number" id="compare-earlier" aria-label="number of ticks" min={0} value={moment.ticks} onInput={(event) => change({ moment: { kind: "earlier", ticks: number(event.currentTarget.value) } })} />}
      <select id="compare-when" aria-label="tick to compare with" value={moment.kind} onChange={(event) => change({ moment: kinds[event.currentTarget.value as Moment["kind"]]() })}>
        <option value="same">at the same time</option>
        <option value="earlier">ticks earlier</option>
        <option value="pinned">tick, pinned:</option>
        {agent.key === page.selected && page.history?.rewoundAt(page.index) && <option value="future">in the future before going back</option>}
      </select>
      {moment.kind === "pinned" && <input type="number" id="compare-tick" aria-label="number of the pinned tick" min={0} value={moment.tick} onInput={(event) => change({ moment: { kind: "pinned", tick: number(event.currentTarget.value) } })} />}
      <label>
        <input type="checkbox" id="compare-only" checked={comparison.isFiltered} onChange={() => change({ isFiltered: !comparison.isFiltered })} /> only differences
      </label>
      <span class="push" />
      <button class="link" aria-label="end the comparison" onClick={() => page.compare(null)}>
        ✕
      </button>
      <span id="compare-count" class="faint">
        {problem === null && `tick ${tick!.tick}, at ${tick!.now.toFixed(2)} s: ${count(nodes.size, "node")} and ${count(values.length, "value")} differ`}
      </span>
    </div>
  );
}

interface Properties {
  page: Page;
  shape: Shape;
  /** The statuses in the tree beside it. */
  here: View;
  /** The rows, as in the tree beside it. */
  rows: number[];
  compared: Compared;
}

export function CompareColumn({ page, shape, here, rows, compared: { agent, tick, problem, view, nodes, values } }: Properties) {
  const name = tick && `${agentName(agent)}, tick ${tick.tick}, at ${tick.now.toFixed(2)} s`;
  useEffect(scrollTogether, [shape, problem === null && rows.length > 0, page.settings.view]);
  const active = rows.indexOf(page.active);
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowUp: Math.max(active - 1, 0), ArrowDown: Math.min(active + 1, rows.length - 1), Home: 0, End: rows.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (rows[to] !== undefined) page.activate(rows[to]);
  };
  return (
    <section id="compare" aria-label="the compared tick">
      {name && <h2>{name}</h2>}
      {problem !== null && <div class="hint">{problem}</div>}
      {view && problem === null && !rows.length && <div class="hint">No node has another status.</div>}
      {view && problem === null && rows.length > 0 && (
        <VirtualList
          id="compare-list"
          role="listbox"
          aria-label={`nodes of ${name}`}
          tabIndex={0}
          aria-activedescendant={active >= 0 ? `compare-${page.active}` : undefined}
          onKeyDown={key}
          count={rows.length}
          height={ROW}
          revealed={active}
          reveals={page.reveals}
          rows={(from, to) => rows.slice(from, to).map((node, index) => <Row key={node} page={page} shape={shape} here={here} there={view} node={node} top={(from + index) * ROW} differs={nodes.has(node)} />)}
        />
      )}
      {problem === null && values.length > 0 && <Values values={values} there={tick!.tick} agent={agent.key === page.selected ? "" : agentName(agent)} />}
    </section>
  );
}

/** Lets the tree and the compared one scroll together. Returns a function that ends it. */
function scrollTogether(): (() => void) | undefined {
  const [tree, list] = [document.getElementById("tree"), document.getElementById("compare-list")];
  if (!tree || !list) return undefined;
  const follow = (from: HTMLElement, to: HTMLElement) => () => {
    if (Math.abs(to.scrollTop - from.scrollTop) > 1) to.scrollTop = from.scrollTop;
  };
  list.scrollTop = tree.scrollTop;
  const [down, up] = [follow(tree, list), follow(list, tree)];
  tree.addEventListener("scroll", down);
  list.addEventListener("scroll", up);
  return () => {
    tree.removeEventListener("scroll", down);
    list.removeEventListener("scroll", up);
  };
}

interface RowProperties {
  page: Page;
  shape: Shape;
  here: View;
  there: View;
  node: number;
  top: number;
  differs: boolean;
}

function Row({ page, shape, here, there, node, top, differs }: RowProperties) {
  const info = shape.nodes[node];
  const [is, other] = [statusIn(there, node), statusIn(here, node)];
  const word = (status: typeof is) => (status ? SPOKEN[status] : "not visited");
  return (
    <div class={`compared ${differs ? "differs" : ""} ${is ? `fresh ${is}` : "never"} ${node === page.active ? "active" : ""}`} id={`compare-${node}`} data-node={node} role="option" aria-selected={node === page.active} style={{ top: `${top}px` }} onClick={() => page.activate(node)}>
      <span class="indent" aria-hidden="true" style={{ "--depth": shape.depths[node] }} />
      <span class="sign" aria-hidden="true" title={word(is)}>
        {is ? SIGNS[is] : " "}
      </span>
      <span class="name">{rolePrefix(info) + visible(info.name) + params(info)}</span>
      {info.label !== null && <span class="label">"{title(info)}"</span>}
      <span class="spoken">{differs ? `${word(is)}, differs: ${word(other)} in the shown tick` : word(is)}</span>
      {differs && (
        <span class="other" aria-hidden="true" title={`${word(other)} in the shown tick`}>
          ≠ <span class={`sign ${other ?? ""}`}>{other ? SIGNS[other] : "·"}</span>
        </span>
      )}
    </div>
  );
}

/** The values that differ, side by side. */
function Values({ values, there, agent }: { values: ValueDifference[]; there: number; agent: string }) {
  const text = (value: unknown) => (value === undefined ? "none" : visible(write(value)));
  return (
    <div id="compare-values" tabIndex={0} role="region" aria-label="values that differ">
      <table>
        <thead>
          <tr>
            <th scope="col">value</th>
            <th scope="col">shown tick</th>
            <th scope="col">{agent || `tick ${there}`}</th>
          </tr>
        </thead>
        <tbody>
          {values.slice(0, MAX_VALUES).map(({ path, here, there }) => (
            <tr key={JSON.stringify(path)}>
              <th scope="row">{visible(path.join(".") || "value")}</th>
              <td>{text(here)}</td>
              <td class="changed">{text(there)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {values.length > MAX_VALUES && <div class="faint">and {values.length - MAX_VALUES} more</div>}
    </div>
  );
}
