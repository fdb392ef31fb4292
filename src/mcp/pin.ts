/** Points that move when an event arrives, even that of the tool's own call. */
const MOVING = /^@?(?:head|-\d+)$/;

/** A point for the next page that does not move. */
export const pinned = (point: string | undefined, seq: number): string =>
  point === undefined || MOVING.test(point.trim()) ? `@${seq}` : point;
