import type { ToolCalled, ToolFailed, ToolSucceeded } from '../../events/types.ts';
import { withBlobs } from '../../log/blobs.ts';
import type { Project } from '../../project/open.ts';
import type { Fact } from '../../projections/contract.ts';
import type { Place } from '../../projections/order.ts';
import { askedOf, runsIn, unfolded } from '../../projections/outcome/command.ts';
import { outcomeOf } from '../../projections/outcome/of-call.ts';
import { Passes, runKey } from '../../projections/outcome/passes.ts';
import { unwrapped } from '../../projections/outcome/run.ts';
import { answerText, isObject, textOf } from '../../projections/tools-text.ts';
import { refusalOf } from '../../projections/user-answers.ts';
import { type Of, stepsOf } from './calls.ts';

/** A shell command that an agent ran. */
export interface CommandRun {
  command: string;
  seq: number;
  place: Place;
  ended: Fact<ToolSucceeded | ToolFailed>;
}

const SHELL = new Set(['Bash']);

/** In the order in which they ended, without those that the user refused and those that ask ben10. */
export function commandRuns(project: Project, of: Of): CommandRun[] {
  const runs: CommandRun[] = [];
  for (const { fact, place, call } of stepsOf(project, of, SHELL, [
    'tool.succeeded',
    'tool.failed',
  ])) {
    const { input } = withBlobs(project, call!) as ToolCalled;
    const command = (isObject(input) && textOf(input.command)) || '';
    const ended = fact as CommandRun['ended'];
    if (command !== '' && !isRefused(ended) && !asksBen10(command))
      runs.push({ command, seq: fact.seq, place, ended });
  }
  return runs;
}

const isRefused = ({ data }: CommandRun['ended']): boolean =>
  refusalOf('Bash', textOf((data as ToolFailed).error) ?? '') !== undefined;

const asksBen10 = (command: string): boolean =>
  unfolded(command).some(({ words }) => /(?:^|[\\/])ben10$/.test(unwrapped(words)[0] ?? ''));

/**
 * Failures that did not pass since, each by its last try; the newest first. To judge an output takes time: what ran before a pass of
 * the same command changes nothing.
 * @param runs oldest first
 */
export function stillFailing(runs: readonly CommandRun[], dir: string): CommandRun[] {
  const passes = new Passes();
  const passed = new Set<string>();
  const failing = new Map<string, CommandRun>();
  for (const [at, run] of [...runs.entries()].reverse()) {
    const key = runKey(run.command);
    if (passed.has(key)) continue;
    const { verdict, hasFailed } = judged(run);
    if (hasFailed && !failing.has(key) && !passes.hasSince(run.command, at, dir))
      failing.set(key, run);
    if (verdict !== 'passed') continue;
    passed.add(key);
    passes.add(run.command, at, dir);
  }
  return [...failing.values()];
}

const judged = ({ command, ended }: CommandRun) => outcomeOf(ended, askedOf(command));

export const exitCodeOf = (run: CommandRun): number | null => judged(run).exitCode;

/** The last one of a pattern: what it runs, or with `*` how it is written. */
export function lastRun(runs: readonly CommandRun[], pattern: string): CommandRun | undefined {
  const isOne = pattern.includes('*') ? spelled(pattern) : running(pattern);
  return runs.findLast(({ command }) => isOne(command));
}

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

function spelled(pattern: string): (command: string) => boolean {
  const parts = squeezed(pattern).split('*');
  const escaped = parts.map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  const whole = new RegExp(`^${escaped.join('.*')}$`);
  return (command) => whole.test(squeezed(command));
}

/** `npm test` is in `cd app && npm test -- auth`. What only looks is compared by its words. */
function running(pattern: string): (command: string) => boolean {
  const wanted = runsIn(pattern);
  if (wanted.length === 0) {
    const words = squeezed(pattern);
    return (command) => `${squeezed(command)} `.startsWith(`${words} `);
  }
  return (command) => {
    const runs = runsIn(command);
    return wanted.every(({ words }) =>
      runs.some(
        (run) => run.words[0] === words[0] && words.every((one) => run.words.includes(one)),
      ),
    );
  };
}

/** All that it printed; undefined where the journal has lost it. */
export function outputOf(project: Project, { ended }: CommandRun): string | undefined {
  let isLost = false;
  const data = withBlobs(project, ended.data, () => {
    isLost = true;
  }) as ToolSucceeded & ToolFailed;
  if (isLost) return undefined;
  return ended.type === 'tool.failed' ? (textOf(data.error) ?? '') : answerText(data.response);
}
