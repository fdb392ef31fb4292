import { describe, expect, it } from 'vitest';
import { saidIn, statedIn } from '../../src/projections/noteworthy.ts';
import { figuresIn } from '../../src/projections/reported.ts';

const best = (notes: { text: string; weight: number }[]) => notes[0]?.text;
const weightOf = (notes: { weight: number }[]) => notes[0]?.weight ?? 0;

describe('of what the agent says', () => {
  it('a reason stands with the decision that it is for, named as one or not', () => {
    expect(best(statedIn('For the mailer we take a queue. Reason: the relay drops bursts.'))).toBe(
      'For the mailer we take a queue. Reason: the relay drops bursts.',
    );
    expect(statedIn('As the relay drops bursts, the mailer will use a queue.')[0]).toMatchObject({
      kind: 'decision',
    });
  });

  it.each([
    [
      'Cold start of the gateway is at 840 ms now.',
      'The cold start could be around 840 ms, I guess.',
    ],
    ['The retry logic lives in packages/net/backoff.ts.', 'Reading packages/net/backoff.ts.'],
    [
      'One thing I noticed: it ends up near 840 MB.',
      'One thing I noticed: it could end up near 840 MB.',
    ],
    ['We settled on Redis streams because Kafka is too much.', 'Kafka might be an option as well.'],
    ['The timeout was caused by a stale DNS entry.', 'Let me look at the DNS entry.'],
  ])('%j weighs more than %j', (more, less) => {
    expect(weightOf(statedIn(more))).toBeGreaterThan(weightOf(statedIn(less)) + 20);
  });

  it.each([
    'I tried passing req.body, which breaks the signature check.',
    'Tried `--no-cache`; same error.',
    'Retrying with a longer timeout did not help.',
    'Clearing the cache made no difference.',
  ])('what was tried and did not help is worth a line: %s', (said) => {
    expect(weightOf(statedIn(said))).toBeGreaterThanOrEqual(30);
  });

  it.each(['That did not help.', 'Let me try the other port.', 'I tried to keep the names short.'])(
    'what does not say what it was is not: %s',
    (said) => {
      expect(statedIn(said)).toEqual([]);
    },
  );

  it('a slash between two words is no path', () => {
    expect(weightOf(statedIn('The folder is new/empty.'))).toBeLessThan(
      weightOf(statedIn('The folder is src/new/empty.ts.')),
    );
  });
});

describe('a choice and its reason in two sentences are one line', () => {
  it.each([
    // One says the topic, the other names it.
    'For the mail queue we stay with Kafka. mail_queue gets bursts that Redis drops.',
    'I considered Redis for mailQueue. It falls flat as bursts are dropped; hence Kafka.',
    'mail_queue gets bursts. That means Kafka for it.',
    'Redis has been ruled out for mail_queue because it drops bursts. Kafka then.',
  ])('%j', (text) => {
    expect(best(statedIn(text))).toBe(text);
    expect(best(saidIn(text, true))).toBe(text);
  });

  it('two sentences about two things stay two', () => {
    const text = 'The mail queue drops bursts at 12 ms. The export_job is green.';
    expect(statedIn(text).map((one) => one.text)).not.toContain(text);
  });
});

it('a question that starts with why is no reason of the sentence before it, what is named one is', () => {
  const texts = (text: string) => saidIn(text, true).map((one) => one.text);
  const names = 'Why mail_items, the mail one is mail_rows.';
  expect(texts(`Can you look at the mail code and tell me what is going on? ${names}`)).toContain(
    names,
  );
  const reasoned = 'We take Kafka for the mail queue. Why: mail_queue gets bursts.';
  expect(texts(reasoned)).toContain(reasoned);
});

it('what would have been, and why it is not, is no guess', () => {
  expect(
    weightOf(
      statedIn('Redis would be simpler for mail_queue, but it drops bursts, so it is Kafka.'),
    ),
  ).toBeGreaterThan(weightOf(statedIn('Redis would be simpler for mail_queue.')) + 40);
});

describe('of what the user says', () => {
  const said = (text: string) => saidIn(text, true);

  it.each([
    ['The column is called paid_at since May.', 'Yes, paid_at is right for that column.'],
    ['We promised 300 ms for search.', 'I like the search page.'],
    ['The schema is in db/schema/main.sql.', 'That is not what I had hoped to read today.'],
    ['Go with polling in the tray app since sockets die on sleep.', 'Fix the tray app.'],
    ['The limit of an upload is 20 MB.', 'For today only the limit of an upload is 20 MB.'],
  ])('%j weighs more than %j', (more, less) => {
    expect(weightOf(said(more))).toBeGreaterThan(weightOf(said(less)) + 20);
  });

  it('lines of a log that was pasted are none of it', () => {
    expect(said('WARN src/net/pool.ts: 12 connections left\n[info] pool_size not set')).toEqual([]);
  });
});

it('what a runner says of its own time is no figure', () => {
  const said =
    'BUILD SUCCESSFUL in 19s\nFinished in 1.1 seconds (1.1s async)\nCompiling 1 file (.ex)\n> app@1.4.0 test';
  expect(figuresIn(said)).toEqual([]);
  expect(figuresIn('cold build of the app: 41 s')).toHaveLength(1);
});

it('a figure with a name of its own weighs more than one that only its table explains', () => {
  const [max, start] = figuresIn('max: 740 ms\ncold start of the api: 312 ms');
  expect(start!.weight).toBeGreaterThan(max!.weight);
});
