// What is said, to develop with. Slots: {topic} {stem} {dir} {path} {name} {n} of the fact, {right} {wrong} {pick} {over} {why}
// of its kind. `words` are what has to come back.
export const rules = [
  { neg: 'edit anything below {dir} by hand', words: ['{dir}', 'hand'] },
  { neg: 'log the {topic} payload', words: ['log', '{topic} payload'] },
  { neg: 'call the {topic} service inside of a transaction', words: ['{topic}', 'transaction'] },
  { neg: 'add a dependency for {topic}', words: ['dependency', '{topic}'] },
  { neg: 'mock the clock in {topic} tests', words: ['mock', 'clock', '{topic}'] },
  { neg: 'touch {path} without asking me', words: ['{path}', 'asking'] },
  {
    pos: 'keep times in {topic} records as UTC milliseconds',
    words: ['{topic}', 'UTC milliseconds'],
  },
  { pos: 'run `make check-{stem}` before you commit', words: ['make check-{stem}', 'commit'] },
  { pos: 'put new {topic} migrations into {dir}', words: ['{topic}', '{dir}'] },
  { pos: 'write {topic} tests with the real database', words: ['{topic}', 'real database'] },
  { pos: 'prefix {topic} branches with {stem}/', words: ['{topic} branches', '{stem}/'] },
  { pos: 'write {topic} comments in English', words: ['{topic} comments', 'English'] },
];
export const ruleForms = {
  pos: [
    'always {rule}',
    'please {rule}, every time',
    'from now on {rule}',
    'I want you to {rule}',
    'one thing: {rule}, no exceptions',
    'it is important that you {rule}',
    'you should {rule} whenever you work on this',
    'the rule here is simple, {rule}',
  ],
  neg: [
    'never {rule}',
    "don't {rule}",
    'please do not ever {rule}',
    'you must not {rule}',
    'under no circumstances {rule}',
    'whatever happens, do not {rule}',
    "you can't just {rule}, so please don't",
    'nobody is to {rule}, and that includes you',
  ],
};
export const reasons = [
  'it broke the release last month',
  'the auditors check that',
  'the other team depends on it',
  'CI does not catch it',
  'I have to explain it to the customer otherwise',
  '',
  '',
];
export const ruleNoise = {
  suggested: {
    pos: [
      'It may be worth it to always {rule}, if you like.',
      'Some projects {rule}; that is a matter of taste.',
    ],
    neg: [
      'One could argue that we should never {rule}, if you like.',
      'Some people never {rule}; that is a matter of taste.',
    ],
  },
  once: [
    'for this once you can skip the {topic} review',
    'just for today leave the {topic} warnings alone',
  ],
  vendored: {
    pos: ['Contributors should always {rule}.', 'Please {rule} when in doubt.'],
    neg: ['Never {rule} without an RFC.', 'Maintainers do not {rule}.'],
  },
};

export const corrections = [
  { text: 'no, the {topic} table is called {right}, not {wrong}', words: ['{right}', '{topic}'] },
  {
    text: "that's wrong: for {topic} the flag is {right} and not {wrong}",
    words: ['{right}', '{topic}'],
  },
  {
    text: 'you used {wrong} for the {topic} queue. It has to be {right}',
    words: ['{right}', '{topic}'],
  },
  {
    text: 'stop, {wrong} is the old name. The {topic} column is {right} since spring',
    words: ['{right}', '{topic}'],
  },
  { text: 'not {wrong}! {topic} goes through {right}', words: ['{right}', '{topic}'] },
  {
    text: 'I meant {right} when I said {topic}, {wrong} is something else',
    words: ['{right}', '{topic}'],
  },
  { text: '{wrong}? no. {topic} is {right}', words: ['{right}', '{topic}'] },
  { text: 'why {wrong}, the {topic} one is {right}', words: ['{right}', '{topic}'] },
];
export const agreements = [
  'yes, {other} is right for {topic}',
  'I see {other} in the {topic} list as well',
];

export const decisions = {
  picks: [
    'a partial index',
    'server-sent events',
    'optimistic locking',
    'a nightly batch',
    'plain SQL',
    'an outbox table',
    'signed URLs',
    'a feature flag',
    'cursor paging',
  ],
  others: [
    'a trigger',
    'polling',
    'a global lock',
    'a cron job in the app',
    'an ORM hook',
    'two-phase commit',
    'public links',
    'a long-lived branch',
    'offset paging',
  ],
  why: [
    { text: 'the {stem} table has {n} million rows', words: ['{stem}', '{n} million'] },
    { text: '{stem} must work without a network', words: ['{stem}', 'without a network'] },
    { text: 'the {stem} provider allows only {n} calls a minute', words: ['{stem}', '{n} calls'] },
    { text: 'nobody on call knows {stem}', words: ['nobody on call', '{stem}'] },
    { text: '{stem} is read {n} times as often as it is written', words: ['{stem}', '{n} times'] },
  ],
  agent: [
    'Decision for {topic}: {pick} instead of {over}, because {why}.',
    'I am going with {pick} for {topic} rather than {over}: {why}.',
    'For {topic} we take {pick}. Reason: {why}.',
    'I weighed {over} against {pick} for {topic} and chose the latter, because {why}.',
    'As {why}, {topic} will use {pick}.',
    '{topic} it is then with {pick}; what tipped the scales: {why}.',
  ],
  user: [
    "let's use {pick} for {topic}, {why}",
    'I decided: {topic} gets {pick} and not {over}, since {why}',
    'go with {pick} on {topic} because {why}',
    'we agreed in the standup to do {topic} with {pick}, {why}',
    '{pick} for {topic} please, {over} will not do because {why}',
    'the team voted for {pick} in {topic}: {why}',
  ],
  noise: [
    'One could also do {topic} with {alt}.',
    '{alt} would be another way for {topic}.',
    'We talked about {alt} for {topic} and dropped it.',
    'Scratch that, {alt} for {topic} was a bad idea.',
    'If {topic} grows, {alt} might be worth a look.',
  ],
};
