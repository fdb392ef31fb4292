import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { blobPath, putBlob } from '../../src/journal/append/blobs.ts';
import { REPAIRED_TYPE } from '../../src/journal/append/own-events.ts';
import { decodeEnvelope } from '../../src/journal/format/envelope.ts';
import { flip } from '../../src/journal/format/flip.ts';
import { FRAME_KIND, SEGMENT_HEADER_BYTES } from '../../src/journal/format/format.ts';
import { originDir } from '../../src/journal/format/layout.ts';
import { ensureManifest } from '../../src/journal/format/manifest.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import type { Codecs } from '../../src/journal/seal/compact-segment.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import type { Project } from '../../src/project/open.ts';
import { type Piece, piecesOf } from '../damage/pieces.ts';
import { prompt } from '../log/events.ts';
import { decoders, realPorts } from '../ports.ts';
import { digestOf } from './test-events.ts';

/** What nobody can read. */
const ROT = Buffer.from('rotten, and yet nothing is thrown away');
/** In a segment, where an event's payload is. */
const INSIDE = SEGMENT_HEADER_BYTES + 500;
const SEGMENTS = 5;

/** Fills a project that has nothing yet, and damages segments of every kind, the newest one too, and a text beside them. */
export function damageJournal({ writer, layout, root }: Project, codecs: Codecs): void {
  for (let segment = 0; segment < SEGMENTS; segment += 1) {
    if (segment > 0) writer.rotate(0);
    if (segment === 1) compactJournal(realPorts, root, codecs);
    for (let n = 0; n < 4; n += 1)
      writer.append([prompt(`event ${n} of ${segment}: ${digestOf(Buffer.from([segment, n]))}`)]);
  }
  const { origin, blobKey } = ensureManifest(realPorts, layout);
  const blob = blobPath(layout, putBlob(realPorts, layout, blobKey, Buffer.alloc(3000, ROT)));
  const folder = originDir(layout, origin);
  const segments = readdirSync(folder).filter((name) => /\.b10z?$/.test(name));
  const [sealed, rotten, headless, flipped, newest] = segments
    .sort()
    .map((name) => path.join(folder, name)) as [string, string, string, string, string];
  change(sealed, (bytes) => void ROT.copy(bytes, 250));
  change(rotten, (bytes) => void ROT.copy(bytes, INSIDE));
  change(headless, (bytes) => void bytes.fill(0, 0, SEGMENT_HEADER_BYTES - 40));
  change(flipped, (bytes) => flip(bytes, 8 * INSIDE));
  change(newest, (bytes) => void ROT.copy(bytes, INSIDE));
  change(blob, (bytes) => void ROT.copy(bytes, 1000));
}

function change(file: string, how: (bytes: Buffer) => void): void {
  const bytes = readFileSync(file);
  how(bytes);
  writeFileSync(file, bytes);
}

/** Every event of others that can be read now: its id, and what it says. */
export function readable({ reader }: Project): Set<string> {
  const found = new Set<string>();
  for (const { entry } of reader.entries())
    if (entry?.kind === FRAME_KIND.event && decodeEnvelope(entry.payload).type !== REPAIRED_TYPE)
      found.add(`${entry.id.toString('hex')} ${digestOf(entry.payload)}`);
  return found;
}

/** What a repair may take out. */
export function damagedPieces({ layout, root }: Project): Piece[] {
  const { damage } = verifyJournal(realPorts, root, decoders);
  const { origin } = ensureManifest(realPorts, layout);
  return piecesOf(damage, (name) => {
    const blob = /^blobs\/(.*)$/.exec(name)?.[1];
    const file =
      blob === undefined ? path.join(originDir(layout, origin), name) : blobPath(layout, blob);
    return readFileSync(file);
  });
}
