// A number over the last ticks. Click to show a tick.

import type { Path } from "../model/protocol";
import { visible } from "../model/text";
import { at } from "../model/values";
import type { Page } from "../page";

const [WIDTH, HEIGHT] = [240, 56];
/** The number of ticks in a chart. */
const TICKS = 300;

export function Chart({ page, path }: { page: Page; path: Path }) {
  const { history } = page;
  if (!history) return null;
  const shown = page.index;
  const end = Math.min(history.end, page.isLive ? history.end : Math.max(shown + TICKS / 2, history.first + TICKS));
  const from = Math.max(history.first, Math.floor(end - TICKS));
  const points: [number, number][] = [];
  for (let index = from; index < end; index++) {
    const value = at(history.values(index), path);
    const number = typeof value === "bigint" ? Number(value) : value;
    if (typeof number === "number" && Number.isFinite(number)) points.push([index, number]);
  }
  if (!points.length) return <div class="chart faint">no numbers in these ticks</div>;
  const numbers = points.map(([, number]) => number);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const x = (index: number) => ((index - from) / Math.max(end - from - 1, 1)) * WIDTH;
  const y = (number: number) => 4 + (1 - (most > least ? (number - least) / (most - least) : 0.5)) * (HEIGHT - 8);
  // Values stay until they change; a gap stays a gap.
  let line = "";
  points.forEach(([index, number], at) => {
    const isNext = at > 0 && points[at - 1][0] === index - 1;
    line += isNext ? `H${x(index).toFixed(1)}V${y(number).toFixed(1)}` : `M${x(index).toFixed(1)},${y(number).toFixed(1)}h1`;
  });
  const label = (number: number) => String(Number(number.toPrecision(6)));
  const go = (event: MouseEvent) => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    page.goTo(from + Math.round(((event.clientX - left) / width) * (end - from - 1)));
  };
  return (
    <div class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={`${visible(path.join("."))} from ${label(least)} to ${label(most)}`} onClick={go}>
        <path d={line} />
        {shown >= from && shown < end && <line x1={x(shown)} x2={x(shown)} y1={0} y2={HEIGHT} />}
      </svg>
      <span class="most">{label(most)}</span>
      <span class="least">{label(least)}</span>
    </div>
  );
}
