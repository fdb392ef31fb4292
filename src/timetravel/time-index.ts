import type { JournalEvent } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import { ACTIVE_TYPES } from '../projections/last-active.ts';
import type { States } from '../projections/states.ts';
import { after, HISTORY_TYPES, historyOf } from './history.ts';
import type { ResolvedPoint } from './resolve.ts';

/** The earliest and latest time of some events, and the newest of them. */
interface Span {
  earliest: number;
  latest: number;
  seq: number;
}

interface Stretch {
  first: number;
  last: number;
  /** All that happened, and what sessions did. */
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

/** Finds events by time. The journal is read once in a process, later only new events and the few stretches around the time asked for. */
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

  /** The latest event of a kind up to a time; of equal ones the last to arrive. */
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

/** Activity needs a session. */
const isOf = (kind: Kind, event: JournalEvent): event is JournalEvent & { at: number } =>
  event.at !== null &&
  TYPES[kind].has(event.type) &&
  (kind === 'history' || event.session !== null);

function widened(span: Span | undefined, at: number, seq: number): Span {
  if (span === undefined) return { earliest: at, latest: at, seq };
  const earliest = Math.min(span.earliest, at);
  return at >= span.latest ? { earliest, latest: at, seq } : { ...span, earliest };
}

/** By journal. After an erasure it is dropped together with the states. */
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
  // Read again what a failing disk withheld.
  if (reader.refused !== refused) indexes.delete(states);
  return index;
}

/** The latest event up to a time, in all sessions; null when there is none. */
export const newestBy = (project: Project, time: number): { seq: number; at: number } | null =>
  indexOf(project).newest(project, 'history', time);

/** The last active session at a time; null when there was none. */
export function activeBy(project: Project, time: number): string | null {
  const newest = indexOf(project).newest(project, 'active', time);
  if (newest === null) return null;
  const { reader, ports } = project;
  const range = { from: newest.seq, to: newest.seq };
  return readEvents(reader, ports.xxh64, range).next().value?.session ?? null;
}

/** Everything up to a time, in one session or all; any time is a point. */
export function timePoint(
  project: Project,
  time: number,
  session: string | null,
): Omit<ResolvedPoint, 'text'> {
  const cut = { before: after(time) };
  if (session === null)
    return { cut, session, ...(newestBy(project, time) ?? { seq: 0, at: null }) };
  const last = historyOf(project, session, cut).at(-1);
  const newest = { seq: last?.fact.seq ?? 0, at: last?.fact.at ?? null };
  return { cut, session, ...newest };
}
