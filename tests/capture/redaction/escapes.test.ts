import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayHoldEscapes, withoutEscapes } from '../../../src/capture/redaction/escapes.ts';
import {
  compileRedaction,
  findSecrets,
  redactText,
  redactValue,
} from '../../../src/capture/redaction/index.ts';
import { BASE62, chars, seeded } from './samples.ts';

const { options } = compileRedaction();
const redact = (text: string) => redactText(text, options).text;
const random = seeded(21);
const VALUE = `${chars(random, BASE62, 15)}7`;
const GITHUB = chars(random, BASE62, 36);

const SEQUENCES = [
  '\x1b[m',
  '\x1b[K',
  '\x1b[01;31m',
  '\x1b[38;2;10;20;30m',
  '\x1b[38:2::1:2:3m',
  '\x1b[?25l',
  '\x1b(B',
  '\x1b]8;;https://x.example\x07',
  '\x1b]8;;\x1b\\',
];

describe('a text without its sequences', () => {
  it('is none where there is no sequence', () => {
    for (const text of ['', 'plain', 'a[0]', '\x1b', '0x1b[', '\x1b['])
      expect(withoutEscapes(text), text).toBeUndefined();
  });

  it('has no sequence of any kind, raw or escaped, and knows where its characters stood', () => {
    const ways = [
      (text: string) => text,
      (text: string) => JSON.stringify(text).slice(1, -1),
      (text: string) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
    ];
    const part = fc.oneof(fc.constantFrom(...SEQUENCES), fc.stringMatching(/^[a-z0-9 =:]{1,9}$/));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.constantFrom(...ways), (parts, way) => {
        // A set of characters alone is not looked for: what chooses one also sets a colour.
        const text = `\x1b[m${parts.join('')}.`;
        const kept = `${parts.filter((it) => !SEQUENCES.includes(it)).join('')}.`;
        const shown = way(text);
        expect(mayHoldEscapes(shown)).toBe(true);
        const plain = withoutEscapes(shown);
        expect(plain?.text).toBe(kept);
        for (let at = 0; at < kept.length; at += 1) {
          const { start, end } = plain?.original({ start: at, end: at + 1 }) ?? {};
          expect(shown.slice(start, end)).toBe(kept[at]);
        }
        const whole = plain?.original({ start: 0, end: kept.length });
        expect(withoutEscapes(shown.slice(whole?.start, whole?.end))?.text ?? kept).toBe(kept);
      }),
    );
  });

  it.each(['\\x1b[31m', '\\x1B[31m', '\\e[31m', '\\033[31m', '\\u001B[31m'])(
    'knows the escapes of source code: %s',
    (sequence) => {
      expect(withoutEscapes(`a${sequence}b`)?.text).toBe('ab');
    },
  );
});

const COLOURED: [string, string][] = [
  [`\x1b[01;31m\x1b[KDB_PASSWORD\x1b[m\x1b[K=${VALUE}`, 'PASSWORD'],
  [`DB_PASSWORD=\x1b[0m\x1b[1m\x1b[31m${VALUE}\x1b[0m`, 'PASSWORD'],
  [
    `\x1b[38;2;1;2;3mDB_PASSWORD\x1b[0m\x1b[38;2;4;5;6m=\x1b[0m\x1b[38;2;7;8;9m${VALUE}`,
    'PASSWORD',
  ],
  [`DB_\x1b[1mPASSWORD\x1b[0m: \x1b(B\x1b[m"${VALUE}"`, 'PASSWORD'],
  [`\x1b[01;31m\x1b[Kghp_\x1b[m\x1b[K${GITHUB}`, 'GITHUB-TOKEN'],
  [`\x1b[1mAKIA\x1b[0mQ7ZX${chars(random, 'ABCDEFGHIJ234567', 12)}`, 'AWS-ACCESS-KEY'],
  [`https://me:\x1b[1m${VALUE}\x1b[0m@x.example`, 'URL-PASSWORD'],
  [`\x1b[36mAuthorization\x1b[0m:\x1b[33m Bearer \x1b[1m${VALUE}\x1b[0m`, 'BEARER-TOKEN'],
];

describe('a secret with colours around and in it', () => {
  it.each(COLOURED)('goes from a text: %j', (text, id) => {
    for (const shown of [text, JSON.stringify({ output: text })]) {
      const { text: redacted, counts } = redactText(shown, options);
      expect(counts).toEqual({ [id]: 1 });
      for (const secret of [VALUE, GITHUB, 'Q7ZX']) expect(redacted).not.toContain(secret);
      expect(redact(redacted)).toBe(redacted);
    }
  });

  it.each(COLOURED)('goes from a value, and is found in a file: %j', (text, id) => {
    expect(redactValue({ tool: { output: ['a', text] } }, options).counts).toEqual({ [id]: 1 });
    const [found] = findSecrets(text, options);
    expect(found?.id).toBe(id);
    const shown = text.slice(found?.start, found?.end);
    expect([VALUE, GITHUB, 'Q7ZX'].some((secret) => shown.includes(secret))).toBe(true);
  });

  it('keeps the colours around it', () => {
    expect(redact(`\x1b[1mPASSWORD\x1b[0m=\x1b[31m${VALUE}\x1b[0m\n`)).toBe(
      '\x1b[1mPASSWORD\x1b[0m=\x1b[31m[REDACTED:PASSWORD]\x1b[0m\n',
    );
  });

  it('is left when it is allowed as it reads without them', () => {
    const token = `ghp_${GITHUB}`;
    const allowing = compileRedaction({ allow: [token] }).options;
    const text = `\x1b[1mghp_\x1b[0m${GITHUB}`;
    expect(redactText(text, allowing).text).toBe(text);
  });
});
