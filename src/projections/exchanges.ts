import { bare, isRequest, looseSentencesOf } from './clauses.ts';
import type { Noteworthy } from './noteworthy.ts';
import { ASKS, EXPLAINS, specifics } from './sentence-patterns.ts';

export interface Asked {
  by: 'user' | 'agent';
  /** On one line, with the sentences that it refers to. */
  text: string;
}

/** An agent's question stands at the end of its text. */
const TAIL_CHARS = 600;
const QUESTION_CHARS = 200;
const ANSWER_CHARS = 160;
/** Shorter questions need the sentence before them: `Which one?`, `Shall I?` */
const WORDS_MIN = 7;
/** Offers without a question mark. */
const PROPOSES =
  /\b(?:I(?:['’]d| would)? (?:\w+ )?(?:lean|suggest|propose|recommend|prefer|vote|favou?r)|(?:my|the) (?:suggestion|proposal|recommendation))\b/i;
/** Whether to go on at all is not a choice. */
const GOES_ON =
  /^(?:shall|should|may|can|do you want me to)\b.*\b(?:continue|proceed|go on|start|commit|push)\b/i;
const ENTRY = /^(?:[-*•]|\(?[a-z\d][.):])\s/i;
const ALTERNATIVES = /\bor\b|\bversus\b|\bvs\b|(?:^|\s)(?:1\.|a\)|\(a\))\s/i;
const ANSWERS =
  /^(?:yes|yep|yeah|yup|no|nope|sure|ok(?:ay)?|agreed|exactly|correct|right|fine|please do|go (?:ahead|with|for)|do (?:it|that)|(?:the|your) (?:first|second|third|last|former|latter|other|one)|(?:option|variant|number)? ?[a-e1-9](?:[,.:;)]| (?:because|since|as|please)\b|$)|both|neither|either|none|let['’]s|I(?:['’]d| would)? (?:prefer|say|take|go))/i;

const oneLine = (text: string): string =>
  text
    .replace(/\*\*|__/g, '')
    .replace(/\s+/g, ' ')
    .trim();
const wordCount = (text: string): number => text.split(' ').length;

/** The question or offer that the agent's text ends on. */
export function askedBy(text: string): Asked | undefined {
  const tail = text.slice(-TAIL_CHARS);
  if (!tail.includes('?') && !PROPOSES.test(tail)) return undefined;
  const parts = tail
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split(/\n+|(?<=[^\s\d][.!?])\s+(?=[A-Z"'`(])/)
    .map(oneLine)
    .filter((part) => part !== '');
  const last = parts.pop() ?? '';
  if (!(ASKS.test(last) ? !GOES_ON.test(last) : PROPOSES.test(last))) return undefined;
  let asked = last;
  for (let next = parts.pop(); next !== undefined; next = parts.pop()) {
    const isWhole = wordCount(asked) >= WORDS_MIN && !ENTRY.test(asked);
    if ((isWhole && !next.endsWith(':')) || asked.length + next.length > QUESTION_CHARS) break;
    asked = `${next} ${asked}`;
  }
  return asked.length > QUESTION_CHARS ? undefined : { by: 'agent', text: asked };
}

/** The choice that a user leaves to the agent; other questions are settled by their answer. */
export function choiceIn(prompt: string): Asked | undefined {
  if (!prompt.includes('?') || !ALTERNATIVES.test(prompt)) return undefined;
  const asked = looseSentencesOf(prompt).findLast((one) => ASKS.test(one));
  if (asked === undefined || asked.length > QUESTION_CHARS || !ALTERNATIVES.test(asked))
    return undefined;
  return { by: 'user', text: oneLine(bare(asked)) };
}

/** A question with its answer; undefined where the text is about something else. */
export function answered(asked: Asked, text: string): Noteworthy | undefined {
  const answer = answerIn(asked, text);
  if (answer === undefined) return undefined;
  let weight = 30;
  if (ALTERNATIVES.test(asked.text)) weight += 20;
  if (EXPLAINS.test(answer) || wordCount(answer) > WORDS_MIN) weight += 20;
  if (specifics(answer) > 0) weight += 25;
  const kind = asked.by === 'user' ? 'decision' : 'said';
  return { kind, text: `${asked.text} → ${answer}`, weight };
}

function answerIn({ by, text: question }: Asked, text: string): string | undefined {
  const said = looseSentencesOf(`${text.slice(0, TAIL_CHARS)}\n`).map(oneLine);
  const short = oneLine(text.slice(0, text.search(/[.!?\n]|$/)));
  // A short answer may be no sentence: `gzip.`
  const first = said[0]?.startsWith(short) ? said[0] : short;
  const isAnswer =
    by === 'user' ||
    ANSWERS.test(first) ||
    ANSWERS.test(bare(first)) ||
    sharesWord(question, first);
  if (!isAnswer || (isRequest(first) && !ANSWERS.test(first)) || ASKS.test(first)) return undefined;
  let answer = first;
  for (const next of said.slice(said[0] === first ? 1 : 0)) {
    if (by === 'user' || isRequest(next) || ASKS.test(next)) break;
    if (answer.length + next.length > ANSWER_CHARS) break;
    answer = `${answer}${/[.!?]$/.test(answer) ? '' : '.'} ${next}`;
  }
  return answer.length > ANSWER_CHARS + QUESTION_CHARS || answer === '' ? undefined : answer;
}

function sharesWord(question: string, answer: string): boolean {
  const words = answer.toLowerCase().match(/[\p{L}\d]{4,}/gu) ?? [];
  const own = new Set(question.toLowerCase().match(/[\p{L}\d]{4,}/gu) ?? []);
  return words.some((word) => own.has(word));
}
