import { hasShape } from '../events/shape.ts';
import type { ErasureRequested, JournalEvent } from '../events/types.ts';
import { Ben10Error } from '../platform/errors.ts';

/** Everything up to `upto` was removed by retention; `journal.based` events between two seqs hold the states in its place. */
export interface Dropped {
  upto: number;
  bases: [first: number, last: number];
}

/** How many of the states that stand in for removed events cannot be read. */
export interface LostStates {
  upto: number;
  lost: number;
  of: number;
}

/** Reports removals; the newest one counts, since its states include those before. */
export const DROPPING_TYPE = 'erasure.requested';

export function dropIn(event: JournalEvent): Dropped | undefined {
  if (event.type !== DROPPING_TYPE || !hasShape(event)) return undefined;
  const { upto, bases } = event.data as ErasureRequested;
  const [first, last] = bases ?? [];
  if (upto === undefined || first === undefined || last === undefined) return undefined;
  return { upto, bases: [first, last] };
}

export const beforeDrop = (text: string, { upto }: Dropped): Ben10Error =>
  new Ben10Error(
    'POINT_NOT_FOUND',
    `${text} is not available: events up to @${upto} were removed by retention`,
    {
      next: `Use @${upto} or a later point, or restore an older save or snapshot. The setting retention.events decides how long events are kept`,
    },
  );

const which = (lost: number, of: number): string =>
  of === 1
    ? 'the state kept in their place is'
    : `${lost} of the ${of} states kept in their place ${lost === 1 ? 'is' : 'are'}`;

/** A requested state may lack what the lost states held. */
export const statesLost = ({ upto, lost, of }: LostStates): Ben10Error =>
  new Ben10Error(
    'STATES_LOST',
    `events up to @${upto} were removed by retention, and ${which(lost, of)} unreadable: what happened before is missing here`,
    { next: 'Restore an older save or snapshot, or get the states from a backup of .ben10' },
  );
