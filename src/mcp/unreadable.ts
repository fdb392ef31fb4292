import type { Unreadable } from '../log/unreadable.ts';

const NAMED = 3;

/** A note on unreadable events, of about 300 bytes at most; {} if there are none. */
export const tellUnreadable = (unreadable: Unreadable | null): object =>
  unreadable === null
    ? {}
    : {
        unreadable: {
          events: unreadable.events,
          segments: unreadable.segments.slice(0, NAMED),
          ...(unreadable.atEnd && { atEnd: true }),
          next: 'This answer is incomplete. To see what is lost, run: ben10 verify',
        },
      };
