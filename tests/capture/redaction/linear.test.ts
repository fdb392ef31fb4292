/** @module-tag long */
import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';
import { allRules } from '../../../src/capture/redaction/table/rules.ts';
import { NEAR_SECRETS } from './near-secrets.ts';

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

describe('one beginning after the other', () => {
  it.each(NEAR_SECRETS)('is searched in linear time: %j', (unit) => {
    expectFast(unit.repeat(CHARS / unit.length));
    const once = redactText(unit.repeat(AGAIN_CHARS / unit.length), options).text;
    expect(redactText(once, options).text).toBe(once);
  });

  it.each(['x <private> y\n', 'password=', 'pw:e.pw,', '&password=&token='])(
    'is searched in linear time where each is within the one before: %j',
    (unit) => void expectFast(unit.repeat((16 * CHARS) / unit.length)),
  );

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
