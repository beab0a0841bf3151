// A row of buttons that is as tall as one line. What does not fit is scrolled to; a number says how many buttons that are.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useRoving } from "./roving";

interface Properties {
  id: string;
  label: string;
  /** What the strip contains: when it changes, the strip scrolls to its begin or end. */
  content: string;
  /** Whether the end is more important than the begin. */
  toEnd?: boolean;
  children: ComponentChildren;
}

export function Strip({ id, label, content, toEnd, children }: Properties) {
  const root = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState(0);
  const roving = useRoving(root);
  const measure = () => {
    // The strip may be gone when its size is reported.
    if (!root.current) return;
    const { scrollLeft, clientWidth, children } = root.current;
    const isOut = ({ offsetLeft, offsetWidth }: HTMLElement) => offsetLeft < scrollLeft - 1 || offsetLeft + offsetWidth > scrollLeft + clientWidth + 1;
    setHidden([...children].filter((child) => child.matches("button") && isOut(child as HTMLElement)).length);
  };
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    observer.observe(root.current!);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const { current } = root;
    if (!current!.contains(document.activeElement)) current!.scrollLeft = toEnd ? current!.scrollWidth : 0;
    measure();
  }, [content]);
  /** Scrolls by one page, and from the last one to the first. */
  const more = () => {
    const { scrollLeft, scrollWidth, clientWidth } = root.current!;
    const [by, isLast] = toEnd ? [-clientWidth, scrollLeft < 1] : [clientWidth, scrollLeft + clientWidth > scrollWidth - 1];
    root.current!.scrollTo({ left: isLast ? (toEnd ? scrollWidth : 0) : scrollLeft + by });
  };
  return (
    <div class={`strip ${toEnd ? "to-end" : ""}`}>
      <div id={id} ref={root} class="items" role="group" aria-label={label} onScroll={measure} {...roving}>
        {children}
      </div>
      {/* Keys move to what is hidden without this button. */}
      <button class="more link" tabIndex={-1} aria-hidden="true" title={`${hidden} more: scroll to them`} style={{ visibility: hidden ? "visible" : "hidden" }} onClick={more}>
        +{hidden}
      </button>
    </div>
  );
}
