import { expect, it } from 'vitest';
import type { Names } from '../../src/projections/folds/evidence-names.ts';
import { mention, noNames } from '../../src/projections/folds/evidence-names.ts';
import { briefly, withoutLead } from '../../src/recall/brief.ts';
import { Topics } from '../../src/recall/topics.ts';
import { Phrases } from '../../src/recall/worth.ts';

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
  ['parsed rows: 4517 of them in 3 s', 'parsed rows: 4517 of them in 3 s'],
  ['Bytes on the wire: ~1,204 for each call', 'Bytes on the wire: ~1,204 for each call'],
  ['As of today, 4517 rows are parsed', '4517 rows are parsed'],
  [
    "I'll stream rows with a cursor, because the export has 4517 of them",
    "I'll stream rows with a cursor, because the export has 4517 of them",
  ],
])('%j is told as %j', (said, told) => {
  expect(withoutLead(said, topics)).toBe(told);
});

it.each([
  ['Never log the invoice, it broke last May!', 'Never log the invoice'],
  ['Never log the invoice, not even in tests.', 'Never log the invoice, not even in tests'],
  ['Use a queue for it, because Kafka is slow.', 'Use a queue for it, because Kafka is slow'],
  ['Run it twice, as the export needs 40 s.', 'Run it twice, as the export needs 40 s'],
  // What somebody has to say about a rule, which holds without it.
  ['Never log the invoice, CI does not catch that.', 'Never log the invoice'],
  ['Do not mock it, and that includes you, the label team checks it.', 'Do not mock it'],
  ['Always zip it, it goes into the label folder.', 'Always zip it, it goes into the label folder'],
  ['Never log it, it must stay secret.', 'Never log it, it must stay secret'],
  ['Never log it, I do not want it in tests.', 'Never log it, I do not want it in tests'],
  // Politeness, and what says that something is said.
  ['Please note that exports are zipped.', 'exports are zipped'],
  ['I want you to zip the exports.', 'zip the exports'],
  ['You must not zip the exports.', 'You must not zip the exports'],
  ['You should zip the exports.', 'zip the exports'],
  // An errand beside it that is about something else.
  [
    'Split the mail handler. The label is called renderLabel, not drawLabel.',
    'The label is called renderLabel, not drawLabel',
  ],
  [
    'From the call: rename the mailer. The label is called renderLabel.',
    'The label is called renderLabel',
  ],
  [
    'Move render label to a worker, renderLabel takes 40 s.',
    'Move render label to a worker, renderLabel takes 40 s',
  ],
  ['Look at src/a.ts, then split the label.', 'Look at src/a.ts, then split the label'],
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
