import type { Unreadable } from '../../log/unreadable.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { plural } from './format.ts';

/** Files that are named; `ben10 verify` lists all. */
const NAMED = 3;

/** One line that says how much of the journal was not looked at, and what to do. */
export function unreadableLine({ events, segments, before = [] }: Unreadable): string {
  const what = events === null ? 'some events' : plural(events, 'event');
  const place = (name: string) => `${before.includes(name) ? 'before' : 'in'} ${oneLine(name)}`;
  const named = segments.slice(0, NAMED).map(place).join(', ');
  const more = segments.length > NAMED ? ' and more' : '';
  return `${what} could not be read, ${named}${more}: run ben10 verify`;
}
