import { eachTellingRun } from './runs.ts';
import { withoutFrames } from './stack-frames.ts';

/** What later text may refer to: paths, coined names (`parseDueDate`, `MAX_RETRIES`, `due-date`), numbers, quoted code. By shape alone. */
export type ReferenceKind = 'path' | 'name' | 'number';

/** Otherwise the `31m` of a colour would stick to the word behind it. */
const COLOUR = /\x1b\[[\d;?]*[A-Za-z]/g;

/** Longer ones are digests, data or minified code. */
const REFERENCE_CHARS_MAX = 90;
/** More names than this in one text are a file's content. */
const REFERENCES_MAX = 320;

const QUOTED = /`([^`\s]{2,60})`/g;
const EXTENSION =
  /\.(?:[cm]?[jt]sx?|json[cl5]?|md|mdx|ya?ml|toml|ini|cfg|conf|env|py|ipynb|rs|go|rb|java|kts?|swift|c|h|cc|cpp|hpp|cs|php|sh|bash|zsh|ps1|sql|html?|s?css|less|vue|svelte|xml|csv|tsv|txt|log|lock|proto|graphql|tf|gradle|bat|mk|cmake|dockerfile|example|sample|png|jpe?g|svg|gif|pdf|wav|mp[34]|zip|gz|tar|wasm|db|sqlite)$/i;
const PATH = /^(?:~|\.{1,2})?\/?(?:[\w.@+~-]+\/)+[\w.@+~-]*$/;
const STRUCTURED =
  /[a-z\d][A-Z]|[A-Za-z]_[A-Za-z\d]|^[A-Z][A-Z\d]{2,}$|[A-Za-z]\d|\d[a-z]{2}|^--?[a-z]|^__\w+__$/;
const KEBAB = /^[a-z][a-z\d]+(?:-[a-z\d]+)+$/i;
const NUMBER =
  /^\d[\d.,_:]*(?:%|[mun]?s|m|min|h|d|k|[kmgt]i?b|px|r?em|pt|x|k?hz|fps|[rq]ps|th|st|nd|rd|\/s)?$/i;
/** Random ids. */
const DRAWN =
  /^(?:[0-9a-f]{16,}|[0-9a-f]{8}-[0-9a-f-]{20,}|toolu_\w+|msg_\w+|[A-Za-z0-9+/=_-]{50,})$/i;

/** Random ids are at least so long, but for two kinds with an underscore. */
const DRAWN_CHARS_MIN = 16;
const isDrawn = (word: string): boolean =>
  (word.length >= DRAWN_CHARS_MIN || word.includes('_')) && DRAWN.test(word);

type Add = (reference: string, kind: ReferenceKind) => void;

const unescaped = (escaped: string): string =>
  escaped === '\\n' ? '\n' : escaped === '\\"' ? '"' : ' ';

/** Each once, in order of first mention, with its count. `runs.ts` filters plain words first, for speed. */
export function referencesIn(text: string): Map<string, { kind: ReferenceKind; count: number }> {
  const found = new Map<string, { kind: ReferenceKind; count: number }>();
  const add: Add = (reference, kind) => {
    if (reference.length > REFERENCE_CHARS_MAX || isDrawn(reference)) return;
    const known = found.get(reference);
    if (known !== undefined) known.count += 1;
    else if (found.size < REFERENCES_MAX) found.set(reference, { kind, count: 1 });
  };
  // JSON strings have escaped line ends.
  const unquoted = text.includes('\\n') ? text.replace(/\\[nrt"]/g, unescaped) : text;
  const plain = withoutFrames(unquoted.includes('\x1b') ? unquoted.replace(COLOUR, ' ') : unquoted);
  eachTellingRun(plain, (run) => classify(run, add));
  if (plain.includes('`'))
    for (const [, quoted] of plain.matchAll(QUOTED))
      if (!found.has(quoted!) && /[A-Za-z]/.test(quoted!)) add(quoted!, 'name');
  return found;
}

/** All words that may be references, to be looked up among known ones. */
export const namesAmong = (text: string): string[] =>
  text.split(/[\s,;:()[\]{}"'`<>=|]+/).map((word) => word.replace(/\.+$/, ''));

/** Without surrounding punctuation. */
const bare = (run: string): string =>
  '.:#%+'.includes(run[0]!) || '.:#%+\\/-'.includes(run.at(-1)!)
    ? run.replace(/^[.:#%+]+(?=[^/.]|$)|[.:#%+\\/-]+$/g, '')
    : run;

function classify(run: string, add: Add): void {
  const word = bare(run);
  if (word.length < 2 || isDrawn(word)) return;
  // `src/todo.js:42`
  const place = word.includes(':') ? /^([^:]+):(\d+(?::\d+)?)$/.exec(word) : null;
  const [, file = word, line] = place ?? [];
  const isFile = isPath(file);
  if (isFile || (word.startsWith('http') && /^https?:/.test(word))) {
    add(isFile ? file : word, 'path');
    if (line !== undefined && isFile) add(line, 'number');
    return;
  }
  if (isDigit(word) && NUMBER.test(word)) {
    if (isTelling(word)) add(word, 'number');
    return;
  }
  if (word.includes('-') && (KEBAB.test(word) || /^--?[a-z][\w-]+$/.test(word))) {
    add(word, 'name');
    return;
  }
  for (const part of /[^\w$]/.test(word) ? word.split(/[^\p{L}\p{N}_$]+|^-+/u) : [word]) {
    if (part.length < 3 || part.length > 60) continue;
    if (isDigit(part) && NUMBER.test(part)) {
      if (isTelling(part)) add(part, 'number');
    } else if (STRUCTURED.test(part)) add(part, 'name');
  }
}

const isDigit = (word: string): boolean => word.charCodeAt(0) >= 0x30 && word.charCodeAt(0) <= 0x39;

const isPath = (word: string): boolean =>
  (word.includes('/') && PATH.test(word) && /[A-Za-z]{2}/.test(word)) ||
  (word.includes('.') &&
    EXTENSION.test(word) &&
    /^[\w.@+-]+$/.test(word) &&
    !/^\d+\.\d/.test(word));

/** Single digits say nothing. */
const isTelling = (number: string): boolean =>
  number.replace(/\D/g, '').length >= 2 || /[a-z%]/i.test(number);
