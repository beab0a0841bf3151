// Above the tree: where the agent is, the running leaves, the path to the active node, and how the tree is shown.

import type { Shape } from "../model/shape";
import { title } from "../model/words";
import type { Page } from "../page";
import { Find } from "./Find";
import { FormOfTree } from "./FormOfTree";
import { Strip } from "./Strip";
import { WarningCount } from "./Warnings";
import { short } from "./heat";
import { expandAll, collapse } from "./folding";

export function TreeBar({ page, leaves, shape }: { page: Page; leaves: number[]; shape: Shape | null }) {
  const { settings, agent } = page;
  const names = shape ? page.titles(leaves) : [];
  const path = shape?.nodes[page.active] ? [...shape.ancestors(page.active).reverse(), page.active] : [];
  return (
    <div id="bars">
      <div class="bar">
        <span id="heading" title={page.where(names)}>
          <strong id="agent">{agent && page.fullName(agent)}</strong> <span id="where">{page.where(names)}</span>
        </span>
        {shape && <WarningCount page={page} shape={shape} />}
        <Find page={page} what="name, label, parameters or source file" shortcut="/" search={() => (shape ? shape.find(page.search) : [])} go={(node) => page.activate(node)} />
        <select id="shown-nodes" aria-label="which nodes are shown" title="which nodes are shown" value={settings.shown} onChange={(event) => page.set("shown", event.currentTarget.value as typeof settings.shown)}>
          <option value="all">all nodes</option>
          <option value="tick">in this tick</option>
          <option value="ever">so far</option>
        </select>
        <div role="group" aria-label="fold the tree" class="group">
          <button id="expand" title="expand all nodes" aria-label="expand all nodes" onClick={() => shape && expandAll(page, shape)}>
            ▾
          </button>
          <button id="collapse" title="collapse all nodes below the second level" aria-label="collapse all nodes below the second level" onClick={() => shape && collapse(page, shape, 2)}>
            ▸
          </button>
        </div>
        <FormOfTree page={page} />
      </div>
      <div class="bar" id="running">
        <label title="keep the running leaf in view (f)">
          <input type="checkbox" id="follow" checked={settings.follow} onChange={(event) => page.set("follow", event.currentTarget.checked)} /> follow
        </label>
        <Strip id="leaves" label="running leaves" content={leaves.join()}>
          {leaves.length === 0 && <span class="faint">nothing is running</span>}
          {leaves.map((leaf, index) => (
            <button key={leaf} class="chip" title="show this running leaf" onClick={() => page.activate(leaf)}>
              <span aria-hidden="true">▶ </span>
              {names[index]} <span class="spoken">running</span>
            </button>
          ))}
        </Strip>
        <Strip id="crumbs" label="path to the active node" content={path.join()} toEnd>
          {path.map((node) => (
            <button key={node} class="link" onClick={() => page.activate(node)}>
              {title(shape!.nodes[node])}
            </button>
          ))}
        </Strip>
        {settings.heat === "all" && (
          <span id="overview" class="faint" title="what the numbers at the nodes count">
            {overviewText(page)}
          </span>
        )}
        <button id="compare-button" title="compare with another agent or tick (c)" aria-pressed={page.comparison !== null} class={page.comparison ? "on" : ""} onClick={() => page.toggleComparison()}>
          compare
        </button>
        {shape && (
          <button id="who" title="list the agents in which this node is running" onClick={() => page.list({ tree: shape.info.key, node: page.active })}>
            who is here?
          </button>
        )}
      </div>
    </div>
  );
}

/** Returns what the numbers at the nodes count. */
function overviewText({ overview, isRecording }: Page): string {
  if (!overview) return "";
  const agents = `${overview.agents} agent${overview.agents === 1 ? "" : "s"}`;
  if (isRecording) return `${agents}, ${short(overview.ticks)} ticks`;
  return overview.ticks ? `${agents}, ${short(overview.ticks)} ticks so far` : `${agents}, no ticks yet`;
}
