import { Command, Option } from 'clipanion';
import type { Ben10Context } from './context.ts';
import { EXIT, type Exit } from './exit.ts';
import { toJson } from './ui/json.ts';
import { type Colours, coloursOf, widthOf } from './ui/terminal.ts';

/** What a command's exit codes say, in the words of its help. 2 is wrong usage unless a command says otherwise. */
export type ExitCodes = Readonly<Record<0 | 1, string> & { 2?: string }>;

export { EXIT, type Exit };

/** What all commands have: `--json`, output to the context's streams, and exit codes that their help lists. */
export abstract class Ben10Command extends Command<Ben10Context> {
  static exits: ExitCodes = {
    0: 'done',
    1: 'it failed; the message says why and what next',
  };

  json = Option.Boolean('--json', false, { description: 'Print JSON, for programs.' });

  abstract override execute(): Promise<Exit>;

  protected get colours(): Colours {
    return coloursOf(this.context.stdout, this.context.env);
  }

  /** Columns of the output; infinite where nothing needs to be cut. */
  protected get width(): number {
    return widthOf(this.context.stdout, this.context.env);
  }

  /** Prints lines to stdout. Text from a journal must have gone through `safe`. */
  protected print(...lines: string[]): void {
    this.context.stdout.write(`${lines.join('\n')}\n`);
  }

  /** Prints one line of JSON to stdout. */
  protected printJson(value: unknown): void {
    this.context.stdout.write(`${toJson(value)}\n`);
  }

  /** A remark beside the output, on stderr. */
  protected note(line: string): void {
    this.context.stderr.write(`${line}\n`);
  }
}
