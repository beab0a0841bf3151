// A list of which only the visible rows are in the document.

import type { ComponentChildren, ComponentProps } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

interface Properties extends Omit<ComponentProps<"div">, "ref" | "rows" | "height" | "seen"> {
  count: number;
  /** The height of a row in pixels. */
  height: number;
  /** Returns the rows of a range; each is positioned by its `top`. */
  rows: (from: number, to: number) => ComponentChildren;
  /** A row to scroll to whenever `reveals` changes. */
  revealed?: number;
  reveals?: unknown;
  /** The position of its text in pixels from the left. */
  revealedLeft?: number;
  /** Called with the range of visible rows when it changes. */
  seen?: (from: number, to: number) => void;
  /** Whether to stay at the end while rows are added. */
  sticks?: boolean;
  /** Called when something else than the list has scrolled it: the user. */
  moved?: () => void;
}

/** The number of rows that are drawn above and below the visible ones. */
const MARGIN = 10;

export function VirtualList({ count, height, rows, revealed, reveals, revealedLeft, seen, sticks, moved, ...attributes }: Properties) {
  const root = useRef<HTMLDivElement>(null);
  const [[top, tall], place] = useState([0, 600]);
  const atEnd = useRef(true);
  /** Where the list itself has scrolled to. */
  const own = useRef(0);
  useEffect(() => {
    const { current } = root;
    const observer = new ResizeObserver(() => place([current!.scrollTop, current!.clientHeight]));
    observer.observe(current!);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const { current } = root;
    if (!current) return;
    if (!(sticks && atEnd.current)) return;
    current.scrollTop = count * height;
    own.current = current.scrollTop;
  }, [count, sticks]);
  useLayoutEffect(() => {
    const { current } = root;
    if (!current || revealed === undefined || revealed < 0) return;
    const at = revealed * height;
    // A few rows around it, unless it is visible already.
    const around = Math.min(3 * height, current.clientHeight / 4);
    if (at < current.scrollTop) current.scrollTop = at - around;
    else if (at + height > current.scrollTop + current.clientHeight) current.scrollTop = at + height + around - current.clientHeight;
    own.current = current.scrollTop;
    if (revealedLeft === undefined) return;
    // Enough of the text must be visible to read it.
    const room = Math.min(250, current.clientWidth / 2);
    if (revealedLeft < current.scrollLeft || revealedLeft + room > current.scrollLeft + current.clientWidth) current.scrollLeft = Math.max(0, revealedLeft - room / 2);
  }, [reveals, revealed]);
  const from = Math.max(0, Math.floor(top / height) - MARGIN);
  const to = Math.min(count, Math.ceil((top + tall) / height) + MARGIN);
  useEffect(() => seen?.(from, to), [from, to]);
  const scrolled = () => {
    const { scrollTop, clientHeight, scrollHeight } = root.current!;
    atEnd.current = scrollTop + clientHeight >= scrollHeight - height;
    place([scrollTop, clientHeight]);
    if (scrollTop !== own.current) moved?.();
  };
  return (
    <div {...attributes} ref={root} onScroll={scrolled}>
      <div role="presentation" style={{ height: `${count * height}px`, position: "relative" }}>
        {rows(from, to)}
      </div>
    </div>
  );
}
