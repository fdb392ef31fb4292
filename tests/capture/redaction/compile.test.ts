import { describe, expect, it } from 'vitest';
import {
  ALLOW_MAX,
  compileRedaction,
  PATTERN_CHARS_MAX,
  PATTERNS_MAX,
  type RedactionConfig,
} from '../../../src/capture/redaction/compile.ts';
import { redactText, redactValue } from '../../../src/capture/redaction/index.ts';

const TOKEN_TEXT = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
const redact = (text: string, config: RedactionConfig) =>
  redactText(text, compileRedaction(config).options).text;
const problemsOf = (config: unknown) => compileRedaction(config as RedactionConfig).problems;
const whyNot = (pattern: unknown, more: object = {}) =>
  problemsOf({ patterns: [{ id: 'X', pattern, ...more }] })[0]?.why;

describe('compileRedaction', () => {
  it('without a configuration has the built-in rules', () => {
    const { options, problems } = compileRedaction();
    expect(options).toMatchObject({ own: [], builtin: true });
    expect(problems).toEqual([]);
  });

  it('has the user’s own rules and private passages alone where the built-in rules are off', () => {
    const text = `${TOKEN_TEXT} mine_12 <private>unsaid</private> allowed_1`;
    const patterns = [{ id: 'MINE', pattern: '(?:mine|allowed)_[0-9]+' }];
    const { options, problems } = compileRedaction({
      patterns,
      allow: ['allowed_1'],
      builtin: false,
    });
    expect(problems).toEqual([]);
    expect(redactText(text, options).text).toBe(
      `${TOKEN_TEXT} [REDACTED:MINE] [REDACTED:PRIVATE] allowed_1`,
    );
    const value = { password: 'hunter2hunter2', text };
    expect(redactValue(value, options).value).toMatchObject({ password: 'hunter2hunter2' });
    const { options: all } = compileRedaction({ builtin: true });
    expect(redactText(text, all).text).not.toContain(TOKEN_TEXT);
  });

  it('adds patterns after the built-in rules, with their flags', () => {
    const config = {
      patterns: [
        { id: 'ACME', pattern: 'acme-[0-9a-f]{8}' },
        { id: 'BADGE', pattern: '^badge \\d{1,9}$', flags: 'im' },
      ],
    };
    expect(redact('an acme-0123abcd\nBADGE 12\nACME-0123abcd', config)).toBe(
      'an [REDACTED:ACME]\n[REDACTED:BADGE]\nACME-0123abcd',
    );
  });

  it('lets a lookbehind keep a label', () => {
    expect(redact('badge=12345', { patterns: [{ id: 'BADGE', pattern: '(?<=badge=)\\d+' }] })).toBe(
      'badge=[REDACTED:BADGE]',
    );
  });

  it('writes ids in upper case with dashes', () => {
    expect(redact('q1', { patterns: [{ id: 'my_corp', pattern: 'q\\d' }] })).toBe(
      '[REDACTED:MY-CORP]',
    );
  });

  it('allows a text to the letter, and what a pattern matches as a whole', () => {
    const allow = ['a+b/c9==', 'test_.*', 'hunter2'];
    for (const secret of ['a+b/c9==', 'test_99abc', 'hunter2']) {
      expect(redact(`password="${secret}"`, { allow })).toBe(`password="${secret}"`);
    }
    expect(redact('password="hunter23"', { allow })).toBe('password="[REDACTED:PASSWORD]"');
    expect(redact('password="aab/c9=="', { allow })).toBe('password="aab/c9=="');
  });

  it('allows nothing by a pattern that would allow nearly every secret, and says so', () => {
    for (const wide of [
      '.+',
      '[^]+',
      '[\\s\\S]{1,200}',
      '.{1,20}',
      '\\S+',
      '[\\w-]+',
      '[A-Za-z0-9]{9,}',
    ]) {
      expect(redact('password="hunter23"', { allow: [wide] })).not.toContain('hunter23');
      expect(problemsOf({ allow: [wide] })).toMatchObject([
        { why: expect.stringMatching(/^it would allow nearly every/) },
      ]);
    }
    const narrow = [
      '[0-9a-f]{40}',
      'test_.+',
      '.*EXAMPLE',
      '[a-z]+',
      '(?:dev|test)-\\w+',
      'A.{1,99}',
    ];
    expect(problemsOf({ allow: narrow })).toEqual([]);
  });

  it('takes an allowed text that is no usable pattern to the letter, and says so', () => {
    const allow = ['p(w1', 'hunter2'];
    expect(redact('password="p(w1"', { allow })).toBe('password="p(w1"');
    expect(problemsOf({ allow })).toEqual([
      {
        pattern: 'allow[0]',
        why: expect.stringMatching(
          /^it is not a valid regular .*; only the text itself is allowed$/,
        ),
      },
    ]);
  });

  it('leaves out what cannot be used, and keeps the rest', () => {
    const config = {
      patterns: [
        { id: 'BAD', pattern: '(' },
        { id: 'GOOD', pattern: 'q\\d' },
        { id: 'GOOD', pattern: 'z\\d' },
      ],
    };
    expect(redact('q1 z1', config)).toBe('[REDACTED:GOOD] z1');
    expect(problemsOf(config).map(({ pattern }) => pattern)).toEqual([
      'patterns[0]',
      'patterns[2]',
    ]);
  });

  it('says why a pattern is not used', () => {
    expect(whyNot('(')).toBe('it is not a valid regular expression (Unterminated group)');
    expect(whyNot('a*')).toBe('it matches the empty text');
    expect(whyNot('(a+)+')).toMatch(/repeated/);
    expect(whyNot(5)).toBe('it is not a text');
    expect(whyNot(`[${'x'.repeat(PATTERN_CHARS_MAX - 2)}]`)).toBeUndefined();
    expect(whyNot(`[${'x'.repeat(PATTERN_CHARS_MAX - 1)}]`)).toMatch(/longer than 1000/);
    for (const flags of ['g', 'y', 'ii', 'v', 7]) expect(whyNot('x', { flags })).toMatch(/flags/);
    expect(whyNot('x', { flags: 'imsu' })).toBeUndefined();
  });

  it('says why an id is not used', () => {
    for (const id of ['', 'a b', '-X', 'X]', 'ü', 'A'.repeat(41), 5, null, undefined]) {
      expect(whyNot('x', { id }), String(id)).toMatch(/^its id is not/);
    }
    expect(whyNot('x', { id: 'A'.repeat(40) })).toBeUndefined();
    expect(whyNot('x', { id: 'JWT' })).toMatch(/already/);
  });

  it('uses as many patterns and allowed texts as are allowed, and says when there are more', () => {
    const patterns = Array.from({ length: PATTERNS_MAX }, (_, index) => ({
      id: `P${index}`,
      pattern: `q${index}z`,
    }));
    const allow = Array.from({ length: ALLOW_MAX }, (_, index) => `text${index}`);
    expect(problemsOf({ patterns, allow })).toEqual([]);
    const more = compileRedaction({
      patterns: [...patterns, { id: 'MORE', pattern: 'qz' }],
      allow: [...allow, 'hunter2'],
    });
    expect(more.problems.map(({ pattern }) => pattern)).toEqual(['patterns', 'allow']);
    expect(redactText('qz password=hunter2', more.options).text).toBe(
      'qz password=[REDACTED:PASSWORD]',
    );
  });

  it('takes wrong types for what they are', () => {
    expect(problemsOf({ patterns: 'x', allow: {} }).map(({ pattern }) => pattern)).toEqual([
      'patterns',
      'allow',
    ]);
    expect(problemsOf({ patterns: [null, 'x', 5], allow: [null, 5] })).toHaveLength(5);
    expect(problemsOf({ patterns: null, allow: null })).toEqual([]);
  });

  it('never quotes a pattern, which may be the secret itself', () => {
    const secret = 'my-own-hunter2';
    const wrong = ['(', '(a+)+', '\\1', '*'].map((end) => secret + end);
    const problems = problemsOf({
      patterns: wrong.map((pattern, index) => ({ id: `P${index}`, pattern })),
      allow: wrong,
    });
    expect(problems.length).toBeGreaterThanOrEqual(6);
    expect(JSON.stringify(problems)).not.toContain(secret);
  });
});
