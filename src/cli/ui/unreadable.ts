import type { Unreadable } from '../../log/unreadable.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { plural } from './format.ts';

const NAMED = 3;

export function unreadableLine({ events, segments, before = [], atEnd }: Unreadable): string {
  const what = events === null ? 'some events' : plural(events, 'event');
  const place = (name: string) => `${before.includes(name) ? 'before' : 'in'} ${oneLine(name)}`;
  const more = segments.length > NAMED ? ['and more'] : [];
  const end = atEnd ? ['at the end'] : [];
  const places = [...segments.slice(0, NAMED).map(place), ...more, ...end].join(', ');
  return `${what} could not be read, ${places}: run ben10 verify`;
}
