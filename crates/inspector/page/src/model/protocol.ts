// The messages between the page and a program, which are generated in `messages.ts`, and what a hub adds.

import type { EditRequest, EditUpdates } from "../edit/protocol";
import type * as messages from "./messages";

export type {
  BreakpointInfo, Column, Described, Listing, NodeOverview, Sort, State, Status, Step, StopInfo, TickInfo, TickRecord, TreeInfo, Trigger, Walk, WatchInfo,
} from "./messages";

/** The contents of messages by their names. */
export type ByName<M> = { [K in M extends M ? keyof M : never]: Extract<M, Record<K, unknown>>[K] };

/** The place of a value in those that a program shows. */
export type Path = messages.Step[];

/** An agent, with the key of its machine if a hub shows several. */
export type AgentInfo = messages.AgentInfo & { machine?: number };

/** A process whose agents a hub shows. A machine that comes back has another key. */
export interface Machine {
  key: number;
  name: string;
  /** The number of its agents. */
  agents: number;
  /** Whether it has disappeared. */
  gone: boolean;
}

export type Request = messages.Request | EditRequest;
export type HoldRequest = Extract<Request, { pause: unknown } | { resume: unknown } | { step: unknown } | { walk: unknown }>;

export type Updates = ByName<messages.Update> & EditUpdates & {
  /** All machines, each time that they change; only a hub sends it. */
  machines: Machine[];
};
export type AgentList = Updates["agents"];
export type Checked = Updates["checked"];
export type Overview = Updates["overview"];

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
