// The page: handles updates from the server, draws the state, and sends requests.

import { AgentList } from "/agents.js";
import { TickHistory, View, read, sleep } from "/model.js";
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
};
let socket = null;
let dirty = true;

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

const tree = new TreeView($("tree"), send);
const timeline = new Timeline($("timeline"), goTo);
const agents = new AgentList({ list: $("list"), count: $("count"), search: $("search") }, select, (search) => send({ search }));

function connect() {
  socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/live${location.search}`);
  socket.onopen = () => {
    $("connection").textContent = "connected";
    $("connection").className = "";
    state.trees = [];
    if ($("search").value.trim()) send({ search: $("search").value.trim() });
    tree.sendBreakpoints();
    if (state.selected !== null) select(state.selected, true);
  };
  socket.onmessage = (event) => {
    const [[kind, content]] = Object.entries(read(event.data));
    handlers[kind]?.(content);
    dirty = true;
  };
  socket.onclose = () => {
    $("connection").textContent = "connection lost; reconnecting…";
    $("connection").className = "lost";
    state.stop = null;
    dirty = true;
    setTimeout(connect, 1000);
  };
}

/** The handlers of updates, by kind. */
const handlers = {
  hello({ recording }) {
    state.recording = recording;
    $("controls").hidden = recording;
    $("live").hidden = recording;
    if (recording) $("connection").textContent = "recording";
  },
  trees(list) {
    for (const info of list) state.trees[info.key] = info;
  },
  agents(content) {
    agents.show(content, state.trees);
    const waiting = content.list.find((agent) => agent.waiting && agent.key !== state.selected);
    // The list is limited and filtered, so it may not contain the selected agent.
    const selected = [content.selected, ...content.list].find((agent) => agent?.key === state.selected);
    if (selected) state.agent = selected;
    // Select an agent that has reached a breakpoint.
    if (waiting && !state.agent?.waiting) select(waiting.key);
    else if (state.selected === null && content.list.length) select(content.list[0].key);
  },
  lost(key) {
    if (key === state.selected) Object.assign(state, { selected: null, agent: null });
  },
  ticks({ agent, dropped, list }) {
    if (agent !== state.selected) return;
    state.history.add(list, dropped);
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

function goTo(index) {
  if (!state.history?.ticks.length) return;
  const last = state.history.end - 1;
  state.shown = index === null ? null : Math.min(Math.max(index, state.history.first), last);
  if (state.shown === last && !state.recording && !state.paused) state.shown = null;
  dirty = true;
}

/** Redraws if the state has changed, at most once per frame. */
function draw() {
  requestAnimationFrame(draw);
  if (!dirty) return;
  const { history, selected, agent } = state;
  const info = agent && state.trees[agent.tree];
  $("pause").textContent = state.paused ? "resume" : "pause";
  $("pause").classList.toggle("on", state.paused);
  $("pause").disabled = $("step").disabled = selected === null;
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
  $("tick").textContent = tick ? `tick ${tick.tick} of ${Math.max(tick.tick, history.ticks.at(-1)?.tick ?? 0) + 1}, at ${tick.now.toFixed(2)} s${history.dropped ? `, ${history.dropped} dropped` : ""}` : "no ticks yet";
  showValues($("shown"), history.values(index), history.values(index - 1));
}

function where(info) {
  if (state.stop?.at) {
    const [node, on] = state.stop.at;
    return `stopped at ${info.nodes[node].name}: ${on}`;
  }
  if (state.stop) return "paused before its next tick";
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
$("expand").addEventListener("click", () => tree.foldAll(Infinity));
$("collapse").addEventListener("click", () => tree.foldAll(2));
$("heat").addEventListener("change", () => (dirty = true));
addEventListener("resize", () => (dirty = true));

const KEYS = {
  " ": () => $("pause").click(),
  n: () => $("step").click(),
  ArrowLeft: () => goTo((state.shown ?? state.history?.end - 1) - 1),
  ArrowRight: () => goTo((state.shown ?? state.history?.end - 1) + 1),
  Home: () => goTo(state.history?.first ?? 0),
  End: () => goTo(null),
};
addEventListener("keydown", (event) => {
  if (event.target.matches("input, button") || event.ctrlKey || event.metaKey || event.altKey) return;
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
