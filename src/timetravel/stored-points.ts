import { hasShape } from '../events/shape.ts';
import type { EventData, JournalEvent } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import { oneLine } from '../projections/safe-text.ts';
import { timeAt } from './head.ts';
import { SAVES_DIR, type StoredRef } from './places.ts';
import { pointNotFound } from './points.ts';
import type { ResolvedPoint } from './resolve.ts';
import { findSnapshot, snapshotIndex, storedRef } from './snapshots/indexed.ts';

type Stored = 'context.saved' | 'checkpoint.created';

/** The events that tell of stored states, rising. What is not of its type's shape is passed over. */
export function storedEvents<T extends Stored>(
  { reader, ports }: Pick<Project, 'reader' | 'ports'>,
  type: T,
): JournalEvent<EventData[T]>[] {
  const events = [...readEvents(reader, ports.xxh64, { types: [type] })];
  return events.filter(hasShape) as JournalEvent<EventData[T]>[];
}

/** A checkpoint that was made by hand; ben10's own stored states come and go, and are no points. */
export function checkpointPoint(project: Project, n: number, asked: string | null): ResolvedPoint {
  const text = `@checkpoint:${n}`;
  const all = storedEvents(project, 'checkpoint.created');
  const found = all.at(n > 0 ? n - 1 : n);
  if (found === undefined) {
    const have = all.length === 0 ? 'none was made by hand' : `there are ${all.length}`;
    const next =
      all.length === 0
        ? 'Make one: ben10 checkpoint, or the tool ben10_checkpoint. Any event is a point as it is: @1234'
        : `Use @checkpoint:1 to @checkpoint:${all.length}, or @checkpoint:-1`;
    throw pointNotFound(text, have, next);
  }
  return stored(project, text, found, asked);
}

/** The newest save of a name. */
export function savePoint(project: Project, name: string, asked: string | null): ResolvedPoint {
  const text = `@save:${oneLine(name)}`;
  const all = storedEvents(project, 'context.saved');
  const found = all.findLast((event) => event.data.name === name);
  if (found === undefined) {
    const names = [...new Set(all.map((event) => oneLine(event.data.name)))].slice(-10);
    const have = names.length === 0 ? 'nothing was saved yet' : 'no save has that name';
    const next =
      names.length === 0
        ? 'Save the state of now: ben10 save NAME, or the tool ben10_save'
        : `Saved: ${names.join(', ')}`;
    throw pointNotFound(text, have, next);
  }
  const point = stored(project, text, found, asked);
  return { ...point, stored: refOf(found, point.seq) };
}

/** Where a save's state is stored. */
const refOf = (
  { data, session }: JournalEvent<EventData['context.saved']>,
  upto: number,
): StoredRef => ({
  folder: SAVES_DIR,
  file: data.file,
  session,
  upto,
  name: `save "${oneLine(data.name)}"`,
  code: 'CONTEXT_CORRUPTED',
});

/** Where every save's and every snapshot's state is stored. */
export const storedStates = (project: Project): StoredRef[] => [
  ...storedEvents(project, 'context.saved').map((event) => refOf(event, event.data.upto)),
  ...Object.values(snapshotIndex(project).snapshots).map(storedRef),
];

/** The same of those that can be asked for: of saves the newest of each name. */
export function askableStates(project: Project): StoredRef[] {
  const saves = storedEvents(project, 'context.saved');
  const newest = new Map(saves.map((event) => [event.data.name, event]));
  return [
    ...Array.from(newest.values(), (event) => refOf(event, event.data.upto)),
    ...Object.values(snapshotIndex(project).snapshots).map(storedRef),
  ];
}

/** A compaction snapshot, by its id or the unique start of it. */
export function snapshotPoint(project: Project, id: string, asked: string | null): ResolvedPoint {
  const found = findSnapshot(project, id);
  const { upto: seq, session } = found;
  const at = timeAt(project, seq);
  return {
    text: `@snapshot:${found.id}`,
    cut: { upto: seq },
    session: asked ?? session,
    seq,
    at,
    stored: storedRef(found),
  };
}

/** The point that a stored state stands for; what it says of itself is believed only where it can be true. */
function stored(
  project: Project,
  text: string,
  event: JournalEvent<{ upto: number }>,
  asked: string | null,
): ResolvedPoint {
  const { upto } = event.data;
  const seq = Number.isSafeInteger(upto) && upto >= 0 && upto < event.seq ? upto : event.seq - 1;
  const at = timeAt(project, seq);
  return { text, cut: { upto: seq }, session: asked ?? event.session, seq, at };
}
