// The messages between a program and the page. Generated from the types in Rust; do not edit it, but run
// `TYPESCRIPT=overwrite cargo test -p bt-inspector --features edit --lib typescript`.
// Of requests, there are all fields that the page sends; programs do without some of them. Integers beyond 2^53 arrive as `BigInt`: see `read`.

/**
 * The statuses of bt-core.
 */
export type Status = "Success" | "Failure" | "Running" | "Error";

/**
 * An event that triggers a breakpoint.
 */
export type Trigger = "Visit" | "Success" | "Failure" | "Running" | "Error" | "Halted";

/**
 * How far an agent runs within a tick.
 */
export type Walk = "into" | "over" | "out";

/**
 * How an agent is held.
 */
export type Held = "skipped" | "waiting" | "stopped";

/**
 * A step of a path: the index of an element, or a name.
 */
export type Step = number | string;

/**
 * A parsed expression, with its source.
 */
export type Expression = string;

/**
 * A node as bt-core describes it, as far as the page reads it.
 */
export type Described = { id: number, parent: number | null, role: string | null, kind: string, name: string, label: string | null, params: Array<Parameter>, location: string | null, transitions: Array<Transition>, 
/**
 * The node of a file that it was built from.
 */
file?: FileNode | null, 
/**
 * What can never happen, and the errors of an edit that the tree does not follow.
 */
warnings?: Array<string>, };

export type Parameter = { name: string, value: string, unit?: string | null, };

export type Transition = { on: string, to: string, };

export type FileNode = { id: string, name: string, 
/**
 * The line and the column.
 */
place?: [number, number], };

export type TreeInfo = { key: number, 
/**
 * The key of the first version of this tree.
 */
first: number, name: string, 
/**
 * As in recordings.
 */
fingerprint: string, nodes: Described[], 
/**
 * The numbers of the nodes, which are the same in all versions. In the first version, they are the ids.
 */
numbers?: Array<number>, 
/**
 * The names of the nodes that were removed with their breakpoints when this version replaced the one before.
 */
dropped?: Array<string>, 
/**
 * The bytes of each node's open and kept state.
 */
bytes?: Array<[number, number]>, 
/**
 * The folder that the locations of nodes are relative to.
 */
folder?: string, };

export type AgentInfo = { key: number, name: string, tree: number, status: Status | null, removed: boolean, 
/**
 * Whether the program continues without the agent, or a thread waits.
 */
held?: Held, 
/**
 * The node and the trigger, if a thread waits in the middle of a tick.
 */
at?: [number, Trigger], 
/**
 * What has changed, if the agent is held because of that.
 */
why?: string, 
/**
 * The running leaf, when the agent was observed last.
 */
running?: number, 
/**
 * When the agent is due, if it sleeps.
 */
asleep?: Asleep, 
/**
 * The values that can be edited.
 */
editable?: Array<Array<Step>>, 
/**
 * The stored past, if the program lets pages take the agent back.
 */
past?: PastInfo, 
/**
 * The contents of the columns.
 */
cells?: unknown[], };

/**
 * The past of an agent.
 */
export type PastInfo = { 
/**
 * The number of ticks between two snapshots; 0 if none are stored.
 */
every: number, 
/**
 * The first and the last tick with a snapshot.
 */
ticks: [number, number] | null, };

/**
 * Until when an agent sleeps.
 */
export type Asleep = { "until": number } | "event";

/**
 * A tick as bt-core records it.
 */
export type TickRecord = { agent: number, tick: number, now: number, status: Status | null, events: string, reasons?: Array<[number, string]>, 
/**
 * The number of events that were left out.
 */
cut?: number, };

export type TickInfo = { 
/**
 * The key of the version of the tree whose ids the tick has.
 */
tree: number, 
/**
 * The time of day, in seconds since 1970, in a page of a hub.
 */
at?: number, 
/**
 * All values shown next to the tick.
 */
values?: unknown, 
/**
 * The values that have changed since the previous tick, instead of all values.
 */
changes?: Record<string, unknown>, 
/**
 * The number of the tick before which the agent was like before this one.
 */
rewound?: number, agent: number, tick: number, now: number, status: Status | null, events: string, reasons?: Array<[number, string]>, 
/**
 * The number of events that were left out.
 */
cut?: number, };

export type StopInfo = { 
/**
 * The node and the trigger, if the agent is stopped in the middle of a tick.
 */
at: [number, Trigger] | null, 
/**
 * The key of the version of the tree of the current tick.
 */
tree: number | null, 
/**
 * What has changed, if the agent is held because of that.
 */
why: string | null, current: TickRecord | null, };

/**
 * A breakpoint of a node: what a page sets.
 */
export type Breakpoint = { node: number, 
/**
 * The events at which agents stop. Without any, the breakpoint is removed.
 */
on: Array<Trigger>, 
/**
 * The only agent that stops; without one, all agents of the tree do.
 */
agent: number | null, disabled: boolean, 
/**
 * The number of hits at which no agent stops.
 */
skip: number, 
/**
 * An expression over the values shown last. An agent only stops if it is `true`. Empty for none.
 */
condition: string, };

export type BreakpointInfo = { tree: number, hits: number, node: number, 
/**
 * The events at which agents stop. Without any, the breakpoint is removed.
 */
on: Array<Trigger>, 
/**
 * The only agent that stops; without one, all agents of the tree do.
 */
agent: number | null, disabled: boolean, 
/**
 * The number of hits at which no agent stops.
 */
skip: number, 
/**
 * An expression over the values shown last. An agent only stops if it is `true`. Empty for none.
 */
condition: string, };

/**
 * A value at whose changes agents stop: what a page sets.
 */
export type Watch = { 
/**
 * An expression over the shown values. An agent stops when a comparison becomes `true`, and at each change of any other value.
 */
expression: string, 
/**
 * The only agent that stops; without one, all agents of the tree do.
 */
agent: number | null, disabled: boolean, };

export type WatchInfo = { tree: number, hits: number, 
/**
 * An expression over the shown values. An agent stops when a comparison becomes `true`, and at each change of any other value.
 */
expression: string, 
/**
 * The only agent that stops; without one, all agents of the tree do.
 */
agent: number | null, disabled: boolean, };

/**
 * What all agents of a tree have done in a node.
 */
export type NodeOverview = { visits: number, runs: number, success: number, failure: number, running: number, error: number, halts: number, 
/**
 * The number of agents in which the node is running now.
 */
here: number, };

export type State = "success" | "failure" | "running" | "error" | "waiting" | "asleep" | "new";

export type Sort = "added" | "name" | "status" | "tree" | "running" | "machine" | { "column": number };

/**
 * What the list shows of each agent. A node is named by the key of its tree and its id.
 */
export type Column = { "value": Expression } | { "unchanged": Expression } | "leaf" | { "running": [number, number] } | { "visited": [number, number] };

/**
 * Which agents a page lists, and in which order: the content of its request `list`.
 */
export type Listing = { 
/**
 * Only agents whose name contains this text, in any case.
 */
search: string, 
/**
 * Only agents with one of these states. Empty for all.
 */
states: Array<State>, 
/**
 * Only agents of this tree, by the key of a version; in a requested listing, of the first one.
 */
tree: number | null, 
/**
 * Only agents in which this node was running when they were observed last; in a requested listing, as its lasting number.
 */
node: number | null, 
/**
 * Only agents for whose values this is true.
 */
filter: Expression | null, columns: Array<Column>, sort: Sort, descending: boolean, 
/**
 * The number of agents before the first listed one.
 */
from: number, 
/**
 * An agent that is listed if it matches, wherever `from` is.
 */
around: number | null, 
/**
 * Only agents of this machine. A hub reads it; a program is one machine.
 */
machine?: number | null, 
/**
 * A number that the list repeats, which identifies the request.
 */
id: number, };

/**
 * A request from a page.
 */
export type Request = { "select": number | null } | { "follow": Array<number> } | { "list": Listing } | { "pause": number | null } | { "resume": number | null } | { "step": number | null } | { "walk": { agent: number, how: Walk, } } | { "break": { tree: number, breakpoint: Breakpoint, } } | { "watch": { tree: number, watch: Watch, remove: boolean, } } | { "check": { agent: number, expression: string, 
/**
 * Whether it has to be `true` or `false`.
 */
condition: boolean, } } | { "past": { agent: number | null, every: number, } } | { "rewind": { agent: number, tick: number, all: boolean, 
/**
 * The time of day of the tick, in seconds since 1970, for the agents of other machines of a hub.
 */
at?: number | null, } } | { "rewindall": number } | { "test": { agent: number, from: number, to: number, } } | { "overview": number | null } | { "edit": { agent: number, path: Array<Step>, value: unknown, } };

/**
 * An update from the server.
 */
export type Update = { "hello": { recording: boolean, 
/**
 * A number that differs after a restart of the program.
 */
session: number, } } | { "loading": string | null } | { "trees": Array<TreeInfo> } | { "agents": { 
/**
 * That of the request.
 */
id: number, total: number, matching: number, 
/**
 * The number of matching agents before the first of `list`.
 */
from: number, list: Array<AgentInfo>, 
/**
 * All agents for which a thread waits, or that have stopped because of a value.
 */
waiting: Array<AgentInfo>, 
/**
 * The selected agent, even if the limited and filtered list does not contain it.
 */
selected: AgentInfo | null, 
/**
 * Whether all agents are held.
 */
held: boolean, 
/**
 * The number of requests of the page to pause, resume or step that precede this state.
 */
holds: number, } } | { "ticks": { agent: number, list: Array<TickInfo>, } } | { "pause": { agent: number, paused: boolean, stop: StopInfo | null, 
/**
 * As in the list of agents. A page ignores the state before its last request.
 */
holds: number, } } | { "present": { agent: number, values: unknown, } } | { "breakpoints": Array<BreakpointInfo> } | { "watches": Array<WatchInfo> } | { "checked": { expression: string, 
/**
 * Why it cannot be parsed.
 */
error: string | null, 
/**
 * What does not fit the values that are shown now. It may fit those of another time.
 */
warning: string | null, 
/**
 * The present value, if the agent has shown values.
 */
value: unknown, } } | { "test": string } | { "overview": { tree: number, agents: number, ticks: number, nodes: Array<NodeOverview>, } } | { "edited": { agent: number, path: Array<Step>, error: string | null, } } | { "lost": number } | { "error": string };

/**
 * The key of a document, in which a hub includes that of its machine.
 */
export type DocumentKey = number;

/**
 * What the list of documents shows.
 */
export type DocumentInfo = { key: DocumentKey, name: string, path: string | null, notation: Notation, 
/**
 * The key of the first version of the tree that the program names as the one of the document.
 */
tree: number | null, 
/**
 * The keys of the first versions of all trees with nodes that are written in it: its own first, then those that begin in it.
 */
trees: Array<number>, edit: boolean, write: boolean, 
/**
 * Whether agents follow the document.
 */
runs: boolean, fingerprint: string, saved: boolean, edited: boolean, applied: boolean, error: string | null, };

/**
 * A node that an editor offers.
 */
export type Entry = { 
/**
 * Its name: a word of `tree!`, or the name under which the program registers it.
 */
name: string, 
/**
 * Its kind.
 */
kind: EntryKind, 
/**
 * Whether it is a condition: a leaf that only reads the context.
 */
is_condition: boolean, 
/**
 * Where it comes from: `words`, or the module of the program.
 */
group: string, 
/**
 * Its documentation.
 */
doc: string, 
/**
 * A new node, without children, as the text of a tree: `cooldown(secs(1))`, `goto(speed = 1)`. It has the parameters that are required.
 */
insert: string, 
/**
 * Its parameters.
 */
params: Array<Param>, };

/**
 * The kind of a node.
 */
export type EntryKind = "composite" | "decorator" | "leaf" | "choice" | "machine" | "state";

/**
 * A parameter of a node: an argument in `tree!` and in texts, a property in files of the editor.
 */
export type Param = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its type.
 */
type: Type, 
/**
 * The unit of measurement, if there is one.
 */
unit: string | null, 
/**
 * The value of a new node as text, if it is known: `secs(1)`. That of an optional parameter is its default.
 */
default: string | null, 
/**
 * Whether a node must have it.
 */
required: boolean, 
/**
 * The least number.
 */
min: number | null, 
/**
 * The greatest number.
 */
max: number | null, 
/**
 * The names of its values. Numbers are possible too if the type is a number.
 */
choices: Array<string>, 
/**
 * Its documentation.
 */
doc: string, };

/**
 * The type of a parameter.
 */
export type Type = "integer" | "number" | "probability" | "time" | "boolean" | "choice" | "text" | "variable" | "list" | "expression";

/**
 * The kind of a node.
 */
export type NodeKind = "composite" | "decorator" | "leaf" | "choice" | "machine" | "state" | "transition" | "hook" | "rust";

/**
 * An argument as a page shows it, or a parameter without an argument.
 */
export type ArgumentView = { name: string | null, 
/**
 * The text; empty for a parameter without an argument.
 */
text: string, type: Type, unit: string | null, };

/**
 * A list of children as a page shows it.
 */
export type ListView = { before: string, children: Array<NodeView>, };

/**
 * A node as a page shows it.
 */
export type NodeView = { id: number, name: string, kind: NodeKind, head: string, arguments: Array<ArgumentView>, before: string, label: string | null, note: string, disabled: boolean, 
/**
 * The place of its head in the current text of the file: line and column.
 */
place: string | null, 
/**
 * Its id in a file of the editor.
 */
fileid: string | null, lists: Array<ListView>, 
/**
 * The tree of the document that it names.
 */
uses: number | null, 
/**
 * The names of operations that depend on the node: `unwrap`, `extract`, `inline`.
 */
can: Array<string>, };

/**
 * A tree as a page shows it.
 */
export type TreeView = { id: number, name: string, title: string | null, 
/**
 * The reason why the tree cannot be changed.
 */
broken: string | null, root: NodeView | null, loose: Array<NodeView>, };

/**
 * An error or a warning about a node, or about a tree.
 */
export type Problem = { 
/**
 * The node, unless it is about a tree as a whole.
 */
node: number | null, 
/**
 * The index of the affected argument of the node.
 */
argument: number | null, message: string, 
/**
 * Whether the tree can run despite the problem.
 */
warning: boolean, };

/**
 * Two versions of a document that cannot be merged.
 */
export type Conflict = { base: string, mine: string, theirs: string, reasons: Array<string>, };

/**
 * The document that a page has opened.
 */
export type DocumentState = { key: DocumentKey, version: number, trees: Array<TreeView>, problems: Array<Problem>, 
/**
 * The name of what can be undone.
 */
undo: string | null, redo: string | null, applied: boolean, saved: boolean, auto: boolean, difference: string, conflict: Conflict | null, 
/**
 * Why the document was not saved.
 */
error: string | null, };

/**
 * An update about documents.
 */
export type DocumentUpdate = { "documents": Array<DocumentInfo> } | { "palette": { document: DocumentKey, entries: Array<Entry>, } } | { "document": DocumentState };

/**
 * A place of a node.
 */
export type At = { "before": number } | { "after": number } | { in: number, list: number, index: number, } | { tree: number, };

/**
 * A change of a document. Nodes and trees are identified by their ids.
 */
export type Operation = { "op": "insert", text: string, at: At, } | { "op": "delete", nodes: Array<number>, } | { "op": "duplicate", nodes: Array<number>, } | { "op": "move", nodes: Array<number>, at: At, } | { "op": "wrap", nodes: Array<number>, head: string, } | { "op": "unwrap", node: number, } | { "op": "replace", node: number, head: string, } | { "op": "argument", node: number, index?: number | null, name?: string | null, value: string | null, } | { "op": "annotate", node: number, before: string, } | { "op": "label", node: number, label: string | null, } | { "op": "note", node: number, text: string, } | { "op": "disable", nodes: Array<number>, } | { "op": "enable", nodes: Array<number>, } | { "op": "extract", node: number, name: string, } | { "op": "inline", node: number, } | { "op": "create", name: string, text?: string | null, } | { "op": "rename", tree: number, name: string, } | { "op": "remove", tree: number, };

/**
 * A language that a tree can be written in.
 */
export type Language = "rust" | "json";

/**
 * Which version a conflict ends with.
 */
export type Keep = "mine" | "theirs";

/**
 * A request of a page about documents, which are named by their keys.
 */
export type EditRequest = { "open": DocumentKey | null } | { "change": { document: DocumentKey, operations: Array<Operation>, } } | { "undo": DocumentKey } | { "redo": DocumentKey } | { "try": { document: DocumentKey, 
/**
 * A number that the answer repeats.
 */
id: number, operation: Operation, } } | { "copy": { document: DocumentKey, id: number, nodes: Array<number>, } } | { "source": { document: DocumentKey, id: number, tree: number, as: Language, } } | { "auto": { document: DocumentKey, on: boolean, } } | { "apply": DocumentKey } | { "save": DocumentKey } | { "resolve": { document: DocumentKey, keep: Keep, } } | { "text": DocumentKey } | { "adopt": { document: DocumentKey, from: string, text: string, 
/**
 * Whether the file is saved, too.
 */
save: boolean, } };

/**
 * The answer to a request.
 */
export type EditAnswer = { "changed": { document: DocumentKey, 
/**
 * The nodes to select.
 */
select: Array<number>, } } | { "tried": { id: number, error: string | null, problems: Array<Problem>, } } | { "copied": { id: number, text: string, } } | { "source": { id: number, text: string, error: string | null, } } | { "refused": { document: DocumentKey, message: string, } } | { "text": { document: DocumentKey, text: string, 
/**
 * Whether the program runs it.
 */
applied: boolean, } } | { "adopted": { document: DocumentKey, 
/**
 * The fingerprint of the text that was sent, and of the one that the document has now.
 */
sent: string, fingerprint: string, error: string | null, } };

/** How a document is written. */
export type Notation = "rust" | "text" | "json" | "xml";
