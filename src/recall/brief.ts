import { compileOnce } from '../platform/machine-code.ts';
import { isErrand } from '../projections/clauses.ts';
import {
  DECIDES,
  DEFINES,
  INTENDS,
  LASTS,
  MEASURE,
  NEGATES,
  OBLIGES,
  PLACES,
  sharesTopic,
  specifics,
  TELLING,
} from '../projections/sentence-patterns.ts';
import type { Found, Kind } from './item.ts';
import type { Topics } from './topics.ts';

/** An introduction: `Looking at the output,`. Before a figure the colon names what is counted: `parsed rows: 4517`. */
const LEAD = /^([^,:;.!?`]{3,60})(?:,|:(?!\s+[^\p{L}\s]{0,3}\d))\s+(?=\S+ \S+ \S)/u;
/** An addition: `, we had that twice`. */
const TAIL = /(?:,|\s[–—-])\s+([^,:;`()]{6,90})$/;
const END = /\s*[.!]+$/;
/** Words that may be left out at the start. */
const OPENING =
  /^(?:(?:please|kindly|pls),? (?!note\b)|(?:please )?(?:note|keep in mind|bear in mind|be aware|mind) that |I(?:['’]d| would) (?:like|love) you to (?!not\b)|I (?:want|need|expect) you to (?!not\b)|you (?:should|must|have to|need to|ought to) (?!not\b|n['’]t\b|be\b|have\b)|it is (?:very )?(?:important|essential|crucial|vital) (?:that you|to) (?!do not\b|not\b))+(?=\S+ \S+ \S)/i;
/** Refers to what was said before. */
const SPEAKS_BACK = /\b(?:it|that|this|those|these|them)\b/i;
const GOES_ON =
  /^(?:and (?!that\b)|but|or|nor|so|then|which|who|because|since|as|not|no|never|only|even|except|unless|until|before|after|with(?:out)?|for|in|on|at|by|to|from|if|when|where|while|instead|rather|over|also)\b/i;
const WISHES = /\b(?:you|want|need|like|mean|prefer|keep|must|should|always|every\w*|only)\b/i;

const OFTEN = [LEAD, TAIL, OPENING, GOES_ON];

const SAID: ReadonlySet<Kind> = new Set(['rule', 'correction', 'prompt', 'decision', 'finding']);

/** Adds a short form to statements that have none. */
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

/** A mere remark on what must be done or left: `the auditors look at it`. */
function isComment(clause: string, before: string): boolean {
  if (!SPEAKS_BACK.test(clause) || GOES_ON.test(clause) || specifics(clause) > 0) return false;
  if (DECIDES.test(before) || !(OBLIGES.test(before) || NEGATES.test(before) || LASTS.test(before)))
    return false;
  if (/^and that (?:includes|goes for) you\b/i.test(clause)) return true;
  const isItself = /^(?:it|that|this|those|these|they)\b/i.test(clause);
  if (isItself && (PLACES.test(clause) || DEFINES.test(clause))) return false;
  return !WISHES.test(clause) && !MEASURE.test(clause);
}

/** Incomplete without the clause before it. */
const DEPENDS =
  /^(?:because|since|as|so|due|given|to|and|but|or|nor|which|who|where|not|instead|rather|otherwise)\b/i;

/** Without an introduction that names nothing. */
export function withoutLead(text: string, topics: Topics): string {
  const [whole, lead] = LEAD.exec(text) ?? [];
  if (whole === undefined || !isBeside(lead!, topics)) return text;
  const rest = text.slice(whole.length);
  return DEPENDS.test(rest) ? text : rest;
}

/** Without anything said in passing, for little room. */
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
/** Sentences and clauses, with their separators. */
const PARTS = /((?<=[.!?])\s+|,\s+)/;

/** Without requests around the part that names its topic. */
function withoutErrands(text: string): string {
  if (text.includes('`') || text.includes('→') || specifics(text) === 0) return text;
  const parts = text.split(PARTS);
  const told = (from: number, to: number) => parts.slice(from, to).join('');
  let [from, to] = [0, parts.length];
  while (to - from > 2 && isOtherErrand(parts[from]!, told(from + 2, to))) from += 2;
  while (to - from > 2 && isOtherErrand(parts[to - 1]!, told(from, to - 2))) to -= 2;
  return told(from, to);
}

/** Whether a part requests something else than the rest. */
function isOtherErrand(part: string, rest: string): boolean {
  const asked = part.replace(ANNOUNCED, '');
  if (GOES_ON.test(asked) || GOES_ON.test(rest) || specifics(part) > 0) return false;
  const isRequested = asked.endsWith('?') || isErrand(asked);
  return isRequested && specifics(rest) > 0 && !sharesTopic(part, rest);
}

const AGAIN = 3;
/** Before a colon commas are allowed. */
const FIRST = /^(?:([^:.!?`→]{3,120}):|([^,:;.!?`→]{3,90})[,.!?]+)\s+(?=\S+\s+\S+\s+\S)/;
const LAST = /(?:[,;.!?]|\s[–—-])\s+([^,:;.!?`→()]{3,90})[.!?]*$/;

const clauseOf = (found: RegExpExecArray | null): string | undefined =>
  (found?.[1] ?? found?.[2])?.toLowerCase();
const first = (text: string) => clauseOf(FIRST.exec(text));
const last = (text: string) => clauseOf(LAST.exec(text));

/** Announces only what the speaker wants to say. */
const OF_ONESELF = /^(?!.*\b(?:you|we|us|not|no|never|nobody|only|always)\b|.*n['’]t\b).*\bI\b/i;
const isAside = (clause: string): boolean =>
  INTENDS.test(clause) ||
  OF_ONESELF.test(clause) ||
  !(OBLIGES.test(clause) || LASTS.test(clause) || NEGATES.test(clause));

/** Clauses that people put around statements again and again: `Back from lunch:`, `, we had that twice`. */
export class Fillers {
  readonly #counts = new Map<string, number>();

  constructor(texts: readonly string[]) {
    for (const text of texts) {
      if (text.includes('→')) continue;
      for (const clause of new Set([first(text), last(text)]))
        if (clause !== undefined) this.#counts.set(clause, (this.#counts.get(clause) ?? 0) + 1);
    }
  }

  /** Without fillers at the start and end. */
  without(text: string): string {
    if (text.includes('→')) return text;
    const bare = this.#isFiller(first(text)) ? text.replace(FIRST, '') : text;
    return this.#isFiller(last(bare)) ? bare.replace(LAST, '') : bare;
  }

  #isFiller(clause: string | undefined): boolean {
    return clause !== undefined && (this.#counts.get(clause) ?? 0) >= AGAIN && isAside(clause);
  }
}
