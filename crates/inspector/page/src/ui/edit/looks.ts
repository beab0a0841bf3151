// What the edited outline and the edited graph show of a node.

import type { Editor } from "../../edit/editor";
import { type Placed, headParts } from "../../edit/model";
import { visible } from "../../model/text";
import type { View } from "../../model/view";
import { SIGNS, SPOKEN } from "../../model/words";
import { nodeClasses } from "../nodeText";

/** The classes of kinds, as in the outline. */
const KINDS: Record<string, string> = { composite: "k-Composite", choice: "k-Composite", machine: "k-Machine", decorator: "k-Decorator", state: "k-Machine" };

export interface Looks {
  classes: string[];
  sign: string;
  name: string;
  params: string;
  problems: string[];
  isError: boolean;
  /** What signs, colors and lines say, in words. */
  spoken: string;
}

/** Returns the node of the shown tree for a node of the document: of several, one that runs or was visited in this tick. */
export function instanceOf(editor: Editor, view: View | null, node: number): number | undefined {
  const all = editor.runningNodes.get(node) ?? [];
  if (!view) return all[0];
  return all.find((one) => view.isRunning(one)) ?? all.find((one) => view.of(one)?.fresh) ?? all.find((one) => view.of(one)) ?? all[0];
}

export function looksOf(editor: Editor, view: View | null, { node, parent, index }: Placed): Looks {
  const running = instanceOf(editor, view, node.id);
  const seen = view && running !== undefined ? view.of(running) : null;
  const found = editor.model!.problemsOf(node.id);
  const isError = found.some(({ warning }) => !warning);
  const problems = found.map(({ message, warning }) => `${warning ? "warning" : "error"}: ${visible(message)}`);
  const { selection } = editor;
  const isActive = selection.active?.node === node.id && selection.active.list === null;
  const classes = [
    KINDS[node.kind] ?? "",
    ...(view && running !== undefined ? nodeClasses(editor.page, view, running) : []),
    selection.nodes.has(node.id) ? "selected" : "",
    isActive ? "active" : "",
    node.disabled ? "disabled" : "",
    isError ? "invalid" : "",
    !parent && index > 0 ? "loose" : "",
  ];
  const status = !view || running === undefined ? "" : seen ? SPOKEN[seen.kind] + (seen.fresh ? "" : " earlier") : "not visited";
  const [name, params] = headParts(node);
  return {
    classes: classes.filter(Boolean),
    sign: seen ? SIGNS[seen.kind] : "",
    name: visible(name),
    params: visible(params),
    problems,
    isError,
    spoken: [status, node.disabled ? "disabled" : "", !parent && index > 0 ? "not connected to the root" : "", ...problems].filter(Boolean).join(", "),
  };
}
