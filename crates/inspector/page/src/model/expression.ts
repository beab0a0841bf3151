// Expressions over values, as the server parses them in `src/expression`.

import type { Path } from "./protocol";

/** Returns the expression for the value at a path. Values without names are called `value`. */
export function expressionOf(path: Path): string {
  if (!path.length) return "value";
  const isName = (step: string | number) => typeof step === "string" && /^[\p{L}_][\p{L}\p{N}_]*$/u.test(step) && !["true", "false", "null"].includes(step);
  const step = (one: string | number, index: number) => (isName(one) ? (index ? `.${one}` : one) : `[${JSON.stringify(one)}]`);
  return path.map(step).join("");
}
