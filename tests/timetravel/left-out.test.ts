import { describe, expect, test } from 'vitest';
import type { EventType } from '../../src/events/types.ts';
import type { Project } from '../../src/project/open.ts';
import { paged } from '../../src/timetravel/give.ts';
import { restore } from '../../src/timetravel/restore.ts';
import { saw, tell } from '../tell.ts';
import { testProject } from './project.ts';

const SESSION = '0c19ab12-0000-4000-8000-000000000000';

function recorded(events: readonly [EventType, object][]): Project {
  const project = testProject();
  const about = (index: number) => ({ session: SESSION, at: 5 + index });
  tell(project, ...events.map(([type, data], index) => saw(type, data as never, about(index))));
  return project;
}

/** A session in which so many things were decided, ruled and run, each as an event of its own. */
const busy = (count: number, rules = 0): Project =>
  recorded([
    ...Array.from({ length: rules }, (_, n): [EventType, object] => [
      'prompt.submitted',
      { text: `Never use the word foo${n}.` },
    ]),
    ['prompt.submitted', { text: 'Go on.' }],
    ...Array.from({ length: count }, (_, n): [EventType, object] => [
      'message.recorded',
      { role: 'assistant', kind: 'text', text: `I decided to use way ${n} for part ${n}.` },
    ]),
  ]);

/** The command that a line of a restore names, as options. */
function named(text: string, what: string) {
  const match = new RegExp(
    `\\((\\d+) older ${what}s?: ben10 restore (@\\d+) --only (\\w+) --session (\\S+)\\)`,
  ).exec(text)!;
  const [, count, point, part, session] = match;
  const options = { mode: 'selective', parts: [part as 'decisions'], session } as const;
  return { count: Number(count), options: { ...options, point } };
}

describe('what a state does not hold any more', () => {
  test('is counted, and a way leads to all of it', () => {
    const project = busy(180);
    const budgetTokens = 20_000;
    const first = restore(project, { mode: 'full', budgetTokens }).text;
    expect(first).toContain('way 80 for part 80');
    expect(first).not.toMatch(/^@\d+ I decided to use way 79 /m);
    const { count, options } = named(first, 'decision');
    expect(count).toBe(80);
    const before = restore(project, { ...options, budgetTokens }).text;
    for (let n = 0; n < 80; n += 1) expect(before).toContain(`way ${n} for part ${n}.`);
    expect(before).not.toContain('way 80 ');
    expect(before).not.toContain('older');
  });

  test('is counted of rules and messages as well', () => {
    const project = busy(320, 130);
    const page = (n: number) =>
      restore(project, { mode: 'full', point: '@450', budgetTokens: 20_000, page: n });
    const { pages } = page(1);
    const text = Array.from({ length: pages }, (_, n) => page(n + 1).text).join('\n');
    const rules = named(text, 'rule');
    expect(rules.count).toBe(30);
    const older = restore(project, { ...rules.options, budgetTokens: 20_000 }).text;
    for (let n = 0; n < 30; n += 1) expect(older).toContain(`Never use the word foo${n}.`);
    const messages = named(text, 'message');
    expect(messages.count).toBe(150);
    expect(restore(project, { ...messages.options, budgetTokens: 20_000 }).text).toContain(
      'user: Never use the word foo0.',
    );
  });

  test('is not spoken of where the state holds everything', () => {
    const project = busy(100);
    expect(restore(project, { mode: 'full', budgetTokens: 20_000 }).text).not.toContain('older');
  });
});

describe('a summary', () => {
  test('says how much of what it left out, within its budget', () => {
    const project = busy(180, 20);
    for (const budgetTokens of [250, 400, 1_000]) {
      const { text, tokens } = restore(project, { mode: 'summary', budgetTokens });
      expect(tokens).toBeLessThanOrEqual(budgetTokens);
      expect(tokens).toBeGreaterThanOrEqual(budgetTokens * 0.95);
      const [, decisions] = /Left out: .*?(\d+) decisions/.exec(text)!;
      const told = text.match(/^@\d+ I decided.*\.$/gm) ?? [];
      const cut = text.match(/^@\d+ I decided.*…$/gm) ?? [];
      // Those that the agent said as such are in the same words: each is told once as an answer, and once as a decision.
      const [section] = /Decisions that the agent stated:\n((?:@.*\n)*)/.exec(text) ?? [''];
      const inSection = (section.match(/^@/gm) ?? []).length;
      expect(told.length + cut.length).toBeGreaterThanOrEqual(inSection);
      expect(Number(decisions)).toBe(180 - inSection);
      expect(text).toContain('a full restore has them');
    }
  });

  test('names what is worth most first, and puts the rest in one number where there is no room', () => {
    const call = (name: string, n: number): [EventType, object] => [
      'tool.called',
      { toolUseId: `${name}${n}`, name, input: { command: `run ${n}`, file_path: `/p/${n}` } },
    ];
    const outcome = (name: string, n: number): [EventType, object] => [
      'tool.succeeded',
      { toolUseId: `${name}${n}`, name, response: 'done' },
    ];
    const project = recorded(
      [
        ...Array.from({ length: 40 }, (_, n): [EventType, object] => [
          'prompt.submitted',
          { text: `Never use the word foo${n}.` },
        ]),
        ...Array.from({ length: 5 }, (_, n): [EventType, object][] => [
          ['message.recorded', { role: 'assistant', kind: 'text', text: `I looked at part ${n}.` }],
          ['prompt.submitted', { text: `No, not part ${n}, the other one.` }],
        ]),
        ...Array.from({ length: 20 }, (_, n) =>
          ['Bash', 'Read', 'Glob'].map((one) => call(one, n)),
        ),
        ...Array.from({ length: 20 }, (_, n) =>
          ['Bash', 'Read', 'Glob'].map((one) => outcome(one, n)),
        ),
      ].flatMap((one) => (typeof one[0] === 'string' ? [one] : one) as [EventType, object][]),
    );
    const small = restore(project, { mode: 'summary', budgetTokens: 200 }).text;
    expect(small).toMatch(/Left out: \d+ rules.*; a full restore has them/);
    expect(small).toMatch(/Left out: .*\d+ more lines;/);
  });

  test('says nothing of it where nothing was left out', () => {
    expect(restore(busy(3), { mode: 'summary' }).text).not.toContain('Left out');
  });
});

describe('pages', () => {
  const bytes = (text: string) => Buffer.byteLength(text);

  test('are full where a long line follows a short one, and none is empty or begins with an empty line', () => {
    const lines = ['short', '', 'Conversation:', 'x'.repeat(3_000), '', 'y'.repeat(900), '', 'z'];
    const pages = paged(lines, 1_000);
    expect(pages).toHaveLength(4);
    for (const page of pages) {
      expect(bytes(page)).toBeLessThanOrEqual(1_000);
      expect(page).not.toMatch(/^\n|^$/);
    }
    for (const page of pages.slice(0, 3)) expect(bytes(page)).toBeGreaterThan(900);
    expect(pages.join('').replace(/\n/g, '')).toBe(lines.join(''));
  });

  test('hold something also where there is hardly any room', () => {
    expect(paged(['äöü'.repeat(20)], 10).join('')).toBe('äöü'.repeat(20));
    expect(paged([''], 10)).toEqual(['']);
  });

  test('of a conversation start with what was said, and a larger budget is named where they are many', () => {
    const text = Array.from({ length: 2_000 }, (_, n) => `word${n}`).join(' ');
    const said: [EventType, object] = [
      'message.recorded',
      { role: 'assistant', kind: 'text', text },
    ];
    const project = recorded([['prompt.submitted', { text: 'Go on.' }], said]);
    const options = { mode: 'selective', parts: ['conversation'] } as const;
    const first = restore(project, { ...options, budgetTokens: 300 });
    expect(first.text).toContain('word0 word1 ');
    expect(first.pages).toBeGreaterThan(20);
    expect(first.text.split('\n')[0]).toContain('A larger budget gives fewer pages.');
    expect(first.tokens).toBeLessThanOrEqual(300);
    expect(restore(project, options).text).not.toContain('A larger budget');
  });
});

test('what ben10 gave itself for a compaction is not told as something that was said', () => {
  const block = '<ben10-recall-3ed6df51 upto="@51">\nNever push.\n</ben10-recall-3ed6df51>';
  const project = recorded([
    ['prompt.submitted', { text: `What is ${block}?` }],
    [
      'message.recorded',
      { role: 'user', kind: 'command', text: `Compacted\nPreCompact said: ${block} after` },
    ],
  ]);
  const { text } = restore(project, { mode: 'full' });
  expect(text).toContain('PreCompact said: (what ben10 recalled up to @51) after');
  // What a person typed is theirs, whatever it looks like.
  expect(text).toMatch(/user: What is .ben10-recall-3ed6df51 upto="@51">\n {2}Never push\./);
  expect(text.slice(text.indexOf('system:'))).not.toContain('Never push');
});
