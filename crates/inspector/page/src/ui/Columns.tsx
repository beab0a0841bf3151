// The columns that the user has added to the list of agents: values, and for how long something has been so.

import { visible } from "../model/text";
import { write } from "../model/protocol";
import type { AgentInfo, Column } from "../model/protocol";
import { title } from "../model/words";
import type { Page } from "../page";
import { ExpressionInput } from "./ExpressionInput";

/** The maximum number of columns of a page. */
const MAX_COLUMNS = 8;

/** Returns the name of a column, and what it shows. */
function texts(page: Page, column: Column): [string, string] {
  const node = (of: [number, number]) => {
    const info = page.trees.get(of[0])?.nodes[of[1]];
    return info ? title(info) : `node ${of[1]}`;
  };
  if (column === "leaf") return ["leaf for", "ticks since the running leaf started"];
  if ("value" in column) return [visible(column.value), "the value, updated about once per second"];
  if ("unchanged" in column) return [`${visible(column.unchanged)} for`, "ticks since the value changed, as far as observed"];
  if ("running" in column) return [`${node(column.running)} for`, "ticks since the node started"];
  return [`${node(column.visited)} ago`, "seconds since the last visit of the node; empty if it was not visited since the column was added"];
}

/** Returns the content of a cell. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number" && !Number.isInteger(value)) return String(Number(value.toPrecision(4)));
  return visible(typeof value === "string" ? value : write(value));
}

export function Cells({ page, agent }: { page: Page; agent: AgentInfo }) {
  const cells = agent.cells ?? [];
  return (
    <>
      {page.listing.columns.map((_, index) => (
        <span key={index} class="cell" title={cellText(cells[index])}>
          {cellText(cells[index])}
        </span>
      ))}
    </>
  );
}

/** The names of the columns. A click sorts by one, and a second click in the other direction. */
export function ColumnNames({ page }: { page: Page }) {
  const { columns, sort, descending } = page.listing;
  if (!columns.length) return null;
  const button = (name: string, what: string, isSorted: boolean, click: () => void) => (
    <button class={`link ${name === "name" ? "name" : "cell"}`} title={`${what}. Click: sort by it`} aria-pressed={isSorted} onClick={click}>
      {isSorted ? (descending ? "▾ " : "▴ ") : ""}
      {name}
    </button>
  );
  const at = typeof sort === "object" ? sort.column : -1;
  return (
    <div id="column-names" role="group" aria-label="sort the agents by">
      {button("name", "name of the agent", sort === "name", () => page.list({ sort: "name", descending: sort === "name" && !descending }))}
      {columns.map((column, index) => {
        const [name, what] = texts(page, column);
        return button(name, what, at === index, () => page.list({ sort: { column: index }, descending: at === index ? !descending : true }));
      })}
    </div>
  );
}

/** What adds and removes columns. */
export function ColumnMenu({ page }: { page: Page }) {
  const { columns } = page.listing;
  const { active, info } = page;
  const node = info?.nodes[active];
  const add = (column: Column) => addColumn(page, column);
  return (
    <>
      {columns.map((column, index) => {
        const [name, what] = texts(page, column);
        return (
          <div key={index} class="line" title={what}>
            <span class="column">{name}</span>
            <span class="push" />
            <button class="link" aria-label={`remove the column ${name}`} onClick={() => removeColumn(page, index)}>
              ✕
            </button>
          </div>
        );
      })}
      {page.source.evaluates && <ExpressionInput page={page} id="add-column" label="add a value as a column" placeholder="value, Enter adds it" value="" isCondition={false} empties apply={(text) => text && add({ value: text })} />}
      {!page.isRecording && (
        <>
          <button class="link" onClick={() => add("leaf")}>
            + ticks in the running leaf
          </button>
          {columns.map((column) => typeof column === "object" && "value" in column && (
            <button key={column.value} class="link" onClick={() => add({ unchanged: column.value })}>
              + ticks since {visible(column.value)} has changed
            </button>
          ))}
          {node && info && (
            <>
              <button class="link" onClick={() => add({ running: [info.key, active] })}>
                + ticks in “{title(node)}”
              </button>
              <button class="link" onClick={() => add({ visited: [info.key, active] })}>
                + seconds since “{title(node)}” was visited
              </button>
            </>
          )}
        </>
      )}
    </>
  );
}

/** Adds a column, unless the list has it. */
export function addColumn(page: Page, column: Column): void {
  const { columns } = page.listing;
  if (columns.some((one) => JSON.stringify(one) === JSON.stringify(column))) return;
  if (columns.length >= MAX_COLUMNS) return page.say(`at most ${MAX_COLUMNS} columns can be added`);
  page.list({ columns: [...columns, column] });
}

function removeColumn(page: Page, index: number): void {
  const { columns, sort } = page.listing;
  const at = typeof sort === "object" ? sort.column : -1;
  const sorted = at === index ? "added" : at > index ? { column: at - 1 } : sort;
  page.list({ columns: columns.filter((_, other) => other !== index), sort: sorted });
}
