import type { KnownPreference } from '../../timetravel/preferences.ts';
import { columns, shown } from '../../timetravel/text.ts';

/** One line each: `12.1  rule  2 times  Never use globals.  @12 @40` */
export const rows = (known: readonly KnownPreference[]): string[] =>
  columns(
    known.map(({ key, kind, count, text, seqs }) => [
      key,
      kind,
      count === 1 ? 'once' : `${count} times`,
      `${shown(text, 400)}  ${seqs.map((seq) => `@${seq}`).join(' ')}`,
    ]),
  );
