// What is done and shown, to develop with. Slots as in `said.mjs`, and {command}, {what} {value} {unit}, {fix}; {near} and
// {other} are of what only looks alike.
export const paths = {
  user: [
    'the {topic} settings live in {path}',
    '{path} is the file that decides about {topic}',
    'for {topic} start at {path}',
    'everything about {topic} is in {path}, the rest only calls it',
    'keep an eye on {path}, {topic} stands and falls with it',
    'you find {topic} in {path}',
  ],
  agent: [
    'Found it: the {topic} problem comes from {path}.',
    'The cause is in {path}: it reads the {topic} value twice.',
    '{path} is where {topic} is decided, so I will change it there.',
    'The {topic} trail ends at {path}.',
    'What we need for {topic} is in {path}, not where I looked first.',
  ],
  edited: [
    'Changing the {topic} handling.',
    'Now the {topic} part.',
    'I will put {topic} in its own function.',
    'The {topic} branch was missing.',
  ],
};

export const commands = {
  lines: [
    'npm run test:{stem}',
    'pytest tests/{stem} -q --maxfail=2',
    'make build-{stem}',
    'go test ./{dir}/... -run {name}',
    'cargo test -p {stem}',
    'scripts/check-{stem}.sh --strict',
    'npx tsx tools/{stem}.ts --apply',
    'alembic upgrade {stem}@head',
    'docker compose run --rm {stem}-tests',
  ],
  user: [
    'the {topic} checks run with `{command}`',
    'use `{command}` to try {topic}',
    'before you say that {topic} is done: `{command}`',
    'run `{command}` and tell me what {topic} says',
    '`{command}`, that is how we look at {topic}',
  ],
  agent: [
    'Running the {topic} checks.',
    'Let me try {topic} as a whole.',
    'Now the check that counts for {topic}.',
    'Does {topic} work?',
  ],
  passed: [
    'ran {n} checks, all fine',
    '{n} tests, {n} ok',
    'built in {n} ms',
    'collected {n} items\n{n} passed',
  ],
  failed: [
    '{n} tests, 3 not ok',
    'check failed after {n} steps',
    'build stopped at step {n}',
    'collected {n} items\n1 failed',
  ],
  after: {
    passed: ['{topic} is green now.', 'That passes.', 'Fine, on to the next thing.'],
    failed: [
      '{topic} still fails, I will come back to it.',
      'This one is not done yet.',
      'Red. I leave {topic} for after the rest.',
    ],
  },
  trivial: [
    'ls {dir}',
    'git status --short',
    'cat {near}',
    'git diff --stat',
    'head -20 {near}',
    'wc -l {near}',
    'grep -rn {stem} {dir}',
    'git log --oneline -5',
    'find {dir} -name "*.{ending}"',
    'du -sh {dir}',
    'git stash list',
    'which node',
  ],
};

export const numbers = {
  measures: [
    { what: 'p95 latency of the {topic} endpoint', words: ['p95', '{topic}'], unit: 'ms' },
    { what: 'size of the {topic} bundle', words: ['{topic} bundle'], unit: 'kB' },
    { what: 'memory peak of the {topic} worker', words: ['{topic} worker', 'memory'], unit: 'MB' },
    { what: 'rows that the {topic} job skipped', words: ['{topic} job', 'skipped'], unit: 'rows' },
    { what: 'throughput of {topic}', words: ['throughput', '{topic}'], unit: 'req/s' },
    { what: '{topic} build time', words: ['{topic} build'], unit: 's' },
  ],
  agent: [
    'Measured: {what} is {value} {unit}.',
    'The {what} came out at {value} {unit}, which is our baseline from here.',
    'With the change, {what}: {value} {unit}.',
    'We are at {value} {unit} for the {what}.',
    '{value} {unit}, that is the {what} as of now.',
  ],
  user: [
    'the limit for the {what} is {value} {unit}, that was agreed with the customer',
    'we promised {value} {unit} for {what}',
    'our target is {value} {unit} ({what})',
    'last time I looked the {what} was {value} {unit}, it must not get worse',
  ],
  noise: ['{metric} {other} {unit}', '{metric}: {other}{unit}', '{metric} = {other}'],
  metrics: [
    'min',
    'max',
    'p50',
    'stddev',
    'warmup',
    'iterations',
    'gc pause',
    'open handles',
    'retries',
    'batch',
  ],
  guesses: [
    'I would guess something like {other} {unit} for it.',
    'Before, it may have been around {other} {unit}.',
  ],
};

export const errors = {
  messages: [
    'TypeError: cannot read {stem} of undefined',
    'relation "{stem}" does not exist',
    'panic: {name}: index out of range',
    'ECONNREFUSED while opening {stem}',
    'AssertionError: {stem} mismatch at row {n}',
    'KeyError: {stem}_id',
    'error TS2339: Property {stem} does not exist on type Row',
  ],
  open: [
    'I could not find out yet why {topic} does that; leaving it for later.',
    'Still broken, the {topic} failure is not explained by this.',
    'I have no fix for the {topic} error yet.',
    'Let us postpone {topic}, this needs a second look.',
  ],
  fixes: [
    { say: 'Solved: the {topic} client was created before {fix} was loaded.', words: ['{fix}'] },
    {
      say: 'The reason was a stale {fix}; deleting it mended the {topic} error.',
      words: ['{fix}'],
    },
    { say: 'Setting {fix} made the {topic} error go away.', words: ['{fix}'] },
    {
      say: 'It was {fix}: two writers for {topic}. Now there is one and it works.',
      words: ['{fix}'],
    },
  ],
  fixNames: ['{stem}_env', '{stem}.lock', '{stem}_pool_size', '{stem}-schema'],
  noise: [
    'WARN {near}: deprecated call',
    'ERROR upstream {other} timed out, retrying',
    'notice: {other} skipped',
    'Error: {other} not registered (ignored)',
    'warning: unused {other}',
  ],
};
