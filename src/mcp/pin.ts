/** Points that are elsewhere as soon as another event arrives, which a tool's own call may be. */
const MOVING = /^@?(?:head|-\d+)$/;

/** The point for the next page: where it would move, the event that it meant. */
export const pinned = (point: string | undefined, seq: number): string =>
  point === undefined || MOVING.test(point.trim()) ? `@${seq}` : point;
