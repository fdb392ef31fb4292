import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { unlz4 } from '../../src/platform/codecs/lz4.ts';
import { unzstd } from '../../src/platform/codecs/zstd-read.ts';
import { blobVectors } from './blobs.ts';
import { chainVectors } from './chains.ts';
import { corruptVectors } from './corrupt.ts';
import { corruptSealedVectors } from './corrupt-sealed.ts';
import { edgeVectors } from './edges.ts';
import { editedVectors } from './edited.ts';
import { endVectors } from './ends.ts';
import { evolutionVectors } from './evolution.ts';
import { exampleOf } from './example.ts';
import { fileVectors } from './files.ts';
import { frozenVectors } from './frozen.ts';
import { hintVectors } from './hints.ts';
import { hostileVectors } from './hostile.ts';
import { hostileSealedVectors } from './hostile-sealed.ts';
import { inboxVectors } from './inbox.ts';
import { laterVectors } from './later.ts';
import { limitVectors } from './limits.ts';
import { manifestVectors } from './manifests.ts';
import { misplacedVectors } from './misplaced.ts';
import type { MadeVector, VectorManifest } from './model.ts';
import { plantedVectors } from './planted.ts';
import { tornVectors } from './torn.ts';
import { twoEvents, validVectors } from './valid.ts';
import { sealedVectors } from './valid-sealed.ts';
import { loadZstdWasm } from './zstd-wasm.ts';

const FOLDERS = ['valid', 'torn', 'corrupt', 'hostile', 'evolution'];
const EXAMPLE = /(<!-- example -->\n)[\s\S]*(<!-- \/example -->)/;

async function makeVectors(kept: string): Promise<MadeVector[]> {
  const zstd = await loadZstdWasm();
  return [
    ...validVectors(),
    ...sealedVectors(zstd),
    ...tornVectors(),
    ...corruptVectors(),
    ...editedVectors(),
    ...chainVectors(zstd),
    ...endVectors(zstd),
    ...edgeVectors(zstd),
    ...corruptSealedVectors(zstd),
    ...hostileVectors(),
    ...misplacedVectors(),
    ...plantedVectors(),
    ...hostileSealedVectors(zstd),
    ...inboxVectors(),
    ...fileVectors(zstd),
    ...hintVectors(),
    ...limitVectors(zstd),
    ...manifestVectors(),
    ...blobVectors(),
    ...laterVectors(zstd),
    ...frozenVectors(kept),
  ];
}

function inOrder(all: readonly MadeVector[]): MadeVector[] {
  const rank = (made: MadeVector): number => FOLDERS.indexOf(made.vector.path.split('/')[0]!);
  return [...all].sort((a, b) => rank(a) - rank(b) || (a.vector.path < b.vector.path ? -1 : 1));
}

/**
 * Writes the vectors and their manifest. Those of frozen versions are taken over as they are.
 * @param kept where the vectors are
 * @param out made new: what stood there before is removed
 */
export async function writeVectors(kept: string, out: string): Promise<number> {
  const all = await makeVectors(kept);
  return writeAll(all, out);
}

/**
 * Adds what this program writes as the vectors of a version, which is frozen with it.
 * @throws Error when the version has its vectors
 */
export async function freeze(version: number, kept: string): Promise<number> {
  if (existsSync(path.join(kept, `evolution/${version}`)))
    throw new Error(`format ${version} is frozen: its vectors are never written again`);
  const codecs = { zstd: await loadZstdWasm(), decoders: { lz4: unlz4, zstd: unzstd } };
  return writeAll([...(await makeVectors(kept)), ...evolutionVectors(version, codecs)], kept);
}

function writeAll(made: MadeVector[], out: string): number {
  const all = inOrder(made);
  for (const folder of FOLDERS) rmSync(path.join(out, folder), { recursive: true, force: true });
  let bytes = 0;
  for (const { vector, files } of all) {
    for (const [name, content] of files) {
      const file = path.join(out, vector.path, name);
      mkdirSync(path.dirname(file), { recursive: true });
      if (readdirSync(path.dirname(file)).includes(path.basename(file))) {
        throw new Error(`two vectors write ${file}`);
      }
      writeFileSync(file, content);
      bytes += content.length;
    }
  }
  writeFileSync(
    path.join(out, 'manifest.json'),
    manifestText({ format: 1, vectors: all.map((one) => one.vector) }),
  );
  return bytes;
}

/** One vector, one event and one damage a line: a change is read as a change. */
function manifestText({ format, vectors }: VectorManifest): string {
  const texts = vectors.map((vector) => {
    const fields = Object.entries(vector).map(([key, value]) => {
      const rows = Array.isArray(value) && value.length > 0;
      const lines = rows ? value.map((row) => `        ${JSON.stringify(row)}`).join(',\n') : '';
      return `      ${JSON.stringify(key)}: ${rows ? `[\n${lines}\n      ]` : JSON.stringify(value)}`;
    });
    return `    {\n${fields.join(',\n')}\n    }`;
  });
  return `{\n  "format": ${format},\n  "vectors": [\n${texts.join(',\n')}\n  ]\n}\n`;
}

/** Puts the worked example into the SPEC, between its two marks. */
export function writeExample(spec: string): void {
  const text = readFileSync(spec, 'utf8');
  if (!EXAMPLE.test(text)) throw new Error(`${spec} has no place for the example`);
  const example = exampleOf(twoEvents().bytes);
  writeFileSync(
    spec,
    text.replace(EXAMPLE, (_, open: string, close: string) => `${open}${example}${close}`),
  );
}
