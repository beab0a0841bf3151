// The page: handles updates from the server, draws the state, and sends requests.

import { AgentList } from "/agents.js";
import { Breakpoints } from "/breakpoints.js";
import { TickHistory, View, read, sleep } from "/model.js";
import { download, recording } from "/recording.js";
import { Timeline } from "/timeline.js";
import { TreeView } from "/tree.js";
import { show as showValues } from "/values.js";

const $ = (id) => document.getElementById(id);

const state = {
  trees: [],
  selected: null, // key of the selected agent
  agent: null, // its information from the server
  history: null,
  view: null,
  shown: null, // index of the shown tick; null for the latest
  paused: false,
  stop: null,
  recording: false,
  waiting: [], // the agents that wait for a page
  lost: false, // whether the connection is lost; the ticks stay
  session: null, // differs after a restart of the program
  restarted: false,
  wanted: null, // name of the agent that was selected before the program was restarted
  before: [], // the trees before the connection was lost
};
let socket = null;
let dirty = true;

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

const breakpoints = new Breakpoints($("breakpoints"), send, showNode);
const tree = new TreeView($("tree"), breakpoints);
const timeline = new Timeline($("timeline"), goTo);
const agents = new AgentList({ list: $("list"), count: $("count"), search: $("search") }, select, (search) => send({ search }));

function connect() {
  socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/live${location.search}`);
  socket.onopen = () => {
    $("connection").textContent = "connected";
    state.lost = false;
    $("connection").className = "";
    if ($("search").value.trim()) send({ search: $("search").value.trim() });
  };
  socket.onmessage = (event) => {
    const [[kind, content]] = Object.entries(read(event.data));
    handlers[kind]?.(content);
    dirty = true;
  };
  socket.onclose = () => {
    $("connection").textContent = "connection lost; reconnecting…";
    $("connection").className = "lost";
    state.lost = true;
    state.stop = null;
    dirty = true;
    setTimeout(connect, 1000);
  };
}

/** The handlers of updates, by kind. */
const handlers = {
  hello({ recording, session }) {
    // A program that has been restarted has other agents, and none of the breakpoints.
    state.restarted = state.session !== null && state.session !== session;
    state.session = session;
    state.before = state.trees;
    state.trees = [];
    if (state.restarted) {
      state.wanted = state.agent?.name ?? null;
      Object.assign(state, { selected: null, agent: null });
      if (state.wanted !== null) send({ search: state.wanted });
    } else if (state.selected !== null) select(state.selected, true);
    state.recording = recording;
    $("controls").hidden = recording;
    $("live").hidden = recording;
    if (recording) $("connection").textContent = "recording";
  },
  trees(list) {
    for (const info of list) state.trees[info.key] = info;
    if (state.restarted) breakpoints.restore(state.trees, state.before);
    state.restarted = false;
  },
  agents(content) {
    agents.show(content, state.trees);
    const waits = content.list.filter((agent) => agent.waiting);
    const waiting = waits.find((agent) => agent.key !== state.selected && !state.waiting.some((one) => one.key === agent.key));
    state.waiting = waits;
    // The list is limited and filtered, so it may not contain the selected agent.
    const selected = [content.selected, ...content.list].find((agent) => agent?.key === state.selected);
    if (selected) state.agent = selected;
    // An agent with another tree has taken the place of the selected one.
    const successor = selected?.removed && content.list.find((agent) => agent.name === selected.name && !agent.removed);
    if (successor) return select(successor.key);
    // Select an agent that has reached a breakpoint.
    if (waiting && !state.agent?.waiting) select(waiting.key);
    else if (state.selected === null && content.list.length) {
      const same = content.list.find((agent) => agent.name === state.wanted);
      select((same ?? content.list[0]).key);
      // The search was for the agent that was selected before the program was restarted.
      if (state.wanted !== null) send({ search: $("search").value.trim() });
      state.wanted = null;
    }
  },
  breakpoints(list) {
    breakpoints.show(list, state.trees, agents.agents);
  },
  lost(key) {
    if (key === state.selected) Object.assign(state, { selected: null, agent: null });
  },
  ticks({ agent, list }) {
    if (agent !== state.selected) return;
    state.history.add(list);
    if (state.shown !== null && state.shown < state.history.first) state.shown = state.history.first;
  },
  pause({ agent, paused, stop }) {
    if (agent !== state.selected) return;
    const stopped = stop?.at && !state.stop?.at;
    Object.assign(state, { paused, stop });
    if (stopped) state.shown = null;
  },
  error(message) {
    $("notice").textContent = message;
  },
};

function select(key, again) {
  if (key === state.selected && !again) return;
  Object.assign(state, { selected: key, history: new TickHistory(state.recording), view: null, shown: null, paused: false, stop: null });
  state.agent = agents.agents.find((agent) => agent.key === key) ?? (again ? state.agent : null);
  agents.mark(key);
  send({ select: key });
  dirty = true;
}

/** Shows a node of a tree: of the selected agent, or of another agent if it has another tree. */
function showNode(key, node) {
  if (state.agent?.tree !== key) {
    const other = agents.agents.find((agent) => agent.tree === key);
    if (!other) return;
    select(other.key);
    state.agent = other;
    tree.show(state.trees[key], !state.recording);
  }
  tree.activate(node);
}

function goTo(index) {
  if (!state.history?.ticks.length) return;
  const last = state.history.end - 1;
  state.shown = index === null ? null : Math.min(Math.max(index, state.history.first), last);
  if (state.shown === last && !state.recording && !state.paused) state.shown = null;
  dirty = true;
}

function goBy(ticks) {
  if (state.history) goTo((state.shown ?? state.history.end - 1) + ticks);
}

/** Redraws if the state has changed, at most once per frame. */
function draw() {
  requestAnimationFrame(draw);
  if (!dirty) return;
  const { history, selected, agent } = state;
  const info = agent && state.trees[agent.tree];
  $("pause").textContent = state.paused ? "resume" : "pause";
  $("pause").classList.toggle("on", state.paused);
  $("pause").disabled = $("step").disabled = selected === null || state.lost;
  $("save").disabled = !history?.ticks.length;
  $("live").classList.toggle("on", state.shown === null);
  if (!history || !info) {
    dirty = false;
    return;
  }
  dirty = false;
  if (!tree.info || tree.info !== info) {
    tree.show(info, !state.recording);
    state.view = null;
  }
  state.view ??= new View(info.nodes.length);
  tree.agent = agent;
  const live = state.shown === null;
  const index = live ? history.end - 1 : state.shown;
  const extra = live ? (state.stop?.current ?? null) : null;
  state.view.go(history, index, extra);
  const at = live && state.stop?.at ? state.stop.at[0] : null;
  tree.update(state.view, at, $("heat").checked);
  timeline.draw(history, history.ticks.length ? index : null, live, Boolean(state.stop?.at));
  $("agent").textContent = agent.name;
  $("where").textContent = where(info);
  const tick = extra ?? history.at(index);
  $("tick").textContent = tick ? tickText(tick, history) : "no ticks yet";
  showValues($("shown"), history.values(index), history.values(index - 1));
}

/** Returns the number and the time of a tick, and the number of ticks before it that were not received. */
function tickText(tick, history) {
  const count = Math.max(tick.tick, history.ticks.at(-1)?.tick ?? 0) + 1;
  const missed = tick.missed ? `, after ${tick.missed} ticks that were not watched` : "";
  return `tick ${tick.tick} of ${count}, at ${tick.now.toFixed(2)} s${missed}`;
}

function where(info) {
  if (state.stop?.at) {
    const [node, on] = state.stop.at;
    return `stopped at ${info.nodes[node].name}: ${on}`;
  }
  if (state.stop) return "paused before its next tick";
  // A program with one thread stands still until it is resumed.
  const other = state.waiting.find((agent) => agent.key !== state.selected);
  if (other && state.shown === null) return `${info.name}; ${other.name} waits: the program may stand still`;
  const asleep = state.shown === null ? sleep(state.agent, info, state.view) : null;
  return asleep ? `${info.name}, ${asleep}` : info.name;
}

$("pause").addEventListener("click", () => {
  $("notice").textContent = "";
  send(state.paused ? { resume: state.selected } : { pause: state.selected });
  goTo(null);
});
$("step").addEventListener("click", () => {
  send({ step: state.selected });
  goTo(null);
});
$("live").addEventListener("click", () => goTo(null));
$("save").addEventListener("click", () => {
  const info = state.agent && state.trees[state.agent.tree];
  if (!info || !state.history?.ticks.length) return;
  download(`${state.agent.name.replace(/[^\p{L}\p{N}]+/gu, "-")}.jsonl`, recording(info, state.agent, state.history));
});
$("remove").addEventListener("click", () => breakpoints.removeAll());
$("expand").addEventListener("click", () => tree.foldAll(Infinity));
$("collapse").addEventListener("click", () => tree.foldAll(2));
$("heat").addEventListener("change", () => (dirty = true));
addEventListener("resize", () => (dirty = true));

const KEYS = {
  " ": () => $("pause").click(),
  n: () => $("step").click(),
  ArrowLeft: () => goBy(-1),
  ArrowRight: () => goBy(1),
  ",": () => goBy(-1),
  ".": () => goBy(1),
  Home: () => goTo(state.history?.first ?? 0),
  End: () => goTo(null),
};
addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  // A text field takes all keys, and a control those that operate it.
  if (event.target.matches("input[type=search]")) return;
  if (event.target.matches("button, input") && (event.key === " " || event.key === "Enter")) return;
  const act = KEYS[event.key];
  if (act) {
    event.preventDefault();
    act();
  }
});

function setDark(dark) {
  document.documentElement.classList.toggle("dark", dark);
  localStorage.setItem("dark", dark ? "yes" : "no");
  dirty = true;
}
const dark = localStorage.getItem("dark") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "yes" : "no");
setDark(dark === "yes");
$("theme").addEventListener("click", () => setDark(!document.documentElement.classList.contains("dark")));

connect();
requestAnimationFrame(draw);
