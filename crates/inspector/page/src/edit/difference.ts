// Differences of texts: a unified one by lines, and which lines of two versions are not in the first.

export interface DiffLine {
  kind: "file" | "place" | "added" | "removed" | "same";
  text: string;
}

/** Returns the lines of a unified difference. */
export function diffLines(difference: string): DiffLine[] {
  const lines = difference.replace(/\n$/, "").split("\n");
  return lines.map((text): DiffLine => {
    if (/^(---|\+\+\+) /.test(text)) return { kind: "file", text };
    if (text.startsWith("@@")) return { kind: "place", text };
    return { kind: text.startsWith("+") ? "added" : text.startsWith("-") ? "removed" : "same", text };
  });
}

/** The number of pairs of lines that are compared at most. */
const MAX_PAIRS = 4_000_000;

/** Returns the indices of the lines of a text that a base does not have. */
export function changedLines(base: string[], text: string[]): Set<number> {
  let begin = 0;
  while (begin < base.length && begin < text.length && base[begin] === text[begin]) begin++;
  let end = 0;
  while (end < base.length - begin && end < text.length - begin && base.at(-1 - end) === text.at(-1 - end)) end++;
  const [a, b] = [base.slice(begin, base.length - end), text.slice(begin, text.length - end)];
  const changed = new Set(b.map((_, index) => begin + index));
  if (a.length * b.length > MAX_PAIRS) return changed;
  // The lengths of the longest common parts of what follows.
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) lengths[i * width + j] = a[i] === b[j] ? lengths[(i + 1) * width + j + 1] + 1 : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
  }
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      changed.delete(begin + j);
      i++;
      j++;
    } else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i++;
    else j++;
  }
  return changed;
}
