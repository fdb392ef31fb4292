// Names, authors and requests of the published figure: not to be read by who works on the extractor. The same fields as
// in `../development`, no sentence of it.
export const names = {
  nouns:
    'payroll roster parcel voucher beacon tariff archive playlist sensor permit meter booking'.split(
      ' ',
    ),
  acts: 'dispatch replay fanout backfill throttle reindex handoff preview renewal matching pricing upload'.split(
    ' ',
  ),
  roots: ['server', 'backend/app', 'crates/engine', 'internal', 'modules/shop'],
  endings: ['rs', 'java', 'kt', 'rb', 'toml'],
};

export const authors = [
  {
    style: 'plain',
    before: ['Three things.', 'Status looks fine to me.', ''],
    after: ['Report back when done.', ''],
  },
  { style: 'lower', before: ['so', 'right then', '', 'morning'], after: ['ta', 'cheers', ''] },
  {
    style: 'plain',
    before: [
      'Hello, I am back from the meeting.',
      'My colleague has explained me something that I did not know.',
      'I have made a look at what you have written, it goes in the good direction.',
    ],
    after: ['I hope it is clear what I am meaning.', ''],
  },
  {
    style: 'list',
    before: ['For the rest of this week:', 'Notes from the review:', 'Feedback:'],
    after: ['', 'End of list.'],
  },
  {
    style: 'plain',
    before: [
      'You have done well so far, and I do not want to slow you down, yet there is one more matter which I ought to have raised at the beginning.',
      'Bear with me, this is going to be a little longer than usual.',
    ],
    after: ['Carry on.', 'That concludes it for the moment.'],
  },
];

export const requests = [
  'What is left to do for {topic}?',
  'Have another go at the {topic} view, the margins are off.',
  'I need the {topic} numbers in the weekly mail.',
  'Write up how {topic} hangs together, half a page will do.',
  'Move the {topic} constants out of the controller.',
  'Somebody reported that {topic} flickers; reproduce it first.',
  'Is {topic} covered at all?',
  'Get rid of the dead branches in {topic}.',
];

export const agent = {
  before: [
    '',
    '',
    'Right. ',
    'That took a while. ',
    'Here is where we are: ',
    'First part finished. ',
    'Looking at the results, ',
    'One thing came up. ',
  ],
  after: [
    '',
    '',
    ' I continue with the list.',
    ' Nothing else was changed.',
    ' Shout if that is not what you had in mind.',
  ],
};

export const steps = {
  acknowledge: ['Got it.', 'Clear.', 'I see.', 'Thanks for telling me.', 'Sure.'],
  name: ['{topic} needs its name first.', 'Putting a name to {topic}.'],
  list: ['All of the names, please.', 'Let me see the list.'],
  measure: ['Numbers first.', 'Taking a reading.', 'How long does it take?'],
  again: ['The neighbour, for scale.', 'Another reading elsewhere.'],
  attempt: ['Let us see.', 'First run.', 'Here we go.'],
  retry: ['Second run.', 'And now?', 'Same again, changed.'],
  logs: ['Anything in the logs?', 'Reading yesterday.'],
  look: ['Files?', 'What have we got here.', 'Opening it.'],
  vendored: ['The library has a guide.', 'What do its authors want?'],
};

export const tools = {
  names: 'bin/symbols --of {stem}',
  measure: ['hyperfine ./{stem}', 'cargo bench {stem}', 'bin/profile {stem}'],
  run: ['bin/start {stem}', 'java -jar target/{stem}.jar', './{stem} serve'],
  logs: 'journalctl -u {stem} -n 20',
};
