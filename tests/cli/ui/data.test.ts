import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { dataLines } from '../../../src/cli/ui/data.ts';
import { eventLine } from '../../../src/cli/ui/event-line.ts';
import type { LogEvent } from '../../../src/log/query.ts';

const colours = pc.createColors(false);
const shown = (value: unknown, full = false): string => dataLines(value, colours, full).join('\n');

describe('the data of an event for people', () => {
  it('has names before values, and texts of several lines as blocks', () => {
    const value = { name: 'Bash', input: { command: 'ls\npwd', timeout: 3 }, ok: true, none: null };
    expect(shown(value)).toBe(
      '  name: Bash\n  input:\n    command:\n      ls\n      pwd\n    timeout: 3\n  ok: true\n  none: null',
    );
  });

  it('shows lists, and that something is empty', () => {
    expect(shown({ items: [{ id: 1 }, { id: 2 }], a: [], b: {}, c: '' })).toBe(
      '  items:\n    -\n      id: 1\n    -\n      id: 2\n  a: []\n  b: {}\n  c:',
    );
  });

  it('cuts a long text, and says how to see it whole', () => {
    const text = Array.from({ length: 25 }, (_, index) => `line ${index}`).join('\n');
    expect(shown({ text })).toContain('line 19\n    … 5 more lines; --full shows them');
    expect(shown({ text })).not.toContain('line 20');
    expect(shown({ text }, true)).toContain('line 24');
  });

  it('lets nothing through that a terminal would obey, in names as in texts', () => {
    const text = shown({ 'a\x1b[2Jb': 'c\x1b]0;title\x07d\re', deep: [['\x9b31m']] });
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
    expect(text).toContain('ab: cde');
  });

  it('shows what is nested very deep in one line', () => {
    let value: unknown = 'bottom';
    for (let depth = 0; depth < 50; depth += 1) value = { a: value };
    expect(shown(value).split('\n').length).toBeLessThan(12);
    expect(shown(value)).toContain('bottom');
  });
});

describe('the line of an event', () => {
  const now = new Date(2026, 10, 21, 12).getTime();
  const event: LogEvent = {
    seq: 42,
    id: '00',
    type: 'prompt.submitted',
    version: 1,
    session: 'd3165355-f445',
    agent: null,
    client: 'claude-code',
    source: 'hook',
    at: now,
    data: { text: 'Add due dates to the todo list, and keep them as ISO strings.' },
  };
  const line = (more: Partial<LogEvent> = {}, width = 80): string =>
    eventLine({ event: { ...event, ...more } }, { width, now, colours });

  it('has its parts in columns and fits into the width', () => {
    expect(line()).toBe(
      '   42  12:00:00     d31653  prompt.submitted     Add due dates to the todo list…',
    );
    expect(line({}, Number.POSITIVE_INFINITY)).toMatch(/ISO strings\.$/);
    expect(line({ seq: 1234567 }).length).toBeLessThanOrEqual(80);
  });

  it('leaves half of the room to the outcome of a long call, and has its type', () => {
    const type = 'tool.called';
    const call = {
      ...event,
      type,
      data: { name: 'Bash', input: { command: `make ${'x'.repeat(99)}` } },
    };
    const outcome = {
      ...event,
      type: 'tool.failed',
      data: { error: 'Exit code 2\nno rule', exitCode: 2 },
    };
    const joined = eventLine({ event: call, outcome }, { width: 110, now, colours });
    expect(joined).toMatch(/ tool\.failed +Bash make x+… → failed · exit 2 · no rule$/);
    expect(joined.length).toBeLessThanOrEqual(110);
  });

  it('marks what a sub-agent did, what has no session, and what waits in the inbox', () => {
    expect(line({ agent: 'a306f7214d' })).toContain('  [agent a306f7] Add due');
    expect(line({ session: null })).toContain('  -       prompt');
    expect(line({ waiting: true, seq: 0 })).toMatch(/^inbox {2}/);
  });

  it('stays one line whatever the names in it are', () => {
    const hostile = line({ type: 'a\nb\x1b[31m', session: '\r\n\x07', agent: 'x\ny' });
    expect(hostile).not.toMatch(/[\x00-\x1f]/);
  });
});
