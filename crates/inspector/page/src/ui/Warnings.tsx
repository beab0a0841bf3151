// The warnings of a tree from a file: what in it can never happen, or does nothing.

import type { Shape } from "../model/shape";
import { visible } from "../model/text";
import { WARNING } from "../model/words";
import type { Page } from "../page";

/** The warnings of the active node. */
export function Warnings({ shape, node }: { shape: Shape; node: number }) {
  const texts = shape.warnings(node);
  if (!texts.length) return null;
  return (
    <section id="warnings" aria-label="warnings of the active node">
      {texts.map((text, index) => (
        <p key={index}>
          <span class="warning" aria-hidden="true">{`${WARNING} `}</span>
          <span class="spoken">warning: </span>
          {visible(text)}
        </p>
      ))}
    </section>
  );
}

/** The number of warnings of the tree, which leads from one to the next. */
export function WarningCount({ page, shape }: { page: Page; shape: Shape }) {
  const { warned } = shape;
  if (!warned.length) return null;
  const count = warned.reduce((count, node) => count + shape.warnings(node).length, 0);
  const title = `${count} warning${count === 1 ? "" : "s"} in this tree: show the next one`;
  const next = () => page.activate(warned.find((node) => node > page.active) ?? warned[0]);
  return (
    <button id="warning-count" class="warning" title={title} aria-label={title} onClick={next}>
      {WARNING} {count}
    </button>
  );
}
