/**
 * What people and models state in plain words, found by rules of thumb: no model is asked. Rules of the user's are
 * sentences that command or forbid in general; decisions are sentences of the model's that say so.
 */
const SENTENCE_CHARS_MAX = 400;
const SENTENCES_MAX = 200;

const DECISION =
  /(?:^|\b)(?:decision:|decided (?:to|on|that|against)|we(?:['’]ll| will) (?:go with|use|keep)|I(?:['’]ll| will) (?:go with|use|keep)|going with|chose|chosen|opt(?:ed|ing) for|the reason (?:is|was)|root cause)/i;

/** Sentences of a text, each on one line, without code blocks and quoted lines. */
export function sentencesOf(text: string): string[] {
  const prose = text
    .slice(0, 50_000)
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .replace(/^[ \t]*>.*$/gm, '');
  const found: string[] = [];
  for (const line of prose.split('\n')) {
    for (const part of line.split(/(?<=[.!?])\s+(?=[A-Z"'`(])|(?<=[。！？])/)) {
      const sentence = part.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim();
      if (sentence.length >= 6 && sentence.length <= SENTENCE_CHARS_MAX) found.push(sentence);
      if (found.length >= SENTENCES_MAX) return found;
    }
  }
  return found;
}

export const decisionsIn = (text: string): string[] =>
  sentencesOf(text).filter((s) => DECISION.test(s));
