// The values that the program shows next to a tick, as nested pairs. Changes since the previous tick are highlighted.

export function show(root, values, before) {
  if (values === undefined) {
    const hint = document.createElement("div");
    hint.className = "hint";
    hint.textContent = "No values. Call `agent.show(…)` in your program to add some.";
    root.replaceChildren(hint);
    return;
  }
  root.replaceChildren(...lines(values, before));
}

function lines(value, before) {
  if (value === null || typeof value !== "object") return [leaf(value, before)];
  return Object.entries(value).map(([key, inner]) => {
    const was = before && typeof before === "object" ? before[key] : undefined;
    const name = document.createElement("span");
    name.className = "key";
    name.textContent = key;
    const pair = document.createElement("div");
    if (inner !== null && typeof inner === "object" && Object.keys(inner).length) {
      const nested = document.createElement("div");
      nested.className = "nested";
      nested.append(...lines(inner, was));
      pair.append(name, nested);
    } else {
      pair.className = "pair";
      pair.append(name, leaf(inner, was));
    }
    return pair;
  });
}

function leaf(value, before) {
  const span = document.createElement("span");
  span.textContent = typeof value === "number" && !Number.isInteger(value) ? value.toFixed(3) : text(value);
  if (before !== undefined && text(value) !== text(before)) span.className = "changed";
  return span;
}

/** Returns a value as JSON, with integers exactly. */
export function text(value) {
  if (typeof value === "bigint") return String(value);
  return JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner));
}
