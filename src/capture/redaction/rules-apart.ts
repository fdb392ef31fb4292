import type { Places } from './places.ts';
import type { RedactionRule } from './rule.ts';

interface Secrets {
  builtinRules(): readonly RedactionRule[];
  plainPlaces(text: string, places: Places): void;
  pemBodyEnd(text: string, from: number): number | undefined;
}

/** The launcher's: it knows the bundles beside it. */
declare const require: (id: './hook-secrets.cjs') => Secrets;

/**
 * Every rule that ben10 brings, from a bundle of its own: most hooks meet no text that needs more than the first ones.
 * @throws when that bundle is not there: what cannot be searched must not be written
 */
export const builtinRules = (): readonly RedactionRule[] =>
  require('./hook-secrets.cjs').builtinRules();

/** For the processes that have no WebAssembly. */
export const plainPlaces = (text: string, places: Places): void =>
  require('./hook-secrets.cjs').plainPlaces(text, places);

/** For the end of an input that is too long to be kept. */
export const pemBodyEnd = (text: string, from: number): number | undefined =>
  require('./hook-secrets.cjs').pemBodyEnd(text, from);
