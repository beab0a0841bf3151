// The nodes of a document in the tree that runs.

import type { TreeInfo } from "../model/protocol";
import type { Model } from "./model";
import type { DocumentInfo } from "./protocol";

/** Returns the nodes of a running tree by the nodes of the document that they are written as. */
export function runningNodes(model: Model, document: DocumentInfo, info: TreeInfo): Map<number, number> {
  const byPlace = new Map<string, number>();
  const byFile = new Map<string, number>();
  const file = (document.path ?? document.name).split(/[\\/]/).pop()!;
  for (const { id, location, file: inFile } of info.nodes) {
    const [, path, place] = /^(?:(.*):)?(\d+:\d+)$/.exec(location ?? "") ?? [];
    // A subtree may be written in another file.
    if (place && (path === undefined || path.split(/[\\/]/).pop() === file) && !byPlace.has(place)) byPlace.set(place, id);
    if (inFile && !byFile.has(inFile.id)) byFile.set(inFile.id, id);
  }
  const found = new Map<number, number>();
  for (const tree of model.state.trees) {
    for (const id of model.nodes(tree.id)) {
      const { place, fileid } = model.of(id)!.node;
      const node = (fileid ? byFile.get(fileid) : undefined) ?? (place ? (byPlace.get(place) ?? byFile.get(place)) : undefined);
      if (node !== undefined) found.set(id, node);
    }
  }
  return found;
}
