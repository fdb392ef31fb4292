/** Words and patterns for `rules.ts`: lower case, one clause. */

const words = (text: string): string[] => text.split(' ');

/** Verbs of orders: what is joined to a clause that starts with one is an order, too. */
const ORDERS =
  'add answer apply ask build call change check commit convert copy cover create declare define delete deploy do document edit explain export extract find fix follow format generate give handle implement import include install keep list log make merge mock modify move name open place plan prefix print push put read rebase refactor release remove rename replace reply respond return review run send set show sort split squash start stop store tell test touch update use validate work wrap write';
export const VERBS: ReadonlySet<string> = new Set(words(ORDERS));

/** Behind `always` and `never` these report something: `always the same`, `never mind`. */
export const TOLD_WORDS: ReadonlySet<string> = new Set(
  words(
    "the a an this that these those my your our its it i i'd we you he she they there in on at with when if as been seen saw had has was were did got get knew thought heard found ran went came gave took made felt said told left mind ever again once quite really sure same enough null undefined empty zero true false slow wrong broken nice good great happy fun",
  ),
);

/** By first word: what is skipped at a clause's start. */
export const LEADS: ReadonlyMap<string, readonly RegExp[]> = byWord([
  [
    "please pls also and but so then or ok okay oh hey well btw by one note ps reminder in generally to just really finally first lastly whatever let's you it it's",
    /^(?:please|pls|also|and|but|so|then|or|ok(?:ay)?|oh|hey|well|btw|by the way|one (?:more )?thing|note|ps|reminder|in general|generally|to be clear|just|really|finally|first|lastly|whatever (?:you do|happens)|let's|you(?: really)? (?:need|have) to|it(?:'s| is) (?:very |really )?(?:important|essential|crucial|mandatory|vital) (?:that (?:you|we)|to))\b[\s,:.!–—-]*|^in\b[^,]{1,80},\s*/,
  ],
  [
    'if when whenever before after for on with unless until while once as wherever inside within during every each',
    /^(?:every time|each time|(?!every|each)\w+)\b[^,]{1,80},\s*/,
  ],
]);

const LASTING =
  /^(?:from now on|going forward|from here on|in (?:the )?future|henceforth|at all times|under no circumstances|without exception|as a rule)\b./;
const FORBIDDING =
  /^(?:don't|dont|do not) (?!(?:know|think|understand|see|get (?!rid)|remember|recall|care|mind|worry|bother|believe|stop|give up|do (?:that|this|it|so)|go there|like|want|have|need|feel|find|hear|even|really|panic|hesitate|ask me|be (?:sorry|afraid|surprised)|you|we|they|i|it|the|these|those)\b)(?!\w+ (?:it|this|that|them)$)(?!.*\b(?:now|yet|this time|today)\b)\w|^do not, /;
const DARING = /^(?:don't|dont|do not) you (?:dare|ever)\b/;
/** Says when an order holds, so that it holds more than once. */
const WHENEVER =
  /^\w+\b.*\b(?:whenever|every time|each time|unless|before (?:each|every|any|committing|pushing|you (?:add|change|commit|create|delete|deploy|edit|install|merge|push|release|remove|start))|after (?:you|each|every|any)|for (?:every|each|any|all) (?:new |public |exported )?(?:change|commit|pr|pull request|bug|fix|bugfix|feature|function|method|class|module|component|endpoint|migration)s?)\b/;
const WITHOUT =
  /^\w+\b.*\bwithout (?:(?:using|adding|changing|touching|breaking|introducing|installing|asking)\b|(?:any |an? |new |external |extra |third[- ]party )*(?:librar|dependenc|framework|package|mock|comment|semicolon))/;
/** `every endpoint needs to …` */
const EACH =
  /^\w+\b(?! needs?\b).{0,80}\b(?:should|has to|have to|needs? (?:to|an?)|shall)\b(?! (?:have|be able)\b)(?!.*\b(?:now|again|already)[.!]*$)/;
/** `no mocks`, but not reports of what was missing. */
const NO =
  /^no (?!(?:idea|problem|worr|luck|clue|way|wonder|need|one\b|errors?|warnings?|failures?|changes?|output|response|difference|doubt|rush|hurry|thanks|matter|reason|results?|effect|longer|such|success|answer|news|match|sign|tests?\b))(?!.*\b(?:is|are|was|were|has|have|had|found|failed|passed|changed|happen\w*|works?|shows?|left|yet|so far|now|anymore|there|it|i|we|you|they)\b)\w\S*(?: \S+){0,7}$/;

/** By first word: commands, wishes, and habits. */
export const COMMANDS: ReadonlyMap<string, readonly RegExp[]> = byWord([
  ['from going in henceforth at under without as', LASTING],
  ["don't dont do", FORBIDDING],
  ["don't dont do", DARING],
  ['no', NO],
  [
    'nobody no-one no',
    /^(?:nobody|no[- ]one) (?:is (?:allowed |permitted |ever )?to|may|should|shall|must|gets to|ever)\b/,
  ],
  ['ask', /^ask (?:me )?(?:first|before)\b/],
  [
    'important remember rule rules ground hard convention',
    /^(?:important|remember|(?:ground |hard )?rules?(?: of thumb)?|convention)\s*:\s*\S/,
  ],
  // Avoiding something named before is a single choice.
  ['avoid prefer', /^\w+ (?!(?:it|this|that|the (?:\w+ )?(?:one|option))\b)\S/],
  [
    'keep',
    /^keep (?!(?:it(?! (?:brief|clean|consistent|minimal|short|simple|small))|in touch|up|on|at it|calm|me posted|(?!using|writing|following|string|naming|existing|logging)\w+ing)\b)(?!.*\b(?:for now|too)$)\w/,
  ],
  // Concerning one thing it is a task.
  [
    'make ensure',
    /^(?:make sure|ensure)\b.*\b(?:every|each|all|any|always|never|nothing|no|not|\w+n't|new|after|before|when|whenever|only|stays?|still|remains?)\b/,
  ],
  ['be', /^be (?:sure (?:to|that)|careful (?:not|to|with))\b/],
  ['remember', /^remember (?:to|that (?:all|every|it|no|our|the|there|we|you))\b/],
  [
    'stick adhere refrain hands stay',
    /^(?:stick (?:to|with)|adhere to|refrain from|hands off|stay (?:away from|out of|within))\s/,
  ],
  [
    'follow',
    /^follow\b.*\b(?:styles?|conventions?|guides?|guidelines?|patterns?|rules?|practices?)\b/,
  ],
  ['treat', /^treat (?!(?:it|this|that)\b).+\sas\s/],
  ['leave', /^leave (?!me\b).+\s(?:alone|untouched|as (?:is|it is|they are))\b/],
  [
    'stop',
    /^stop (?:using|adding|writing|committing|pushing|editing|changing|reformatting|putting|making|creating|deleting)\b/,
  ],
  [
    'use',
    /^use\b.*\b(?:not|instead of|rather than|over|everywhere|throughout|only|always|never|whenever|wherever|unless|by default|for (?:all|every|any|each|new)|in (?:all|every|new))\b/,
  ],
  // Without an article it is a kind of thing.
  [
    'use',
    /^use (?!(?:the|an?|this|that|it|its|your|my|our|another|both|option|number|either|what\w*|which\w*)\b)(?!.*\b(?:here|now|this|that|it)\b)\S+(?: \S+){0,4}$/,
  ],
  ['write name format log store return document prefix wrap put send', /^\w+ (?:all|every|each)\b/],
  [
    'answer comment document reply respond write',
    /^\w+\b.*\bin (?:british|english|french|full|german|plain|short|simple|spanish|us)\b/,
  ],
  [ORDERS, WHENEVER],
  [ORDERS, WITHOUT],
  [
    'you',
    /^you (?:may not|mustn't|must|are not allowed to|should (?:always|never|not|only)|shouldn't|can only|are never to)\b(?! (?:be|have|see|know|need|worry)\b)/,
  ],
  ['all every each any new no', EACH],
  [
    'i',
    /^i (?:always |really |strongly |generally )?prefer (?!(?:it|this|that|the (?:\w+ )?(?:one|option))\b)\S/,
  ],
  ["i i'd", /^i(?:'d| would) (?:rather|prefer) (?:you|we|not|that|if)\b/],
  ['i', /^i (?:don't|do not|never) want (?:any|you|to see|new|more)\b/],
  [
    'i',
    /^i (?:want|need|expect) (?:all|every|each|no|you to (?:always|never|only|use|keep|ask|stop|avoid))\b/,
  ],
  [
    'we',
    /^we (?:don't|do not) (?:use|commit|push|merge|mock|write|ship|add|log|store|allow|import)\b/,
  ],
  [
    'we',
    /^we use\s.*\b(?:not|instead of|rather than|everywhere|throughout|only|for (?:all|every))\b/,
  ],
  [
    'our the',
    /^(?:our (?:rule|convention|policy|style|standard)s?|the (?:convention|house style)) (?:here )?(?:is|are)\b/,
  ],
]);

const LIVES =
  /^(?!(?:it|this|that|they|these|those|we|i)\b)\S+(?: \S+){0,4} (?:go(?:es)?|lives?|belongs?) (?:in|into|under|below|next to)\s/;

/** Anywhere in a clause: a quick test, and the pattern that decides. */
export const SIGNS: readonly (readonly [string, RegExp])[] = [
  // `round half-even, never half-up`
  [
    ', never ',
    /^(?!(?:it|this|that|they|these|those|i|we|he|she|there|you|the)\b)\w+ [^,]+, never (?!mind\b|again\b|once\b|ever\b|had\b|was\b|did\b|got\b|saw\b|\w+ed\b)\S/,
  ],
  ['from now on', /\bfrom now on\b/],
  ['circumstances', /\bunder (?:any|no) circumstances\b/],
  ['should', /^(?!(?:it|this|that|i|there)\b).{1,80}\bshould (?:always|never|only)\b(?! have\b)/],
  ['off', /\b(?:is|are) off[- ]limits\b/],
  ['no exceptions', /^(?!(?:it|this|that|i|there)\b)\w+\b.*,? no exceptions$/],
  ['mandatory', /\b(?:is|are) mandatory\b/],
  ['forbidden', /\bare forbidden\b/],
  ['banned', /\bare banned\b/],
  [' go', LIVES],
  [' live', LIVES],
  [' belong', LIVES],
];

/** @param patterns each with the words that a match may begin with */
function byWord(patterns: readonly (readonly [string, RegExp])[]): Map<string, RegExp[]> {
  const found = new Map<string, RegExp[]>();
  for (const [firsts, pattern] of patterns) {
    for (const word of words(firsts)) found.set(word, [...(found.get(word) ?? []), pattern]);
  }
  return found;
}
