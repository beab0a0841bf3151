// Going back: what stores the past of the agent, and takes it back to the shown tick.

import type { Page } from "../page";

/** The numbers of ticks between two snapshots. */
const EVERY = [1, 10, 100];

export function Rewind({ page }: { page: Page }) {
  const { agent, history } = page;
  if (!page.canRewind || !agent?.past) return null;
  const { every, ticks } = agent.past;
  const tick = history?.at(page.index)?.tick;
  const isStored = ticks !== null && tick !== undefined && tick >= ticks[0] && tick <= ticks[1];
  const again = history?.rewoundAt(page.index) ?? null;
  const compare = () => page.compare({ agent: null, moment: { kind: "future" }, isFiltered: false });
  const who = page.holdsAll ? "all agents" : "the agent";
  return (
    <div class="group" role="group" aria-label="going back">
      <select id="past" aria-label="store the past" title={`store the state before each tick, so that ${who} can go back`} value={every} onChange={(event) => page.keepPast(Number(event.currentTarget.value))}>
        <option value={0}>past off</option>
        {EVERY.map((ticks) => (
          <option key={ticks} value={ticks}>
            {ticks === 1 ? "past on" : `past: ${ticks}th`}
          </option>
        ))}
        {every !== 0 && !EVERY.includes(every) && <option value={every}>{`past: ${every}th`}</option>}
      </select>
      <button id="rewind" title={isStored ? `${who} go${page.holdsAll ? "" : "es"} back to before the shown tick, and run${page.holdsAll ? "" : "s"} on from there` : "the state before this tick is not stored"} disabled={!isStored || page.rewinding} onClick={() => page.rewind()}>
        run again
      </button>
      {again && (
        <button id="futures" title="compare each tick with the one of the first future" onClick={compare}>
          compare
        </button>
      )}
    </div>
  );
}
