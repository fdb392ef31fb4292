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
import { hookMs, TOLD_BY_HOOKS } from './hook-times.ts';

/** What ben10 cost, by all that is in the journal. */
export interface Cost {
  injected: InjectedState;
  /** How long hooks took, milliseconds: see `hookMs`. */
  hooks: Histogram;
}

export const COST_VERSION = 10 * injected.version + 5;
const STORED = { name: 'cost', version: COST_VERSION, keyframes: false, count: 1 };
/** Stored anew when so many events were added. */
const STORE_EVENTS = 100;

/**
 * Told from a small stored state, and one look at what was appended since: of hardly any event more than the head is read. Of
 * dropped events it is known what was injected, and no more.
 */
export function costOf(project: Project, store: CheckpointStore): Cost {
  const { reader, ports } = project;
  const { refused } = reader;
  const before = storedCost(project, store);
  const { hooks } = before;
  let { injected: state } = before;
  const tagOf = (type: string) => typeTag(type, ports.xxh64);
  const [given, told] = [new Set(injected.types.map(tagOf)), new Set(TOLD_BY_HOOKS.map(tagOf))];
  let { seq } = before;
  for (const batch of reader.batches(seq + 1, undefined, oneRoom())) {
    for (const { entry } of batch) {
      if (entry === undefined) continue;
      seq = entry.seq;
      if (told.has(entry.typeTag)) {
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
  // What a failing disk did not give would be missing from then on.
  if (seq - before.seq >= STORE_EVENTS && reader.refused === refused)
    store.tryToSave(STORED, null, cost, wholeFrontier(seq, null));
  return cost;
}

/** With the event up to which it is. */
function storedCost({ states }: Project, store: CheckpointStore): Cost & { seq: number } {
  const dropped = states.dropped()?.upto ?? 0;
  for (const seq of store.list(STORED, null)) {
    // What is older than a drop has less than the states that stand for what was dropped.
    const found = seq > dropped ? store.load<Cost>(STORED, null, seq)?.state : undefined;
    if (found !== undefined) return { ...found, seq };
  }
  const { state } =
    dropped === 0 ? { state: injected.initial() } : states.at(injected, null, { upto: dropped });
  return { injected: { ...state }, hooks: [], seq: dropped };
}
