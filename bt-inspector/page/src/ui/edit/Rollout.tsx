// Which machines have the shown version of the document, and how it gets to them.

import { useState } from "preact/hooks";
import type { Editor } from "../../edit/editor";
import type { VersionState } from "../../edit/protocol";
import { visible } from "../../model/text";

/** What is written beside the name of a machine; nothing for one that needs no attention. */
const TEXTS: Partial<Record<VersionState, string>> = { error: "cannot run it", refused: "refused it", other: "has another version, which was edited there" };

/** Returns a number of machines. */
const count = (number: number) => `${number} machine${number === 1 ? "" : "s"}`;

export function Rollout({ editor }: { editor: Editor }) {
  const { rollout, document, model, page } = editor;
  const [others, setOthers] = useState(false);
  const [save, setSave] = useState(false);
  if (!rollout || !document || !model || rollout.document !== document.key || rollout.machines.length < 2) return null;
  const { machines, stage } = rollout;
  const number = (state: VersionState) => machines.filter((one) => one.state === state).length;
  const [same, waiting, other] = [number("same") + number("error"), number("waiting"), number("other")];
  const isComplete = same === machines.length;
  const hasErrors = model.shown.some(({ warning }) => !warning);
  const why = document.edit ? (hasErrors ? "the tree has errors" : isComplete ? "all machines have this version" : null) : "the document cannot be edited here";
  const step = (step: "tenth" | "all" | "back" | "end") => editor.rollOut(step, others, save);
  const sent = stage?.step === "back" ? "sent back" : stage?.step === "tenth" ? "sent to 10 %" : stage ? "sent to all" : null;
  const notes = machines.filter(({ state }) => TEXTS[state]);
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
        {stage && (
          <div class="group">
            <button id="roll-back" disabled={!document.edit || !stage.ready} title={stage.ready ? "all machines get the version from before" : "the version from before is being read"} onClick={() => step("back")}>
              roll back
            </button>
            <button id="end-rollout" disabled={!document.edit} title="machines that come later keep what they have" onClick={() => step("end")}>
              end
            </button>
          </div>
        )}
        {other > 0 && (
          <label title="what was edited at these machines is replaced, too">
            <input type="checkbox" id="replace-others" checked={others} onChange={(event) => setOthers(event.currentTarget.checked)} /> {`replace ${other} edited elsewhere`}
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
        <ul class="general" tabIndex={0} aria-label="machines without this version">
          {notes.map(({ machine, state, error }) => (
            <li key={machine} class={state === "other" ? "faint" : "error"}>
              {`${visible(page.machineNames.get(machine) ?? String(machine))} ${TEXTS[state]}${error ? `: ${visible(error)}` : ""}`}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
