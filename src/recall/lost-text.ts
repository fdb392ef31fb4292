import { headOf } from '../projections/bounds.ts';
import { contained, oneLine } from '../projections/safe-text.ts';
import type { Fate, LostAccount } from './lost.ts';
import { ageOfItem } from './render.ts';

const TEXT_CHARS = 200;
const NAMES_MAX = 8;

const named = (names: readonly string[]): string => {
  const more = names.length - NAMES_MAX;
  const shown = names.slice(0, NAMES_MAX).map(oneLine).join(' ');
  return more > 0 ? `${shown} and ${more} more` : shown;
};

/**
 * `kept`, `lost` or `in part`, what it is, how old, and where it came back.
 * @param now milliseconds since the epoch
 */
export function fateLine({ item, fate, missing, givenBack, used }: Fate, now: number): string {
  const { kind, text, seq } = item;
  const what = text === '' ? 'names' : headOf(oneLine(contained(text)), TEXT_CHARS);
  const age = ageOfItem(item, now);
  const gone = missing.length === 0 ? '' : `; without ${contained(named(missing))}`;
  const back = givenBack === null ? '' : `; given back by @${givenBack}`;
  const use = used.length === 0 ? '' : `; used: ${contained(named(used))}`;
  return `${fate.padEnd(7)}  ${kind.padEnd(10)}  @${seq} ${age === '' ? '' : `${age} `}${what}${gone}${back}${use}`;
}

/** The count of each fate, in one line. */
export const lostHead = ({ kept, lost, givenBack, used }: LostAccount): string =>
  `${kept} kept, ${lost} lost or in part, ${givenBack} given back, ${used} of these used since`;
