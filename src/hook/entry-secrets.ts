/** Every rule that finds a secret, and what is done then: what the other bundles of the hook ask for when a text may hold one. */
export {
  builtinRules,
  mergeFound,
  originalPlaces,
  pemBodyEnd,
  plainPlaces,
  withDistinctKeys,
} from '../capture/redaction/rules-here.ts';
