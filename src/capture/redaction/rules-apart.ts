import { assignedValue, valueAt } from './assigned-value.ts';
import { LABEL_RULES } from './label-rules.ts';
import type { Found } from './merge.ts';
import type { RuleSet } from './options.ts';
import type { Places } from './places.ts';
import { PRIVATE_TAG } from './private-tag.ts';
import { onDemand, type RedactionCount, type RedactionRule, type Span } from './rule.ts';
import {
  DECLARED_CHARS_MAX,
  hasSign,
  isNamed,
  isPhrase,
  isSign,
  PHRASE_BEFORE_CHARS_MAX,
} from './signs.ts';
import { spansOf } from './spans.ts';
import { isMachineSecret, isPassword, isPlaceholder, isToldPassword } from './values.ts';
import { WEB_RULES } from './web-rules.ts';

interface Secrets {
  builtinRules(): readonly RedactionRule[];
  plainPlaces(text: string, places: Places): void;
  disjointIn(text: string, found: readonly Found[], set: RuleSet): Found[];
  withMarkers(text: string, found: readonly Found[], counts: RedactionCount): string;
  originalPlaces(removed: Iterable<Span>): (at: number) => number;
  spansAround(found: readonly Found[], chars: number): Span[];
  withMoved(places: Places, before: Places, found: readonly Found[]): Places;
  pemBodyEnd(text: string, from: number): number | undefined;
  withDistinctKeys(entries: readonly [string, unknown][]): [string, unknown][];
}

/** The launcher's: it knows the bundles beside it, and hands over what they have in common with this one. */
declare const require: (id: './hook-secrets.cjs', shared: object) => Secrets;

/** `tools/hook-bundles.mjs` says of what its bundle has only this. */
const secrets = onDemand(() =>
  require('./hook-secrets.cjs', {
    'shared/assigned-value': { assignedValue, valueAt },
    'shared/label-rules': { LABEL_RULES },
    'shared/private-tag': { PRIVATE_TAG },
    'shared/signs': {
      DECLARED_CHARS_MAX,
      hasSign,
      isNamed,
      isPhrase,
      isSign,
      PHRASE_BEFORE_CHARS_MAX,
    },
    'shared/spans': { spansOf },
    'shared/values': { isMachineSecret, isPassword, isPlaceholder, isToldPassword },
    'shared/web-rules': { WEB_RULES },
  }),
);

/**
 * Every rule that ben10 brings, from a bundle of its own: most hooks meet no text that needs more than the first ones.
 * @throws when that bundle is not there: what cannot be searched must not be written
 */
export const builtinRules = (): readonly RedactionRule[] => secrets().builtinRules();

/** For the processes that have no WebAssembly. */
export const plainPlaces = (text: string, places: Places): void =>
  secrets().plainPlaces(text, places);

/** For the end of an input that is too long to be kept. */
export const pemBodyEnd = (text: string, from: number): number | undefined =>
  secrets().pemBodyEnd(text, from);

/** For what the rules have found. */
export const disjointIn: Secrets['disjointIn'] = (text, found, set) =>
  secrets().disjointIn(text, found, set);

export const withMarkers: Secrets['withMarkers'] = (text, found, counts) =>
  secrets().withMarkers(text, found, counts);

export const spansAround: Secrets['spansAround'] = (found, chars) =>
  secrets().spansAround(found, chars);

export const withMoved: Secrets['withMoved'] = (places, before, found) =>
  secrets().withMoved(places, before, found);

export const originalPlaces: Secrets['originalPlaces'] = (removed) =>
  secrets().originalPlaces(removed);

export const withDistinctKeys: Secrets['withDistinctKeys'] = (entries) =>
  secrets().withDistinctKeys(entries);
