import { compileOnce } from '../platform/machine-code.ts';
import { isErrand } from '../projections/clauses.ts';
import {
  DECIDES,
  DEFINES,
  LASTS,
  MEASURE,
  NEGATES,
  OBLIGES,
  PLACES,
  sharesTopic,
  specifics,
  TELLING,
} from '../projections/sentence-patterns.ts';
import { Fillers } from './fillers.ts';
import type { Found, Kind } from './item.ts';
import type { Topics } from './topics.ts';

/** What leads up to a sentence: `Looking at the output,`. Before a figure a colon stands behind what it is of: `parsed rows: 4517`. */
const LEAD = /^([^,:;.!?`]{3,60})(?:,|:(?!\s+[^\p{L}\s]{0,3}\d))\s+(?=\S+ \S+ \S)/u;
/** What is added to one: `, we had that twice`. */
const TAIL = /(?:,|\s[–—-])\s+([^,:;`()]{6,90})$/;
/** At the end of a line a full stop says nothing. */
const END = /\s*[.!]+$/;
/** Words before a sentence that is the same without them. */
const OPENING =
  /^(?:(?:please|kindly|pls),? (?!note\b)|(?:please )?(?:note|keep in mind|bear in mind|be aware|mind) that |I(?:['’]d| would) (?:like|love) you to (?!not\b)|I (?:want|need|expect) you to (?!not\b)|you (?:should|must|have to|need to|ought to) (?!not\b|n['’]t\b|be\b|have\b)|it is (?:very )?(?:important|essential|crucial|vital) (?:that you|to) (?!do not\b|not\b))+(?=\S+ \S+ \S)/i;
/** It speaks of what is said before it. */
const SPEAKS_BACK = /\b(?:it|that|this|those|these|them)\b/i;
const GOES_ON =
  /^(?:and (?!that\b)|but|or|nor|so|then|which|who|because|since|as|not|no|never|only|even|except|unless|until|before|after|with(?:out)?|for|in|on|at|by|to|from|if|when|where|while|instead|rather|over|also)\b/i;
const WISHES = /\b(?:you|want|need|like|mean|prefer|keep|must|should|always|every\w*|only)\b/i;

const OFTEN = [LEAD, TAIL, OPENING, GOES_ON];

const SAID: ReadonlySet<Kind> = new Set(['rule', 'correction', 'prompt', 'decision', 'finding']);

/** What is said, with how it is told where there is little room, as far as it is not told in its own way. */
export function withBriefs(found: readonly Found[], topics: Topics): Found[] {
  compileOnce(OFTEN);
  const isSaid = ({ kind, brief }: Found) => brief === undefined && SAID.has(kind);
  const fillers = new Fillers(found.filter(isSaid).map(({ text }) => text));
  return found.map((item) =>
    isSaid(item) ? { ...item, brief: briefly(fillers.without(item.text), topics) } : item,
  );
}

const isBeside = (clause: string, topics: Topics): boolean =>
  !topics.isAbout(clause) && !TELLING.some((sign) => sign.test(clause));

/** Behind what is to be done or left: what somebody has to say about that, `the auditors look at it`. */
function isComment(clause: string, before: string): boolean {
  if (!SPEAKS_BACK.test(clause) || GOES_ON.test(clause) || specifics(clause) > 0) return false;
  if (DECIDES.test(before) || !(OBLIGES.test(before) || NEGATES.test(before) || LASTS.test(before)))
    return false;
  if (/^and that (?:includes|goes for) you\b/i.test(clause)) return true;
  const isItself = /^(?:it|that|this|those|these|they)\b/i.test(clause);
  if (isItself && (PLACES.test(clause) || DEFINES.test(clause))) return false;
  return !WISHES.test(clause) && !MEASURE.test(clause);
}

/** What is nothing without the clause before it: its reason, or how it goes on. */
const DEPENDS =
  /^(?:because|since|as|so|due|given|to|and|but|or|nor|which|who|where|not|instead|rather|otherwise)\b/i;

/** A sentence without a clause before it that names nothing and says nothing by itself. */
export function withoutLead(text: string, topics: Topics): string {
  const [whole, lead] = LEAD.exec(text) ?? [];
  if (whole === undefined || !isBeside(lead!, topics)) return text;
  const rest = text.slice(whole.length);
  return DEPENDS.test(rest) ? text : rest;
}

/** For where there is little room: also without what is only said beside it. */
export function briefly(text: string, topics: Topics): string {
  let told = withoutErrands(text.replace(END, ''));
  for (let rest = withoutTail(told, topics); rest !== told; rest = withoutTail(told, topics))
    told = rest;
  return told.replace(OPENING, '');
}

function withoutTail(text: string, topics: Topics): string {
  const [whole, tail] = TAIL.exec(text) ?? [];
  if (whole === undefined) return text;
  const before = text.slice(0, text.length - whole.length);
  return isBeside(tail!, topics) || isComment(tail!, before) ? before : text;
}

/** `From the call: please split the handler.` */
const ANNOUNCED = /^[^:]{3,120}:\s+/;
/** Sentences and clauses, and what is between them. */
const PARTS = /((?<=[.!?])\s+|,\s+)/;

/** Without requests for something else before and behind what names what it is about. */
function withoutErrands(text: string): string {
  if (text.includes('`') || text.includes('→') || specifics(text) === 0) return text;
  const parts = text.split(PARTS);
  const told = (from: number, to: number) => parts.slice(from, to).join('');
  let [from, to] = [0, parts.length];
  while (to - from > 2 && isOtherErrand(parts[from]!, told(from + 2, to))) from += 2;
  while (to - from > 2 && isOtherErrand(parts[to - 1]!, told(from, to - 2))) to -= 2;
  return told(from, to);
}

/** Whether a part asks for something that the rest is not about. */
function isOtherErrand(part: string, rest: string): boolean {
  const asked = part.replace(ANNOUNCED, '');
  if (GOES_ON.test(asked) || GOES_ON.test(rest) || specifics(part) > 0) return false;
  const isRequested = asked.endsWith('?') || isErrand(asked);
  return isRequested && specifics(rest) > 0 && !sharesTopic(part, rest);
}
