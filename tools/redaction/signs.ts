import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { allSigns } from '../../src/capture/redaction/table/token-at.ts';

/** The file that lists how tokens begin, made from the table. `tests/capture/redaction/token-signs.test.ts` holds it so. */
export function signsFile(): string {
  const byFirst = new Map<string, string[]>();
  for (const sign of allSigns()) {
    const first = sign[0] ?? '';
    byFirst.set(first, [...(byFirst.get(first) ?? []), sign]);
  }
  const lines: string[] = [];
  const seconds: string[] = [];
  for (const [first, signs] of byFirst) {
    const key = /^[A-Za-z_]$/.test(first) ? first : `'${first}'`;
    lines.push(`  ${key}: ' ${signs.join(' ')} ',`);
    seconds.push(`  ${key}: '${[...new Set(signs.map((sign) => sign[1]))].join('')}',`);
  }
  return `/**
 * The first two to eight characters of every token of the table and of its base64, between spaces, by the first of them.
 * Made by \`node tools/redaction.mjs signs\`: the hook knows by them which texts need the table, which it does not load
 * otherwise.
 */
export const TOKEN_SIGNS: Readonly<Record<string, string>> = {
${lines.join('\n')}
};

/** Their second characters, by the first: most places are told apart by two. */
export const TOKEN_SECONDS: Readonly<Record<string, string>> = {
${seconds.join('\n')}
};
`;
}

export function writeSigns(root: string): string {
  const file = path.join(root, 'src/capture/redaction/token-signs.ts');
  writeFileSync(file, signsFile());
  return file;
}
