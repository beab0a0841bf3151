// What the outline and the graph show of a node.

import type { Shape } from "../model/shape";
import type { View } from "../model/view";
import { visible } from "../model/text";
import { SPOKEN, title } from "../model/words";
import type { Page } from "../page";
import { heatText } from "./heat";

/** Returns the classes of a node: its last known status, whether it is from the shown tick, and whether the agent is stopped there. */
export function nodeClasses(page: Page, view: View, node: number): string[] {
  const seen = view.of(node);
  const isAt = page.isLive && page.stop?.at?.[0] === node;
  return [...(seen ? [seen.kind, seen.fresh ? "fresh" : "stale"] : ["never"]), ...(isAt ? ["at"] : [])];
}

/** Returns the number of visits, the reason of an error or failure, the state of a machine or a score, and whether it is the reason of an error. */
export function extraText(page: Page, shape: Shape, view: View, node: number): [string, boolean] {
  if (page.settings.heat !== "off") return [heatText(page, view, node), false];
  const reason = view.reason(node);
  if (reason !== null) return [visible(reason), view.of(node)?.kind !== "f"];
  const state = view.states.get(node);
  const child = state === undefined ? undefined : shape.states(node)[state];
  if (child !== undefined) return [`→ ${title(shape.nodes[child])}`, false];
  const score = view.score(node);
  return [score === null ? "" : `score ${visible(score)}`, false];
}

/** Returns what signs and colors say of a node, in words: its status, its breakpoint, and whether the agent is stopped there. */
export function spoken(page: Page, shape: Shape, view: View, node: number): string {
  const seen = view.of(node);
  const breakpoint = page.breakpointOf(shape.info.key, node);
  const parts = [
    seen ? SPOKEN[seen.kind] + (seen.fresh ? "" : " earlier") : "not visited",
    breakpoint ? (breakpoint.disabled ? "disabled breakpoint" : "breakpoint") : "",
    page.isLive && page.stop?.at?.[0] === node ? "the agent is stopped here" : "",
    ...warningTexts(shape, node),
  ];
  return parts.filter(Boolean).join(", ");
}

/** Returns the warnings of a node, as they are in a tooltip. */
export function warningTexts(shape: Shape, node: number): string[] {
  return shape.warnings(node).map((text) => `warning: ${visible(text)}`);
}

/** Returns the size of a node's own state: while it runs, and what it keeps across runs. Empty if it has none, or if that is not known. */
export function memoryText(shape: Shape, node: number): string {
  const [open, kept] = shape.info.bytes?.[node] ?? [0, 0];
  const bytes = (count: number) => `${count} byte${count === 1 ? "" : "s"}`;
  const parts = [open && `${bytes(open)} while it runs`, kept && `${bytes(kept)} kept`].filter(Boolean);
  return parts.length ? `memory: ${parts.join(", ")}` : "";
}
