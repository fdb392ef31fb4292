import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compileRedaction,
  onlyRule,
  redactText,
  ruleIds,
} from '../../../src/capture/redaction/index.ts';
import { NEAR_SECRETS } from './near-secrets.ts';
import { SAMPLES, seeded } from './samples.ts';

const { options } = compileRedaction();
const withOwn = (patterns: Record<string, string>) =>
  compileRedaction({
    patterns: Object.entries(patterns).map(([id, pattern]) => ({ id, pattern })),
  }).options;

describe('redactText', () => {
  it('puts the marker in the place of the secret and counts it', () => {
    const { text, counts } = redactText('a password=hunter2 and token: "x", pwd=hunter3', options);
    expect(text).toBe('a password=[REDACTED:PASSWORD] and token: "x", pwd=[REDACTED:PASSWORD]');
    expect(counts).toEqual({ PASSWORD: 2 });
  });

  it('gives the very same string back when there is nothing', () => {
    const text = 'nothing to hide';
    expect(redactText(text, options)).toEqual({ text, counts: {} });
    expect(redactText('', options)).toEqual({ text: '', counts: {} });
  });

  it('names a secret that two rules find by the one that sees more of it', () => {
    const both = withOwn({ PART: 'secret', WHOLE: 'my-secret-\\d{1,3}' });
    expect(redactText('my-secret-1', both)).toEqual({
      text: '[REDACTED:WHOLE]',
      counts: { WHOLE: 1 },
    });
  });

  it('finds each item of a list under a name that tells', () => {
    const text =
      'tokens:\r\n  - a1b2c3d4e5f6a7b8\r\n  - "zz9y8x7w6v5u4t3s2r"\r\n  - my-name\r\nuser: me';
    expect(redactText(text, options).text).toBe(
      'tokens:\r\n  - [REDACTED:SECRET]\r\n  - "[REDACTED:SECRET]"\r\n  - my-name\r\nuser: me',
    );
  });

  it('leaves its own markers alone, and no others', () => {
    const markers = 'x [REDACTED:PASSWORD] y [REDACTED:JWT]';
    expect(redactText(markers, withOwn({ R: 'RED|JWT' })).text).toBe(markers);
    expect(redactText('[REDACTED:UNKNOWN]', withOwn({ R: 'UNKNOWN' })).text).toBe(
      '[REDACTED:[REDACTED:R]]',
    );
  });

  it('finds what only a marker beside it reveals', () => {
    const chain = withOwn({ FIRST: 'a1', NEXT: '(?<=\\])b2' });
    expect(redactText('a1b2', chain)).toEqual({
      text: '[REDACTED:FIRST][REDACTED:NEXT]',
      counts: { FIRST: 1, NEXT: 1 },
    });
  });

  it('leaves alone what is allowed', () => {
    const { options: allowing } = compileRedaction({ allow: ['hunter2', 'test_.*'] });
    const text = 'password=hunter2 token="test_abc123def456"';
    expect(redactText(text, allowing)).toEqual({ text, counts: {} });
    expect(redactText('password=hunter22', allowing).counts).toEqual({ PASSWORD: 1 });
  });

  it('drops the whole text when a pattern cannot be searched in it', () => {
    // Beyond some 16 million repetitions the regular expression engine has no stack left and throws.
    const open = withOwn({ OPEN: 'x{5,}' });
    expect(redactText(`a${'x'.repeat(20_000_000)}`, open).text).toBe('[REDACTED:OPEN]');
  });

  it('finds only what one rule names, where it is asked for that one', () => {
    const only = onlyRule('PASSWORD', options)!;
    const text = 'password=hunter2 Authorization: Bearer abc123def456ghi789';
    expect(redactText(text, only).text).toBe(
      'password=[REDACTED:PASSWORD] Authorization: Bearer abc123def456ghi789',
    );
    expect(onlyRule('NO-SUCH-RULE', options)).toBeUndefined();
    expect(ruleIds(options)).toContain('GITHUB-TOKEN');
  });
});

const PIECES = fc.constantFrom(
  ...NEAR_SECRETS,
  ...['=', "'", '@', '.', '{', '(', ',', ';', '--', '=>', 'hunter2', 'JWT]', ']', '…', 'sk-'],
);
const SAMPLE = fc
  .tuple(fc.constantFrom(...Object.values(SAMPLES)), fc.nat())
  .map(([make, seed]) => make(seeded(seed)).text);
const RUN = fc.stringMatching(/^[A-Za-z0-9]{0,40}$/);
const NEARLY_SECRET = fc
  .array(fc.oneof({ weight: 4, arbitrary: PIECES }, SAMPLE, RUN), { maxLength: 12 })
  .map((parts) => parts.join(''));

describe('redacting', () => {
  it('twice is the same as once', () => {
    fc.assert(
      fc.property(NEARLY_SECRET, (text) => {
        const once = redactText(text, options).text;
        expect(redactText(once, options)).toEqual({ text: once, counts: {} });
      }),
      { numRuns: 3000 },
    );
  });

  it('counts as many as there are markers more', () => {
    const markers = (text: string) => text.split('[REDACTED:PASSWORD]').length - 1;
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('password=hunter2 ', 'pwd: "a1b2" ', 'x '), { maxLength: 9 }),
        (parts) => {
          const { text, counts } = redactText(parts.join(''), options);
          expect(markers(text)).toBe(counts.PASSWORD ?? 0);
        },
      ),
    );
  });
});
