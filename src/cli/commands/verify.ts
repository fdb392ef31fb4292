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
import { TEXT_WIDTH, wrap } from '../ui/wrap.ts';

export class VerifyCommand extends Ben10Command {
  static override paths = [['verify']];
  static override exits = {
    0: 'the journal is sound, but for what a repair recorded as lost, and nothing stored is lost',
    1: 'it is damaged, cannot be read, or is gone, or a save or snapshot is and cannot be made again; what and where is listed',
  };
  static override usage = Command.Usage({
    category: 'Keep it in order',
    description: 'Check every byte of the journal, and what is stored of it.',
    details: `
      Checks every checksum, every commitment and the whole chain from the first event to the last, and the texts kept
      beside the journal; of saves, snapshots and checkpoints, and of what it notes of syncs and erasures, whether they
      are what was stored. Changes nothing, and takes no lock: an agent may be working meanwhile.

      Damage to a stored state is told of, and is no damage of the journal: where the journal reaches back, the state is
      made again of it. Not looked at are settings, locks, current.ctx, which is written anew all the time, and what a repair
      put into quarantine.

      The head is the chain's last link. Note it somewhere else, and you can tell later that nothing before it was
      changed or cut off.
    `,
    examples: [
      ['Is the journal sound?', '$0 verify'],
      ['Only the head, to note it', '$0 verify --json | jq -r .head'],
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
      const told = new Set(stored.map(({ file }) => file));
      const beside = damagedBeside(project).filter(({ file }) => !told.has(file));
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
    const what = `The journal is sound; ${others} beside it ${besides === 1 ? 'is' : 'are'} not.`;
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
      ...(passed.length === 0 ? [] : ['', wrap(passedLine(passed), TEXT_WIDTH)]),
      ...(isHidden ? ['', wrap(OTHER_MANIFEST, TEXT_WIDTH)] : []),
      ...(isGone ? ['', goneLine()] : []),
      // Each segment is one of them then, and not a byte of it is damaged.
      ...(ok || isHidden || isGone ? [] : ['', ...damageLines(result, known)]),
    ];
  }
}

/** `ok` is false as well where the journal was taken away. */
type Verified = Verification & { isTakenAway: boolean };

/**
 * Of what is missing, `segment` is the one that stands there: `where` says on which side of it. Else null. `atLeast`: events behind
 * lastSeq may be lost, too. `refused` is null of what was read, and of what is not there.
 */
const placed = (known: number) => (one: Verification['damage'][number]) => ({
  ...one,
  where: one.kind === 'missing' ? aroundMissing(one) : null,
  atLeast: isAtLeast(one, known),
  refused: one.refused ?? null,
});

/** Of a damaged journal, as far as its events still tell what was stored: nobody knows what a state made of it would lack. */
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
    'Left by a compaction that was cut off: segments that are sealed, and still there as they were before. Nothing reads them; ben10 compact removes them where the sealed form is sound:',
    TEXT_WIDTH,
  ),
  ...names.map((name) => `  ${name}`),
];

const otherLines = (origins: readonly string[], next: string): string[] => [
  wrap(
    `Counted, and not read: events of another copy of this journal, of another journal, or from before it began again, in .ben10/journal. ${next}`,
    TEXT_WIDTH,
  ),
  ...origins.map((origin) => `  ${origin}`),
];

/** What was lost before, and is known to be. */
const passedLine = (passed: readonly string[]): string =>
  `A later ben10 wrote ${plural(passed.length, 'file')}, which this one passes by: ${passed.join(', ')}. Update ben10 to read them.`;

function lossLines(losses: Verification['losses']): string[] {
  const shown = losses.map((one) => `  ${recordedLossCell(one)}, recorded at @${one.recordedAt}`);
  return ['Lost before, and recorded by a repair:', ...shown];
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
    ...(refused.length === damage.length ? [] : ['', wrap(OF_DAMAGE, TEXT_WIDTH)]),
    ...(has('blob')
      ? [wrap('Of a text whose blob is lost, the event keeps how it starts.', TEXT_WIDTH)]
      : []),
    ...(damage.some(isTooLarge) ? [wrap(OF_TOO_LARGE, TEXT_WIDTH)] : []),
    ...(damage.some(isForeign) ? [wrap(OF_OTHERS, TEXT_WIDTH)] : []),
    ...(has('manifest') ? [wrap(OF_MANIFEST, TEXT_WIDTH)] : []),
  ];
}

const OF_DAMAGE =
  "What is sound can still be read: ben10 log leaves out what is damaged. To see what can be repaired: ben10 repair. What was lost may still stand in the client's transcripts: ben10 import ~/.claude/projects brings it back.";
const OF_TOO_LARGE =
  'A file of more than 64 MiB is not read: something was put behind its events, which it hides. Which of them are lost, if any, is what ben10 repair says; ben10 repair --yes brings the others back.';
const OF_OTHERS =
  'A file behind 32 digits is in the folder of another origin: no event of this journal is lost with it. What that folder is, and what to do about it: ben10 repair.';
const OTHER_MANIFEST =
  "The manifest is another journal's, or from before this one was copied, so that nothing here is read. No event is lost by that: ben10 repair --yes makes it anew from the segments, and keeps the wrong one in .ben10/journal/quarantine.";
const OF_MANIFEST =
  'No event depends on the manifest; without it, the names of texts kept beside the journal cannot be checked.';
