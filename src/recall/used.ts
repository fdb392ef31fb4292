import { fieldOf } from '../projections/bounds.ts';
import type { RecallUseState } from '../projections/folds/recall-use.ts';
import { referencesIn } from '../projections/references.ts';
import type { Item } from './item.ts';

/**
 * What of an item the agent came back to after it was given: a path, a name, a number of three digits or more. A rule
 * without any cannot be told by its words.
 * @param since of the event by which it was given
 */
export function usedOf(
  { text, extras = [] }: Item,
  { said }: RecallUseState,
  since: number,
): string[] {
  const own = [text, ...extras.map((extra) => extra.text)].join(' ');
  const names = [...referencesIn(own)].filter(
    ([name, { kind }]) => kind !== 'number' || name.replace(/\D/g, '').length >= 3,
  );
  return names.map(([name]) => name).filter((name) => (fieldOf(said, name) ?? 0) > since);
}
