import { headOf, wholeEvent } from '../events/decode.ts';
import { typeTag } from '../journal/format/envelope.ts';
import { oneRoom } from '../journal/read/room.ts';
import type { Project } from '../project/open.ts';
import { ArrivalHistory } from '../projections/arrival-history.ts';
import type { CheckpointStore } from '../projections/checkpoints.ts';
import { foldAll } from '../projections/folding.ts';
import { type InjectedState, injected } from '../projections/folds/injected.ts';
import { wholeFrontier } from '../projections/frontier.ts';
import { counted, type Histogram } from './histogram.ts';
import { HOOK_TYPES, hookMs } from './hook-times.ts';

/** What ben10 has cost, over the whole journal. */
export interface Cost {
  injected: InjectedState;
  /** Durations of hooks, see `hookMs`. */
  hooks: Histogram;
}

export const COST_VERSION = 10 * injected.version + 5;
const STORED = { name: 'cost', version: COST_VERSION, keyframes: false, count: 1 };
/** Stored again after this many events. */
const STORE_EVENTS = 100;

/** From a small stored state and the events since, of which mostly only the head is decoded. For dropped events, hook times are lost. */
export function costOf(project: Project, store: CheckpointStore): Cost {
  const { reader, ports } = project;
  const { refused } = reader;
  const before = storedCost(project, store);
  const { hooks } = before;
  let { injected: state } = before;
  const tagOf = (type: string) => typeTag(type, ports.xxh64);
  const given = new Set(injected.types.map(tagOf));
  const fromHooks = new Set(HOOK_TYPES.map(tagOf));
  let { seq } = before;
  for (const batch of reader.batches(seq + 1, undefined, oneRoom())) {
    for (const { entry } of batch) {
      if (entry === undefined) continue;
      seq = entry.seq;
      if (fromHooks.has(entry.typeTag)) {
        const ms = hookMs(entry);
        if (ms !== undefined) counted(hooks, ms);
      } else if (given.has(entry.typeTag)) {
        const head = headOf(entry);
        if (head === undefined) continue;
        const history = new ArrivalHistory();
        history.add(wholeEvent(entry, head));
        state = foldAll(injected, state, history.ordered());
      }
    }
  }
  const cost = { injected: state, hooks };
  // Not after a read error: the stored state would lack events.
  if (seq - before.seq >= STORE_EVENTS && reader.refused === refused)
    store.tryToSave(STORED, null, cost, wholeFrontier(seq, null));
  return cost;
}

function storedCost({ states }: Project, store: CheckpointStore): Cost & { seq: number } {
  const dropped = states.dropped()?.upto ?? 0;
  for (const seq of store.list(STORED, null)) {
    // An older one lacks what the final states of dropped events have.
    const found = seq > dropped ? store.load<Cost>(STORED, null, seq)?.state : undefined;
    if (found !== undefined) return { ...found, seq };
  }
  const { state } =
    dropped === 0 ? { state: injected.initial() } : states.at(injected, null, { upto: dropped });
  return { injected: { ...state }, hooks: [], seq: dropped };
}
