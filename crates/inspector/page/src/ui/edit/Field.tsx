// A field of the form: an argument of a node, typed by its parameter.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Editor } from "../../edit/editor";
import type { NodeView, Operation } from "../../edit/protocol";
import { type Field as Row, type Time, outOfBounds, readNumber, readText, readTime, writeText, writeTime } from "../../edit/values";
import { visible } from "../../model/text";
import { type Draft, useDraft } from "./draft";

/** From this length on, a text has several lines. */
const LONG = 48;

interface FrameProperties {
  id: string;
  label: string;
  /** What is behind the label: whether it is optional, and its bounds. */
  hint?: string;
  doc?: string;
  draft: Draft;
  children: ComponentChildren;
}

/** The label of a field, the field, and what is wrong with it. */
export function Frame({ id, label, hint, doc, draft, children }: FrameProperties) {
  return (
    <div class="field" title={doc || undefined}>
      <label for={id}>
        {visible(label)}
        {hint && <span class="faint">, {hint}</span>}
      </label>
      <div class="line">{children}</div>
      <div id={`${id}-message`} class={draft.isWarning ? "warning" : "error"} role="status">
        {draft.message}
      </div>
    </div>
  );
}

/** What all controls of a field have: its id, and whether it is valid. */
export function described(id: string, draft: Draft) {
  return { id, "aria-describedby": `${id}-message`, "aria-invalid": draft.message !== "" && !draft.isWarning ? true : undefined };
}

interface Properties {
  editor: Editor;
  node: NodeView;
  row: Row;
  /** The id of the list of variables that complete what is typed, if there are any. */
  variables: string | undefined;
}

export function Field({ editor, node, row, variables }: Properties) {
  const { param, text: value, index } = row;
  const id = `argument-${index}`;
  const operation = (text: string): Operation => ({ op: "argument", node: node.id, index, name: node.arguments[index].name, value: text.trim() || null });
  const problems = editor.model!.problemsOf(node.id).filter((problem) => problem.argument === index);
  const isOld = (message: string) => editor.model!.problemsOf(node.id).some((problem) => problem.argument === null && problem.message === message);
  const draft = useDraft({
    editor,
    value,
    operation,
    problems,
    isAbout: (problem) => problem.node === node.id && (problem.argument === index || (problem.argument === null && !isOld(problem.message))),
    check: (text) => outOfBounds(text, param),
  });
  const hint = [param.required || value ? "" : "optional", param.min !== null && param.max !== null ? `${param.min} to ${param.max}` : param.min !== null ? `at least ${param.min}` : param.max !== null ? `at most ${param.max}` : ""].filter(Boolean).join(", ");
  return (
    <Frame id={id} label={param.name} hint={hint} doc={param.doc} draft={draft}>
      <Control id={id} row={row} draft={draft} variables={variables} />
    </Frame>
  );
}

interface ControlProperties {
  id: string;
  row: Row;
  draft: Draft;
  variables: string | undefined;
}

function Control(properties: ControlProperties) {
  const { id, row, draft } = properties;
  const { type, choices, required } = row.param;
  const { text } = draft;
  const standard = row.param.default ?? "";
  if (type === "boolean" && /^(true|false|)$/.test(text)) {
    return <input type="checkbox" {...described(id, draft)} checked={(text || standard) === "true"} onChange={(event) => draft.commit(String(event.currentTarget.checked))} />;
  }
  if (type === "choice" && choices.length > 0) {
    const all = text === "" || choices.includes(text) ? choices : [text, ...choices];
    return (
      <select {...described(id, draft)} value={text} onChange={(event) => draft.commit(event.currentTarget.value)}>
        {(!required || text === "") && <option value="">{standard ? `${standard} (default)` : "–"}</option>}
        {all.map((choice) => (
          <option key={choice} value={choice}>
            {visible(choice)}
          </option>
        ))}
      </select>
    );
  }
  if (type === "time") return <TimeControl {...properties} />;
  if (type === "text") return <TextControl {...properties} />;
  return <Written {...properties} />;
}

/** A text as it is written: a number with its unit, an expression, a list, or a variable. */
function Written({ id, row, draft, variables }: ControlProperties) {
  const { type, unit, min, max, choices } = row.param;
  const { text } = draft;
  const isNumber = type === "integer" || type === "number" || type === "probability";
  const placeholder = row.param.default ?? "";
  const step = (by: number) => {
    const number = readNumber(text || placeholder);
    if (number === null) return false;
    const size = type === "integer" ? 1 : type === "probability" ? 0.05 : Number.isInteger(number) ? 1 : 0.1;
    const next = Math.min(max ?? (type === "probability" ? 1 : Infinity), Math.max(min ?? (type === "probability" ? 0 : -Infinity), number + by * size));
    const digits = Math.max(...[text, String(size)].map((one) => one.split(".")[1]?.length ?? 0));
    draft.type(next.toFixed(digits));
    return true;
  };
  const keys = (event: KeyboardEvent) => {
    const by = isNumber && !event.altKey && !event.shiftKey ? { ArrowUp: 1, ArrowDown: -1 }[event.key] : undefined;
    if (by !== undefined && step(by)) event.preventDefault();
    else draft.onKeyDown(event);
  };
  if (!isNumber && (text.length > LONG || text.includes("\n"))) {
    return <textarea {...described(id, draft)} class="code" rows={Math.min(8, 1 + Math.ceil(text.length / LONG))} spellcheck={false} value={text} onInput={(event) => draft.type(event.currentTarget.value)} onBlur={() => draft.commit()} onKeyDown={draft.onKeyDown} />;
  }
  return (
    <>
      <input type="text" {...described(id, draft)} class={isNumber ? "code number" : "code"} inputMode={isNumber && !choices.length ? "decimal" : undefined} list={choices.length ? `${id}-choices` : variables} autocomplete="off" spellcheck={false} placeholder={placeholder} value={text} onInput={(event) => draft.type(event.currentTarget.value)} onBlur={() => draft.commit()} onKeyDown={keys} />
      {choices.length > 0 && (
        <datalist id={`${id}-choices`}>
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
      {unit && type !== "time" && <span class="unit">{visible(unit)}</span>}
    </>
  );
}

/** A time: a number and its unit, or a text that is something else. */
function TimeControl(properties: ControlProperties) {
  const { id, row, draft } = properties;
  const { unit: bare } = row.param;
  const [isText, setText] = useState(false);
  const standard = readTime(row.param.default ?? "", bare);
  const known: Time | null = readTime(draft.text, bare) ?? (draft.text === "" && standard ? { ...standard, amount: "" } : null);
  // A number that is not finished yet.
  const partial = /^(secs|millis)\(([^()]*)\)$/.exec(draft.text);
  const time: Time | null = known ?? (partial ? { amount: partial[2], unit: partial[1] === "secs" ? "s" : "ms", form: "call" } : null);
  const unit = isText || !time ? "text" : time.unit;
  const put = (amount: string) => draft.type(amount.trim() === "" ? "" : writeTime({ ...time!, amount }, bare));
  const step = (event: KeyboardEvent) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const number = readNumber(time?.amount || standard?.amount || "");
    if (by === undefined || number === null || unit === "text" || event.altKey) return draft.onKeyDown(event);
    event.preventDefault();
    const size = time!.unit === "ms" ? 100 : Number.isInteger(number) ? 1 : 0.1;
    put(String(Math.max(0, Number((number + by * size).toFixed(3)))));
  };
  const choose = (to: string) => {
    setText(to === "text");
    if (to === "text" || !time) return to === "text" ? undefined : draft.commit(writeTime({ amount: "1", unit: to as Time["unit"], form: standard?.form ?? "call" }, bare));
    const number = readNumber(time.amount);
    if (number === null || to === time.unit) return;
    // The duration stays the same.
    const amount = String(Number((to === "ms" ? number * 1000 : number / 1000).toFixed(6)));
    const form = time.form === "bare" ? "call" : time.form;
    draft.commit(to === bare && time.form === "bare" ? amount : writeTime({ amount, unit: to as Time["unit"], form }, bare));
  };
  return (
    <>
      {unit === "text" ? (
        <Written {...properties} />
      ) : (
        <input type="text" {...described(id, draft)} class="code number" inputMode="decimal" autocomplete="off" placeholder={standard?.amount ?? ""} value={time!.amount} onInput={(event) => put(event.currentTarget.value)} onBlur={() => draft.commit()} onKeyDown={step} />
      )}
      <select aria-label={`unit of ${row.param.name}`} value={unit} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="s">seconds</option>
        <option value="ms">milliseconds</option>
        <option value="text">as written</option>
      </select>
    </>
  );
}

/** A text: its content or, if it is something else, as it is written. */
function TextControl(properties: ControlProperties) {
  const { id, row, draft, variables } = properties;
  const [isWritten, setWritten] = useState(false);
  const content = (text: string) => (text === "" ? "" : readText(text));
  // What is typed does not change how it is typed.
  const isContent = content(row.text) !== null && !isWritten;
  const shown = isContent ? (content(draft.text) ?? draft.text) : draft.text;
  const isLong = !isContent && (shown.length > LONG || shown.includes("\n"));
  return (
    <>
      {isLong ? (
        <Written {...properties} />
      ) : (
        // One element in both forms, so that it keeps the focus.
        <input type="text" {...described(id, draft)} class={isContent ? "" : "code"} list={isContent ? undefined : variables} autocomplete="off" spellcheck={isContent} placeholder={readText(row.param.default ?? "") ?? ""} value={shown} onInput={(event) => draft.type(isContent ? writeText(event.currentTarget.value) : event.currentTarget.value)} onBlur={() => draft.commit()} onKeyDown={draft.onKeyDown} />
      )}
      <select
        aria-label={`form of ${row.param.name}`}
        value={isContent ? "text" : "written"}
        onChange={(event) => {
          setWritten(event.currentTarget.value === "written");
          if (event.currentTarget.value === "text" && content(draft.text) === null) draft.commit(writeText(draft.text));
        }}
      >
        <option value="text">text</option>
        <option value="written">as written</option>
      </select>
    </>
  );
}
