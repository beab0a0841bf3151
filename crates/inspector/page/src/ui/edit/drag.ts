// Dragging nodes with the mouse, in the outline and in the graph.

import type { Editor } from "../../edit/editor";
import type { Spot } from "../../edit/model";
import { type Drop, canDrop } from "../../edit/places";

/** The distance in pixels after which a press is a drag. */
const DISTANCE = 5;
/** How close to an edge of the list the mouse scrolls it, and by how much per frame. */
const [EDGE, SPEED] = [28, 7];

/** Begins to drag a node, or all selected nodes if it is one of them. `over` returns what is at a point of the window. */
export function beginDrag(editor: Editor, event: PointerEvent, node: number, scrolled: HTMLElement | null, over: (x: number, y: number) => (Drop & { over: Spot }) | null): void {
  if (event.button !== 0 || event.pointerType === "touch" || editor.document?.edit === false) return;
  const [x, y] = [event.clientX, event.clientY];
  let at = { x, y };
  let frame = 0;
  const scroll = () => {
    const box = scrolled!.getBoundingClientRect();
    if (at.y < box.top + EDGE) scrolled!.scrollTop -= SPEED;
    else if (at.y > box.bottom - EDGE) scrolled!.scrollTop += SPEED;
    frame = requestAnimationFrame(scroll);
  };
  const begin = () => {
    const { nodes } = editor.selection;
    if (!nodes.has(node)) editor.selection.only({ node, list: null });
    editor.drag = { nodes: editor.nodes, drop: null };
    if (scrolled) frame = requestAnimationFrame(scroll);
  };
  const move = (event: PointerEvent) => {
    at = { x: event.clientX, y: event.clientY };
    if (!editor.drag) {
      if (Math.hypot(at.x - x, at.y - y) < DISTANCE) return;
      begin();
    }
    const drop = over(at.x, at.y);
    const { nodes } = editor.drag!;
    editor.drag = { nodes, drop: drop && canDrop(editor.model!, nodes, drop.at) ? drop : null };
    editor.page.changed();
  };
  const end = (isDrop: boolean) => {
    cancelAnimationFrame(frame);
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", up);
    removeEventListener("pointercancel", cancel);
    removeEventListener("keydown", key, true);
    if (!editor.drag) return;
    // The click that follows must not select what is dropped on.
    addEventListener("click", stop, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", stop, true));
    if (isDrop) editor.drop();
    else {
      editor.drag = null;
      editor.page.changed();
    }
  };
  const up = () => end(true);
  const cancel = () => end(false);
  const stop = (event: MouseEvent) => event.stopPropagation();
  const key = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !editor.drag) return;
    event.preventDefault();
    event.stopPropagation();
    end(false);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", cancel);
  addEventListener("keydown", key, true);
}

/** Returns the class that shows where something would be dropped, for what is there. */
export function dropClass(editor: Editor, node: number, list: number | null): string {
  const drop = editor.drag?.drop;
  return drop && drop.over.node === node && drop.over.list === list ? `drop-${drop.side}` : "";
}
