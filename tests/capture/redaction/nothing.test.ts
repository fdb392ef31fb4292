import { describe, expect, it } from 'vitest';
import { compileRedaction, redactValue } from '../../../src/capture/redaction/index.ts';
import { holdsNothing } from '../../../src/capture/redaction/nothing.ts';
import { SAMPLES, seeded } from './samples.ts';

const { options } = compileRedaction();
const holds = (value: unknown, own = options) => !holdsNothing(value, own, 100, 1000);

describe('whether a value surely holds nothing', () => {
  it('is said of ordinary values of any form', () => {
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

  it('is not said of one with a secret anywhere, in texts, keys, or because of a key', () => {
    for (const make of Object.values(SAMPLES)) {
      const { text } = make(seeded(5));
      for (const value of [text, ['a', text], { a: { b: text, c: 'd' } }, { [text]: 1 }])
        expect(holds(value), text).toBe(true);
    }
    for (const key of ['password', 'apiKey', 'client_secret'])
      expect(holds({ a: 'x', [key]: ['b', 'a1b2c3d4e5f6'] })).toBe(true);
    expect(holds({ Authorization: 'Bearer a1b2c3d4e5f6g7h8' })).toBe(true);
  });

  it('does not take a secret for another because of the text before or behind it', () => {
    for (const text of ['password="hunter2 and more', "token='a1b2c3d4e5f6", 'token=a1b2c3d4e5f6'])
      expect(holds(['a "', text, "b' c", '" d'])).toBe(true);
    // Neither does what stands in two texts make one.
    expect(holds(['password=', 'hunter2', 'token', ': a1b2c3d4e5f6'])).toBe(false);
  });

  it('leaves to others what is too deep or too much, ill-formed, or would set a prototype', () => {
    expect(holds([[['a']]], options)).toBe(false);
    expect(holdsNothing([[['a']]], options, 2, 1000)).toBe(false);
    expect(holdsNothing(['a', 'b', 'c'], options, 9, 2)).toBe(false);
    expect(holdsNothing(['a', 'b'], options, 9, 2)).toBe(true);
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
