// One tab stop for a group of controls: the arrow keys, Home and End move between them.

import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

const CONTROLS = "button, [role=option]";

/** Returns the element of the tree. */
export function treeElement(): HTMLElement | null {
  return document.getElementById("tree") ?? document.getElementById("graph-tree");
}

/**
 * Gives the controls inside an element a single tab stop. `row` selects the elements that are rows: then the arrow keys up and down move between rows. When the
 * control that has the focus vanishes, its neighbor gets the focus, or the tree if none is left.
 */
export function useRoving(root: RefObject<HTMLElement | null>, row?: string): { onKeyDown: (event: KeyboardEvent) => void; onFocusIn: () => void } {
  const stop = useRef<HTMLElement | undefined>(undefined);
  const controls = () => [...(root.current?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])];
  const focused = document.activeElement as HTMLElement;
  const place = controls().indexOf(focused);
  const mark = () => {
    const all = controls();
    const active = all.find((one) => one === document.activeElement) ?? all.find((one) => one === stop.current);
    stop.current = active ?? all[0];
    for (const one of all) one.tabIndex = one === stop.current ? 0 : -1;
  };
  useLayoutEffect(() => {
    const all = controls();
    if (place >= 0 && !focused.isConnected && document.activeElement === document.body) (all[Math.min(place, all.length - 1)] ?? treeElement())?.focus();
    mark();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const all = controls();
    const at = all.indexOf(event.target as HTMLElement);
    if (at < 0) return;
    const rowOf = (index: number) => (row ? all[index]?.closest(row) : all[index]);
    /** Returns the first control of the row of a control. */
    const begin = (index: number): number => (index > 0 && rowOf(index - 1) === rowOf(index) ? begin(index - 1) : index);
    const below = all.findIndex((_, index) => index > at && rowOf(index) !== rowOf(at));
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: begin(begin(at) - 1), ArrowDown: below, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all[to]?.focus();
  };
  return { onKeyDown, onFocusIn: mark };
}
