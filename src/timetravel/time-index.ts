import type { JournalEvent } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import { ACTIVE_TYPES } from '../projections/last-active.ts';
import type { States } from '../projections/states.ts';
import { HISTORY_TYPES } from './history.ts';

/** Of a stretch of the journal, and of one kind of events in it: the earliest time, the latest, and its newest event. */
interface Span {
  earliest: number;
  latest: number;
  seq: number;
}

interface Stretch {
  first: number;
  last: number;
  /** Of what happened at all, and of what a session did. */
  history: Span | undefined;
  active: Span | undefined;
}
type Kind = 'history' | 'active';

export const STRETCH_EVENTS = 512;
const TYPES: Record<Kind, ReadonlySet<string>> = {
  history: new Set(HISTORY_TYPES),
  active: new Set(ACTIVE_TYPES),
};
const ALL_TYPES = [...new Set([...HISTORY_TYPES, ...ACTIVE_TYPES])];

/**
 * When things happened, over the whole journal: it is read once in a process, and after that only what was added and the few
 * stretches in which the time that is asked for lies. Events arrive in any order of their times.
 */
class TimeIndex {
  readonly origin: string | undefined;
  readonly #stretches: Stretch[] = [];
  #seq = 0;

  constructor(origin: string | undefined) {
    this.origin = origin;
  }

  catchUp({ reader, ports }: Project): void {
    const passed = { seq: this.#seq };
    const query = { from: this.#seq + 1, types: ALL_TYPES, passed };
    for (const event of readEvents(reader, ports.xxh64, query)) this.#add(event);
    this.#seq = passed.seq;
  }

  #add(event: JournalEvent): void {
    const { seq } = event;
    let stretch = this.#stretches.at(-1);
    if (stretch === undefined || seq - stretch.first >= STRETCH_EVENTS) {
      stretch = { first: seq, last: seq, history: undefined, active: undefined };
      this.#stretches.push(stretch);
    }
    stretch.last = seq;
    for (const kind of ['history', 'active'] as const)
      if (isOf(kind, event)) stretch[kind] = widened(stretch[kind], event.at, seq);
  }

  /** The newest event of a kind by its own time that is not after the given one; of several the one that arrived last. */
  newest({ reader, ports }: Project, kind: Kind, time: number): { seq: number; at: number } | null {
    let found: { seq: number; at: number } | null = null;
    const see = (seq: number, at: number) => {
      if (found === null || at > found.at || (at === found.at && seq > found.seq))
        found = { seq, at };
    };
    for (const { first, last, [kind]: span } of this.#stretches) {
      if (span === undefined || span.earliest > time) continue;
      if (span.latest <= time) {
        see(span.seq, span.latest);
        continue;
      }
      const query = { from: first, to: last, types: [...TYPES[kind]] };
      for (const event of readEvents(reader, ports.xxh64, query))
        if (isOf(kind, event) && event.at <= time) see(event.seq, event.at);
    }
    return found;
  }
}

/** What no session did is nothing that a session was active by. */
const isOf = (kind: Kind, event: JournalEvent): event is JournalEvent & { at: number } =>
  event.at !== null &&
  TYPES[kind].has(event.type) &&
  (kind === 'history' || event.session !== null);

function widened(span: Span | undefined, at: number, seq: number): Span {
  if (span === undefined) return { earliest: at, latest: at, seq };
  const earliest = Math.min(span.earliest, at);
  return at >= span.latest ? { earliest, latest: at, seq } : { ...span, earliest };
}

/** Of each journal that is open; what is held of one in which something was erased goes with its states. */
const indexes = new WeakMap<States, TimeIndex>();

function indexOf(project: Project): TimeIndex {
  const { states, reader } = project;
  const origin = reader.origin();
  let index = indexes.get(states);
  if (index === undefined || index.origin !== origin) {
    index = new TimeIndex(origin);
    indexes.set(states, index);
  }
  const { refused } = reader;
  index.catchUp(project);
  // It would never look again for what the disk did not give.
  if (reader.refused !== refused) indexes.delete(states);
  return index;
}

/** The newest of what had happened by a time, in all sessions; null when nothing had. */
export const newestBy = (project: Project, time: number): { seq: number; at: number } | null =>
  indexOf(project).newest(project, 'history', time);

/** The session that was active last by a time; null when there was none. */
export function activeBy(project: Project, time: number): string | null {
  const newest = indexOf(project).newest(project, 'active', time);
  if (newest === null) return null;
  const { reader, ports } = project;
  const range = { from: newest.seq, to: newest.seq };
  return readEvents(reader, ports.xxh64, range).next().value?.session ?? null;
}
