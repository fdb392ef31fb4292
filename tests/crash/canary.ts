import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { decodeContainer } from '../../src/journal/format/container.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { allSegments } from '../../src/journal/read/all-entries.ts';
import { decoders, realPorts } from '../ports.ts';

/** Where any of these texts stands below a `.ben10`, in raw and in unpacked bytes: `file: text`. */
export function whereAre(texts: readonly string[], root: string): string[] {
  if (texts.length === 0) return [];
  const found: string[] = [];
  const needles = texts.map((text) => Buffer.from(text));
  const search = (where: string, bytes: Buffer) => {
    for (const needle of needles) if (bytes.includes(needle)) found.push(`${where}: ${needle}`);
  };
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(root, name);
    if (!statSync(file).isFile()) continue;
    const bytes = readFileSync(file);
    search(name, bytes);
    const plain = decodeContainer(bytes, decoders, realPorts.xxh64);
    if (plain !== undefined) search(`${name} unpacked`, plain);
  }
  for (const { file, entries } of allSegments(realPorts, layoutOf(root), decoders))
    for (const { seq, payload } of entries) search(`${path.basename(file.path)} @${seq}`, payload);
  return found;
}
