/** From this length of a text on V8 does not try an expression in its interpreter first: `kTierUpForSubjectLengthValue`. */
const LONG = '\0'.repeat(1000);
const compiled = new WeakSet<readonly RegExp[]>();

/**
 * Makes machine code of expressions that one text after the other is about to be looked at with. By itself V8 compiles each twice:
 * for its interpreter when it is used first, to machine code when it is used again. Nothing but time depends on it.
 */
export function compileOnce(expressions: readonly RegExp[]): void {
  if (compiled.has(expressions)) return;
  compiled.add(expressions);
  for (const expression of expressions) {
    expression.test(LONG);
    expression.lastIndex = 0;
  }
}
