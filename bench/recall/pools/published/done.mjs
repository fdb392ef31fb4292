// What is done and shown, for the published figure. Not to be read by who works on the extractor.
export const paths = {
  user: [
    'you will want {path} for {topic}',
    'the one place which matters for {topic}: {path}',
    'last time {topic} was mended in {path}',
    'have {path} open while you do {topic}',
    '{topic} is wired up in {path}',
    'I put the {topic} stub to {path}',
  ],
  agent: [
    'Tracked down: {topic} goes wrong inside {path}.',
    'It all hangs on {path}, which builds the {topic} state.',
    'So {path} owns {topic}; nothing else writes it.',
    'The culprit for {topic} is {path}.',
    'For {topic}, {path} has to change and nothing else.',
  ],
  edited: [
    'Reworking {topic} a bit.',
    'Here comes the {topic} change.',
    'Small step: {topic} gets a guard.',
    '{topic} was wired the wrong way round.',
  ],
};

export const commands = {
  lines: [
    'cargo nextest run -E test({stem})',
    './gradlew :{stem}:check --offline',
    'bundle exec rspec spec/{stem}',
    'bazel test //{dir}:{stem}_test',
    'mvn -q -pl {stem} verify',
    'python -m {stem}.selfcheck --full',
    'just verify {stem}',
    'terraform plan -target=module.{stem}',
    'mix test test/{stem}_test.exs',
  ],
  user: [
    '`{command}` tells you whether {topic} holds',
    'the gate for {topic} is `{command}`',
    'do a `{command}` after any {topic} work',
    'can you do `{command}` now, for {topic}',
    'what does `{command}` give for {topic}?',
  ],
  agent: [
    'Checking {topic} end to end.',
    'Gate for {topic} next.',
    'Does {topic} hold? Trying.',
    'Time to see what {topic} does.',
  ],
  passed: [
    '{n} examples, 0 failures',
    'OK ({n} assertions)',
    'done, {n} targets up to date',
    'Finished in {n} ms\nall green',
  ],
  failed: [
    '{n} examples, 2 failures',
    'verification stopped: {n} of 900 done',
    'task failed, {n} lines of log',
    'Finished in {n} ms\n1 red',
  ],
  after: {
    passed: ['{topic} holds.', 'Good, the gate is open.', 'No complaints from that side.'],
    failed: [
      '{topic} does not hold yet; noted.',
      'To be continued: this gate is closed.',
      'Not good. {topic} goes back on the pile.',
    ],
  },
  trivial: [
    'ls -la {dir}',
    'git branch -a',
    'sed -n 1,40p {near}',
    'git show --stat',
    'tail -5 {near}',
    'stat {near}',
    'rg {stem} {dir}',
    'git remote -v',
    'tree -L 2 {dir}',
    'df -h .',
    'git blame {near}',
    'env | sort',
  ],
};

export const numbers = {
  measures: [
    { what: 'cold start of {topic}', words: ['cold start', '{topic}'], unit: 'ms' },
    { what: '{topic} error rate', words: ['{topic} error rate'], unit: 'ppm' },
    { what: 'queue depth of {topic} at noon', words: ['queue depth', '{topic}'], unit: 'jobs' },
    { what: 'allocations of {topic}', words: ['allocations', '{topic}'], unit: 'KiB' },
    { what: 'download of {topic}', words: ['download', '{topic}'], unit: 'MiB' },
    { what: '{topic} boot', words: ['{topic} boot'], unit: 's' },
  ],
  agent: [
    '{what}: now {value} {unit}, five runs.',
    'I get {value} {unit} as the {what}.',
    'Result for the {what} is {value} {unit}; I will compare with that later on.',
    'That brings the {what} to {value} {unit}.',
    'The tool reports {value} {unit} ({what}).',
  ],
  user: [
    '{value} {unit} is what the contract says about the {what}',
    'keep the {what} below {value} {unit}',
    'they complained about the {what}, it was {value} {unit} on their machine',
    '{what}: no more than {value} {unit}',
  ],
  noise: ['[{metric}] {other} {unit}', '{other} {unit} ({metric})', '{metric} -> {other}'],
  metrics: [
    'lowest',
    'highest',
    'median',
    'jitter',
    'dry run',
    'cycles',
    'page faults',
    'sockets',
    'redo',
    'chunk',
  ],
  guesses: [
    'It felt like {other} {unit}, not measured.',
    'An earlier version may have had {other} {unit}.',
  ],
};

export const errors = {
  messages: [
    'thread main panicked at {stem}: called unwrap on None',
    'NoMethodError: undefined method {stem}',
    'java.lang.IllegalStateException: {name} already closed',
    'fatal: {stem} refused the handshake',
    'checksum of {stem} differs in block {n}',
    'unknown field {stem}_ref',
    'segfault in {stem}_step at 0x{n}',
  ],
  open: [
    '{topic} keeps failing like this and I do not know the cause.',
    'Parking the {topic} failure: not understood.',
    'No idea so far what upsets {topic}; open.',
    'The {topic} thing stays on my list.',
  ],
  fixes: [
    {
      say: '{topic} works again since {fix} is read first; that was the whole trouble.',
      words: ['{fix}'],
    },
    { say: 'Cause found, {fix} was empty. Filled, and {topic} runs.', words: ['{fix}'] },
    { say: 'After raising {fix} the {topic} failure is gone.', words: ['{fix}'] },
    { say: '{topic} had an outdated {fix}. Replaced it, all well.', words: ['{fix}'] },
  ],
  fixNames: ['{stem}_token_ttl', '{stem}.keystore', '{stem}_max_open', '{stem}-manifest'],
  noise: [
    '[warn] {other}: slow handshake',
    'E0001 {other} is not fatal',
    'skipping {other}: no such key',
    'Caused by: {other} (suppressed)',
    'lint: {other} never read',
  ],
};
