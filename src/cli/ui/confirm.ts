import { createInterface } from 'node:readline/promises';
import type { Ben10Context } from '../context.ts';

/** Asks a person at a terminal; only y and yes agree. */
export async function confirmed(
  { stdin, stdout }: Pick<Ben10Context, 'stdin' | 'stdout'>,
  question: string,
): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stdout, terminal: true });
  try {
    // A closed input is no.
    const ended = new Promise<string>((done) => lines.once('close', () => done('')));
    const answer = await Promise.race([lines.question(`${question} [y/N] `), ended]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
