// A conflict: the file was changed elsewhere meanwhile. The three versions are shown side by side, and the user chooses.

import { changedLines } from "../../edit/difference";
import type { Editor } from "../../edit/editor";
import type { Conflict as Versions } from "../../edit/protocol";
import { visible } from "../../model/text";

const VERSIONS: ["base" | "mine" | "theirs", string][] = [
  ["base", "before both"],
  ["mine", "in this editor"],
  ["theirs", "in the file"],
];

export function Conflict({ editor, conflict }: { editor: Editor; conflict: Versions }) {
  const base = conflict.base.split("\n");
  return (
    <section id="conflict" aria-label="conflict">
      <div class="line">
        <h2>
          <span role="alert">{`${visible(editor.document?.name ?? "the file")} was changed elsewhere: nothing is overwritten`}</span>
        </h2>
        <div class="choices">
          <button id="keep-mine" title="the file stays as it is until you save" onClick={() => editor.resolve("mine")}>
            keep what is in this editor
          </button>
          <button id="keep-theirs" onClick={() => editor.resolve("theirs")}>
            take what is in the file
          </button>
        </div>
      </div>
      {conflict.reasons.length > 0 && (
        <ul>
          {[...new Set(conflict.reasons)].map((reason) => (
            <li key={reason}>{visible(reason)}</li>
          ))}
        </ul>
      )}
      <div class="versions">
        {VERSIONS.map(([version, name]) => {
          const lines = conflict[version].split("\n");
          const changed = version === "base" ? new Set<number>() : changedLines(base, lines);
          return (
            <div key={version}>
              <h3>{name}</h3>
              <pre tabIndex={0} role="region" aria-label={name}>
                {lines.map((line, index) => (
                  <div key={index} class={changed.has(index) ? "added" : ""}>
                    {changed.has(index) && <span class="spoken">changed: </span>}
                    {line || " "}
                  </div>
                ))}
              </pre>
            </div>
          );
        })}
      </div>
    </section>
  );
}
