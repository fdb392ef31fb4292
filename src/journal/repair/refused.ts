import { isDenied, type Refused } from '../read/refused.ts';
import type { Damaged } from '../verify/verify.ts';
import { type RepairItem, RUN } from './piece.ts';

type Of<T> = T & { refused: Refused };

/** Whether a file is there but may not be read, or its disk fails. */
export const isRefused = <T extends { refused?: Refused }>(one: T): one is Of<T> =>
  one.refused !== undefined;

/** Whether permissions keep a file from being read. It is not moved, and its content is not lost. */
export const isClosed = (one: { refused?: Refused }): boolean =>
  isRefused(one) && isDenied(one.refused);

/** Says how to make the file readable; nothing else is done. */
export function refusedItem(one: Of<Damaged>): RepairItem {
  const { refused } = one;
  const closed = `the system does not let you read it (${refused.why}); nothing in it is lost. Make it readable, then repair again`;
  const what = isDenied(refused) ? `${closed}:${RUN}${refused.next}` : BAD_DISK;
  return { ...one, action: 'none', what };
}

/** If a segment may not be read, the others are not repaired: their chains and losses depend on its content. */
export function heldBack(items: readonly RepairItem[]): RepairItem[] {
  if (!isHeldBack(items)) return [...items];
  return items.map((item) =>
    item.action === 'none' ? item : { ...item, action: 'none', what: WAITS },
  );
}

export const isHeldBack = (items: readonly RepairItem[]): boolean =>
  items.some((item) => isClosed(item) && !IN_NO_SEGMENT.has(item.kind));

const IN_NO_SEGMENT = new Set(['blob', 'inbox']);

export const BAD_DISK = 'the disk fails to read it: copy the file while that is possible';
const WAITS = 'it is repaired once every segment can be read';
