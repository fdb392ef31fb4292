import type { Writable } from 'node:stream';
import pc from 'picocolors';

export type Colours = ReturnType<typeof pc.createColors>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a stream that is no terminal gets its lines cut: not at all. */
export const NO_WIDTH = Number.POSITIVE_INFINITY;
/** Narrower than this nothing is laid out: lines may as well wrap. */
const WIDTH_MIN = 40;

export const isTerminal = (stream: Writable): boolean =>
  (stream as { isTTY?: boolean }).isTTY === true;

/** Colours for a terminal whose user did not switch them off (no-color.org); plain text for everything else. */
export function coloursOf(stream: Writable, env: Environment): Colours {
  const off = env.NO_COLOR !== undefined && env.NO_COLOR !== '';
  return pc.createColors(isTerminal(stream) && !off && env.TERM !== 'dumb');
}

/** Columns to lay lines out in: the terminal's, or those that `COLUMNS` gives. */
export function widthOf(stream: Writable, env: Environment): number {
  const columns = (stream as { columns?: number }).columns ?? Number(env.COLUMNS);
  return Number.isSafeInteger(columns) && columns > 0 ? Math.max(columns, WIDTH_MIN) : NO_WIDTH;
}
