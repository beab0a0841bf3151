// The tree as a graph, from left to right, with pan, zoom and a minimap.

import { select } from "d3-selection";
import { type ZoomBehavior, type ZoomTransform, zoom, zoomIdentity } from "d3-zoom";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { HEIGHT, type Layout, type Place, layOut } from "../model/layout";
import type { Shape } from "../model/shape";
import type { View } from "../model/view";
import { visible } from "../model/text";
import { SIGNS, WARNING, params, title } from "../model/words";
import type { Page } from "../page";
import { colors } from "./colors";
import { collapsed, reveal, shownNodes, toggle } from "./folding";
import { heatOf } from "./heat";
import { extraText, memoryText, nodeClasses, spoken, warningTexts } from "./nodeText";

/** The width of a letter, and of what surrounds the text of a node. */
const LETTER = 7.3;
const AROUND = 34;
/** The width of the sign of a warning. */
const SIGN = 16;
/** The longest text of a node. The whole is in its tooltip. */
const MAX_LETTERS = 32;
const MINIMAP = 180;
/** Below this scale, nodes are drawn together, without texts: they could not be read. */
const TEXT_SCALE = 0.35;
/** The least scale, unless the whole tree needs a smaller one. */
const LEAST_SCALE = 0.02;
/** The number of different colors of heat, when nodes are drawn together. */
const HEATS = 8;

interface Properties {
  page: Page;
  shape: Shape;
  view: View;
  leaves: number[];
}

export function Graph({ page, shape, view, leaves }: Properties) {
  const svg = useRef<SVGSVGElement>(null);
  const zooming = useRef<ZoomBehavior<SVGSVGElement, unknown>>(null);
  const [transform, setTransform] = useState<ZoomTransform>(zoomIdentity);
  const [size, setSize] = useState([0, 0]);
  /** Whether the user has moved the graph. Otherwise it is placed again when its size changes. */
  const hasMoved = useRef(false);
  /** The tree for which the graph was placed. */
  const placed = useRef<Shape | null>(null);
  const folds = collapsed(page, shape);
  const shown = shownNodes(page, shape, view);
  const shownKey = shown.length === shape.nodes.length ? "all" : shown.join();
  const layout = useMemo(() => {
    const set = new Set(shown);
    return layOut(shape, (node) => set.has(node), (node) => Math.min(text(shape, node).length, MAX_LETTERS + 1) * LETTER + AROUND + (shape.warnings(node).length ? SIGN : 0));
  }, [shape, shownKey]);
  const places = useMemo(() => new Map(layout.places.map((place) => [place.node, place])), [layout]);

  useEffect(() => {
    const { current } = svg;
    zooming.current = zoom<SVGSVGElement, unknown>()
      .scaleExtent([LEAST_SCALE, 3])
      .filter((event: MouseEvent) => !event.button && event.type !== "dblclick")
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
  /** The scale at which the whole tree is visible. */
  const whole = Math.min(1, Math.max(size[0] - 20, 1) / layout.width, Math.max(size[1] - 20, 1) / layout.height);
  useEffect(() => void zooming.current!.scaleExtent([Math.min(LEAST_SCALE, whole), 3]), [whole]);
  const fit = () => moveTo(layout.width / 2, layout.height / 2, whole);
  // Show the whole tree first; if it could not be read, what is running.
  useEffect(() => {
    if (placed.current !== shape) hasMoved.current = false;
    if (!size[0] || hasMoved.current) return;
    placed.current = shape;
    if (whole >= 0.5) return fit();
    const place = places.get(leaves[0] ?? 0) ?? places.get(0)!;
    moveTo(place.x + place.width / 2 - (leaves.length ? 0 : -size[0] / 2 + 80), place.y + HEIGHT / 2, 0.8);
  }, [shape, ...size]);
  const show = (node: number) => {
    const place = places.get(node);
    if (!place) return;
    const [left, top] = transform.apply([place.x, place.y]);
    const [right, bottom] = transform.apply([place.x + place.width, place.y + HEIGHT]);
    const isVisible = left >= 0 && top >= 0 && right <= size[0] && bottom <= size[1];
    hasMoved.current = true;
    if (!isVisible) moveTo(place.x + place.width / 2, place.y + HEIGHT / 2, Math.max(transform.k, 0.6));
  };
  const reveals = useRef(page.reveals);
  useLayoutEffect(() => {
    if (reveals.current === page.reveals) return;
    reveals.current = page.reveals;
    reveal(page, shape, page.active);
    show(page.active);
  });
  const followed = page.settings.follow && leaves.length ? leaves[0] : -1;
  useEffect(() => {
    if (followed >= 0) show(followed);
  }, [followed]);

  const [left, top] = transform.invert([0, 0]);
  const [right, bottom] = transform.invert([size[0], size[1]]);
  const isVisible = ({ x, y, width }: Place) => x + width >= left && x <= right && y + HEIGHT >= top && y <= bottom;
  const isSmall = transform.k < TEXT_SCALE;
  /** Returns the node at the mouse, when nodes are drawn together. */
  const at = (event: MouseEvent) => {
    if (!isSmall) return undefined;
    const { left, top } = svg.current!.getBoundingClientRect();
    const [x, y] = transform.invert([event.clientX - left, event.clientY - top]);
    const near = 4 / transform.k;
    return layout.places.find((place) => x > place.x - near && x < place.x + place.width + near && y > place.y - near && y < place.y + HEIGHT + near)?.node;
  };
  const found = new Set(shape.find(page.search));
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const node = page.active;
    const siblings = shape.nodes[node].parent === null ? [node] : shape.children[shape.nodes[node].parent!];
    const to = { ArrowLeft: shape.nodes[node].parent, ArrowRight: shape.children[node][0], ArrowUp: siblings[siblings.indexOf(node) - 1], ArrowDown: siblings[siblings.indexOf(node) + 1], Home: 0 }[event.key];
    const acts: Record<string, () => void> = {
      Enter: () => toggle(page, shape, node),
      b: () => page.openMenu({ tree: shape.info.key, node }),
      "+": () => select(svg.current!).call(zooming.current!.scaleBy, 1.3),
      "-": () => select(svg.current!).call(zooming.current!.scaleBy, 1 / 1.3),
      "0": fit,
    };
    if (to !== undefined && to !== null) page.activate(to);
    else if (acts[event.key]) acts[event.key]();
    else if (!["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home"].includes(event.key)) return;
    event.preventDefault();
  };
  return (
    <div id="graph" class={page.settings.heat === "off" ? "" : "heat"}>
      <svg ref={svg} id="graph-tree" role="tree" tabindex={0} aria-label="behavior tree as a graph: arrow keys move between nodes" aria-activedescendant={`graph-${page.active}`} onKeyDown={key} onClick={(event) => ((node) => node !== undefined && page.activate(node))(at(event))}>
        <g transform={transform.toString()} role="presentation">
          {isSmall &&
            [false, true].map((isRunning) => (
              <path key={`${isRunning}`} class={isRunning ? "link running" : "link"} d={layout.links.filter(({ to }) => view.isRunning(to) === isRunning).map(({ path }) => path).join("")} />
            ))}
          {(isSmall ? [] : layout.links).map(({ from, to, path }) => {
            const [a, b] = [places.get(from)!, places.get(to)!];
            const isOut = Math.max(a.y, b.y) + HEIGHT < top || Math.min(a.y, b.y) > bottom || b.x < left || a.x > right;
            return isOut ? null : <path key={to} class={view.isRunning(to) ? "link running" : "link"} d={path} />;
          })}
          {isSmall && <Silhouettes page={page} view={view} places={layout.places} />}
          {layout.places.filter((place) => (isVisible(place) && !isSmall) || place.node === page.active).map((place) => (
            <GraphNode key={place.node} page={page} shape={shape} view={view} place={place} isSmall={isSmall} isFound={found.has(place.node)} isFolded={folds.has(place.node)} />
          ))}
        </g>
      </svg>
      <Minimap page={page} view={view} layout={layout} shown={[left, top, right, bottom]} go={(x, y) => moveTo(x, y, transform.k)} />
      <div id="zoom" role="group" aria-label="zoom">
        <button title="zoom in (+)" aria-label="zoom in" onClick={() => select(svg.current!).call(zooming.current!.scaleBy, 1.3)}>
          +
        </button>
        <button title="zoom out (-)" aria-label="zoom out" onClick={() => select(svg.current!).call(zooming.current!.scaleBy, 1 / 1.3)}>
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
function Silhouettes({ page, view, places }: { page: Page; view: View; places: Place[] }) {
  const looks = new Map<string, { path: string; count: number; hot: string }>();
  for (const { node, x, y, width } of places) {
    const heat = heatOf(page, view, node);
    const hot = heat === undefined ? "" : (Math.round(heat * HEATS) / HEATS).toFixed(3);
    const classes = `${nodeClasses(page, view, node).join(" ")}|${hot}`;
    let look = looks.get(classes);
    if (!look) looks.set(classes, (look = { path: "", count: 0, hot }));
    look.path += `M${x.toFixed(0)},${y.toFixed(0)}h${width.toFixed(0)}v${HEIGHT}h${(-width).toFixed(0)}z`;
    look.count++;
  }
  return (
    <>
      {[...looks].map(([classes, { path, count, hot }]) => (
        <g key={classes} class={`node silhouettes ${classes.split("|")[0]}`} data-count={count} style={hot ? { "--hot": hot } : undefined}>
          <path d={path} />
        </g>
      ))}
    </>
  );
}

/** Returns the text of a node. */
function text(shape: Shape, node: number): string {
  const info = shape.nodes[node];
  return info.label === null ? title(info) + params(info) : `${title(info)} (${visible(info.name)})`;
}

function cut(text: string): string {
  return text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS)}…` : text;
}

interface NodeProperties {
  page: Page;
  shape: Shape;
  view: View;
  place: Place;
  isSmall: boolean;
  isFound: boolean;
  isFolded: boolean;
}

function GraphNode({ page, shape, view, place: { node, x, y, width }, isSmall, isFound, isFolded }: NodeProperties) {
  const info = shape.nodes[node];
  const seen = view.of(node);
  const [extra] = extraText(page, shape, view, node);
  const breakpoint = page.breakpointOf(shape.info.key, node);
  const classes = ["node", `k-${info.kind}`, ...nodeClasses(page, view, node), isFound ? "found" : "", node === page.active ? "active" : ""];
  const heat = heatOf(page, view, node);
  const hot = heat === undefined ? undefined : { "--hot": heat.toFixed(3) };
  return (
    <g class={classes.join(" ")} id={`graph-${node}`} data-node={node} role="treeitem" aria-level={shape.depths[node] + 1} aria-selected={node === page.active} aria-expanded={shape.hasChildren(node) ? !isFolded : undefined} aria-label={[text(shape, node), extra, spoken(page, shape, view, node)].filter(Boolean).join(", ")} transform={`translate(${x},${y})`} style={hot} onClick={() => page.activate(node)} onDblClick={() => toggle(page, shape, node)}>
      <title>{[text(shape, node), extra, ...warningTexts(shape, node), memoryText(shape, node), visible(info.location ?? ""), shape.hasChildren(node) ? "double click: collapse or expand" : ""].filter(Boolean).join("\n")}</title>
      <rect width={width} height={HEIGHT} rx={shape.hasChildren(node) ? 4 : 11} />
      {!isSmall && (
        <>
          <text class="sign" aria-hidden="true" x={12} y={16}>
            {seen ? SIGNS[seen.kind] : ""}
          </text>
          <text class="name" aria-hidden="true" x={24} y={16}>
            {cut(text(shape, node))}
            {isFolded ? " ▸" : ""}
          </text>
          {shape.warnings(node).length > 0 && (
            <text class="warning" aria-hidden="true" x={width - SIGN} y={16}>
              {WARNING}
            </text>
          )}
          {extra && (
            <text class="note" aria-hidden="true" x={6} y={HEIGHT + 9}>
              {cut(extra)}
            </text>
          )}
        </>
      )}
      <circle
        class={`dot ${breakpoint ? "set" : ""} ${breakpoint?.disabled ? "off" : ""}`}
        cx={0}
        cy={HEIGHT / 2}
        r={5}
        onClick={(event) => {
          event.stopPropagation();
          page.activate(node);
          page.openMenu({ tree: shape.info.key, node });
        }}
      />
    </g>
  );
}

interface MinimapProperties {
  page: Page;
  view: View;
  layout: Layout;
  /** The visible part: left, top, right and bottom. */
  shown: [number, number, number, number];
  go: (x: number, y: number) => void;
}

/** The whole graph in a corner, with the visible part. Click or drag to move there. */
function Minimap({ page, view, layout, shown: [left, top, right, bottom], go }: MinimapProperties) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // A tall tree is drawn wider than it is: otherwise the map would be too narrow to hit.
  const [across, down] = [Math.min(MINIMAP / layout.width, 0.5), Math.min((MINIMAP * 0.75) / layout.height, 0.5)];
  const [width, height] = [Math.max(layout.width * across, 20), Math.max(layout.height * down, 20)];
  useEffect(() => {
    const ratio = devicePixelRatio || 1;
    const { current } = canvas;
    current!.width = width * ratio;
    current!.height = height * ratio;
    const pen = current!.getContext("2d")!;
    const color = colors();
    pen.scale(ratio * across, ratio * down);
    for (const { node, x, y, width } of layout.places) {
      const seen = view.of(node);
      pen.fillStyle = seen?.fresh ? color(seen.kind === "o" ? "accent" : seen.kind) : color(node === page.active ? "accent" : "line");
      pen.fillRect(x, y, width, Math.max(HEIGHT, 1 / down));
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.strokeStyle = color("text");
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

