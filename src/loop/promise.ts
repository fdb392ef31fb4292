/** What quotes: fenced blocks, code, quoted lines and words. Each is linear in the text. */
const QUOTED = [
  /^[ \t]*(```+|~~~+)[^\n]*\n[\s\S]*?(?:^[ \t]*\1[^\n]*$|$(?![\s\S]))/gm,
  /`[^`\n]*`/g,
  /^[ \t]*>.*$/gm,
  /"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|[«»‹›][^«»‹›\n]*[«»‹›]|「[^」\n]*」|『[^』\n]*』|(?<!\w)['‘‚][^'’‘\n]*['’‘](?!\w)/g,
];
/** A quotation may go over several lines. */
const QUOTE = /["'`\p{Pi}\p{Pf}„‚「」『』]/u;
const TEXT_CHARS_MAX = 256 * 1024;

/**
 * Whether a text gives the promise: the whole tag, literally. Not in quotes or code, not in the middle of a line that goes on, and not where
 * the text only repeats the prompt.
 */
export function isPromised(text: string, until: string, prompt: string): boolean {
  const tag = `<promise>${until}</promise>`;
  const asked = new Set(placesOf(prompt, tag).map(({ place }) => place));
  const end = text.slice(-TEXT_CHARS_MAX);
  const own = asked.size === 0 ? end : end.split(prompt.trim()).join('');
  const plain = QUOTED.reduce((left, pattern) => left.replace(pattern, ''), own);
  return placesOf(plain, tag).some(({ place, isLast }) => isLast && !asked.has(place));
}

/** Each line with the tag; one that has nothing else, with the line before it. */
function placesOf(text: string, tag: string): { place: string; isLast: boolean }[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.flatMap((line, n) => {
    const at = line.indexOf(tag);
    if (at === -1) return [];
    const [before, after] = [line.slice(0, at), line.slice(at + tag.length)];
    const isQuoted = QUOTE.test(before.slice(-1)) || QUOTE.test(after.slice(0, 1));
    const place = line === tag ? `${lines[n - 1] ?? ''}\n${line}` : line;
    return [{ place, isLast: !isQuoted && !/[\p{L}\p{N}]/u.test(after) }];
  });
}
