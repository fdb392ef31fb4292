import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { VectorManifest } from '../../tools/vectors/kit.ts';

const VECTORS = path.resolve(import.meta.dirname, '../../journal-format/vectors');

/** SHA-256 of every file's path and content, in order, and of what is expected of them. */
function digestOf(version: number): string {
  const folder = path.join(VECTORS, `evolution/${version}`);
  const sum = createHash('sha256');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  for (const file of files.sort()) {
    sum.update(`${path.relative(folder, file).split(path.sep).join('/')}\n`);
    sum.update(readFileSync(file));
  }
  const manifest: VectorManifest = JSON.parse(
    readFileSync(path.join(VECTORS, 'manifest.json'), 'utf8'),
  );
  const own = manifest.vectors.filter((one) => one.path.startsWith(`evolution/${version}/`));
  return sum.update(JSON.stringify(own)).digest('hex');
}

describe('the vectors of a version that is frozen', () => {
  it.each([[1, '1c74ff4adcbe6cdc5b8e7c81966914688130551fcd1108ffb0f24dffcce8ec55']])(
    'are never written again: version %i',
    (version, digest) => {
      expect(digestOf(version)).toBe(digest);
    },
  );
});
