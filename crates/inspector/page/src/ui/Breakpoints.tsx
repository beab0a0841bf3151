// The breakpoints of all trees, and the menu that sets one. The server stores them, so all pages show the same.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { BreakpointInfo, Trigger, WatchInfo } from "../model/protocol";
import { visible } from "../model/text";
import { agentName, title } from "../model/words";
import type { Page } from "../page";
import { ExpressionInput } from "./ExpressionInput";

const TRIGGERS: Trigger[] = ["Visit", "Success", "Failure", "Running", "Error", "Halted"];

export function BreakpointList({ page }: { page: Page }) {
  const { breakpoints, watches, agent } = page;
  const [ofAll, setOfAll] = useState(false);
  if (page.isRecording) return null;
  const isEmpty = !breakpoints.length && !watches.length;
  return (
    <section id="breakpoints">
      <h2>
        breakpoints{" "}
        {!isEmpty && (
          <button id="remove" class="link" title="remove all breakpoints" onClick={() => page.removeBreakpoints()}>
            remove all
          </button>
        )}
      </h2>
      {agent && (
        <>
          <span>stop when a comparison becomes true, or a value changes</span>
          <ExpressionInput page={page} id="add-watch" label="stop when this value changes, or this comparison becomes true" placeholder="hp < 3, or hp" value="" isCondition={false} empties apply={(expression) => expression && page.setWatch({ tree: agent.tree, expression, agent: ofAll ? null : agent.key, disabled: false })} />
          <label>
            <input type="checkbox" id="watch-all" checked={ofAll} onChange={(event) => setOfAll(event.currentTarget.checked)} /> any agent of this tree
          </label>
        </>
      )}
      <ul>
        {watches.map((watch) => (
          <WatchItem key={`${watch.tree} ${watch.agent} ${watch.expression}`} page={page} watch={watch} />
        ))}
        {breakpoints.map((breakpoint) => (
          <Item key={`${breakpoint.tree}-${breakpoint.node}`} page={page} breakpoint={breakpoint} />
        ))}
      </ul>
    </section>
  );
}

function Item({ page, breakpoint }: { page: Page; breakpoint: BreakpointInfo }) {
  const { tree, node, on, agent, hits, skip, disabled, condition } = breakpoint;
  const info = page.trees.get(tree)?.nodes[node];
  const name = info ? title(info) : `node ${node}`;
  const only = agent === null ? "" : `, ${visible(page.fullNameOf(agent))} only`;
  const after = skip ? `, after ${skip}` : "";
  const where = condition ? ` if ${visible(condition)}` : "";
  return (
    <li>
      <input type="checkbox" checked={!disabled} aria-label={`stop at ${name}`} onChange={(event) => page.setBreakpoint({ ...breakpoint, disabled: !event.currentTarget.checked })} />
      <button class="link" title="show the node" onClick={() => page.showNode(tree, node)}>
        {name}
      </button>
      <span class="faint">{`${on.join(", ")}${where}${only}${after}: ${hits} hit${hits === 1 ? "" : "s"}`}</span>
      <button class="link" title="remove" aria-label={`remove the breakpoint of ${name}`} onClick={() => page.setBreakpoint({ ...breakpoint, on: [] })}>
        ✕
      </button>
    </li>
  );
}

/** A value at whose changes agents stop. */
function WatchItem({ page, watch }: { page: Page; watch: WatchInfo }) {
  const { expression, agent, hits, disabled } = watch;
  const name = visible(expression);
  /** For this agent only, or for all of its tree. */
  const toggle = (isOnly: boolean) => {
    page.setWatch(watch, true);
    page.setWatch({ ...watch, agent: isOnly ? page.selected : null });
  };
  return (
    <li class="watch">
      <input type="checkbox" checked={!disabled} aria-label={`stop at changes of ${name}`} onChange={(event) => page.setWatch({ ...watch, disabled: !event.currentTarget.checked })} />
      <code>{name}</code>
      <button class="link" title={agent === null ? "for all agents of the tree; click: only the selected one" : "only this agent; click: all agents of the tree"} onClick={() => toggle(agent === null)}>
        {agent === null ? "all agents" : `${visible(page.fullNameOf(agent))} only`}
      </button>
      <span class="faint">{`${hits} hit${hits === 1 ? "" : "s"}`}</span>
      <button class="link" title="remove" aria-label={`remove the breakpoint at ${name}`} onClick={() => page.setWatch(watch, true)}>
        ✕
      </button>
    </li>
  );
}

/** The menu for the breakpoint of a node, beside the node. */
export function BreakpointMenu({ page, menu: { tree, node } }: { page: Page; menu: { tree: number; node: number } }) {
  const root = useRef<HTMLDivElement>(null);
  const current = page.breakpointOf(tree, node);
  // Several changes may be made before the server answers.
  const now = useRef({ tree, node, on: [] as Trigger[], agent: null as number | null, disabled: false, skip: 0, condition: "", ...current });
  const close = (focus: boolean) => {
    page.openMenu(null);
    if (focus) (document.getElementById("tree") ?? document.getElementById("graph-tree"))?.focus();
  };
  useLayoutEffect(() => {
    const { current } = root;
    const dot = document.querySelector(`#node-${node} .dot, #graph-${node} .dot`);
    const at = dot?.getBoundingClientRect() ?? new DOMRect(100, 100, 0, 0);
    current!.style.left = `${Math.max(0, Math.min(at.right + 8, innerWidth - current!.offsetWidth))}px`;
    current!.style.top = `${Math.max(0, Math.min(at.top, innerHeight - current!.offsetHeight - 40))}px`;
    current!.querySelector<HTMLElement>("input[name=Visit]")!.focus();
  }, []);
  useEffect(() => {
    const outside = (event: PointerEvent) => !root.current?.contains(event.target as Node) && close(false);
    addEventListener("pointerdown", outside, true);
    return () => removeEventListener("pointerdown", outside, true);
  }, []);
  const change = (change: Partial<typeof now.current>) => {
    Object.assign(now.current, change);
    page.setBreakpoint(now.current);
    page.changed();
  };
  const { on, agent, skip } = now.current;
  const info = page.trees.get(tree)?.nodes[node];
  const name = info ? title(info) : "";
  return (
    <div
      id="breaks"
      ref={root}
      role="dialog"
      aria-label={`breakpoint of ${name}`}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        event.preventDefault();
        close(true);
      }}
    >
      <strong>stop at {name}</strong>
      {page.agent && (
        <label>
          <input type="checkbox" name="only" checked={agent === page.agent.key} onChange={(event) => change({ agent: event.currentTarget.checked ? page.agent!.key : null })} /> only {agentName(page.agent)}
        </label>
      )}
      <label>
        skip the first <input type="number" name="skip" min={0} max={1e9} value={skip} onInput={(event) => change({ skip: Math.max(0, Math.floor(Number(event.currentTarget.value)) || 0) })} /> hits
      </label>
      <span>
        only if{" "}
        <ExpressionInput page={page} id="condition" label="only if this is true for the values shown last" placeholder="hp < 3" value={now.current.condition} isCondition typed={(condition) => (now.current.condition = condition)} apply={(condition) => change({ condition })} />
      </span>
      <strong>on</strong>
      {TRIGGERS.map((trigger) => (
        <label key={trigger}>
          <input type="checkbox" name={trigger} checked={on.includes(trigger)} onChange={(event) => change({ on: TRIGGERS.filter((one) => (one === trigger ? event.currentTarget.checked : on.includes(one))) })} /> {trigger}
        </label>
      ))}
    </div>
  );
}
