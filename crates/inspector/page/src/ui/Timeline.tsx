// The timeline: a column per tick, in the color of the tree's status, with marks and an axis of time. Drag to scrub.

import { useEffect, useRef } from "preact/hooks";
import type { TickHistory } from "../model/history";
import { LETTER } from "../model/words";
import type { Page } from "../page";
import { colors } from "./colors";

/** The heights of the marks and of the axis. */
const MARKS = 8;
const AXIS = 13;
/** The distance between two labels of the axis, at least. */
const LABEL = 70;
/** The least distance in seconds, and its digits: ticks may have the same time. */
const LEAST = 0.001;
const DIGITS = 3;

/** Returns the range of visible ticks: the latest, or those around the shown tick. */
function range(history: TickHistory, width: number, shown: number, isLive: boolean): [number, number] {
  const most = Math.max(50, Math.floor(width / 2));
  const { first, end } = history;
  if (end - first <= most) return [first, end];
  const from = Math.min(Math.max(first, shown - Math.floor(most / 2)), end - most);
  return isLive ? [end - most, end] : [from, from + most];
}

export function Timeline({ page }: { page: Page }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<[number, number]>([0, 0]);
  const { history } = page;
  useEffect(() => {
    const observer = new ResizeObserver(() => page.changed());
    observer.observe(canvas.current!);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (history) drawn.current = draw(page, canvas.current!, history);
  });
  const scrub = (event: PointerEvent) => {
    if (!(event.buttons & 1) || !history?.ticks.length) return;
    // Keep the visible range while dragging.
    const [from, to] = drawn.current;
    const index = from + Math.floor((event.offsetX / canvas.current!.clientWidth) * Math.max(to - from, 1));
    page.goTo(Math.min(Math.max(index, history.first), history.end - 1));
  };
  return (
    <canvas
      id="timeline"
      ref={canvas}
      tabIndex={0}
      role="img"
      aria-label="timeline: arrow keys move by one tick"
      title="a column per tick; above it marks: blue for halts, red for failures of running nodes, purple for errors, a bar for another running leaf, ◆ for a breakpoint; a dashed line where ticks are missing, a blue one where the agent has gone back, a blue line with ▼ where the tree was replaced"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        scrub(event);
      }}
      onPointerMove={scrub}
    />
  );
}

function draw(page: Page, canvas: HTMLCanvasElement, history: TickHistory): [number, number] {
  const scale = devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const color = colors();
  const pen = canvas.getContext("2d")!;
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  const shown = page.index;
  const [from, to] = range(history, width, shown, page.isLive);
  const step = width / Math.max(to - from, 1);
  const floor = height - AXIS;
  const wide = Math.max(step - (step > 3 ? 1 : 0), 0.6);
  for (let index = from; index < to; index++) {
    const tick = history.at(index);
    if (!tick) continue;
    const x = (index - from) * step;
    const tall = 4 + (floor - MARKS - 5) * (tick.events.length / history.longest);
    pen.fillStyle = color(tick.status ? LETTER[tick.status] : "h");
    pen.fillRect(x, floor - tall, wide, tall);
    const mark = Math.max(wide, 2);
    const { halts, failures, errors, moved } = tick.marks;
    if (moved) {
      pen.fillStyle = color("faint");
      pen.fillRect(x, 0, 1, MARKS);
    }
    for (const [is, name] of [[halts, "h"], [failures, "f"], [errors, "e"]] as const) {
      if (!is) continue;
      pen.fillStyle = color(name);
      pen.fillRect(x, name === "h" ? 0 : 4, mark, 4);
    }
    if (tick.stopped) {
      pen.fillStyle = color("accent");
      pen.beginPath();
      pen.moveTo(x + wide / 2, 0);
      pen.lineTo(x + wide / 2 + 4, 5);
      pen.lineTo(x + wide / 2, 10);
      pen.lineTo(x + wide / 2 - 4, 5);
      pen.fill();
    }
    if (tick.replaced) {
      pen.fillStyle = color("accent");
      pen.fillRect(x - 1, 0, 2, floor);
      pen.beginPath();
      pen.moveTo(x - 5, 0);
      pen.lineTo(x + 5, 0);
      pen.lineTo(x, 7);
      pen.fill();
    }
    if (tick.missed || tick.rewound !== null) {
      pen.fillStyle = color(tick.missed ? "text" : "accent");
      for (let y = 0; y < floor; y += 6) pen.fillRect(x - 1, y, 2, 3);
    }
  }
  axis(pen, history, from, to, width, floor, color);
  if (shown >= from && shown < to) {
    pen.fillStyle = color(page.isLive ? "faint" : "accent");
    pen.fillRect((shown - from + 0.5) * step - 1, 0, 2, floor);
  }
  if (page.stop?.at) {
    pen.fillStyle = color("accent");
    pen.fillRect(width - 3, 0, 3, floor);
  }
  return [from, to];
}

/** Draws the times of ticks, at round numbers of seconds. */
function axis(pen: CanvasRenderingContext2D, history: TickHistory, from: number, to: number, width: number, floor: number, color: (name: string) => string): void {
  const [begin, end] = [history.at(from)?.now ?? 0, history.at(to - 1)?.now ?? 0];
  const least = Math.max(((end - begin) * LABEL) / Math.max(width, 1), LEAST);
  const power = 10 ** Math.floor(Math.log10(least));
  const distance = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= least) ?? least;
  pen.fillStyle = color("faint");
  pen.font = "10px system-ui, sans-serif";
  let free = 0; // the end of the last label
  let text = "";
  let due = Math.ceil(begin / distance) * distance;
  for (let index = from; index < to; index++) {
    const tick = history.at(index);
    if (!tick || tick.now < due) continue;
    const x = ((index - from) * width) / Math.max(to - from, 1);
    due = (Math.floor(tick.now / distance) + 1) * distance;
    const digits = Math.min(Math.max(0, -Math.floor(Math.log10(distance) + 1e-9)), DIGITS);
    const label = `${(Math.floor(tick.now / distance + 1e-9) * distance).toFixed(digits)} s`;
    const end = x + 3 + pen.measureText(label).width;
    if (x < free || end > width || label === text) continue;
    [free, text] = [end + 6, label];
    pen.fillRect(x, floor, 1, 4);
    pen.fillText(label, x + 3, floor + 11);
  }
}
