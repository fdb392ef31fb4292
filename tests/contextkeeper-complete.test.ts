import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const read = (name: string): string => readFileSync(path.join(import.meta.dirname, name), 'utf8');

const rows = read('contextkeeper-complete.md')
  .split('\n')
  .flatMap((line) => {
    const [, capability, file, test] =
      /^\| ((?:[^|\\]|\\.)+) \| `([^`]+)` \| (.+) \|$/.exec(line) ?? [];
    return capability === undefined ? [] : [{ capability, file: file!, test: test! }];
  });

it('has a row for each capability', () => {
  expect(rows.length).toBeGreaterThan(40);
  expect(new Set(rows.map(({ capability }) => capability)).size).toBe(rows.length);
});

it.each(rows)('$capability: the test is there', ({ file, test }) => {
  const names = [...read(file).matchAll(/\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g)];
  expect(names.map(([, , name]) => name!.replace(/\\(.)/g, '$1'))).toContain(test);
});
