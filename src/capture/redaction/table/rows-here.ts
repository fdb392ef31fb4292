import { LABELLED_LINES } from './labelled-lines.ts';
import { TOKEN_LINES } from './token-lines.ts';

/** The table's rows, as `token-lines.ts` and `labelled-lines.ts` have them. The hooks' bundles have `rows-apart.ts` in the place of this file. */
export const tokenLines = (): string => TOKEN_LINES;
export const labelledLines = (): string => LABELLED_LINES;
