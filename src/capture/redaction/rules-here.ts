import type { RedactionRule } from './rule.ts';
import { BUILTIN_RULES } from './rules.ts';

export { pemBodyEnd, plainPlaces } from './contexts-here.ts';
export { withDistinctKeys } from './distinct-keys.ts';
export { disjointIn, withMarkers } from './markers.ts';
export { spansAround, withMoved } from './moved-places.ts';
export { originalPlaces } from './original-places.ts';

/** Every rule that ben10 brings. The hooks' bundles have `rules-apart.ts` in the place of this file. */
export const builtinRules = (): readonly RedactionRule[] => BUILTIN_RULES;
