// Elements that act when they are pressed: one that moves before the button is released receives no click, and lists and values change at any time.

interface Handlers {
  onMouseDown: (event: MouseEvent) => void;
  onClick: (event: MouseEvent) => void;
}

/** Returns the handlers of an element that acts when the primary button is pressed on it, or when it is tapped. */
export function pressed(act: (event: MouseEvent) => void): Handlers {
  return {
    onMouseDown: (event) => event.button === 0 && act(event),
    // Without a pointer, as by a screen reader, there is only a click.
    onClick: (event) => event.detail === 0 && act(event),
  };
}
