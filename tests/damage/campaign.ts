import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Decoders } from '../../src/platform/codecs/codecs.ts';
import type { Chance } from './chance.ts';
import type { TestJournal } from './corpus.ts';
import { allBits, DAMAGES, eachBit, someBits } from './damages.ts';
import { assertContained, assertHonest, type Look, look, told, Violation } from './oracle.ts';

/** What a campaign counted. */
export interface Tally {
  damaged: number;
  /** Differences that nobody reported, or more lost than may be: each one is a bug. */
  violations: string[];
  /** Events that could not be read any more, in all. */
  lost: number;
  /** By the size of what was lost at once. */
  most: number;
}

export const newTally = (): Tally => ({ damaged: 0, violations: [], lost: 0, most: 0 });

/** More of them are not kept: the first ones tell enough. */
const VIOLATIONS_KEPT = 20;

function note(tally: Tally, what: string, found: Look | undefined, check: () => void): void {
  tally.damaged += 1;
  tally.lost += found?.lost.length ?? 0;
  tally.most = Math.max(tally.most, found?.lost.length ?? 0);
  try {
    check();
  } catch (error) {
    if (tally.violations.length >= VIOLATIONS_KEPT) return;
    const message = error instanceof Violation ? error.message : (error as Error).stack;
    tally.violations.push(`${what}: ${message}`);
  }
}

/** Looks at a journal as it stands, and checks what was found; whatever is thrown is a violation, too. */
function examine(
  tally: Tally,
  journal: TestJournal,
  decoders: Decoders,
  what: string,
  check: (found: Look) => void,
): Look | undefined {
  let found: Look | undefined;
  let failure: unknown;
  try {
    found = look(journal, decoders);
  } catch (error) {
    failure = error;
  }
  note(tally, `${journal.name}, ${what}`, found, () => {
    if (found === undefined) throw failure;
    assertHonest(journal, found);
    check(found);
  });
  return found;
}

/** Turns over bits one at a time: all of them, or as many as are asked for. */
export function flipBits(
  journal: TestJournal,
  decoders: Decoders,
  tally: Tally,
  { count, chance, until }: { count?: number; chance: Chance; until?: number },
): void {
  const { length } = journal.fs.bytesOf(journal.target);
  const bits = count === undefined ? allBits(length) : someBits(length, count, chance);
  for (const { bit, byte } of eachBit(journal, bits)) {
    examine(tally, journal, decoders, `bit ${bit}`, (found) =>
      assertContained(journal, found, byte),
    );
    if (until !== undefined && Date.now() > until) return;
  }
}

/** Cuts the file at every length, or at so many. */
export function cut(
  journal: TestJournal,
  decoders: Decoders,
  tally: Tally,
  chance: Chance,
  count?: number,
): void {
  const sound = journal.fs.bytesOf(journal.target);
  try {
    for (let n = 0; n < (count ?? sound.length); n += 1) {
      const length = count === undefined ? n : chance.below(sound.length);
      journal.fs.rot(journal.target, sound.subarray(0, length));
      examine(tally, journal, decoders, `cut at ${length}`, assertSeen);
    }
  } finally {
    journal.fs.rot(journal.target, sound);
  }
}

/** Damage of every other kind, by chance. `sample` is given some of the results. */
export function damageByChance(
  journal: TestJournal,
  others: readonly TestJournal[],
  decoders: Decoders,
  tally: Tally,
  chance: Chance,
  count: number,
  sample?: (journal: TestJournal, found: Look, what: string) => void,
): void {
  const sound = journal.fs.bytesOf(journal.target);
  const foreign = others.map(({ fs, target }) => fs.bytesOf(target));
  try {
    for (let n = 0; n < count; n += 1) {
      const { name, damage } = DAMAGES[n % DAMAGES.length]!;
      const bytes = damage(sound, chance, foreign);
      if (bytes.equals(sound)) continue;
      journal.fs.rot(journal.target, bytes);
      const what = `${name} (seed ${chance.seed}, number ${n})`;
      const found = examine(tally, journal, decoders, what, assertSeen);
      if (found !== undefined) sample?.(journal, found, what);
    }
  } finally {
    journal.fs.rot(journal.target, sound);
  }
}

function assertSeen(found: Look): void {
  if (found.refused === undefined && found.damage.length === 0)
    throw new Violation('nobody saw it');
}

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

/** @throws Violation where two readings of the same bytes differ */
export function assertAgreed(found: Look, other: Independent): void {
  if (found.refused !== undefined || other.later !== undefined) {
    if (found.refused?.code !== 'JOURNAL_FOREIGN' || other.later === undefined)
      throw new Violation(`one refused it: ${told(found)}, ${other.later}`);
    return;
  }
  const ours = found.entries.map(({ seq, id, payload }) => keyOf(seq, id.toString('hex'), payload));
  const theirs = other.events.map(({ seq, id, payload }) =>
    keyOf(seq, id, payload ?? Buffer.alloc(0)),
  );
  if (ours.join() !== theirs.join())
    throw new Violation(`events differ: ${ours.length} and ${theirs.length}`);
  const a = found.damage.map(placeOf).sort().join('\n');
  const b = other.damage.map(placeOf).sort().join('\n');
  if (a !== b) throw new Violation(`damage differs:\n${a}\n--- and\n${b}`);
}

const keyOf = (seq: number | null, id: string, payload: Buffer): string =>
  `${seq} ${id} ${payload.toString('base64')}`;

const placeOf = ({ kind, segment, offset, firstSeq, lastSeq }: Look['damage'][number]): string =>
  `${kind} ${segment} ${offset} ${firstSeq} ${lastSeq}`;
