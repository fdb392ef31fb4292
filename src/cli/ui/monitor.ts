import type { ContextSampled } from '../../events/types.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { count, shortTime } from './format.ts';
import { limitsText } from './limits.ts';

/** What is known of a session's context; null where it is not. */
export interface ContextNow
  extends Pick<ContextSampled, 'percent' | 'window' | 'windowFrom' | 'via'> {
  session: string | null;
  at: number | null;
  tokens: number | null;
  model: string | null;
  costUsd: number | null;
  limits: ContextSampled['limits'] | null;
}

export function contextLines(now: ContextNow, time: number): string[] {
  const { session, at, percent, tokens, window, model, costUsd, limits } = now;
  const held = tokens === null ? '' : `, ${count(tokens)} of ${count(window)} tokens`;
  const about = [
    ['session', session && oneLine(session)],
    ['as of', shortTime(at, time)],
    ['model', model && oneLine(model)],
    ['cost', costUsd === null ? null : `$${costUsd.toFixed(2)}`],
    ['limits', limits && limitsText(limits)],
  ];
  return [
    `Context: ${percent}%${held}`,
    ...about.flatMap(([name, value]) => (value ? [`  ${`${name}:`.padEnd(9)}${value}`] : [])),
  ];
}
