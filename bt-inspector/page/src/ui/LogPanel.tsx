// The log: a line for each change of a node's status, of the selected and the followed agents.

import { useMemo, useRef, useState } from "preact/hooks";
import type { Change } from "../model/log";
import { visible } from "../model/text";
import { LETTERS, type Letter, SIGNS, WORDS, title } from "../model/words";
import type { Page } from "../page";
import { VirtualList } from "./VirtualList";

const ROW = 20;
const KINDS = LETTERS.filter((letter) => letter !== "o");

export function LogPanel({ page }: { page: Page }) {
  const [node, setNode] = useState("");
  const [kinds, setKinds] = useState<ReadonlySet<Letter>>(new Set(KINDS));
  const [agent, setAgent] = useState<number | null>(null);
  const logs = page.logs();
  const chosen = logs.filter((log) => agent === null || log.agent === agent);
  const version = chosen.map((log) => `${log.agent}:${log.changes.at(-1)?.index}:${log.changes.length}`).join();
  const changes = useMemo(() => {
    const all = chosen.map((log) => log.filtered({ node, kinds }));
    return all.length === 1 ? all[0] : all.flat().sort((a, b) => a.now - b.now || a.agent - b.agent || a.index - b.index);
  }, [version, node, kinds]);
  const shapes = useRef(new Map<number, string[]>());
  for (const log of logs) if (!shapes.current.has(log.agent)) shapes.current.set(log.agent, log.shape.nodes.map(title));
  const shownTick = page.history?.at(page.index);
  // Where the shown tick is: the last change at or before it.
  const current = page.isLive ? -1 : changes.findLastIndex((change) => change.now <= (shownTick?.now ?? 0));
  const go = (change: Change) => {
    if (change.agent !== page.selected) page.select(change.agent);
    page.goTo(change.index);
    page.activate(change.node);
  };
  return (
    <section id="log" aria-label="log">
      <div class="bar">
        <h2>log</h2>
        <input type="search" id="log-node" placeholder="node" aria-label="only nodes whose name contains" autocomplete="off" value={node} onInput={(event) => setNode(event.currentTarget.value)} />
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
                {visible(page.nameOf(log.agent))}
              </option>
            ))}
          </select>
        )}
        <span class="push" />
        <span id="log-count" class="faint">
          {changes.length} changes
        </span>
        <button class="link" aria-label="close the log" onClick={() => page.set("log", false)}>
          ✕
        </button>
      </div>
      <VirtualList
        class="lines"
        role="log"
        aria-label="changes of nodes"
        tabIndex={0}
        count={changes.length}
        height={ROW}
        sticks={page.isLive}
        revealed={current}
        reveals={page.isLive ? "live" : current}
        rows={(from, to) =>
          changes.slice(from, to).map((change, index) => (
            <div key={from + index} class={`change ${!page.isLive && change.agent === page.selected && change.index === page.index ? "at" : ""}`} style={{ top: `${(from + index) * ROW}px` }} title="show this tick and node" onClick={() => go(change)}>
              <span class="time">{change.now.toFixed(2)} s</span>
              <span class="number">#{change.tick}</span>
              {chosen.length > 1 && <span class="who">{visible(page.nameOf(change.agent))}</span>}
              <span class="from">
                {change.from ? <span class={`sign ${change.from}`}>{SIGNS[change.from]}</span> : <span class="sign">·</span>} → <span class={`sign ${change.to}`}>{SIGNS[change.to]}</span>
              </span>
              <span class="name">{shapes.current.get(change.agent)?.[change.node]}</span>
              <span class="faint">{WORDS[change.to]}</span>
              <span class={change.to === "e" ? "error" : "faint"}>{change.text}</span>
            </div>
          ))
        }
      />
    </section>
  );
}
