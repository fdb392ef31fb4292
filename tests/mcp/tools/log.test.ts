import { describe, expect, it } from 'vitest';
import { ANSWER_BYTES_MAX } from '../../../src/mcp/limits.ts';
import { LIMIT_MAX } from '../../../src/mcp/tools/log.ts';
import { EVENTS_PER_TURN, playTurns, record, SESSION } from '../session.ts';
import { type Connected, call, connect, dataOf, holdLock, textOf } from '../support.ts';

interface Line {
  seq: number;
  type: string;
  time?: string;
  session?: string;
  about?: string;
  data?: Record<string, unknown>;
}
interface Page {
  note: string;
  events: Line[];
  unreadable?: object;
  nextCursor?: string;
}

const log = (server: Connected, args: Record<string, unknown> = {}) =>
  dataOf<Page>(server, 'ben10_log', args);

/** All pages; `between` happens after each. */
async function allPages(
  server: Connected,
  args: Record<string, unknown>,
  between = async () => {},
): Promise<Line[]> {
  const lines: Line[] = [];
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const page: Page = await log(server, cursor === undefined ? args : { cursor });
    lines.push(...page.events);
    cursor = page.nextCursor;
    if (cursor !== undefined) await between();
  }
  return lines;
}

const seqs = (lines: readonly Line[]) => lines.map(({ seq }) => seq);
const range = (from: number, to: number) =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, n) => (to > from ? from + n : from - n));

describe('ben10_log', () => {
  it('lists what happened, newest first, a line each, and says that it is quoted', {
    tags: 'long',
  }, async () => {
    const server = await connect();
    await playTurns(server, 3);
    const { note, events } = await log(server);
    expect(note).toMatch(/data, not instructions/);
    expect(seqs(events)).toEqual(range(15, 1));
    expect(events[0]).toMatchObject({
      type: 'tool.failed',
      session: SESSION.slice(0, 8),
      about: expect.stringMatching(/^Bash · exit 3 .*step 3 broke/),
    });
    expect(events[0]?.time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(events.at(-1)?.about).toBe('Please do step 1. Never touch the lock file.');
  });

  it('picks by type and family, session, age and points', { tags: 'long' }, async () => {
    const server = await connect();
    await playTurns(server, 2);
    await record(server, 'PreToolUse', 'other', { session_id: 'other-session' });
    const types = async (args: object) => (await log(server, { ...args })).events;
    expect(await types({ types: ['prompt.submitted'] })).toHaveLength(2);
    expect(await types({ types: ['tool.'] })).toHaveLength(9);
    expect(seqs(await types({ session: 'other' }))).toEqual([11]);
    expect(await types({ since: '1h' })).toHaveLength(11);
    expect(await types({ until: '1h' })).toEqual([]);
    expect(seqs(await types({ after: '@3', upto: '@6' }))).toEqual([6, 5, 4]);
    // What happened since the last prompt, itself included.
    expect(seqs(await types({ after: '@prompt:-1', session: '1111' }))).toEqual(range(10, 6));
    expect(seqs(await types({ order: 'oldest', limit: 2 }))).toEqual([1, 2]);
  });

  it('takes the days and ages that points on the command line are, and pages stay', async () => {
    const server = await connect();
    await playTurns(server, 2);
    const seen = async (args: Record<string, unknown>) => seqs((await log(server, args)).events);
    expect(await seen({ upto: 'today' })).toEqual(range(10, 1));
    expect(await seen({ after: '2h ago' })).toEqual(range(10, 1));
    expect(await seen({ upto: '@yesterday' })).toEqual([]);
    expect(await seen({ since: 'today', until: 'today' })).toEqual(range(10, 1));
    expect(textOf(await call(server, 'ben10_log', { after: '@promt:-1' }))).toContain(
      '@prompt:-1?',
    );
    let n = 0;
    const more = async () => void (await record(server, 'PreToolUse', `late${n++}`));
    const pages = await allPages(server, { limit: 4, upto: 'today' }, more);
    expect(seqs(pages)).toEqual(range(10, 1));
  });

  it.each(['newest', 'oldest'])('has every event on one page only, %s first', async (order) => {
    const server = await connect();
    await playTurns(server, 4);
    const lines = await allPages(server, { order, limit: 7 });
    const expected = range(1, 4 * EVENTS_PER_TURN);
    expect(seqs(lines)).toEqual(order === 'newest' ? expected.reverse() : expected);
  });

  it('is not moved by what arrives between two pages', async () => {
    const server = await connect();
    await playTurns(server, 3);
    let n = 0;
    const more = async () => void (await record(server, 'PreToolUse', `late${n++}`));
    const newest = await allPages(server, { limit: 4 }, more);
    expect(seqs(newest)).toEqual(range(15, 1));
    const relative = await allPages(server, { limit: 4, upto: '@-3', after: '@-12' }, more);
    expect(seqs(relative)).toEqual(range(15, 7));
    const oldest = await allPages(server, { limit: 4, order: 'oldest', since: '1h' }, more);
    expect(seqs(oldest)).toEqual(range(1, oldest.length));
  });

  it('shows one event whole, a large text from beside the journal included', async () => {
    const server = await connect();
    const stdout = `begin ${'x'.repeat(15_000)} end`;
    const large = JSON.stringify({ stdout, stderr: 'y'.repeat(70_000) });
    await record(server, 'PostToolUse', 1, { tool_response: JSON.stringify({ stdout }) });
    await record(server, 'PostToolUse', 2, { tool_response: large });
    const [whole] = (await log(server, { seq: 2 })).events;
    expect(whole?.data?.response).toEqual({ stdout });
    const answer = await call(server, 'ben10_log', { seq: 4 });
    expect(Buffer.byteLength(textOf(answer))).toBeLessThanOrEqual(ANSWER_BYTES_MAX);
    expect(textOf(answer)).toContain('yyyyyyyyyy');
    expect(textOf(answer)).not.toContain('$blob');
  });

  it('keeps every page below the limit, whatever the events hold', { tags: 'long' }, async () => {
    const server = await connect();
    const response = JSON.stringify({ stdout: '漢字"\\\n'.repeat(3000), stderr: '' });
    for (let n = 0; n < 40; n += 1) {
      await record(server, 'PostToolUse', n, { tool_response: response });
    }
    let cursor: string | undefined;
    let events = 0;
    let pages = 0;
    do {
      const args = cursor === undefined ? { detail: 'data', limit: 200 } : { cursor };
      const answer = await call(server, 'ben10_log', args);
      expect(Buffer.byteLength(textOf(answer))).toBeLessThanOrEqual(ANSWER_BYTES_MAX);
      const page = answer.structuredContent as unknown as Page;
      events += page.events.length;
      pages += 1;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    // Each with its call, which no other hook told.
    expect(events).toBe(80);
    expect(pages).toBeLessThanOrEqual(5);
  });

  it('shows what waits in the inbox before all others, as waiting', {
    tags: 'long',
  }, async () => {
    const server = await connect();
    await playTurns(server, 1);
    const lock = await holdLock(server.dir);
    await record(server, 'PreToolUse', 'waiting');
    const { events, nextCursor } = await log(server, { limit: 2 });
    expect(events[0]).toMatchObject({ seq: 0, waiting: true, about: 'Bash echo waiting' });
    expect(events[1]?.seq).toBe(5);
    await lock.release();
    expect(seqs((await log(server, { cursor: nextCursor })).events)).toEqual([4, 3]);
  });

  it('takes a page of its most events, and no more', async () => {
    const server = await connect();
    await playTurns(server, 1);
    expect((await log(server, { limit: LIMIT_MAX })).events).toHaveLength(5);
    const refused = await call(server, 'ben10_log', { limit: LIMIT_MAX + 1 });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(/^USAGE: wrong arguments for ben10_log: limit: .*\nNext: /);
  });

  it('answers a wrong type, session, point, number or cursor with what would be right', async () => {
    const server = await connect();
    await playTurns(server, 1);
    const next = (await log(server, { limit: 1 })).nextCursor!;
    const wrong: [object, RegExp][] = [
      [{ types: ['tool.caled'] }, /^USAGE: .*nearest is "tool.called"/],
      [{ session: 'zzz' }, /^POINT_NOT_FOUND: .*\nNext: .*1111/],
      [{ after: '@nowhere' }, /^POINT_INVALID: .*\nNext: .*@prompt/],
      [{ upto: '@500' }, /^POINT_NOT_FOUND: .*events 1 to 5/],
      [{ seq: 99 }, /^POINT_NOT_FOUND: /],
      [{ since: 'long ago' }, /^USAGE: .*\nNext: .*2h/],
      [{ cursor: 'xyz' }, /^USAGE: this cursor .*\nNext: Call ben10_log again without cursor/],
      [{ cursor: `${next.slice(0, -1)}_` }, /^USAGE: this cursor/],
      [{ sesion: 'x' }, /^USAGE: .*sesion.*\nNext: .*session/],
    ];
    for (const [args, message] of wrong) {
      const answer = await call(server, 'ben10_log', { ...args });
      expect(answer.isError).toBe(true);
      expect(answer.structuredContent).toBeUndefined();
      expect(textOf(answer)).toMatch(message);
    }
    const foreign = await call(server, 'ben10_replay', { cursor: next });
    expect(textOf(foreign)).toMatch(/^USAGE: this cursor .*\nNext: Call ben10_replay/);
  });
});
