// The keys of the page. Lists and the tree have further ones while they have the focus.

import { editKey, takesText } from "./edit/keys";
import type { Page } from "./page";

/** The keys, as the help describes them. */
export const KEYS: [string, string][] = [
  ["Space", "pause or resume"],
  ["n", "run one tick"],
  ["i o u", "run into the next node, over this one, out of it"],
  ["← → or , .", "previous, next tick"],
  ["Home, End", "first tick, latest tick"],
  ["p", "play the past"],
  ["f", "follow the running leaf"],
  ["g", "outline or graph"],
  ["e", "edit the tree"],
  ["l", "log"],
  ["w", "why the node does what it does"],
  ["c", "compare with another agent or tick"],
  ["/", "search nodes"],
  ["?", "this help"],
  ["in the tree: ↑ ↓ Home End", "select another node"],
  ["in the tree: ← → Enter", "collapse or expand the node"],
  ["in the tree: b", "the breakpoint of the node"],
  ["in the graph: + - 0", "zoom in, zoom out, show the whole tree"],
  ["in the list: ↑ ↓ Home End", "select another agent"],
  ["in the list: Enter", "follow or unfollow the agent"],
  ["in the log: ↑ ↓ Enter", "select a change; show its tick and node"],
  ["in rows of buttons: ← → ↑ ↓", "another button"],
];

/** Letters that mean something else in the editor: they control the program only from the list of agents while the editor is shown. */
const CONTROLS = new Set(["n", "i", "o", "u", "c", "w", "f", "/"]);

export function bindKeys(page: Page): void {
  const acts: Record<string, () => void> = {
    " ": () => page.togglePaused(),
    n: () => page.step(),
    i: () => page.walk("into"),
    o: () => page.walk("over"),
    u: () => page.walk("out"),
    ArrowLeft: () => page.goBy(-1),
    ArrowRight: () => page.goBy(1),
    ",": () => page.goBy(-1),
    ".": () => page.goBy(1),
    Home: () => page.goTo(page.history?.first ?? 0),
    End: () => page.goTo(null),
    p: () => page.togglePlaying(),
    f: () => page.set("follow", !page.settings.follow),
    g: () => page.set("view", page.settings.view === "graph" ? "outline" : "graph"),
    e: () => page.editor.toggleEditing(),
    c: () => page.toggleComparison(),
    l: () => page.set("log", !page.settings.log),
    w: () => page.set("why", !page.settings.why),
    "/": () => document.getElementById("find")?.focus(),
    "?": () => page.toggleHelp(),
    Escape: () => {
      page.help = false;
      page.menu = null;
      page.changed();
    },
  };
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || editKey(page.editor, event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    // A text field takes all keys, and a control those that operate it.
    if (event.key !== "Escape") {
      if (target.matches("input[type=search], input[type=text], input[type=number], textarea, select")) return;
      if (target.matches("button, input, a, summary") && (event.key === " " || event.key === "Enter")) return;
    }
    const act = acts[event.key];
    if (!act || (page.editor.isShown && CONTROLS.has(event.key) && !target.closest("#agents, footer, #log"))) return;
    if (event.key !== "Escape") event.preventDefault();
    act();
  });
  addEventListener("paste", (event) => {
    if (!event.defaultPrevented && takesText(page.editor, event.target as HTMLElement)) void page.editor.clipboard.paste(event);
  });
}
