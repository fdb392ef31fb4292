import { Command, Option } from 'clipanion';
import { segmentSummaryOf } from '../../journal/read/segment-summary.ts';
import { RUN } from '../../journal/repair/piece.ts';
import {
  planRepair,
  type Repaired,
  type RepairItem,
  repairJournal,
} from '../../journal/repair/repair.ts';
import { isText } from '../../journal/verify/gaps.ts';
import { isTakenAway } from '../../journal/verify/taken-away.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withJournalAsIs } from '../open.ts';
import {
  damagedIn,
  GONE,
  goneLine,
  isAtLeast,
  knownUpto,
  lossCell,
  placeCells,
  recordedLossCell,
} from '../ui/damage.ts';
import { progressBar } from '../ui/progress.ts';
import { table } from '../ui/table.ts';
import { TEXT_WIDTH, wrap } from '../ui/wrap.ts';

export class RepairCommand extends Ben10Command {
  static override paths = [['repair']];
  static override exits = {
    0: 'the journal is sound now, or was; what is lost for good is recorded in it',
    1: 'it is damaged: nothing was done yet, or something could not be repaired; or it was taken away',
  };
  static override usage = Command.Usage({
    category: 'Keep it in order',
    description: 'Repair a damaged journal, and keep what is taken out.',
    details: `
      Shows what is damaged and what would be done about it. With --yes it is done: flipped bits are put right by the
      checksums, headers and indexes are made anew from what stands around them, and what nobody can read is taken out.
      Every byte that is taken out is kept in .ben10/journal/quarantine, and events that are lost are recorded as lost.

      Sound segments are not touched. Agents may go on working meanwhile. What was lost may still stand in the client's
      transcripts: ben10 import brings it back.
    `,
    examples: [
      ['What is damaged, and what can be done?', '$0 repair'],
      ['Do it', '$0 repair --yes'],
    ],
  });

  yes = Option.Boolean('--yes,-y', false, { description: 'Do it.' });
  dryRun = Option.Boolean('--dry-run', false, {
    description: 'Only show what would be done, as without --yes.',
  });

  async execute() {
    if (this.yes && this.dryRun) {
      throw new Ben10Error('USAGE', '--yes and --dry-run say the opposite of each other', {
        next: 'To see what would be done: ben10 repair. To do it: ben10 repair --yes',
      });
    }
    return withJournalAsIs(this.context, async ({ ports, root, layout, decoders, reader }) => {
      const isGone = isTakenAway(ports, layout);
      // Before the repair: behind it the journal goes on.
      const known = knownUpto(reader, segmentSummaryOf(ports, reader).lastSeq);
      if (this.yes) return this.#done(repairJournal(ports, root, decoders), known, isGone);
      const bar = await progressBar('verifying', this.context.stderr, this.context.now);
      const items = planRepair(ports, root, decoders, bar.advance);
      bar.end();
      return this.#planned(items, known, isGone);
    });
  }

  #planned(items: readonly RepairItem[], known: number, isGone: boolean) {
    const ok = items.length === 0 && !isGone;
    // The same keys as when it is done; what will be lost then is not known for sure.
    if (this.json)
      this.printJson({
        done: false,
        items,
        kept: [],
        lost: null,
        ok,
        isTakenAway: isGone,
        after: null,
      });
    else if (items.length === 0) this.print(...this.#nothingLines(isGone));
    else this.print(...this.#planLines(items, known));
    return ok ? EXIT.ok : EXIT.notSo;
  }

  /** No repair brings back what somebody took away. */
  #nothingLines(isGone: boolean): string[] {
    if (!isGone) return [this.colours.green(SOUND)];
    return [this.colours.red(GONE), '', goneLine()];
  }

  #planLines(items: readonly RepairItem[], known: number): string[] {
    const isAny = items.some(({ action }) => action !== 'none');
    return [
      this.colours.red(`${damagedIn(items)}. Nothing was done yet.`),
      '',
      ...planTable(items, known),
      '',
      ...whatLines(items),
      '',
      wrap(items.some(isLoss) ? LOST : NOTHING_LOST, TEXT_WIDTH),
      wrap(
        isAny
          ? 'Every byte that is taken out is kept in .ben10/journal/quarantine. To do it: ben10 repair --yes'
          : 'There is nothing that a repair does about it by itself: see above what can be done.',
        TEXT_WIDTH,
      ),
    ];
  }

  #done({ items, kept, lost, after }: Repaired, known: number, isGone: boolean) {
    const isSound = after.ok && !(isGone && items.length === 0);
    if (this.json)
      this.printJson({
        done: items.length > 0,
        ...{ items, kept, lost, ok: isSound, isTakenAway: isGone, after },
      });
    else if (items.length === 0) this.print(...this.#nothingLines(isGone));
    else {
      this.print(
        isSound
          ? this.colours.green('The journal is repaired: it is sound again.')
          : this.colours.red(`${damagedIn(after.damage, 'is still')}; see: ben10 verify`),
        '',
        ...table(['damage', 'file', '>at byte', '>size', 'repair'], items.map(doneCells)),
        '',
        ...whatLines(items),
        '',
        ...keptLines(kept),
        ...lostLines(lost, known),
        wrap(lost.length > 0 || items.some(isUnknown) ? LOST : NOTHING_LOST, TEXT_WIDTH),
      );
    }
    return isSound ? EXIT.ok : EXIT.notSo;
  }
}

const SOUND = 'The journal is sound: there is nothing to repair.';

function planTable(items: readonly RepairItem[], known: number): string[] {
  const lost = (item: RepairItem) => {
    if (!isLoss(item)) return '-';
    return isAtLeast(item, known) ? `${lossCell(item)}, at least` : lossCell(item);
  };
  const rows = items.map((item) => [...placeCells(item), lost(item), item.action]);
  return table(['damage', 'file', '>at byte', '>size', 'lost', 'repair'], rows);
}

/** What a plan takes for lost may have been there all the same: what was is told behind the table. */
const doneCells = (item: RepairItem): string[] => [...placeCells(item), item.action];

const whatLines = (items: readonly RepairItem[]): string[] =>
  [...new Set(items.map(({ action, what }) => `${action}: ${what}`))].map(withCommand);

/** The command at the end of a sentence is left in one line. */
function withCommand(what: string): string {
  const [text, ...command] = what.split(RUN);
  return [wrap(text!, TEXT_WIDTH), ...command].join(RUN);
}

/**
 * What is not lost for good is no loss, though the damage hides it now. Of an inbox file that nobody can read it is not
 * known what is.
 */
const isLoss = ({ kind, firstSeq, action }: RepairItem): boolean =>
  action !== 'none' && (firstSeq !== null || kind === 'inbox');

/** Events that are recorded nowhere: such as waited, and such as were cut off at the end before they were synced. */
const isUnknown = (item: RepairItem): boolean =>
  isLoss(item) && (item.kind === 'inbox' || (item.kind === 'tail' && item.lastSeq === null));

const NOTHING_LOST = 'No event is lost.';
const LOST = `Of what is lost, the client's transcripts may still hold something: ben10 import ~/.claude/projects brings it back.`;

/** Of what is lost behind `known`, only what had been synced can be named. */
function lostLines(lost: Repaired['lost'], known: number): string[] {
  if (lost.length === 0) return [];
  const shown = lost.map((one) => {
    const isMore = !isText(one) && one.lastSeq !== null && one.lastSeq > known;
    return `  ${recordedLossCell(one)}${isMore ? ', at least' : ''}`;
  });
  return ['Lost for good, and recorded as lost:', ...shown, ''];
}

function keptLines(kept: readonly string[]): string[] {
  if (kept.length === 0) return [];
  return [`Kept in .ben10/journal/quarantine:`, ...kept.map((name) => `  ${name}`), ''];
}
