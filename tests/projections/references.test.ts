import { describe, expect, it } from 'vitest';
import { referencesIn } from '../../src/projections/references.ts';

const of = (text: string, kind: string): string[] =>
  [...referencesIn(text)].filter(([, one]) => one.kind === kind).map(([name]) => name);

describe('what a later text can point back to', () => {
  it('is a path, with or without folders, and not the line in it', () => {
    const text = 'See src/todo.js:42, ./lib/x-y.ts, README.md and /etc/hosts (not and/or).';
    expect(of(text, 'path')).toEqual([
      'src/todo.js',
      './lib/x-y.ts',
      'README.md',
      '/etc/hosts',
      'and/or',
    ]);
    expect(of(text, 'number')).toEqual(['42']);
  });

  it('is no part of a colour', () => {
    expect([
      ...referencesIn('\u001b[31mFAIL\u001b[39m \u001b[2msrc/a.ts\u001b[22m').keys(),
    ]).toEqual(['FAIL', 'src/a.ts']);
  });

  it('is a name that somebody coined, wherever it stands in code', () => {
    const text = 'if (parseDueDate(row.due_date) > MAX_RETRIES) render(`tick`); // due-date';
    const names = ['parseDueDate', 'due_date', 'MAX_RETRIES', 'due-date', 'tick'];
    expect(of(text, 'name')).toEqual(names);
  });

  it('is a number that says something, and never one digit', () => {
    expect(of('3 tries, 250 ms, 4.5, 18,342 rows, 5s', 'number')).toEqual([
      '250',
      '4.5',
      '18,342',
      '5s',
    ]);
  });

  it('is no plain word, no digest and no id that a machine drew', () => {
    const drawn = `toolu_01ABCdef ${'0123456789abcdef'.repeat(4)} 0d3ad4cd-5657-435d-98fa-0035d53e383d`;
    expect([...referencesIn(`The quick brown fox. ${drawn}`).keys()]).toEqual([]);
  });

  it('is found in text inside of JSON as well, where line ends are letters', () => {
    expect(of(String.raw`"print(loadModel)\nuse_cache = 1"`, 'name')).toEqual([
      'loadModel',
      'use_cache',
    ]);
  });
});
