/** @module-tag long */
import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';
import { allRules } from '../../../src/capture/redaction/table/rules.ts';

const { options } = compileRedaction();
const CHARS = 1 << 16;
const AGAIN_CHARS = 4 * 1024;
/** Only a guard against a hang: most take a tenth of a second of CPU, where quadratic time takes hours. */
const HANG_CPU_MS = 10_000;

function expectFast(text: string): string {
  const started = process.cpuUsage();
  const redacted = redactText(text, options).text;
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1000).toBeLessThan(HANG_CPU_MS);
  return redacted;
}

/** What stands around secrets and in the middle of them, again and again. */
const UNITS = [
  ...[
    'a',
    'A1',
    '0',
    ' ',
    '\n',
    '-',
    '\\',
    '\\n',
    '"',
    '%',
    '%22',
    '&quot;',
    '=',
    '/',
    '😀',
    '\ud800',
    '1\t',
  ],
  ...[
    '\x1b[0m',
    '\x1b[',
    '\x1b]',
    '\x1b]8;;a',
    '\\u001b[m',
    '\\\\\\e[',
    'a.b:1:',
    '> > ',
    '12: ',
    'a | ',
    '2026-11-21T10:00:00Z ',
  ],
  ...[
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\nAAAA ',
    'AAAAAAAAAAAAAAAA\n-----END PRIVATE KEY-----',
    '\n-----END PRIVATE KEY-----',
    '-----END PRIVATE KEY-----\\n',
  ],
  ...[
    '<private>',
    'a<Private>',
    '</private>',
    '<private ',
    'password="',
    'password=a1 ',
    '"password":"',
    '\\"password\\":\\"',
    'password: |\n  ',
  ],
  ...[
    'token=a1b2-',
    'token=env.a || ',
    'tokens = ["a1", ',
    'token[1] = ',
    '<password>',
    '<password>a1</password>',
    'name="token" value=',
    '- name: token\n  value: a1\n',
  ],
  ...[
    'authorization: bearer ',
    'authorization: ',
    'cookie: a=b; ',
    'cookie: a=aaaaaaaaaaaaaaaa1;',
    '://a:a@',
    'http://a:',
    'eyJaaaaaaaa.eyJ',
    'ZXlKaaaa',
  ],
  ...[
    'curl -u a:',
    'curl ',
    'mysql -p',
    'openssl pass:',
    'machine a login b password ',
    ':5432:a:a:',
    'kind: Secret\ndata:\n  a: b\n',
    '"kind":"Secret","data":{',
    '"kty":"oct","k":"',
  ],
  ...[
    'random_password ',
    '"sensitive":',
    'SecureString\t',
    '[REDACTED:',
    '[REDACTED:JWT]',
    'password=[REDACTED:JWT]',
  ],
];

describe('one beginning after the other', () => {
  it.each(UNITS)('is searched in linear time: %j', (unit) => {
    expectFast(unit.repeat(CHARS / unit.length));
    const once = redactText(unit.repeat(AGAIN_CHARS / unit.length), options).text;
    expect(redactText(once, options).text).toBe(once);
  });

  it('is searched in linear time, whatever the keyword', () => {
    for (const { keywords, kind } of allRules())
      for (const keyword of keywords.slice(0, 2)) {
        const behind = kind === 'token' ? 'a1B2c3D4e5F6g7H8 ' : kind === 'word' ? ' ' : '="a1b2';
        expectFast((keyword + behind).repeat(AGAIN_CHARS / keyword.length));
      }
  });
});

describe('one secret without an end', () => {
  // More than the regular expression engine could keep one entry each of its stack for.
  const COUNT = 20_000_000;

  it.each(['ghp_', 'eyJhbGciOiJI.eyJ', 'Bearer a1', 'token=a1b2c3d4e5f6', '/:_authToken='])(
    'is no trouble: %s',
    (start) => {
      const text = start + 'a'.repeat(COUNT);
      expect(expectFast(text).length).toBeLessThanOrEqual(text.length);
    },
  );
});
