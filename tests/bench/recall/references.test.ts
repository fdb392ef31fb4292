import { expect, test } from 'vitest';
import { bench } from './bench.ts';

const { commandsOf, holds, referencesIn } = await bench('references.mjs');
const CWD = '/home/dev/app';
const found = (text: string) => [...referencesIn(text, CWD)].sort();

test('paths are found absolutely, relatively and by their ending, and are the same below the folder', () => {
  expect(found('see /home/dev/app/src/a.ts, ./src/a.ts and `src/a.ts`.')).toEqual([
    'path src/a.ts',
  ]);
  expect(found('edit README.md')).toEqual(['path README.md']);
  expect(found('and/or, n/a, 1/2, https://x.org/a/b.js')).toEqual([]);
  expect(found('#!/usr/bin/env python3\nimport os')).toEqual([]);
});

test('identifiers are names that nobody writes in prose', () => {
  expect(found('call get_token and parseLine, not parser or np')).toEqual([
    'identifier get_token',
    'identifier parseLine',
  ]);
});

test('numbers have at least three digits', () => {
  expect(found('44100 Hz, 0.05, 12, 1,284 rows, v2, 3.5')).toEqual([
    'number 0.05',
    'number 1,284',
    'number 44100',
  ]);
});

test('a shell line is split into its commands, and what any session has is left out', () => {
  expect(commandsOf('cd app && npm  test -- a | tail -5; ls src')).toEqual([
    'npm test -- a',
    'tail -5',
  ]);
  expect(commandsOf('git commit -m "a; b"')).toEqual(['git commit -m "a; b"']);
});

test('a text holds a reference written out, and no part of a longer one', () => {
  expect(holds('in /home/dev/app/src/a.ts:3', 'path src/a.ts', CWD)).toBe(true);
  expect(holds('in lib/src/a.ts', 'path src/a.ts', CWD)).toBe(false);
  expect(holds('in src/a.tsx', 'path src/a.ts', CWD)).toBe(false);
  expect(holds('my_get_token', 'identifier get_token', CWD)).toBe(false);
  expect(holds('at 44100.', 'number 44100', CWD)).toBe(true);
  expect(holds('at 144100', 'number 44100', CWD)).toBe(false);
  expect(holds('ran npm  test\n', 'command npm test', CWD)).toBe(true);
  expect(holds('ran npm test-all', 'command npm test', CWD)).toBe(false);
});
