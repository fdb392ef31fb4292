import { Writable } from 'node:stream';
import { fold } from './fold.ts';
import { plural } from './format.ts';
import { isTerminal } from './terminal.ts';

/** Passes on the first lines, folded at the width, and counts the rest. */
export class LineLimit extends Writable {
  /** Like the terminal to which the lines go. */
  readonly isTTY: boolean;
  readonly columns: number;
  readonly #target: Writable;
  readonly #lines: number;
  readonly #mute: boolean;
  #pending = '';
  #count = 0;

  constructor(target: Writable, options: { lines: number; width: number; mute: boolean }) {
    super({ decodeStrings: false });
    this.#target = target;
    this.isTTY = isTerminal(target);
    this.columns = options.width;
    this.#lines = options.lines;
    this.#mute = options.mute;
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    const lines = (this.#pending + chunk.toString()).split('\n');
    this.#pending = lines.pop() ?? '';
    for (const line of lines) this.#take(line);
    done();
  }

  #take(line: string): void {
    this.#count += 1;
    if (this.#count > this.#lines || this.#mute) return;
    // A coloured line already has this width.
    const lines = line.includes('\x1b') ? [line] : folded(line, this.columns);
    this.#target.write(`${lines.join('\n')}\n`);
  }

  /** Prints how many lines were left out. */
  finish(dim: (text: string) => string): void {
    if (this.#pending !== '') this.#take(this.#pending);
    const more = this.#count - this.#lines;
    if (more <= 0 || this.#lines === 1 || this.#mute) return;
    this.#target.write(`${dim(`… and ${plural(more, 'more line')}`)}\n`);
  }
}

function folded(line: string, width: number): string[] {
  const [indent] = /^ */.exec(line)!;
  return fold(line.slice(indent.length), width - indent.length, '  ').map((one) => indent + one);
}
