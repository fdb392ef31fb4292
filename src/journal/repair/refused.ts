import { isDenied, type Refused } from '../read/refused.ts';
import type { Verification } from '../verify/verify.ts';
import { type RepairItem, RUN } from './piece.ts';

type Damage = Verification['damage'][number];
type Of<T> = T & { refused: Refused };

/** Whether a file is there and was not given. A whole one that takes its place may stand beside one that a bad disk keeps. */
export const isRefused = <T extends { refused?: Refused }>(one: T): one is Of<T> =>
  one.refused !== undefined;

/** Of a file whose rights keep it from being read: nobody moves it, or takes what is in it for lost. */
export const isClosed = (one: { refused?: Refused }): boolean =>
  isRefused(one) && isDenied(one.refused);

/** What a repair does about a file that was not given: it says how to get at it. */
export function refusedItem(one: Of<Damage>): RepairItem {
  const { segment, kind, offset, bytes, firstSeq, lastSeq, refused } = one;
  const item = { segment, kind, offset, bytes, firstSeq, lastSeq, refused };
  const closed = `the system does not let you read it (${refused.why}), and nothing of it is lost by that. Repair again once it does`;
  const what = isDenied(refused) ? `${closed}:${RUN}${refused.next}` : BAD_DISK;
  return { ...item, action: 'none', what };
}

/**
 * Where a segment is closed, nothing is done to the others: their chains and what they lost are told by what is in it, and who
 * gives it back its rights has all of it again.
 */
export function heldBack(items: readonly RepairItem[]): RepairItem[] {
  if (!isHeldBack(items)) return [...items];
  return items.map((item) =>
    item.action === 'none' ? item : { ...item, action: 'none', what: WAITS },
  );
}

export const isHeldBack = (items: readonly RepairItem[]): boolean =>
  items.some((item) => isClosed(item) && !IN_NO_SEGMENT.has(item.kind));

const IN_NO_SEGMENT = new Set(['blob', 'inbox']);

export const BAD_DISK = 'the disk does not give its bytes: copy the file while that is possible';
const WAITS = 'nothing is done about it before every segment can be read';
