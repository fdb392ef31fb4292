import { describe, expect, it } from 'vitest';
import { parseQuery, refuseNothing } from '../../src/search/query.ts';
import { seeded } from '../seeded.ts';
import { codeOf, errorOf } from '../support.ts';

const words = (text: string) => [...parseQuery(text).words.keys()];
const conditions = (text: string) =>
  parseQuery(text).conditions.map(
    ({ text: one, isNot, isPath }) => `${isNot ? '-' : ''}${isPath ? 'path:' : ''}${one}`,
  );
const refused = (text: string) => codeOf(() => refuseNothing(text, parseQuery(text)));

describe('a query', () => {
  it('is words, phrases, words to leave out, paths and kinds, in any order', () => {
    const text =
      'why -mysql path:src/db.ts postgres "two writers" kind:edit -"in memory" kind:call';
    expect(words(text)).toEqual(['why', 'postgres']);
    expect(conditions(text)).toEqual(['path:src/db.ts', 'two writers', '-in memory']);
    expect(parseQuery(text).not).toEqual([['mysql']]);
    expect([...parseQuery(text).kinds!]).toEqual(['edit', 'call']);
  });

  it('takes quotes behind a prefix, leaves out paths and kinds, and reads prefixes in any case', () => {
    expect(conditions('x path:"my file.ts" -path:node_modules PATH:a.ts')).toEqual([
      'path:my file.ts',
      '-path:node_modules',
      'path:a.ts',
    ]);
    expect([...parseQuery('x -kind:call').kinds!]).not.toContain('call');
    expect(parseQuery('x').kinds).toBeUndefined();
  });

  it('takes a sign that means nothing there as a sign', () => {
    expect(words('say "hello')).toEqual(['say', 'hello']);
    expect(words('my 5" disk')).toEqual(['my', '5', 'disk']);
    expect(words('path: kind: - -- --force')).toEqual(['path', 'kind', 'force']);
    expect(conditions('path: kind: - -- --force ""')).toEqual([]);
  });

  it('takes several kinds behind commas, and paths without what says anywhere', () => {
    expect([...parseQuery('kind:edit,call -kind:call,').kinds!]).toEqual(['edit']);
    expect(conditions('path:*.go path:./src/* path:**/db.ts path:*')).toEqual([
      'path:.go',
      'path:src',
      'path:db.ts',
    ]);
  });

  it('names the nearest kind to an unknown one', () => {
    const { code, message, next } = errorOf(() => parseQuery('x kind:edt'));
    expect(code).toBe('USAGE');
    expect(message).toBe('there is no kind "edt"; the nearest is "edit"');
    expect(next).toContain('prompt answer call');
    expect(errorOf(() => parseQuery('x kind:bug')).message).toBe('there is no kind "bug"');
  });

  it('is refused only where nothing is looked for', () => {
    for (const text of ['', ' \n', '-x', '-"a b"']) expect(refused(text)).toBe('USAGE');
    for (const text of ['x', '"a phrase"', 'path:db', 'kind:edit', '???', 'the', 'x -y'])
      expect(() => refuseNothing(text, parseQuery(text))).not.toThrow();
  });

  it('counts so many conditions, and says how many it leaves out', () => {
    const { conditions: kept, leftOut } = parseQuery('"a b" '.repeat(50));
    expect([kept.length, leftOut]).toEqual([20, 30]);
  });

  it('never crashes and never takes long, whatever was typed', () => {
    const random = seeded(1);
    const signs = [
      '"',
      '-',
      ':',
      ' ',
      'path:',
      'kind:edit',
      '\0',
      '\ud800',
      '\udc00',
      'ß',
      '語',
      'é',
      '🙂',
      'a',
    ];
    for (let n = 0; n < 200; n += 1) {
      let text = '';
      while (text.length < 500) text += signs[Math.floor(random() * signs.length)];
      try {
        parseQuery(text);
      } catch (error) {
        expect(error).toMatchObject({ code: 'USAGE' });
      }
    }
    for (const long of ['"', '"a ', '-', '-a', 'path:a"', ' ', '???', 'a', '語', '\ud800'])
      parseQuery(long.repeat(10_000));
    expect(words('a'.repeat(10_000))).toHaveLength(1);
  });
});
