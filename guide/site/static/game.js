// Runs a game that draws into its canvas by itself.

import { inspect } from "./inspector.js";
import "./offline.js";

// A breakpoint holds an agent after its tick: a frame of the game cannot be suspended.
Object.assign(globalThis, { btCanWait: () => false, btWait: () => {} });
const notice = document.getElementById("notice");
const game = await import(new URL("example.js", location.href));
try {
  await game.default({ module_or_path: new URL("example_bg.wasm", location.href) });
} catch (error) {
  // The game's loop is left by an exception.
  if (!/Using exceptions for control flow/.test(error)) {
    notice.textContent = `The game cannot run here: ${error}`;
    throw error;
  }
}
inspect(document.querySelector("iframe"), game, document.body.dataset.agent);
