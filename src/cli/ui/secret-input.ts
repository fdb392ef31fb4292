import type { Readable, Writable } from 'node:stream';
import { Ben10Error } from '../../platform/errors.ts';
import { readPiped } from './piped-input.ts';

export const SECRET_BYTES_MAX = 64 * 1024;
const END = new Set(['\r', '\n', '\u0004']);
const BACKSPACE = new Set(['\u007f', '\b']);

interface Terminal extends Readable {
  isTTY?: boolean;
  setRawMode?(on: boolean): void;
}

/**
 * Reads a secret from a terminal without echo, or from a pipe without the last line break.
 * @throws Ben10Error USAGE if it is too long, or after Ctrl-C
 */
export async function readSecret(stdin: Terminal, stderr: Writable, what: string): Promise<string> {
  if (stdin.isTTY !== true)
    return (await readPiped(stdin, SECRET_BYTES_MAX, tooLong)).replace(/\r?\n$/, '');
  stderr.write(`${what} (it is not shown): `);
  stdin.setRawMode?.(true);
  try {
    return await readTyped(stdin);
  } finally {
    stdin.setRawMode?.(false);
    stdin.pause();
    stderr.write('\n');
  }
}

async function readTyped(stdin: Readable): Promise<string> {
  let typed: string[] = [];
  for await (const part of stdin) {
    for (const char of String(part)) {
      if (END.has(char)) return typed.join('');
      if (char === '\u0003') throw new Ben10Error('USAGE', 'interrupted; nothing was changed');
      typed = BACKSPACE.has(char) ? typed.slice(0, -1) : [...typed, char];
      if (typed.length > SECRET_BYTES_MAX) throw tooLong();
    }
  }
  return typed.join('');
}

const tooLong = (): Ben10Error =>
  new Ben10Error('USAGE', `the text is longer than ${SECRET_BYTES_MAX} bytes`, {
    next: 'Give a unique part of it.',
  });
