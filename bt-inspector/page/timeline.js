// The timeline: a column per tick, in the color of the tree's status. Drag to scrub.

import { LETTER } from "/model.js";

export class Timeline {
  /** `go` is called with the index of the selected tick, or `null` for the latest. */
  constructor(canvas, go) {
    this.canvas = canvas;
    this.go = go;
    const scrub = (event) => {
      if (event.buttons & 1 && this.history) this.go(this.indexAt(event.offsetX));
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      scrub(event);
    });
    canvas.addEventListener("pointermove", scrub);
  }

  /** Returns the range of visible ticks: the latest, or those around the shown tick. */
  range() {
    const most = Math.max(50, Math.floor(this.canvas.clientWidth / 2));
    const { first, end } = this.history;
    if (end - first <= most) return [first, end];
    const from = Math.min(Math.max(first, this.shown - Math.floor(most / 2)), end - most);
    return this.live ? [end - most, end] : [from, from + most];
  }

  indexAt(x) {
    // Keep the visible range while dragging.
    const [from, to] = this.drawn ?? this.range();
    const index = from + Math.floor((x / this.canvas.clientWidth) * Math.max(to - from, 1));
    return Math.min(Math.max(index, this.history.first), this.history.end - 1);
  }

  draw(history, shown, live, stopped) {
    Object.assign(this, { history, shown, live });
    const { canvas } = this;
    const scale = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== width * scale || canvas.height !== height * scale) {
      canvas.width = width * scale;
      canvas.height = height * scale;
    }
    const style = getComputedStyle(document.documentElement);
    const pen = canvas.getContext("2d");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    const [from, to] = this.range();
    this.drawn = [from, to];
    const step = width / Math.max(to - from, 1);
    const most = history.longest;
    for (let index = from; index < to; index++) {
      const tick = history.at(index);
      const letter = LETTER[tick.status] ?? "h";
      const tall = 8 + (height - 12) * (tick.events.length / most);
      pen.fillStyle = style.getPropertyValue(`--${letter}`);
      pen.fillRect((index - from) * step, height - tall, Math.max(step - (step > 3 ? 1 : 0), 0.6), tall);
      if (tick.missed) {
        pen.fillStyle = style.getPropertyValue("--text");
        for (let y = 0; y < height; y += 6) pen.fillRect((index - from) * step - 1, y, 2, 3);
      }
    }
    if (shown !== null && shown >= from && shown < to) {
      pen.fillStyle = style.getPropertyValue(live ? "--faint" : "--accent");
      pen.fillRect((shown - from + 0.5) * step - 1, 0, 2, height);
    }
    if (stopped) {
      pen.fillStyle = style.getPropertyValue("--accent");
      pen.fillRect(width - 3, 0, 3, height);
    }
  }
}
