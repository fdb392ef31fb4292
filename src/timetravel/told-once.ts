import type { Line, SectionKey } from './sections.ts';

/** Which sections may have said already what one has to say: each of them says what it is, and so it stands there. */
const SAID_IN: readonly (readonly [SectionKey, readonly SectionKey[]])[] = [
  ['tools', ['rules']],
  ['corrections', ['rules', 'tools']],
  ['asked', ['rules', 'tools', 'corrections']],
  ['summary', ['rules', 'tools', 'corrections', 'decisions', 'asked']],
  ['said', ['decisions', 'summary']],
];
/** Shorter sentences are said of many things. */
const SENTENCE_CHARS_MIN = 12;
/** What is left beside what was told says nothing when it has fewer letters and digits: `No, …`, `ok. …`. */
const REST_CHARS_MIN = 6;
const GAP = '…';
const TIMES = / \(said \d+ times\)$/;
const SENTENCE_END = /(?<=[.!?])\s+/;
const BEFORE = /(?:^|[.!?:;,()"'*•–—…-]\s*)$/;
const AFTER = /^(?:$|["')]?[.!?;,…]|\s+\p{Lu})/u;
const ENDED = /[.!?。！？…]$/;
const CAPITAL = /^\p{Lu}/u;

/** The sections without the sentences that a more specific one has, word for word; a line of nothing else is gone. */
export function toldOnce(sections: Record<SectionKey, Line[]>): Record<SectionKey, Line[]> {
  const left = { ...sections };
  for (const [key, others] of SAID_IN) {
    const told = sentencesIn(others.flatMap((other) => left[other]));
    left[key] = left[key].flatMap((line) => {
      const text = without(line.text, told);
      if (text === line.text) return [line];
      return lettersIn(text) < REST_CHARS_MIN ? [] : [{ ...line, text }];
    });
  }
  return left;
}

/** The longest first, so that no part of one is taken out of it before. */
function sentencesIn(lines: readonly Line[]): string[] {
  const found = new Set<string>();
  for (const { text } of lines) {
    const said = text.replace(TIMES, '');
    for (const one of [said, ...said.split(SENTENCE_END)])
      if (one.length >= SENTENCE_CHARS_MIN) found.add(one);
  }
  return [...found].sort((a, b) => b.length - a.length);
}

function without(text: string, told: readonly string[]): string {
  let rest = text;
  for (const one of told) {
    for (let at = rest.indexOf(one); at !== -1; at = rest.indexOf(one, at + 1)) {
      const [before, after] = [rest.slice(0, at), rest.slice(at + one.length)];
      if (isWhole(one, before, after)) rest = `${before}${GAP}${after}`;
    }
  }
  return rest === text ? text : rest.replace(/…(?:[\s.!?]*…)+/g, GAP);
}

/** Not in the midst of a sentence, where it may say the opposite: lines were joined, so a capital may begin one, too. */
const isWhole = (one: string, before: string, after: string): boolean =>
  (BEFORE.test(before) || (CAPITAL.test(one) && /\s$/.test(before))) &&
  (AFTER.test(after) || (ENDED.test(one) && /^\s/.test(after)));

const lettersIn = (text: string): number =>
  text.replace(TIMES, '').replace(/[^\p{L}\p{N}]/gu, '').length;
