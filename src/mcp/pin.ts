import { spanOf } from '../platform/spans.ts';

/** Points that move when an event arrives, even that of the tool's own call. */
const MOVING = /^@?(?:head|-\d+)$/;
const LATER = 1e12;

/** A point for the next page that does not move with events or with time. */
export const pinned = (point: string | undefined, seq: number): string =>
  point === undefined || MOVING.test(point.trim()) || isOfNow(point) ? `@${seq}` : point;

/** An age, or a day that is named from today. */
function isOfNow(point: string): boolean {
  const text = point.trim().replace(/^@/, '');
  return JSON.stringify(spanOf(text, LATER)) !== JSON.stringify(spanOf(text, 2 * LATER));
}
