import { describe, expect, it } from 'vitest';
import { type Explained, explainRecall } from '../../src/recall/recall.ts';
import { preferences } from '../../src/timetravel/preferences.ts';
import { line, Script } from '../capture/support/script.ts';
import { openTestProject } from '../support.ts';
import { importRecords } from '../tell.ts';

const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";

const imported = (records: readonly string[]) => importRecords(openTestProject(), records);

interface Given {
  text: string;
  /** What there was to choose from, as `kind: text`. */
  lines: string[];
  of: (part: string) => Explained | undefined;
}

function givenOf(records: readonly string[]): Given {
  const { text, considered } = explainRecall(imported(records), {
    source: 'compact',
    session: 's',
  });
  const lines = considered.map(({ item }) => `${item.kind}: ${item.text}`);
  return { text, lines, of: (part) => considered.find(({ item }) => item.text.includes(part)) };
}

/** The seq of a line's event, as the text cites it. */
const cited = (text: string, part: string): number => {
  const line = text.split('\n').find((one) => one.includes(part)) ?? '';
  return Number(/^@(\d+) /.exec(line)?.[1] ?? Number.NaN);
};

describe('what the user decides when they are asked', () => {
  it('is a decision with its question, given back and cited', () => {
    const script = new Script();
    const question = 'Which database should the store use?';
    const questions = [{ question, options: [{ label: 'Postgres' }, { label: 'SQLite' }] }];
    const { text, lines } = givenOf([
      script.prompt('Set up the store.', 'p1'),
      script.calls('t1', 'AskUserQuestion', { questions }),
      script.result('t1', `User has answered your questions: "${question}"="SQLite".`),
      script.says('Starting.'),
    ]);
    expect(lines).toContain(`decision: the user was asked “${question}” → SQLite`);
    expect(cited(text, `“${question}” → SQLite`)).toBeGreaterThan(1);
  });

  it('is a plan with its paths and figures once they approved it', () => {
    const script = new Script();
    const plan =
      '# Plan\n1. Move the session store to SQLite in store/sqlite.go\n2. Delete legacy/session.go\n3. p99 below 2.5 ms';
    const { text, lines } = givenOf([
      script.prompt('Set up the store.', 'p1'),
      script.calls('t1', 'ExitPlanMode', { plan }),
      script.result(
        't1',
        `User has approved your plan. You can now start coding.\n\n## Approved Plan:\n${plan}`,
      ),
      script.says('Starting.'),
    ]);
    expect(
      lines.filter((one) => one.startsWith('decision: plan that the user approved')),
    ).toHaveLength(1);
    for (const part of ['store/sqlite.go', 'Delete legacy/session.go', 'p99 below 2.5 ms'])
      expect(text).toContain(part);
  });
});

describe('a call that the user refused', () => {
  const refusedWith = (words: string) => {
    const script = new Script();
    return [
      script.prompt('Clean the repository.', 'p1'),
      script.calls('t1', 'Bash', { command: 'rm -rf data/' }),
      script.result('t1', `${REFUSED} ${words}`, { is_error: true }),
      script.says('Understood.'),
    ];
  };

  it('is the user’s rule, not a command that failed', () => {
    const { text, lines } = givenOf(
      refusedWith(
        'To tell you how to proceed, the user said:\nnever delete data/, it is the only copy of the 2019 measurements',
      ),
    );
    expect(lines).toContain(
      'rule: never delete data/, it is the only copy of the 2019 measurements',
    );
    expect(lines).toContain('correction: refused by the user: `rm -rf data/`');
    expect(lines.filter((one) => one.startsWith('error:'))).toEqual([]);
    expect(text).not.toContain('doesn');
  });

  it('is a correction with the call that it is about where the words are no rule', () => {
    const { lines } = givenOf(
      refusedWith('To tell you how to proceed, the user said:\nthe 2019 measurements are in there'),
    );
    expect(lines.filter((one) => one.includes('2019'))).toEqual([
      'correction: refused by the user: `rm -rf data/` → the 2019 measurements are in there',
    ]);
  });

  it('is believed of a server’s tool where the client itself says that it was the user', () => {
    const said = `${REFUSED} To tell you how to proceed, the user said:\nthe ledger of 2019 is in there`;
    const dropped = (toolUseResult: string) => {
      const script = new Script();
      const calls = script.calls('t1', 'mcp__db__drop_table', { table: 'ledger' });
      const result = JSON.parse(script.result('t1', said, { is_error: true }));
      return givenOf([
        script.prompt('Clean the database.', 'p1'),
        calls,
        line({ ...result, toolUseResult }),
        script.says('Understood.'),
      ]).lines.filter((one) => one.includes('ledger of 2019'));
    };
    const [refused, ...others] = dropped('User rejected tool use');
    expect(refused).toMatch(
      /^correction: refused by the user: mcp__db__drop_table.* → the ledger of 2019/,
    );
    expect(others).toEqual([]);
    for (const one of dropped(`Error: ${said}`)) expect(one).not.toMatch(/^(?:correction|rule):/);
  });

  it('is told as refused, and no more, where they said nothing', () => {
    const { lines } = givenOf(
      refusedWith('STOP what you are doing and wait for the user to tell you how to proceed.'),
    );
    expect(lines.filter((one) => one.includes('data/'))).toEqual([
      'correction: refused by the user: `rm -rf data/`',
    ]);
  });
});

describe('a rule that the user takes back', () => {
  it('is no rule any more, neither given back nor listed, and that it was taken back is', () => {
    const script = new Script();
    const records = [
      script.prompt(
        'Please always run make fmt before you commit. We use pnpm here, not npm.',
        'p1',
      ),
      script.says('Yes.'),
      script.prompt('Forget the rule about make fmt, CI does it now.', 'p2'),
      script.says('Yes.'),
      script.prompt('pnpm rule no longer applies, switch to bun', 'p3'),
      script.says('Yes.'),
    ];
    const { lines } = givenOf(records);
    expect(lines.filter((one) => one.startsWith('rule:')).sort()).toEqual([
      'rule: Forget the rule about make fmt, CI does it now.',
      'rule: pnpm rule no longer applies, switch to bun',
    ]);
    const listed = preferences(imported(records)).filter(({ kind }) => kind !== 'correction');
    expect(listed.map(({ text }) => text)).toEqual([
      'Forget the rule about make fmt, CI does it now.',
      'pnpm rule no longer applies, switch to bun',
    ]);
  });
});

describe('a guess that turned out wrong', () => {
  it('is never told without saying so, and the correction outranks it', () => {
    const script = new Script();
    const { text, of } = givenOf([
      script.prompt('Find out why it crashes.', 'p1'),
      script.says('I think the crash is caused by the cache TTL of 30 s in src/cache.ts.'),
      script.prompt('wrong guess. the crash is from the double free in addon.cc:212', 'p2'),
      script.says('I see.'),
      script.prompt('Go on with the next one.', 'p3'),
      script.prompt('And the one after it.', 'p4'),
    ]);
    const guess = of('cache TTL')!.item;
    const correction = of('double free')!.item;
    expect(guess.text).toMatch(/^refuted by @\d+: /);
    expect(guess.text).toContain(`@${correction.seq}:`);
    expect(correction).toMatchObject({
      kind: 'correction',
      text: 'wrong guess. the crash is from the double free in addon.cc:212',
    });
    expect(correction.worth).toBeGreaterThan(2 * guess.worth);
    for (const line of text.split('\n').filter((one) => one.includes('cache TTL')))
      expect(line).toContain('refuted by');
  });
});

describe('what the user says in short, after the agent’s turn', () => {
  it.each([
    'ne, kein regex. handgeschriebener tokenizer wie in src/csv.ts. max 64 KiB puffer',
    'lass das mit redis. wir nehmen valkey 7.2.5',
    'the cap is 8 attempts. customer contract says 90 s total, section 4.2',
    'lets go with exponential backoff, fixed delay hammers the broker',
    '期待値は古いままです。R を変えました',
  ])('is there to be given back, every sentence of it, for a fair worth: %s', (said) => {
    const script = new Script();
    const { of } = givenOf([
      script.prompt('Fix the parser in src/parse.ts.', 'p1'),
      script.says('I use a regular expression.'),
      script.prompt(said, 'p2'),
      script.says('Done.'),
      ...Array.from({ length: 6 }, (_, n) =>
        script.prompt(`now look at case ${n}, please`, `q${n}`),
      ),
    ]);
    for (const sentence of said.split(/(?<=\.)\s+|(?<=。)/)) {
      const found = of(sentence) ?? of(sentence.replace(/\.$/, ''));
      expect(found, sentence).toBeDefined();
      expect(found!.item.worth, sentence).toBeGreaterThan(15);
    }
  });

  it('is worth less where it only asks, or tells to go on', () => {
    const script = new Script();
    const { of } = givenOf([
      script.prompt('Fix the parser in src/parse.ts.', 'p1'),
      script.says('Done.'),
      script.prompt('ok, go on with the next one please', 'p2'),
      script.prompt('why is it that slow?', 'p3'),
      script.says('It reads all.'),
      ...Array.from({ length: 6 }, (_, n) => script.prompt(`and look at case ${n}`, `q${n}`)),
    ]);
    expect(of('go on')!.item.worth).toBeLessThan(15);
    expect(of('why is it')!.item.worth).toBeLessThan(15);
  });
});

describe('what is left of a prompt whose rule has a line of its own', () => {
  it('is not told where it is a word or two that name nothing', () => {
    const script = new Script();
    const { lines } = givenOf([
      script.prompt('Build the report.', 'p1'),
      script.says('Done.'),
      script.prompt('LISTEN. Never mock the clock in the report tests.', 'p2'),
      script.says('Noted.'),
      script.prompt('Look at src/report/clock.ts. Never use floats for amounts.', 'p3'),
      script.says('Noted.'),
      script.prompt('Go on.', 'p4'),
      script.says('Going on.'),
      script.prompt('And on.', 'p5'),
    ]);
    expect(lines.join('\n')).toMatch(/rule: never mock the clock/i);
    expect(lines.join('\n')).not.toContain('LISTEN');
    expect(lines.join('\n')).toContain('src/report/clock.ts');
  });
});

describe('a prompt that only says to go on', () => {
  it('is given only as the last one, beside what it goes on with', () => {
    const script = new Script();
    const { text } = givenOf([
      script.prompt('Build the export of all orders as a table.', 'p1'),
      script.says('Done.'),
      script.prompt('Go on, please.', 'p2'),
      script.says('Done.'),
      script.prompt('fix the totals', 'p3'),
      script.says('Done.'),
      script.prompt('Continue.', 'p4'),
      script.says('Done.'),
    ]);
    expect(text).toContain('Build the export of all orders');
    expect(text).toMatch(/fix the totals\n@\d+ Continue/);
    expect(text).not.toContain('Go on');
  });
});
