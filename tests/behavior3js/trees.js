// Random trees of the nodes that behavior3js and this library have in common, as nested lists: a name, properties and children.

/** Returns a function that returns a random integer below a bound. */
export function random(seed) {
  return (bound) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * bound);
  };
}

/** Returns a random tree, and the number of its leaves that scripts answer for. */
export function tree(below, depth = 3) {
  let leaves = 0;
  const add = (depth) => {
    if (depth === 0 || below(4) === 0) {
      const leaf = below(12);
      return leaf < 9 ? ["told", { number: leaves++ }] : [["Succeeder", "Failer", "Runner"][leaf - 9], {}];
    }
    const kind = below(10);
    if (kind === 0) return ["Inverter", {}, add(depth - 1)];
    if (kind === 1) return ["RepeatUntilSuccess", { maxLoop: 1 + below(3) }, add(depth - 1)];
    const children = Array.from({ length: 1 + below(4) }, () => add(depth - 1));
    return [["Sequence", "Priority", "MemSequence", "MemPriority"][below(4)], {}, ...children];
  };
  return { root: add(depth), leaves };
}

/** Returns the results that the leaves of a tree return in turn. */
export function script(below) {
  const results = ["Success", "Failure", "Running", "Running", "Success", "Failure", "Error"];
  return Array.from({ length: 5 + below(30) }, () => results[below(below(8) ? 6 : 7)]);
}
