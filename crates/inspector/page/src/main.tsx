// The page: connects to the server or reads the recording inside the document, and draws the state.

import { render } from "preact";
import "../style/page.css";
import { connect, embedded } from "./connection";
import { bindKeys } from "./keys";
import { readLink } from "./link";
import { Page } from "./page";
import { Receiver } from "./updates";
import { App } from "./ui/App";

const root = document.getElementById("app")!;
const page: Page = new Page(() => {
  document.documentElement.classList.toggle("dark", page.settings.dark);
  render(<App page={page} />, root);
});

const receiver = new Receiver(page);
const recording = document.getElementById("recording");
try {
  page.source = recording ? embedded(recording.textContent!, (...update) => receiver.receive(...update)) : connect((...update) => receiver.receive(...update), (connection) => receiver.connected(connection));
} catch (error) {
  page.notice = `the recording cannot be read: ${(error as Error).message}`;
}
bindKeys(page);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ({ matches }) => page.followScheme(matches));
addEventListener("hashchange", () => page.follow(readLink(location.hash)));
addEventListener("resize", () => page.changed());
page.changed();
