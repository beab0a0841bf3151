// The signs and words for statuses. A status is one letter, as in the events of recordings; `h` is a halt, `o` a visit that is not over.

import type { AgentInfo, Described, Status } from "./protocol";
import { visible } from "./text";

export type Letter = "s" | "f" | "r" | "e" | "h" | "o";

export const LETTERS: readonly Letter[] = ["s", "f", "r", "e", "h", "o"];
export const SIGNS: Record<Letter, string> = { s: "✓", f: "✗", r: "▶", e: "!", h: "■", o: "●" };
export const WORDS: Record<Letter, string> = { s: "Success", f: "Failure", r: "Running", e: "Error", h: "Halted", o: "executing" };
/** The sign of a node with warnings. */
export const WARNING = "⚠";
/** What a screen reader says of a node that has this status. */
export const SPOKEN: Record<Letter, string> = { s: "succeeded", f: "failed", r: "running", e: "error", h: "halted", o: "executing" };
export const LETTER: Record<Status, Letter> = { Success: "s", Failure: "f", Running: "r", Error: "e" };

/** The prefixes of nodes that are not ordinary children. */
const ROLES: Record<string, string> = { Guard: "when ", Enter: "enter ", Exit: "exit ", Service: "does " };

export function rolePrefix(node: Described): string {
  return ROLES[node.role ?? ""] ?? "";
}

/** Returns the label of a node or, without one, its name. */
export function title(node: Described): string {
  return visible(node.label ?? node.name);
}

/** Returns the name of an agent. */
export function agentName(agent: AgentInfo): string {
  return agent.name.trim() ? visible(agent.name) : "(no name)";
}

/** Returns the parameters of a node, as text. */
export function params(node: Described): string {
  const each = node.params.map((param) => `${param.name}: ${param.value}${param.unit ? " " + param.unit : ""}`);
  return each.length ? visible(`(${each.join(", ")})`) : "";
}

/** Returns a source location without its folders and column. */
export function shortLocation(location: string): string {
  return visible(location).split(/[\\/]/).pop()!.replace(/:\d+$/, "");
}

/** Returns until when an agent sleeps, and in which leaves; null if it does not. */
export function sleep(agent: AgentInfo, leaves: string[]): string | null {
  if (!agent.asleep) return null;
  if (agent.asleep !== "event") return `asleep until ${agent.asleep.until.toFixed(2)} s`;
  return leaves.length ? `asleep until an event in ${leaves.join(", ")}` : "asleep until an event";
}

/** Returns whether an agent is held and a thread of the program waits for it. */
export function hasThread(agent: AgentInfo | null): boolean {
  return agent?.held === "waiting" || agent?.held === "stopped";
}
