// The colors of the style sheet, for canvases.

/** Returns a function that looks up a color by its name. Reading one from the document takes long, so it is kept while one picture is drawn. */
export function colors(): (name: string) => string {
  const style = getComputedStyle(document.documentElement);
  const known = new Map<string, string>();
  return (name) => {
    if (!known.has(name)) known.set(name, style.getPropertyValue(`--${name}`));
    return known.get(name)!;
  };
}
