import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';
import { redactionOptions } from '../../../src/capture/redaction/options.ts';
import type { RedactionRule } from '../../../src/capture/redaction/rule.ts';
import { SAMPLES, seeded } from './samples.ts';

const { options } = compileRedaction();
const rule = (id: string, pattern: RegExp, more: Partial<RedactionRule> = {}): RedactionRule => ({
  id,
  pattern,
  ...more,
});

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

  it('keeps the part of a match that its rule wants kept', () => {
    const kept = redactionOptions([rule('K', /(id=)\d+/g, { keep: 1 })]);
    expect(redactText('id=12 id=3', kept).text).toBe('id=[REDACTED:K] id=[REDACTED:K]');
  });

  it('goes on after a match that a rule refuses', () => {
    const odd = rule('ODD', /\d/g, {
      locate: (text, { index }) =>
        Number(text[index]) % 2 === 1 ? { start: index, end: index + 1 } : undefined,
    });
    expect(redactText('1234', redactionOptions([odd])).text).toBe('[REDACTED:ODD]2[REDACTED:ODD]4');
  });

  it('is not caught by a pattern that matches nothing at all places', () => {
    const empty = redactionOptions([rule('E', /(?=a)|b/g)]);
    expect(redactText('aab', empty).text).toBe('aa[REDACTED:E]');
  });

  it('names a secret that two rules find by the one that sees more of it', () => {
    const both = redactionOptions([rule('PART', /secret/g), rule('WHOLE', /my-secret-\d+/g)]);
    expect(redactText('my-secret-1', both)).toEqual({
      text: '[REDACTED:WHOLE]',
      counts: { WHOLE: 1 },
    });
  });

  it('leaves its own markers alone, and no others', () => {
    const markers = 'x [REDACTED:PASSWORD] y [REDACTED:JWT]';
    expect(
      redactText(markers, redactionOptions([...options.rules, rule('R', /RED|JWT/g)])).text,
    ).toBe(markers);
    const foreign = redactionOptions([rule('R', /hunter/g)]);
    expect(redactText('[REDACTED:HUNTER]hunter', foreign).text).toBe(
      '[REDACTED:HUNTER][REDACTED:R]',
    );
    expect(redactText('[REDACTED:UNKNOWN]', redactionOptions([rule('R', /UNKNOWN/g)])).text).toBe(
      '[REDACTED:[REDACTED:R]]',
    );
  });

  it('finds what only a marker beside it reveals', () => {
    const chain = redactionOptions([rule('FIRST', /a1/g), rule('NEXT', /(?<=\])b2/g)]);
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
    const open = redactionOptions([rule('OPEN', /x{5,}/g)]);
    expect(redactText(`a${'x'.repeat(20_000_000)}`, open).text).toBe('[REDACTED:OPEN]');
    expect(redactText(`a${'x'.repeat(1_000_000)}`, open).text).toBe('a[REDACTED:OPEN]');
  });
});

/** Pieces that secrets and markers are made of, so that random texts of them come near to both. */
const PIECES = fc.constantFrom(
  ...[
    'password',
    'token',
    'api_key',
    'SECRET',
    'aws_secret_access_key',
    'pass',
    '=',
    ': ',
    ':',
    '"',
    "'",
  ],
  ...[
    '\\"',
    '\\n',
    '\n',
    ' ',
    '\\',
    'hunter2',
    'abc12345',
    '<private>',
    '</private>',
    '://',
    '@',
    '.',
  ],
  ...[
    'Authorization: ',
    'Bearer ',
    'Basic ',
    '[REDACTED:JWT]',
    '[REDACTED:PASSWORD]',
    '[REDACTED:',
  ],
  ...[
    'JWT]',
    ']',
    '%3D',
    '%22',
    '%40',
    '%3A%2F%2F',
    '\x1b[31m',
    '{',
    '(',
    ',',
    ';',
    '&',
    '--',
    '=>',
  ],
  ...[
    'sk-',
    'eyJ',
    'xoxb-1',
    '/:_authToken=',
    'hooks.slack.com/services/',
    'github_pat_',
    '…',
    '😀',
  ],
  ...[
    'BEGIN',
    'END',
    ' PRIVATE KEY',
    '-----',
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
  ],
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
