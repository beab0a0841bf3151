// The values of arguments: as they are written, and as a form shows them.

import type { Model } from "./model";
import type { Entry, NodeView, Param } from "./protocol";

/** A duration: a number with its unit, and how it is written. */
export interface Time {
  amount: string;
  unit: "s" | "ms";
  form: "call" | "suffix" | "text" | "bare";
}

const NUMBER = String.raw`\d[\d_]*(?:\.\d*)?`;

/** Reads `secs(2)`, `2s`, `"2s"` or, where the unit is known, `2`. Returns null for anything else. */
export function readTime(text: string, bare: string | null): Time | null {
  const call = new RegExp(`^(secs|millis)\\((${NUMBER})\\)$`).exec(text);
  if (call) return { amount: call[2], unit: call[1] === "secs" ? "s" : "ms", form: "call" };
  const suffix = new RegExp(`^("?)(${NUMBER})(ms|s)\\1$`).exec(text);
  if (suffix) return { amount: suffix[2], unit: suffix[3] as "s" | "ms", form: suffix[1] ? "text" : "suffix" };
  if ((bare === "s" || bare === "ms") && new RegExp(`^${NUMBER}$`).test(text)) return { amount: text, unit: bare, form: "bare" };
  return null;
}

/** Writes a duration in the form in which it was written; `bare` is the unit of a number alone. */
export function writeTime({ amount, unit, form }: Time, bare: string | null): string {
  const number = amount.trim();
  // In Rust, milliseconds are integers; one and a half are 1500 microseconds, which the checker reports.
  if (form === "bare" && unit === bare) return number;
  if (form === "text") return `"${number}${unit}"`;
  if (form === "suffix") return number + unit;
  return `${unit === "s" ? "secs" : "millis"}(${number})`;
}

/** Returns the content of a text literal without escapes other than of quotes, or null. */
export function readText(text: string): string | null {
  const content = /^"((?:[^"\\]|\\["\\])*)"$/s.exec(text)?.[1];
  return content === undefined ? null : content.replace(/\\(["\\])/g, "$1");
}

export function writeText(content: string): string {
  return `"${content.replace(/["\\]/g, "\\$&")}"`;
}

/** Returns the number that a text is, or null. */
export function readNumber(text: string): number | null {
  const digits = text.trim().replace(/(?<=\d)_(?=\d)/g, "");
  return /^-?\d+(\.\d*)?$/.test(digits) ? Number(digits) : null;
}

/** Returns why a number is not within the bounds of a parameter, or null. */
export function outOfBounds(text: string, { min, max }: Pick<Param, "min" | "max">): string | null {
  const number = readNumber(text);
  if (number === null || ((min === null || number >= min) && (max === null || number <= max))) return null;
  if (min !== null && max !== null) return `a number from ${min} to ${max} is expected`;
  return min !== null ? `a number of at least ${min} is expected` : `a number of at most ${max} is expected`;
}

/** A row of the form: an argument of a node, which may be missing, with its parameter. */
export interface Field {
  param: Param;
  /** As it is written; empty if it is not. */
  text: string;
  index: number;
}

/** Returns the entry of the palette that describes a node: the one of its name that has enough parameters. */
export function entryOf(entries: readonly Entry[], node: NodeView): Entry | null {
  const named = entries.filter(({ name }) => name === node.name);
  const count = node.arguments.filter(({ text }) => text !== "").length;
  return named.find(({ params }) => params.length >= count && params.filter(({ required }) => required).length <= count) ?? named[0] ?? null;
}

/** Returns the fields of a node. */
export function fieldsOf(entry: Entry | null, node: NodeView): Field[] {
  const fields = node.arguments.map(({ name, text, type, unit }, index) => {
    const param = entry?.params.find((param) => param.name === name);
    const unknown: Param = { name: name ?? `argument ${index + 1}`, type, unit, default: null, required: text !== "", min: null, max: null, choices: [], doc: "" };
    return { param: param ? { ...param, type, unit: unit ?? param.unit } : unknown, text, index };
  });
  // The order of the parameters: a field stays where it is when its argument is removed or given.
  const place = ({ param, index }: Field) => {
    const found = entry?.params.findIndex(({ name }) => name === param.name) ?? -1;
    return found < 0 ? fields.length + index : found;
  };
  return fields.sort((one, other) => place(one) - place(other));
}

/** Returns the variables that a document names, as they are written. */
export function variablesOf(model: Model): string[] {
  const found = new Set<string>();
  for (const tree of model.state.trees) {
    for (const id of model.nodes(tree.id)) {
      const { arguments: list, head } = model.of(id)!.node;
      for (const { type, text } of list) if (type === "variable" && text) found.add(text);
      for (const [variable] of head.matchAll(/\bvar\([^()]*\)/g)) found.add(variable);
    }
  }
  return [...found].sort();
}

/** Returns the name of what is written before a child of a node: `3 => child`. */
export function annotationName(parent: NodeView | null): string {
  if (parent?.kind === "choice" || /match/.test(parent?.name ?? "")) return "pattern";
  if (/utility/.test(parent?.name ?? "")) return "score";
  return /random/.test(parent?.name ?? "") ? "weight" : "weight, score or pattern";
}

/** Whether the children of a node have something before them: `3 => child`. */
export function annotates(parent: NodeView | null): boolean {
  if (!parent) return false;
  return /match|utility|random/.test(parent.name) || parent.lists.some(({ children }) => children.some(({ before }) => before !== ""));
}
