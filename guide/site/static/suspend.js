// Loads an example so that a tick can wait at a breakpoint: the browser suspends WebAssembly while the page goes on. In a browser that cannot do that,
// a breakpoint holds the agent before its next tick.

/** How long a suspended tick sleeps at most, in milliseconds. */
const SLEEP = 50;

/** Loads an example. Returns what it exports, a function that ticks it, and one that wakes a tick that waits. */
export async function suspendable(url) {
  const canWait = "Suspending" in WebAssembly && "promising" in WebAssembly;
  let wake = () => {};
  const sleep = () =>
    new Promise((resolve) => {
      wake = resolve;
      setTimeout(resolve, SLEEP);
    });
  // What the example imports.
  globalThis.btCanWait = () => canWait;
  globalThis.btWait = () => {};

  const example = await import(url);
  const module = await WebAssembly.compileStreaming(fetch(new URL("example_bg.wasm", url)));
  const { instantiate } = WebAssembly;
  if (canWait) {
    // The script of the example wraps each import in a function, which could not be suspended.
    WebAssembly.instantiate = (module, imports) => {
      for (const { module: from, name } of WebAssembly.Module.imports(module)) {
        if (name.includes("btWait")) imports[from][name] = new WebAssembly.Suspending(sleep);
      }
      return instantiate.call(WebAssembly, module, imports);
    };
  }
  try {
    const exports = await example.default({ module_or_path: module });
    const tick = canWait ? WebAssembly.promising(exports.tick) : async () => example.tick();
    return { example, tick, canWait, wake: () => wake() };
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}
