import * as rules from './engine.ts';
import { prefilter } from './search/gate.ts';

/** All that redaction does behind its prefilter. Bundles of hooks have `engine-apart.ts` in the place of this file. */
export function engine(): typeof rules {
  rules.usePrefilter(prefilter());
  return rules;
}
