import type { Writable } from 'node:stream';
import pc from 'picocolors';

export type Colours = ReturnType<typeof pc.createColors>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Lines for what is no terminal are not cut. */
const NO_WIDTH = Number.POSITIVE_INFINITY;
/** In a narrower terminal lines may wrap. */
const WIDTH_MIN = 40;

export const isTerminal = (stream: Writable): boolean =>
  (stream as { isTTY?: boolean }).isTTY === true;

/** Colours for a terminal, unless NO_COLOR is set (no-color.org). FORCE_COLOR comes before both, as in Node and other tools. */
export function coloursOf(stream: Writable, env: Environment): Colours {
  const { FORCE_COLOR: forced, NO_COLOR: off = '' } = env;
  if (forced !== undefined) return pc.createColors(forced !== '0' && forced !== 'false');
  return pc.createColors(isTerminal(stream) && off === '' && env.TERM !== 'dumb');
}

export function widthOf(stream: Writable, env: Environment): number {
  const columns = (stream as { columns?: number }).columns ?? Number(env.COLUMNS);
  return Number.isSafeInteger(columns) && columns > 0 ? Math.max(columns, WIDTH_MIN) : NO_WIDTH;
}
