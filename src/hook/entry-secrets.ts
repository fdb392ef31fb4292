/** Every rule that finds a secret, and what is done then: what the other bundles of the hook ask for when a text may hold one. */
export {
  builtinRules,
  disjointIn,
  originalPlaces,
  pemBodyEnd,
  plainPlaces,
  spansAround,
  withDistinctKeys,
  withMarkers,
  withMoved,
} from '../capture/redaction/rules-here.ts';
