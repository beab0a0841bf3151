// Writes the ticks of an agent as a recording, in the format of `RecordFile`: it can be shown by `bt-inspector FILE`, and attached to a report.

import { text } from "/values.js";

/** Returns the lines of the recording of an agent, with the values that were shown next to its ticks. */
export function recording(info, agent, history) {
  const header = { format: "bt-recording", version: 1, tree: info.name, fingerprint: info.fingerprint, nodes: info.nodes };
  const lines = [header, { agent: agent.key, name: agent.name }];
  let before = {};
  for (let index = history.first; index < history.end; index++) {
    const { tick, now, status, written, errors } = history.at(index);
    lines.push({ agent: agent.key, tick, now, status, events: written, ...(errors?.length ? { errors } : {}) });
    const values = named(history.values(index));
    for (const [variable, value] of Object.entries(values)) {
      if (before[variable] !== value) lines.push({ agent: agent.key, variable, value });
    }
    for (const variable of Object.keys(before)) if (!(variable in values)) lines.push({ agent: agent.key, variable, value: null });
    before = values;
  }
  return lines.map((line) => JSON.stringify(line) + "\n").join("");
}

/** Returns values by their names, as text. */
function named(values) {
  if (values === undefined) return {};
  if (values === null || typeof values !== "object" || Array.isArray(values)) return { value: text(values) };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? value : text(value)]));
}

/** Offers a text to the user as a file. */
export function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
