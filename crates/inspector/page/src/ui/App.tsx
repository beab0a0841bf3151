// The layout of the page.

import { useEffect } from "preact/hooks";
import type { Shape } from "../model/shape";
import type { View } from "../model/view";
import type { Page } from "../page";
import { Documents } from "./edit/Documents";
import { EditView } from "./edit/EditView";
import { Properties } from "./edit/Properties";
import { Agents } from "./Agents";
import { Banner } from "./Banner";
import { BreakpointList, BreakpointMenu } from "./Breakpoints";
import { CompareBar, CompareColumn, useCompared } from "./Compare";
import { Footer } from "./Footer";
import { Graph } from "./Graph";
import { Header } from "./Header";
import { Help } from "./Help";
import { LogPanel } from "./LogPanel";
import { Outline } from "./Outline";
import { TreeBar } from "./TreeBar";
import { Values } from "./Values";
import { Warnings } from "./Warnings";
import { Why } from "./Why";
import { shownNodes } from "./folding";

export function App({ page }: { page: Page }) {
  const { info, editor } = page;
  const shape = info && page.shapeOf(info);
  const view = page.currentView();
  useEffect(() => page.requestOverview());
  useEffect(() => editor.choose());
  return (
    <>
      <div id="top">
        <Header page={page} />
        <Banner page={page} />
      </div>
      {editor.isAlone ? <Documents editor={editor} /> : <Agents page={page} />}
      {editor.isShown ? <EditView page={page} view={view} /> : <Shown page={page} shape={shape} view={view} />}
      {editor.isShown ? (
        <Properties editor={editor} />
      ) : (
        <aside id="values" aria-label="values and breakpoints">
          <BreakpointList page={page} />
          <Values page={page} />
        </aside>
      )}
      {page.settings.log && !editor.isAlone && <LogPanel page={page} />}
      {!editor.isAlone && <Footer page={page} />}
      {page.menu && <BreakpointMenu key={`${page.menu.tree}-${page.menu.node}`} page={page} menu={page.menu} />}
      {page.help && <Help page={page} />}
    </>
  );
}

/** The tree as it runs. */
function Shown({ page, shape, view }: { page: Page; shape: Shape | null; view: View | null }) {
  const leaves = shape && view ? view.leaves(shape) : [];
  const compared = useCompared(page, shape, view);
  const isFiltered = compared?.comparison.isFiltered && compared.problem === null;
  const nodes = !shape || !view ? [] : isFiltered ? [...compared!.nodes] : shownNodes(page, shape, view);
  return (
    <main>
      <TreeBar page={page} leaves={leaves} shape={shape} />
      {compared && <CompareBar page={page} compared={compared} />}
      {shape && view && (
        <div id="trees">
          {page.settings.view === "graph" ? <Graph page={page} shape={shape} view={view} leaves={leaves} /> : <Outline page={page} shape={shape} view={view} leaves={leaves} nodes={nodes} differing={compared?.nodes} />}
          {compared && <CompareColumn page={page} shape={shape} here={view} rows={nodes} compared={compared} />}
        </div>
      )}
      {shape && <Warnings shape={shape} node={page.active} />}
      {shape && page.settings.why && <Why page={page} shape={shape} />}
    </main>
  );
}
