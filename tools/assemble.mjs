#!/usr/bin/env node
// Assembles WebAssembly text into the TypeScript file beside it, for people who changed one: `npm install --no-save wabt` before.
//
//   node tools/assemble.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import wabt from 'wabt';

const SOURCES = [
  {
    name: 'hashes.wat',
    folder: 'src/platform/hashes',
    to: 'wasm-bytes.ts',
    constant: 'WASM_BYTES',
  },
  {
    name: 'scanner.wat',
    folder: 'src/capture/redaction/search',
    to: 'scanner-bytes.ts',
    constant: 'SCANNER_BYTES',
  },
];

const { parseWat } = await wabt();
for (const { name, folder, to, constant } of SOURCES) {
  const dir = new URL(`../${folder}/`, import.meta.url);
  const bytes = parseWat(name, readFileSync(new URL(name, dir), 'utf8')).toBinary({}).buffer;
  const lines = Buffer.from(bytes)
    .toString('base64')
    .match(/.{1,96}/g);
  const text = lines.map((line) => `  '${line}'`).join(' +\n');
  const about = `/** \`${name}\`, assembled by \`tools/assemble.mjs\`; base64. */`;
  writeFileSync(new URL(to, dir), `${about}\nexport const ${constant} =\n${text};\n`);
}
