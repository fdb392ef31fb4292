import type { Errors } from '../../monitor/backtest.ts';
import type { Estimate } from '../../monitor/estimate.ts';
import type { SessionPlan } from '../../monitor/session-plan.ts';
import type { Shard } from '../../monitor/shards.ts';
import { thousands } from '../../monitor/size.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { plural } from './format.ts';
import { table } from './table.ts';

const ADVICE: Readonly<Record<Estimate['advice'], string>> = {
  fits: 'It fits.',
  'consider-shards': 'It fits, but more than 30% of the window: think of sharding it.',
  shard: 'Shard it before you begin: it is more than 60% of the window.',
  'does-not-fit': 'It may not fit into what is left: checkpoint first, or shard it.',
};

export function estimateLines(found: Estimate): string[] {
  const { tokens, low, high, window, used, share, features, learnt } = found;
  const { items, files, newFiles, checks } = features;
  const of = [
    plural(items, 'item'),
    ...(files > 0 ? [plural(files, 'known file')] : []),
    ...(newFiles > 0 ? [plural(newFiles, 'new file')] : []),
    ...(checks > 0 ? [plural(checks, 'check')] : []),
  ].join(', ');
  const by =
    learnt.tasks === 0
      ? 'Nothing was learnt here yet: no task has ended.'
      : `Learnt from ${plural(learnt.tasks, 'finished task')}: × ${learnt.factor.toFixed(2)}${
          learnt.error === null ? '' : `; one left out is off by ${Math.round(learnt.error)}%`
        }.`;
  return [
    `About ${thousands(tokens)} tokens, ${share}% of the window; 80% of such tasks take ${thousands(low)} to ${thousands(high)}.`,
    `${of}. ${thousands(window - used)} of ${thousands(window)} are left.`,
    ADVICE[found.advice],
    by,
    ...(found.shards.length > 1 ? ['', ...shardLines(found.shards)] : []),
  ];
}

export function planLines({ sessions }: SessionPlan): string[] {
  if (sessions.every(({ todos }) => todos.length === 0)) return ['Nothing is open.'];
  return sessions.flatMap(({ todos, percent }, n) => {
    const name = n === 0 ? 'This session' : `Session ${n + 1}`;
    const last = todos.at(-1);
    return [
      last === undefined
        ? `${name}: no room, it is at ${percent}%.`
        : `${name}: ${plural(todos.length, 'todo')}, up to about ${percent}%; best handed off behind "${oneLine(last.title)}".`,
      ...todos.map(({ title, tokens }) => `  ${thousands(tokens).padStart(4)}  ${oneLine(title)}`),
    ];
  });
}

export const shardLines = (shards: readonly Shard[]): string[] =>
  table(
    ['SHARD', 'ITEMS', 'TOKENS', 'ABOUT'],
    shards.map(({ title, items, tokens }, index) => [
      String(index + 1),
      String(items.length),
      thousands(tokens),
      oneLine(title),
    ]),
  );

const CHART = 30;

/** One bar for each way to forecast; the shorter, the better. */
export function errorChart({ ours, ewma, soFar }: Errors): string[] {
  const most = Math.max(ours, ewma, soFar, 1);
  const row = (name: string, error: number) =>
    `  ${name.padEnd(8)} ${'█'.repeat(Math.round((CHART * error) / most)).padEnd(CHART)} ${Math.round(error)}%`;
  return [row('ben10', ours), row('EWMA', ewma), row('so far', soFar)];
}
