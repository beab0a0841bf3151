// The header: the connection, and what holds and resumes agents.

import { visible } from "../model/text";
import type { Walk } from "../model/protocol";
import type { Page } from "../page";

const CONNECTIONS = { connecting: "connecting…", connected: "connected", recording: "recording", lost: "connection lost; reconnecting…", refused: "restarted: open the address that the program prints" };

const WALKS: [Walk, string, string][] = [
  ["into", "i", "run to the next visit of a node"],
  ["over", "o", "run to the end of this visit"],
  ["out", "u", "run to the end of the visit around this one"],
];

export function Header({ page }: { page: Page }) {
  const { settings, connection, isHeld, editor } = page;
  const notice = visible(page.notice);
  const cannotHold = !page.canHold;
  return (
    <header>
      <h1>{editor.isAlone ? "bt edit" : "bt-inspector"}</h1>
      <span id="connection" role="status" class={connection === "lost" || connection === "refused" ? "lost" : ""}>
        {(connection === "recording" && page.loading) || CONNECTIONS[connection]}
      </span>
      <span id="notice" role="status" title={notice}>
        {notice}
      </span>
      <span class="push" />
      <div id="controls" role="toolbar" aria-label="tick controls" hidden={page.isRecording || editor.isAlone}>
        <select
          id="hold"
          aria-label="what pause and step apply to"
          title="what pause and step apply to"
          value={page.holdsAll ? "all" : "one"}
          onChange={(event) => {
            page.holdsAll = event.currentTarget.value === "all";
            page.changed();
          }}
        >
          <option value="one">this agent</option>
          <option value="all">all agents</option>
        </select>
        <button id="pause" title="pause or resume (Space)" class={isHeld ? "on" : ""} disabled={cannotHold} onClick={() => page.togglePaused()}>
          {isHeld ? "resume" : "pause"}
        </button>
        <button id="step" title="run one tick (n)" disabled={cannotHold} onClick={() => page.step()}>
          step
        </button>
        <div class="group" role="group" aria-label="run a part of a tick">
          {WALKS.map(([how, key, title]) => (
            <button key={how} id={`walk-${how}`} title={`${title} (${key})`} aria-label={`${how}: ${title}`} disabled={cannotHold || page.holdsAll} onClick={() => page.walk(how)}>
              {how}
            </button>
          ))}
        </div>
      </div>
      <label hidden={editor.isShown} title="color nodes by their number of visits, and count them">
        heat{" "}
        <select id="heat" value={settings.heat} onChange={(event) => page.set("heat", event.currentTarget.value as typeof settings.heat)}>
          <option value="off">off</option>
          <option value="agent">this agent</option>
          <option value="all">all agents</option>
        </select>
      </label>
      <button id="theme" title="switch between light and dark theme" aria-label="switch between light and dark theme" onClick={() => page.set("dark", !settings.dark)}>
        ◐
      </button>
      <button
        id="help"
        title="what signs and colors mean, and keys (?)"
        aria-label="help"
        aria-expanded={page.help}
        onClick={() => page.toggleHelp()}
      >
        ?
      </button>
    </header>
  );
}
