import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generatedLines } from '../../tests/capture/redaction/corpus/ordinary-text.ts';
import { base64Lines } from './scanner.ts';
import { scannerTables } from './scanner-tables.ts';

/** What is like most of what is searched: sources, and a lock file. */
function ordinaryText(root: string): string {
  const src = path.join(root, 'src');
  const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|md)$/.test(name))
    .sort()
    .map((name) => readFileSync(path.join(src, name), 'utf8'));
  const lockFile = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  return sources.join('').slice(0, 2e6) + lockFile.slice(0, 2e5) + generatedLines(6000).text;
}

/** Writes what the scanner looks for. `tests/capture/redaction/scanner.test.ts` holds that it is what the table says. */
export function writeSigns(root: string): string {
  const file = path.join(root, 'src/capture/redaction/scanner-tables.ts');
  writeFileSync(
    file,
    `/**
 * What \`scanner.wat\` looks for, as it stands in its memory; base64. Made by \`node tools/redaction.mjs signs\` from the words of
 * \`table/literals.ts\` and the beginnings of the table's tokens: the hook knows by it which texts need the table, which it does
 * not load otherwise.
 */
export const SCANNER_TABLES =
${base64Lines(scannerTables(ordinaryText(root)))};
`,
  );
  return file;
}
