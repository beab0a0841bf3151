// The search for nodes of the shown tree: Enter goes from one to the next.

import { useRef } from "preact/hooks";
import type { Page } from "../page";

interface Properties {
  page: Page;
  /** What is searched. */
  what: string;
  /** The key that leads to the field. */
  shortcut?: string;
  /** Returns the nodes that what was typed finds. */
  search: () => readonly number[];
  go: (node: number) => void;
}

export function Find({ page, what, shortcut, search, go }: Properties) {
  const at = useRef(-1);
  const step = (by: number) => {
    // What was typed may not have been drawn yet.
    const found = search();
    if (!found.length) return;
    at.current = (at.current + by + found.length) % found.length;
    go(found[at.current]);
  };
  return (
    <span class="find">
      <input
        type="search"
        id="find"
        placeholder="search nodes"
        aria-label={`search nodes by ${what}`}
        title={`search nodes${shortcut ? ` (${shortcut})` : ""}. Enter: next, Shift Enter: previous`}
        autocomplete="off"
        value={page.search}
        onInput={(event) => {
          page.search = event.currentTarget.value;
          at.current = -1;
          page.changed();
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
          else if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
      {page.search.trim() && (
        <span id="found" role="status" class="faint">
          {search().length}
        </span>
      )}
    </span>
  );
}
