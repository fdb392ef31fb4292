import path from 'node:path';
import { Command, Option } from 'clipanion';
import { defined } from '../../capture/json.ts';
import type { LoopLimits, LoopStarted } from '../../events/types.ts';
import { type Held, resumeLoop, startLoop } from '../../loop/control.ts';
import { findLoop, iterationData, loopData, loopNow } from '../../loop/of-project.ts';
import { runLoop } from '../../loop/run.ts';
import type { StopReason } from '../../loop/stops.ts';
import type { Ben10Config } from '../../platform/config/keys.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { placeOf } from '../../platform/place.ts';
import type { Project } from '../../project/open.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { EXIT, type Exit } from '../command.ts';
import { namesFile, textOfFile } from '../estimating.ts';
import { withWriting } from '../open.ts';
import { optionalNumber } from '../ui/arguments.ts';
import { iterationLine, LOOP_JSON } from '../ui/loops.ts';
import { LoopVerb, WHICH, which } from './verb.ts';

const MAX = 20;
const STALL = 3;
const NUMBER_MAX = 1e9;

/** What runs a loop: to its end, or only what its killed process left. */
export abstract class LoopRunningCommand extends LoopVerb {
  static override busy = '';

  protected async toItsEnd(
    project: Project,
    settings: Ben10Config,
    { loop, lock }: Held,
    signal: AbortSignal,
  ): Promise<StopReason> {
    try {
      const note = (line: string) => this.note(`ben10 loop: ${oneLine(line)}`);
      const { official, limits } = loopData(project, loopNow(project, loop));
      if (official !== null) note(`the client has a loop of its own in ${official}; it stays`);
      return await runLoop({
        ...{ project, loop, settings, signal, note },
        env: { ...this.context.env },
        ended: (now, error) =>
          note(iterationLine(iterationData(project, now.iterations.at(-1)!), limits.max, error)),
      });
    } finally {
      lock.close();
    }
  }
}

/** The limits of a loop, for `run` and `resume`. */
abstract class LimitedCommand extends LoopRunningCommand {
  max = Option.String('--max', { description: `<N> So many iterations; ${MAX} by default.` });
  until = Option.String('--until', {
    description: '<WORDS> Done when the client says <promise>WORDS</promise>.',
  });
  check = Option.Array('--check', [], {
    description: '<CMD> Done when it passes. Repeat it: all must.',
  });
  budgetUsd = Option.String('--budget-usd', { description: '<X> Dollars, as the client counts.' });
  budgetTokens = Option.String('--budget-tokens', {
    description: '<N> Tokens, without those from the model’s cache.',
  });
  minutes = Option.String('--minutes', { description: '<N> Minutes of work, without waiting.' });
  stall = Option.String('--stall', {
    description: `<N> Ends after so many turns without news; ${STALL} by default, 0 for never.`,
  });

  /** Those that were given. */
  protected get limits(): Partial<LoopLimits> {
    const whole = (option: string, text: string | undefined, min: number) =>
      optionalNumber(option, text, min, NUMBER_MAX);
    if (this.until !== undefined && !/^[^<>\n]{1,200}$/.test(this.until.trim()))
      throw new Ben10Error('USAGE', '--until takes a few words, without < and >', {
        next: 'For example: --until DONE',
      });
    if (this.check.some((one) => one.trim() === ''))
      throw new Ben10Error('USAGE', 'a --check is empty, and would always pass', {
        next: "For example: --check 'npm test'",
      });
    const found = {
      max: whole('--max', this.max, 1),
      stall: whole('--stall', this.stall, 0),
      budgetTokens: whole('--budget-tokens', this.budgetTokens, 1),
      minutes: whole('--minutes', this.minutes, 1),
      budgetUsd: this.budgetUsd === undefined ? undefined : dollars(this.budgetUsd),
      until: this.until?.trim(),
      checks: this.check.length > 0 ? this.check : undefined,
    };
    return defined<Partial<LoopLimits>>(found);
  }

  protected run(prepare: (project: Project) => Held): Promise<Exit> {
    return withWriting(this.context, async (project, config) => {
      const held = prepare(project);
      const reason = await this.toItsEnd(project, config, held, this.context.interruption());
      this.show(project, loopNow(project, held.loop));
      return reason === 'complete' ? EXIT.ok : EXIT.notSo;
    });
  }
}

export class LoopRunCommand extends LimitedCommand {
  static override paths = [['loop', 'run']];
  static override exits = {
    0: 'the task is complete',
    1: 'it ended for another reason, which it says, or could not start',
  };
  static override words = ['files'] as const;
  static override usage = Command.Usage({
    description: 'Start a client again and again, until a task is done.',
    details: `
      TASK is a file, which each iteration reads anew, or a text in quotes. Each iteration is a new session of the client, in this
      worktree; what the one before handed off goes into its prompt. At L2 an iteration ends with a handoff, and the next one goes on.
      The loop survives its own kill: \`ben10 loop resume\`.

      It is complete when the client gives the promise and all checks pass; without \`--until\` when the checks pass; with neither it
      runs to \`--max\`. A promise in quotes or in code is none.

      It ends before: at \`--max\`, a budget, \`--minutes\`, after \`--stall\` turns that changed nothing and finished no todo or failed
      the same way, after three errors of the client in a row, by \`ben10 loop stop\` or Ctrl-C. While the account's rate limit is
      reached it waits, and counts nothing.

      What comes after \`--\` goes to the client. ben10 never adds a permission: say there what it may do, for example
      \`-- --permission-mode acceptEdits\`.

      With \`--json\`: ${LOOP_JSON}.
    `,
    examples: [
      ['Until the tests pass', "$0 loop run 'Make the tests pass' --check 'npm test' --max 5"],
      ['A task in a file, over night', '$0 loop run PROMPT.md --until DONE --budget-usd 10'],
      ['Another client', "$0 loop run PROMPT.md --client-cmd 'codex exec -' --check 'npm test'"],
    ],
  });

  task = Option.String({ name: 'TASK' });
  client = Option.String('--client', {
    description: '<PROGRAM> One that is called as Claude Code is; claude by default.',
  });
  clientCmd = Option.String('--client-cmd', {
    description: '<CMD> A shell command that gets the prompt on stdin.',
  });
  rest = Option.Rest({ name: 'CLIENT ARGUMENTS' });

  async execute(): Promise<Exit> {
    if (this.client !== undefined && this.clientCmd !== undefined)
      throw new Ben10Error('USAGE', '--client and --client-cmd do not go together', {
        next: 'Give one of them.',
      });
    if (this.rest.length > 0 && !this.rest[0]!.startsWith('-'))
      throw new Ben10Error('USAGE', `there is one task, and "${oneLine(this.rest[0]!)}" is more`, {
        next: "Quote it: ben10 loop run 'fix the parser'",
      });
    const limits = { max: MAX, stall: STALL, checks: [], ...this.limits };
    const kind = this.clientCmd === undefined ? 'claude' : 'command';
    const client = [this.clientCmd ?? this.client ?? 'claude', ...this.rest];
    return this.run((project) => {
      const { dir, worktree } = placeOf(project.dir, this.context.cwd);
      return startLoop(project, { worktree, ...this.#task(dir), limits, client, kind });
    });
  }

  #task(dir: string): Pick<LoopStarted, 'file' | 'text'> {
    if (!namesFile(this.context, this.task)) return { text: this.task };
    // As each iteration does: a loop that cannot is none.
    textOfFile(this.context, this.task);
    const file = path.resolve(this.context.cwd, this.task);
    return { file: path.relative(dir, file).split(path.sep).join('/') };
  }
}

export class LoopResumeCommand extends LimitedCommand {
  static override paths = [['loop', 'resume']];
  static override exits = LoopRunCommand.exits;
  static override usage = Command.Usage({
    description: 'Go on with a loop that was killed or has ended.',
    details: `
      ${WHICH} If its client is still at work, it waits for it. All
      that was used so far counts; limits that you give replace its own.

      With \`--json\`: ${LOOP_JSON}.
    `,
    examples: [['Ten more', '$0 loop resume --max 30']],
  });

  which = which();

  async execute(): Promise<Exit> {
    const { limits } = this;
    return this.run((project) =>
      resumeLoop(project, findLoop(project, this.context.cwd, this.which), limits),
    );
  }
}

function dollars(text: string): number {
  const value = Number(text);
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(text) && value > 0) return value;
  throw new Ben10Error('USAGE', `--budget-usd takes an amount, not "${oneLine(text)}"`, {
    next: 'For example: --budget-usd 2.50',
  });
}
