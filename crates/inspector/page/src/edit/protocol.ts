// The messages about documents, which are generated in `../model/messages.ts`, and what a hub adds.

import type { ByName } from "../model/protocol";
import type * as messages from "../model/messages";

export type {
  ArgumentView, At, Conflict, DocumentKey, DocumentState, Entry, Language, ListView, NodeKind, NodeView, Operation, Param, Problem, TreeView, Type,
} from "../model/messages";

/** A document, with the key of its machine if a hub shows several. */
export type DocumentInfo = messages.DocumentInfo & { machine?: number };

/** What a machine has of the opened document: this version, one that would be replaced (`before`), or another one. */
export type VersionState = "same" | "unapplied" | "unsaved" | "waiting" | "refused" | "before" | "edited" | "other";

/** The versions of the opened document at all machines; only a hub sends it. */
export interface Rollout {
  document: messages.DocumentKey;
  machines: { machine: number; state: VersionState; error?: string }[];
  /** What was sent to machines, whether there is a version to go back to, and why nothing was sent. */
  stage: { step: RolloutStep; ready: boolean; error: string | null } | null;
}

export type RolloutStep = "tenth" | "all" | "back" | "end";

export type EditRequest =
  | messages.EditRequest
  | { rollout: { document: messages.DocumentKey; step: RolloutStep; others?: boolean; save?: boolean } };

/** Only hubs request texts and adoptions. */
export type EditUpdates = Omit<ByName<messages.DocumentUpdate | messages.EditAnswer>, "text" | "adopted"> & { rollout: Rollout | null };
