import { CATALOGUE, isKnownType } from './catalogue.ts';

/** What the journal writes about itself. */
const OF_JOURNAL: ReadonlyMap<string, string> = new Map([
  [
    'journal.repaired',
    'Something in the journal was damaged: what was done about it, and what is lost.',
  ],
  ['journal.copied', 'From here on this journal and the one that it was copied from are two.'],
]);

/** One line about an event type, for people. */
export const aboutType = (type: string): string =>
  isKnownType(type)
    ? CATALOGUE[type].about
    : (OF_JOURNAL.get(type) ?? 'An event that this ben10 does not know.');
