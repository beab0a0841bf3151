// Links to an agent, a node and a tick: `#agent/node/tick`, with the name of the agent. The last parts may be missing.

export interface Link {
  agent: string;
  node: number | null;
  tick: number | null;
}

export function readLink(hash: string): Link | null {
  const [agent, node, tick] = hash.replace(/^#/, "").split("/");
  if (!agent) return null;
  const number = (text?: string) => (text && /^\d+$/.test(text) ? Number(text) : null);
  try {
    return { agent: decodeURIComponent(agent), node: number(node), tick: number(tick) };
  } catch {
    return null;
  }
}

export function writeLink({ agent, node, tick }: Link): string {
  const parts = [encodeURIComponent(agent)];
  if (node !== null || tick !== null) parts.push(String(node ?? 0));
  if (tick !== null) parts.push(String(tick));
  return `#${parts.join("/")}`;
}
