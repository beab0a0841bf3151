// Runs the example of a story: its ticks, its inputs, its scene, and the messages between it and the inspector's page.

import { inspect } from "./inspector.js";
import { Scene } from "./scene.js";
import { suspendable } from "./suspend.js";
import "./offline.js";

const { options, agent } = document.body.dataset;
const folder = new URL(".", location.href);
const notice = document.getElementById("notice");

const { example, tick, wake, canWait } = await suspendable(new URL("example.js", folder));
const words = options.split(" ").filter(Boolean);
const tree = new URLSearchParams(location.search).get("tree");
if (tree !== null) {
  words.push("--tree", tree);
  document.querySelector("#source textarea").value = tree;
}
try {
  example.start(words);
} catch (error) {
  notice.textContent = String(error);
  throw error;
}
const scene = new Scene(document.querySelector("canvas"), example);
showKeys(example.keys());

const stopped = inspect(document.querySelector("iframe"), example, agent, wake);
run();

/** Ticks until the example panics. */
async function run() {
  try {
    for (;;) {
      const due = performance.now() + example.interval();
      const waits = setTimeout(() => (notice.textContent = "A tick waits: resume the agent in the inspector."), 500);
      await tick();
      clearTimeout(waits);
      notice.textContent = "";
      scene.passInputs();
      scene.draw();
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    }
  } catch (error) {
    notice.textContent = `The program has stopped: ${error}. Reload the page to start it again.`;
    stopped();
    throw error;
  }
}

/** Shows what the user can do: a button for each key. */
function showKeys(keys) {
  const bar = document.getElementById("keys");
  for (let index = 0; index < keys.length; index += 2) {
    const [key, effect] = keys.slice(index, index + 2);
    const item = document.createElement(example.isKey(key) ? "button" : "span");
    const name = document.createElement("kbd");
    name.textContent = key;
    item.append(name, ` ${effect}`);
    if (example.isKey(key)) item.onclick = () => scene.press(key);
    bar.append(item);
  }
  if (!canWait) bar.append(Object.assign(document.createElement("span"), { textContent: "This browser cannot suspend a tick: a breakpoint holds its agent after the tick." }));
}
