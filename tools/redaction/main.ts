import { printOrdinary } from './ordinary.ts';
import { printRecall } from './recall.ts';
import { writeSigns } from './signs.ts';

/** @returns the exit code: 1 when a goal is missed */
export function main(root: string, [command, ...rest]: string[]): number {
  if (command === 'signs') {
    console.log(writeSigns(root));
    return 0;
  }
  if (command === 'recall') return printRecall(rest.includes('--all'));
  if (command === 'ordinary') return printOrdinary(root, rest);
  console.error('usage: node tools/redaction.mjs signs | recall [--all] | ordinary [DIR…]');
  return 2;
}
