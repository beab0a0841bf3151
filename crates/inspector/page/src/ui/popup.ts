// Pop-ups: `details` elements that close when the user clicks elsewhere.

/** A reference for a `details` element. */
export function closesOutside(details: HTMLDetailsElement | null): (() => void) | void {
  if (!details) return;
  const close = (event: PointerEvent) => details.contains(event.target as Node) || details.removeAttribute("open");
  addEventListener("pointerdown", close, true);
  return () => removeEventListener("pointerdown", close, true);
}
