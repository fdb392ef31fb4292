import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';

const { options } = compileRedaction();
const CHARS = 1 << 20;
/** Only a guard against a hang: each takes well under half a second, where quadratic time would take hours. */
const HANG_MS = 5000;

/** What each rule begins with, again and again, so that each beginning may look for its end over the whole text. */
const UNITS = [
  ...[
    'a',
    'A',
    '0',
    ' ',
    '\n',
    '-',
    '\\',
    '\\n',
    '"',
    '%',
    '=',
    '/',
    '😀',
    '\ud800',
    '1\t',
    '\x1b[0m',
  ],
  ...[
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\nabc ',
    'AAAAAAAAAAAAAAAA\n',
  ],
  ...[
    '-----END PRIVATE KEY-----',
    '<private>',
    'a<Private>',
    '</private>',
    '<private',
    '<private ',
  ],
  ...[
    'xoxb-',
    'xoxb-1',
    'xapp-',
    'ghp_',
    'github_pat_',
    'npm_',
    '/:_authToken=',
    'hooks.slack.com/services/T',
  ],
  ...['sk-', 'sk-a', 'sk-ant-', 'sk-proj-', 'T3BlbkFJ', 'AKIA', 'AIza', 'ya29.', 'GOCSPX-'],
  ...[
    'eyJ',
    'eyJaaaaaaaa.',
    'eyJaaaaaaaa.eyJ',
    '\\neyJ',
    '://',
    'http://a:',
    'http://a:b',
    '://a:a@',
    '%3A%2F%2Fa%3Aa',
  ],
  ...['authorization: ', 'authorization: bearer ', 'authorization: basic ', 'bearer ', 'bearer a'],
  ...[
    'password',
    'password=',
    'password=a1',
    'password="',
    'password: ',
    '"password":"',
    '\\"password\\":\\"',
  ],
  ...[
    'password%3D',
    'token=',
    'token: a1b2-',
    'secret ',
    '--token ',
    'api_key="',
    'aws_secret_access_key=',
    'pass=',
    'pwd',
  ],
  ...['[REDACTED:', '[REDACTED:JWT]', 'a[REDACTED:JWT]', 'password=[REDACTED:JWT]'],
];

function expectFast(text: string): string {
  const started = performance.now();
  const redacted = redactText(text, options).text;
  expect(performance.now() - started).toBeLessThan(HANG_MS);
  return redacted;
}

describe('one beginning after the other', () => {
  it.each(UNITS)('is searched in linear time: %j', (unit) => {
    const once = expectFast(unit.repeat(CHARS / unit.length));
    expect(redactText(once, options).text).toBe(once);
    for (const start of ['password="', '-----BEGIN RSA PRIVATE KEY-----\n']) {
      expectFast(start + unit.repeat(CHARS / 4 / unit.length));
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
