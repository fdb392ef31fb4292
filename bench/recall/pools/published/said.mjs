// What is said, for the published figure. Not to be read by who works on the extractor.
export const rules = [
  { neg: 'push {topic} changes without a review by Dana', words: ['{topic}', 'Dana'] },
  { neg: 'swallow exceptions in the {topic} code', words: ['exceptions', '{topic}'] },
  { neg: 'reformat files in {dir}', words: ['reformat', '{dir}'] },
  { neg: 'use floats for {topic} amounts', words: ['floats', '{topic}'] },
  { neg: 'rename public methods of {topic}', words: ['rename', 'public methods', '{topic}'] },
  { neg: 'let {path} grow over {n} lines', words: ['{path}', '{n} lines'] },
  { pos: 'regenerate {stem}.lock after a change of {topic}', words: ['{stem}.lock', '{topic}'] },
  { pos: 'answer in French when the {topic} texts are concerned', words: ['French', '{topic}'] },
  { pos: 'name {topic} fixtures after the ticket', words: ['{topic} fixtures', 'ticket'] },
  { pos: 'leave a line in {dir}/CHANGES for {topic}', words: ['{dir}/CHANGES', '{topic}'] },
  { pos: 'bump the {topic} schema number by hand', words: ['{topic} schema', 'hand'] },
  { pos: 'try {topic} on the small tablet, too', words: ['{topic}', 'small tablet'] },
];
export const ruleForms = {
  pos: [
    'remember to {rule}',
    'make it a habit to {rule}',
    'you have to {rule}, without being asked',
    'our convention is to {rule}',
    'each and every time: {rule}',
    'I insist that you {rule}',
    'in this repository we {rule}',
    'what I expect of everybody here is to {rule}',
  ],
  neg: [
    'avoid it at all costs to {rule}',
    'it is forbidden to {rule}',
    'no more of this: do not {rule}',
    'I do not want you to {rule}',
    'we do not {rule} here, ever',
    "you're not allowed to {rule}",
    'it is not okay to {rule}',
    'refrain from it, I mean do not {rule}',
  ],
};
export const reasons = [
  'we got burnt by that in June',
  'legal asked for it',
  'the nightly run chokes otherwise',
  'customers noticed',
  'it has cost us a weekend',
  '',
  '',
];
export const ruleNoise = {
  suggested: {
    pos: [
      'A stricter team might {rule} each time, which seems too much here.',
      'One could make it a rule to {rule}.',
    ],
    neg: [
      'A stricter team would not {rule}, which seems too much here.',
      'One could think about whether to {rule} is a good idea.',
    ],
  },
  once: ['ignore the {topic} lint for the moment', 'this time only, no tests for {topic}'],
  vendored: {
    pos: ['Remember to {rule} before a release.', 'It is mandatory to {rule} in this repository.'],
    neg: ['We do not {rule}.', 'Avoid it to {rule}.'],
  },
};

export const corrections = [
  {
    text: 'you mixed that up. In {topic} it reads {right}; {wrong} belongs to the old system',
    words: ['{right}', '{topic}'],
  },
  { text: 'actually {topic} wants {right}. I never said {wrong}', words: ['{right}', '{topic}'] },
  {
    text: 'wrong header: {topic} sends {right} where you have {wrong}',
    words: ['{right}', '{topic}'],
  },
  { text: 'please undo {wrong}, the name for {topic} is {right}', words: ['{right}', '{topic}'] },
  {
    text: 'hm no. {right}, for {topic}. {wrong} does not even exist',
    words: ['{right}', '{topic}'],
  },
  {
    text: 'careful, {topic} and {wrong} have nothing to do with each other, it should say {right}',
    words: ['{right}', '{topic}'],
  },
  {
    text: 'replace {wrong} by {right}, you took the wrong one for {topic}',
    words: ['{right}', '{topic}'],
  },
  {
    text: 'sorry, my mistake, in {topic} it was {right} all along and not {wrong}',
    words: ['{right}', '{topic}'],
  },
];
export const agreements = ['{other} for {topic}, correct', 'exactly, the {topic} side has {other}'];

export const decisions = {
  picks: [
    'a ring buffer',
    'gRPC streaming',
    'row versions',
    'a materialised view',
    'a bloom filter',
    'a saga',
    'short-lived tokens',
    'a canary release',
    'keyset pages',
  ],
  others: [
    'a linked list',
    'long polling',
    'table locks',
    'a temp table',
    'a full scan',
    'a distributed transaction',
    'API keys',
    'a big bang',
    'page numbers',
  ],
  why: [
    { text: '{stem} gets {n} writes a second', words: ['{stem}', '{n} writes'] },
    { text: 'the {stem} licence forbids the other', words: ['{stem} licence'] },
    { text: '{stem} runs on devices with {n} MB', words: ['{stem}', '{n} MB'] },
    { text: 'support has to be able to read {stem}', words: ['support', '{stem}'] },
    { text: '{stem} changes its shape {n} times a year', words: ['{stem}', '{n} times a year'] },
  ],
  agent: [
    '{topic} will be done with {pick}; {over} is out since {why}.',
    'I settled on {pick} for {topic}, as {why}.',
    'Chosen for {topic}: {pick} over {over}. Why: {why}.',
    'Given that {why}, the way to go for {topic} is {pick}.',
    'Having tried both, {topic} stays with {pick}: {why}.',
    'My call on {topic}: {pick}. The point that settled it is that {why}.',
  ],
  user: [
    '{topic}: {pick}, final. {why}',
    'after some back and forth we want {pick} for {topic}, given that {why}',
    'forget {over}; {topic} should have {pick}, as {why}',
    'the architects say {pick} for {topic}. {why}',
    'I would rather have {pick} in {topic} than {over}: {why}',
    'do {topic} by means of {pick}, {why}',
  ],
  noise: [
    '{alt} is sometimes used for things like {topic}.',
    'Had {topic} been smaller, {alt} would do.',
    'I looked at {alt} for {topic}, no.',
    'On second thoughts {alt} for {topic} does not fly.',
    'Maybe later {topic} can move to {alt}.',
  ],
};
