import type { Difference } from '../../packs/portable/lock.ts';
import { count } from './format.ts';
import { table } from './table.ts';

/** Items that differ, with their tokens. */
export const differenceTable = (all: readonly Difference[]): string[] =>
  table(
    ['', 'item', '>tokens', '', '>', '>'],
    all.map(({ label, before, after }) => [
      before === undefined ? '+' : after === undefined ? '-' : '~',
      label,
      before === undefined ? '–' : count(before),
      '→',
      after === undefined ? '–' : count(after),
      changeOf((after ?? 0) - (before ?? 0)),
    ]),
  );

const changeOf = (tokens: number): string => `${tokens < 0 ? '-' : '+'}${count(Math.abs(tokens))}`;
