import { assignedValue, valueAt } from './assigned-value.ts';
import type * as here from './contexts-here.ts';
import { expression, matchesOf } from './expression.ts';
import { fileValue } from './line-value.ts';
import { isMnemonic, isPassPhrase } from './pass-phrase.ts';
import { tokenAt } from './prose-value.ts';
import { onDemand } from './rule.ts';
import { SESSION_PAIRS } from './session-pair.ts';
import { BLOCKS, endOfIndent, startOfIndent } from './setting-signs.ts';
import { DECLARED_CHARS_MAX, isNamed, isPhrase, isSign, PHRASE_BEFORE_CHARS_MAX } from './signs.ts';
import { labelledIds } from './table/labelled.ts';
import { secretUnder } from './table/secret-under.ts';
import { allSigns } from './table/token-at.ts';
import {
  isMachineSecret,
  isPassword,
  isPlaceholder,
  isToldPassword,
  isToldToken,
} from './values.ts';

type Contexts = typeof here;

/** The launcher's: it knows the bundles beside it, and hands over what they have in common with this one. */
declare const require: (id: './hook-contexts.cjs', shared: object) => Contexts;

/** `tools/hook-bundles.mjs` says of what its bundle has only this. */
const contexts = onDemand(() =>
  require('./hook-contexts.cjs', {
    'shared/assigned-value': { assignedValue, valueAt },
    'shared/expression': { expression, matchesOf },
    'shared/labelled': { labelledIds },
    'shared/line-value': { fileValue },
    'shared/pass-phrase': { isMnemonic, isPassPhrase },
    'shared/prose-value': { tokenAt },
    'shared/secret-under': { secretUnder },
    'shared/session-pair': { SESSION_PAIRS },
    'shared/setting-signs': { BLOCKS, endOfIndent, startOfIndent },
    'shared/signs': { DECLARED_CHARS_MAX, isNamed, isPhrase, isSign, PHRASE_BEFORE_CHARS_MAX },
    'shared/token-at': { allSigns },
    'shared/values': { isMachineSecret, isPassword, isPlaceholder, isToldPassword, isToldToken },
  }),
);

/** From a bundle of its own: a text with a token alone needs nothing of it. */
export const keyRules: Contexts['keyRules'] = () => contexts().keyRules();
export const contextRules: Contexts['contextRules'] = () => contexts().contextRules();

/** For the end of an input that is too long to be kept. */
export const pemBodyEnd: Contexts['pemBodyEnd'] = (text, from, prefix) =>
  contexts().pemBodyEnd(text, from, prefix);

/** For the processes that have no WebAssembly. */
export const plainPlaces: Contexts['plainPlaces'] = (text, places) =>
  contexts().plainPlaces(text, places);
