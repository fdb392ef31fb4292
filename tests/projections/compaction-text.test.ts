import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { summaryText, toldText } from '../../src/projections/compaction-text.ts';
import { realClient, transcript } from '../timetravel/project.ts';

const recordsOf = (file: string): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** As the client's hooks have them. */
const hooked = (file: string) =>
  recordsOf(file).flatMap(({ compact_summary: text }) => (typeof text === 'string' ? [text] : []));
/** As its transcripts have them. */
const written = (file: string) =>
  recordsOf(file).flatMap((record) => {
    const { isCompactSummary, message } = record as {
      isCompactSummary?: boolean;
      message: { content: string };
    };
    return isCompactSummary === true ? [message.content] : [];
  });

const TODO = 'claude-2.1.329-real-todo-app';
const TODO_SAYS = `1. Primary request: add due dates to TodoList.
2. Files: src/todo.js was changed.
3. Pending: finish the overdue filter and tests.`;
const TWICE = 'projects/-home-dev-todo-app/e8161f67-2508-4a37-9221-c245624adab9.jsonl';
const LEAD =
  'This session is being continued from a previous conversation that ran out of context.';

describe('what a compaction’s summary says', () => {
  it('is the same by the client’s hook and by its transcript, without the frame of either', () => {
    expect(hooked(transcript(`${TODO}/hooks.jsonl`)).map(summaryText)).toEqual([TODO_SAYS]);
    expect(written(transcript(`${TODO}/transcript.jsonl`)).map(summaryText)).toEqual([TODO_SAYS]);
    const both = ['The check failed; the list was read.', 'Due dates are being added.'];
    expect(hooked(`${realClient('two-compactions')}/hooks.jsonl`).map(summaryText)).toEqual(both);
    expect(written(`${realClient('two-compactions')}/${TWICE}`).map(summaryText)).toEqual(both);
  });

  it('has no thoughts that stood before it, within its tag or outside', () => {
    const said = '<analysis>\nFirst I look.\n</analysis>\n\n<summary>\nIt works.\n</summary>';
    expect(summaryText(said)).toBe('It works.');
    expect(summaryText(`${LEAD} The conversation is summarized below:\n${said}`)).toBe('It works.');
  });

  it('is found as older clients wrote it, thoughts and orders without tags', () => {
    const asWritten = `${LEAD} The conversation is summarized below:
Analysis:
Let me analyze the conversation.

Summary:
1. Dates are kept as text.
Please continue the conversation from where we left it off without asking the user any further questions. Continue with the last task that you were asked to work on.`;
    expect(summaryText(asWritten)).toBe('1. Dates are kept as text.');
    // The model has read the thoughts, too.
    expect(toldText(asWritten)).toBe(
      'Analysis:\nLet me analyze the conversation.\n\nSummary:\n1. Dates are kept as text.',
    );
  });

  it('is found on the line of the lead, and where the end of the frame was cut off', () => {
    expect(summaryText(`${LEAD} Summary: the user asked for a plan.`)).toBe(
      'the user asked for a plan.',
    );
    const [whole = ''] = written(transcript(`${TODO}/transcript.jsonl`));
    const cut = whole.slice(0, whole.indexOf('read the full transcript'));
    expect(summaryText(cut)).toBe(TODO_SAYS);
    expect(summaryText(whole.slice(0, whole.indexOf('2. Files')))).toBe(TODO_SAYS.split('\n')[0]);
  });

  it('keeps what it tells itself of such a frame', () => {
    const told = `It began so:\n${'If you need specific details from before compaction'}, read.\nThen tests ran.`;
    const [whole = ''] = written(transcript(`${TODO}/transcript.jsonl`));
    expect(summaryText(whole.replace(TODO_SAYS, told))).toBe(told);
  });

  it.each([
    'Just words. If you need specific details from before compaction',
    '  indented\n',
    '<analysis> that never ends',
    '',
  ])('leaves any other text as it is: %j', (text) => {
    expect(summaryText(text)).toBe(text);
  });
});
