#!/usr/bin/env node
// Assembles src/platform/hashes/hashes.wat into the TypeScript file beside it, for people who changed it.
//
//   node tools/hashes.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import wabt from 'wabt';

const folder = new URL('../src/platform/hashes/', import.meta.url);

/** The module as bytes. */
export async function assembled() {
  const { parseWat } = await wabt();
  const source = readFileSync(new URL('hashes.wat', folder), 'utf8');
  return Buffer.from(parseWat('hashes.wat', source).toBinary({}).buffer);
}

if (process.argv[1]?.endsWith('hashes.mjs')) {
  const text = (await assembled()).toString('base64');
  const lines = text.match(/.{1,96}/g).map((line) => `  '${line}'`);
  const about = '/** `hashes.wat`, assembled by `tools/hashes.mjs`; base64. */';
  const code = `${about}\nexport const WASM_BYTES =\n${lines.join(' +\n')};\n`;
  writeFileSync(new URL('wasm-bytes.ts', folder), code);
}
