// What is typed into a field of the form: it is checked while it is typed, sent when the field is left, and forgotten on Escape.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Editor } from "../../edit/editor";
import type { Operation, Problem } from "../../edit/protocol";
import { visible } from "../../model/text";

/** How long after the last letter a text is checked, in milliseconds. */
const PAUSE = 200;

export interface Draft {
  text: string;
  /** Why it is not valid; empty if it is. */
  message: string;
  isWarning: boolean;
  type: (text: string) => void;
  /** Sends what was typed, or this. */
  commit: (text?: string) => void;
  /** For fields of one line: Enter sends, Escape forgets. */
  onKeyDown: (event: KeyboardEvent) => void;
}

interface Options {
  editor: Editor;
  /** The text in the document. */
  value: string;
  /** The operation that writes a text. */
  operation: (text: string) => Operation;
  /** Why the text in the document is not valid. */
  problems?: readonly Pick<Problem, "message" | "warning">[];
  /** Which of the problems of a check are about the field. */
  isAbout?: (problem: Problem) => boolean;
  /** Returns why a text is not valid, where the page knows it. */
  check?: (text: string) => string | null;
}

export function useDraft({ editor, value, operation, problems = [], isAbout, check }: Options): Draft {
  const [draft, setDraft] = useState<string | null>(null);
  /** What was typed last; it may not have been drawn yet. */
  const typed = useRef<string | null>(null);
  const sent = useRef<string | null>(null);
  const tried = useRef<number | null>(null);
  const put = (text: string | null) => {
    typed.current = text;
    tried.current = null;
    setDraft(text);
  };
  const { model } = editor;
  useEffect(() => {
    if (sent.current === null) return;
    sent.current = null;
    put(null);
  }, [model]);
  useEffect(() => {
    if (draft === null || draft === value || !isAbout) return;
    const timer = setTimeout(() => (tried.current = editor.try(operation(draft))), PAUSE);
    return () => clearTimeout(timer);
  }, [draft]);
  const result = draft === null || tried.current === null ? undefined : editor.tried.get(tried.current);
  const here = result?.problems.filter(isAbout!) ?? [];
  const shown: readonly Pick<Problem, "message" | "warning">[] = draft === null || draft === value ? problems : result?.error ? [{ message: result.error, warning: false }] : here;
  const local = check?.(draft ?? value) ?? null;
  const found = local ? [{ message: local, warning: false }] : shown;
  const commit = (text = typed.current) => {
    if (text === null || text === sent.current) return;
    if (text === value) return put(null);
    // A mistake stays in the field, with its reason below it.
    if (result?.error && text === draft) return;
    typed.current = text;
    setDraft(text);
    if (editor.change(operation(text))) sent.current = text;
  };
  return {
    text: draft ?? value,
    message: found.map(({ message }) => visible(message).replace(/␊/g, "\n")).join("\n"),
    isWarning: found.length > 0 && found.every(({ warning }) => warning),
    type: (text) => {
      sent.current = null;
      put(text);
    },
    commit,
    onKeyDown: (event) => {
      if (event.key === "Enter" && !event.ctrlKey && !event.metaKey && (event.target as HTMLElement).localName !== "textarea") {
        event.preventDefault();
        commit();
      } else if (event.key === "Escape" && typed.current !== null) {
        event.preventDefault();
        event.stopPropagation();
        put(null);
      }
    },
  };
}
