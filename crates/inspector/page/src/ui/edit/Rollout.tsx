// Which machines have the shown version of the document, and how it gets to them.

import { useState } from "preact/hooks";
import type { Editor } from "../../edit/editor";
import type { VersionState } from "../../edit/protocol";
import { visible } from "../../model/text";

/** What is written beside the name of a machine; nothing for one that needs no attention. */
const TEXTS: Record<VersionState, string | null> = {
  same: null,
  waiting: null,
  before: null,
  unapplied: "does not run it",
  unsaved: "has not saved it",
  refused: "refused it",
  edited: "has another version, which was edited there",
  other: "has another version",
};
const ERRORS: readonly VersionState[] = ["unapplied", "unsaved", "refused"];
const HAVE_IT: readonly VersionState[] = ["same", "unapplied", "unsaved"];

/** Returns a number of machines. */
const count = (number: number) => `${number} machine${number === 1 ? "" : "s"}`;

export function Rollout({ editor }: { editor: Editor }) {
  const { rollout, document, model, page } = editor;
  const [others, setOthers] = useState(false);
  const [save, setSave] = useState(false);
  if (!rollout || !document || !model || rollout.document !== document.key || rollout.machines.length < 2) return null;
  const { machines, stage } = rollout;
  const number = (...states: VersionState[]) => machines.filter(({ state }) => states.includes(state)).length;
  const [same, waiting, other] = [number(...HAVE_IT), number("waiting"), number("edited", "other")];
  const isComplete = same === machines.length;
  const hasErrors = model.shown.some(({ warning }) => !warning);
  const why = document.edit ? (hasErrors ? "the tree has errors" : isComplete && !save ? "all machines have this version" : null) : "the document cannot be edited here";
  const step = (step: "tenth" | "all" | "back" | "end") => editor.rollOut(step, others, save);
  const sent = stage && { back: "sent back", tenth: "sent to 10 %", all: "sent to all", end: null }[stage.step];
  // Who was to have it, and was changed since.
  const textOf = (state: VersionState) => (state === "before" && (stage?.step === "all" || stage?.step === "back") ? "has an earlier version" : TEXTS[state]);
  const notes = machines.filter(({ state }) => textOf(state));
  return (
    <section id="rollout" aria-label="versions at the machines">
      <div class="line">
        <span id="rollout-state" role="status">
          {isComplete ? `all ${count(machines.length)} have this version` : `${same} of ${count(machines.length)} ${same === 1 ? "has" : "have"} this version`}
          {waiting > 0 && `, ${waiting} awaited`}
          {sent && (
            <span class="faint" title={stage?.step === "tenth" ? undefined : "a machine that comes later gets it, too, until you end this"}>
              {` (${sent})`}
            </span>
          )}
        </span>
        <div class="group">
          <button id="send-tenth" disabled={why !== null} title={why ?? "send this version to 10 % of the machines"} onClick={() => step("tenth")}>
            send to 10 %
          </button>
          <button id="send-all" disabled={why !== null} title={why ?? "send this version to all machines, also to those that come later"} onClick={() => step("all")}>
            send to all
          </button>
        </div>
        {stage && stage.step !== "end" && (
          <div class="group">
            <button id="roll-back" disabled={!document.edit || !stage.ready} title={stage.ready ? "all machines get the version from before" : "there is no version to go back to"} onClick={() => step("back")}>
              roll back
            </button>
            <button id="end-rollout" disabled={!document.edit} title="machines that come later keep what they have" onClick={() => step("end")}>
              end
            </button>
          </div>
        )}
        {other > 0 && (
          <label title="other versions, also those that were edited at their machines, are replaced, too">
            <input type="checkbox" id="replace-others" checked={others} onChange={(event) => setOthers(event.currentTarget.checked)} /> {`replace ${other} other${other === 1 ? "" : "s"}`}
          </label>
        )}
        {document.write && (
          <label title="each machine writes its file, so that it still has the version after a restart">
            <input type="checkbox" id="save-there" checked={save} onChange={(event) => setSave(event.currentTarget.checked)} /> save files
          </label>
        )}
      </div>
      {stage?.error && <p class="error">{visible(stage.error)}</p>}
      {notes.length > 0 && (
        <ul class="general" tabIndex={0} aria-label="machines that need attention">
          {notes.map(({ machine, state, error }) => (
            <li key={machine} class={ERRORS.includes(state) ? "error" : "faint"}>
              {`${visible(page.machineNames.get(machine) ?? String(machine))} ${textOf(state)}${error ? `: ${visible(error)}` : ""}`}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
