// Names, authors and requests to develop with. Whoever works on the extractor may read this folder and never `../published`.
export const names = {
  nouns:
    'invoice webhook session tenant catalog refund coupon shipment ledger profile quota digest'.split(
      ' ',
    ),
  acts: 'retry export cache import lookup merge audit cleanup sync rollup limits parser'.split(' '),
  roots: ['src', 'services/api', 'packages/core', 'lib', 'apps/web'],
  endings: ['ts', 'py', 'go', 'sql', 'yaml'],
};

/** How users write: what may come first and last, and in which manner. */
export const authors = [
  { style: 'lower', before: ['', 'ok', 'hm', 'alright'], after: ['', 'thx', 'pls'] },
  {
    style: 'plain',
    before: ['Good morning.', 'Thanks, that looks right.', '', 'Nice work so far.'],
    after: ['Take your time.', '', 'Let me know if something is unclear.'],
  },
  {
    style: 'plain',
    before: [
      'I thought about this over lunch and I am still not sure that we have the order right, but let us go on.',
      'Sorry for the long message, there is some history here that you cannot know.',
      'Before I forget it again, because it was me who forgot it the last two times:',
    ],
    after: ['That is about all that I remember of it.', 'Anyway, you see where this is going.'],
  },
  { style: 'loud', before: ['', 'LISTEN.', 'Hey!'], after: ['', 'We lost a day to this already!'] },
];

export const requests = [
  'Can you look at the {topic} code and tell me what is going on there?',
  'Please add a test for the {topic} path.',
  'Next step is the {topic} screen.',
  'Could you rename the helper in the {topic} module so that it says what it does?',
  'The {topic} page is slow again, have a look.',
  'Split the {topic} handler, it has grown too long.',
  'Why does {topic} need two queries?',
  'Clean up the imports of {topic} while you are there.',
];

/** What the agent may put before and after what it has to say. */
export const agent = {
  before: [
    '',
    '',
    'Okay. ',
    'Done with that. ',
    'So, ',
    'Short update: ',
    'Good news and bad news. ',
    'I looked through it once more. ',
  ],
  after: [
    '',
    '',
    ' Next I will go through the rest.',
    ' Tell me if you see it differently.',
    ' The other files are as before.',
  ],
};

/** What the agent says on its way; nothing of it is a fact. */
export const steps = {
  acknowledge: ['Understood.', 'Okay.', 'Will do.', 'Noted.', "You're right."],
  name: ['Filling in the name for {topic}.', 'The {topic} name goes here.'],
  list: ['Which names are there?', 'Listing them.'],
  measure: ['Measuring.', 'Let me time it.', 'Profiling this once.'],
  again: ['One more run, of something else.', 'For comparison a different one.'],
  attempt: ['Trying it.', 'Starting it once.', 'Run it.'],
  retry: ['That should be it.', 'Once more.', 'With the change:'],
  logs: ['The log of last night.', 'What do the logs say?'],
  look: ['What is there?', 'Looking around.', 'I will look there.'],
  vendored: ['Looking at what the package says of itself.', 'Their contributing guide:'],
};

/** Programs of the invented project. */
export const tools = {
  names: 'scripts/names {stem}',
  measure: ['scripts/measure {stem}', 'npm run bench -- {stem}', 'python bench.py {stem}'],
  run: ['scripts/run {stem}', 'node dist/{stem}.js', 'python -m jobs.{stem}'],
  logs: 'tail -20 logs/{stem}.log',
};
