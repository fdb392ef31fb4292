import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText, ruleIds } from '../../../src/capture/redaction/index.ts';
import { type Random, SAMPLES, type Sample, seeded } from './samples.ts';

const { options } = compileRedaction();
const SAMPLES_PER_CONTEXT = 60;
const RECALL_MIN = 0.96;

/** Ways in which the same secret reaches an agent: the text around it, and the secret as it reads there. */
const CONTEXTS: Record<string, (sample: Sample) => Sample> = {
  plain: (sample) => sample,
  'in a sentence': ({ text, secret }) => ({ text: `It says: ${text}\nand then goes on.`, secret }),
  'in JSON': (sample) => escaped({ ...sample, text: `first\n${sample.text}\nlast` }),
  'in JSON inside JSON': (sample) =>
    escaped(escaped({ ...sample, text: `first\n${sample.text}\nlast` })),
  'in a diff': ({ text, secret }) => ({
    text: `@@ -1,2 +1,2 @@\n${text.replaceAll(/^/gm, '+')}\n-${'old line'}`,
    secret,
  }),
  coloured: ({ text, secret }) => ({ text: `\x1b[32m${text}\x1b[0m`, secret }),
  'with the secret coloured': ({ text, secret }) => ({
    text: text.replace(secret, () => `\x1b[1;31m${secret}\x1b[0m`),
    secret,
  }),
  'coloured, in JSON': ({ text, secret }) => escaped({ text: `\x1b[32m${text}\x1b[0m`, secret }),
};

function escaped({ text, secret }: Sample): Sample {
  return { text: JSON.stringify({ output: text }), secret: JSON.stringify(secret).slice(1, -1) };
}

/** Whether the secret is gone, and is counted. */
function isRedacted({ text, secret }: Sample): boolean {
  const { text: redacted, counts } = redactText(text, options);
  return !redacted.includes(secret) && Object.keys(counts).length > 0;
}

/** Which contexts leave the secret in one piece: a colour inside a tag, a key or a URL is another text. */
function contextsOf(id: string): [string, (sample: Sample) => Sample][] {
  const whole = new Set([
    'PRIVATE',
    'PRIVATE-KEY',
    'URL-PASSWORD',
    'SLACK-WEBHOOK',
    'BASIC-AUTH',
    'BEARER-TOKEN',
    'NPM-TOKEN',
  ]);
  return Object.entries(CONTEXTS).filter(
    ([name]) => name !== 'with the secret coloured' || !whole.has(id),
  );
}

function recall(make: (random: Random) => Sample, wrap: (sample: Sample) => Sample): number {
  const random = seeded(20_261_121);
  let found = 0;
  for (let index = 0; index < SAMPLES_PER_CONTEXT; index += 1) {
    if (isRedacted(wrap(make(random)))) found += 1;
  }
  return found / SAMPLES_PER_CONTEXT;
}

describe('a generated corpus', () => {
  it('has samples of rules only', () => {
    const ids = new Set(ruleIds(options));
    expect(Object.keys(SAMPLES).filter((id) => !ids.has(id))).toEqual([]);
  });

  for (const [id, make] of Object.entries(SAMPLES)) {
    for (const [name, wrap] of contextsOf(id)) {
      it(`${id} is found ${name}`, () => {
        expect(recall(make, wrap)).toBeGreaterThanOrEqual(RECALL_MIN);
      });
    }
  }

  const URL_SAFE = [
    'GITHUB-TOKEN',
    'SLACK-TOKEN',
    'ANTHROPIC-KEY',
    'OPENAI-KEY',
    'GOOGLE-API-KEY',
    'GOOGLE-OAUTH',
    'AWS-ACCESS-KEY',
    'JWT',
    'URL-PASSWORD',
  ];
  for (const id of URL_SAFE) {
    it(`${id} is found percent-encoded in a URL`, () => {
      const encode = ({ text, secret }: Sample) => ({
        text: `https://x.example/cb?state=${encodeURIComponent(text)}&a=1`,
        secret: encodeURIComponent(secret),
      });
      expect(recall(SAMPLES[id] as (random: Random) => Sample, encode)).toBeGreaterThanOrEqual(
        RECALL_MIN,
      );
    });
  }
});
