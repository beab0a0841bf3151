// The timeline: a column for each tick, in the colour of what the tree gave; to be scrubbed through.

import { LETTER } from "/model.js";

export class Timeline {
  /** `go` is called with the tick that somebody goes to, `null` for the last. */
  constructor(canvas, go) {
    this.canvas = canvas;
    this.go = go;
    const scrub = (event) => {
      if (event.buttons & 1 && this.past) this.go(this.place(event.offsetX));
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      scrub(event);
    });
    canvas.addEventListener("pointermove", scrub);
  }

  /** So many ticks are in sight: the last, or those around the one that is shown. */
  range() {
    const most = Math.max(50, Math.floor(this.canvas.clientWidth / 2));
    const { first, end } = this.past;
    if (end - first <= most) return [first, end];
    const from = Math.min(Math.max(first, this.shown - Math.floor(most / 2)), end - most);
    return this.live ? [end - most, end] : [from, from + most];
  }

  place(x) {
    // While it is dragged, what is in sight stays where it is.
    const [from, to] = this.drawn ?? this.range();
    const place = from + Math.floor((x / this.canvas.clientWidth) * Math.max(to - from, 1));
    return Math.min(Math.max(place, this.past.first), this.past.end - 1);
  }

  draw(past, shown, live, stopped) {
    Object.assign(this, { past, shown, live });
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
    const most = past.ticks.reduce((most, tick) => Math.max(most, tick.events.length), 1);
    for (let place = from; place < to; place++) {
      const tick = past.at(place);
      const letter = LETTER[tick.status] ?? "h";
      const tall = 8 + (height - 12) * (tick.events.length / most);
      pen.fillStyle = style.getPropertyValue(`--${letter}`);
      pen.fillRect((place - from) * step, height - tall, Math.max(step - (step > 3 ? 1 : 0), 0.6), tall);
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
