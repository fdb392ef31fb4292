import { compileOnce } from '../platform/machine-code.ts';
import { joinedWhere } from './bounds.ts';
import { VERBS } from './folds/rule-words.ts';
import { sentencesOf } from './folds/statements.ts';
import { AGREES, contrasts, LOGGED, REFERS_BACK, specifics, TELLING } from './sentence-patterns.ts';

/** Words before the point. */
const INTERJECTIONS =
  /^(?:(?:hm+|h?um+|oh|ah|ok(?:ay)?|al?right|right|well|so|hey|hi|hello|listen|look|thanks(?: a lot)?|thank you|thx|cheers|great|perfect|good(?: (?:morning|evening|afternoon|catch))?|nice|sure|done|sorry|stop|anyway|btw|by the way|also|fyi|ps|(?:\w+ )?update)(?:\s*[,.!:;–—]+\s*|\s+[-–—]\s+))+/i;
/** A clause that only introduces what follows its colon. */
const LEAD_IN =
  /^(?:before|one|two|just|quick|small|last|also|while|since)\b[^:`]{8,110}:\s+(?=(?:no|not|never|always|please|you|it is|don['’]?t|do not|nobody|from now|make sure)\b)/i;
const CLOSINGS = /(?:\s*[,;–—-]\s*(?:thx|thanks|thank you|pls|please|cheers|ok(?:ay)?|ty))+[.!]*$/i;

/** Without polite or passing words; the sentence itself where nothing else would be left. */
export function bare(sentence: string): string {
  const rest = sentence.replace(INTERJECTIONS, '').replace(LEAD_IN, '').replace(CLOSINGS, '');
  return rest.length < 6 ? sentence : rest;
}

/** Starts a condition: the clause after its comma belongs to it. */
const CONDITION =
  /^(?:if|when|whenever|while|once|unless|until|before|after|for|in|on|with|without|as|since|because|given|where|wherever|every|each|during|inside|to)\b/i;
const QUESTION =
  /^(?:(?:can|could|would|will) you|why (?:is|are|was|do|does|did|can)|what (?:is|are|do|does)|how (?:do|does|can|is)|where (?:is|are|do|does)|who|is (?:the|there)|are (?:the|there)|does|do (?:you|we))\b/i;
const FOR_ALL =
  /^(?:please )?(?:nobody|no one|never|always|don['’]?t|do not|you (?:must|may|can) ?(?:not|never|only)|from now on|from here on|make sure|whatever (?:happens|you do))\b/i;
/** A one-time task names its own object: `split the handler`, `add paging to the list`. */
const TASK =
  /^(?:(?:please|now|then|and|also|next|just|pls) )*(\w+)(?: [^\s,]+){0,3}? (?:the|an?|this|that|those|these|my|our|your|it)\b/i;
/** Verbs that only tasks have. */
const TASK_VERBS =
  /^(?:clean|split|look|rerun|investigate|improve|introduce|rework|simplify|have|let|try|adjust|tidy|reduce|increase|hide|render|enable|disable|port|debug|trace|compare|redo|finish|continue|polish|sketch|draft|summari[sz]e|show|bring|cut)$/i;
/** Verbs that as often state a rule. */
const RULE_VERBS = /^(?:use|keep|store|put|follow|stop|do|log|name|prefix|commit|ask|set|wrap)$/i;
const WISH =
  /^(?:i(?:['’]d| would) (?:like|love)|it would be (?:great|nice|good|lovely|cool)|i (?:want|need)) (?!you|us|we|no|every|all|any|to (?:see )?no)/i;

const isTask = (part: string): boolean => {
  const [, verb = ''] = TASK.exec(part) ?? [];
  const isVerb = VERBS.has(verb.toLowerCase()) && !RULE_VERBS.test(verb);
  return isVerb || TASK_VERBS.test(verb) || WISH.test(part);
};
export const isRequest = (part: string): boolean =>
  QUESTION.test(part) || isTask(part) || /^next\b/i.test(part);

/** A full stop ends a sentence even before a small letter; not in `etc.` and `e.g.` */
const SMALL_START =
  /(?<=[\p{L}\d`)_]{2}[.!?])(?<!\b(?:etc|approx|incl|resp|vs|cf|no)\.)\s+(?=[a-z_])/u;

const OFTEN = [INTERJECTIONS, LEAD_IN, CLOSINGS, SMALL_START, QUESTION, TASK, TASK_VERBS];

/** Sentences, also of texts without capitals. Compiles the patterns that callers ask next. */
export function looseSentencesOf(text: string): string[] {
  compileOnce(TELLING);
  compileOnce(OFTEN);
  return sentencesOf(text).flatMap((one) => one.split(SMALL_START));
}

export const isErrand = (group: string): boolean =>
  isRequest(group) ||
  /\b(?:have a look|take a look|is (?:slow|broken|red|down|failing))\b/i.test(group);
/** A word that breaks off. */
const SETS_OFF = /^(?:(?:stop|no|wait|anyway|right)$|one (?:more )?thing:)/i;
/** A subject with a figure is its own statement. */
const STATES = /^(?:the|our|we)\b.*\d/i;

/**
 * The sentences of a user's text. People who write without full stops join requests by commas: these are split, so that a rule does
 * not bring the errand beside it along.
 */
export const userSentencesOf = (text: string): string[] =>
  joined(looseSentencesOf(withoutPasted(text)).flatMap((sentence) => clausesOf(bare(sentence))));

/** This many lines in a row can be a log or a tool's list. */
const PASTED_LINES_MIN = 3;
const shapeOf = (line: string): string => line.replace(/\S*[^\sA-Za-z,.!?'’]\S*/g, '#').trim();

/** Without blocks copied from a terminal: half of their lines are log lines, or alike but for names. */
function withoutPasted(text: string): string {
  if (text.split('\n', PASTED_LINES_MIN).length < PASTED_LINES_MIN) return text;
  const isPasted = (block: string): boolean => {
    const lines = block.split('\n').filter((line) => line.trim() !== '');
    if (
      lines.length < PASTED_LINES_MIN ||
      lines.some((line) => /^\s*(?:[-*•]|\d+[.)])\s/.test(line))
    )
      return false;
    const shapes = lines.map(shapeOf);
    const alike = lines.filter(
      (line, n) =>
        LOGGED.test(line) || shapes.indexOf(shapes[n]!) !== shapes.lastIndexOf(shapes[n]!),
    );
    return alike.length * 2 >= lines.length;
  };
  return text
    .split(/\n\s*\n/)
    .filter((block) => !isPasted(block))
    .join('\n\n');
}

const JOINED_CHARS = 200;

/** Joins a sentence to the one that it depends on: `You used X. It has to be Y.`, `Not X! Y is the one.` */
const joined = (sentences: readonly string[]): string[] =>
  joinedWhere(sentences, (before, sentence) =>
    isAbout(before, sentence) ? `${before} ${sentence}` : undefined,
  );

function isAbout(before: string, sentence: string): boolean {
  if (before.length + sentence.length > JOINED_CHARS || isRequest(before) || isRequest(sentence))
    return false;
  if (AGREES.test(before) || LOGGED.test(before) || LOGGED.test(sentence)) return false;
  if (contrasts(before) || contrasts(sentence)) return false;
  return (
    contrasts(`${before} ${sentence}`) || (REFERS_BACK.test(sentence) && specifics(before) > 0)
  );
}

const GOES_ON =
  /^(?:and|but|or|so|then|which|who|that|because|since|as|not|with(?:out)?|for|in|on|at|by|to|if|when|where|while|until|unless|instead|rather|except|too|also|please|it|they|this)\b/i;
/** A task that says how may go on with why. */
const CHOOSES = /\b(?:instead|rather|not|over|with an?)\b/i;
const CLAUSE_WORDS_MIN = 4;

const clausesOf = (sentence: string): string[] =>
  joinedWhere(sentence.split(/,\s+(?=(?:[^`]*`[^`]*`)*[^`]*$)/), (group, part) =>
    startsAnew(part, group) ? undefined : `${group}, ${part}`,
  ).filter((one) => one.length >= 6);

function startsAnew(part: string, group: string): boolean {
  if (CONDITION.test(group)) return false;
  if (isRequest(part)) return true;
  if (!isErrand(group) || CHOOSES.test(group)) return false;
  if (FOR_ALL.test(part) || SETS_OFF.test(part) || STATES.test(part)) return true;
  return !GOES_ON.test(part) && part.split(/\s+/, CLAUSE_WORDS_MIN).length === CLAUSE_WORDS_MIN;
}
