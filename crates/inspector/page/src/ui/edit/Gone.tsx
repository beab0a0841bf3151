// Why nothing can be edited: the program has ended, or was started again. What was not saved is still there to be copied.

import type { Editor } from "../../edit/editor";
import type { Gone as Why } from "../../edit/opened";

const WHY: Record<Why, string> = {
  lost: "The program has ended, or cannot be reached: nothing can be edited until it responds.",
  refused: "The program was restarted at another address: open the address that it prints.",
  restarted: "The program was restarted: earlier edits are lost.",
};

export function Gone({ editor }: { editor: Editor }) {
  const { gone, model } = editor;
  if (!gone) return null;
  const difference = editor.isUnsaved ? (model?.state.difference ?? "") : "";
  return (
    <div id="gone" class="line error">
      <span role="alert">
        {WHY[gone]} {difference && "What was not saved is shown below."}
      </span>
      {difference && (
        <button id="copy-difference" onClick={() => void editor.clipboard.write(difference)}>
          copy it
        </button>
      )}
      {gone === "restarted" && editor.page.connection === "connected" && (
        <button id="take-current" onClick={() => editor.takeCurrent()}>
          show what the program has now
        </button>
      )}
    </div>
  );
}
