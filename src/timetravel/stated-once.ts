import type { Line, SectionKey } from './sections.ts';

/** By section: more specific ones that may have the same sentence. */
const SAID_IN: readonly (readonly [SectionKey, readonly SectionKey[]])[] = [
  ['tools', ['rules']],
  ['corrections', ['rules', 'tools']],
  ['asked', ['rules', 'tools', 'corrections']],
  ['summary', ['rules', 'tools', 'corrections', 'decisions', 'asked']],
  ['said', ['decisions', 'summary']],
];
/** Shorter sentences may refer to different things. */
const SENTENCE_CHARS_MIN = 12;
/** A remainder with fewer letters says nothing: `No, …`, `ok. …`. */
const REST_CHARS_MIN = 6;
const GAP = '…';
const TIMES = / \(said \d+ times\)$/;
const SENTENCE_END = /(?<=[.!?])\s+/;
const BEFORE = /(?:^|[.!?:;,()"'*•–—…-]\s*)$/;
const AFTER = /^(?:$|["')]?[.!?;,…]|\s+\p{Lu})/u;
const ENDED = /[.!?。！？…]$/;
const CAPITAL = /^\p{Lu}/u;

/** Removes sentences that a more specific section has word for word, and lines of nothing else. */
export function statedOnce(sections: Record<SectionKey, Line[]>): Record<SectionKey, Line[]> {
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

/** Longest first, so that parts do not break up the whole. */
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

/** Only whole sentences: a part may mean the opposite. Lines were joined, so a capital may begin one. */
const isWhole = (one: string, before: string, after: string): boolean =>
  (BEFORE.test(before) || (CAPITAL.test(one) && /\s$/.test(before))) &&
  (AFTER.test(after) || (ENDED.test(one) && /^\s/.test(after)));

const lettersIn = (text: string): number =>
  text.replace(TIMES, '').replace(/[^\p{L}\p{N}]/gu, '').length;
