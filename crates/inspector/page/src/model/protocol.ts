// The messages between the page and the server, with the names that the types have in Rust: `src/protocol/message.rs`, and `Described` of bt-core.

import type { EditRequest, EditUpdates } from "../edit/protocol";

export type Status = "Success" | "Failure" | "Running" | "Error";
export type Trigger = "Visit" | Status | "Halted";

export interface Described {
  id: number;
  parent: number | null;
  role: string | null;
  kind: string;
  name: string;
  label: string | null;
  params: { name: string; value: string; unit?: string | null }[];
  location: string | null;
  transitions: { on: string; to: string }[];
  /** The node of a file that it was built from. */
  file?: { id: string; name: string; place?: [line: number, column: number] } | null;
  /** What can never happen, and the errors of an edit that the tree does not follow. */
  warnings?: string[];
}

export interface TreeInfo {
  key: number;
  /** The key of the first version of this tree. */
  first: number;
  name: string;
  fingerprint: string;
  nodes: Described[];
  /** The numbers of the nodes, which are the same in all versions; without them, they are the ids. */
  numbers?: number[];
  /** The names of the nodes that were removed with their breakpoints when this version replaced the one before. */
  dropped?: string[];
  /** The bytes of each node's open and kept state, if they are known. */
  bytes?: [number, number][];
  folder?: string;
}

/** The place of a value in those that a program shows. */
export type Path = (string | number)[];

export interface AgentInfo {
  key: number;
  name: string;
  tree: number;
  /** The key of its machine, if a hub shows several. */
  machine?: number;
  status: Status | null;
  removed: boolean;
  held?: "skipped" | "waiting" | "stopped";
  /** The node and the trigger, if a thread waits in the middle of a tick. */
  at?: [number, Trigger];
  /** What has changed, if the agent is held because of that. */
  why?: string;
  running?: number;
  asleep?: "event" | { until: number };
  editable?: Path[];
  /** The stored past, if the program lets pages take the agent back: the number of ticks between two snapshots, and the first and the last one. */
  past?: { every: number; ticks: [number, number] | null };
  /** The contents of the columns. */
  cells?: unknown[];
}

/** A process whose agents a hub shows. A machine that comes back has another key. */
export interface Machine {
  key: number;
  name: string;
  /** The number of its agents. */
  agents: number;
  /** Whether it has disappeared. */
  gone: boolean;
}

export interface AgentList {
  /** That of the request; 0 before the first. */
  id: number;
  total: number;
  matching: number;
  from: number;
  list: AgentInfo[];
  waiting: AgentInfo[];
  selected: AgentInfo | null;
  /** Whether all agents are held; in the state of the page, whether any is. */
  held: boolean;
  /** The number of requests to pause, resume or step that precede `held`. */
  holds: number;
}

export interface BreakpointInfo {
  tree: number;
  node: number;
  on: Trigger[];
  agent: number | null;
  disabled: boolean;
  skip: number;
  /** An expression over the values shown last; empty for none. */
  condition: string;
  hits: number;
}

/** A value at whose changes agents stop. */
export interface WatchInfo {
  tree: number;
  expression: string;
  agent: number | null;
  disabled: boolean;
  hits: number;
}

/** What all agents of a tree do. */
export interface Overview {
  tree: number;
  agents: number;
  ticks: number;
  nodes: NodeOverview[];
}

export interface NodeOverview {
  visits: number;
  runs: number;
  success: number;
  failure: number;
  running: number;
  error: number;
  halts: number;
  /** The number of agents in which the node is running now. */
  here: number;
}

export interface TickInfo {
  agent: number;
  tick: number;
  /** The key of the version of the tree whose ids the tick has. */
  tree?: number;
  now: number;
  status: Status | null;
  events: string;
  reasons?: [number, string][];
  /** The name of `reasons` in the first format of recordings. */
  errors?: [number, string][];
  values?: unknown;
  changes?: Record<string, unknown>;
  /** The time of day, in seconds since 1970, in a page of a hub. */
  at?: number;
  /** The tick before which the agent was like before this one. */
  rewound?: number;
}

export interface StopInfo {
  at: [number, Trigger] | null;
  /** The key of the version of the tree of the current tick. */
  tree: number | null;
  /** What has changed, if the agent is held because of that. */
  why: string | null;
  current: TickInfo | null;
}

/** The result of a check of an expression. */
export interface Checked {
  expression: string;
  /** Why it cannot be parsed. */
  error: string | null;
  /** What does not fit the values that are shown now. */
  warning: string | null;
  value: unknown;
}

export type State = "success" | "failure" | "running" | "error" | "waiting" | "asleep" | "new";
/** Only a hub sorts by `machine`. */
export type Sort = "added" | "name" | "status" | "tree" | "running" | "machine" | { column: number };
/** What the list shows of each agent: a value, for how many ticks it has not changed, for how many ticks the running leaf, or a node, runs, and the
 * seconds since a visit. A node is named by the key of its tree and its number. */
export type Column = { value: string } | { unchanged: string } | "leaf" | { running: [number, number] } | { visited: [number, number] };

/** Which agents the list contains. */
export interface Listing {
  search: string;
  states: State[];
  tree: number | null;
  node: number | null;
  /** Only agents of this machine. A program without a hub does not know it: it is only sent if one is chosen. */
  machine?: number | null;
  /** An expression that is true for the values of the listed agents; null for all. */
  filter: string | null;
  columns: Column[];
  sort: Sort;
  descending: boolean;
  from: number;
  /** An agent that is listed if it matches, wherever `from` is. */
  around: number | null;
  id: number;
}

export type Walk = "into" | "over" | "out";
export type HoldRequest = { pause: number | null } | { resume: number | null } | { step: number | null } | { walk: { agent: number; how: Walk } };

export type Request =
  | EditRequest
  | { select: number }
  | { follow: number[] }
  | { list: Listing }
  | HoldRequest
  | { break: { tree: number; breakpoint: { node: number; on: Trigger[]; agent: number | null; disabled: boolean; skip: number; condition: string } } }
  | { watch: { tree: number; watch: { expression: string; agent: number | null; disabled: boolean }; remove: boolean } }
  | { check: { agent: number; expression: string; condition: boolean } }
  | { test: { agent: number; from: number; to: number } }
  | { overview: number | null }
  | { past: { agent: number | null; every: number } }
  | { rewind: { agent: number; tick: number; all: boolean; at?: number } }
  | { edit: { agent: number; path: Path; value: unknown } };

export interface Updates extends EditUpdates {
  hello: { recording: boolean; session: number };
  /** How much of a recording has been read; null when it is there. */
  loading: string | null;
  trees: TreeInfo[];
  /** All machines, each time that they change; only a hub sends it. */
  machines: Machine[];
  agents: AgentList;
  ticks: { agent: number; list: TickInfo[] };
  pause: { agent: number; paused: boolean; stop: StopInfo | null; holds: number };
  present: { agent: number; values: unknown };
  breakpoints: BreakpointInfo[];
  watches: WatchInfo[];
  checked: Checked;
  overview: Overview;
  test: string;
  edited: { agent: number; path: Path; error: string | null };
  lost: number;
  error: string;
}

/** Parses a message. Integers that a number cannot represent exactly, such as large ids, become BigInt. */
export function read(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const revive = (_: string, value: unknown, context?: { source?: string }) => {
    if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
    return /^-?\d+$/.test(context?.source ?? "") ? BigInt(context!.source!) : value;
  };
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
}

declare global {
  interface JSON {
    /** Text that is written as it is. */
    rawJSON?(text: string): unknown;
  }
}

/** Returns a value as JSON, with integers exactly. */
export function write(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  return JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? (JSON.rawJSON?.(String(inner)) ?? String(inner)) : inner)) ?? "null";
}
