import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compileRedaction,
  redactStored,
  redactText,
  redactValue,
} from '../../../src/capture/redaction/index.ts';
import {
  DEPTH_MAX,
  SEARCHED_MAX,
  VALUES_MAX,
} from '../../../src/capture/redaction/redact-value.ts';
import { SAMPLES, seeded } from './samples.ts';

const { options } = compileRedaction();
const redact = (value: unknown) => redactValue(value, options).value;
const github = SAMPLES['GITHUB-TOKEN']?.(seeded(1)).secret ?? '';

describe('redactValue', () => {
  it('redacts every string of a tree and counts by rule', () => {
    const { value, counts } = redactValue(
      { a: [1, 'x', { b: `see ${github}` }], c: 'password=hunter2', d: null, e: true },
      options,
    );
    expect(value).toEqual({
      a: [1, 'x', { b: 'see [REDACTED:GITHUB-TOKEN]' }],
      c: 'password=[REDACTED:PASSWORD]',
      d: null,
      e: true,
    });
    expect(counts).toEqual({ 'GITHUB-TOKEN': 1, PASSWORD: 1 });
  });

  it('reads a hunk of a diff as one text: keys, names and values go over several lines', () => {
    const body = 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW'.repeat(4);
    const key = `-----BEGIN OPENSSH PRIVATE KEY-----\n${body.match(/.{1,70}/g)!.join('\n')}`;
    const pair = '{\n  "name": "DB_PASSWORD",\n  "value": "TulipHarbor77!"\n}';
    const text = `a: 1\n${key}\n-----END OPENSSH PRIVATE KEY-----\n${pair}\nb: 2`;
    const hunk = (sign: string) => ({ lines: text.split('\n').map((line) => sign + line) });
    for (const sign of ['+', '-', ' ']) {
      const of = { structuredPatch: [hunk(sign)] };
      const [{ lines }] = (redact(of) as typeof of).structuredPatch as [{ lines: string[] }];
      expect(lines.join('\n')).not.toMatch(/b3Blb|c3NoL|TulipHarbor/);
      expect(lines[0]).toBe(`${sign}a: 1`);
      expect(lines.at(-1)).toBe(`${sign}b: 2`);
      expect(lines).toContain(`${sign}[REDACTED:PRIVATE-KEY]`);
    }
    const signs = { lines: [' a', '-x', '+password=hunter2', ' x', '\\ No newline'] };
    expect(redact(signs)).toEqual({ lines: signs.lines.with(2, '+password=[REDACTED:PASSWORD]') });
    const clean = { lines: ['+a', '-b', ' c'] };
    expect(redact(clean)).toBe(clean);
    const mixed = { lines: ['+a', 1, github] };
    expect(redact(mixed)).toEqual({ lines: ['+a', 1, '[REDACTED:GITHUB-TOKEN]'] });
  });

  it('leaves a list as long as it was where one of its texts goes over several lines', () => {
    const lines = ['a\nb', 'password=hunter2x9', 'c\nd'];
    const [first, second, third] = (redact({ lines }) as { lines: string[] }).lines;
    expect([first, third]).toEqual(['a\nb', 'c\nd']);
    expect(second).toBe('password=[REDACTED:PASSWORD]');
  });

  it('looks into what stands under the name of a reference and is none', () => {
    const name = 'ab12'.repeat(16);
    const stored = { a: { $blob: name }, b: { $blob: 'password=hunter2x9' } };
    expect(redactStored(stored, options).value).toEqual({
      a: { $blob: name },
      b: { $blob: 'password=[REDACTED:PASSWORD]' },
    });
  });

  it('gives the very same object back when nothing changed, and shares what did not', () => {
    const clean = { a: [1, { b: 'c' }], n: Number.NaN };
    expect(redact(clean)).toBe(clean);
    const mixed = { clean, dirty: github };
    const result = redact(mixed) as typeof mixed;
    expect(result.clean).toBe(clean);
    expect(mixed.dirty).toBe(github);
  });

  it('takes plain values as they are', () => {
    for (const value of [null, 1, true, undefined, 'x']) expect(redact(value)).toBe(value);
    expect(redact(github)).toBe('[REDACTED:GITHUB-TOKEN]');
  });

  it('redacts a whole value under a telling key, also in a list', () => {
    expect(
      redact({ password: 'hunter2', clientSecret: ['abc123def456'], db_pwd: 'letmein' }),
    ).toEqual({
      password: '[REDACTED:PASSWORD]',
      clientSecret: ['[REDACTED:SECRET]'],
      db_pwd: '[REDACTED:PASSWORD]',
    });
    expect(
      redact({ Authorization: 'Basic dXNlcjpwdw==', 'Proxy-Authorization': 'Bearer abc' }),
    ).toEqual({
      Authorization: '[REDACTED:BASIC-AUTH]',
      'Proxy-Authorization': '[REDACTED:BEARER-TOKEN]',
    });
  });

  it('redacts a value that has its name beside it', () => {
    for (const value of [
      { name: 'DB_PASSWORD', value: 'letmein' },
      { value: 'letmein', key: 'password', type: 'text', enabled: true },
      { Key: 'db-password', Value: 'letmein' },
      { ParameterKey: 'DbPassword', ParameterValue: 'letmein', name: 1 },
    ]) {
      const { value: redacted, counts } = redactValue({ env: [value] }, options);
      expect(counts).toEqual({ PASSWORD: 1 });
      const found = JSON.stringify(value).replace('letmein', '[REDACTED:PASSWORD]');
      expect(JSON.stringify(redacted)).toBe(`{"env":[${found}]}`);
      expect(redactValue(redacted, options).value).toBe(redacted);
    }
    const header = { name: 'Authorization', value: `Basic ${'dXNlcjpodW50ZXIy'}` };
    expect(redactValue({ header }, options).counts).toEqual({ 'BASIC-AUTH': 1 });
  });

  it.each([
    { name: 'DB_HOST', value: 'letmein' },
    { name: 'password', value: ['letmein'] },
    { name: ['password'], value: 'letmein' },
    { name: 'password', value: '' },
    { name: 'password', label: 'letmein', valueType: 'string' },
    { name: 'token', value: 'comment' },
    { name: 'DB_PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } },
  ])('leaves what has no telling name beside it, or is none: %j', (value) => {
    expect(redactValue(value, options).value).toBe(value);
  });

  it('leaves placeholders, messages and references under telling keys', () => {
    const ordinary = {
      password: 'Password is required',
      token: 'process.env.TOKEN1',
      apiKey: '<your-key>',
      secret: '',
      Authorization: 'Bearer <token>',
      'x-authorization': 'Basic auth is used here',
      input_tokens: 12345,
    };
    expect(redact(ordinary)).toBe(ordinary);
  });

  it('names a value under a telling key by the rule that knows it best, and counts it once', () => {
    expect(redactValue({ token: github }, options)).toMatchObject({
      value: { token: '[REDACTED:GITHUB-TOKEN]' },
      counts: { 'GITHUB-TOKEN': 1 },
    });
    expect(redactValue({ password: `x1-${github}` }, options)).toMatchObject({
      value: { password: '[REDACTED:PASSWORD]' },
      counts: { PASSWORD: 1 },
    });
  });

  it('leaves an allowed value under a telling key', () => {
    const value = { password: 'hunter2' };
    expect(redactValue(value, compileRedaction({ allow: ['hunter2'] }).options).value).toBe(value);
  });

  it('redacts keys, and keeps both values of two that become the same', () => {
    const other = SAMPLES['GITHUB-TOKEN']?.(seeded(2)).secret ?? '';
    expect(redact({ [github]: 1, [other]: 2, '[REDACTED:GITHUB-TOKEN] (2)': 3, x: 4 })).toEqual({
      '[REDACTED:GITHUB-TOKEN]': 1,
      '[REDACTED:GITHUB-TOKEN] (2)': 2,
      '[REDACTED:GITHUB-TOKEN] (2) (2)': 3,
      x: 4,
    });
  });

  it('turns lone surrogates into U+FFFD and counts them, in keys too', () => {
    const { value, loneSurrogates } = redactValue({ 'k\ud800': ['a\udc00b\ud83d', '😀'] }, options);
    expect(value).toEqual({ 'k\ufffd': ['a\ufffdb\ufffd', '😀'] });
    expect(loneSurrogates).toBe(3);
  });

  it('leaves out a key that would set a prototype, and keeps the harmless names', () => {
    const value = redact(JSON.parse('{"__proto__": {"admin": true}, "constructor": 1, "a": 2}'));
    expect(Object.keys(value as object)).toEqual(['constructor', 'a']);
    expect((value as { admin?: boolean }).admin).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('replaces what is nested too deep to be searched', () => {
    const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    const deep = nested(DEPTH_MAX);
    expect(redact(deep)).toBe(deep);
    const { value, counts } = redactValue(nested(DEPTH_MAX + 1), options);
    expect(JSON.stringify(value)).toContain('[REDACTED:TOO-DEEP]');
    expect(counts).toEqual({ 'TOO-DEEP': 1 });
    expect(redactValue(nested(5000), options).counts).toEqual({ 'TOO-DEEP': 1 });
  });

  it('replaces what has too many values to be searched', () => {
    const list = Array(VALUES_MAX).fill(0);
    expect(redact(list)).toBe(list);
    expect(redactValue([list], options)).toMatchObject({
      value: ['[REDACTED:TOO-MANY]'],
      counts: { 'TOO-MANY': 1 },
    });
  });

  it('replaces the texts behind so many with a secret that a hook has no time for more', {
    tags: 'long',
  }, () => {
    const all = Array(SEARCHED_MAX).fill('password=abc123deFG');
    const { value, counts } = redactValue([...all, 'password=abc123deFG', 'plain'], options);
    expect((value as string[]).slice(-3)).toEqual([
      expect.stringMatching(/^password=\[REDACTED:(?!TOO)/),
      '[REDACTED:TOO-MANY]',
      'plain',
    ]);
    expect(counts).toMatchObject({ 'TOO-MANY': 1 });
    // Also where a lone surrogate keeps them from being looked at together.
    const apart = redactValue(['\ud800', ...all, 'password=abc123deFG'], options);
    expect((apart.value as string[]).at(-1)).toBe('[REDACTED:TOO-MANY]');
  });

  const KEY = fc.constantFrom(
    'password',
    'token',
    'x',
    'Authorization',
    'api_key',
    'lines',
    '__proto__',
    'aws_secret_access_key',
  );
  const TEXT = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      'hunter2',
      'Bearer abc12345',
      '<private>a b</private>12ab',
      'x\ud800',
      '[REDACTED:JWT]ab12',
    ),
    fc
      .tuple(fc.constantFrom(...Object.values(SAMPLES)), fc.nat())
      .map(([make, seed]) => make(seeded(seed)).text),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 3 }, TEXT, fc.integer(), tie('list'), tie('object')),
    list: fc.array(tie('tree'), { maxLength: 4 }),
    object: fc.dictionary(fc.oneof(KEY, TEXT), tie('tree'), { maxKeys: 4 }),
  }));

  it('twice is the same as once, and leaves no string that redactText would change', {
    tags: 'long',
  }, () => {
    fc.assert(
      fc.property(tree, (value) => {
        const once = redactValue(value, options).value;
        expect(redactValue(once, options)).toEqual({ value: once, counts: {}, loneSurrogates: 0 });
        JSON.stringify(once, (key, inner) => {
          for (const text of [key, inner]) {
            if (typeof text === 'string') expect(redactText(text, options).text).toBe(text);
          }
          return inner;
        });
      }),
      { numRuns: 1500 },
    );
  });

  it('never writes to what it was given', () => {
    fc.assert(
      fc.property(tree, (value) => {
        const before = JSON.stringify(value);
        redactValue(value, options);
        expect(JSON.stringify(value)).toBe(before);
      }),
      { numRuns: 300 },
    );
  });
});
