import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { MadeVector, VectorManifest } from './model.ts';

/** Of a version that is frozen: `evolution/<major version>/`. */
const FROZEN = /^evolution\/\d+\//;

/** The vectors of frozen versions as they are: no later program writes them again. */
export function frozenVectors(kept: string): MadeVector[] {
  const text = readFileSync(path.join(kept, 'manifest.json'), 'utf8');
  const { vectors } = JSON.parse(text) as VectorManifest;
  return vectors
    .filter((vector) => FROZEN.test(vector.path))
    .map((vector) => ({ vector, files: filesOf(path.join(kept, vector.path)) }));
}

/** By their path from the vector's: where that is `journal`, `blobs/` is beside it. */
function filesOf(folder: string): Map<string, Buffer> {
  const all = path.basename(folder) === 'journal' ? path.dirname(folder) : folder;
  const found = readdirSync(all, { recursive: true, withFileTypes: true });
  return new Map(
    found
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(folder, file).split(path.sep).join('/'), readFileSync(file)]),
  );
}
