import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Assembles `scanner.wat` into the file beside it, for people who changed it: `npm install --no-save wabt`. */
export async function writeScanner(root: string): Promise<string> {
  const folder = path.join(root, 'src/capture/redaction');
  const { default: wabt } = await import('wabt' as string);
  const { parseWat } = await wabt();
  const source = readFileSync(path.join(folder, 'scanner.wat'), 'utf8');
  const bytes = Buffer.from(parseWat('scanner.wat', source, { simd: true }).toBinary({}).buffer);
  const file = path.join(folder, 'scanner-bytes.ts');
  writeFileSync(file, scannerFile(source, bytes));
  return file;
}

/** Source text of bytes in base64, over lines. */
export const base64Lines = (bytes: Buffer): string =>
  (bytes.toString('base64').match(/.{1,96}/g) ?? []).map((line) => `  '${line}'`).join(' +\n');

function scannerFile(source: string, bytes: Buffer): string {
  const hash = createHash('sha256').update(source).digest('hex');
  const about = [
    '// Made by `node tools/redaction.mjs scanner` from scanner.wat with the SHA-256',
    `// ${hash}.`,
    '',
    '/** `scanner.wat`, assembled; base64. */',
  ];
  return `${about.join('\n')}\nexport const SCANNER =\n${base64Lines(bytes)};\n`;
}
