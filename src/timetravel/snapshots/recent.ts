import { readdirIfThere } from '../../platform/files.ts';
import type { Project } from '../../project/open.ts';
import { ArrivalHistory } from '../../projections/arrival-history.ts';
import { readEvents } from '../../projections/events.ts';
import { foldAll } from '../../projections/folding.ts';
import { type ContextState, context } from '../../projections/folds/context.ts';
import { type Message, shareOf } from '../../projections/folds/conversation.ts';
import { type SnapshotRecord, snapshots } from '../../projections/folds/snapshots.ts';
import { STORED_NAME } from '../places.ts';

/** Other sessions may have added files since. */
const FILES_BACK = 5;

/** The newest event of each stored snapshot, rising. */
const snapshotSeqs = ({ ports, layout }: Pick<Project, 'ports' | 'layout'>): number[] =>
  readdirIfThere(ports.fs, layout.snapshots)
    .flatMap((name) => STORED_NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);

/** The newest snapshots, oldest first. Only events after their files' seqs are read, because a hook has no time for more. */
export function recentSnapshots({ ports, layout, reader }: Project): SnapshotRecord[] {
  const seqs = snapshotSeqs({ ports, layout });
  const from = seqs.at(-FILES_BACK) ?? seqs[0];
  if (from === undefined) return [];
  const history = new ArrivalHistory();
  const { types } = snapshots;
  for (const event of readEvents(reader, ports.xxh64, { from: from + 1, types }))
    history.add(event);
  const { snapshots: found } = foldAll(snapshots, snapshots.initial(), history.ordered());
  return Object.values(found);
}

/** Share of a state's limits; the other half is for the next turn. */
const DUE = 0.5;

/** Whether a state is about to drop messages that no snapshot has. @throws STATES_BEHIND */
export function isUnderPressure(project: Project, session: string): boolean {
  const { conversation }: ContextState = project.states.at(context, session).state;
  const isDue = (upto: number) => shareOf(conversation.messages.filter(isBehind(upto))) >= DUE;
  // File names alone usually show that nothing is due.
  if (!isDue(snapshotSeqs(project).at(-1) ?? 0)) return false;
  const own = recentSnapshots(project).findLast((one) => one.session === session);
  return isDue(own?.upto ?? 0);
}

const isBehind =
  (upto: number) =>
  ({ seq }: Message): boolean =>
    seq > upto;
