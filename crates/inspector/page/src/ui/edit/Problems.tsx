// The problems of the whole document, each of which leads to its node.

import { useRef } from "preact/hooks";
import type { Editor } from "../../edit/editor";
import { visible } from "../../model/text";
import { WARNING } from "../../model/words";
import { useRoving } from "../roving";

/** The maximum number of problems that are listed. */
const MAX_PROBLEMS = 100;

export function Problems({ editor }: { editor: Editor }) {
  const root = useRef<HTMLUListElement>(null);
  const roving = useRoving(root);
  const problems = editor.model?.shown ?? [];
  if (!problems.length) return null;
  const sorted = [...problems].sort((a, b) => Number(a.warning) - Number(b.warning));
  return (
    <section id="problems" aria-label="problems of the document">
      <ul ref={root} {...roving}>
        {sorted.slice(0, MAX_PROBLEMS).map(({ node, message, warning }, index) => {
          const text = visible(message.split("\n")[0]);
          return (
            <li key={index} class={warning ? "warning" : "error"}>
              <span aria-hidden="true">{warning ? WARNING : "!"} </span>
              <span class="spoken">{warning ? "warning: " : "error: "}</span>
              {node === null || !editor.model!.of(node) ? (
                <span class="text">{text}</span>
              ) : (
                <button class="link" title="show the node" onClick={() => editor.show(node)}>
                  <b>{editor.title(node)}</b>: {text}
                </button>
              )}
            </li>
          );
        })}
        {sorted.length > MAX_PROBLEMS && <li class="faint">and {sorted.length - MAX_PROBLEMS} more</li>}
      </ul>
    </section>
  );
}
