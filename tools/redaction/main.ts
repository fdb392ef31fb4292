import { printOrdinary } from './ordinary.ts';
import { printRecall } from './recall.ts';
import { writeScanner } from './scanner.ts';
import { writeSigns } from './signs.ts';

/** @returns the exit code: 1 when a goal is missed */
export async function main(root: string, [command, ...rest]: string[]): Promise<number> {
  if (command === 'signs') {
    console.log(writeSigns(root));
    return 0;
  }
  if (command === 'scanner') {
    console.log(await writeScanner(root));
    return 0;
  }
  if (command !== undefined && command !== 'recall' && command !== 'ordinary') {
    console.error(
      'usage: node tools/redaction.mjs [signs | scanner | recall [--all] | ordinary [DIR…]]',
    );
    return 2;
  }
  const parts = [
    ...(command === 'ordinary' ? [] : [printRecall(rest.includes('--all'))]),
    ...(command === 'recall' ? [] : [printOrdinary(root, rest)]),
  ];
  console.log(`secrets: ${parts.map(({ figure }) => figure).join('; ')}`);
  return parts.every(({ ok }) => ok) ? 0 : 1;
}
