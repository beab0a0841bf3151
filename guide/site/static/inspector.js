// The inspector's page beside a program: carries the messages between them.

/** The time between two updates of the page, in milliseconds. */
const FRAME = 33;

/** Shows a program in a frame, beginning with an agent. `received` is called after each message of the page. Returns a function that tells the page that the program has stopped. */
export function inspect(frame, program, agent, received = () => {}) {
  /** The port of the connected page. */
  let port = null;
  // The page may ask before the program is there, or again after it was reloaded.
  addEventListener("message", ({ source, data }) => {
    if (source !== frame.contentWindow || data !== "bt-inspector") return;
    const channel = new MessageChannel();
    port?.close();
    port = channel.port1;
    program.connect();
    port.onmessage = ({ data }) => {
      program.receive(data);
      received();
    };
    frame.contentWindow.postMessage("bt-inspector", location.origin, [channel.port2]);
  });
  frame.src = `../inspector/index.html#${encodeURIComponent(agent)}`;
  setInterval(() => {
    for (const text of program.updates(performance.now())) port?.postMessage(text);
  }, FRAME);
  setInterval(() => program.maintain(performance.now()), 1000);
  return () => port?.postMessage(null);
}
