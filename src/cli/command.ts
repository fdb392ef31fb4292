import { Command, Option } from 'clipanion';
import type { Ben10Context } from './context.ts';
import { EXIT, type Exit } from './exit.ts';
import { fitted } from './ui/fit.ts';
import { toJson } from './ui/json.ts';
import { type Colours, coloursOf, widthOf } from './ui/terminal.ts';

/** What a command's exit codes mean, for its help. 2 is wrong usage by default. */
export type ExitCodes = Readonly<Record<0 | 1, string> & { 2?: string }>;

export { EXIT, type Exit };

/** The option of commands that act on one session. */
export const SESSION = {
  description: '<ID> The session, or the start of its id; by default the last active one.',
};

/** What a word can be: one of these, or what the journal has of that kind. */
export type Choices =
  | readonly string[]
  | 'points'
  | 'sessions'
  | 'saves'
  | 'snapshots'
  | 'branches'
  | 'packs'
  | 'packSnapshots'
  | 'files';

/** What all commands share: `--json`, output to the context's streams, and documented exit codes. */
export abstract class Ben10Command extends Command<Ben10Context> {
  static exits: ExitCodes = {
    0: 'done',
    1: 'it failed; the message says why, and what to do',
  };

  /** What it does while it prints nothing, for a terminal; empty if it waits for something. */
  static busy = 'reading the journal';

  /** Whether its arguments are a text, in which a word may begin with a dash. */
  static takesText = false;

  /** For the shells' completion: the arguments in their order, and the options' values by their names in the help. */
  static words: readonly Choices[] = [];
  static choices: Readonly<Record<string, Choices>> = {};

  json = Option.Boolean('--json', false, { description: 'Print JSON.' });

  abstract override execute(): Promise<Exit>;

  protected get colours(): Colours {
    return coloursOf(this.context.stdout, this.context.env);
  }

  /** Columns of the output; infinite if it is no terminal. */
  protected get width(): number {
    return widthOf(this.context.stdout, this.context.env);
  }

  /** Prints lines to stdout, broken to fit the terminal. Text from a journal must have gone through `safe`. */
  protected print(...lines: string[]): void {
    this.context.stdout.write(`${fitted(lines.join('\n'), this.width)}\n`);
  }

  /** Prints one line of JSON to stdout. */
  protected printJson(value: unknown): void {
    this.context.stdout.write(`${toJson(value)}\n`);
  }

  /** Prints data with `--json`, else text. */
  protected answer(data: unknown, lines: () => readonly string[]): Exit {
    if (this.json) this.printJson(data);
    else this.print(...lines());
    return EXIT.ok;
  }

  /** The same; where there is nothing to show, text is a note, and the exit code is 1. */
  protected answerIf(
    isThere: boolean,
    data: unknown,
    none: string,
    lines: () => readonly string[],
  ): Exit {
    if (isThere || this.json) this.answer(data, lines);
    else this.note(none);
    return isThere ? EXIT.ok : EXIT.notSo;
  }

  /** Prints a line to stderr, as `print` does. */
  protected note(line: string): void {
    const { stderr, env } = this.context;
    stderr.write(`${fitted(line, widthOf(stderr, env))}\n`);
  }
}
