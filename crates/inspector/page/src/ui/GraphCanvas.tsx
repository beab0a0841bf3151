// Where a graph is drawn, from left to right: pan, zoom, and a minimap. What a node looks like is up to its user.

import { select } from "d3-selection";
import { type ZoomBehavior, type ZoomTransform, zoom, zoomIdentity } from "d3-zoom";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { HEIGHT, type Layout, type Place } from "../model/layout";
import { colors } from "./colors";

const MINIMAP = 180;
/** Below this scale, nodes are drawn together, without texts: they could not be read. */
const TEXT_SCALE = 0.35;
/** The least scale, unless the whole tree needs a smaller one. */
const LEAST_SCALE = 0.02;

/** The sizes of texts in pixels: of a letter, and of what surrounds the text of a node. */
export const [LETTER, AROUND] = [7.3, 34];
/** The width of the sign of a warning. */
export const SIGN = 16;
/** The longest text of a node. The whole is in its tooltip. */
const MAX_LETTERS = 32;

export function cut(text: string): string {
  return text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS)}…` : text;
}

/** Returns the width of a node with a text. */
export function widthOf(text: string, hasSign: boolean): number {
  return Math.min(text.length, MAX_LETTERS + 1) * LETTER + AROUND + (hasSign ? SIGN : 0);
}

interface Properties {
  label: string;
  layout: Layout;
  /** What the graph is of: when it changes, the graph is placed again. */
  of: unknown;
  /** Whether it is also placed again when the layout changes, unless the user has moved it. */
  refits?: boolean;
  /** The node to show if the whole could not be read, and whether it begins at the left edge. */
  first: { node: number; isLeft: boolean };
  /** The active node, and the prefix of the ids of nodes. */
  active: number | null;
  prefix: string;
  /** Changes whenever the active node has to be shown. */
  reveals: number;
  /** Called before the active node is shown. */
  onReveal?: () => void;
  /** A node to keep in view, or -1. */
  followed: number;
  isHeated: boolean;
  isMultiselectable?: boolean;
  isRunning: (node: number) => boolean;
  /** The classes of a node, and the opacity of its heat, where nodes are drawn together. */
  look: (node: number) => [string, string];
  /** The color of a node in the minimap. */
  color: (node: number) => string;
  children: (place: Place, isSmall: boolean) => ComponentChildren;
  /** Called with the node at the mouse, when nodes are drawn together. */
  onNode: (node: number, event: MouseEvent) => void;
  /** Returns whether the graph has the key. */
  onKey: (event: KeyboardEvent) => boolean;
  onContextMenu?: (event: MouseEvent) => void;
  /** Whether pressing the mouse there moves the graph. */
  pans?: (event: Event) => boolean;
  /** Receives a function that returns the position in the graph of a point of the window. */
  locate?: { current: ((x: number, y: number) => [number, number]) | null };
}

export function GraphCanvas({ label, layout, of, refits, first, active, prefix, reveals, onReveal, followed, isHeated, isMultiselectable, isRunning, look, color, children, onNode, onKey, onContextMenu, pans, locate }: Properties) {
  const svg = useRef<SVGSVGElement>(null);
  const zooming = useRef<ZoomBehavior<SVGSVGElement, unknown>>(null);
  const [transform, setTransform] = useState<ZoomTransform>(zoomIdentity);
  const [size, setSize] = useState([0, 0]);
  /** Whether the user has moved the graph. Otherwise it is placed again when its size changes. */
  const hasMoved = useRef(false);
  /** What the graph was placed for. */
  const placed = useRef<unknown>(null);
  const places = useMemo(() => new Map(layout.places.map((place) => [place.node, place])), [layout]);
  const canPan = useRef(pans);
  canPan.current = pans;

  useEffect(() => {
    const { current } = svg;
    zooming.current = zoom<SVGSVGElement, unknown>()
      .scaleExtent([LEAST_SCALE, 3])
      .filter((event: MouseEvent) => !event.button && event.type !== "dblclick" && (event.type === "wheel" || canPan.current?.(event) !== false))
      .on("zoom", (event) => {
        hasMoved.current ||= event.sourceEvent !== null;
        setTransform(event.transform);
      });
    select(current!).call(zooming.current);
    const observer = new ResizeObserver(() => setSize([current!.clientWidth, current!.clientHeight]));
    observer.observe(current!);
    return () => observer.disconnect();
  }, []);
  const moveTo = (x: number, y: number, scale: number) => {
    const [width, height] = [svg.current!.clientWidth, svg.current!.clientHeight];
    select(svg.current!).call(zooming.current!.transform, zoomIdentity.translate(width / 2 - x * scale, height / 2 - y * scale).scale(scale));
  };
  const scaleBy = (factor: number) => select(svg.current!).call(zooming.current!.scaleBy, factor);
  /** The scale at which the whole tree is visible. */
  const whole = Math.min(1, Math.max(size[0] - 20, 1) / Math.max(layout.width, 1), Math.max(size[1] - 20, 1) / layout.height);
  useEffect(() => void zooming.current!.scaleExtent([Math.min(LEAST_SCALE, whole), 3]), [whole]);
  const fit = () => moveTo(layout.width / 2, layout.height / 2, whole);
  // Show the whole tree first; if it could not be read, what is running.
  useEffect(() => {
    if (placed.current !== of) hasMoved.current = false;
    if (!size[0] || hasMoved.current) return;
    placed.current = of;
    if (whole >= 0.5) return fit();
    const place = places.get(first.node) ?? layout.places[0];
    if (place) moveTo(place.x + place.width / 2 - (first.isLeft ? -size[0] / 2 + 80 : 0), place.y + HEIGHT / 2, 0.8);
  }, [of, refits && layout, ...size]);
  const show = (node: number, isUser: boolean) => {
    const place = places.get(node);
    if (!place) return;
    const [left, top] = transform.apply([place.x, place.y]);
    const [right, bottom] = transform.apply([place.x + place.width, place.y + HEIGHT]);
    const isVisible = left >= 0 && top >= 0 && right <= size[0] && bottom <= size[1];
    hasMoved.current ||= isUser || !isVisible;
    if (!isVisible) moveTo(place.x + place.width / 2, place.y + HEIGHT / 2, Math.max(transform.k, 0.6));
  };
  const last = useRef(reveals);
  useLayoutEffect(() => {
    if (last.current === reveals) return;
    last.current = reveals;
    onReveal?.();
    if (active !== null) show(active, !refits);
  });
  useEffect(() => {
    if (followed >= 0) show(followed, true);
  }, [followed]);

  const [left, top] = transform.invert([0, 0]);
  const [right, bottom] = transform.invert([size[0], size[1]]);
  const isVisible = ({ x, y, width }: Place) => x + width >= left && x <= right && y + HEIGHT >= top && y <= bottom;
  const isSmall = transform.k < TEXT_SCALE;
  const positionOf = (x: number, y: number): [number, number] => {
    const box = svg.current!.getBoundingClientRect();
    return transform.invert([x - box.left, y - box.top]);
  };
  if (locate) locate.current = positionOf;
  const click = (event: MouseEvent) => {
    if (!isSmall) return;
    const [x, y] = positionOf(event.clientX, event.clientY);
    const near = 4 / transform.k;
    const found = layout.places.find((place) => x > place.x - near && x < place.x + place.width + near && y > place.y - near && y < place.y + HEIGHT + near);
    if (found) onNode(found.node, event);
  };
  const key = (event: KeyboardEvent) => {
    const zooms: Record<string, () => void> = { "+": () => scaleBy(1.3), "-": () => scaleBy(1 / 1.3), "0": fit };
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!onKey(event)) {
      if (!isPlain || !zooms[event.key]) return;
      zooms[event.key]();
    }
    event.preventDefault();
  };
  return (
    <div id="graph" class={isHeated ? "heat" : ""}>
      <svg ref={svg} id="graph-tree" role="tree" tabindex={0} aria-label={label} aria-multiselectable={isMultiselectable} aria-activedescendant={active === null ? undefined : `${prefix}${active}`} onKeyDown={key} onClick={click} onContextMenu={onContextMenu}>
        <g transform={transform.toString()} role="presentation">
          {isSmall &&
            [false, true].map((running) => (
              <path key={`${running}`} class={running ? "link running" : "link"} d={layout.links.filter(({ to }) => isRunning(to) === running).map(({ path }) => path).join("")} />
            ))}
          {(isSmall ? [] : layout.links).map(({ from, to, path }) => {
            const [a, b] = [places.get(from)!, places.get(to)!];
            const isOut = Math.max(a.y, b.y) + HEIGHT < top || Math.min(a.y, b.y) > bottom || b.x < left || a.x > right;
            return isOut ? null : <path key={to} class={isRunning(to) ? "link running" : "link"} d={path} />;
          })}
          {isSmall && <Silhouettes look={look} places={layout.places} />}
          {layout.places.filter((place) => (isVisible(place) && !isSmall) || place.node === active).map((place) => children(place, isSmall))}
        </g>
      </svg>
      <Minimap color={color} layout={layout} shown={[left, top, right, bottom]} go={(x, y) => moveTo(x, y, transform.k)} />
      <div id="zoom" role="group" aria-label="zoom">
        <button title="zoom in (+)" aria-label="zoom in" onClick={() => scaleBy(1.3)}>
          +
        </button>
        <button title="zoom out (-)" aria-label="zoom out" onClick={() => scaleBy(1 / 1.3)}>
          −
        </button>
        <button title="show the whole tree (0)" id="fit" onClick={() => {
            hasMoved.current = true;
            fit();
          }}>
          fit
        </button>
      </div>
    </div>
  );
}

/** Nodes without texts: one element for all that look the same. */
function Silhouettes({ look, places }: { look: Properties["look"]; places: Place[] }) {
  const looks = new Map<string, { classes: string; path: string; count: number; hot: string }>();
  for (const { node, x, y, width } of places) {
    const [classes, hot] = look(node);
    const key = `${classes}|${hot}`;
    let found = looks.get(key);
    if (!found) looks.set(key, (found = { classes, path: "", count: 0, hot }));
    found.path += `M${x.toFixed(0)},${y.toFixed(0)}h${width.toFixed(0)}v${HEIGHT}h${(-width).toFixed(0)}z`;
    found.count++;
  }
  return (
    <>
      {[...looks].map(([key, { classes, path, count, hot }]) => (
        <g key={key} class={`node silhouettes ${classes}`} data-count={count} style={hot ? { "--hot": hot } : undefined}>
          <path d={path} />
        </g>
      ))}
    </>
  );
}

interface MinimapProperties {
  color: (node: number) => string;
  layout: Layout;
  /** The visible part: left, top, right and bottom. */
  shown: [number, number, number, number];
  go: (x: number, y: number) => void;
}

/** The whole graph in a corner, with the visible part. Click or drag to move there. */
function Minimap({ color, layout, shown: [left, top, right, bottom], go }: MinimapProperties) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // A tall tree is drawn wider than it is: otherwise the map would be too narrow to hit.
  const [across, down] = [Math.min(MINIMAP / Math.max(layout.width, 1), 0.5), Math.min((MINIMAP * 0.75) / layout.height, 0.5)];
  const [width, height] = [Math.max(layout.width * across, 20), Math.max(layout.height * down, 20)];
  useEffect(() => {
    const ratio = devicePixelRatio || 1;
    const { current } = canvas;
    current!.width = width * ratio;
    current!.height = height * ratio;
    const pen = current!.getContext("2d")!;
    const named = colors();
    pen.scale(ratio * across, ratio * down);
    for (const { node, x, y, width } of layout.places) {
      pen.fillStyle = named(color(node));
      pen.fillRect(x, y, width, Math.max(HEIGHT, 1 / down));
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.strokeStyle = named("text");
    pen.lineWidth = 1.5;
    pen.strokeRect(left * across, top * down, (right - left) * across, (bottom - top) * down);
  });
  const move = (event: PointerEvent) => {
    if (event.buttons & 1) go(event.offsetX / across, event.offsetY / down);
  };
  return (
    <canvas
      id="minimap"
      ref={canvas}
      style={{ width: `${width}px`, height: `${height}px` }}
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        move(event);
      }}
      onPointerMove={move}
    />
  );
}
