// A unit test that repeats ticks of the agent.

import { useState } from "preact/hooks";
import type { Page } from "../page";
import { closesOutside } from "./popup";

/** The number of ticks that are suggested. */
const TICKS = 50;

export function SaveTest({ page }: { page: Page }) {
  const { history, selected } = page;
  const last = history?.at(page.index)?.tick ?? 0;
  const [range, setRange] = useState<[number, number] | null>(null);
  if (!page.source.evaluates || selected === null || !history?.ticks.length) return null;
  // A test is of one tree.
  const begin = history.ticks.findLast((tick) => tick.replaced && tick.tick <= last) ?? history.ticks[0];
  const first = Math.max(begin.tick, last - TICKS + 1);
  const suggested: [number, number] = [first, last];
  const [from, to] = range ?? suggested;
  // The range no longer follows new ticks. The opening is reported in a later task, when something may have been typed already.
  const opened = () => setRange((typed) => typed ?? suggested);
  const type = (end: 0 | 1, event: Event) => {
    const number = Math.max(0, Math.floor(Number((event.currentTarget as HTMLInputElement).value)) || 0);
    setRange((typed) => (typed ?? suggested).with(end, number) as [number, number]);
  };
  return (
    <details id="save-test" class="pop up" aria-label="save a unit test" ref={closesOutside} onToggle={(event) => (event.currentTarget.open ? opened() : setRange(null))} onKeyDown={(event) => event.key === "Escape" && event.currentTarget.removeAttribute("open")}>
      <summary title="write a unit test that repeats ticks of this agent">test</summary>
      <div class="box">
        <span>A Rust unit test: the leaves return the recorded results, and the tree must behave as recorded.</span>
        <label>
          ticks <input type="number" id="test-from" min={0} value={from} aria-label="first tick" onInput={(event) => type(0, event)} /> to <input type="number" id="test-to" min={0} value={to} aria-label="last tick" onInput={(event) => type(1, event)} />
        </label>
        <button id="write-test" onClick={() => page.source.send({ test: { agent: selected, from, to } })}>
          save test
        </button>
      </div>
    </details>
  );
}
