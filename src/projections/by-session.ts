import type { JournalReader } from '../journal/read/reader.ts';
import type { Hash64 } from '../platform/xxh64.ts';
import { ArrivalHistory } from './arrival-history.ts';
import type { Bases } from './bases.ts';
import type { Projection } from './contract.ts';
import { readEvents } from './events.ts';
import { foldAll } from './folding.ts';

/** The states of all sessions in one pass over the journal. @param projection of scope `session-arrival` */
export function statesBySession<S>(
  reader: JournalReader,
  xxh64: Hash64,
  bases: Bases,
  projection: Projection<S>,
): Map<string, S> {
  const { types } = projection;
  const states = new Map<string, S>();
  for (const [session, { state }] of bases.bySession(projection)) states.set(session, state);
  const from = (bases.dropped()?.upto ?? 0) + 1;
  for (const event of readEvents(reader, xxh64, { from, types })) {
    if (event.session === null) continue;
    const history = new ArrivalHistory();
    history.add(event);
    const state = states.get(event.session) ?? projection.initial();
    states.set(event.session, foldAll(projection, state, history.ordered()));
  }
  return states;
}
