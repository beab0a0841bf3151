// Where updates come from: the server, the window around the page, or a recording inside the page.

import { type AgentInfo, type Listing, type Request, type Updates, read, write } from "./model/protocol";
import { overviewOf } from "./model/overview";
import { parseRecording } from "./model/recording";

/** The maximum size of a message in bytes, as in `src/protocol/mod.rs`. */
const MAX_MESSAGE = 16 * 1024;
/** That of a page with the token, which may edit. */
const MAX_EDIT = 256 * 1024;

export interface Source {
  /** Sends a request. Returns whether it was small enough. */
  send(request: Request): boolean;
  /** Whether a server evaluates expressions. */
  evaluates: boolean;
}

export type Receive = <K extends keyof Updates>(kind: K, content: Updates[K]) => void;

/** Whether the server is there: it refuses a page whose token is that of an earlier run. */
export type Connected = "connected" | "lost" | "refused";

function deliver(text: string, receive: Receive): void {
  for (const [kind, content] of Object.entries(read(text) as Partial<Updates>)) receive(kind as keyof Updates, content as never);
}

/** Connects to the program: the window around the page if the document says so, else the server. */
export function connect(receive: Receive, changed: (connected: Connected) => void): Source {
  const program = document.querySelector<HTMLMetaElement>("meta[name=bt-program]")?.content;
  return program === "parent" ? connectToParent(receive, changed) : connectToServer(receive, changed);
}

/** Connects to a program in the window around the page, which sends a port for the messages. */
function connectToParent(receive: Receive, changed: (connected: Connected) => void): Source {
  let port: MessagePort | undefined;
  // The window may not listen yet: it is asked until it answers.
  const ask = () => parent.postMessage("bt-inspector", location.origin);
  const asks = setInterval(ask, 200);
  ask();
  addEventListener("message", ({ source, data, ports }) => {
    // A page that was opened by itself asks itself.
    if (source !== parent || data !== "bt-inspector" || !ports[0]) return;
    clearInterval(asks);
    [port] = ports;
    port.onmessage = ({ data }) => (data === null ? changed("lost") : deliver(data, receive));
    changed("connected");
  });
  return {
    evaluates: true,
    send(request) {
      const text = write(request);
      if (new TextEncoder().encode(text).length > MAX_EDIT) return false;
      port?.postMessage(text);
      return true;
    },
  };
}

/** Connects to the server, and again whenever the connection is lost. */
function connectToServer(receive: Receive, changed: (connected: Connected) => void): Source {
  let socket: WebSocket;
  const most = new URLSearchParams(location.search).has("token") ? MAX_EDIT : MAX_MESSAGE;
  const open = () => {
    socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/live${location.search}`);
    let wasOpen = false;
    socket.onopen = () => {
      wasOpen = true;
      changed("connected");
    };
    socket.onmessage = (event) => deliver(event.data, receive);
    socket.onclose = async () => {
      // A page does not learn why a socket was not opened.
      const isRefused = !wasOpen && (await fetch(`/${location.search}`, { cache: "no-store" }).then(({ status }) => status === 403, () => false));
      changed(isRefused ? "refused" : "lost");
      if (!isRefused) setTimeout(open, 1000);
    };
  };
  open();
  return {
    evaluates: true,
    send(request) {
      const text = write(request);
      if (new TextEncoder().encode(text).length > most) return false;
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
      return true;
    },
  };
}

/** Answers requests from a recording. */
export function embedded(text: string, receive: Receive): Source {
  const { trees, names, ticks, dropped } = parseRecording(text);
  const tree = trees.at(-1)!;
  const agents: AgentInfo[] = [...ticks].map(([key, list]) => {
    const status = list.findLast((tick) => tick.status !== null)?.status ?? null;
    return { key, name: names.get(key) ?? `${tree.name} ${key}`, tree: tree.key, status, removed: false };
  });
  const list = (listing: Partial<Listing>) => {
    const search = listing.search?.toLowerCase() ?? "";
    const states = listing.states ?? [];
    const found = agents.filter((agent) => agent.name.toLowerCase().includes(search) && (!states.length || states.some((state) => state === (agent.status?.toLowerCase() ?? "new"))));
    const compare = new Intl.Collator(undefined, { numeric: true }).compare;
    if (listing.sort === "name") found.sort((a, b) => compare(a.name, b.name));
    if (listing.sort === "status") found.sort((a, b) => compare(a.status ?? "", b.status ?? ""));
    if (listing.descending) found.reverse();
    receive("agents", { id: listing.id ?? 0, total: agents.length, matching: found.length, from: 0, list: found, waiting: [], selected: null, held: false, holds: 0 });
  };
  const send = (agent: number) => receive("ticks", { agent, list: ticks.get(agent) ?? [] });
  queueMicrotask(() => {
    receive("hello", { recording: true, session: 0 });
    receive("trees", trees);
    list({});
    const more = dropped.length > 1 ? `, and ${dropped.length - 1} more` : "";
    if (dropped.length) receive("error", `dropped ${dropped[0]}${more}`);
  });
  return {
    evaluates: false,
    send(request) {
      if ("select" in request && request.select !== null) send(request.select);
      else if ("follow" in request) request.follow.forEach(send);
      else if ("list" in request) list(request.list);
      else if ("overview" in request && request.overview !== null) receive("overview", overviewOf(tree, trees, ticks.values()));
      return true;
    },
  };
}

