// What is not applied or not saved yet, as a difference of texts.

import type { Editor } from "../../edit/editor";
import { diffLines } from "../../edit/difference";

/** What a screen reader says of a line. */
const SPOKEN: Record<string, string> = { added: "added: ", removed: "removed: " };

export function Difference({ editor }: { editor: Editor }) {
  const { model, document } = editor;
  if (!model || !editor.showsDifference) return null;
  const { difference, applied } = model.state;
  const title = document?.runs && !applied ? "not applied yet" : "not saved yet";
  return (
    <section id="difference" aria-label={title}>
      <div class="line">
        <h2>{title}</h2>
        <span class="push" />
        <button
          class="link"
          aria-label="close the difference"
          onClick={() => {
            editor.showsDifference = false;
            editor.page.changed();
          }}
        >
          ✕
        </button>
      </div>
      {difference ? (
        <pre tabIndex={0} role="region" aria-label="difference">
          {diffLines(difference).map(({ kind, text }, index) => (
            <div key={index} class={kind}>
              {SPOKEN[kind] && <span class="spoken">{SPOKEN[kind]}</span>}
              {text || " "}
            </div>
          ))}
        </pre>
      ) : (
        <p class="faint">Nothing differs.</p>
      )}
    </section>
  );
}
