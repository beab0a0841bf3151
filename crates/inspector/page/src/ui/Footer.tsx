// The footer: the timeline, playing, and saving.

import { recorded } from "../model/recording";
import type { Page } from "../page";
import { download, standalone } from "../save";
import { Rewind } from "./Rewind";
import { SaveTest } from "./SaveTest";
import { Timeline } from "./Timeline";

const SPEEDS = [0.25, 1, 4, 16];

export function Footer({ page }: { page: Page }) {
  const { history } = page;
  const tick = page.unfinished ?? history?.at(page.index) ?? null;
  const isEmpty = !history?.ticks.length;
  const save = async (as: "jsonl" | "html") => {
    const { agent } = page;
    if (!agent || !history) return;
    const name = agent.name.replace(/[^\p{L}\p{N}]+/gu, "-");
    const text = recorded(page.trees, agent, history);
    try {
      download(`${name}.${as}`, as === "html" ? await standalone(text) : text, as === "html" ? "text/html" : "application/jsonl");
    } catch (error) {
      page.say(`cannot be saved: ${(error as Error).message}`);
    }
  };
  return (
    <footer>
      {!page.isRecording && (
        <button id="live" title="follow live ticks (End)" class={page.isLive ? "on" : ""} onClick={() => page.goTo(null)}>
          live
        </button>
      )}
      <button id="play" title="play the past from here (p)" aria-label={page.playing ? "stop playing" : "play the past"} class={page.playing ? "on" : ""} disabled={isEmpty} onClick={() => page.togglePlaying()}>
        {page.playing ? "❚❚" : "▶"}
      </button>
      <select id="speed" aria-label="speed of playing" title="speed of playing" value={page.speed} onChange={(event) => page.setSpeed(Number(event.currentTarget.value))}>
        {SPEEDS.map((speed) => (
          <option key={speed} value={speed}>
            {speed}×
          </option>
        ))}
      </select>
      <Timeline page={page} />
      <span id="tick">{tick ? tickText(page, tick) : "no ticks yet"}</span>
      <Rewind page={page} />
      <button id="why-button" hidden={page.editor.isShown} title="why the active node does what it does (w)" aria-pressed={page.settings.why} class={page.settings.why ? "on" : ""} onClick={() => page.set("why", !page.settings.why)}>
        why?
      </button>
      <button id="log-button" title="show the log (l)" aria-pressed={page.settings.log} class={page.settings.log ? "on" : ""} onClick={() => page.set("log", !page.settings.log)}>
        log
      </button>
      <div class="group" role="group" aria-label="save the ticks of this agent">
        <button id="save" title="save the ticks of this agent as a recording, which bt-inspector opens" disabled={isEmpty} onClick={() => save("jsonl")}>
          save
        </button>
        <button id="save-html" title="save the ticks of this agent as one HTML file, which any browser opens" disabled={isEmpty} onClick={() => save("html")}>
          HTML
        </button>
        <SaveTest page={page} />
      </div>
    </footer>
  );
}

/** Returns the number and the time of a tick, and the number of ticks before it that were not received. */
function tickText(page: Page, tick: { tick: number; now: number; missed?: number; rewound?: number | null; replaced?: boolean }): string {
  const count = Math.max(tick.tick, page.history?.ticks.at(-1)?.tick ?? 0) + 1;
  const missed = tick.missed ? `, after ${tick.missed} ticks that were not watched` : "";
  const again = tick.rewound ?? null;
  const rewound = again === null ? "" : `, tick ${again} again`;
  const replaced = tick.replaced ? ", first in a new tree" : "";
  return `tick ${tick.tick} of ${count}, at ${tick.now.toFixed(2)} s${missed}${rewound}${replaced}`;
}
