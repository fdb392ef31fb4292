import {
  DECIDES,
  EXPLAINS,
  LASTS,
  MEASURE,
  NEGATES,
  OBLIGES,
} from '../projections/sentence-signs.ts';
import type { Topics } from './topics.ts';

/** What leads up to a sentence: `Looking at the output,`. */
const LEAD = /^([^,:;.!?`]{3,60})[,:]\s+(?=\S+ \S+ \S)/;
/** What is added to one: `, it broke the last release`. */
const TAIL = /(?:,|\s[–—-])\s+([^,:;`()]{6,90})$/;
const SIGNS = [OBLIGES, LASTS, NEGATES, EXPLAINS, DECIDES, MEASURE];
/** At the end of a line a full stop says nothing. */
const END = /\s*[.!]+$/;

const isBeside = (clause: string, topics: Topics): boolean =>
  !topics.isAbout(clause) && !SIGNS.some((sign) => sign.test(clause));

/** A sentence without a clause before it that names nothing and says nothing by itself. */
export function withoutLead(text: string, topics: Topics): string {
  const [whole, lead] = LEAD.exec(text) ?? [];
  return whole !== undefined && isBeside(lead!, topics) ? text.slice(whole.length) : text;
}

/** For where there is little room: also without such a clause behind it. */
export function briefly(text: string, topics: Topics): string {
  const ended = text.replace(END, '');
  const [whole, tail] = TAIL.exec(ended) ?? [];
  return whole !== undefined && isBeside(tail!, topics)
    ? ended.slice(0, ended.length - whole.length)
    : ended;
}
