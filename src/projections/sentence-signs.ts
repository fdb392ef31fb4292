import { referencesIn } from './references.ts';

/**
 * By what words a sentence shows what it is good for. Each is a sign and no proof: `noteworthy.ts` weighs them together.
 */
export const OBLIGES =
  /\b(?:must|never|always|only|don['’]?t|do not|cannot|can['’]t|may not|shall|should|keep|avoid|without|unless|instead|rather|require[sd]?|required|needs? to|has to|have to|make sure|ensure|forbidden|allowed|no longer|stick to|prefer|leave|every|not|(?:want|need|expect) you to|nobody|no one|no exceptions)\b/i;
/** What nobody says of a thing for once. */
export const COMMANDS_ALL =
  /\b(?:must(?:n['’]t| not)?|never|always|nobody|no one|no exceptions|(?:has|have) to be|(?:is|are) (?:not )?to (?:be|go|stay)|(?:not|isn['’]t|aren['’]t) (?:allowed|acceptable|an option|ok(?:ay)?)|forbidden|prohibited|off[- ]limits|hands off|stay (?:away|out)|mandatory|required|(?:may|can) (?:not|only)|cannot|under no circumstances|at all times|every (?:time|single)|without exception|only ever|at no point|strictly)\b/i;
export const STRESSES =
  /\b(?:remember|note|important|keep in mind|keep an eye|heads[- ]up|fyi|for (?:the record|reference)|by the way|btw|reminder|bear in mind|careful|mind that|beware|don['’]t forget|be aware|as agreed|agreed (?:with|on)|convention|policy|rule)\b/i;
export const DECIDES =
  /\b(?:decid\w+|decision|chose|chosen|choos(?:e|ing)|opt(?:ed|ing) (?:for|to)|(?:going|go(?:es)?|went) (?:with|for)|settl(?:ed?|ing) (?:on|for)|landed on|agreed|picked|picking|pick|voted|rul(?:ed?|ing) out|prefer\w* (?:to|over)|final (?:call|choice|say|word)|choice (?:is|was|fell)|(?:end(?:ed)?|ending) up with|winner|in place of|makes? more sense|(?:we|I) (?:are|am) (?:using|taking|going)|let us (?:use|take|keep|go|stay)|consensus|in favou?r|reject(?:ed|ing)|commit(?:ted|ting) to|adopt(?:ed|ing)?|(?:we|I)(?:['’]ll| will) (?:use|take|keep|store|stay|stick|go|do|have)|(?:we|I) (?:use|take|keep|store|stick (?:to|with)|stay with)|will use|gets?\b.*\b(?:not|instead)|it is then|let['’]s (?:use|take|keep|go|do|stay|stick)|stick(?:ing)? with|switch(?:ed|ing)? (?:to|from)|mov(?:ed|ing) (?:away )?from|instead of|rather than|in favou?r of|will (?:not|never) do|won['’]t do|over (?:the )?alternative|trade-?off|verdict|conclusion|weigh(?:ed|ing)|wins? over|beats|outweighs?|tip(?:s|ped) the|better (?:than|to)|simpler than|safer than|cheaper than|stays?|must not|design choice|the plan is)\b/i;
export const EXPLAINS =
  /\b(?:because|since|so that|so as to|in order to|due to|to avoid|which (?:means|keeps|avoids|lets)|(?:the )?reasons?\b|why\b|as (?:it|the|we|this)|otherwise|given that|seeing (?:that|as)|hence|therefore|that is why|owing to|thanks to|on account of|in view of|deal[- ]?breaker|argument|tip(?:s|ped) the|deciding|decisive)|^as \S+|\w: (?:it|the|we|this|otherwise)\b/i;
export const FINDS =
  /\b(?:root cause|turn(?:s|ed) out|the (?:problem|issue|bug|culprit|cause|reason) (?:is|was)|caused by|found (?:that|out|the)|discovered|confirm(?:s|ed)|it (?:seems|appears)|measured|benchmark\w*|baseline|profil(?:ed|ing)|result(?:s|ed)?|shows? that|comes? from|fails? (?:because|when|with)|works? (?:because|only|when)|limit(?:s|ed)?|threshold|budget)\b/i;
export const PLACES =
  /\b(?:lives?|sits?|resides?|located|defined|declared|stored|kept|found|holds?|contains?|belongs?|is (?:in|at|under)|are (?:in|at|under)|see|look(?:s|ed|ing)? (?:at|in)|points? (?:at|to)|reads? from|writes? to|goes (?:in|into|to)|comes from|entry point|source of truth|settings|config\w*|starts?|ends?|leads?|cause|culprit|handled|happens|implemented|lies?|hides?|traced|tracked|boils|responsible|in charge|where|home|place|open|go to|check|find|comes down|turn(?:s|ed) out)\b/i;
export const MEASURES =
  /\b(?:measured|takes|took|needs|uses|used|costs?|averag\w+|peak(?:s|ed)?|p50|p9[059]|median|capped|caps|limit\w*|max(?:imum)?|min(?:imum)?|at most|at least|up to|no more than|exactly|baseline|budget|threshold|timeout|ttl|port|rate|ratio|total|throughput|latency|size|duration|memory|time|count|went from|dropped|grew|down to|up from|set to|bump\w*|raised|lowered|(?:is|are|was|were|now|came out|stands?) at|clock(?:s|ed) in|com(?:es|ing|e) (?:to|in|out)|adds? up|amounts? to|weighs?|runs? at|sits? at|landed at|observed|recorded|reported|reads|ceiling|below|under|above|over|i (?:get|got|see)|we (?:get|got|see|saw)|target|goal|promised?|customer|sla|quota|as of now)\b/i;
export const INTENDS =
  /^(?:now,? |first,? |next,? |then,? |ok(?:ay)?[,.!]? |great[,.!]? |perfect[,.!]? |good[,.!]? )*(?:let me|let['’]s (?!use|take|keep|go with|stay|stick)|i['’]ll (?:now|start|check|look|try|run|create|add|update|fix|also|begin|help|need)|i (?:need|want) to|i will (?:now |go |look |check |try |put )|i am going to|i['’]m going to|now i|here['’]s|i can see)\b/i;
export const ASKS = /\?\s*$/;

/** A number with what it counts. */
export const MEASURE =
  /\d[\d.,_]*\s?(?:%|ms|[µu]s|ns|s|sec(?:ond)?s?|min(?:ute)?s?|h|hours?|days?|[kKMGT]i?B|bytes?|kb|mb|gb|(?:req(?:uest)?s?|jobs|events|rows|ops|messages|msgs)(?:\/s)?|rps|qps|rows?|records?|events?|tokens?|chars?|characters|lines?|files?|tests?|px|x|times|Hz|kHz|fps|pp[mb]|connections?|workers?|threads?|retries|users?|items?|calls?|jobs|tasks|queries|[€$£]|usd|eur|(?:million|billion|thousand)\b)(?![\w])|[€$£]\s?\d|\b\d{1,3}(?:,\d{3})+\b|\b\d+\.\d+\b/i;
export const LABELLED =
  /\b[A-Za-z][\w .()/%-]{1,40}(?:\s*[:=]\s*|\s+(?:is|was|are|of|to|at)\s+)[~≈<>]?\s*[$€£]?\d/;
/** What may be, or was thought of: no figure and no decision. */
export const GUESSES =
  /\b(?:might|may(?! not)|maybe|perhaps|probably|possibly|presumably|could|would|guess\w*|roughly|approximately|ballpark|estimat\w+|expect\w*|suppos\w+|assum\w+|i think|i doubt|not sure|wonder\w*|hope\w*|feels? like|looks like|say,|or so|something like|somewhere around|an option|one (?:way|option)|consider\w*|idea|in theory|alternativ\w+|people (?:use|like)|often|usually|some ?(?:day|time)|later)\b/i;
/** What holds for now, and nobody asks for again. */
export const FOR_ONCE =
  /\b(?:just (?:for )?(?:today|now|once|this)|for (?:this once|now|today|the moment|once)|this (?:once|time)|once only|(?:only|until) (?:today|tomorrow|tonight)|temporarily)\b/i;
export const AGREES =
  /^(?:yes|yep|yeah|exactly|correct|right|true|agreed|that (?:is|was) (?:right|fine|good|correct)|looks? (?:good|right|fine)|good|fine|great|lgtm|thanks|i see)\b/i;
/** Of a log that was pasted. */
export const LOGGED =
  /^(?:\[[\w:. -]+\]|\d{2,4}[-:/.]\d|(?:\w+\s)?(?:notice|info|debug|trace|warn(?:ing)?|error|fatal|deprecated|hint)\b\s*[:\]]|(?:WARN(?:ING)?|ERROR|INFO|DEBUG|TRACE|NOTICE|FATAL)\b|at \S+ ?\(|npm (?:err|warn))/i;
/** It speaks of what the sentence before it named. */
export const REFERS_BACK =
  /^(?:it|that one|this one|the (?:former|latter|other one|right one))\b(?! (?:seems|looks|appears))/i;
/** What something is called. */
export const DEFINES =
  /\b(?:is|are|be|called|named|through|via|means?)\s+[`"']?(?=\w*(?:_\w|[a-z][A-Z]|\w-\w))/;
export const IS_REASON =
  /^(?:because|reasons?|why|that way|this (?:way|keeps|avoids|means|lets)|it (?:keeps|avoids|lets|is|has)|otherwise|the reason|so that|since)\b/i;

/** How many things it names that a text elsewhere can be about. */
export const specifics = (sentence: string): number => referencesIn(sentence).size;

/** Two names with the same start, `due_date` and `due_day`: one is told from the other. */
export function contrasts(sentence: string): boolean {
  const names = [...referencesIn(sentence)].filter(([, { kind }]) => kind === 'name');
  return names.some(([a], n) =>
    names.slice(n + 1).some(([b]) => a.slice(0, 4).toLowerCase() === b.slice(0, 4).toLowerCase()),
  );
}

/** `new/empty` is none. */
const PLACE = /\/.*(?:\/|\.\w+$)|^\.{0,2}\//;

export const namesPath = (sentence: string): boolean =>
  [...referencesIn(sentence)].some(([name, { kind }]) => kind === 'path' && PLACE.test(name));
