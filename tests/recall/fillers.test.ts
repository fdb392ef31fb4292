import { expect, it } from 'vitest';
import { withoutFillers } from '../../src/recall/fillers.ts';
import type { Found } from '../../src/recall/items.ts';

const said = (...texts: string[]): Found[] =>
  texts.map((text, n) => ({ kind: 'prompt', text, seq: n, at: n }));
const briefs = (...texts: string[]) =>
  withoutFillers(said(...texts)).map(({ brief, text }) => brief ?? text);

it('what stands before or behind several sentences, word for word, is left out of the brief ones', () => {
  expect(
    briefs(
      'From my notes: the mailer keeps its queue in Kafka, it broke the last release.',
      'From my notes: exports are zipped by the proxy',
      'From my notes: the audit log is in db/audit.sql',
      'Sessions end after ten minutes, it broke the last release!',
      'Uploads go to the bucket first, it broke the last release',
    ),
  ).toEqual([
    'the mailer keeps its queue in Kafka',
    'exports are zipped by the proxy',
    'the audit log is in db/audit.sql',
    'Sessions end after ten minutes',
    'Uploads go to the bucket first',
  ]);
});

it('how long something holds stays, and what two sentences have in common', () => {
  const lasting = ['Sign the tags, every time', 'Zip the exports, every time', 'Lint, every time'];
  expect(briefs(...lasting)).toEqual(lasting);
  const two = ['From my notes: the mailer is slow', 'From my notes: the export is slow'];
  expect(briefs(...two)).toEqual(two);
});
