// Saving recordings as files.

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

/** The same document as `bt-inspector --html` writes; see `src/files.rs`. */
function inOneFile(style: string, script: string, recording: string): string {
  return [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>bt-inspector</title>\n',
    `<style id="style">${style}</style>\n</head>\n<body>\n<div id="app"></div>\n`,
    // In JSON, `<` occurs in texts only.
    `<script type="application/json" id="recording">${recording.replaceAll("<", "\\u003c")}</script>\n`,
    `<script id="script">${script.replaceAll("</script", "<\\/script")}</script>\n</body>\n</html>\n`,
  ].join("");
}
