// The nodes of a document in the tree that runs.

import type { TreeInfo } from "../model/protocol";
import type { Model } from "./model";
import type { DocumentInfo } from "./protocol";

/** Where the nodes of a document are in the text that runs, by their ids: they keep these while the text is changed. */
export interface Anchor {
  name: string;
  /** The line and the column. */
  place: string | null;
  /** The id in a file or, for a text, the number of the node. */
  file: string | null;
}

/** Returns the anchors of a document whose text runs. */
export function anchorsOf(model: Model, document: DocumentInfo): Map<number, Anchor> {
  const anchors = new Map<number, Anchor>();
  let number = 0;
  for (const tree of model.state.trees) {
    for (const id of model.nodes(tree.id)) {
      const { name, kind, place, fileid } = model.of(id)!.node;
      // Transitions and hooks are parts of the node around them.
      const counted = document.notation === "text" && kind !== "transition" && kind !== "hook" ? `#${++number}` : null;
      anchors.set(id, { name, place, file: fileid ?? counted });
    }
  }
  return anchors;
}

/** Returns the nodes of a running tree by the nodes of the document that they are written as. */
export function runningNodes(anchors: ReadonlyMap<number, Anchor>, document: DocumentInfo, info: TreeInfo): Map<number, number> {
  const byPlace = new Map<string, number>();
  const byFile = new Map<string, number>();
  const path = (document.path ?? document.name).split(/[\\/]/).pop()!;
  for (const { id, location, file } of info.nodes) {
    const [, of, place] = /^(?:(.*):)?(\d+:\d+)$/.exec(location ?? "") ?? [];
    // A subtree may be written in another file.
    if (place && (of === undefined || of.split(/[\\/]/).pop() === path) && !byPlace.has(place)) byPlace.set(place, id);
    if (file && !byFile.has(file.id)) byFile.set(file.id, id);
  }
  const found = new Map<number, number>();
  for (const [id, { name, place, file }] of anchors) {
    const inFile = file === null ? undefined : byFile.get(file);
    // The tree may be older than the text by a tick.
    const isSame = inFile !== undefined && info.nodes[inFile].file!.name === name;
    const node = isSame ? inFile : place === null ? undefined : byPlace.get(place);
    if (node !== undefined) found.set(id, node);
  }
  return found;
}
