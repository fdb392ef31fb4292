import type { Decoders } from '../../src/platform/codecs/codecs.ts';
import { Chance } from './chance.ts';
import { allBits, DAMAGES, eachBit } from './damages.ts';
import type { TestJournal } from './journal.ts';
import {
  assertContained,
  assertHonest,
  assertUnchanged,
  type Look,
  look,
  Violation,
} from './oracle.ts';

/** What a campaign counted. */
export interface Tally {
  damaged: number;
  /** Differences that nobody reported, or more lost than may be, by what repeats them: each one is a bug. */
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
    tally.violations.push(`${what}\n    ${message}`);
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
  note(tally, `--only '${journal.name}' ${what}`, found, () => {
    if (found === undefined) throw failure;
    assertHonest(journal, found);
    check(found);
  });
  return found;
}

/** Turns over bits one at a time, each once: all of them, or as many as are asked for. */
export function flipBits(
  journal: TestJournal,
  decoders: Decoders,
  tally: Tally,
  { count, chance }: { count?: number; chance: Chance },
): void {
  const { length } = journal.fs.bytesOf(journal.target);
  const bits = count === undefined ? allBits(length) : differentBits(length * 8, count, chance);
  flipThese(journal, decoders, tally, bits);
}

export function flipThese(
  journal: TestJournal,
  decoders: Decoders,
  tally: Tally,
  bits: Iterable<number>,
): void {
  for (const { bit, byte } of eachBit(journal, bits))
    examine(tally, journal, decoders, `--bit ${bit}`, (found) =>
      assertContained(journal, found, byte),
    );
}

/** No bit counts twice. */
function differentBits(bits: number, count: number, chance: Chance): Set<number> {
  const chosen = new Set<number>();
  while (chosen.size < Math.min(count, bits)) chosen.add(chance.below(bits));
  return chosen;
}

/** Cuts the file at every length, or at so many. */
export function cut(
  journal: TestJournal,
  decoders: Decoders,
  tally: Tally,
  chance: Chance,
  count?: number,
): void {
  const { length } = journal.fs.bytesOf(journal.target);
  for (let n = 0; n < (count ?? length); n += 1)
    cutAt(journal, decoders, tally, count === undefined ? n : chance.below(length));
}

export function cutAt(
  journal: TestJournal,
  decoders: Decoders,
  tally: Tally,
  length: number,
): void {
  const sound = journal.fs.bytesOf(journal.target);
  journal.fs.rot(journal.target, sound.subarray(0, length));
  examine(tally, journal, decoders, `--cut ${length}`, (found) => assertSeen(journal, found));
  journal.fs.rot(journal.target, sound);
}

/** What is handed on of damage by chance. */
export type Sample = (journal: TestJournal, found: Look, what: string) => void;

/** Of so many damages one comes with another one, of another file. */
const BESIDE_ONE_IN = 4;

/** Segments and texts beside the target, in their order. */
const besides = ({ fs, target }: TestJournal): string[] =>
  [...fs.image().files.keys()]
    .filter((file) => file !== target && (/\.b10z?$/.test(file) || file.includes('/blobs/')))
    .sort();

/**
 * Damages another file as well.
 * @returns its name and what puts it back; undefined where there is none, or nothing happened to it
 */
function damageBeside(
  journal: TestJournal,
  chance: Chance,
  foreign: readonly Buffer[],
): { name: string; undo: () => void } | undefined {
  const files = besides(journal);
  if (files.length === 0) return undefined;
  const file = chance.pick(files);
  const { name, damage } = chance.pick(DAMAGES);
  const sound = journal.fs.bytesOf(file);
  const bytes = damage(sound, chance, foreign);
  if (bytes.equals(sound)) return undefined;
  journal.fs.rot(file, bytes);
  return { name, undo: () => journal.fs.rot(file, sound) };
}

/** Damage of every other kind, by chance: number `n` of a seed is always the same. */
export function damageByChance(
  journal: TestJournal,
  others: readonly TestJournal[],
  decoders: Decoders,
  tally: Tally,
  { seed, from = 0, count }: { seed: number; from?: number; count: number },
  sample?: Sample,
): void {
  const sound = journal.fs.bytesOf(journal.target);
  const foreign = others.map(({ fs, target }) => fs.bytesOf(target));
  try {
    for (let n = from; n < from + count; n += 1) {
      const { name, damage } = DAMAGES[n % DAMAGES.length]!;
      const chance = new Chance(seed * 1_000_003 + n);
      const bytes = damage(sound, chance, foreign);
      if (bytes.equals(sound)) continue;
      journal.fs.rot(journal.target, bytes);
      const isBeside = chance.below(BESIDE_ONE_IN) === 0;
      const beside = isBeside ? damageBeside(journal, chance, foreign) : undefined;
      const both = beside === undefined ? name : `${name}; beside it ${beside.name}`;
      const what = `--number ${n} --seed ${seed} (${both})`;
      const found = examine(tally, journal, decoders, what, (seen) => assertSeen(journal, seen));
      if (found !== undefined) sample?.(journal, found, what);
      beside?.undo();
    }
  } finally {
    journal.fs.rot(journal.target, sound);
  }
}

const assertSeen = (journal: TestJournal, found: Look): void => {
  if (found.refused === undefined && found.damage.length === 0) assertUnchanged(journal);
};
