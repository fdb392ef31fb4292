import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  areGlobs,
  EXCLUDED_BY_DEFAULT,
  excludedBy,
  GLOB_CHARS_MAX,
  GLOBS_MAX,
  isGlob,
} from '../../src/platform/exclude.ts';

const DIR = path.resolve('/work/app');
const by = (patterns: string[], file: string) => excludedBy(patterns, DIR, file);

describe('files whose content is not kept', () => {
  it.each([
    // A name without a slash is looked for at any depth.
    ['*.log', ['a.log', 'deep/er/a.log', '.log', 'x.log/inside'], ['a.logs', 'log', 'alog']],
    ['.env*', ['.env', '.env.local', 'api/.env', '.envrc'], ['env', 'my.env']],
    ['build/', ['build/x', 'a/build/x'], ['builds/x']],
    ['?.txt', ['a.txt'], ['ab.txt', '.txt']],
    // With one, it starts at the project.
    ['node_modules/**', ['node_modules/a', 'node_modules/a/b.js'], ['a/node_modules/b']],
    ['**/node_modules/**', ['node_modules/a', 'x/y/node_modules/z'], ['node_module/a']],
    ['/secret', ['secret', 'secret/a'], ['a/secret']],
    ['a/b', ['a/b', 'a/b/c'], ['x/a/b', 'a/bb']],
    ['a/*/c', ['a/b/c', 'a/b/c/d'], ['a/c', 'a/b/b/c']],
    ['a/**/c', ['a/c', 'a/b/c', 'a/b/b/c/d'], ['a/b', 'b/c']],
    ['src/*.pem', ['src/k.pem'], ['src/a/k.pem', 'k.pem']],
    ['a*b*c', ['abc', 'axxbxxc', 'abcbc'], ['abcb', 'ab']],
    // Only what stands there is meant: no sign of a regular expression.
    ['a.b', ['a.b'], ['axb']],
    ['(x|y)+', ['(x|y)+'], ['x', 'xy']],
  ] as const)('%s', (pattern, inside, outside) => {
    expect(isGlob(pattern)).toBe(true);
    for (const file of inside) {
      expect(by([pattern], file), file).toBe(pattern);
      expect(by([pattern], path.join(DIR, file)), file).toBe(pattern);
    }
    for (const file of outside) expect(by([pattern], file), file).toBeUndefined();
  });

  it('are told by the first pattern that they fall under', () => {
    expect(by(['a', 'x/**', '*.log'], 'x/y.log')).toBe('x/**');
    expect(by([], 'x/y.log')).toBeUndefined();
  });

  it('may be named in a roundabout way', () => {
    expect(by(['/secret'], 'a/../secret')).toBe('/secret');
    expect(by(['.env'], `${DIR}/a/./b/../.env`)).toBe('.env');
  });

  it('are told by their name alone outside of the project', () => {
    expect(by(['*.log'], '/var/x.log')).toBe('*.log');
    expect(by(['work'], '/work/other/file')).toBeUndefined();
    expect(by(['other/**'], '/work/other/file')).toBeUndefined();
  });

  it('are by default logs, packages and environments', () => {
    for (const file of ['x.log', 'node_modules/a/index.js', 'api/.env.local']) {
      expect(excludedBy(EXCLUDED_BY_DEFAULT, DIR, file), file).toBeDefined();
    }
    expect(excludedBy(EXCLUDED_BY_DEFAULT, DIR, 'src/index.ts')).toBeUndefined();
  });

  it('are those that the same pattern as a regular expression matches', () => {
    const name = fc.stringMatching(/^[ab.]{1,4}$/).filter((it) => !/^\.{1,2}$/.test(it));
    const part = fc.oneof(fc.stringMatching(/^[ab.*?]{1,4}$/), fc.constant('**'));
    const wild = part.filter((it) => !/^\.{1,2}$/.test(it) && (it === '**' || !it.includes('**')));
    fc.assert(
      fc.property(
        fc.array(wild, { minLength: 2, maxLength: 4 }),
        fc.array(name, { minLength: 1, maxLength: 5 }),
        (parts, names) => {
          const source = parts
            .map((one) =>
              one === '**'
                ? '(?:[^/]+/)*'
                : `${one.replace(/\./g, '\\.').replace(/\*/g, '[^/]*').replace(/\?/g, '[^/]')}/`,
            )
            .join('');
          const expected = new RegExp(`^${source}`).test(`${names.join('/')}/`);
          expect(by([parts.join('/')], names.join('/')) !== undefined).toBe(expected);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('are told in a time that no pattern can draw out', () => {
    const pattern = `${'*a'.repeat(GLOB_CHARS_MAX / 2 - 1)}b`;
    const start = process.cpuUsage().user;
    for (let n = 0; n < 10; n += 1) expect(by([pattern], 'a'.repeat(4096))).toBeUndefined();
    // Backtracking would take longer than the universe is old.
    expect(process.cpuUsage().user - start).toBeLessThan(2_000_000);
  });
});

describe('a pattern of files', () => {
  it('is refused where it would mean something else than it seems to', () => {
    const bad = [
      '',
      '/',
      '//',
      '!a',
      'a//b',
      './a',
      '../a',
      'a/../b',
      '[ab]',
      '{a,b}',
      'a\\b',
      'a//',
    ];
    for (const pattern of bad) expect(isGlob(pattern), pattern).toBe(false);
    for (const value of [1, null, ['a'], {}]) expect(isGlob(value)).toBe(false);
  });

  it('has up to 200 characters, and there are up to 100 of them', () => {
    expect(isGlob('a'.repeat(GLOB_CHARS_MAX))).toBe(true);
    expect(isGlob('a'.repeat(GLOB_CHARS_MAX + 1))).toBe(false);
    expect(areGlobs(Array(GLOBS_MAX).fill('a'))).toBe(true);
    expect(areGlobs(Array(GLOBS_MAX + 1).fill('a'))).toBe(false);
    expect(areGlobs('a')).toBe(false);
  });
});
