// Which agents wait for a page, and so hold up the program. It is shown in each page, whatever the page lists.

import { visible } from "../model/text";
import { hasThread, title } from "../model/words";
import type { AgentInfo } from "../model/protocol";
import type { Page } from "../page";

export function Banner({ page }: { page: Page }) {
  const { waiting } = page;
  if (!waiting.length || page.connection !== "connected") return null;
  // The selected agent first: the user knows it.
  const first = waiting.find((agent) => agent.key === page.selected) ?? waiting[0];
  const others = waiting.length - 1;
  return (
    <div id="banner" role="status">
      <strong>{page.fullName(first)}</strong> <span>{state(page, first)}</span>
      <span class="faint">{hasThread(first) ? "A thread of the program waits for it." : "The program goes on without it."}</span>
      <span class="push" />
      {first.key !== page.selected && (
        <button id="banner-go" onClick={() => page.select(first.key)}>
          show it
        </button>
      )}
      <button id="banner-resume" onClick={() => page.resume(first.key)}>
        resume it
      </button>
      {others > 0 && (
        <select
          id="banner-others"
          aria-label="other waiting agents"
          value=""
          onChange={(event) => {
            const key = Number(event.currentTarget.value);
            event.currentTarget.value = "";
            page.select(key);
          }}
        >
          <option value="">{`${others} more`}</option>
          {waiting.filter((agent) => agent !== first).map((agent) => (
            <option key={agent.key} value={agent.key}>{`${page.fullName(agent)} ${state(page, agent)}`}</option>
          ))}
        </select>
      )}
    </div>
  );
}

/** Returns where an agent waits. */
function state(page: Page, { at, tree, why }: AgentInfo): string {
  const node = at && page.trees.get(tree)?.nodes[at[0]];
  if (!at) return `is held before its next tick${why === undefined ? "" : `: ${visible(why)}`}.`;
  return `is stopped in the middle of a tick, at ${node ? title(node) : `node ${at[0]}`}: ${at[1]}.`;
}
