import { Command } from 'clipanion';
import { isForeign } from '../../journal/format/layout.ts';
import { otherOrigins, readOthers } from '../../journal/read/origins.ts';
import { isTakenAway } from '../../journal/verify/taken-away.ts';
import { type Verification, verifyJournal } from '../../journal/verify/verify.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import { type BesideDamage, damagedBeside } from '../../timetravel/beside-damage.ts';
import { damagedStored, isWrong, type StoredDamage } from '../../timetravel/stored-damage.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withJournalAsIs } from '../open.ts';
import { besideLines } from '../ui/beside.ts';
import {
  aroundMissing,
  damagedIn,
  GONE,
  goneLine,
  isAtLeast,
  isTooLarge,
  knownUpto,
  lossCell,
  placeCells,
  recordedLossCell,
  refusedLines,
} from '../ui/damage.ts';
import { facts } from '../ui/facts.ts';
import { count, plural } from '../ui/format.ts';
import { progressBar } from '../ui/progress.ts';
import { table } from '../ui/table.ts';
import { wrap } from '../ui/wrap.ts';

export class VerifyCommand extends Ben10Command {
  static override paths = [['verify']];
  static override exits = {
    0: 'the journal is sound, apart from recorded losses',
    1: 'the journal is damaged, unreadable or gone; or a save or snapshot is, and cannot be rebuilt',
  };
  static override busy = 'verifying';
  static override usage = Command.Usage({
    category: 'Maintain',
    description: 'Check every byte of the journal, and its stored states.',
    details: `
      Checks all checksums and commitments, the hash chain from the first event to the last, the large texts stored beside
      the journal, saves, snapshots, checkpoints, and ben10's records of syncs and erasures. Changes nothing and takes no
      lock, so agents may continue to work.

      A damaged stored state is reported, but is no damage of the journal: it is rebuilt if the journal reaches back far
      enough. Settings, locks, current.ctx (rewritten all the time) and the quarantine are not checked.

      The head is the last link of the hash chain. Keep a copy elsewhere to prove later that nothing before it was changed
      or cut off.
    `,
    examples: [
      ['Check everything', '$0 verify'],
      ['Only the head', '$0 verify --json | jq -r .head'],
    ],
  });

  async execute() {
    const { stderr, now } = this.context;
    return withJournalAsIs(this.context, async (project) => {
      const { ports, root, layout, decoders } = project;
      const bar = await progressBar('verifying', stderr, now);
      const verified = verifyJournal(ports, root, decoders, bar.advance);
      bar.end();
      const isGone = verified.ok && isTakenAway(ports, layout);
      const result = { ...verified, ok: verified.ok && !isGone, isTakenAway: isGone };
      const known = knownUpto(project.reader, result.lastSeq ?? 0);
      const others = result.isManifestOfAnother ? [] : otherOrigins(ports, layout);
      const stored = storedOf(project, result.ok);
      const listed = new Set(stored.map(({ file }) => file));
      const beside = damagedBeside(project).filter(({ file }) => !listed.has(file));
      if (this.json)
        this.printJson({ ...result, damage: result.damage.map(placed(known)), stored, beside });
      else
        this.print(
          ...this.#lines(result, known, stored, beside),
          ...(others.length === 0 ? [] : ['', ...otherLines(others, readOthers(ports, layout))]),
          ...besideLines(stored, beside),
        );
      const isAll = result.ok && stored.every(({ canBeRebuilt }) => canBeRebuilt);
      return isAll ? EXIT.ok : EXIT.notSo;
    });
  }

  #verdict(result: Verified, stored: readonly StoredDamage[], besides: number): string {
    const { green, red } = this.colours;
    const { ok, damage } = result;
    if (result.isTakenAway) return red(GONE);
    if (!ok) return red(`${damagedIn(damage)}.`);
    if (besides === 0) return green('The journal is sound.');
    const others = plural(besides, 'file');
    const what = `The journal is sound; ${others} beside it ${besides === 1 ? 'is' : 'are'} damaged or missing.`;
    return stored.every(({ canBeRebuilt }) => canBeRebuilt) ? what : red(what);
  }

  #lines(
    result: Verified,
    known: number,
    stored: readonly StoredDamage[],
    beside: readonly BesideDamage[],
  ): string[] {
    const { ok, events, segments, firstSeq, lastSeq, head, waiting, blobs, losses } = result;
    const { leftovers, passed, isManifestOfAnother: isHidden, isTakenAway: isGone } = result;
    const range = firstSeq === null ? 'none' : `${count(events)}, @${firstSeq} to @${lastSeq}`;
    const rows: [string, string][] = [
      ['events', range],
      ['segments', count(segments)],
      ['blobs', count(blobs)],
      ['waiting', waiting === 0 ? 'none' : `${plural(waiting, 'file')} in the inbox`],
      ['head', head ?? '-'],
    ];
    return [
      this.#verdict(result, stored, stored.filter(isWrong).length + beside.length),
      '',
      ...facts(rows),
      ...(losses.length === 0 ? [] : ['', ...lossLines(losses)]),
      ...(leftovers.length === 0 ? [] : ['', ...leftoverLines(leftovers)]),
      ...(passed.length === 0 ? [] : ['', wrap(passedLine(passed))]),
      ...(isHidden ? ['', wrap(OTHER_MANIFEST)] : []),
      ...(isGone ? ['', goneLine()] : []),
      // With another journal's manifest, each segment counts as damage.
      ...(ok || isHidden || isGone ? [] : ['', ...damageLines(result, known)]),
    ];
  }
}

/** `ok` is also false if the journal was taken away. */
type Verified = Verification & { isTakenAway: boolean };

/**
 * `where` says on which side of `segment` events are missing. `atLeast`: later events may be lost, too. `refused` is set for a
 * file that exists but could not be read.
 */
const placed = (known: number) => (one: Verification['damage'][number]) => ({
  ...one,
  where: one.kind === 'missing' ? aroundMissing(one) : null,
  atLeast: isAtLeast(one, known),
  refused: one.refused ?? null,
});

/** From a damaged journal no state can be rebuilt: it might lack something. */
function storedOf(project: Project, isSound: boolean): StoredDamage[] {
  try {
    return damagedStored(project).map((one) => ({
      ...one,
      canBeRebuilt: isSound && one.canBeRebuilt,
    }));
  } catch (error) {
    if (isSound || !(error instanceof Ben10Error)) throw error;
    return [];
  }
}

const leftoverLines = (names: readonly string[]): string[] => [
  wrap(
    'Left by an interrupted compaction: segments that also exist in sealed form. Nothing reads them; ben10 compact removes them if the sealed form is sound:',
  ),
  ...names.map((name) => `  ${name}`),
];

const otherLines = (origins: readonly string[], next: string): string[] => [
  wrap(
    `Not read: folders in .ben10/journal of another copy of this journal, of another journal, or from before it started over. ${next}`,
  ),
  ...origins.map((origin) => `  ${origin}`),
];

const passedLine = (passed: readonly string[]): string =>
  `Skipped ${plural(passed.length, 'file')} of a later version of ben10: ${passed.join(', ')}. Update ben10 to read them.`;

function lossLines(losses: Verification['losses']): string[] {
  const shown = losses.map((one) => `  ${recordedLossCell(one)}, recorded at @${one.recordedAt}`);
  return ['Recorded by a repair as lost:', ...shown];
}

function damageLines({ damage }: Verification, known: number): string[] {
  const lost = (one: Verification['damage'][number]) =>
    isAtLeast(one, known) ? `${lossCell(one)}, at least` : lossCell(one);
  const rows = damage.map((one) => [...placeCells(one), lost(one)]);
  const has = (kind: string): boolean =>
    damage.some((one) => one.kind === kind && one.refused === undefined);
  const refused = damage.flatMap((one) => one.refused ?? []);
  return [
    ...table(['damage', 'file', '>at byte', '>size', 'events lost'], rows),
    ...(refused.length === 0 ? [] : ['', ...refusedLines(refused)]),
    ...(refused.length === damage.length ? [] : ['', wrap(OF_DAMAGE)]),
    ...(has('blob')
      ? [wrap('If a blob is lost, its event still has the beginning of the text.')]
      : []),
    ...(damage.some(isTooLarge) ? [wrap(OF_TOO_LARGE)] : []),
    ...(damage.some(isForeign) ? [wrap(OF_OTHERS)] : []),
    ...(has('manifest') ? [wrap(OF_MANIFEST)] : []),
  ];
}

const OF_DAMAGE =
  "Sound events can still be read. To see what can be repaired: ben10 repair. The client's transcripts may still contain lost events: ben10 import brings them back.";
const OF_TOO_LARGE =
  'A segment of more than 64 MiB is not read: something was appended to it. ben10 repair shows which events are lost, if any; ben10 repair --yes recovers the others.';
const OF_OTHERS =
  'A file in a folder with a name of 32 digits belongs to another origin: no event of this journal is lost. For what to do, see: ben10 repair';
const OTHER_MANIFEST =
  'The manifest belongs to another journal, or is from before this one was copied, so nothing can be read. No event is lost: ben10 repair --yes rebuilds it from the segments, and keeps the wrong one in .ben10/journal/quarantine.';
const OF_MANIFEST =
  'No event depends on the manifest; without it, the names of blobs cannot be checked.';
