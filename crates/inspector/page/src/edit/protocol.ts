// The messages about documents, with the names that the types have in Rust: `src/protocol/editing.rs`, and `view.rs` and `operation.rs` of bt-syntax.
// Nodes and trees of a document share their numbers.

export type DocumentKey = number | string;
export type NodeKind = "composite" | "decorator" | "leaf" | "choice" | "machine" | "state" | "transition" | "hook" | "rust";
export type Type = "integer" | "number" | "probability" | "time" | "boolean" | "choice" | "text" | "variable" | "list" | "expression";

export interface DocumentInfo {
  key: DocumentKey;
  name: string;
  path: string | null;
  notation: "rust" | "text" | "json" | "xml";
  /** The key of the first version of the tree that the program names as the one of the document. */
  tree: number | null;
  /** The keys of the first versions of all trees with nodes that are written in it: its own first, then those that begin in it. */
  trees: number[];
  edit: boolean;
  write: boolean;
  /** Whether agents follow the document. */
  runs: boolean;
  /** The key of its machine, if a hub shows several. */
  machine?: number;
}

/** What a machine has of the opened document: this version, one that would be replaced (`before`), or another one. */
export type VersionState = "same" | "unapplied" | "unsaved" | "waiting" | "refused" | "before" | "edited" | "other";

/** The versions of the opened document at all machines; only a hub sends it. */
export interface Rollout {
  document: DocumentKey;
  machines: { machine: number; state: VersionState; error?: string }[];
  /** What was sent to machines, whether there is a version to go back to, and why nothing was sent. */
  stage: { step: RolloutStep; ready: boolean; error: string | null } | null;
}

export type RolloutStep = "tenth" | "all" | "back" | "end";

/** An argument, or a parameter that is not given: its text is empty. */
export interface ArgumentView {
  name: string | null;
  text: string;
  type: Type;
  unit: string | null;
}

export interface ListView {
  /** What is before it: `else`. */
  before: string;
  children: NodeView[];
}

export interface NodeView {
  id: number;
  name: string;
  kind: NodeKind;
  head: string;
  arguments: ArgumentView[];
  before: string;
  label: string | null;
  note: string;
  disabled: boolean;
  /** Its line and column in the text that runs, or its id in a file. */
  place: string | null;
  fileid?: string | null;
  lists: ListView[];
  /** The tree of the document that it uses. */
  uses: number | null;
  can: string[];
}

export interface TreeView {
  id: number;
  name: string;
  title: string | null;
  broken: string | null;
  root: NodeView | null;
  /** The nodes that the root does not reach. */
  loose?: NodeView[];
}

export interface Problem {
  node: number | null;
  argument: number | null;
  message: string;
  warning: boolean;
}

export interface Conflict {
  base: string;
  mine: string;
  theirs: string;
  reasons: string[];
}

export interface DocumentState {
  key: DocumentKey;
  version: number;
  trees: TreeView[];
  problems: Problem[];
  /** The name of what can be undone. */
  undo: string | null;
  redo: string | null;
  applied: boolean;
  saved: boolean;
  auto: boolean;
  difference: string;
  conflict: Conflict | null;
  /** Why the document was not saved. */
  error: string | null;
}

export interface Param {
  name: string;
  type: Type;
  unit: string | null;
  default: string | null;
  required: boolean;
  min: number | null;
  max: number | null;
  choices: string[];
  doc: string;
}

export interface Entry {
  name: string;
  kind: NodeKind;
  is_condition?: boolean;
  /** `words`, or the module of a leaf. */
  group: string;
  doc: string;
  insert: string;
  params: Param[];
}

/** A place of a node. */
export type At = { before: number } | { after: number } | { in: number; list: number; index: number } | { tree: number };

export type Operation =
  | { op: "insert"; text: string; at: At }
  | { op: "delete" | "duplicate" | "disable" | "enable"; nodes: number[] }
  | { op: "move"; nodes: number[]; at: At }
  | { op: "wrap"; nodes: number[]; head: string }
  | { op: "unwrap" | "inline"; node: number }
  | { op: "replace"; node: number; head: string }
  | { op: "argument"; node: number; index: number; name: string | null; value: string | null }
  | { op: "annotate"; node: number; before: string }
  | { op: "label"; node: number; label: string | null }
  | { op: "note"; node: number; text: string }
  | { op: "extract"; node: number; name: string }
  | { op: "create"; name: string; text?: string }
  | { op: "rename"; tree: number; name: string }
  | { op: "remove"; tree: number };

export type Language = "rust" | "json";

export type EditRequest =
  | { open: DocumentKey | null }
  | { change: { document: DocumentKey; operations: Operation[] } }
  | { undo: DocumentKey }
  | { redo: DocumentKey }
  | { try: { document: DocumentKey; id: number; operation: Operation } }
  | { copy: { document: DocumentKey; id: number; nodes: number[] } }
  | { source: { document: DocumentKey; id: number; tree: number; as: Language } }
  | { auto: { document: DocumentKey; on: boolean } }
  | { apply: DocumentKey }
  | { save: DocumentKey }
  | { resolve: { document: DocumentKey; keep: "mine" | "theirs" } }
  | { rollout: { document: DocumentKey; step: RolloutStep; others?: boolean; save?: boolean } };

export interface EditUpdates {
  documents: DocumentInfo[];
  palette: { document: DocumentKey; entries: Entry[] };
  document: DocumentState;
  changed: { document: DocumentKey; select: number[] };
  refused: { document: DocumentKey; message: string };
  tried: { id: number; error: string | null; problems: Problem[] };
  copied: { id: number; text: string };
  source: { id: number; text: string; error: string | null };
  rollout: Rollout | null;
}
