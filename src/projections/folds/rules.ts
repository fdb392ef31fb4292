import { isForeignRule } from './foreign-rules.ts';
import { COMMANDS, LEADS, SIGNS, TOLD_WORDS, VERBS } from './rule-words.ts';

/**
 * Heuristics for rules that a user states:
 *
 * 1. A question is no rule, unless only its end asks (`…, ok?`) or it is a polite command (`could you always …?`).
 * 2. Quotes, code and log lines are other people's words.
 * 3. A rule is a clause that *starts* by commanding or forbidding in general (`never use …`, `use X, not Y`, `no mocks`), after
 *    polite words and conditions. With a subject first it reports: `it never worked`.
 * 4. With a subject it is a rule when it obliges (`dates must be in UTC`), states a habit (`we use tabs`) or a preference (`I
 *    prefer …`). `must be the cache` and `must have expired` are guesses.
 * 5. A single imperative is a task.
 *
 * Patterns are anchored or searched once in a short sentence, so time is linear. Compiling one takes a new process longer than
 * using it, so a pattern is compiled only when a clause has one of its words.
 */

const QUESTION =
  /^(?:why|what|how|where|who|which|whose|is|are|was|were|does|did|do (?!not\b)|can|could|would|should|shall|will|have you|has|had|am)\b/;
const TAG = /,?\s*(?:ok(?:ay)?|please|alright|all right|got it|understood|deal)\s*\?+$/;
const POLITE =
  /^(?:please\s+)?(?:can|could|would|will) you (?:please )?(?=(?:always|never|only|stop|avoid|keep)\b)/;

const LOG =
  /^(?:\[|\$\s|\+\s|\d{2,4}[-:/.]\d|at \S+ \(|npm (?:err|warn)|(?:err|warn|fatal|info|debug|trace|panic|caused by|traceback|hint|\w*(?:error|exception|warning))\b[^\w\s]*:)/;
const CODE =
  /[;{}]$|^(?:\/\/|\/\*|<!--|#|"""|(?:const|let|var|function|return|def|class|import|export|if \() ?\S*.*[;={(])/;
/** A quote follows the colon. */
const SAID =
  /\b(?:says?|said|complain\w*|reports?|prints?|printed|shows?|told|tells|claims?|warns?|fails? with|message|error|log|output)\b[^:]*:/;
const FORMER =
  /\b(?:that|this|it|which) (?:was|were|used to be) (?:the |our |my )?(?:old|former|previous|past)\b/;
const HEDGED = /\b(?:maybe|perhaps|probably|possibly|i (?:guess|suspect|assume|wonder|bet))\b/;

/** @param sentence of a user's prompt, some hundred characters at most */
export function isRule(sentence: string): boolean {
  const line = sentence.trim().replaceAll('’', "'").toLowerCase();
  let own = line.replace(/`[^`]*`|"[^"]*"|“[^”]*”/g, 'x');
  if (own.endsWith('?')) {
    own = own.replace(TAG, '');
    const asked = own.replace(POLITE, '');
    if (asked === own && own.endsWith('?')) return false;
    own = asked;
  }
  // The other patterns are compiled only for the few sentences that have such a clause.
  if (!clausesOf(own.replace(/[?!.:\s]+$/, '')).some(isRuleClause))
    return isForeignRule(own) && !LOG.test(line) && !CODE.test(line);
  if (
    LOG.test(line) ||
    CODE.test(line) ||
    FORMER.test(own) ||
    QUESTION.test(own) ||
    HEDGED.test(own)
  )
    return false;
  return !(own.includes(':') && SAID.test(own));
}

const firstWord = (clause: string): string => /^[\w']*/.exec(clause)![0];

/** The clauses that may be rules: those that stand alone, and those joined to a command. */
function clausesOf(text: string): string[] {
  const alone = text.split(
    /[;.!]\s+|\s[–—-]+\s|,?\s+so\s+(?=please|don't|do not|never|always)|,\s+(?=please\b)/,
  );
  return alone.flatMap((part) => {
    const clause = withoutLeads(part.trim());
    const joined = clause.split(/,\s+(?:and|but|or)?\s*|\s+(?:and|but)\s+/);
    if (joined.length === 1) return [clause];
    if (!VERBS.has(firstWord(clause)) && !isRuleClause(clause)) return [clause];
    return [clause, ...joined.slice(1).map(withoutLeads)];
  });
}

const LEADS_MAX = 6;

/** Without polite words and conditions, unless these make it a rule. */
function withoutLeads(clause: string): string {
  let rest = clause;
  for (let n = 0; n < LEADS_MAX; n += 1) {
    const leads = LEADS.get(firstWord(rest));
    if (leads === undefined || isCommand(rest)) break;
    const before = rest;
    for (const lead of leads) rest = rest.replace(lead, '');
    if (rest === before) break;
    // `for every change, add a test` holds every time.
    if (/^\w+ (?:every|each|any)\b/.test(before) && VERBS.has(firstWord(rest))) return before;
  }
  return rest;
}

const GENERAL =
  /^(?:in (?:this|our) \w+ )?(?:(?:we )?(?:always|never)|we only)(?:,? ever,?)?\s+(.+)/;
const OFTEN =
  /^(?:only|(?:after|before|for|with) (?:every|each|any)\b[^,]{1,80},) (?:please )?(\w+)/;

function isRuleClause(clause: string): boolean {
  const [, said] = GENERAL.exec(clause) ?? [];
  if (said !== undefined) return !tells(firstWord(said), said);
  const [, often] = OFTEN.exec(clause) ?? [];
  if (often !== undefined && VERBS.has(often)) return true;
  if (isCommand(clause)) return true;
  if (SIGNS.some(([sign, pattern]) => clause.includes(sign) && pattern.test(clause))) return true;
  return clause.includes('must') && isObligation(clause);
}

const isCommand = (clause: string): boolean =>
  COMMANDS.get(firstWord(clause))?.some((pattern) => pattern.test(clause)) === true;

const BASE_FORMS = /^(?:need|feed|embed|seed|speed|exceed|proceed|shed|bring|ping|string)$/;

/** Whether the words after `always` or `never` report instead of command. */
function tells(word: string, said: string): boolean {
  if (TOLD_WORDS.has(word) || /^\d/.test(said)) return true;
  return /(?:ed|ing|[^su]s)$/.test(word) && word.length > 3 && !BASE_FORMS.test(word);
}

const MUST =
  /^(.{0,100}?)\s?\bmust(n't| not| never| always| only| also)? (\w+)(?:(?: (\w+))?(?: (\w+))?)/;
/** What `it must …` means as a demand rather than a guess. */
const REQUIRED =
  /^(?:work|support|run|pass|stay|remain|fit|compile|build|keep|accept|handle|start|finish|return)$/;
const GUESSED =
  /^(?:an?|the|some\w*|because|due|related|caused|coming|stale|broken|wrong|missing|cached|outdated|old|corrupt\w*|confused|able|\w+ing)$/;
const ONCE = /\b(?:now|today|tomorrow|first|asap)$/;
const PARTICIPLE = /^(?:been|gone|got|gotten|lost|broken|forgotten|left|come|changed|\w+ed)$/;

/** `dates must be in UTC`, but not `it must be the cache` or `the token must have expired`. */
function isObligation(clause: string): boolean {
  const found = MUST.exec(clause);
  if (found === null) return false;
  const [, subject = '', , verb = '', next = '', after = ''] = found;
  if (/^i\b|. (?:that|which|who|where)\b/.test(subject)) return false;
  if (verb === 'have' && (PARTICIPLE.test(next) || PARTICIPLE.test(after))) return false;
  if (/^(?:|you|it|that|this|he|she|they|there|some\w+)$/.test(subject)) return REQUIRED.test(verb);
  if (/^(?:come|lie|mean|stem)$/.test(verb) || ONCE.test(clause)) return false;
  return !(verb === 'be' && GUESSED.test(next));
}
