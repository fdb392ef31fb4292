/** What the build has made of an expression for the machine, in base64; empty where there is none, as in processes that live on: V8 does better. The hooks' bundles have `programs-apart.ts` in the place of this file. */
export const programFor = (_source: string, _flags: string): string => '';
