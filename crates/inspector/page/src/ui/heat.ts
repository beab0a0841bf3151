// What the colors and numbers at the nodes count: the ticks of the agent, or those of all agents of its tree.

import type { NodeOverview } from "../model/protocol";
import { nodeIn } from "../model/versions";
import type { View } from "../model/view";
import type { Page } from "../page";

/** Returns the counts of a node over all agents, if they are shown and known. */
function countsOf(page: Page, node: number): NodeOverview | null {
  // Without a tick, nothing is known yet.
  const { overview, info, trees } = page;
  if (page.settings.heat !== "all" || !overview?.ticks || !info) return null;
  const counted = trees.get(overview.tree);
  const there = counted ? nodeIn(counted, info, node) : null;
  return there === null ? null : (overview.nodes[there] ?? null);
}

/** Returns the opacity of the color of a node; nothing if no colors are shown. */
export function heatOf(page: Page, view: View, node: number): number | undefined {
  if (page.settings.heat === "off") return undefined;
  const counts = countsOf(page, node);
  if (page.settings.heat === "all" && !counts) return 0;
  const hot = counts ? counts.visits / Math.max(1, page.overview!.nodes[0].visits) : view.hot(node);
  return 0.75 * Math.sqrt(Math.min(1, hot));
}

/** Returns the numbers of a node. */
export function heatText(page: Page, view: View, node: number): string {
  if (page.settings.heat === "agent") return view.visits[node] ? `×${view.visits[node]}` : "";
  const counts = countsOf(page, node);
  if (!counts) return "";
  if (!counts.visits && !counts.halts) return "never visited";
  const { visits, halts, here } = counts;
  const parts = ([["success", "✓"], ["failure", "✗"], ["running", "▶"], ["error", "!"]] as const).filter(([name]) => counts[name]);
  const percent = parts.map(([name, sign]) => `${sign} ${share(counts[name] / visits)}`);
  return [`×${short(visits)}`, percent.join(" "), halts ? `${short(halts)} halted` : "", here ? `${here} here` : ""].filter(Boolean).join(" · ");
}

function share(part: number): string {
  const percent = part * 100;
  return `${percent >= 1 || percent === 0 ? Math.round(percent) : "<1"} %`;
}

/** Returns a number with at most three digits. */
export function short(number: number): string {
  return new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(number);
}
