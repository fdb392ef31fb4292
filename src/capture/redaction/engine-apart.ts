/** The same as `engine-here.ts`, of a bundle of its own: most hooks meet no text that needs the rules. Where it is not there, this throws. */
export const engine = (): typeof import('./engine.ts') =>
  require('./redaction.cjs') as typeof import('./engine.ts');
