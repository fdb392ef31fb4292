import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import zlib from 'node:zlib';
import type { Entry } from '../../src/journal/format/frame.ts';
import type { Sample, Tally } from './campaign.ts';
import type { TestJournal } from './journal.ts';
import { type Look, told, Violation } from './oracle.ts';

/** Writes a journal as it stands to a real folder, for the independent reader. */
export function writeOut({ fs, root }: TestJournal, dir: string): string {
  const { files, folders } = fs.image();
  const inside = (file: string) => path.join(dir, path.relative(root, file));
  for (const folder of folders)
    if (folder.startsWith(root)) mkdirSync(inside(folder), { recursive: true });
  for (const [file, bytes] of files) writeFileSync(inside(file), bytes);
  return path.join(dir, 'journal');
}

/** What the independent reader makes of a journal. */
export interface Independent {
  events: { seq: number | null; id: string; payload: Buffer | null }[];
  damage: Look['damage'];
  later?: string;
}

export type ReadApart = (journal: TestJournal) => Independent;

/** The reader that knows the format alone, given a journal as it stands. */
export async function independentReader(): Promise<ReadApart> {
  const program = path.resolve(import.meta.dirname, '../../journal-format/reader.mjs');
  const { readJournal } = (await import(pathToFileURL(program).href)) as {
    readJournal: (dir: string, options: { verify: boolean }) => Independent;
  };
  return (journal) => {
    const dir = mkdtempSync(path.join(tmpdir(), 'ben10-damage-'));
    try {
      return readJournal(writeOut(journal, dir), { verify: true });
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  };
}

/** It reads segments: texts beside them it does not, and of losses that a repair recorded it knows nothing. */
const isKnown =
  (recorded: readonly number[] | undefined) =>
  ({ kind, firstSeq }: Look['damage'][number]): boolean =>
    kind !== 'blob' && !(kind === 'missing' && recorded?.includes(firstSeq ?? 0));

/** @throws Violation where two readings of the same bytes differ */
export function assertAgreed(
  { recorded, written }: TestJournal,
  found: Look,
  other: Independent,
): void {
  if (found.refused !== undefined || other.later !== undefined) {
    if (found.refused?.code !== 'JOURNAL_FOREIGN' || other.later === undefined)
      throw new Violation(`one refused it: ${told(found)}, ${other.later}`);
    return;
  }
  const unlike = isOneDecoder ? [] : found.damage.filter(isUnpackedBy(other));
  const isOnlyTheirs = ({ seq }: { seq: number | null }): boolean =>
    unlike.some(({ firstSeq, lastSeq }) => firstSeq! <= seq! && seq! <= lastSeq!);
  const ours = found.entries.map(keyOf);
  const theirs = other.events.filter((event) => !isOnlyTheirs(event)).map(keyOf);
  const wrong = other.events.find(
    (event) => isOnlyTheirs(event) && keyOf(event) !== keyOf(written.get(event.seq!)!),
  );
  if (wrong !== undefined) throw new Violation(`@${wrong.seq} is not what was written`);
  if (ours.join() !== theirs.join())
    throw new Violation(`events differ: ${ours.length} and ${theirs.length}`);
  const placesOf = (damage: Look['damage']): string =>
    damage
      .filter((one) => isKnown(recorded)(one) && !isToldOf(one, unlike))
      .map(placeOf)
      .sort()
      .join('\n');
  const [a, b] = [placesOf(found.damage), placesOf(other.damage)];
  if (a !== b) throw new Violation(`damage differs:\n${a}\n--- and\n${b}`);
}

/** From Node 22.15 on both readers have Node's own Zstd. */
const isOneDecoder = 'zstdDecompressSync' in zlib;

/**
 * A chunk that unpacks to the same bytes in the other's decoder and not in ours, which is as strict as Node's own
 * (SPEC.md, "Downsides"): the other reader has its events.
 */
const isUnpackedBy =
  ({ events, damage }: Independent) =>
  (one: Look['damage'][number]): boolean =>
    one.kind === 'chunk' &&
    events.some(({ seq }) => one.firstSeq! <= seq! && seq! <= one.lastSeq!) &&
    !damage.some((theirs) => placeOf(theirs) === placeOf(one));

/** That chunk itself, and what the digest says instead of it. */
const isToldOf = (one: Look['damage'][number], chunks: Look['damage']): boolean =>
  chunks.some(
    (chunk) =>
      chunk.segment === one.segment &&
      (one.kind === 'index' || (one.kind === 'chunk' && placeOf(one) === placeOf(chunk))),
  );

const keyOf = ({ seq, id, payload }: Entry | Independent['events'][number]): string =>
  `${seq} ${typeof id === 'string' ? id : id.toString('hex')} ${payload?.toString('base64') ?? ''}`;

const placeOf = ({ kind, segment, offset, firstSeq, lastSeq }: Look['damage'][number]): string =>
  `${kind} ${segment} ${offset} ${firstSeq} ${lastSeq}`;

/** Of so many damaged journals, one is read by the independent reader, too. */
const SAMPLED_ONE_IN = 40;

export function sampler(read: ReadApart, tally: Tally): Sample {
  let seen = 0;
  return (journal, found, what) => {
    seen += 1;
    if (seen % SAMPLED_ONE_IN !== 0) return;
    tally.damaged += 1;
    try {
      assertAgreed(journal, found, read(journal));
    } catch (error) {
      tally.violations.push(`--only '${journal.name}' ${what}\n    ${(error as Error).message}`);
    }
  };
}
