// A dialog that asks in which other document a tree is created, and how it is named there.

import { useState } from "preact/hooks";
import type { Editor } from "../../edit/editor";
import { visible } from "../../model/text";
import { Dialog } from "./Dialog";

const TITLE = "create the tree in another document";

export function IntoDialog({ editor }: { editor: Editor }) {
  const { others, model, tree } = editor;
  const [name, setName] = useState(model?.tree(tree)?.name ?? "");
  const [key, setKey] = useState(String(others[0]?.key));
  const close = () => editor.openDialog(null);
  return (
    <Dialog id="into-dialog" label={TITLE} close={close}>
      <h2>{TITLE}</h2>
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          const document = others.find((one) => String(one.key) === key);
          if (!document || !name.trim()) return;
          editor.createIn(document, name.trim());
          editor.done();
        }}
      >
        <label>
          name <input type="text" id="into-name" data-first autocomplete="off" spellcheck={false} value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <label>
          in{" "}
          <select id="into-document" value={key} onChange={(event) => setKey(event.currentTarget.value)}>
            {others.map((one) => (
              <option key={one.key} value={String(one.key)}>
                {visible(editor.documentNames.get(one.key)!)}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" disabled={!name.trim()}>
          create
        </button>
        <button type="button" onClick={close}>
          cancel
        </button>
      </form>
    </Dialog>
  );
}
