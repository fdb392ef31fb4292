import { describe, expect, it } from 'vitest';
import { answered, askedBy, choiceIn } from '../../src/projections/exchanges.ts';

const answer = (question: string, text: string) => {
  const asked = askedBy(question);
  return asked && answered(asked, text)?.text;
};

describe('a question of the agent’s with what answers it is one line', () => {
  it.each([
    [
      'I looked at both. Should the mailer use Redis or Kafka?',
      'Kafka, the relay drops bursts. Then fix the tests.',
      'Should the mailer use Redis or Kafka? → Kafka, the relay drops bursts.',
    ],
    [
      'Two ways for the import:\n\n1. Streams\n2. Batches\n\nWhich one?',
      '2, as customers send whole files',
      'Two ways for the import: 1. Streams 2. Batches Which one? → 2, as customers send whole files',
    ],
    [
      'There is a cache already. I would reuse the cache for sessions. Shall I?',
      'yes please, memory is short',
      'I would reuse the cache for sessions. Shall I? → yes please, memory is short',
    ],
    [
      'I would suggest weekly partitions for the audit log.',
      'agreed, nobody reads older ones',
      'I would suggest weekly partitions for the audit log. → agreed, nobody reads older ones',
    ],
  ])('%j', (question, text, line) => {
    expect(answer(question, text)).toBe(line);
  });

  it('a prompt about something else answers nothing', () => {
    expect(answer('Should the mailer use Redis or Kafka?', 'Rename the login button.')).toBe(
      undefined,
    );
    expect(answer('Should the mailer use Redis or Kafka?', 'What is Kafka?')).toBe(undefined);
  });

  it('whether to go on is no question of the work', () => {
    expect(askedBy('The tests pass. Shall I continue?')).toBe(undefined);
    expect(askedBy('The tests pass.')).toBe(undefined);
  });

  it('a choice with a reason weighs more than a bare yes', () => {
    const asked = askedBy('Should the mailer use Redis or Kafka for its queue?')!;
    const reasoned = answered(asked, 'Kafka because mailer_relay drops bursts')!;
    expect(reasoned.weight).toBeGreaterThan(answered(asked, 'yes')!.weight + 20);
  });
});

it('a user’s question counts where it offers a choice, with the first sentence of the answer', () => {
  const asked = choiceIn('hi. Streams or batches for the import?')!;
  expect(answered(asked, 'Batches: files come whole. I will start.')).toMatchObject({
    kind: 'decision',
    text: 'Streams or batches for the import? → Batches: files come whole.',
  });
  expect(choiceIn('Where is the import?')).toBe(undefined);
});
