// The shown tree as Rust source, or as JSON of the Behavior3 editor.

import type { Editor } from "../../edit/editor";
import type { Dialog as Opened } from "../../edit/opened";
import type { Language } from "../../edit/protocol";
import { Dialog } from "./Dialog";

const NAMES: [Language, string][] = [
  ["rust", "Rust source"],
  ["json", "JSON"],
];

export function SourceDialog({ editor, dialog }: { editor: Editor; dialog: Extract<Opened, { kind: "source" }> }) {
  const { source } = editor;
  const close = () => editor.openDialog(null);
  return (
    <Dialog id="source-dialog" label="the tree as text" close={close}>
      <div class="line">
        <h2>show as</h2>
        <div class="group" role="group" aria-label="language">
          {NAMES.map(([as, name]) => (
            <button key={as} data-first={dialog.as === as || undefined} class={dialog.as === as ? "on" : ""} aria-pressed={dialog.as === as} onClick={() => editor.openDialog({ kind: "source", as })}>
              {name}
            </button>
          ))}
        </div>
        <span class="push" />
        <button id="copy-source" disabled={!source?.text} onClick={() => source && void editor.clipboard.write(source.text).then(() => editor.say("the text is in the clipboard"))}>
          copy
        </button>
        <button aria-label="close" onClick={close}>
          ✕
        </button>
      </div>
      {source?.error && (
        <p class="error" role="alert">
          {source.error}
        </p>
      )}
      <pre tabIndex={0} role="region" aria-label="source">
        {source ? source.text : "…"}
      </pre>
    </Dialog>
  );
}
