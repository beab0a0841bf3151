// The values that the program shows next to a tick, as nested pairs. Changes since the previous tick are highlighted.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Path, read, write } from "../model/protocol";
import { visible } from "../model/text";
import { expressionOf } from "../model/expression";
import { at } from "../model/values";
import type { Page } from "../page";
import { Chart } from "./Chart";
import { addColumn } from "./Columns";
import { pressed } from "./pressed";
import { useRoving } from "./roving";

/** What all values of the panel share. */
interface Context {
  page: Page;
  folded: ReadonlySet<string>;
  fold: (path: string) => void;
  charted: ReadonlySet<string>;
  chart: (path: string) => void;
  pinned: readonly string[];
  pin: (path: string) => void;
}

export function Values({ page }: { page: Page }) {
  const [search, setSearch] = useState("");
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [charted, setCharted] = useState<ReadonlySet<string>>(new Set());
  const { history, index } = page;
  // Values shown since the last tick are newer than those of the tick.
  const isPresent = page.isLive && history?.present !== undefined;
  const [values, before] = isPresent ? [history.present, history.values(index)] : [history?.values(index), history?.values(index - 1)];
  const tree = page.info?.name ?? "";
  const pinned = page.settings.pinned[tree] ?? [];
  const toggled = (set: ReadonlySet<string>, path: string) => new Set([...set].includes(path) ? [...set].filter((one) => one !== path) : [...set, path]);
  const context: Context = {
    page,
    folded,
    fold: (path) => setFolded(toggled(folded, path)),
    charted,
    chart: (path) => setCharted(toggled(charted, path)),
    pinned,
    pin: (path) => page.set("pinned", { ...page.settings.pinned, [tree]: [...toggled(new Set(pinned), path)] }),
  };
  const root = useRef<HTMLElement>(null);
  const roving = useRoving(root, ".pair, h2");
  const found = search.trim() ? matches(values, search.trim().toLowerCase()) : null;
  return (
    <section id="values-section" ref={root} {...roving}>
      <h2>
        values{" "}
        {values !== undefined && <input type="search" id="find-value" placeholder="search values" aria-label="search values" autocomplete="off" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />}
      </h2>
      {values !== undefined && (
        <div id="values-of" class="faint">
          {valuesOf(page, isPresent)}
        </div>
      )}
      {pinned.length > 0 && (
        <div id="pinned" aria-label="pinned values">
          {pinned.map((text) => {
            const path = JSON.parse(text) as Path;
            return <Pair key={text} context={context} name={path.join(".")} path={path} value={at(values, path)} before={at(before, path)} isPinned />;
          })}
        </div>
      )}
      <div id="shown" tabIndex={-1} role="region" aria-label="values at the shown tick">
        {values === undefined ? (
          <div class="hint">{noValues(page)}</div>
        ) : found && !found.length ? (
          <div class="hint">No value matches.</div>
        ) : found ? (
          found.slice(0, 200).map(({ path, value }) => <Pair key={JSON.stringify(path)} context={context} name={path.join(".")} path={path} value={value} before={at(before, path)} />)
        ) : (
          <Lines context={context} path={[]} value={values} before={before} />
        )}
      </div>
    </section>
  );
}

/** Returns when the values were so. In the middle of a tick, the program cannot show its values. */
function valuesOf(page: Page, isPresent: boolean): string {
  const tick = page.history?.at(page.index)?.tick;
  if (isPresent) return tick === undefined ? "now, before the first tick" : `now, before tick ${tick + 1}`;
  // The program shows values only while a page has selected the agent.
  const of = page.history?.at(page.index)?.valuesOf ?? tick;
  const after = of === tick ? `after tick ${tick}` : `after tick ${of}: not shown since then`;
  const { unfinished } = page;
  return unfinished ? `${after}; tick ${unfinished.tick} is not over` : after;
}

/** Returns why there are no values. */
function noValues(page: Page): string {
  if (page.unfinished) return `No values yet: the program shows them after a tick, and ${page.unfinished.tick ? "this page has not received a tick of this agent" : "the first one is not over"}.`;
  if (!page.history?.ticks.length) return "No values yet: the program shows them after a tick.";
  return "No values. Call `agent.show(…)` in your program to add some.";
}

/** Returns the innermost values whose path or text contains a text. */
function matches(value: unknown, search: string, path: Path = []): { path: Path; value: unknown }[] {
  if (isNested(value)) return entries(value).flatMap(([key, inner]) => matches(inner, search, [...path, key]));
  const text = `${path.join(".")} ${write(value)}`.toLowerCase();
  return text.includes(search) ? [{ path, value }] : [];
}

function isNested(value: unknown): value is object {
  return value !== null && typeof value === "object" && Object.keys(value).length > 0;
}

function entries(value: object): [string | number, unknown][] {
  return Array.isArray(value) ? value.map((inner, index) => [index, inner]) : Object.entries(value);
}

function Lines({ context, path, value, before }: { context: Context; path: Path; value: unknown; before: unknown }) {
  if (!isNested(value)) return <Leaf context={context} path={path} value={value} before={before} />;
  const was = (key: string | number) => at(before, [key]);
  return (
    <>
      {entries(value).map(([key, inner]) => (
        <Pair key={key} context={context} name={String(key)} path={[...path, key]} value={inner} before={was(key)} />
      ))}
    </>
  );
}

function Pair({ context, name: named, path, value, before, isPinned }: { context: Context; name: string; path: Path; value: unknown; before: unknown; isPinned?: boolean }) {
  const text = JSON.stringify(path);
  const name = visible(named);
  const [isOpen, open] = useState(false);
  const isFolded = context.folded.has(text);
  const pin = (
    <button class={`tool ${context.pinned.includes(text) ? "on" : ""}`} title={isPinned ? "unpin" : "keep this value at the top"} aria-label={`${context.pinned.includes(text) ? "unpin" : "pin"} ${name}`} onClick={() => context.pin(text)}>
      ★
    </button>
  );
  const { page } = context;
  const press = opener(open);
  if (!isNested(value)) {
    const canChart = typeof value === "number" || typeof value === "bigint" || context.charted.has(text);
    return (
      <>
        <div class="pair">
          <span class="key">{name}</span>
          <Leaf context={context} path={path} value={value} before={before} />
          <span class="tools">
            {page.source.evaluates && (
              <button class="tool" title="show this value of all agents in the list" aria-label={`column of ${name}`} onClick={() => addColumn(page, { value: expressionOf(path) })}>
                ▤
              </button>
            )}
            {!page.isRecording && page.agent && (
              <button class="tool" title="stop when this value changes" aria-label={`stop when ${name} changes`} onClick={() => page.setWatch({ tree: page.agent!.tree, expression: expressionOf(path), agent: page.agent!.key, disabled: false })}>
                ⚑
              </button>
            )}
            {canChart && (
              <button class={`tool ${context.charted.has(text) ? "on" : ""}`} title="chart of the last ticks" aria-label={`chart of ${name}`} onClick={() => context.chart(text)}>
                ∿
              </button>
            )}
            {pin}
          </span>
        </div>
        {context.charted.has(text) && <Chart page={context.page} path={path} />}
      </>
    );
  }
  return (
    <div>
      <div class="pair">
        <button class="key fold" aria-label={name} aria-expanded={!isFolded} title={isFolded ? "expand" : "collapse"} onClick={() => context.fold(text)}>
          {isFolded ? "▸" : "▾"} {name}
        </button>
        {isFolded && <span class={`faint ${before !== undefined && write(value) !== write(before) ? "changed" : ""}`}>{Array.isArray(value) ? `[${value.length}]` : `{${Object.keys(value).length}}`}</span>}
        <span class="tools">
          {isEditable(context.page, path) && (
            <button class="tool" title="edit as JSON" aria-label={`edit ${visible(path.join("."))} as JSON`} {...press}>
              ✎
            </button>
          )}
          {pin}
        </span>
      </div>
      {isOpen && <Editor page={context.page} path={path} value={value} close={() => open(false)} />}
      {!isFolded && (
        <div class="nested">
          <Lines context={context} path={path} value={value} before={before} />
        </div>
      )}
    </div>
  );
}

/** Returns whether the program lets pages edit a value now. */
function isEditable(page: Page, path: Path): boolean {
  if (!page.isLive || page.isRecording || page.connection !== "connected" || page.whyOver() !== null) return false;
  return (page.agent?.editable ?? []).some((start) => start.every((step, index) => step === path[index]));
}

function Leaf({ context: { page }, path, value, before }: { context: Context; path: Path; value: unknown; before: unknown }) {
  const [isOpen, open] = useState(false);
  const text = typeof value === "number" && !Number.isInteger(value) ? String(Number(value.toPrecision(6))) : visible(write(value));
  const whole = visible(write(value));
  const changed = before !== undefined && write(value) !== write(before) ? "changed" : "";
  const shown = `${typeof value === "string" ? "text" : "single"} ${changed}`;
  if (isOpen) return <Editor page={page} path={path} value={value} close={() => open(false)} />;
  const press = opener(open);
  if (!isEditable(page, path)) {
    return (
      <span class={shown} title={whole}>
        {text}
      </span>
    );
  }
  return (
    <button class={`value ${shown}`} title={`${whole} (click to edit)`} aria-label={`edit ${visible(path.join("."))}: ${text}`} {...press}>
      {text}
    </button>
  );
}

/** Returns the handlers of a button that opens the field of a value. */
function opener(open: (isOpen: boolean) => void) {
  return pressed((event) => {
    // The field gets the focus, not what was pressed.
    event.preventDefault();
    open(true);
  });
}

/** A field for a new value, as JSON. */
function Editor({ page, path, value, close }: { page: Page; path: Path; value: unknown; close: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  // The value goes on while it is edited.
  const [text, edit] = useState(write(value));
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const done = (send: boolean) => {
    if (send) page.edit(path, parsed(text));
    close();
    document.getElementById("shown")?.focus();
  };
  return (
    <input
      type="text"
      class="edit"
      ref={input}
      aria-label={`new value of ${visible(path.join("."))}`}
      title="JSON, or a text. Enter: apply, Escape: cancel"
      value={text}
      onInput={(event) => edit(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") done(true);
        else if (event.key === "Escape") {
          event.stopPropagation();
          done(false);
        }
      }}
      onBlur={close}
    />
  );
}

/** Returns what the user has typed: JSON, or else a text without quotes. */
function parsed(text: string): unknown {
  try {
    return read(text);
  } catch {
    return text;
  }
}
