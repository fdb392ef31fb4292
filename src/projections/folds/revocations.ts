import type { Statement } from './statements.ts';

/**
 * Heuristics for a user who takes back rules: those that have the words named. A revocation is kept as a rule of its own and applied
 * on reading, so a rewind or saying the rule again undoes it.
 */
const RULE =
  '(?:rules?|polic(?:y|ies)|conventions?|restrictions?|requirements?|bans?|instructions?|what i (?:just |once )?(?:said|told|wrote|asked))';
const TAKES_BACK = new RegExp(
  `^(?:(?:please|pls|ok(?:ay)?|oh|and|also|actually|btw|by the way|you can|you may|let's|so|now)\\W+)*(?:forget|ignore|drop|scrap|disregard|lift|revoke|cancel|discard|strike|undo)\\b.*\\b${RULE}\\b`,
);
const IS_OVER = new RegExp(
  `\\b${RULE}\\b.*\\b(?:no longer (?:appl\\w+|holds?|counts?|needed|valid)|(?:does ?n[o'’]t|do not|don't) (?:apply|hold|count) (?:any ?more|any longer|now)|(?:is|are) (?:gone|lifted|dropped|void|obsolete|off|over|history|no longer)\\b)`,
);
const AGAIN =
  /\byou (?:can|may) (?!not\b)\w+ .*\bagain$|\b(?:no need to|(?:don't|do not|no longer) (?:need|have) to) .*\b(?:any ?more|any longer|now)$|\byou no longer (?:need|have) to \w/;

/** Words of a revocation that name no rule. */
const EMPTY = new Set(
  'oh btw by way the a an my our your this that these those about on of for to with and or is are was it its please pls ok okay actually also so now you can may let lets i just once said told wrote asked what forget ignore drop scrap disregard lift revoke cancel discard strike undo rule rules policy policies convention conventions restriction restrictions requirement requirements ban bans instruction instructions no not longer any more anymore applies apply hold holds count counts needed valid gone lifted dropped void obsolete off over history again need have dont doesnt don doesn do does t old earlier from before'.split(
    ' ',
  ),
);

/** The clause that takes something back; others say why, or what holds instead. */
function revokingClause(sentence: string): string | undefined {
  const line = sentence.replaceAll('’', "'").toLowerCase();
  if (line.trimEnd().endsWith('?')) return undefined;
  return line
    .split(/[,;:]\s+|[.!]+(?:\s+|$)|\s[–—-]\s/)
    .find((one) => TAKES_BACK.test(one) || IS_OVER.test(one) || AGAIN.test(one));
}

const wordsIn = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\d][\p{L}\d_./-]*/gu) ?? []).map((word) =>
    word.replace(/[./-]+$/, ''),
  );
const stemOf = (word: string): string => word.replace(/(?<=\w{3})s$/, '');

const namedBy = (clause: string): string[] =>
  wordsIn(clause)
    .filter((word) => !EMPTY.has(word))
    .map(stemOf);

/** @param sentence of a user's prompt, some hundred characters at most */
export function isRevocation(sentence: string): boolean {
  const clause = revokingClause(sentence);
  return clause !== undefined && namedBy(clause).length > 0;
}

/** Whether a rule has all words that a revocation names, or most of many. */
export function revokes(revocation: string, rule: string): boolean {
  const clause = revokingClause(revocation);
  if (clause === undefined) return false;
  const named = new Set(namedBy(clause));
  const own = new Set(wordsIn(rule).map(stemOf));
  const shared = [...named].filter((word) => own.has(word)).length;
  return named.size > 0 && shared >= (named.size <= 2 ? named.size : Math.ceil(named.size * 0.6));
}

type Said = Pick<Statement, 'text' | 'at' | 'seq'>;

/** The rules not revoked since they were last said. @param all also of other sessions, in any order */
export function standing<T extends Said>(rules: readonly T[], all: readonly Said[] = rules): T[] {
  const revocations = all.filter(({ text }) => isRevocation(text));
  if (revocations.length === 0) return [...rules];
  return rules.filter(
    (rule) =>
      isRevocation(rule.text) ||
      !revocations.some(
        (one) =>
          (one.at > rule.at || (one.at === rule.at && one.seq > rule.seq)) &&
          revokes(one.text, rule.text),
      ),
  );
}
