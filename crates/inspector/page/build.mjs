// Bundles the page into dist/, which the crate contains, with the licenses of the packages in it. `npm run build`.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const options = {
  entryPoints: { page: "src/main.tsx" },
  bundle: true,
  minify: true,
  loader: { ".html": "text" },
  charset: "utf8",
  target: "es2022",
  format: "iife",
  jsx: "automatic",
  jsxImportSource: "preact",
  outdir: "dist",
};

/** The packages in the bundle. */
const { metafile } = await build({ ...options, write: false, metafile: true });
const names = new Set(Object.keys(metafile.inputs).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []));
const packages = [...names].sort().map((name) => ({ name, ...JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")) }));
const notice = packages.map(({ name, version, license }) => `${name} ${version} (${license})`).join(", ");
await build({ ...options, banner: { js: `/* bt-inspector, with ${notice}; see LICENSES.txt in the crate */` } });

const text = ({ name, version }) => {
  const file = readdirSync(`node_modules/${name}`).find((file) => /^licen[cs]e/i.test(file));
  if (!file) throw new Error(`${name} has no license file`);
  return `${name} ${version}\n\n${readFileSync(`node_modules/${name}/${file}`, "utf8").trim()}\n`;
};
writeFileSync("dist/LICENSES.txt", packages.map(text).join("\n----\n\n"));
