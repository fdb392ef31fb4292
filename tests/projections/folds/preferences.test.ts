import { encode } from '@msgpack/msgpack';
import { describe, expect, it, test } from 'vitest';
import type { Fact } from '../../../src/projections/contract.ts';
import { context } from '../../../src/projections/folds/context.ts';
import { isAboutTool, isCorrection } from '../../../src/projections/folds/corrections.ts';
import { isRule } from '../../../src/projections/folds/rules.ts';
import { factOf, foldOf } from '../support/telling.ts';

const said = (text: string, fields: Partial<Fact> = {}): Fact =>
  factOf('prompt.submitted', { text }, fields);
const answered = (): Fact =>
  factOf('message.recorded', { role: 'assistant', kind: 'text', text: 'Done.' });
const retracted = (data: { key: string; text?: string }): Fact =>
  factOf('preference.retracted', data);
const preferencesOf = (...facts: Fact[]) => foldOf(context, facts).preferences;

describe('a correction', () => {
  test.each([
    'No, the dates are in UTC.',
    'No - use the other helper.',
    'Wrong file.',
    'Not like that.',
    "That's not what I asked for.",
    'That is wrong, the port is 8080.',
    'This isn’t right.',
    'It is still not correct.',
    'You forgot the tests.',
    'You should have asked first.',
    'I said two spaces.',
    'As I said, only the parser.',
    'I meant the other function.',
    'Please undo that.',
    'Revert your last change.',
    'Actually, use the existing helper.',
  ])('%s', (sentence) => {
    expect(isCorrection(sentence)).toBe(true);
  });

  test.each([
    'Now add the tests.',
    'Nothing else.',
    'Notes go to docs.',
    'That is right.',
    "That's great, thank you.",
    'You can go on.',
    'I want a page for the settings.',
    'Is that wrong?',
    'No problem at all',
    'Node 20 is the oldest that we support.',
    'Undoing a change should be easy for the user.',
  ])('is not: %s', (sentence) => {
    expect(isCorrection(sentence)).toBe(false);
  });
});

test.each([
  ['Always use pnpm, never npm.', true],
  ['Use `just` to run things, not make.', true],
  ['Never run docker here.', true],
  ['Use rg instead of grep.', true],
  ['Never use globals.', false],
  ['Keep functions under 50 lines.', false],
  ['Never go to main directly.', false],
])('whether a rule is about a tool: %s', (rule, expected) => {
  expect(isRule(rule)).toBe(true);
  expect(isAboutTool(rule)).toBe(expected);
});

describe('what the user keeps asking for', () => {
  it('is of three kinds, each with the events that it was learnt from', () => {
    const first = said('Fix it. Never use globals. Always use pnpm, not npm.');
    const second = said('No, the dates are in UTC.');
    const third = said('never use  globals');
    const found = preferencesOf(first, answered(), second, third);
    expect(found.rules).toMatchObject([
      { text: 'never use  globals', count: 2, seqs: [first.seq, third.seq], seq: third.seq },
    ]);
    expect(found.tools).toMatchObject([{ text: 'Always use pnpm, not npm.', count: 1 }]);
    expect(found.corrections).toMatchObject([{ seqs: [second.seq] }]);
  });

  it('is nothing that the agent or a tool said, and no correction before there was anything to correct', () => {
    const message = { role: 'assistant', kind: 'text', text: 'Never use globals.' } as const;
    const error =
      "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nNever use tests.";
    expect(
      preferencesOf(
        said('No, the dates are in UTC.'),
        factOf('message.recorded', message),
        factOf('tool.failed', { toolUseId: 'of no call', error }),
        factOf('tool.called', { toolUseId: 't', name: 'Bash', input: { command: 'cat log' } }),
        factOf('tool.failed', { toolUseId: 't', error: `Exit code 1\n${error}` }),
      ),
    ).toEqual({ rules: [], tools: [], corrections: [] });
  });

  it('is gone once it was retracted, until it is said again', () => {
    const rule = said('Never use globals.');
    const { key, text } = preferencesOf(rule).rules[0]!;
    expect(preferencesOf(rule, retracted({ key })).rules).toEqual([]);
    // Its words count, whatever event stated it.
    expect(preferencesOf(rule, retracted({ key: '99.1', text: `${text}!` })).rules).toEqual([]);
    expect(preferencesOf(rule, retracted({ key: '99.1' })).rules).toHaveLength(1);
    const again = said('Never use globals!');
    expect(preferencesOf(rule, retracted({ key, text }), again).rules).toMatchObject([
      { key: `${again.seq}.1`, count: 1, seqs: [again.seq] },
    ]);
  });

  it('is gone in what a clear set aside, too', () => {
    const rule = said('Never use globals.');
    const { key } = preferencesOf(rule).rules[0]!;
    const cleared = factOf('context.cleared', { upto: rule.seq });
    const restored = factOf('context.restored', {
      point: '@1',
      mode: 'full',
      chars: 1,
      upto: rule.seq,
    });
    expect(preferencesOf(rule, cleared, restored).rules).toHaveLength(1);
    expect(preferencesOf(rule, cleared, retracted({ key }), restored).rules).toEqual([]);
  });

  it('is what was said on the branch that lives on', () => {
    const trace = (pos: number, more: object = {}) => ({ trace: { pos, ...more } });
    const facts = [
      factOf('prompt.submitted', { text: 'Never use globals.', ...trace(10) }),
      factOf('prompt.submitted', { text: 'Never use classes.', ...trace(20) }),
      factOf('prompt.submitted', { text: 'Go on.', ...trace(30, { rewoundTo: 15 }) }),
    ];
    expect(preferencesOf(...facts).rules.map(({ text }) => text)).toEqual(['Never use globals.']);
  });

  it('stays small however much is said', () => {
    const wide = '\u0800'.repeat(350);
    const facts = Array.from({ length: 300 }, (_, n) => [
      said(`Never use ${n} ${wide}.`),
      said(`No, use ${n} ${wide}.`),
      said(`Always use npm ${n} ${wide}.`),
    ]).flat();
    const found = preferencesOf(...facts);
    const lengths = [found.rules.length, found.tools.length, found.corrections.length];
    expect(lengths).toEqual([100, 50, 50]);
    expect(encode(found).length).toBeLessThan(300_000);
  });
});
