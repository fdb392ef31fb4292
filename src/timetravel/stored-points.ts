import { hasShape } from '../events/shape.ts';
import type { EventData, JournalEvent } from '../events/types.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import { oneLine } from '../projections/safe-text.ts';
import { timeAt } from './history.ts';
import { SAVES_DIR, type StoredRef } from './places.ts';
import { parsePoint, pointNotFound } from './points.ts';
import type { ResolvedPoint } from './resolve.ts';
import { findSnapshot, snapshotIndex, storedRef } from './snapshots/indexed.ts';
import { timeText } from './text.ts';

type Stored = 'context.saved' | 'save.deleted' | 'checkpoint.created';
type Journal = Pick<Project, 'reader' | 'ports'>;

/** Events in order; those of a wrong shape are skipped. */
function storedEvents<T extends Stored>(
  { reader, ports }: Journal,
  ...types: T[]
): JournalEvent<EventData[T]>[] {
  const events = [...readEvents(reader, ports.xxh64, { types })];
  return events.filter(hasShape) as JournalEvent<EventData[T]>[];
}

export type SavedEvent = JournalEvent<EventData['context.saved']>;

interface Deletion {
  seq: number;
  at: number | null;
  /** What the newest of the deleted saves covered. */
  upto: number;
}

/** The saves that there are, oldest first, and the last deletion of each name. */
export function savesIn(project: Journal): {
  saves: SavedEvent[];
  deleted: Map<string, Deletion>;
} {
  let saves: SavedEvent[] = [];
  const deleted = new Map<string, Deletion>();
  for (const event of storedEvents(project, 'context.saved', 'save.deleted')) {
    if (event.type === 'context.saved') {
      saves.push(event as SavedEvent);
      continue;
    }
    const { seq, at, data } = event as JournalEvent<EventData['save.deleted']>;
    const gone = saves.filter((one) => data.saves.includes(one.seq));
    const last = gone.at(-1)?.data;
    if (last !== undefined) deleted.set(last.name, { seq, at, upto: last.upto });
    saves = saves.filter((one) => !gone.includes(one));
  }
  return { saves, deleted };
}

/** A checkpoint made by hand; ben10's own stored states are no points. */
export function checkpointPoint(project: Project, n: number, asked: string | null): ResolvedPoint {
  const text = `@checkpoint:${n}`;
  const all = storedEvents(project, 'checkpoint.created');
  const found = all.at(n > 0 ? n - 1 : n);
  if (found === undefined) {
    const have = all.length === 0 ? 'none was made by hand' : `there are ${all.length}`;
    const next =
      all.length === 0
        ? 'Make one: ben10 checkpoint, or the tool ben10_checkpoint. Any event is a point, too: @1234'
        : `Use @checkpoint:1 to @checkpoint:${all.length}, or @checkpoint:-1`;
    throw pointNotFound(text, have, next);
  }
  return stored(project, text, found, asked);
}

export function savePoint(project: Project, name: string, asked: string | null): ResolvedPoint {
  const text = `@save:${oneLine(name)}`;
  const { saves, deleted } = savesIn(project);
  const found = saves.findLast((event) => event.data.name === name);
  const deletion = found === undefined ? deleted.get(name) : undefined;
  if (deletion !== undefined) {
    const { at, seq, upto } = deletion;
    const why = `it was deleted on ${timeText(at).replace('T', ' ')}, with @${seq}`;
    throw pointNotFound(text, why, `What it held is at @${upto}, while its events stay`);
  }
  if (found === undefined) {
    const names = [...new Set(saves.map((event) => oneLine(event.data.name)))].slice(-10);
    const none = names.length === 0 ? 'nothing is saved' : 'no save has that name';
    const next =
      names.length === 0
        ? 'Save the current state: ben10 save NAME, or the tool ben10_save'
        : `Saved: ${names.join(', ')}`;
    throw pointNotFound(text, none, next);
  }
  const point = stored(project, text, found, asked);
  return { ...point, stored: refOf(found, point.seq) };
}

export const refOf = ({ data, session }: SavedEvent, upto: number = data.upto): StoredRef => ({
  folder: SAVES_DIR,
  file: data.file,
  session,
  upto,
  name: `save "${oneLine(data.name)}"`,
  code: 'CONTEXT_CORRUPTED',
});

/** The stored states of all saves and snapshots. */
export const storedStates = (project: Project): StoredRef[] => [
  ...savesIn(project).saves.map((event) => refOf(event)),
  ...Object.values(snapshotIndex(project).snapshots).map(storedRef),
];

/** The same, with only the newest save of each name. */
export function askableStates(project: Project): StoredRef[] {
  const { saves } = savesIn(project);
  const newest = new Map(saves.map((event) => [event.data.name, event]));
  return [
    ...Array.from(newest.values(), (event) => refOf(event)),
    ...Object.values(snapshotIndex(project).snapshots).map(storedRef),
  ];
}

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

/** A stored state's point; its event's claim is used only if possible. */
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

/**
 * The point that a restore was asked for: by the name of a save, or as a point.
 * @returns undefined when nothing was said
 * @throws Ben10Error USAGE for both of them, POINT_INVALID for what is neither
 */
export function askedPoint(
  project: Project,
  { name, point }: { name?: string | undefined; point?: string | undefined },
): string | undefined {
  if (name === undefined) return point === undefined ? undefined : pointOrSave(project, point);
  if (point === undefined) return `@save:${name}`;
  throw new Ben10Error('USAGE', 'both a name and a point were given', {
    next: `Use the point @save:${oneLine(name)} or the other one`,
  });
}

/** The bare name of a save is its point, where it is no other one: a save `today` is `@save:today`. */
function pointOrSave(project: Project, point: string): string {
  try {
    parsePoint(point, project.ports.clock.now());
  } catch (error) {
    const isSaved = savesIn(project).saves.some(({ data }) => data.name === point);
    if (!isSaved) throw error;
    return `@save:${point}`;
  }
  return point;
}
