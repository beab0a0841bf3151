// A menu at a point of the window: arrow keys move in it, Escape closes it.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { savesAnywhere } from "../../edit/keys";
import { treeElement } from "../roving";

export interface Item {
  name: string;
  /** The key that does the same. */
  key?: string;
  act: () => void;
  isDisabled?: boolean;
  /** Whether a line is above it. */
  begins?: boolean;
}

/** Returns a key as screen readers name it. */
function shortcut(key: string): string {
  const arrows: Record<string, string> = { "↑": "ArrowUp", "↓": "ArrowDown", "←": "ArrowLeft", "→": "ArrowRight", Ctrl: "Control" };
  return key.split(" ").map((part) => arrows[part] ?? part).join("+");
}

interface Properties {
  label: string;
  items: Item[];
  x: number;
  y: number;
  close: () => void;
}

export function Menu({ label, items, x, y, close }: Properties) {
  const root = useRef<HTMLDivElement>(null);
  const opener = useRef(document.activeElement as HTMLElement | null);
  const enabled = () => [...root.current!.querySelectorAll<HTMLElement>("[role=menuitem]:not([aria-disabled=true])")];
  useLayoutEffect(() => {
    const { style, offsetWidth, offsetHeight } = root.current!;
    style.left = `${Math.max(0, Math.min(x, innerWidth - offsetWidth - 4))}px`;
    style.top = `${Math.max(0, Math.min(y, innerHeight - offsetHeight - 4))}px`;
    enabled()[0]?.focus();
  }, [x, y]);
  useEffect(() => {
    const outside = (event: PointerEvent) => root.current?.contains(event.target as Node) || close();
    addEventListener("pointerdown", outside, true);
    return () => removeEventListener("pointerdown", outside, true);
  }, []);
  const leave = () => {
    close();
    (opener.current?.isConnected ? opener.current : treeElement())?.focus();
  };
  const key = (event: KeyboardEvent) => {
    const all = enabled();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: (at + 1) % all.length, ArrowUp: (at - 1 + all.length) % all.length, Home: 0, End: all.length - 1 }[event.key];
    if (savesAnywhere(event)) return;
    event.stopPropagation();
    if (to !== undefined) {
      event.preventDefault();
      all[to]?.focus();
    } else if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      leave();
    } else if (event.key.length === 1 && event.key !== " ") {
      const rest = [...all.slice(at + 1), ...all.slice(0, at + 1)];
      rest.find((one) => one.textContent.toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
    }
  };
  return (
    <div class="menu" ref={root} role="menu" aria-label={label} onKeyDown={key} onContextMenu={(event) => event.preventDefault()}>
      {items.map(({ name, key, act, isDisabled, begins }) => (
        <button
          key={name}
          role="menuitem"
          tabIndex={-1}
          class={begins ? "begins" : ""}
          aria-disabled={isDisabled || undefined}
          aria-keyshortcuts={key && shortcut(key)}
          onClick={() => {
            if (isDisabled) return;
            // An item may open a dialog, which takes the focus.
            leave();
            act();
          }}
        >
          <span>{name}</span>
          {key && (
            <span class="faint" aria-hidden="true">
              {key}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
