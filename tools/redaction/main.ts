import { printOrdinary } from './ordinary.ts';
import { printRecall } from './recall.ts';

/** @returns the exit code: 1 when a goal is missed */
export async function main(root: string, [command, ...rest]: string[]): Promise<number> {
  if (command !== undefined && command !== 'recall' && command !== 'ordinary') {
    console.error('usage: node tools/redaction.mjs [recall [--all] | ordinary [DIR…]]');
    return 2;
  }
  const parts = [
    ...(command === 'ordinary' ? [] : [printRecall(rest.includes('--all'))]),
    ...(command === 'recall' ? [] : [printOrdinary(root, rest)]),
  ];
  console.log(`secrets: ${parts.map(({ figure }) => figure).join('; ')}`);
  return parts.every(({ ok }) => ok) ? 0 : 1;
}
