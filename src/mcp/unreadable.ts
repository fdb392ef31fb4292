import type { Unreadable } from '../log/unreadable.ts';

/** Files that are named; `ben10 verify` lists all. */
const NAMED = 3;

/** What an answer says of events that could not be read; nothing when all could. At most some 300 bytes. */
export const tellUnreadable = (unreadable: Unreadable | null): object =>
  unreadable === null
    ? {}
    : {
        unreadable: {
          events: unreadable.events,
          segments: unreadable.segments.slice(0, NAMED),
          ...(unreadable.atEnd && { atEnd: true }),
          next: 'More had happened than this answer knows of. To see what is lost, run: ben10 verify',
        },
      };
