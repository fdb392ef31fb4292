import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compileRedaction,
  redactValue,
  redactValues,
} from '../../../src/capture/redaction/index.ts';
import { suspects as suspectsOfEach } from '../../../src/capture/redaction/nothing.ts';
import { SAMPLES, seeded } from './samples.ts';

const { options } = compileRedaction();
const suspects = (value: unknown, own: typeof options, depthMax: number, valuesMax: number) =>
  suspectsOfEach([value], own, depthMax, valuesMax)[0];
const holds = (value: unknown, own = options) => suspects(value, own, 100, 1000)?.size !== 0;

/** Values with such texts, keys included. */
const trees = (text: fc.Arbitrary<string>) =>
  fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(text, tie('tree'), { maxKeys: 4 }),
      fc.record({ name: text, Key: text, value: tie('tree') }, { requiredKeys: ['value'] }),
    ),
  }));

describe('which texts of a value may hold a secret', () => {
  it('are none of ordinary values of any form', () => {
    for (const value of [
      null,
      7,
      'text',
      {},
      [],
      { tool_input: { command: 'ls -l', token: 12 }, list: ['a', { b: 'token' }, 'is'] },
      { token: 'getToken()', password: '', 'x-api-key': '<your key>' },
    ])
      expect(holds(value)).toBe(false);
  });

  it('are some where a secret is anywhere, in texts, keys, or because of a key', () => {
    for (const make of Object.values(SAMPLES)) {
      const { text } = make(seeded(5));
      for (const value of [text, ['a', text], { a: { b: text, c: 'd' } }, { [text]: 1 }])
        expect(holds(value), text).toBe(true);
    }
    for (const key of ['password', 'apiKey', 'client_secret'])
      expect(holds({ a: 'x', [key]: ['b', 'a1b2c3d4e5f6'] })).toBe(true);
    expect(holds({ Authorization: 'Bearer a1b2c3d4e5f6g7h8' })).toBe(true);
  });

  it('are counted as the value is walked: keys before what stands under them', () => {
    const value = { a: 'b', password: ['c', 'hunter22'], e: { f: 'token=a1b2c3d4e5f6', g: 1 } };
    expect([...(suspects(value, options, 9, 99)?.keys() ?? [])].sort()).toEqual([4, 7]);
  });

  it('are those with a secret that only their colours cut, too', () => {
    const cut = 'ghp_\x1b[1ma1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4e5f6';
    for (const text of [cut, '\x1b[32mpass\x1b[1mword\x1b[0m=\x1b[1mhunter22\x1b[0m'])
      expect([...(suspects(['\x1b[1mok', text], options, 9, 99)?.keys() ?? [])], text).toEqual([1]);
    expect(suspects(['\x1b[1mok\x1b[0m: 3 tokens', 'x'], options, 9, 99)?.size).toBe(0);
  });

  it('are enough: to look at no other gives what looking at all gives', () => {
    const { allow, allowedTexts, rules } = options;
    const text = fc.oneof(
      fc.constantFrom('password', 'token', 'a', 'Cookie', 'apiKey', 'ok', 'hunter22', 'x\x1b[1m'),
      fc.string({ maxLength: 12 }),
      fc
        .tuple(fc.constantFrom(...Object.values(SAMPLES)), fc.nat())
        .map(([make, seed]) => make(seeded(seed)).text),
    );
    const { tree } = trees(text);
    fc.assert(
      fc.property(tree, (value) => {
        expect(redactValue(value, options)).toEqual(
          redactValue(value, { rules, allow, allowedTexts }),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('are the same for each of several values as for it alone, however long its texts are', {
    tags: 'long',
  }, () => {
    const { allow, allowedTexts, rules } = options;
    const text = fc
      .tuple(
        fc.constantFrom(...Object.values(SAMPLES)),
        fc.nat(),
        fc.constantFrom('', 'x\x1b[1m ', 'no secret, \n'.repeat(200), '\u{1f600}\ud800'),
        fc.constantFrom(0, 0, 0, 1),
      )
      .map(([make, seed, before, isSecret]) =>
        isSecret === 1 ? before + make(seeded(seed)).text : before,
      );
    fc.assert(
      fc.property(fc.array(trees(text).tree, { maxLength: 8 }), (values) => {
        const alone = values.map((value) => redactValue(value, { rules, allow, allowedTexts }));
        expect(redactValues(values, options)).toEqual(alone);
      }),
      { numRuns: 300 },
    );
    // More than is searched together.
    const long = Array.from({ length: 9 }, (_, n) => [`${n} no secret `.repeat(9000), 'b']);
    const secret = ['token=a1b2c3d4e5f6', 'and no more'];
    const found = suspectsOfEach([...long, secret, ...long], options, 9, 99);
    expect(found.map((one) => [...(one?.keys() ?? ['all'])])).toEqual([
      ...long.map(() => []),
      [0],
      ...long.map(() => []),
    ]);
  });

  it('does not take a secret for another because of the text before or behind it', () => {
    for (const text of ['password="hunter2 and more', "token='a1b2c3d4e5f6", 'token=a1b2c3d4e5f6'])
      expect(holds(['a "', text, "b' c", '" d'])).toBe(true);
    // Neither does what stands in two texts make one.
    expect(holds(['password=', 'hunter2', 'token', ': a1b2c3d4e5f6'])).toBe(false);
  });

  it('leaves to others what is too deep or too much, ill-formed, or would set a prototype', () => {
    expect(holds([[['a']]], options)).toBe(false);
    expect(suspects([[['a']]], options, 2, 1000)).toBeUndefined();
    expect(suspects(['a', 'b', 'c'], options, 9, 2)).toBeUndefined();
    expect(suspects(['a', 'b'], options, 9, 2)?.size).toBe(0);
    expect(holds('a\ud800')).toBe(true);
    expect(holds(JSON.parse('{"__proto__":"x"}'))).toBe(true);
  });

  it('asks the patterns of a configuration', () => {
    const own = compileRedaction({ patterns: [{ id: 'badge', pattern: 'B-[0-9]{6}' }] }).options;
    expect(holds({ a: 'x B-12345' }, own)).toBe(false);
    expect(holds({ a: 'x B-123456' }, own)).toBe(true);
    expect(redactValue({ a: 'x B-123456' }, own).counts).toEqual({ BADGE: 1 });
  });
});
