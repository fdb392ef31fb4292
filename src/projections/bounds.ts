/** Largest encoded state. The folds keep below it with limits of their own. */
export const STATE_BYTES_MAX = 4 * 1024 * 1024;

/** The first `chars` characters, with … when cut. Never splits a surrogate pair. */
export function headOf(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const last = text.charCodeAt(chars - 1);
  const cut = last >= 0xd800 && last <= 0xdbff ? chars - 1 : chars;
  return `${text.slice(0, cut)}…`;
}

/** Never begins with half a character. */
export const tailOf = (text: string, chars: number): string =>
  text.slice(-chars).replace(/^[\udc00-\udfff]/, '');

/** The beginning of a text and its end, which often says what is asked. */
export function endsOf(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const tail = Math.max(1, Math.floor(chars / 3));
  return `${headOf(text, Math.max(1, chars - tail - 1))}${tailOf(text, tail)}`;
}

/** Drops the oldest beyond `max`; returns how many. */
export function keepNewest<T>(list: T[], max: number): number {
  const over = list.length - max;
  if (over <= 0) return 0;
  list.splice(0, over);
  return over;
}

/** Drops the oldest beyond `max` items or `charsMax` characters, but never the newest. A character takes three bytes at most. */
export function keepNewestWithin<T>(
  list: T[],
  max: number,
  charsMax: number,
  charsOf: (item: T) => number,
): void {
  keepNewest(list, max);
  let chars = 0;
  const over = list.findLastIndex((item) => {
    chars += charsOf(item);
    return chars > charsMax;
  });
  if (over !== -1) list.splice(0, Math.min(over + 1, list.length - 1));
}

/** Drops the oldest fields beyond `max`, or `charsMax` characters of names; returns how many. Call it after adding a field. */
export function dropOldest(
  record: Record<string, unknown>,
  max: number,
  charsMax = Number.POSITIVE_INFINITY,
): number {
  const keys = Object.keys(record);
  let chars = 0;
  if (charsMax !== Number.POSITIVE_INFINITY) for (const key of keys) chars += key.length;
  let dropped = 0;
  for (const key of keys) {
    if (keys.length - dropped <= max && chars <= charsMax) break;
    delete record[key];
    chars -= key.length;
    dropped += 1;
  }
  return dropped;
}

/** Joins neighbours. @param join their joined text; undefined to keep them apart */
export function joinedWhere(
  texts: readonly string[],
  join: (before: string, text: string) => string | undefined,
): string[] {
  const found: string[] = [];
  for (const text of texts) {
    const before = found.at(-1);
    const both = before === undefined ? undefined : join(before, text);
    if (both === undefined) found.push(text);
    else found[found.length - 1] = both;
  }
  return found;
}

/** An outside name as an object's key: `__proto__` would change the object itself. */
export const keyOf = (name: string): string => (name === '__proto__' ? '(__proto__)' : name);

export function fieldOf<T>(record: Record<string, T>, name: string): T | undefined {
  const key = keyOf(name);
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/**
 * An estimate: 3.1 bytes a token, measured over three vocabularies on transcript text.
 * @param text or its length in bytes
 */
export const estimateTokens = (text: string | number): number =>
  Math.ceil((typeof text === 'string' ? Buffer.byteLength(text) : text) / 3.1);
