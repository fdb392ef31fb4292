import { Command, Option } from 'clipanion';
import { type Compaction, compactJournal } from '../../journal/seal/compact.ts';
import type { Codecs } from '../../journal/seal/compact-segment.ts';
import { loadZstd } from '../../platform/codecs/zstd-write.ts';
import type { Ben10Config } from '../../platform/config/keys.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Removed } from '../../project/doors.ts';
import { RETENTION } from '../../project/features.ts';
import type { Project } from '../../project/open.ts';
import { folderSize } from '../../status/storage.ts';
import { sizeWarnings, takenIn } from '../../status/warnings.ts';
import { type DropDone, dropOld, wouldDrop } from '../../timetravel/retention/retention.ts';
import {
  planTidy,
  type Tidied,
  type TidyPlan,
  tidyStored,
} from '../../timetravel/retention/tidy.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withWriting } from '../open.ts';
import { bytes, plural } from '../ui/format.ts';
import { progressBar } from '../ui/progress.ts';
import { table } from '../ui/table.ts';

export class CompactCommand extends Ben10Command {
  static override paths = [['compact']];
  static override usage = Command.Usage({
    category: 'Keep it in order',
    description: 'Make the journal smaller.',
    details: `
      Closes the segment that events are being appended to, compresses every closed segment, and clears away what
      crashed writers left. Nothing is edited in place: each new file is written, read back and compared before it
      takes the old one's name. The state at every point is the same before and after, and agents may go on working.

      Saves and compaction snapshots are packed as well, and snapshots past their retention are removed (settings under
      \`context.compactionSnapshots\`); pinned ones stay. Where all of it takes more than \`context.maxStorageMb\` even so, older stored
      states go: they are made again when they are asked for.

      Where \`retention.events\` is set, closed segments whose events are all older are emptied first: what was known of them
      stays as states, so that everything since is as it was, and points before them are gone for good.
    `,
    examples: [
      ['Make it smaller', '$0 compact'],
      ['What would it do?', '$0 compact --dry-run'],
    ],
  });

  dryRun = Option.Boolean('--dry-run', false, {
    description: 'Say what would be done, and do nothing.',
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
        throw dropped === null || dryRun ? error : butDropped(error, dropped);
      } finally {
        bar.end();
      }
      const kept = () => folderSize(ports.fs, root).bytes;
      if (dryRun) {
        const stored = planTidy(project, settings, kept(), RETENTION);
        if (this.json) this.printJson({ dryRun, ...result, dropped, stored: asData(stored) });
        else
          this.print(
            ...this.#lines(result),
            ...dropLines(dropped, dryRun),
            ...plannedLines(stored),
          );
        return EXIT.ok;
      }
      const stored = tidyStored(project, codecs.zstd, settings, kept, RETENTION);
      if (this.json) this.printJson({ dryRun, ...result, dropped, stored: asData(stored) });
      else
        this.print(
          ...this.#lines(result),
          ...dropLines(dropped, dryRun),
          ...storedLines(stored),
          ...stillOver(project),
        );
      return EXIT.ok;
    });
  }

  #lines({ segments, bytesBefore, bytesAfter, leftovers }: Compaction): string[] {
    const rows = segments.map((one) => [
      one.segment,
      one.action,
      bytes(one.bytesBefore),
      one.bytesAfter === null ? '?' : bytes(one.bytesAfter),
      one.why,
    ]);
    if (rows.length === 0) return ['The journal is empty: there is nothing to compact.'];
    return [
      this.#verdict(bytesBefore, bytesAfter),
      '',
      ...table(['segment', 'what', '>before', '>after', 'why'], rows),
      ...(leftovers === 0
        ? []
        : ['', `Cleared away: ${plural(leftovers, 'file')} of crashed writers.`]),
    ];
  }

  #verdict(before: number, after: number | null): string {
    if (this.dryRun) return 'Nothing was done. This is what ben10 compact would do:';
    if (after === null || after >= before) return 'There was nothing to make smaller.';
    const saved = Math.round((1 - after / before) * 100);
    return this.colours.green(`${bytes(before)} became ${bytes(after)}: ${saved} % less.`);
  }
}

/** Null where nothing is so old, or nothing is to be dropped at all. */
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

/** What was done is told, also where the rest could not be done. */
function butDropped(error: unknown, dropped: Pick<DropDone, 'upto' | 'events'>): unknown {
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
      ? `It would drop ${what} up to @${upto} for their age (retention.events), for good.`
      : `Dropped for their age (retention.events): ${what} up to @${upto}. What was known of them stays.`,
  ];
}

/** Where all that could be done was not enough. */
function stillOver(project: Project): string[] {
  const taken = takenIn(project, (folder) => folderSize(project.ports.fs, folder).bytes);
  return sizeWarnings(taken, project.maxStorageMb, true).flatMap((line) => ['', line]);
}

function plannedLines({ removed, bytes: freed, archived, ...ifLarge }: TidyPlan): string[] {
  const lines: string[] = [];
  if (removed.length > 0)
    lines.push('', `It would remove ${counted(removed)}, ${bytes(freed)}: ${named(removed)}`);
  if (archived.files > 0) {
    const what = plural(archived.files, 'save or snapshot', 'saves and snapshots');
    lines.push('', `It would pack ${what}, which take ${bytes(archived.bytes)} now.`);
  }
  const { statesIfLarge, removedIfLarge } = ifLarge;
  if (statesIfLarge.files > 0)
    // How much packing saves is not known before.
    lines.push(
      '',
      `Should all be too large even so, it would remove up to ${statesLine(statesIfLarge)}`,
    );
  if (removedIfLarge.length > 0)
    lines.push(
      '',
      `Should they be too large even so, it would remove: ${removedIfLarge.join(', ')}`,
    );
  return lines;
}

const statesLine = ({ files, bytes: freed }: TidyPlan['statesIfLarge']): string =>
  `${plural(files, 'stored state')}, ${bytes(freed)}: they can be made again (context.maxStorageMb).`;

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
    lines.push('', `Packed: ${what}, from ${bytes(bytesBefore)} to ${bytes(bytesAfter)}.`);
  }
  if (states.files > 0) lines.push('', `Removed: ${statesLine(states)}`);
  if (archived === null) {
    lines.push('', 'Saves and snapshots were not packed: a compaction or an erasure is running.');
  }
  return lines;
}
