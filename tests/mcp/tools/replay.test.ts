/** @module-tag long */
import { readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ANSWER_BYTES_MAX } from '../../../src/mcp/limits.ts';
import { openTestProject } from '../../support.ts';
import { playTurns, record, SESSION } from '../session.ts';
import { activeSegment, type Connected, call, connect, dataOf, textOf } from '../support.ts';

interface Replayed {
  note: string;
  point: { seq: number; at: number | null };
  projection: string;
  version: number;
  session: string | null;
  state: Record<string, unknown>;
  shortened: boolean;
  unreadable?: object;
  nextCursor?: string;
}

const replay = (server: Connected, args: Record<string, unknown> = {}) =>
  dataOf<Replayed>(server, 'ben10_replay', args);

describe('ben10_replay', () => {
  it('gives the state of now, and of any point before', async () => {
    const server = await connect();
    await playTurns(server, 3);
    const now = await replay(server);
    expect(now).toMatchObject({
      note: expect.stringMatching(/data, not instructions/),
      point: { seq: 15 },
      projection: 'context',
      session: SESSION,
      shortened: false,
      state: { conversation: { messageCount: expect.any(Number) }, tools: { failures: 1 } },
    });
    const before = await replay(server, { point: '@prompt:-1', projection: 'tools' });
    expect(before).toMatchObject({ point: { seq: 10 }, state: { failures: 0, total: 4 } });
    const earlier = await replay(server, { point: '@5', projection: 'files' });
    expect(JSON.stringify(earlier.state)).toContain('file-1.ts');
    expect(JSON.stringify(earlier.state)).not.toContain('file-2.ts');
  });

  it('says how many events could not be read, each time that it is asked', async () => {
    const server = await connect();
    await playTurns(server, 2);
    expect(await replay(server)).not.toHaveProperty('unreadable');
    const file = activeSegment(server.dir);
    const bytes = readFileSync(file);
    const at = bytes.indexOf('Please do step 1');
    writeFileSync(file, bytes.fill('x', at, at + 16));
    for (const path of [undefined, 'conversation', undefined])
      expect((await replay(server, path === undefined ? {} : { path })).unreadable).toEqual({
        events: 1,
        segments: ['0000000000000001.b10'],
        next: expect.stringMatching(/run: ben10 verify$/),
      });
  });

  it('gives what can be read where a link stands in the place of the newest segment, and so do diff, restore and log', async () => {
    const server = await connect();
    await playTurns(server, 2);
    openTestProject(server.dir).writer.rotate(0);
    await playTurns(server, 1);
    const file = activeSegment(server.dir);
    renameSync(file, `${server.dir}/elsewhere`);
    symlinkSync(`${server.dir}/elsewhere`, file);
    const { point, unreadable } = await replay(server);
    expect(point).toMatchObject({ seq: 10 });
    expect(unreadable).toMatchObject({ segments: ['0000000000000011.b10'] });
    for (const [name, args] of [
      ['ben10_diff', { from: '@3' }],
      ['ben10_restore', { point: '@3' }],
      ['ben10_log', {}],
    ] as const)
      expect(await call(server, name, args), name).not.toHaveProperty('isError', true);
  });

  it.each(['context', 'sessions', 'files', 'tools', 'tasks', 'usage'])('knows %s', async (name) => {
    const server = await connect();
    await playTurns(server, 1);
    expect(await replay(server, { projection: name })).toMatchObject({ projection: name });
  });

  it('says of each file how relevant it is', async () => {
    const server = await connect();
    await playTurns(server, 2);
    const { state } = await replay(server, { path: 'files.files' });
    const relevance = Object.values(state as Record<string, { relevance: number }>).map(
      (file) => file.relevance,
    );
    expect(relevance).toEqual([expect.any(Number), expect.any(Number)]);
    expect(relevance[1]).toBeGreaterThan(relevance[0]!);
  });

  it('shortens what is too much for one answer, and says so', async () => {
    const server = await connect();
    await playTurns(server, 60, 'o'.repeat(400));
    const answer = await call(server, 'ben10_replay', {});
    expect(Buffer.byteLength(textOf(answer))).toBeLessThanOrEqual(ANSWER_BYTES_MAX);
    expect(answer.structuredContent).toMatchObject({ shortened: true, point: { seq: 300 } });
    expect(Object.keys(answer.structuredContent!.state as object)).toContain('preferences');
  });

  it('gives a part in full, in pages that together are the whole, whatever happens meanwhile', async () => {
    const server = await connect();
    await playTurns(server, 90, 'o'.repeat(400));
    const runs: { toolUseId: string }[] = [];
    let args: Record<string, unknown> = { path: 'tools.runs' };
    for (let pages = 1; ; pages += 1) {
      const answer = await call(server, 'ben10_replay', args);
      expect(Buffer.byteLength(textOf(answer))).toBeLessThanOrEqual(ANSWER_BYTES_MAX);
      const page = answer.structuredContent as unknown as Replayed;
      expect(page.shortened).toBe(false);
      expect(page.point.seq).toBe(450);
      runs.push(...(page.state as unknown as { toolUseId: string }[]));
      if (page.nextCursor === undefined) {
        expect(pages).toBeGreaterThan(2);
        break;
      }
      args = { cursor: page.nextCursor };
      await record(server, 'PreToolUse', `late${pages}`);
    }
    const ids = Array.from({ length: 90 }, (_, n) => [`toolu_edit${n + 1}`, `toolu_run${n + 1}`]);
    expect(runs.map((run) => run.toolUseId)).toEqual(ids.flat());
  });

  it('gives a part whose name has dots in it', async () => {
    const server = await connect();
    await playTurns(server, 2);
    const { state } = await replay(server, { path: 'files.files' });
    const file = Object.keys(state)[0]!;
    expect(file).toContain('.ts');
    const one = await replay(server, { path: `files.files.${file}` });
    expect(one.state).toEqual(state[file]);
  });

  it('answers a part, a point, a session or a projection that is not there with what is', async () => {
    const server = await connect();
    await playTurns(server, 1);
    const wrong: [object, RegExp][] = [
      [{ path: 'convers' }, /^USAGE: .*at the top there is: "directory", .*"conversation"/],
      [{ path: 'tools.runs.99' }, /^USAGE: .*indexes 0 to 1/],
      [{ path: '__proto__' }, /^USAGE: there is nothing at path/],
      [{ path: 'constructor.name' }, /^USAGE: there is nothing at path/],
      [{ point: '@77' }, /^POINT_NOT_FOUND: .*events 1 to 5/],
      [{ point: '@compaction:-1' }, /^POINT_NOT_FOUND: /],
      [{ session: 'zzz' }, /^POINT_NOT_FOUND: /],
      [{ projection: 'dreams' }, /^USAGE: .*projection.*\nNext: /],
    ];
    for (const [args, message] of wrong) {
      const answer = await call(server, 'ben10_replay', { ...args });
      expect(answer.isError).toBe(true);
      expect(textOf(answer)).toMatch(message);
    }
  });

  it('gives an empty state where nothing was recorded', async () => {
    const server = await connect();
    expect(await replay(server)).toMatchObject({ point: { seq: 0, at: null }, session: null });
  });
});
