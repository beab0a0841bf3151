// The header: the connection, and what holds and resumes agents.

import type { Page } from "../page";

const CONNECTIONS = { connecting: "connecting…", connected: "connected", recording: "recording", lost: "connection lost; reconnecting…" };

export function Header({ page }: { page: Page }) {
  const { settings, connection, isHeld } = page;
  const cannotHold = !page.canHold;
  return (
    <header>
      <h1>bt-inspector</h1>
      <span id="connection" role="status" class={connection === "lost" ? "lost" : ""}>
        {(connection === "recording" && page.loading) || CONNECTIONS[connection]}
      </span>
      <span id="notice" role="status">
        {page.notice}
      </span>
      <span class="push" />
      <div id="controls" role="toolbar" aria-label="tick controls" hidden={page.isRecording}>
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
      </div>
      <label title="color nodes by their number of visits">
        <input type="checkbox" id="heat" checked={settings.heat} onChange={(event) => page.set("heat", event.currentTarget.checked)} /> heat
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
