import type { SearchDocument } from './document.ts';
import type { Condition } from './query.ts';

const WORD = /[\p{L}\p{N}_]/u;

/** Whether a document's text meets all conditions: the index knows words only, not their order. */
export function meets({ texts }: SearchDocument, conditions: readonly Condition[]): boolean {
  return conditions.every(({ text, isPath, isNot }) => {
    const all = isPath ? [texts.files] : Object.values(texts);
    return all.some((one) => one !== undefined && holds(one, text)) !== isNot;
  });
}

const plain = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

/** Whether words stand in a text as they are, whatever their case and the blanks between them. */
function holds(text: string, words: string): boolean {
  const [all, sought] = [plain(text), plain(words)];
  const [first, last] = [WORD.test(sought.at(0) ?? ''), WORD.test(sought.at(-1) ?? '')];
  for (let at = all.indexOf(sought); at !== -1; at = all.indexOf(sought, at + 1)) {
    const end = at + sought.length;
    const isWhole =
      !(first && WORD.test(all[at - 1] ?? '')) && !(last && WORD.test(all[end] ?? ''));
    if (isWhole) return true;
  }
  return false;
}
