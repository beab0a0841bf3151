// The inspector's page beside a program: carries the messages between them.

/** The time between two updates of the page, in milliseconds. */
const FRAME = 33;

/** The inspector's page in a frame. It is loaded at once, and connected as soon as there is a program. */
export class InspectorFrame {
  #frame;
  #program = null;
  #received;
  /** Whether the page has asked for a program. */
  #asked = false;
  /** The port of the connected page. */
  #port = null;

  /** Loads the page; it will select `agent`. */
  constructor(frame, agent) {
    this.#frame = frame;
    // The page asks once, and again when it is reloaded.
    addEventListener("message", ({ source, data }) => {
      if (source !== frame.contentWindow || data !== "bt-inspector") return;
      this.#asked = true;
      this.#connect();
    });
    frame.src = `../inspector/index.html#${encodeURIComponent(agent)}`;
  }

  /** Shows a program from now on. `received` is called after each message of the page. */
  show(program, received = () => {}) {
    this.#program = program;
    this.#received = received;
    this.#connect();
    setInterval(() => {
      for (const text of program.updates(performance.now())) this.#port?.postMessage(text);
    }, FRAME);
    setInterval(() => program.maintain(performance.now()), 1000);
  }

  /** Tells the page that the program has stopped. */
  stop() {
    this.#port?.postMessage(null);
  }

  #connect() {
    if (!this.#asked || this.#program === null) return;
    const channel = new MessageChannel();
    this.#port?.close();
    this.#port = channel.port1;
    this.#program.connect();
    this.#port.onmessage = ({ data }) => {
      this.#program.receive(data);
      this.#received();
    };
    this.#frame.contentWindow.postMessage("bt-inspector", location.origin, [channel.port2]);
  }
}
