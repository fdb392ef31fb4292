import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTestProject, scratch } from '../../support.ts';
import { importInto, saw, tell } from '../../tell.ts';
import { type Connected, call, connect, dataOf, textOf } from '../support.ts';

const FIXTURES = path.join(import.meta.dirname, '../../fixtures');
/** Of UTF-8; js-tiktoken (cl100k) makes a token of 3.4 bytes of such lines. */
const BYTES_A_TOKEN = 3.3;

interface Page {
  note: string;
  matches: string[];
  of: number;
  near?: string[];
  nextCursor?: string;
}

/** A server on a project with all recorded sessions of the real client. */
async function recorded(...more: string[]): Promise<Connected> {
  const project = openTestProject(scratch());
  importInto(project, path.join(FIXTURES, 'real-client'), ...more);
  return connect(project.dir);
}

const find = (server: Connected, args: Record<string, unknown>) =>
  dataOf<Page>(server, 'ben10_log', args);
const seqsOf = ({ matches }: Page) => matches.map((line) => Number(/^@(\d+) /.exec(line)![1]));

describe('ben10_log with a query', () => {
  it('gives the best matches, a line each, which lead to their events', {
    tags: 'long',
  }, async () => {
    const server = await recorded();
    const page = await find(server, { query: 'overdue dates check' });
    expect(page.note).toMatch(/data, not instructions/);
    expect(page.matches.length).toBe(10);
    expect(page.of).toBeGreaterThan(10);
    for (const line of page.matches) expect(line).toMatch(/^@\d+ (\d+\w+ )?[a-z]+ \S/);
    const [seq] = seqsOf(page);
    const { events } = await dataOf<{ events: { seq: number }[] }>(server, 'ben10_log', { seq });
    expect(events[0]?.seq).toBe(seq);
    expect(JSON.stringify(events)).toMatch(/overdue|dates|check/i);
  });

  it('takes 45 tokens a line on average', { tags: 'long' }, async () => {
    const server = await recorded(path.join(FIXTURES, 'transcripts'));
    const queries = [
      'error failed test',
      'commit',
      'function return',
      'add the file',
      'check readme',
      'path',
    ];
    const lines: string[] = [];
    for (const query of queries) lines.push(...(await find(server, { query, limit: 30 })).matches);
    expect(lines.length).toBeGreaterThan(100);
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 3, 0);
    expect(bytes / lines.length / BYTES_A_TOKEN).toBeLessThanOrEqual(45);
  });

  it('goes on with the next page, which fits even when events came between', {
    tags: 'long',
  }, async () => {
    const server = await recorded();
    const all = await find(server, { query: 'todo', limit: 200 });
    expect(all.nextCursor).toBeUndefined();
    const seen: number[] = [];
    let page = await find(server, { query: 'todo', limit: 7 });
    for (;;) {
      seen.push(...seqsOf(page));
      if (page.nextCursor === undefined) break;
      await call(server, 'ben10_checkpoint', { note: 'todo todo todo' });
      page = await find(server, { cursor: page.nextCursor });
    }
    expect(seen).toEqual(seqsOf(all));
  });

  it('keeps to a point, a session, times, and types of events', { tags: 'long' }, async () => {
    const server = await recorded();
    const query = 'todo';
    const upto = seqsOf(await find(server, { query, upto: '@40', limit: 99 }));
    expect(upto.length).toBeGreaterThan(3);
    expect(Math.max(...upto)).toBeLessThanOrEqual(40);
    const after = seqsOf(await find(server, { query, after: '@40', limit: 99 }));
    expect(Math.min(...after)).toBeGreaterThan(40);
    const own = await find(server, { query, session: '30b880', limit: 99 });
    expect(own.of).toBeLessThan((await find(server, { query })).of);
    const failed = await find(server, { query: 'check', types: ['tool.failed'], limit: 99 });
    expect(failed.matches.length).toBeGreaterThan(0);
    expect(failed.matches.every((line) => / call /.test(line))).toBe(true);
    expect((await find(server, { query, since: '1h' })).matches).toEqual([]);
    expect(
      (await find(server, { query, upto: '@2026-11-21T10:13:32Z', limit: 99 })).of,
    ).toBeLessThan((await find(server, { query })).of);
  });

  it('names near words when nothing is found, and refuses with what to do', {
    tags: 'long',
  }, async () => {
    const server = await recorded();
    expect(await find(server, { query: 'overdeu' })).toMatchObject({
      matches: [],
      near: expect.arrayContaining([expect.stringMatching(/^overdue$/i)]),
    });
    expect(await find(server, { query: '???' })).toMatchObject({
      matches: [],
      hint: expect.stringContaining('Try fewer or other words'),
    });
    expect(await find(server, { query: 'overdueCheck' })).toMatchObject({
      onlyPartsOf: ['overdueCheck'],
    });
    expect((await find(server, { query: '"'.repeat(10_000) })).matches).toEqual([]);
    for (const [query, text] of [
      ['', /^USAGE: a search needs something/],
      ['x kind:edt', /^USAGE: there is no kind "edt"; the nearest is "edit"/],
    ] as const) {
      const answer = await call(server, 'ben10_log', { query });
      expect(answer.isError).toBe(true);
      expect(textOf(answer)).toMatch(text);
    }
  });

  it('leaves out the prompt that is being answered, and finds it in later turns', async () => {
    const project = openTestProject(scratch());
    const said = (text: string, at: number) => saw('prompt.submitted', { text }, { at });
    tell(project, said('maxLength is 12, for postgres has 12', 1), said('Why is maxLength 12?', 2));
    const server = await connect(project.dir);
    expect(seqsOf(await find(server, { query: 'maxLength' }))).toEqual([1]);
    tell(project, saw('turn.ended', { lastMessage: 'For postgres.' }, { at: 3 }));
    expect(seqsOf(await find(server, { query: 'maxLength' })).sort()).toEqual([1, 2]);
    for (const args of [{ detail: 'data' }, { order: 'oldest' }]) {
      const answer = await call(server, 'ben10_log', { query: 'maxLength', ...args });
      expect(textOf(answer)).toMatch(/^USAGE: .*no order, no data/);
    }
  });
});
