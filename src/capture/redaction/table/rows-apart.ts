import { onDemand } from '../rule.ts';

/** The launcher's: it reads the file beside it. */
declare const require: (id: './hook-tokens.txt' | './hook-labelled.txt') => string;

/** What `tools/hook-bundles.mjs` writes behind the rows. */
const END = '\n\n';

const rows = (read: () => string) =>
  onDemand(() => {
    const [text = '', rest] = read().split(END);
    if (rest === undefined) throw new Error('a file of the table of secrets is cut off');
    return text;
  });

/**
 * The rows are texts in files of their own: most hooks meet no text that needs one, and V8 has nothing to compile of them or to keep.
 * @throws when that file is not there, or cut off: what cannot be searched must not be written
 */
export const tokenLines = rows(() => require('./hook-tokens.txt'));
export const labelledLines = rows(() => require('./hook-labelled.txt'));
