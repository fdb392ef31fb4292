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

/** The names of a file's tests, but for those that are skipped, or still to be written. */
function testsIn(text: string): string[] {
  const never =
    /\b(?:x?it|x?test|x?describe)(?:\.\w+)*\.(?:skip|todo)(?:\.each\([^)]*\))?$|\bx(?:it|test|describe)$/;
  return [...text.matchAll(/\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g)]
    .filter(({ index }) => !never.test(text.slice(Math.max(0, index - 200), index).trimEnd()))
    .map(([, , name]) => name!.replace(/\\(.)/g, '$1'));
}

it('counts no test that is skipped', () => {
  const skipped = ["it.skip('a',", "test.todo('b')", "xit('c',", "it.skip.each([1])('d %s',"];
  expect(testsIn(`${skipped.join('\n')}\nit('e',\nit.each([1, 2])('f %s',`)).toEqual(['e', 'f %s']);
});

it.each(rows)('$capability: the test is there', ({ file, test }) => {
  expect(testsIn(read(file))).toContain(test);
});
