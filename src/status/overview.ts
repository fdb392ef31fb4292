import type { Project } from '../project/open.ts';
import { ArrivalHistory } from '../projections/arrival-history.ts';
import type { CheckpointStore } from '../projections/checkpoints.ts';
import { cutOff } from '../projections/cut-off.ts';
import { readEvents } from '../projections/events.ts';
import { foldAll } from '../projections/folding.ts';
import { type SessionRecord, type SessionsState, sessions } from '../projections/folds/sessions.ts';
import { wholeFrontier } from '../projections/frontier.ts';

export interface Overview {
  count: number;
  /** The last active one. */
  newest: SessionRecord | undefined;
  /** The one before it, if it was cut off. */
  cutOff: SessionRecord | undefined;
}

interface Stored {
  /** Only with the newest session: as long as no other continues, it can be folded like the whole. */
  state: SessionsState;
  cutOff: SessionRecord | null;
}

const STORED = { name: 'overview', version: sessions.version, keyframes: false };
/** Stored again after this many events. */
const STORE_EVENTS = 200;

/** From a small stored state if possible: reading the state of all sessions takes longest. */
export function overviewOf(project: Project, store: CheckpointStore): Overview {
  const { refused } = project.reader;
  const stored = storedOverview(project, store);
  if (stored !== undefined) return overview(stored);
  const { state, seq } = project.states.at(sessions, null);
  const { count, recent } = state;
  const all = Object.values(state.sessions);
  const newest = newestOf(all);
  if (newest === undefined) return { count, newest, cutOff: undefined };
  const cut = cutOff(all, newest.session).at(-1) ?? null;
  const own = { state: { sessions: { [newest.session]: newest }, count, recent }, cutOff: cut };
  // Not after a read error: the stored state would lack events.
  if (project.reader.refused === refused)
    store.tryToSave(STORED, null, own, wholeFrontier(seq, null));
  return overview(own);
}

const overview = ({ state, cutOff: cut }: Stored): Overview => ({
  count: state.count,
  newest: newestOf(Object.values(state.sessions)),
  cutOff: cut ?? undefined,
});

/** Undefined if nothing usable is stored, or another session was active since. */
function storedOverview(
  { reader, ports, states }: Project,
  store: CheckpointStore,
): Stored | undefined {
  const { refused } = reader;
  const [seq] = store.list(STORED, null);
  // An older one lacks what the final states of dropped events have.
  if (seq === undefined || seq <= (states.dropped()?.upto ?? 0)) return undefined;
  const found = store.load<Stored>(STORED, null, seq)?.state;
  if (found === undefined) return undefined;
  let { state } = found;
  const newest = newestOf(Object.values(state.sessions))?.session;
  const passed = { seq };
  const query = { from: seq + 1, types: sessions.types, passed };
  for (const event of readEvents(reader, ports.xxh64, query)) {
    if (event.session === null) continue;
    if (event.session !== newest) return undefined;
    const history = new ArrivalHistory();
    history.add(event);
    state = foldAll(sessions, state, history.ordered());
  }
  const now = { state, cutOff: found.cutOff };
  if (passed.seq - seq >= STORE_EVENTS && reader.refused === refused)
    store.tryToSave(STORED, null, now, wholeFrontier(passed.seq, null));
  return now;
}

const newestOf = (records: readonly SessionRecord[]): SessionRecord | undefined =>
  records.reduce<SessionRecord | undefined>(
    (best, one) => (best !== undefined && best.lastAt > one.lastAt ? best : one),
    undefined,
  );
