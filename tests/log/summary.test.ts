import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/events/catalogue.ts';
import type { EventData, EventType } from '../../src/events/types.ts';
import { summaryOf } from '../../src/log/summary.ts';

const say = <T extends EventType>(type: T, data: EventData[T]): string => summaryOf({ type, data });

describe('the summary of an event', () => {
  it('says what a person would want to know of a tool call and its outcome', () => {
    const toolUseId = 't1';
    expect(say('tool.called', { toolUseId, name: 'Bash', input: { command: 'npm test' } })).toBe(
      'Bash npm test',
    );
    const input = { file_path: '/home/me/app/src/list/todo.js' };
    expect(say('tool.called', { toolUseId, name: 'Read', input })).toBe('Read …/list/todo.js');
    const response = { stdout: '3 passed\n0 failed', stderr: '' };
    expect(say('tool.succeeded', { toolUseId, name: 'Bash', response, durationMs: 1234 })).toBe(
      'Bash · 1.2 s · 3 passed',
    );
    const error = 'Exit code 3\nFAIL: todo.js';
    expect(say('tool.failed', { toolUseId, name: 'Bash', error, exitCode: 3 })).toBe(
      'Bash · exit 3 · FAIL: todo.js',
    );
  });

  it('says what was asked and answered, on one line', () => {
    expect(say('prompt.submitted', { text: 'Add due dates.\n\n  Keep them short.' })).toBe(
      'Add due dates. Keep them short.',
    );
    expect(say('message.recorded', { role: 'assistant', kind: 'text', text: 'Done.' })).toBe(
      'Done.',
    );
    const text = '<command-name>/compact</command-name>';
    expect(say('message.recorded', { role: 'user', kind: 'command', text })).toBe(
      '(command) /compact',
    );
  });

  it('says a command of the client once, with what was typed behind it, and a summary without its tags', () => {
    const text =
      '<command-name>/compact</command-name>\n  <command-message>compact</command-message>\n  <command-args>keep names</command-args>';
    expect(say('message.recorded', { role: 'user', kind: 'command', text })).toBe(
      '(command) /compact keep names',
    );
    const summary = '<summary>The tests ran.</summary>';
    expect(say('compaction.finished', { trigger: 'manual', summary })).toBe(
      'manual · The tests ran.',
    );
  });

  it('tells a compaction by its sizes, and usage by its tokens', () => {
    const sizes = { preTokens: 150_000, postTokens: 9000 };
    expect(say('compaction.finished', { trigger: 'auto', summary: 'All of it.', ...sizes })).toBe(
      'auto · from 150,000 to 9,000 tokens · All of it.',
    );
    const usage = {
      inputTokens: 5,
      outputTokens: 1200,
      cacheCreationTokens: 0,
      cacheReadTokens: 9,
    };
    expect(say('usage.sampled', { messageId: 'm', ...usage })).toBe(
      '5 in, 1,200 out, 9 from cache',
    );
  });

  it('says of a pack which one, and what was done to it', () => {
    const policy = { budgetTokens: 24_000, fill: 'prefix', tokenizer: 'cl100k', layout: 'rank' };
    const created = { name: 'auth', policy } as EventData['pack.created'];
    expect(say('pack.created', created)).toBe('auth · at most 24,000 tokens');
    const captured = { name: 'auth', artifact: '91ab77f0', command: 'npm test', cwd: '.' };
    const run = { output: '', exit: 1, ms: 14_200, bytes: 0, cut: 0 };
    expect(say('pack.captured', { ...captured, ...run })).toBe('auth · npm test · exit 1 · 14.2 s');
    const given = { snapshot: '00112233445566ff', mode: 'delta', tokens: 730, chars: 9 } as const;
    expect(say('pack.given', given)).toBe('00112233445566ff · delta · 730 tokens');
  });

  it('shows no control character, escape or line break of what was recorded', () => {
    const text = 'a\x1b[31mred\x1b[0m\x07\r\nb\u202ec\u0000';
    expect(say('prompt.submitted', { text })).toBe('ared bc');
  });

  it('is never long, however long the text', () => {
    expect(say('prompt.submitted', { text: 'long '.repeat(1e6) }).length).toBeLessThanOrEqual(400);
  });

  it('never fails and stays on one line, whatever is in the data of whatever type', () => {
    const types = fc.constantFrom(
      ...Object.keys(CATALOGUE),
      'future.happened',
      '__proto__',
      'toString',
    );
    fc.assert(
      fc.property(types, fc.anything(), (type, data) => {
        expect(summaryOf({ type, data })).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
      }),
    );
  });

  it('tells what the journal did to itself in words', () => {
    const say = (type: string, data: unknown) => summaryOf({ type, data });
    const torn = { kind: 'torn-tail', segment: '0000000000000001.b10', offset: 2500, bytes: 40 };
    expect(say('journal.repaired', torn)).toBe(
      'an unfinished end was cut off and set aside · 0000000000000001.b10 · 40 bytes from byte 2,500 on',
    );
    for (const kind of ['lost-durable', 'bad-header'])
      expect(say('journal.repaired', { ...torn, kind })).toContain('a new segment goes on');
    expect(say('journal.repaired', { ...torn, kind: 'constructor' })).toMatch(/^constructor · /);
    const repair = { kind: 'repair', repaired: [{}], kept: ['a', 'b'], lost: [] as unknown[] };
    expect(say('journal.repaired', repair)).toBe(
      '1 place repaired · 2 pieces set aside · nothing lost',
    );
    const cut = { ...repair, repaired: [{ kind: 'tail', action: 'cut' }] };
    expect(say('journal.repaired', cut)).toContain('events may have been cut off at the end');
    const lost = [
      { segment: 'x', firstSeq: 3, lastSeq: 1002 },
      { segment: 'blobs/ab', firstSeq: null, lastSeq: null },
    ];
    expect(say('journal.repaired', { ...repair, lost })).toContain(
      'lost for good: 1,000 events, 1 large text',
    );
    const copied = { from: '0123456789abcdef'.repeat(2), origin: 'fedcba9876543210'.repeat(2) };
    expect(say('journal.copied', copied)).toBe('this journal is a copy, fedcba98, of 01234567');
  });
});
