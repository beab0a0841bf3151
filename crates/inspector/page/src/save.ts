// Saving recordings as files.

import template from "../standalone.html";

/** Offers a text to the user as a file. */
export function download(name: string, text: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Returns a document that contains the page and a recording. */
export async function standalone(recording: string): Promise<string> {
  // The parts of the page: in such a document itself, or from the server.
  const part = async (id: string, path: string) => document.getElementById(id)?.textContent ?? (await (await fetch(path + location.search)).text());
  const [style, script] = [await part("style", "/page.css"), await part("script", "/page.js")];
  return inOneFile(style, script, recording);
}

/** Fills the document as `src/files.rs` does. In JSON, `<` occurs in texts only. */
function inOneFile(style: string, script: string, recording: string): string {
  const parts: Record<string, string> = { style, recording: recording.replaceAll("<", "\\u003c"), script: script.replaceAll("</script", "<\\/script") };
  return template.replace(/<!--(\w+)-->/g, (_, part) => parts[part]);
}
