// The help: what signs and colors mean, how to do common things, and the keys.

import { useLayoutEffect, useRef } from "preact/hooks";
import { KEYS } from "../keys";
import { LETTERS, SIGNS, WARNING, WORDS } from "../model/words";
import type { Page } from "../page";
import { EditKeys, HowToEdit } from "./edit/EditHelp";

const MEANINGS = {
  s: "the node has succeeded",
  f: "the node has failed; a reason that it has stated is beside it",
  r: "the node is running, and continues with the next tick",
  e: "the node has ended with an error; the reason is beside it",
  h: "the node was running and has been halted: another branch was chosen",
  o: "the node is executing: the agent is stopped at a breakpoint below it",
};

export function Help({ page }: { page: Page }) {
  const { editor } = page;
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => root.current?.querySelector("button")?.focus(), []);
  const close = () => {
    page.toggleHelp();
    document.getElementById("help")?.focus();
  };
  return (
    <div id="help-panel" ref={root} role="dialog" aria-modal="true" aria-label="help" onKeyDown={(event) => event.key === "Escape" && (event.stopPropagation(), event.preventDefault(), close())}>
      <div class="line">
        <h2>help</h2>
        <span class="push" />
        <button aria-label="close the help" onClick={close}>
          ✕
        </button>
      </div>
      {editor.isShown && (
        <div class="columns">
          <section>
            <HowToEdit />
          </section>
          <section>
            <EditKeys />
          </section>
        </div>
      )}
      <div class="columns" hidden={editor.isAlone}>
        <section>
          <h3>Signs</h3>
          <dl>
            {LETTERS.map((letter) => (
              <div key={letter}>
                <dt class={`sign ${letter}`}>{SIGNS[letter]}</dt>
                <dd>
                  <b>{WORDS[letter]}</b>: {MEANINGS[letter]}
                </dd>
              </div>
            ))}
            <div>
              <dt class="sign o">❚❚</dt>
              <dd>
                <b>held</b>: the agent is paused, or stopped at a breakpoint
              </dd>
            </div>
            <div>
              <dt class="warning">{WARNING}</dt>
              <dd>
                <b>warning</b>: a part of the node can never happen, or does nothing; select the node to read why
              </dd>
            </div>
          </dl>
          <p>A node in full color was visited in the shown tick. A faded one was not: its sign is that of its last visit. A node without a sign has not been visited since the page started watching.</p>
          <h3>Timeline</h3>
          <p>
            A column is a tick, in the color of the tree's status; the higher, the more nodes were visited. Marks above: <span class="sign h">■</span> halts, <span class="sign f">■</span> failures of running nodes, <span class="sign e">■</span> errors, a thin bar where another leaf began to run, ◆ a
            breakpoint. A dashed line is a gap: ticks that were not watched. A blue one is where the agent has gone back; a blue line with ▼, where the tree was replaced.
          </p>
        </section>
        <section>
          <h3>How do I …</h3>
          <dl class="how">
            <dt>… stop at the next failure?</dt>
            <dd>Click the dot at the left of a node, or press b, and choose Failure. At the root this is the failure of the whole tree.</dd>
            <dt>… see what is running?</dt>
            <dd>The chips above the tree name the running leaves; click one. A number such as +3 says how many do not fit: click it to scroll to them. “follow” keeps the running leaf in view.</dd>
            <dt>… see why a node runs, or does not?</dt>
            <dd>Select it: the sentence below the tree (w) says why, with links to the ticks and nodes that it names.</dd>
            <dt>… find an agent that misbehaves?</dt>
            <dd>In “filter”, add columns to the list: values, ticks in a leaf or since a value has changed, seconds since a visit. Click a name to sort. “heat: all agents” shows what all of them do, and what none does.</dd>
            <dt>… stop when a value changes?</dt>
            <dd>Click ⚑ beside it, or type a comparison at the right, such as hp &lt; 3. A breakpoint of a node can have such a condition, too.</dd>
            <dt>… go back?</dt>
            <dd>Choose “past on”, if the program calls `agent.rewind(…)`. “run again” takes the agent back to the shown tick.</dd>
            <dt>… see what has changed?</dt>
            <dd>Open the log (l), or move in the timeline to a mark. The log can be searched, limited to a node or the nodes below it, and saved. The values at the right are those of the shown tick.</dd>
            <dt>… compare agents?</dt>
            <dd>“compare” (c) puts another agent, or another tick of this agent, beside the tree, and marks which statuses and values differ. ◉ in the list, or Enter, follows an agent: its changes are in the log, too.</dd>
            <dt>… change a value?</dt>
            <dd>Click it, if the program calls `agent.show_mut(…)`.</dd>
            <dt>… report a bug?</dt>
            <dd>“HTML” saves this page with the ticks of the agent as one file. “test” saves a unit test that repeats ticks. The address of the page leads to the agent, node and tick.</dd>
            <dt>… hold all agents?</dt>
            <dd>Choose “all agents” beside “pause”. While any agent is held, the button resumes all. A thread waits for a held agent, unless the program calls `agent.is_held()`.</dd>
          </dl>
        </section>
        <section>
          <h3>Keys</h3>
          <dl class="keys">
            {KEYS.map(([key, text]) => (
              <div key={key}>
                <dt>{key}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
          <h3>Editor</h3>
          <label>
            URL that opens a source location
            <input type="text" id="editor" value={page.settings.editor} onInput={(event) => page.set("editor", event.currentTarget.value)} />
          </label>
          <p class="faint">for example vscode://file/{"{path}:{line}:{column}"}, zed://file/{"{path}:{line}"}, idea://open?file={"{path}&line={line}"}</p>
        </section>
      </div>
    </div>
  );
}
