/** From this length on V8 skips its regexp interpreter: `kTierUpForSubjectLengthValue`. */
const LONG = '\0'.repeat(1000);
const compiled = new WeakSet<readonly RegExp[]>();

/**
 * Compiles regular expressions to machine code now. By itself V8 compiles each twice: for its interpreter at the first use, to
 * machine code at the second. This only saves time.
 */
export function compileOnce(expressions: readonly RegExp[]): void {
  if (compiled.has(expressions)) return;
  compiled.add(expressions);
  for (const expression of expressions) {
    expression.test(LONG);
    expression.lastIndex = 0;
  }
}
