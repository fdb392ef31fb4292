import { referencesIn } from './references.ts';

/** What words say about a sentence's use. Each pattern is a hint; `noteworthy.ts` weighs them. */
/** Duty and permission, also `is to stay`, `supposed to`, `see to it that you`. */
export const OBLIGES =
  /\b(?:must|shall|should(?:n['’]t)?|ought|cannot|can['’]t|may not|mustn['’]t|keep|make sure|ensure|remember|forbidden|allowed|permitted|prohibited|mandatory|obliged|required?|stick to|prefer|(?:want|need|expect|like|trust|ask|told|tell|beg|insist|have|care) (?:for )?(?:you|us|we|everyone|everybody|nobody|anyone)|(?:[wh]as|have|had|is|are|be|not|need\w*|supposed|expected|meant|agree\w*|agreement|habit|bound|careful|try|want\w*) (?:not )?to \w+|that (?:you|we|nobody|everyone|no one)|let['’]s)\b/i;
/** Holds more than once. */
export const LASTS =
  /\b(?:always|(?:n|wh(?:en|er)|how)?ever|every\w*|each|any(?:body|one|thing|where|time)?|all|from (?:now|here|today|this point) on|(?:going|moving) forward|in (?:the )?future|henceforth|by default|as a (?:rule|matter|principle)|in (?:general|principle)|generally|normally|in (?:this|our) \w+|at (?:all|no)|no (?:matter|circumstances?|situations?|exceptions?)|before|until|unless|habit|polic(?:y|ies)|conventions?|rules?|principle|agreements?|agreed|standard|strict\w*|permanently|from then on|stays?|remains?|next time|again)\b/i;
/** Excludes or contrasts. */
export const NEGATES =
  /\b(?:not|no|never|nor|nothing|nobody|none|without|instead|rather|avoid|stop|refrain|only|except|unless|neither|off[- ]limits|hands off|forget|drop(?:s|ped|ping)?|rul(?:e[ds]?|ing) out|replac\w+|over|against|than|versus|vs)\b|n['’]t\b/i;
/** The people who work here: such a sentence is seldom an errand. */
export const CONCERNS =
  /\b(?:we|you|our|us|they|their|nobody|no one|everybody|everyone|anyone|team)\b/i;
/** General commands. */
export const COMMANDS_ALL =
  /^(?:please )?(?:stop|don['’]?t|do not|avoid|refrain|no more|quit)\b|\b(?:must(?:n['’]t| not)?|never|always|nobody|no one|no exceptions|(?:has|have) to be|(?:is|are) (?:not )?to (?:be|go|stay)|(?:not|isn['’]t|aren['’]t) (?:allowed|acceptable|an option|ok(?:ay)?)|forbidden|prohibited|off[- ]limits|hands off|stay (?:away|out)|mandatory|required|(?:may|can) (?:not|only)|cannot|under no circumstances|at all times|every (?:time|single)|without exception|only ever|at no point|strictly)\b/i;
/** An order on how, not on what to do next. */
export const DIRECTS =
  /^(?:(?:please|then|and|so|just|for [^,]+,?) )*(?:use|keep|leave|store|go|take|do|build|make|stick|stay|treat|prefer|avoid|let)\b(?=.* (?:with|for|on|in|as|at|to|by|via)\b)/i;
export const STRESSES =
  /\b(?:remember|note|important|keep in mind|keep an eye|heads[- ]up|fyi|for (?:the record|reference)|by the way|btw|reminder|bear in mind|careful|mind that|beware|don['’]t forget|be aware|as agreed|agreed (?:with|on)|convention|policy|rule)\b/i;
export const DECIDES =
  /, not (?!\w+ed\b)\w|\b(?:better|best|right) (?:fit|choice|tool|option|way|match)\b|\b(?:fine|happy|okay) with\b|\b(?:would|will|could|can|do(?:es)?)(?: not|n['’]t) (?:have |be )?(?:work|do|fit|suit|scale|help|hold|enough)\w*\b|\b(?:decid\w+|decision|way to go|(?:no|to) need for|(?:my|our|the) (?:\w+ )?(?:choice|pick|preference|solution|approach|call)|chose|chosen|choos(?:e|ing)|opt(?:ed|ing) (?:for|to)|(?:going|go(?:es)?|went) (?:with|for)|settl(?:ed?|ing) (?:on|for)|landed on|agreed|picked|picking|pick|voted|rul(?:ed?|ing) out|prefer\w* (?:to|over)|final (?:call|choice|say|word)|choice (?:is|was|fell)|(?:end(?:ed)?|ending) up with|winner|in place of|makes? more sense|(?:we|I) (?:are|am) (?:using|taking|going)|let us (?:use|take|keep|go|stay)|consensus|in favou?r|reject(?:ed|ing)|commit(?:ted|ting) to|adopt(?:ed|ing)?|(?:we|I)(?:['’]ll| will) (?:use|take|keep|store|stay|stick|go|do|have)|(?:we|I) (?:use|take|keep|store|stick (?:to|with)|stay with)|will use|gets?\b.*\b(?:not|instead)|it is then|let['’]s (?:use|take|keep|go|do|stay|stick)|stick(?:ing)? with|switch(?:ed|ing)? (?:to|from)|mov(?:ed|ing) (?:away )?from|instead of|rather than|in favou?r of|will (?:not|never) do|won['’]t do|over (?:the )?alternative|trade-?off|verdict|conclusion|weigh(?:ed|ing)|wins|beats|outweighs?|tip(?:s|ped) the|better (?:than|to)|simpler than|safer than|cheaper than|stays?|must not|design choice|the plan is|no longer (?:needs?|uses?|wants?)|(?:is|are|will be|would be) (?:enough|sufficient|preferable|off the table)|(?:has|have) to do(?=[.,;:]|$)|do(?:es)? the job|suffices|(?:stay|stick|keep|remain|liv|go|start|mak)\w* (?:do )?with|n(?:o|['’])t (?:survive|cope|last|cut it)|turn(?:ed|ing) down|sign(?:ed|s)? off on|(?:discard|ditch|abandon|retain|select|replac|swap|migrat|standardi[sz]|favou?r)(?:e?s|ed?|p(?:ed|ing)|ing)?|chang(?:ed?|ing) (?:my|our|the) mind|after all|on purpose|deliberately|intentionally|(?:relies|rely|runs?|(?:is|are|be|been|was|now) (?:based|built|backed)) (?:on|by)|is what|it is for|moves? to|out for|(?:replaces?|supersedes?|ousts?)|(?:simpler|safer|cheaper|faster|easier|cleaner|preferable|superior) (?:than|for|to|here)|(?:is|are) going to (?:be|have|use|get)|(?:has|have|needs?) to be|leave\w* out|never mind|(?:the|our) (?:plan|vote|outcome)|definite(?:ly)?)\b/i;
export const EXPLAINS =
  /\b(?:because|since|so that|so as to|in order to|due to|to avoid|(?:that|this) (?:means|leaves)|which (?:means|leaves|keeps|avoids|lets|explains)|(?:the |one |main )?reasons?\b|why\b|otherwise|(?:given|seeing|considering|provided|now) (?:that|as)|given|hence|therefore|owing to|thanks to|on the grounds?|in (?:the )?light of|considering|knowing that|even though|although|despite|for (?:one|that|this|the simple) (?:reason|thing)|on account of|in view of|background|argument|deciding|decisive|mainly|(?:,|\bjust|\bhere|\bmuch|\w\)) as \w+|but\b.{6,100}, so)\b|^as (?!far|soon|long|well|if|for|of|per|before|always|you|usual|expected|(?:we|I) (?:said|agreed|discussed)|\w+ed\b)\S+|, as \w+|\bas (?:it|the|we|this)\b/i;
/** Concludes from the sentence before it. */
export const CONCLUDES =
  /^(?:so|hence|therefore|thus|consequently|accordingly|(?:that|this|which) (?:means|leaves|is why|settles|makes))\b/i;
/** An alternative, and why it was not taken. */
export const CONCEDES =
  /\b(?:would|could|might|looked|seemed)\b.{3,80}[,;.] (?:but|yet|however)\b/i;
/** A clause that may be a reason: behind a colon, semicolon or dash, or in brackets. */
export const APPENDS =
  /\w\S*(?:[:;]\s+|\s[–—-]\s+|\s\(|,\s+(?!(?:and|or|but|not|so|then|which|who|where|when|if|to|with|for|in|on)\b))(?=[^()]*\S+\s+\S+\s+\S+\s+\S+)/;
/** Done, or true from now on: `I kept`, `we have moved`, `now uses`. */
export const SETTLES =
  /\b(?:I|we)(?:['’]ve| have| had)? (?:\w+ly )?(?:\w+ed|went|chose|kept|took|left|built|made|put|set|gave|wrote|cut|held|got)\b|\b(?:is|are|was|were|will be|shall be|has been) (?:now |then )?(?:\w+ed|built|kept|made|put|set|written)\b|\bnow (?:\w+s\b|on\b)|\b\w+s now\b|\bfrom here on\b|^(?:\w+(?:ed|ing)|went|chose|kept|took|left|built) .*\b(?:for|in|with|to|on|over|from)\b/i;
export const FINDS =
  /\b(?:root cause|turn(?:s|ed) out|the (?:problem|issue|bug|culprit|cause|reason) (?:is|was)|caused by|found (?:that|out|the)|discovered|confirm(?:s|ed)|it (?:seems|appears)|measured|benchmark\w*|baseline|profil(?:ed|ing)|result(?:s|ed)?|shows? that|comes? from|fails? (?:because|when|with)|works? (?:because|only|when)|limit(?:s|ed)?|threshold|budget)\b/i;
export const PLACES =
  /\b(?:lives?|sits?|resides?|located|defined|declared|stored|kept|found|holds?|contains?|belongs?|is (?:in|at|under)|are (?:in|at|under)|see|look(?:s|ed|ing)? (?:at|in)|points? (?:at|to)|reads? from|writes? to|goes (?:in|into|to)|comes from|entry point|source of truth|settings|config\w*|starts?|ends?|leads?|cause|culprit|handled|happens|implemented|lies?|hides?|traced|tracked|boils|responsible|in charge|where|home|place|open|go to|check|find|comes down|turn(?:s|ed) out)\b/i;
export const MEASURES =
  /\b(?:measured|takes|took|needs|uses|used|costs?|averag\w+|peak(?:s|ed)?|p50|p9[059]|median|capped|caps|limit\w*|max(?:imum)?|min(?:imum)?|at most|at least|up to|no more than|exactly|baseline|budget|threshold|timeout|ttl|port|rate|ratio|total|throughput|latency|size|duration|memory|time|count|went from|dropped|grew|down to|up from|set to|bump\w*|raised|lowered|(?:is|are|was|were|now|came out|stands?) at|clock(?:s|ed) in|com(?:es|ing|e) (?:to|in|out)|adds? up|amounts? to|weighs?|runs? at|sits? at|landed at|observed|recorded|reported|reads|ceiling|below|under|above|over|i (?:get|got|see)|we (?:get|got|see|saw)|target|goal|promised?|customer|sla|quota|as of now)\b/i;
export const INTENDS =
  /^(?:now,? |first,? |next,? |then,? |ok(?:ay)?[,.!]? |great[,.!]? |perfect[,.!]? |good[,.!]? )*(?:let me|let['’]s (?!use|take|keep|go with|stay|stick)|i['’]ll (?:now|start|check|look|try|run|create|add|update|fix|also|begin|help|need)|i (?:need|want) to|i will (?:now |go |look |check |try |put )|i am going to|i['’]m going to|now i|here['’]s|i can see)\b/i;
/** Going on right now: `Running the tests`. */
export const STEPS =
  /^(?:now |just |still |next:? )?(?![^,]{4,40}, )(?!(?:during|according|considering|including|regarding|following|nothing|something|everything|anything|using|going|opting|choosing|sticking)\b)[a-z]+ing\b(?!\.\w|.*\b(?:fixed|made|solved|helped|mended|gave|brought|cut|works?|passes|did)\b)/i;
export const ASKS = /\?\s*$/;

/** A number with its unit. */
export const MEASURE =
  /\d[\d.,_]*\s?(?:%|ms|[µu]s|ns|s|sec(?:ond)?s?|min(?:ute)?s?|h|hours?|days?|[kKMGT]i?B|bytes?|kb|mb|gb|(?:req(?:uest)?s?|jobs|events|rows|ops|messages|msgs)(?:\/s)?|rps|qps|rows?|records?|events?|tokens?|chars?|characters|lines?|files?|tests?|px|x|times|Hz|kHz|fps|pp[mb]|connections?|workers?|threads?|retries|users?|items?|calls?|jobs|tasks|queries|[€$£]|usd|eur|(?:million|billion|thousand)\b)(?![\w])|[€$£]\s?\d|\b\d{1,3}(?:,\d{3})+\b|\b\d+\.\d+\b/i;
export const LABELLED =
  /\b[A-Za-z][\w .()/%-]{1,40}(?:\s*[:=]\s*|\s+(?:is|was|are|of|to|at)\s+)[~≈<>]?\s*[$€£]?\d/;
/** Uncertain: neither a figure nor a decision. */
export const GUESSES =
  /\b(?:might|may(?! not)|maybe|perhaps|probably|possibly|presumably|(?:could|would)(?! not|n['’]t)|guess\w*|roughly|approximately|ballpark|estimat\w+|expect\w*|suppos\w+|assum\w+|i think|i doubt|not sure|wonder\w*|hope\w*|feels? like|looks like|say,|or so|something like|somewhere around|an option|one (?:way|option)|consider(?!ing)\w*|idea|in theory|alternativ\w+|people (?:use|like)|often|usually|some ?(?:day|time)|later)\b/i;
/** Holds only for now. */
export const FOR_ONCE =
  /\b(?:just (?:for )?(?:today|now|once|this)|for (?:this once|now|today|the moment|once)|this (?:once|time)|once only|(?:only|until) (?:today|tomorrow|tonight)|temporarily)\b/i;
export const AGREES =
  /^(?:yes|yep|yeah|exactly|correct|right|true|agreed|that (?:is|was) (?:right|fine|good|correct)|looks? (?:good|right|fine)|good|fine|great|lgtm|thanks|i see)\b/i;
export const LOGGED =
  /^(?:\[[\w:. -]+\]|\d{2,4}(?:[-:/]\d|\.\d+\.\d)|(?:\w+\s)?(?:notice|info|debug|trace|warn(?:ing)?|error|fatal|deprecated|hint)\b\s*[:\]]|(?:WARN(?:ING)?|ERROR|INFO|DEBUG|TRACE|NOTICE|FATAL)\b|at \S+ ?\(|npm (?:err|warn))/i;
/** Refers to the sentence before it. */
export const REFERS_BACK =
  /^(?:it|that one|this one|the (?:former|latter|other one|right one))\b(?! (?:seems|looks|appears))/i;
/** Names something. */
export const DEFINES =
  /\b(?:is|are|be|called|named|through|via|means?)\s+[`"']?(?=\w*(?:_\w|[a-z][A-Z]|\w-\w))/;
export const IS_REASON =
  /^(?:because|reasons?|why|that way|this (?:way|keeps|avoids|means|lets)|it (?:keeps|avoids|lets|is|has)|otherwise|the reason|so that|since)\b/i;

/** For `compileOnce`: V8 takes 10 ms to compile `DECIDES` for its interpreter, 2 to machine code. */
export const TELLING: readonly RegExp[] = [OBLIGES, LASTS, NEGATES, EXPLAINS, DECIDES, MEASURE];
/** The same for the agent's sentences. */
export const OF_AGENTS: readonly RegExp[] = [
  SETTLES,
  FINDS,
  INTENDS,
  GUESSES,
  STEPS,
  STRESSES,
  COMMANDS_ALL,
  MEASURES,
  LOGGED,
];

const TRIED =
  /\b(?:tried|attempted)\b.*(?:[;–—]|, no\b|\b(?:but|which|still|fail\w*|br[eo]ak?\w*|same)\b)/i;
const TO_NO_AVAIL =
  /^(?!(?:that|this|it|which)\b).*(?:\b(?:did|does|do)(?: not|n['’]t) (?:help|work|fix|change|solve)\b|\b(?:made|makes) no difference\b)/i;
/** Parts that any match contains: they save compiling the expressions. */
const OF_TRIED = ['ried', 'ttempted'];
const OF_NO_AVAIL = ['t help', 't work', 't fix', 't change', 't solve', 'no difference'];

/** Whether it says what was tried in vain. */
export function tellsOfTrying(sentence: string): boolean {
  const has = (part: string) => sentence.includes(part);
  return (
    (OF_TRIED.some(has) && TRIED.test(sentence)) ||
    (OF_NO_AVAIL.some(has) && TO_NO_AVAIL.test(sentence))
  );
}

/** Of the last sentence: each is asked about several times. */
let last: { sentence: string; found: ReturnType<typeof referencesIn> } | undefined;

function referencesOf(sentence: string): ReturnType<typeof referencesIn> {
  if (last?.sentence !== sentence) last = { sentence, found: referencesIn(sentence) };
  return last.found;
}

/** How many names, paths and numbers it has. */
export const specifics = (sentence: string): number => referencesOf(sentence).size;

/** Two names with the same start, `due_date` and `due_day`, are contrasted. */
export function contrasts(sentence: string): boolean {
  const names = [...referencesOf(sentence)].filter(([, { kind }]) => kind === 'name');
  return names.some(([a], n) =>
    names.slice(n + 1).some(([b]) => a.slice(0, 4).toLowerCase() === b.slice(0, 4).toLowerCase()),
  );
}

const COINED = /\b[A-Za-z\d]+(?:[_-][A-Za-z\d]+)+\b|\b[A-Za-z][a-z\d]+(?:[A-Z][a-z\d]+)+\b/g;
const HAS_COINED = /\w[_-]\w|[a-z][A-Z]/;
const spoken = (name: string): string =>
  name.replace(/([a-z\d])(?=[A-Z])|[_-]+/g, (_, last = '') => `${last} `).toLowerCase();

/** Whether one sentence names what the other spells out: `invoice_export`, `the invoice export`. */
export function sharesTopic(one: string, other: string): boolean {
  return isSpokenOf(one, other) || isSpokenOf(other, one);
}

function isSpokenOf(names: string, text: string): boolean {
  const found = HAS_COINED.test(names) ? names.match(COINED) : null;
  if (found === null) return false;
  const small = text.toLowerCase();
  return found.some((name) => small.includes(name.toLowerCase()) || small.includes(spoken(name)));
}

/** `new/empty` is not a path. */
const PLACE = /\/.*(?:\/|\.\w+$)|^\.{0,2}\//;

export const namesPath = (sentence: string): boolean =>
  [...referencesOf(sentence)].some(([name, { kind }]) => kind === 'path' && PLACE.test(name));
