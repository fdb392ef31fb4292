import type { ItemDifference } from '../../packs/compare.ts';
import type { LockedItem } from '../../packs/portable/portable.ts';
import { count } from './format.ts';
import { table } from './table.ts';

/** Items that differ, with their tokens. */
export const differenceTable = (all: readonly ItemDifference<LockedItem>[]): string[] =>
  table(
    ['', 'item', '>tokens', '', '>', '>'],
    all.map(({ label, before, after, tokens }) => [
      before === undefined ? '+' : after === undefined ? '-' : '~',
      label,
      before === undefined ? '–' : count(before.tokens),
      '→',
      after === undefined ? '–' : count(after.tokens),
      changeOf(tokens),
    ]),
  );

const changeOf = (tokens: number): string => `${tokens < 0 ? '-' : '+'}${count(Math.abs(tokens))}`;
