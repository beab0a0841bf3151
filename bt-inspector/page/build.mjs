// Bundles the page into dist/, which the crate contains. `npm run build`.

import { build } from "esbuild";

await build({
  entryPoints: { page: "src/main.tsx" },
  bundle: true,
  minify: true,
  charset: "utf8",
  target: "es2022",
  format: "iife",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "eof",
  loader: { ".css": "css" },
  outdir: "dist",
});
