import { expect, it } from 'vitest';
import { Fillers } from '../../src/recall/brief.ts';

const without = (...texts: string[]) => texts.map((text) => new Fillers(texts).without(text));

it('what stands before or behind several sentences, word for word, is left out', () => {
  expect(
    without(
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

it('what somebody says of themselves before a colon may have commas, and say that they forget', () => {
  const before = 'Before I forget it, because I do that again and again: ';
  const told = ['the mailer is in Kafka', 'exports are zipped', 'uploads go first'];
  expect(without(...told.map((text) => before + text))).toEqual(told);
});

it('how long something holds and whether it does stays, and what two sentences have in common', () => {
  const lasting = ['Sign the tags, every time', 'Zip the exports, every time', 'Lint, every time'];
  expect(without(...lasting)).toEqual(lasting);
  const never = ['mock', 'sleep', 'retry'].map((it) => `Never do this, as I said: ${it} in a test`);
  expect(without(...never)).toEqual(never);
  const two = ['From my notes: the mailer is slow', 'From my notes: the export is slow'];
  expect(without(...two)).toEqual(two);
});

it('is not left out where a word or two would be left', () => {
  const short = ['Listen! Go on.', 'Listen! Thanks.', 'Listen! Next one.'];
  expect(without(...short)).toEqual(short);
});
