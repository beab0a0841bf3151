// The page: what comes from the program, what is shown of it, what is asked for.

import { AgentList } from "/agents.js";
import { Past, View, read } from "/model.js";
import { Timeline } from "/timeline.js";
import { TreeView } from "/tree.js";
import { show as showValues } from "/values.js";

const $ = (id) => document.getElementById(id);

const state = {
  trees: [],
  chosen: null, // an agent's key
  agent: null, // what is known of it
  past: null,
  view: null,
  shown: null, // the place of the tick that is shown; null for the last
  paused: false,
  stop: null,
  recording: false,
};
let socket = null;
let dirty = true;

function ask(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

const tree = new TreeView($("tree"), ask);
const timeline = new Timeline($("timeline"), goTo);
const agents = new AgentList({ list: $("list"), count: $("count"), search: $("search") }, choose, (search) => ask({ search }));

function connect() {
  socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/live${location.search}`);
  socket.onopen = () => {
    $("connection").textContent = "connected";
    $("connection").className = "";
    state.trees = [];
    if ($("search").value.trim()) ask({ search: $("search").value.trim() });
    tree.sendBreaks();
    if (state.chosen !== null) choose(state.chosen, true);
  };
  socket.onmessage = (event) => {
    const [[kind, content]] = Object.entries(read(event.data));
    told[kind]?.(content);
    dirty = true;
  };
  socket.onclose = () => {
    $("connection").textContent = "the program is gone; trying again …";
    $("connection").className = "lost";
    state.stop = null;
    dirty = true;
    setTimeout(connect, 1000);
  };
}

/** What the server tells. */
const told = {
  hello({ recording }) {
    state.recording = recording;
    $("controls").hidden = recording;
    $("live").hidden = recording;
    if (recording) $("connection").textContent = "a recording";
  },
  trees(list) {
    for (const info of list) state.trees[info.key] = info;
  },
  agents(content) {
    agents.show(content, state.trees);
    const waits = content.list.find((agent) => agent.waits && agent.key !== state.chosen);
    // The list is limited and searched: it need not contain the chosen agent.
    const chosen = [content.chosen, ...content.list].find((agent) => agent?.key === state.chosen);
    if (chosen) state.agent = chosen;
    // Select an agent that has reached a breakpoint.
    if (waits && !state.agent?.waits) choose(waits.key);
    else if (state.chosen === null && content.list.length) choose(content.list[0].key);
  },
  lost(key) {
    if (key === state.chosen) Object.assign(state, { chosen: null, agent: null });
  },
  ticks({ agent, dropped, list }) {
    if (agent !== state.chosen) return;
    state.past.add(list, dropped);
    if (state.shown !== null && state.shown < state.past.first) state.shown = state.past.first;
  },
  turn({ agent, paused, stop }) {
    if (agent !== state.chosen) return;
    const stopped = stop?.at && !state.stop?.at;
    Object.assign(state, { paused, stop });
    if (stopped) state.shown = null;
  },
  error(message) {
    $("notice").textContent = message;
  },
};

function choose(key, again) {
  if (key === state.chosen && !again) return;
  Object.assign(state, { chosen: key, past: new Past(state.recording), view: null, shown: null, paused: false, stop: null });
  state.agent = agents.agents.find((agent) => agent.key === key) ?? (again ? state.agent : null);
  agents.mark(key);
  ask({ choose: key });
  dirty = true;
}

function goTo(place) {
  if (!state.past?.ticks.length) return;
  const last = state.past.end - 1;
  state.shown = place === null ? null : Math.min(Math.max(place, state.past.first), last);
  if (state.shown === last && !state.recording && !state.paused) state.shown = null;
  dirty = true;
}

/** Draws what there is, at most once for each frame of the screen. */
function draw() {
  requestAnimationFrame(draw);
  if (!dirty) return;
  const { past, chosen, agent } = state;
  const info = agent && state.trees[agent.tree];
  $("pause").textContent = state.paused ? "go on" : "pause";
  $("pause").classList.toggle("on", state.paused);
  $("pause").disabled = $("step").disabled = chosen === null;
  $("live").classList.toggle("on", state.shown === null);
  if (!past || !info) {
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
  const place = live ? past.end - 1 : state.shown;
  const extra = live ? (state.stop?.current ?? null) : null;
  state.view.go(past, place, extra);
  const at = live && state.stop?.at ? state.stop.at[0] : null;
  tree.update(state.view, at, $("heat").checked);
  timeline.draw(past, past.ticks.length ? place : null, live, Boolean(state.stop?.at));
  $("agent").textContent = agent.name;
  $("where").textContent = where(info);
  const tick = extra ?? past.at(place);
  $("tick").textContent = tick ? `tick ${tick.tick} of ${Math.max(tick.tick, past.ticks.at(-1)?.tick ?? 0) + 1}, at ${tick.now.toFixed(2)} s${past.dropped ? `, ${past.dropped} left out` : ""}` : "no tick yet";
  showValues($("shown"), past.values(place), past.values(place - 1));
}

function where(info) {
  if (state.stop?.at) {
    const [node, on] = state.stop.at;
    return `stopped at ${info.nodes[node].name}: ${on}`;
  }
  return state.stop ? "waits for its next tick" : info.name;
}

$("pause").addEventListener("click", () => {
  $("notice").textContent = "";
  ask(state.paused ? { resume: state.chosen } : { pause: state.chosen });
  goTo(null);
});
$("step").addEventListener("click", () => {
  ask({ step: state.chosen });
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
  ArrowLeft: () => goTo((state.shown ?? state.past?.end - 1) - 1),
  ArrowRight: () => goTo((state.shown ?? state.past?.end - 1) + 1),
  Home: () => goTo(state.past?.first ?? 0),
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

function paint(dark) {
  document.documentElement.classList.toggle("dark", dark);
  localStorage.setItem("dark", dark ? "yes" : "no");
  dirty = true;
}
const wanted = localStorage.getItem("dark") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "yes" : "no");
paint(wanted === "yes");
$("theme").addEventListener("click", () => paint(!document.documentElement.classList.contains("dark")));

connect();
requestAnimationFrame(draw);
