// The log: a line for each change of a node's status, of the selected and the followed agents.

import { useMemo, useState } from "preact/hooks";
import { type Change, REPLACED, type Scope } from "../model/log";
import { type Entry, asJson, asText } from "../model/logFile";
import { visible } from "../model/text";
import { LETTERS, type Letter, SIGNS, WORDS, shortLocation, title } from "../model/words";
import type { Page } from "../page";
import { download } from "../save";
import { pressed } from "./pressed";
import { VirtualList } from "./VirtualList";

/** The height of a line in pixels, as in the style sheet. */
const ROW = 20;
const KINDS = LETTERS.filter((letter) => letter !== "o");
/** The number of lines that the keys for a page move by. */
const PAGE = 8;

export function LogPanel({ page }: { page: Page }) {
  const [text, setText] = useState("");
  const [scope, setScope] = useState<Scope | null>(null);
  const [kinds, setKinds] = useState<ReadonlySet<Letter>>(new Set(KINDS));
  const [agent, setAgent] = useState<number | null>(null);
  /** The line that the keyboard operates on. */
  const [cursor, setCursor] = useState<Change | null>(null);
  const logs = page.logs();
  const chosen = logs.filter((log) => agent === null || log.agent === agent);
  const byAgent = new Map(logs.map((log) => [log.agent, log]));
  const version = chosen.map((log) => `${log.agent}:${log.changes.at(-1)?.index}:${log.changes.length}`).join();
  const changes = useMemo(() => {
    const all = chosen.map((log) => log.filtered({ text, scope, kinds }));
    return all.length === 1 ? all[0] : all.flat().sort((a, b) => a.at - b.at || a.agent - b.agent || a.index - b.index);
  }, [version, text, scope, kinds]);
  const shownTick = page.history?.at(page.index);
  // Where the shown tick is: the last change at or before it.
  const current = page.isLive ? -1 : changes.findLastIndex((change) => change.at <= (shownTick?.at ?? 0));
  const cursorAt = cursor ? changes.indexOf(cursor) : -1;
  const entry = (change: Change): Entry => ({ change, agent: visible(page.fullNameOf(change.agent)), node: byAgent.get(change.agent)!.of(change) });
  const go = (change: Change) => {
    setCursor(change);
    if (change.agent !== page.selected) page.select(change.agent);
    page.goTo(change.index);
    if (change.node !== null) page.activate(page.shownNode(change.tree, change.node) ?? 0);
  };
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && cursor) {
      // The latest line is shown again.
      event.preventDefault();
      return setCursor(null);
    }
    const [at, last] = [cursorAt >= 0 ? cursorAt : current >= 0 ? current : changes.length, changes.length - 1];
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, PageUp: at - PAGE, PageDown: at + PAGE, Home: 0, End: last }[event.key];
    if (to === undefined && !(event.key === "Enter" && cursorAt >= 0)) return;
    event.preventDefault();
    if (to === undefined) go(changes[cursorAt]);
    else setCursor(changes[Math.max(0, Math.min(to, last))] ?? null);
  };
  const save = (type: "txt" | "json") => {
    const entries = changes.map(entry);
    if (type === "txt") download("log.txt", asText(entries), "text/plain");
    else download("log.json", asJson(entries), "application/json");
  };
  return (
    <section id="log" aria-label="log">
      <div class="bar">
        <h2>log</h2>
        <input type="search" id="log-text" placeholder="search" aria-label="only changes whose node or reason contains" autocomplete="off" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        <ScopeChoice page={page} scope={scope} choose={setScope} />
        {KINDS.map((kind) => (
          <label key={kind}>
            <input type="checkbox" name={WORDS[kind]} checked={kinds.has(kind)} onChange={() => setKinds(new Set(KINDS.filter((one) => (one === kind) !== kinds.has(one))))} /> {WORDS[kind]}
          </label>
        ))}
        {logs.length > 1 && (
          <select id="log-agent" aria-label="only this agent" value={agent ?? ""} onChange={(event) => setAgent(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}>
            <option value="">all followed agents</option>
            {logs.map((log) => (
              <option key={log.agent} value={log.agent}>
                {visible(page.fullNameOf(log.agent))}
              </option>
            ))}
          </select>
        )}
        <span class="push" />
        <span id="log-count" class="faint">
          {changes.length} change{changes.length === 1 ? "" : "s"}
        </span>
        <div class="group" role="group" aria-label="save the listed changes">
          <button id="log-save-text" title="save the listed changes as text" disabled={!changes.length} onClick={() => save("txt")}>
            text
          </button>
          <button id="log-save-json" title="save the listed changes as JSON" disabled={!changes.length} onClick={() => save("json")}>
            JSON
          </button>
        </div>
        <button class="link" aria-label="close the log" onClick={() => page.set("log", false)}>
          ✕
        </button>
      </div>
      <VirtualList
        class="lines"
        role="listbox"
        aria-label="changes of nodes: Enter shows the tick and the node"
        tabIndex={0}
        aria-activedescendant={cursorAt >= 0 ? `change-${cursorAt}` : undefined}
        onKeyDown={key}
        count={changes.length}
        height={ROW}
        sticks={page.isLive && cursorAt < 0}
        revealed={cursorAt >= 0 ? cursorAt : current}
        reveals={cursorAt >= 0 ? cursor : page.isLive ? "live" : current}
        rows={(from, to) =>
          changes.slice(from, to).map((change, index) => (
            <Line key={from + index} entry={entry(change)} index={from + index} count={changes.length} withAgent={chosen.length > 1} isAt={!page.isLive && change.agent === page.selected && change.index === page.index} isCursor={change === cursor} go={go} />
          ))
        }
      />
    </section>
  );
}

/** Which nodes the log lists: the node that is active when the user chooses stays chosen. */
function ScopeChoice({ page, scope, choose }: { page: Page; scope: Scope | null; choose: (scope: Scope | null) => void }) {
  const { info, active } = page;
  const scopes: Scope[] = [];
  const add = (tree: number, from: number, to: number) => scopes.some((one) => write(one) === write({ tree, from, to })) || scopes.push({ tree, from, to });
  if (scope) add(scope.tree, scope.from, scope.to);
  if (info) {
    const shape = page.shapeOf(info);
    add(info.key, active, active + 1);
    if (shape.hasChildren(active)) add(info.key, active, shape.ends[active]);
  }
  const named = ({ tree, from, to }: Scope) => {
    const node = page.trees.get(tree)?.nodes[from];
    return `${to > from + 1 ? "at and below" : "only"} “${node ? title(node) : from}”`;
  };
  return (
    <select id="log-scope" aria-label="which nodes" title="which nodes: all, the selected one, or those below it" value={scope ? write(scope) : ""} onChange={(event) => choose(scopes.find((one) => write(one) === event.currentTarget.value) ?? null)}>
      <option value="">all nodes</option>
      {scopes.map((one) => (
        <option key={write(one)} value={write(one)}>
          {named(one)}
        </option>
      ))}
    </select>
  );
}

function write({ tree, from, to }: Scope): string {
  return `${tree} ${from} ${to}`;
}

interface LineProperties {
  entry: Entry;
  index: number;
  count: number;
  withAgent: boolean;
  /** Whether the line is of the shown tick. */
  isAt: boolean;
  isCursor: boolean;
  go: (change: Change) => void;
}

function Line({ entry: { change, agent, node }, index, count, withAgent, isAt, isCursor, go }: LineProperties) {
  const { from, to, text, now, tick } = change;
  return (
    <div
      class={`change ${node ? "" : "of-tree"} ${isAt ? "at" : ""} ${isCursor ? "cursor" : ""}`}
      id={`change-${index}`}
      role="option"
      aria-selected={isCursor}
      aria-setsize={count}
      aria-posinset={index + 1}
      style={{ top: `${index * ROW}px` }}
      title="show this tick and node (Enter)"
      {...pressed(() => go(change))}
    >
      <span class="time">{now.toFixed(2)} s</span>
      <span class="number">#{tick}</span>
      {withAgent && <span class="who">{agent}</span>}
      {node && to ? (
        <>
          <span class="from" aria-hidden="true">
            {from ? <span class={`sign ${from}`}>{SIGNS[from]}</span> : <span class="sign">·</span>} → <span class={`sign ${to}`}>{SIGNS[to]}</span>
          </span>
          <span class="status faint">{WORDS[to]}</span>
          <span class="name">{node.name}</span>
          {node.label !== null && <span class="label">"{node.label}"</span>}
          {text && <span class={to === "e" ? "error" : "faint"}>{text}</span>}
          {node.path.length > 0 && <span class="path faint">in {node.path.join(" / ")}</span>}
          <span class="source">{node.location === null ? "" : shortLocation(node.location)}</span>
        </>
      ) : (
        <>
          <span class="replaced">{REPLACED}</span>
          <span class="faint">{text}</span>
        </>
      )}
    </div>
  );
}
