import { describe, expect, it } from 'vitest';
import { observation } from '../../src/capture/observation.ts';
import { choose } from '../../src/recall/choose.ts';
import { steeringText } from '../../src/recall/injection.ts';
import type { Item, Kind } from '../../src/recall/item.ts';
import { explainRecall, type RecallSource, recallText } from '../../src/recall/recall.ts';
import { renderRecall } from '../../src/recall/render.ts';
import { repeats, unrepeated, without } from '../../src/recall/repeats.ts';
import { Script } from '../capture/support/script.ts';
import { eventsOf } from '../mcp/support.ts';
import { openTestProject } from '../support.ts';
import { importRecords } from '../tell.ts';

const HEADING = { about: 'What there was.', upto: 99, now: 0 };

const item = (kind: Kind, text: string, seq: number, more: Partial<Item> = {}): Item => ({
  ...{ kind, text, seq, at: seq, key: `${kind} ${seq}`, worth: 50 },
  ...more,
});

describe('a line says all of another one', () => {
  const FIGURE = 'parsed rows: 4517 per second';
  it.each([
    ['as its output', `\`npm run bench\` → exit 0: ${FIGURE}`],
    ['as a sentence of it, in another case', `Done so far. Parsed rows: 4517 per second. Next.`],
    ['as what was answered', `Which figure counts? → ${FIGURE}`],
    ['in quotes', `it printed "${FIGURE}" again`],
  ])('%s', (_, text) => {
    expect(repeats(item('finding', `${FIGURE}.`, 1), item('finding', text, 2))).toBe(true);
  });

  it('however short, where it is the output of the same event', () => {
    const run = item('command', '`npm run bench` → exit 0: peak 212 MB', 5);
    expect(repeats(item('finding', 'peak 212 MB', 5), run)).toBe(true);
    expect(repeats(item('finding', 'peak 212 MB', 4), run)).toBe(false);
  });

  it.each([
    ['as a part of a sentence that may say the contrary', `never say parsed rows: 4517 per second`],
    ['with a condition behind it', `${FIGURE}, but only once`],
    ['as the start of a longer figure', `It is parsed rows: 4517 per second2`],
    ['when it turned out wrong', `refuted by @9: ${FIGURE}`],
  ])('but not %s', (_, text) => {
    expect(repeats(item('finding', FIGURE, 1), item('finding', text, 2))).toBe(false);
  });

  it('also within a sentence, where both are of one event', () => {
    const whole = item('prompt', 'Look at it, use the second key only, thanks', 7);
    expect(repeats(item('correction', 'use the second key only', 7), whole)).toBe(true);
    expect(repeats(item('correction', 'use the second key only', 6), whole)).toBe(false);
  });

  it('but what the user laid down is not told by the agent’s words', () => {
    const rule = item('rule', 'Never use a library for dates.', 1);
    expect(repeats(rule, item('decision', 'Decision: never use a library for dates.', 2))).toBe(
      false,
    );
  });
});

describe('a text without what is told elsewhere', () => {
  it('keeps the other sentences, with a mark between them', () => {
    const told = [{ text: 'Never force-push.', seq: 1 }];
    expect(without('Port it. Never force-push! Ask me then.', told, 1)).toBe(
      'Port it. … Ask me then.',
    );
    expect(without('Never force-push. Port it.', told, 1)).toBe('Port it.');
    expect(without('Never force-push.', told, 1)).toBe('');
    expect(without('Port it.', told, 1)).toBe('Port it.');
  });
});

describe('lines that are chosen', () => {
  const figure = item('finding', 'parsed rows: 4517 per second.', 35, { worth: 90 });
  const run = item('command', '`npm run bench` → exit 0: parsed rows: 4517 per second', 34, {
    brief: '`npm run bench` → exit 0',
  });

  it.each([
    ['most', [figure, run]],
    ['least', [{ ...figure, worth: 5 }, run]],
  ])('tell a figure that is worth %s once, with both of its events', (_, items) => {
    const { text, items: given } = choose(items, 2000, HEADING);
    expect(text.match(/4517/g)).toHaveLength(1);
    expect(text).toContain(`\n@34 @35 ${run.text}\n`);
    expect(given.map(({ key, inLineOf }) => [key, inLineOf])).toEqual([
      [run.key, undefined],
      [figure.key, run.seq],
    ]);
  });

  it('cite one event once, and no more than four', () => {
    const same = [1, 2, 3, 4, 5, 6].map((n) => item('finding', figure.text, n, { key: `f${n}` }));
    expect(choose([...same, run], 2000, HEADING).text).toContain('\n@1 @2 @3 @34 `npm');
    const own = { ...figure, seq: 34 };
    expect(choose([own, run], 2000, HEADING).text).toContain('\n@34 `npm');
  });

  it('tell the figure by itself where the command has no room', () => {
    const long = {
      ...run,
      text: `\`npm run ${'x'.repeat(400)}\` → exit 0: parsed rows: 4517 per second`,
    };
    const { text, items } = choose([figure, long], 400, HEADING);
    expect(text).toContain(`@35 ${figure.text}`);
    expect(items).toEqual([figure]);
  });

  it('tell a command without its output where a line that says more has that', () => {
    const more = item('finding', 'After the fix: parsed rows: 4517 per second. It was 900.', 36);
    const { text } = choose([run, more], 2000, HEADING);
    expect(text).toContain('@34 `npm run bench` → exit 0\n');
    expect(text.match(/4517/g)).toHaveLength(1);
  });

  it('tell of each of two commands that they ended alike', () => {
    const [one, two] = ['a', 'b'].map((name, n) =>
      item('command', `\`make ${name}\` → exit 0: all 31 tests passed`, n + 1, {
        brief: `\`make ${name}\` → exit 0`,
      }),
    );
    expect(choose([one!, two!], 2000, HEADING).text.match(/all 31 tests passed/g)).toHaveLength(2);
  });

  it('are no longer than they may be, whatever they cite', () => {
    const all = Array.from({ length: 40 }, (_, n) => {
      const text = `finding of its own number ${n}.`;
      return [item('finding', text, 100 + n), item('decision', `Decided: ${text}`, 200 + n)];
    }).flat();
    for (let max = 300; max < 2000; max += 37)
      expect(choose(all, max, HEADING).text.length).toBeLessThanOrEqual(max);
  });
});

it('what was given before takes the same out of a prompt, and the output of a command', () => {
  const given = [item('finding', 'parsed rows: 4517 per second', 35)];
  const run = item('command', '`npm run bench` → exit 0: parsed rows: 4517 per second', 34, {
    brief: '`npm run bench` → exit 0',
  });
  expect(unrepeated(run, given)).toMatchObject({ text: '`npm run bench` → exit 0' });
  const said = item('prompt', 'Note this. Parsed rows: 4517 per second. Go on with the rest.', 40);
  expect(unrepeated(said, given)).toMatchObject({ text: 'Note this. … Go on with the rest.' });
  expect(unrepeated(item('finding', 'Parsed rows: 4517 per second!', 50), given)).toBeNull();
  const other = item('finding', 'Something else was found out.', 51);
  expect(unrepeated(other, given)).toBe(other);
});

/** A session of a script, imported. */
const held = (records: readonly string[]) => importRecords(openTestProject(), records);

/** A measured figure that the agent says again, and a rule stated in the first prompt. */
function measured(): string[] {
  const script = new Script();
  return [
    script.prompt(
      'Make the import faster. Never use a library for dates. Start with parse.ts.',
      'p1',
    ),
    script.calls('t1', 'Bash', { command: 'npm run bench' }),
    script.result('t1', 'the parser read 4517 rows per second'),
    script.says('the parser read 4517 rows per second.'),
    script.prompt('Good, now look at the writer, too.', 'p2'),
    script.says('I will.'),
    script.prompt('And at the reader behind it.', 'p3'),
    script.says('I will.'),
  ];
}

describe('of a session', () => {
  const times = (text: string, part: string) => text.split(part).length - 1;

  it('a rule is told once, and the prompt that it was stated in without it', () => {
    const { text } = recallText(held(measured()), { source: 'compact', session: 's' });
    expect(times(text, 'Never use a library for dates')).toBe(1);
    expect(text).toMatch(/^@\d+ Make the import faster\. … Start with parse\.ts\.$/m);
  });

  it('a figure and the output that it stands in are told once', () => {
    const { text, considered } = explainRecall(held(measured()), {
      source: 'compact',
      session: 's',
    });
    expect(times(text, '4517 rows')).toBe(1);
    const inOther = considered.filter(({ inLineOf }) => inLineOf !== null);
    expect(inOther.map(({ item: one, given, chars }) => [one.text, given, chars])).toEqual([
      ['the parser read 4517 rows per second.', true, 0],
    ]);
  });

  it('nothing that a compaction by hand showed the model is given at the start after it, nor what that gave with the prompt', () => {
    const project = held(measured());
    const where = { session: 's', agent: null, at: Date.now() };
    const append = (...seen: ReturnType<typeof observation>[]) =>
      project.recorder.append(seen.map((one) => project.recorder.event(one, 'hook')));
    const gave = (event: string, source: string, items: readonly Item[]) => {
      const refs = items.map(({ kind, seq, key }) => ({ kind, seq, key }));
      append(observation('recall.injected', null, where, { event, source, chars: 1, items: refs }));
    };
    append(observation('compaction.started', null, where, { trigger: 'manual' }));
    const steering = steeringText(project, 's');
    gave('PreCompact', 'steering', steering.items);
    append(observation('session.started', null, where, { source: 'compact', worktree: '/app' }));
    const of = (source: RecallSource) =>
      recallText(project, { source, session: 's', wasShown: () => true });
    const start = of('compact');
    gave('SessionStart', 'compact', start.items);
    const all = [steering.text, start.text, of('prompt').text].join('\n');
    expect(steering.text).toContain(
      '`npm run bench` → exit 0: the parser read 4517 rows per second',
    );
    expect(times(all, '4517 rows')).toBe(1);
    expect(times(all, 'Never use a library for dates')).toBe(1);
  });

  it('what failed and was mended cites the failure, and behind it what shows that it was mended', () => {
    const script = new Script();
    const project = held([
      script.prompt('Make the site.', 'p1'),
      script.calls('t1', 'Bash', { command: 'make site' }),
      script.result('t1', 'Error: no base.html', { is_error: true }),
      script.calls('t2', 'Bash', { command: 'make site' }),
      script.result('t2', 'built'),
      script.says('The cause was a stale template_dir.'),
    ]);
    const { text } = recallText(project, { source: 'compact', session: 's' });
    const [, failure, cause] = /^@(\d+) @(\d+) Error: no base\.html/m.exec(text) ?? [];
    const eventOf = (seq: string | undefined) =>
      eventsOf(project.dir).find((event) => event.seq === Number(seq));
    expect(JSON.stringify(eventOf(failure))).toContain('Error: no base.html');
    expect(JSON.stringify(eventOf(cause))).toContain('The cause was a stale template_dir.');
  });
});

it('a line cites its events in their order, each once', () => {
  const cited = item('finding', 'parsed rows', 12, { cites: [7, 12, 30] });
  expect(renderRecall([cited], HEADING)).toContain('\n@7 @12 @30 parsed rows\n');
});
