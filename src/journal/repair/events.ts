import type { NewEvent } from '../append/inbox.ts';
import { ownEvent, REPAIRED_TYPE } from '../append/own-events.ts';
import { isForeign } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import { LOSSES_VERSION, type RecordedLoss } from '../verify/gaps.ts';
import type { Verification } from '../verify/verify.ts';
import type { RepairItem } from './piece.ts';

/** A loss that is about to be recorded. */
export type Loss = Omit<RecordedLoss, 'recordedAt'>;

/** Losses in one event: far below the largest body. */
const LOSSES_PER_EVENT = 200;

/** What is still missing after a repair. */
export function lossesIn({ damage }: Verification): Loss[] {
  return damage
    .filter((one) => !isForeign(one) && one.refused === undefined)
    .filter(({ kind, lastSeq }) => kind === 'blob' || (kind === 'missing' && lastSeq !== null))
    .map(({ segment, firstSeq, lastSeq }) => ({ segment, firstSeq, lastSeq }));
}

/** `journal.repaired`, version 2: what a repair did, and what is lost. */
export function* repairedEvents(
  ports: JournalPorts,
  items: readonly RepairItem[],
  kept: readonly string[],
  lost: Loss[],
): Generator<NewEvent> {
  for (let at = 0; at === 0 || at < lost.length; at += LOSSES_PER_EVENT) {
    const data = {
      kind: 'repair',
      repaired: at === 0 ? items.slice(0, LOSSES_PER_EVENT).map(inEvent) : [],
      kept: at === 0 ? kept.slice(0, LOSSES_PER_EVENT) : [],
      lost: lost.slice(at, at + LOSSES_PER_EVENT),
    };
    yield ownEvent(ports, REPAIRED_TYPE, data, LOSSES_VERSION);
  }
}

const inEvent = ({ segment, kind, offset, bytes, action }: RepairItem) => ({
  segment,
  kind,
  offset,
  bytes,
  action,
});
