// The nodes of a document in the tree that runs.

import type { TreeInfo } from "../model/protocol";
import type { Model } from "./model";
import type { DocumentInfo, DocumentKey } from "./protocol";

/** Where the nodes of a document are in the text that runs, by their ids: they keep these while the text is changed. */
export interface Anchor {
  name: string;
  /** The line and the column. */
  place: string | null;
  /** The id in a file of the Behavior3 editor. */
  file: string | null;
}

/** Returns the anchors of a document whose text runs. */
export function anchorsOf(model: Model): Map<number, Anchor> {
  const anchors = new Map<number, Anchor>();
  for (const tree of model.state.trees) {
    for (const id of model.nodes(tree.id)) {
      const { name, place, fileid } = model.of(id)!.node;
      anchors.set(id, { name, place, file: fileid ?? null });
    }
  }
  return anchors;
}

/** Whether the compiler means a document by the path of a file, which is relative to a folder above it. */
export function isFileOf({ path, name }: DocumentInfo, file: string): boolean {
  const parts = (text: string) => text.split(/[\\/]/).reverse();
  const [of, its] = [parts(path ?? name), parts(file)];
  return its.every((part, index) => index >= of.length || part === of[index]);
}

/** Returns the file of a location, and the line and the column in it. */
function placeIn(location: string | null): { file: string | null; place: string } | null {
  const [, file, place] = /^(?:(.*):)?(\d+:\d+)$/.exec(location ?? "") ?? [];
  return place ? { file: file ?? null, place } : null;
}

/** Returns the document of a machine that a tree begins in. */
export function documentOf(documents: readonly DocumentInfo[], info: TreeInfo, machine: number | undefined): DocumentInfo | null {
  const own = documents.filter((one) => one.machine === machine && one.trees.includes(info.first));
  const file = placeIn(info.nodes[0]?.location ?? null)?.file;
  return own.find(({ tree }) => tree === info.first) ?? own.find((one) => file != null && isFileOf(one, file)) ?? own[0] ?? null;
}

/** Returns the nodes of a running tree by the nodes of the document that they are written as: several of a subtree that is used more than once. */
export function runningNodes(anchors: ReadonlyMap<number, Anchor>, document: DocumentInfo, info: TreeInfo): Map<number, number[]> {
  const byPlace = new Map<string, number[]>();
  const byFile = new Map<string, number[]>();
  const add = (map: Map<string, number[]>, key: string, node: number) => map.get(key)?.push(node) ?? map.set(key, [node]);
  for (const { id, location, file } of info.nodes) {
    const at = placeIn(location);
    // A subtree may be written in another file.
    if (at && (at.file === null || isFileOf(document, at.file))) add(byPlace, at.place, id);
    if (file) add(byFile, file.id, id);
    if (file?.place) add(byPlace, file.place.join(":"), id);
  }
  const found = new Map<number, number[]>();
  for (const [id, { name, place, file }] of anchors) {
    // The tree may be older than the text by a tick.
    const inFile = (file === null ? [] : (byFile.get(file) ?? [])).filter((node) => info.nodes[node].file!.name === name);
    const nodes = inFile.length ? inFile : place === null ? [] : (byPlace.get(place) ?? []);
    if (nodes.length) found.set(id, nodes);
  }
  return found;
}

/** Returns names of documents: each with its machine if a hub shows several, and with as many folders as distinguish it from the others. */
export function documentNames(documents: readonly DocumentInfo[], machines: ReadonlyMap<number, string>): Map<DocumentKey, string> {
  const of = [...new Set(documents.map(({ machine }) => machine))];
  const named = of.flatMap((machine) => {
    const names = [...namesWithin(documents.filter((one) => one.machine === machine))];
    const before = machine === undefined ? "" : `${machines.get(machine) ?? machine} / `;
    return names.map(([key, name]): [DocumentKey, string] => [key, before + name]);
  });
  return new Map(named);
}

function namesWithin(documents: readonly DocumentInfo[]): Map<DocumentKey, string> {
  const parts = new Map(documents.map(({ key, path, name }) => [key, (path ?? name).split(/[\\/]/)]));
  const end = (key: DocumentKey, count: number) => parts.get(key)!.slice(-count).join("/");
  const nameOf = ({ key, name }: DocumentInfo) => {
    const same = documents.filter((one) => one.name === name && one.key !== key);
    if (!same.length) return name;
    for (let count = 2; count < parts.get(key)!.length; count++) {
      if (same.every((one) => end(one.key, count) !== end(key, count))) return end(key, count);
    }
    return parts.get(key)!.join("/");
  };
  return new Map(documents.map((one) => [one.key, nameOf(one)]));
}
