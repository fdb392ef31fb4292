import { decodeEvent } from '../events/decode.ts';
import type { EventType, JournalEvent } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import { type Cut, MERGED } from '../projections/gather.ts';
import { SessionHistory } from '../projections/history.ts';
import { comparePlaces, END, type Place, type Placed } from '../projections/order.ts';

/** What happened in a session according to its client, without ben10's own events. */
export const HISTORY_TYPES: readonly EventType[] = [
  'session.started',
  'session.ended',
  'prompt.submitted',
  'message.recorded',
  'tool.called',
  'tool.succeeded',
  'tool.failed',
  'subagent.started',
  'subagent.stopped',
  'compaction.started',
  'compaction.finished',
  'turn.ended',
  'usage.sampled',
  'hook.received',
];

export const historyOf = (project: Project, session: string, cut: Cut = {}): Placed[] =>
  project.states.facts(session, HISTORY_TYPES, cut);

/**
 * Facts of one session or of all, in the order in which they happened, in one pass over the journal.
 * @param isWanted spares memory: what is not wanted is not kept
 */
export function historyOfAll(
  { reader, ports }: Project,
  types: readonly EventType[],
  { session, cut = {} }: { session?: string | undefined; cut?: Cut | undefined },
  isWanted: (event: JournalEvent) => boolean = () => true,
): Placed[] {
  const histories = new Map<string, SessionHistory>();
  const query = { to: cut.upto, types: [...types, ...MERGED], ...(session && { session }) };
  for (const event of readEvents(reader, ports.xxh64, query)) {
    if (event.session === null || !isWanted(event)) continue;
    const history = histories.get(event.session) ?? new SessionHistory();
    histories.set(event.session, history);
    history.add(event);
  }
  const { before } = cut;
  return [...histories.values()]
    .flatMap((history) => history.ordered())
    .filter(({ place }) => before === undefined || comparePlaces(place, before) < 0)
    .sort((a, b) => comparePlaces(a.place, b.place) || a.fact.seq - b.fact.seq);
}

/** The place after everything up to a time, in all sessions. */
export const after = (time: number): Place =>
  Number.isFinite(time) ? { time: time + 1, rank: 0, thread: '', position: -1 } : END;

/** Beyond a longer damaged stretch the time is unknown. */
const SEARCH_BACK = 1000;
/** The first event nearly always has a time; else the search widens by this factor. */
const WIDER = 8;

/** The time of an event, or of the last readable one before it; null when there is none. */
export function timeAt(project: Project, seq: number): number | null {
  const first = Math.max(1, seq - SEARCH_BACK);
  let to = seq;
  for (let events = 1; to >= first; events *= WIDER) {
    const from = Math.max(first, to - events + 1);
    let at: number | null = null;
    for (const { entry } of project.reader.entries(from, to)) {
      if (entry !== undefined) at = decodeEvent(entry)?.at ?? at;
    }
    if (at !== null) return at;
    to = from - 1;
  }
  return null;
}
