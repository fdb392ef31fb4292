import type { loopData } from '../../loop/of-project.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { cutTo } from './columns.ts';
import { plural, short, shortTime } from './format.ts';
import type { Colours } from './terminal.ts';

type Shown = ReturnType<typeof loopData>;

const TASK_WIDTH = 60;

/** The keys of a loop, for helps. */
export const LOOP_JSON =
  '{"loop", "worktree", "state", "task", "at", "iterations", "tokens", "costUsd", "minutes", "limits", "client", "newest": {"n", "session", "at", "handoffIn", "outcome", "exit", "isPromised", "checks", "peak", "tokens", "costUsd", "todos", "handoffOut"}, "official"}; "state" is running, killed, or why it ended';

export const loopLine = ({ loop, state, task, at, iterations, limits }: Shown, now: number) =>
  `${shortTime(at, now)}  ${loop.slice(0, 8)}  ${state}, ${iterations}/${limits.max}  ${cutTo(oneLine(task), TASK_WIDTH)}`;

export function loopLines(shown: Shown, now: number, colours: Colours): string[] {
  const { loop, state, task, at, tokens, costUsd, minutes, newest, official } = shown;
  const { max, until, checks } = shown.limits;
  const isGood = state === 'complete' || state === 'running';
  const told = newest && [
    newest.outcome ?? 'at work',
    ...(newest.peak === null ? [] : [`peak ${Math.round(newest.peak)}%`]),
    ...(newest.todos === null ? [] : [`todos ${newest.todos.done}/${newest.todos.all}`]),
    ...newest.checks.map((one) => `${one.isPassed ? '✓' : '✗'} ${oneLine(one.command)}`),
  ];
  return [
    `Loop ${loop}: ${isGood ? colours.green(state) : colours.yellow(state)}, since ${shortTime(at, now)}`,
    `  task       ${cutTo(oneLine(task), TASK_WIDTH)}`,
    `  iterations ${shown.iterations} of ${max}, ${minutes.toFixed(1)} min, ${short(tokens)} tokens, $${costUsd.toFixed(2)}`,
    ...(newest === null ? [] : [`  newest     ${newest.n}: ${told!.join(', ')}`]),
    ...(until === undefined ? [] : [`  done when  <promise>${oneLine(until)}</promise>`]),
    ...(checks.length === 0 ? [] : [`  checks     ${plural(checks.length, 'command')}`]),
    ...(official === null ? [] : [`  Note: the client has a loop of its own in ${official}.`]),
    ...(state === 'killed' ? ['To go on: ben10 loop resume'] : []),
  ];
}
