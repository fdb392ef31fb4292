import { oneLine } from '../../projections/safe-text.ts';
import {
  checkpointText,
  compactsText,
  forecastText,
  limitsText,
  nameText,
} from '../../statusline/line.ts';
import type { ContextNow } from '../monitor/view-now.ts';
import { count, shortTime } from './format.ts';

export function contextLines(now: ContextNow, time: number): string[] {
  const { session, at, percent, tokens, window, model, costUsd, limits, view } = now;
  const held = tokens === null ? '' : `, ${count(tokens)} of ${count(window)} tokens`;
  const about = [
    ['session', oneLine(session)],
    ['as of', shortTime(at, time)],
    ['model', model && oneLine(model)],
    ['cost', costUsd === null ? null : `$${costUsd.toFixed(2)}`],
    ['limits', limits && limitsText(limits)],
    ['level', `${view.level}; L1 at ${view.l1}, L2 at ${view.l2}, L3 at ${view.l3}%`],
    ['next', listed(forecastText(view, true), compactsText({ view }))],
    ['work', listed(view.issue && nameText(view.issue), nameText(view.phase))],
    ['ckpt', checkpointText({ view, now: time })],
  ];
  return [
    `Context: ${percent}%${held}`,
    ...about.flatMap(([name, value]) => (value ? [`  ${`${name}:`.padEnd(9)}${value}`] : [])),
  ];
}

const listed = (...some: readonly (string | null | undefined)[]): string =>
  some.filter(Boolean).join(' · ');
