import { hasShape } from '../events/shape.ts';
import type { ErasureRequested, JournalEvent } from '../events/types.ts';
import { Ben10Error } from '../platform/errors.ts';

/** Everything up to a seq was dropped, and its states stand in the `journal.based` events between two others. */
export interface Dropped {
  upto: number;
  bases: [first: number, last: number];
}

/** Of the states that stand for what was dropped, how many can not be read any more. */
export interface LostStates {
  /** Everything up to this seq was dropped. */
  upto: number;
  lost: number;
  of: number;
}

/** Tells of drops: of several the newest counts, for its states hold what those before it held. */
export const DROPPING_TYPE = 'erasure.requested';

/** The drop that an event tells of; undefined when it tells of none. */
export function dropIn(event: JournalEvent): Dropped | undefined {
  if (event.type !== DROPPING_TYPE || !hasShape(event)) return undefined;
  const { upto, bases } = event.data as ErasureRequested;
  const [first, last] = bases ?? [];
  if (upto === undefined || first === undefined || last === undefined) return undefined;
  return { upto, bases: [first, last] };
}

/** @param text the point that was asked for, or what stands for it */
export const beforeDrop = (text: string, { upto }: Dropped): Ben10Error =>
  new Ben10Error(
    'POINT_NOT_FOUND',
    `${text} cannot be asked for any more: what came before @${upto} was dropped for its age`,
    {
      next: `Use @${upto} or a later point. Saves and snapshots of before can be restored; events are dropped by the setting retention.events`,
    },
  );

const which = (lost: number, of: number): string =>
  of === 1
    ? 'the state that stood for it is'
    : `${lost} of the ${of} states that stood for it ${lost === 1 ? 'is' : 'are'}`;

/** For who is asked for a state that may lack what they held. */
export const statesLost = ({ upto, lost, of }: LostStates): Ben10Error =>
  new Ben10Error(
    'STATES_LOST',
    `what came before @${upto} was dropped for its age, and ${which(lost, of)} lost: what was known by then is not here`,
    { next: 'Saves and snapshots of before can be restored; a backup of .ben10 has the states' },
  );
