// Why the active node is running, has ended, or was not visited: a sentence whose parts lead to the nodes and ticks that they are about.

import { useMemo } from "preact/hooks";
import type { Shape } from "../model/shape";
import { visible } from "../model/text";
import { why } from "../model/why";
import type { Page } from "../page";

export function Why({ page, shape }: { page: Page; shape: Shape }) {
  const { history, index, active, unfinished } = page;
  const parts = useMemo(() => (history?.ticks.length ? why(page.ticksIn(history, shape.info), shape, index, active) : []), [history, shape, index, active, history?.end]);
  if (!history || !parts.length) return null;
  const go = (node: number, tick: number) => {
    page.goTo(history.indexOf(tick));
    // The tree may have been another one in that tick.
    page.activate(page.nearestNode(shape.info.key, node));
  };
  return (
    <p id="why" aria-label="why">
      <strong>why? </strong>
      {unfinished && <span class="faint">{`In tick ${history.at(index)?.tick}: `}</span>}
      {parts.map(({ text, link }, at) =>
        link ? (
          <button key={at} class="link" title={`show tick ${link.tick}`} onClick={() => go(link.node, link.tick)}>
            {visible(text)}
          </button>
        ) : (
          <span key={at}>{visible(text)}</span>
        ),
      )}
    </p>
  );
}
