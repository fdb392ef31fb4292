import type { Fact } from '../contract.ts';

export interface Statement {
  text: string;
  /** Of the fact that stated it last. */
  seq: number;
  at: number;
  /** Byte offset in the transcript where it was first stated, where known, to compare with a rewind's. */
  pos: number | null;
}

/** A repeated statement moves to the end. */
export function state(list: Statement[], texts: readonly string[], fact: Fact): void {
  const { seq, at, trace } = fact;
  for (const text of texts) {
    const index = list.findIndex((one) => one.text === text);
    const [before] = index === -1 ? [] : list.splice(index, 1);
    list.push({ text, seq, at, pos: before === undefined ? (trace?.pos ?? null) : before.pos });
  }
}

/** Without statements from an abandoned branch. @param rewoundTo last byte offset on the live branch */
export const forget = <T extends Statement>(list: readonly T[], rewoundTo: number): T[] =>
  list.filter(({ pos }) => pos === null || pos <= rewoundTo);

const SENTENCE_CHARS_MAX = 400;
const SENTENCES_MAX = 200;

const DECISION =
  /(?:^|\b)(?:decision:|decided (?:to|on|that|against)|we(?:['’]ll| will) (?:go with|use|keep)|I(?:['’]ll| will) (?:go with|use|keep)|going with|chose|chosen|opt(?:ed|ing) for|the reason (?:is|was)|root cause)/i;

/** A text's sentences, each on one line, without code blocks and quotes. */
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
