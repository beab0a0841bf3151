// The palette: words and leaves, searched and grouped.

import { treeName } from "./model";
import type { DocumentInfo, Entry, NodeView, TreeView } from "./protocol";
import { writeText } from "./values";

export type Purpose = "add" | "wrap" | "replace";

export interface Group {
  name: string;
  entries: Entry[];
}

/** The names of kinds as groups of words. */
const WORDS: Record<Entry["kind"], string> = {
  composite: "composites", decorator: "decorators", choice: "choices", machine: "state machines", state: "state machines", leaf: "leaves",
};

/** Returns the entries that can be chosen: around nodes only composites and decorators, and in place of a node one that takes its children. */
export function offered(entries: readonly Entry[], purpose: Purpose, nodes: readonly NodeView[]): Entry[] {
  const composite = ({ kind }: Entry) => kind === "composite" || kind === "choice";
  if (purpose === "wrap") return entries.filter((entry) => composite(entry) || (entry.kind === "decorator" && nodes.length < 2));
  if (purpose === "add") return [...entries];
  const children = nodes[0]?.lists.reduce((count, list) => count + list.children.length, 0) ?? 0;
  if (children > 1) return entries.filter((entry) => composite(entry) || entry.kind === "machine");
  return entries.filter((entry) => (children ? entry.kind !== "leaf" : true));
}

/** Returns entries that use trees of a document in others. */
export function treeEntries(trees: readonly TreeView[], notation: DocumentInfo["notation"]): Entry[] {
  const named = trees.filter(({ name }) => name !== "");
  const uses: Record<DocumentInfo["notation"], (name: string) => string> = {
    rust: (name) => `${name}()`,
    text: (name) => (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : JSON.stringify(name)),
    json: (name) => uses.text(name),
    xml: (name) => `SubTree(ID = ${writeText(name)})`,
  };
  return named.map((tree) => {
    const insert = uses[notation](tree.name);
    const doc = `The tree ${treeName(tree)} of this file.`;
    return { name: treeName(tree), kind: "leaf", is_condition: false, group: "trees of this file", doc, insert, params: [] };
  });
}

/** Returns a name as it is compared: notations write `mem_sequence` or `MemSequence`. */
const plain = (name: string) => name.toLowerCase().replace(/[_\s-]+/g, "");

/** Returns how well an entry matches a text: the smaller the better; null if it does not. */
function rank({ name, doc, group }: Entry, search: string): number | null {
  const [whole, of] = [plain(name), plain(search)];
  if (name.toLowerCase() === search) return -1;
  if (!of) return null;
  if (!of) return null;
  // `inverter` means `invert`.
  if (whole === of || of.replace(/(er|r|s)$/, "") === whole) return 0;
  if (whole.startsWith(of)) return 1;
  if (name.split(/[_:]+|(?<=[a-z0-9])(?=[A-Z])/).some((part) => part.toLowerCase().startsWith(of))) return 2;
  if (whole.includes(of)) return 3;
  if (group.toLowerCase().includes(search)) return 4;
  return doc.toLowerCase().includes(search) ? 5 : null;
}

/** Returns the entries that match a text, best first. */
export function searched(entries: readonly Entry[], text: string): Entry[] {
  const search = text.trim().toLowerCase().replace(/\(.*$/s, "");
  if (!search) return [...entries];
  const ranked = entries.flatMap((entry): [number, Entry][] => {
    const found = rank(entry, search);
    return found === null ? [] : [[found, entry]];
  });
  return ranked.sort(([a], [b]) => a - b).map(([, entry]) => entry);
}

/** Groups entries: words by kind, leaves by module. The order of the first entries of the groups is kept. */
export function grouped(entries: readonly Entry[]): Group[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const name = entry.group === "words" ? WORDS[entry.kind] : entry.group || "leaves";
    groups.set(name, [...(groups.get(name) ?? []), entry]);
  }
  return [...groups].map(([name, entries]) => ({ name, entries }));
}

/** Returns the head that an entry inserts, without children. */
export function headOf({ insert }: Pick<Entry, "insert">): string {
  return insert.replace(/\s*\{[^{}]*\}\s*$/, "").trim() || insert;
}

/** Returns the parameters of an entry, as a signature. */
export function signature({ params }: Entry): string {
  const each = params.map(({ name, type, unit, required }) => `${name}${required ? "" : "?"}: ${unit ? `${type} in ${unit}` : type}`);
  return each.length ? `(${each.join(", ")})` : "";
}
