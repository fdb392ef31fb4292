import { expect, it } from 'vitest';
import type { Names } from '../../src/projections/folds/evidence-names.ts';
import { mention, noNames } from '../../src/projections/folds/evidence-names.ts';
import { briefly, withoutLead } from '../../src/recall/brief.ts';
import { Phrases } from '../../src/recall/phrases.ts';
import { Topics } from '../../src/recall/topics.ts';

const names: Names = mention(noNames(), 'src/billing/invoice_export.ts renderLabel', {
  by: 'agent',
  seq: 1,
  tick: 1,
  home: null,
  pos: null,
});
const topics = new Topics(names);

it('a sentence is about the work when it has words that its names are made of', () => {
  expect(topics.isAbout('The invoices are late.')).toBe(true);
  expect(topics.isAbout('A label is missing.')).toBe(true);
  expect(topics.isAbout('I am in meetings until four.')).toBe(false);
});

it.each([
  ['Looking at the output, the export drops a row.', 'the export drops a row.'],
  ['Worth a word: the export drops a row.', 'the export drops a row.'],
  ['For the invoice, the export drops a row.', 'For the invoice, the export drops a row.'],
  ['From now on, write the export twice.', 'From now on, write the export twice.'],
  ['Decision: write the export twice.', 'Decision: write the export twice.'],
])('%j is told as %j', (said, told) => {
  expect(withoutLead(said, topics)).toBe(told);
});

it.each([
  ['Never log the invoice, it broke last May!', 'Never log the invoice'],
  ['Never log the invoice, not even in tests.', 'Never log the invoice, not even in tests'],
  ['Use a queue for it, because Kafka is slow.', 'Use a queue for it, because Kafka is slow'],
  ['Run it twice, as the export needs 40 s.', 'Run it twice, as the export needs 40 s'],
])('%j is told briefly as %j', (said, told) => {
  expect(briefly(said, topics)).toBe(told);
});

it('what is said again and again with other words in it is common, what is said once is not', () => {
  const steps = ['parser', 'writer', 'reader', 'index'].map((it) => `I looked at the ${it} once.`);
  const once = 'We keep two copies of each segment.';
  const phrases = new Phrases([...steps, once].map((text) => ({ text })));
  expect(phrases.common(once)).toBe(1);
  expect(phrases.common(steps[0]!)).toBeGreaterThan(2);
});
