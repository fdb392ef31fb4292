import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Assembles `scanner.wat` and `machine.wat` into the file beside them, for people who changed it: `npm install --no-save wabt`. */
export async function writeScanner(root: string): Promise<string> {
  const folder = path.join(root, 'src/capture/redaction');
  const { default: wabt } = await import('wabt' as string);
  const { parseWat } = await wabt();
  const [scanner, machine] = ['scanner.wat', 'machine.wat'].map((name) =>
    readFileSync(path.join(folder, name), 'utf8'),
  ) as [string, string];
  const source = scanner.replace(/\)\s*$/, () => `\n${machine})\n`);
  const parsed = parseWat('scanner.wat', source, { simd: true, bulk_memory: true });
  const bytes = Buffer.from(parsed.toBinary({}).buffer);
  const file = path.join(folder, 'scanner-bytes.ts');
  writeFileSync(file, scannerFile(scanner + machine, bytes));
  return file;
}

/** Source text of bytes in base64, over lines. */
export const base64Lines = (bytes: Buffer): string =>
  (bytes.toString('base64').match(/.{1,96}/g) ?? []).map((line) => `  '${line}'`).join(' +\n');

function scannerFile(source: string, bytes: Buffer): string {
  const hash = createHash('sha256').update(source).digest('hex');
  const about = [
    '// Made by `node tools/redaction.mjs scanner` from scanner.wat and machine.wat with the SHA-256',
    `// ${hash}.`,
    '',
    '/** Both, assembled as one module; base64. */',
  ];
  return `${about.join('\n')}\nexport const SCANNER =\n${base64Lines(bytes)};\n`;
}
