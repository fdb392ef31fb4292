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
import { removeIndex } from '../../search/files.ts';
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
import { wrap } from '../ui/wrap.ts';

export class RepairCommand extends Ben10Command {
  static override paths = [['repair']];
  static override exits = {
    0: 'the journal is sound now; lost events are recorded as lost',
    1: 'it is damaged and was not repaired, or not completely; or it is gone',
  };
  static override busy = 'verifying';
  static override usage = Command.Usage({
    category: 'Maintain',
    description: 'Repair a damaged journal.',
    details: `
      Without \`--yes\` this only shows the damage and the plan. With it, flipped bits are corrected with the checksums, headers
      and indexes are rebuilt, and unreadable bytes are moved to .ben10/journal/quarantine. Lost events are recorded as lost.

      Sound segments are not changed, and agents may continue to work. The client's transcripts may still contain lost
      events: \`ben10 import\` brings them back.
    `,
    examples: [
      ['Show the damage and the plan', '$0 repair'],
      ['Repair', '$0 repair --yes'],
    ],
  });

  yes = Option.Boolean('--yes,-y', false, { description: 'Repair.' });
  dryRun = Option.Boolean('--dry-run', false, {
    description: 'Only show the plan, as without --yes.',
  });

  async execute() {
    if (this.yes && this.dryRun) {
      throw new Ben10Error('USAGE', '--yes and --dry-run exclude each other', {
        next: 'Show the plan: ben10 repair. Repair: ben10 repair --yes',
      });
    }
    return withJournalAsIs(this.context, async ({ ports, root, layout, decoders, reader }) => {
      const isGone = isTakenAway(ports, layout);
      // Before the repair, which appends events.
      const known = knownUpto(reader, segmentSummaryOf(ports, reader).lastSeq);
      if (this.yes) {
        const done = repairJournal(ports, root, decoders);
        removeIndex({ ports, root });
        return this.#done(done, known, isGone);
      }
      const bar = await progressBar('verifying', this.context.stderr, this.context.now);
      const items = planRepair(ports, root, decoders, bar.advance);
      bar.end();
      return this.#planned(items, known, isGone);
    });
  }

  #planned(items: readonly RepairItem[], known: number, isGone: boolean) {
    const ok = items.length === 0 && !isGone;
    // The same keys as after a repair. What will be lost is not certain yet.
    const plan = { done: false, items, kept: [], lost: null, ok, isTakenAway: isGone, after: null };
    if (this.json) this.printJson(plan);
    else if (items.length === 0) this.print(...this.#nothingLines(isGone));
    else this.print(...this.#planLines(items, known));
    return ok ? EXIT.ok : EXIT.notSo;
  }

  #nothingLines(isGone: boolean): string[] {
    if (!isGone) return [this.colours.green(SOUND)];
    return [this.colours.red(GONE), '', goneLine()];
  }

  #planLines(items: readonly RepairItem[], known: number): string[] {
    const isAny = items.some(({ action }) => action !== 'none');
    return [
      this.colours.red(`${damagedIn(items)}. Nothing was changed yet.`),
      '',
      ...planTable(items, known),
      '',
      ...whatLines(items),
      '',
      wrap(items.some(isLoss) ? LOST : NOTHING_LOST),
      ...(isAny
        ? [
            'All removed bytes are kept in .ben10/journal/quarantine.',
            'To repair, run: ben10 repair --yes',
          ]
        : ['ben10 repair cannot fix this by itself; see above what you can do.']),
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
          ? this.colours.green('The journal is repaired.')
          : this.colours.red(`${damagedIn(after.damage, 'is still')}; see: ben10 verify`),
        '',
        ...table(['damage', 'file', '>at byte', '>size', 'repair'], items.map(doneCells)),
        '',
        ...whatLines(items),
        '',
        ...keptLines(kept),
        ...lostLines(lost, known),
        wrap(lost.length > 0 || items.some(isUnknown) ? LOST : NOTHING_LOST),
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

/** Without the plan's guess of what is lost: after a repair it is known, and listed below the table. */
const doneCells = (item: RepairItem): string[] => [...placeCells(item), item.action];

const whatLines = (items: readonly RepairItem[]): string[] =>
  [...new Set(items.map(({ action, what }) => `${action}: ${what}`))].map(withCommand);

/** Does not wrap the command at the end of a sentence. */
function withCommand(what: string): string {
  const [text, ...command] = what.split(RUN);
  return [wrap(text!), ...command].join(RUN);
}

/** Whether events are lost for good, as far as known: an unreadable inbox file may hold some. */
const isLoss = ({ kind, firstSeq, action }: RepairItem): boolean =>
  action !== 'none' && (firstSeq !== null || kind === 'inbox');

/** Losses that cannot be recorded: events that waited in the inbox, or were not synced yet. */
const isUnknown = (item: RepairItem): boolean =>
  isLoss(item) && (item.kind === 'inbox' || (item.kind === 'tail' && item.lastSeq === null));

const NOTHING_LOST = 'No event is lost.';
const LOST = `The client's transcripts may still contain lost events: ben10 import brings them back.`;

/** Of events after `known`, only those that were synced can be listed. */
function lostLines(lost: Repaired['lost'], known: number): string[] {
  if (lost.length === 0) return [];
  const shown = lost.map((one) => {
    const isMore = !isText(one) && one.lastSeq !== null && one.lastSeq > known;
    return `  ${recordedLossCell(one)}${isMore ? ', at least' : ''}`;
  });
  return ['Recorded as lost:', ...shown, ''];
}

function keptLines(kept: readonly string[]): string[] {
  if (kept.length === 0) return [];
  return [`Kept in .ben10/journal/quarantine:`, ...kept.map((name) => `  ${name}`), ''];
}
