import type { WorkspaceSettings } from '../../platform/config/keys.ts';
import type { ToolRun } from '../../projections/folds/tools.ts';
import { looksAround } from '../../projections/outcome/command.ts';
import { runKey } from '../../projections/outcome/passes.ts';
import { outcomeText } from '../../projections/outcome/words.ts';
import type { RecentCommand } from '../context.ts';
import type { Around, Collector } from './collector.ts';

const COMMAND_CHARS = 160;
/** The newest relevant commands of the journal, oldest first. */
export const commands: Collector<RecentCommand> = {
  timeoutMs: 500,
  collect: (around) => commandsOf(around, around.settings.history),
};

export function commandsOf(
  { recorded, clean }: Pick<Around, 'recorded' | 'clean'>,
  history: WorkspaceSettings['history'],
): RecentCommand[] {
  if (!history.enabled) return [];
  const relevant = [...recorded().contexts]
    .flatMap(({ tools }) => tools.runs)
    .filter((run) => run.name === 'Bash' && !run.abandoned && run.agent === null)
    .filter(({ about }) => isRelevant(about, history.patterns))
    .sort((a, b) => a.at - b.at);
  // A repeated command is shown once, by its last run.
  const last = new Map<string, ToolRun>();
  for (const run of relevant) {
    const key = runKey(run.about);
    last.delete(key);
    last.set(key, run);
  }
  return [...last.values()].slice(-history.maxEntries).map(({ at, about, outcome, exitCode }) => {
    const told = outcome === 'open' || outcome === 'passed' ? '' : outcomeText(outcome, exitCode);
    return { at, command: clean(about, COMMAND_CHARS), outcome: told };
  });
}

/** @param patterns parts of a command; `*` stands for anything, `^` at the start for its start */
export function isRelevant(command: string, patterns: readonly string[]): boolean {
  if (patterns.length === 0) return !looksAround(command);
  return patterns.some((pattern) => holds(command.trimStart(), pattern));
}

/** No regular expression: whoever wrote the pattern, matching takes linear time. */
function holds(command: string, pattern: string): boolean {
  const isAtStart = pattern.startsWith('^');
  const [first = '', ...others] = (isAtStart ? pattern.slice(1) : pattern).split(/\.?\*/);
  if (isAtStart && !command.startsWith(first)) return false;
  let from = 0;
  for (const part of [first, ...others]) {
    const found = command.indexOf(part, from);
    if (found === -1) return false;
    from = found + part.length;
  }
  return true;
}
