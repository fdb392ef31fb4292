/** The programs of expressions: none where a process lives on, V8 does better. The hooks' bundles have `programs-apart.ts` in the place of this file. */
export const PROGRAMS: readonly (() => string)[] = [];
