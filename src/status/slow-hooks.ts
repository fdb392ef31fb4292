import { ok, warn } from '../platform/finding.ts';
import type { Check } from '../project/doors.ts';
import { type InjectedState, injected } from '../projections/folds/injected.ts';
import { oneLine } from '../projections/safe-text.ts';

const MEND = 'Run ben10 recall: it reads the rest, however long that takes';

/** Hooks that stopped at their time limit, if none has given anything back since. */
export function undoneHooks({ undone, lastUndone }: InjectedState): string | undefined {
  if (lastUndone === null) return undefined;
  const { event, ms, at, what } = lastUndone;
  const hooks = undone === 1 ? 'a hook' : `${undone} hooks`;
  const last = `${oneLine(event)} after ${seconds(ms)} at ${new Date(at).toISOString().slice(0, 16)}Z`;
  return `${hooks} stopped because too much had to be read first; the last one: ${last}, ${oneLine(what)}`;
}

export const undoneWarnings = (state: InjectedState): string[] => {
  const said = undoneHooks(state);
  return said === undefined ? [] : [`${said}. ${MEND}`];
};

export const slowHooksCheck: Check = {
  name: 'slow hooks',
  isInside: true,
  run({ project }) {
    const { state } = project.states.at(injected, null);
    const said = undoneHooks(state);
    if (said !== undefined) return [warn('slow hooks', said, MEND)];
    const { slow, slowest } = state;
    if (slowest === null) return [ok('slow hooks', 'none took over a second')];
    const most = `the slowest ${seconds(slowest.ms)} (${oneLine(slowest.event)})`;
    return [ok('slow hooks', `${slow} took over a second, ${most}; all were done`)];
  },
};

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
