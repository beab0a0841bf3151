// Values that a program shows.

import type { Path } from "./protocol";

/** Returns the part of a value at a path. */
export function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => (inner !== null && typeof inner === "object" ? (inner as Record<string | number, unknown>)[step] : undefined), value);
}
