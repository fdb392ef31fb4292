import type { Chance } from '../damage/chance.ts';
import type { Makers } from '../damage/corpus.ts';
import { clientTargets } from './client.ts';
import { fileTargets } from './files.ts';
import type { Target } from './target.ts';

/** Everything that reads from outside. */
export const targets = (makers: Makers, chance: Chance): Target[] => [
  ...fileTargets(makers, chance),
  ...clientTargets(),
];
