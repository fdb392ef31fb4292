import type { iterationData, loopData } from '../../loop/of-project.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { cutTo } from './columns.ts';
import { plural, short, shortTime } from './format.ts';
import type { Colours } from './terminal.ts';

type Shown = ReturnType<typeof loopData>;

const TASK_WIDTH = 60;

/** The keys of an iteration and of a loop, for helps. */
export const ITERATION_JSON =
  '{"n", "session", "at", "peak", "outcome", "exit", "isPromised", "checks", "tokens", "costUsd", "todos", "treeBefore", "treeAfter", "handoffIn", "handoffOut", "level"}';
export const LOOP_JSON =
  '{"loop", "worktree", "state", "task", "at", "iterations", "tokens", "costUsd", "minutes", "limits", "client", "newest", "official"}; "state" is running, killed, or why it ended, "newest" an iteration as in `ben10 loop ledger`';

export const loopLine = ({ loop, state, task, at, iterations, limits }: Shown, now: number) =>
  `${shortTime(at, now)}  ${loop.slice(0, 8)}  ${state}, ${iterations}/${limits.max}  ${cutTo(oneLine(task), TASK_WIDTH)}`;

type Iteration = ReturnType<typeof iterationData>;

/** What it took, in few words; undefined where that is not known. What failed comes first. */
export const tookOf = ({ peak, tokens, costUsd, todos, checks }: Iteration) => ({
  peak: peak === null ? undefined : `${Math.round(peak)}%`,
  tokens: tokens === null ? undefined : short(tokens),
  usd: costUsd?.toFixed(2),
  todos: todos === null ? undefined : `${todos.done}/${todos.all}`,
  checks: checks
    .toSorted((a, b) => Number(a.isPassed) - Number(b.isPassed))
    .map(({ command, isPassed }) => `${isPassed ? '✓' : '✗'} ${oneLine(command)}`),
});

/** One line of an iteration, also while its loop runs. @param error the last line that the client printed on stderr */
export function iterationLine(one: Iteration, max: number, error = ''): string {
  const { n, outcome, isPromised } = one;
  const { peak, tokens, usd, todos, checks } = tookOf(one);
  const words = [
    `${n} of ${max}: ${outcome?.replace('-', ' ') ?? 'at work'}`,
    peak && `peak ${peak}`,
    tokens && `${tokens} tokens`,
    usd && `$${usd}`,
    todos && `todos ${todos}`,
    isPromised && 'promised',
    ...checks,
  ];
  const failure = outcome === 'client-error' && error !== '' ? `: ${error}` : '';
  return `${words.filter(Boolean).join(', ')}${failure}`;
}

export function loopLines(shown: Shown, now: number, colours: Colours): string[] {
  const { loop, state, task, at, tokens, costUsd, minutes, newest, official } = shown;
  const { max, until, checks } = shown.limits;
  const isGood = state === 'complete' || state === 'running';
  return [
    `Loop ${loop}: ${isGood ? colours.green(state) : colours.yellow(state)}, since ${shortTime(at, now)}`,
    `  task       ${cutTo(oneLine(task), TASK_WIDTH)}`,
    `  iterations ${shown.iterations} of ${max}, ${minutes.toFixed(1)} min, ${short(tokens)} tokens, $${costUsd.toFixed(2)}`,
    ...(newest === null ? [] : [`  newest     ${iterationLine(newest, max)}`]),
    ...(until === undefined ? [] : [`  done when  <promise>${oneLine(until)}</promise>`]),
    ...(checks.length === 0 ? [] : [`  checks     ${plural(checks.length, 'command')}`]),
    ...(official === null ? [] : [`  Note: the client has a loop of its own in ${official}.`]),
    ...(state === 'task-lost'
      ? [`${oneLine(task)} cannot be read. Put it back, then: ben10 loop resume`]
      : []),
    ...(state === 'killed' ? ['To go on: ben10 loop resume'] : []),
  ];
}
