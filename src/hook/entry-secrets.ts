/** Every rule that finds a secret: what the other bundles of the hook ask for when a text may hold one. */
export { builtinRules, pemBodyEnd, plainPlaces } from '../capture/redaction/rules-here.ts';
