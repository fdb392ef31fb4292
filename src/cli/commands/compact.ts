import { Command, Option } from 'clipanion';
import { journalRange } from '../../journal/read/range.ts';
import { type Compaction, compactJournal } from '../../journal/seal/compact.ts';
import type { Codecs } from '../../journal/seal/compact-segment.ts';
import { loadZstd } from '../../platform/codecs/zstd-write.ts';
import type { Ben10Config } from '../../platform/config/keys.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Removed } from '../../project/doors.ts';
import { RETENTION } from '../../project/features.ts';
import type { Project } from '../../project/open.ts';
import { indexOf } from '../../search/keep-up.ts';
import { folderSize } from '../../status/storage.ts';
import { sizeWarnings, takenIn } from '../../status/warnings.ts';
import { type DropDone, dropOld, wouldDrop } from '../../timetravel/retention/retention.ts';
import {
  planTidy,
  type Tidied,
  type TidyPlan,
  tidyStored,
} from '../../timetravel/retention/tidy.ts';
import { Ben10Command } from '../command.ts';
import { withWriting } from '../open.ts';
import { bytes, plural } from '../ui/format.ts';
import { progressBar } from '../ui/progress.ts';
import { table } from '../ui/table.ts';

export class CompactCommand extends Ben10Command {
  static override paths = [['compact']];
  static override busy = 'compacting';
  static override usage = Command.Usage({
    category: 'Maintain',
    description: 'Compress the journal.',
    details: `
      Closes the current segment, compresses all closed segments, and removes files of crashed writers. Each new file is
      written, read back and compared before it replaces the old one. Nothing is lost, and agents may continue to work.

      Brings the index of \`ben10 search\` up to date. Also compresses saves and compaction snapshots, and removes expired snapshots (settings under
      \`context.compactionSnapshots\`); pinned ones stay. If everything still exceeds \`context.maxStorageMb\`, older stored
      states and the index are removed; they are rebuilt when needed.

      If \`retention.events\` is set, closed segments whose events are all older are dropped first. Their final states stay,
      so later points do not change; earlier points cannot be replayed any more.
    `,
    examples: [
      ['Compress', '$0 compact'],
      ['Only show what it would do', '$0 compact --dry-run'],
    ],
  });

  dryRun = Option.Boolean('--dry-run', false, {
    description: 'Only show what would be done.',
  });

  async execute() {
    const { stderr, now } = this.context;
    const { dryRun } = this;
    return withWriting(this.context, async (project, { context: settings, retention }) => {
      const { ports, root, decoders } = project;
      const codecs = { zstd: await loadZstd(), decoders };
      const dropped = dropping(project, retention.events, codecs, dryRun);
      const bar = await progressBar('compacting', stderr, now);
      let result: Compaction;
      try {
        result = compactJournal(ports, root, codecs, { dryRun, progress: bar.advance });
      } catch (error) {
        throw dropped === null || dryRun ? error : afterDrop(error, dropped);
      } finally {
        bar.end();
      }
      const kept = () => folderSize(ports.fs, root).bytes;
      const answer = (stored: Tidied | TidyPlan, lines: string[]) =>
        this.answer({ dryRun, ...result, dropped, stored: asData(stored) }, () => [
          ...this.#lines(result),
          ...dropLines(dropped, dryRun),
          ...lines,
        ]);
      if (dryRun) {
        const plan = planTidy(project, settings, kept(), RETENTION);
        return answer(plan, plannedLines(plan));
      }
      await this.#index(project);
      const done = tidyStored(project, codecs.zstd, settings, kept, RETENTION);
      return answer(done, [...storedLines(done), ...stillOver(project)]);
    });
  }

  async #index(project: Project): Promise<void> {
    const { stderr, now } = this.context;
    const { last } = journalRange(project.ports, project.reader);
    const bar = await progressBar('indexing', stderr, now);
    const index = indexOf(project);
    for (const _ of index.steps(true)) bar.advance(index.upto, last);
    bar.end();
    if (index.unwritten !== undefined) this.note(index.unwritten);
  }

  #lines({ segments, bytesBefore, bytesAfter, leftovers }: Compaction): string[] {
    const rows = segments.map((one) => [
      one.segment,
      one.action,
      bytes(one.bytesBefore),
      one.bytesAfter === null ? '?' : bytes(one.bytesAfter),
      one.why,
    ]);
    if (rows.length === 0) return ['The journal is empty.'];
    return [
      this.#verdict(bytesBefore, bytesAfter),
      '',
      ...table(['segment', 'what', '>before', '>after', 'why'], rows),
      ...(leftovers === 0 ? [] : ['', `Removed ${plural(leftovers, 'file')} of crashed writers.`]),
    ];
  }

  #verdict(before: number, after: number | null): string {
    if (this.dryRun) return 'Plan; nothing was changed:';
    if (after === null || after >= before) return 'Nothing could be compressed further.';
    const saved = Math.round((1 - after / before) * 100);
    return this.colours.green(`${bytes(before)} became ${bytes(after)}: ${saved} % less.`);
  }
}

/** Null if nothing is dropped. */
function dropping(
  project: Project,
  age: Ben10Config['retention']['events'],
  codecs: Codecs,
  dryRun: boolean,
): Pick<DropDone, 'upto' | 'events'> | null {
  if (age === 'never') return null;
  const days = Number.parseInt(age, 10);
  return (dryRun ? wouldDrop(project, days) : dropOld(project, days, codecs)) ?? null;
}

/** Also reports the drop if the compaction failed. */
function afterDrop(error: unknown, dropped: Pick<DropDone, 'upto' | 'events'>): unknown {
  if (!(error instanceof Ben10Error)) return error;
  const { code, message, place, next, cause } = error;
  const done = `${plural(dropped.events, 'old event')} up to @${dropped.upto} were dropped`;
  return new Ben10Error(code, `${done}, but nothing was compacted: ${message}`, {
    place,
    ...(next !== undefined && { next }),
    cause: cause ?? error,
  });
}

function dropLines(dropped: Pick<DropDone, 'upto' | 'events'> | null, dryRun: boolean): string[] {
  if (dropped === null) return [];
  const { upto, events } = dropped;
  const what = plural(events, 'event');
  return [
    '',
    dryRun
      ? `Would drop for their age (retention.events): ${what} up to @${upto}.`
      : `Dropped for their age (retention.events): ${what} up to @${upto}. Their final states stay.`,
  ];
}

function stillOver(project: Project): string[] {
  const taken = takenIn(project, (folder) => folderSize(project.ports.fs, folder).bytes);
  return sizeWarnings(taken, project.maxStorageMb, true).flatMap((line) => ['', line]);
}

function plannedLines({ removed, bytes: freed, archived, ...ifLarge }: TidyPlan): string[] {
  const lines: string[] = [];
  if (removed.length > 0)
    lines.push('', `Would remove ${counted(removed)}, ${bytes(freed)}: ${named(removed)}`);
  if (archived.files > 0) {
    const what = plural(archived.files, 'save or snapshot', 'saves and snapshots');
    lines.push('', `Would compress ${what}, now ${bytes(archived.bytes)}.`);
  }
  const { statesIfLarge, removedIfLarge } = ifLarge;
  if (statesIfLarge.files > 0)
    // How much compression saves is not known yet.
    lines.push('', `If the total is still too large, removes up to ${statesLine(statesIfLarge)}`);
  if (removedIfLarge.length > 0)
    lines.push('', `If snapshots are still too large, removes ${removedIfLarge.join(', ')}`);
  return lines;
}

const statesLine = ({ files, bytes: freed }: TidyPlan['statesIfLarge']): string =>
  `${plural(files, 'file')}, ${bytes(freed)}, which can be rebuilt (context.maxStorageMb).`;

/** `2 snapshots`, of each kind. */
const counted = (removed: readonly Removed[]): string =>
  [...new Set(removed.map(({ what }) => what))]
    .map((kind) => plural(removed.filter(({ what }) => what === kind).length, kind))
    .join(' and ');

const asData = <T extends { removed: readonly Removed[] }>(stored: T) => ({
  ...stored,
  removed: stored.removed.map(({ id, why }) => ({ id, why })),
});

const named = (removed: readonly Removed[]): string =>
  removed.map(({ id, why }) => `${id} (${why})`).join(', ');

function storedLines(stored: Tidied): string[] {
  const { removed, bytes: freed, archived, states } = stored;
  const lines: string[] = [];
  if (removed.length > 0) {
    lines.push('', `Removed: ${counted(removed)}, ${bytes(freed)}: ${named(removed)}`);
  }
  if (archived !== null && archived.files > 0) {
    const { files, bytesBefore, bytesAfter } = archived;
    const what = plural(files, 'save or snapshot', 'saves and snapshots');
    lines.push('', `Compressed ${what}, from ${bytes(bytesBefore)} to ${bytes(bytesAfter)}.`);
  }
  if (states.files > 0) lines.push('', `Removed: ${statesLine(states)}`);
  if (archived === null) {
    lines.push(
      '',
      'Saves and snapshots were not compressed: a compaction or an erasure is running.',
    );
  }
  return lines;
}
