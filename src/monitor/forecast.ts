import type { Point } from '../projections/growth.ts';
import type { MonitorView } from './view.ts';

export type Forecast = NonNullable<MonitorView['forecast']>;

/** What is ahead, in tokens. */
export interface Mark {
  to: Forecast['to'];
  tokens: number;
}

/** What is known from other contexts: fitted to recorded sessions of strangers, `bench/monitor-forecast.mjs` measures it on others'. */
export const USUAL = {
  /** Tokens a minute. */
  rate: 3500,
  /** Of actual minutes to those that the rate gives: the median, and where 80 % lie between. */
  ...{ middle: 1.16, low: 0.56, high: 2 },
};
export type Usual = typeof USUAL;
/** A context's own rate counts as much as the usual one once it grew by so many tokens: what it reads first says little of what follows. */
const OWN_TOKENS = 100_000;
/** The first ones read files and instructions. */
export const MESSAGES_MIN = 8;

/**
 * Minutes of work to each mark that is ahead, the nearest first; none before there is anything to expect them from.
 * @param first and newest point of a context
 */
export function forecasts(
  [, , from]: Point,
  [messages, minutes, tokens]: Point,
  { rate: usual, middle, low, high }: Usual,
  marks: readonly Mark[],
): Forecast[] {
  const grown = tokens - from;
  if (messages < MESSAGES_MIN || !(grown > 0 && minutes > 0)) return [];
  const rate = (grown + OWN_TOKENS) / (minutes + OWN_TOKENS / usual);
  return marks
    .filter((mark) => mark.tokens > tokens)
    .sort((a, b) => a.tokens - b.tokens)
    .map((mark) => {
      const left = (mark.tokens - tokens) / rate;
      return { to: mark.to, minutes: left * middle, low: left * low, high: left * high };
    });
}

/** @param at the thresholds in percent, and the tokens at which the client compacts, if it does */
export const marksOf = (
  at: Pick<MonitorView, 'l1' | 'l2' | 'l3' | 'compactAt' | 'window'>,
): Mark[] => [
  { to: 'L1', tokens: (at.l1 * at.window) / 100 },
  { to: 'L2', tokens: (at.l2 * at.window) / 100 },
  { to: 'L3', tokens: (at.l3 * at.window) / 100 },
  ...(at.compactAt === null ? [] : [{ to: 'compaction' as const, tokens: at.compactAt }]),
];
