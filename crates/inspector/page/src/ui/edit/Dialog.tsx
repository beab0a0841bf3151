// A dialog above the page. It takes the focus, and gives it back.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { savesAnywhere } from "../../edit/keys";
import { treeElement } from "../roving";

interface Properties {
  id: string;
  label: string;
  close: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ComponentChildren;
}

export function Dialog({ id, label, close, onKeyDown, children }: Properties) {
  const root = useRef<HTMLDivElement>(null);
  const opener = useRef(document.activeElement as HTMLElement | null);
  useLayoutEffect(() => {
    const { current } = root;
    const first = current!.querySelector<HTMLElement>("[data-first]") ?? current!.querySelector<HTMLElement>("input, button");
    first?.focus();
    // What is suggested is replaced by typing.
    if (first instanceof HTMLInputElement) first.select();
    return () => {
      const { activeElement } = document;
      if (activeElement && activeElement !== document.body && !root.current?.contains(activeElement)) return;
      // What has opened the dialog may be gone.
      (opener.current?.isConnected && opener.current !== document.body ? opener.current : treeElement())?.focus();
    };
  }, []);
  const key = (event: KeyboardEvent) => {
    // A document is saved wherever the focus is.
    if (savesAnywhere(event)) return;
    onKeyDown?.(event);
    event.stopPropagation();
    if (event.key === "Escape") {
      event.preventDefault();
      close();
    }
    if (event.key !== "Tab") return;
    // The focus stays inside.
    const all = [...root.current!.querySelectorAll<HTMLElement>("button:not(:disabled), input, select, textarea, [tabindex='0']")].filter((one) => one.tabIndex >= 0);
    const at = all.indexOf(document.activeElement as HTMLElement);
    const isOut = event.shiftKey ? at <= 0 : at === all.length - 1;
    if (!isOut) return;
    event.preventDefault();
    all[event.shiftKey ? all.length - 1 : 0]?.focus();
  };
  return (
    <div class="backdrop" onPointerDown={(event) => event.target === event.currentTarget && close()}>
      <div id={id} class="dialog" ref={root} role="dialog" aria-modal="true" aria-label={label} onKeyDown={key}>
        {children}
      </div>
    </div>
  );
}
