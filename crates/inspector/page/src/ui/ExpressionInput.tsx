// A field for an expression over the shown values. It is checked with the present values of the selected agent while it is typed.

import { useEffect, useRef, useState } from "preact/hooks";
import { write } from "../model/protocol";
import { visible } from "../model/text";
import type { Page } from "../page";

interface Properties {
  page: Page;
  id: string;
  label: string;
  placeholder: string;
  value: string;
  /** Whether the expression has to be true or false. */
  isCondition: boolean;
  /** Whether the field is emptied when the expression is applied. */
  empties?: boolean;
  apply: (expression: string) => void;
  /** Called with what is typed, before it is applied. */
  typed?: (expression: string) => void;
}

export function ExpressionInput({ page, id, label, placeholder, value, isCondition, empties, apply, typed }: Properties) {
  const [text, setText] = useState(value);
  const isEntered = useRef(false);
  const expression = text.trim();
  useEffect(() => setText(value), [value]);
  const { selected } = page;
  useEffect(() => {
    // The present value is shown, too, so it is checked again and again while the field has the focus.
    if (!expression || !page.source.evaluates) return;
    page.check(expression, isCondition);
    const again = setInterval(() => document.activeElement?.id === id && page.check(expression, isCondition), 1000);
    return () => clearInterval(again);
  }, [expression, isCondition, selected]);
  const checked = expression ? page.checked.get(expression) : undefined;
  const done = () => {
    apply(expression);
    if (empties) setText("");
  };
  // Enter may come before the result of the check.
  useEffect(() => {
    if (!checked || !isEntered.current) return;
    isEntered.current = false;
    if (!checked.error) done();
  }, [checked]);
  const key = (event: KeyboardEvent) => {
    // What was typed may not have been drawn yet.
    const isTyped = (event.currentTarget as HTMLInputElement).value !== value;
    if (event.key === "Enter") {
      event.preventDefault();
      // A mistake stays in the field, with its reason below it.
      if (checked ? !checked.error : !expression) done();
      else isEntered.current = !checked;
    } else if (event.key === "Escape" && isTyped) {
      event.stopPropagation();
      setText(value);
    }
  };
  const isChanged = expression !== value && !empties;
  return (
    <span class="expression">
      <input type="text" id={id} aria-label={label} aria-invalid={checked?.error ? true : undefined} aria-describedby={`${id}-checked`} title="values, comparisons, && || ! and parentheses: parcel < 6 && board.hunger > 0.5. Enter: apply" placeholder={placeholder} autocomplete="off" spellcheck={false} value={text} onInput={(event) => {
          setText(event.currentTarget.value);
          isEntered.current = false;
          typed?.(event.currentTarget.value.trim());
        }} onKeyDown={key} onBlur={() => isChanged && !checked?.error && done()} />
      <span id={`${id}-checked`} role="status" class={checked?.error ? "error" : checked?.warning ? "warning" : "faint"}>
        {checked?.error ?? checked?.warning ?? (checked && checked.value !== undefined && checked.value !== null ? `now ${visible(write(checked.value)).slice(0, 40)}` : "")}
      </span>
    </span>
  );
}
