// What a page remembers in the browser.

export interface Settings {
  dark: boolean;
  /** What the colors and numbers at the nodes count: nothing, the ticks of the agent, or those of all agents of the tree. */
  heat: "off" | "agent" | "all";
  follow: boolean;
  /** Which nodes the tree shows. */
  shown: "all" | "tick" | "ever";
  view: "outline" | "graph";
  /** Whether the tree is edited, if its document is known. */
  edit: boolean;
  /** The names of the document and the tree that were edited last. */
  document: string;
  tree: string;
  log: boolean;
  /** Whether it is explained why the active node does what it does. */
  why: boolean;
  /** The columns of the list of agents. */
  columns: ("tree" | "running" | "state")[];
  /** Whether the list shows the machine of each agent. Earlier pages have stored `columns` without it. */
  machine: boolean;
  /** The URL that opens a source location: `{path}`, `{line}` and `{column}` are replaced. */
  editor: string;
  /** By tree: the paths of the values that stay at the top. */
  pinned: Record<string, string[]>;
  /** By tree and fingerprint: the collapsed nodes. */
  folded: Record<string, number[]>;
}

const DEFAULTS: Settings = {
  dark: matchMedia("(prefers-color-scheme: dark)").matches,
  heat: "off",
  follow: false,
  shown: "all",
  view: "outline",
  edit: false,
  document: "",
  tree: "",
  log: false,
  why: true,
  columns: ["tree"],
  machine: true,
  editor: "vscode://file/{path}:{line}:{column}",
  pinned: {},
  folded: {},
};
const PREFIX = "bt-inspector.";
/** The maximum number of trees whose folds are stored. */
const MAX_FOLDED = 50;

export function loadSettings(): Settings {
  const loaded: Record<string, unknown> = { ...DEFAULTS };
  for (const [name, value] of Object.entries(DEFAULTS)) {
    try {
      const text = localStorage.getItem(PREFIX + name);
      const stored = text === null ? null : JSON.parse(text);
      if (stored !== null && typeof stored === typeof value && Array.isArray(stored) === Array.isArray(value)) loaded[name] = stored;
    } catch {
      // Storage is not available, or contains something else.
    }
  }
  return loaded as unknown as Settings;
}

/** Whether the user has chosen a setting. */
export function isStored(name: keyof Settings): boolean {
  try {
    return localStorage.getItem(PREFIX + name) !== null;
  } catch {
    return false;
  }
}

export function storeSetting<K extends keyof Settings>(settings: Settings, name: K): void {
  try {
    let value: unknown = settings[name];
    if (name === "folded") value = Object.fromEntries(Object.entries(settings.folded).slice(-MAX_FOLDED));
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Storage is not available or full.
  }
}
