import { chmodSync, type Dirent, existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { spool } from '../../src/journal/append/inbox.ts';
import { readHint } from '../../src/journal/format/hint.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { newEvent, realPorts, scratch } from '../support.ts';
import {
  activeSegment,
  type Connected,
  call,
  connect,
  dataOf,
  eventsOf,
  holdLock,
  hookArgs,
  INITIALIZE,
  linesOf,
  rawServer,
  toolCall,
  toolUseIds,
} from './support.ts';

interface Status {
  health: string;
  warnings: string[];
  cost: { recordMs: { count: number; p50: number; p99: number; max: number } };
  server: { readOnly: boolean; events: Record<string, number> };
}

const record = (server: Pick<Connected, 'client'>, event: string, n: number | string) =>
  call(server, 'ben10_record', hookArgs(event, n));

describe('the end of a server', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'comes with %s: synced, exit code 0',
    async (signal) => {
      const server = rawServer(scratch());
      server.send(INITIALIZE, toolCall(1, 'ben10_record', hookArgs('PreToolUse', 1)));
      await server.answer(1);
      server.child.kill(signal);
      expect(await server.ended).toBe(0);
      expect(syncedUpto(server.dir)).toBe(eventsOf(server.dir).length);
    },
  );

  it('comes when the client closes stdin', async () => {
    const server = rawServer(scratch());
    server.send(INITIALIZE);
    await server.answer('init');
    server.child.stdin!.end();
    expect(await server.ended).toBe(0);
    expect(server.stderr()).toBe('');
  });

  it('comes when nobody reads its answers any more', async () => {
    const server = rawServer(scratch());
    server.send(INITIALIZE);
    await server.answer('init');
    server.child.stdout!.destroy();
    server.send(toolCall(1, 'ben10_status', {}), toolCall(2, 'ben10_status', {}));
    expect(await server.ended).toBe(0);
  });

  it('does not come because nobody reads its diagnostics', async () => {
    const server = rawServer(scratch(), { env: { BEN10_LOG_LEVEL: 'debug' } });
    server.send(INITIALIZE);
    await server.answer('init');
    server.child.stderr!.destroy();
    for (let n = 1; n <= 20; n += 1) server.send(toolCall(n, 'ben10_record', {}), 'no json');
    expect(await server.answer(20)).toHaveProperty('result');
    server.child.stdin!.end();
    expect(await server.ended).toBe(0);
  });

  it('leaves nothing behind in a project where nothing was recorded', async () => {
    const server = rawServer(scratch());
    server.send(INITIALIZE, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    await server.answer(1);
    server.child.stdin!.end();
    await server.ended;
    expect(existsSync(path.join(server.dir, '.ben10'))).toBe(false);
  });

  it('with SIGKILL in the middle of many events loses none that was acknowledged', {
    tags: 'long',
  }, async () => {
    const server = rawServer(scratch());
    server.send(INITIALIZE);
    for (let n = 1; n <= 2000; n += 1) {
      server.send(toolCall(n, 'ben10_record', hookArgs('PreToolUse', n)));
    }
    await server.answer(100);
    process.kill(server.child.pid!, 'SIGKILL');
    expect(await server.ended).toBe('SIGKILL');
    const acknowledged = linesOf(server.stdout()).flatMap(({ id }) =>
      typeof id === 'number' ? [`toolu_${id}`] : [],
    );
    expect(acknowledged.length).toBeGreaterThanOrEqual(100);
    const kept = new Set(toolUseIds(eventsOf(server.dir), 'tool.called'));
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
  });
});

/** Up to which event the journal is known to be on disk. */
const syncedUpto = (dir: string): number =>
  readHint(realPorts, path.join(path.dirname(activeSegment(dir)), 'synced')).syncedUpto;

describe('a running server', () => {
  it('syncs what it appended although nothing follows', { tags: 'long' }, async () => {
    const server = await connect();
    for (let n = 1; n <= 3; n += 1) await record(server, 'PreToolUse', n);
    await vi.waitFor(() => expect(syncedUpto(server.dir)).toBe(eventsOf(server.dir).length), {
      timeout: 10_000,
    });
  });

  it('shares the project with another one', { tags: 'long' }, async () => {
    const dir = scratch();
    const [a, b] = await Promise.all([connect(dir), connect(dir)]);
    const numbers = Array.from({ length: 150 }, (_, n) => n);
    await Promise.all([
      ...numbers.map((n) => record(a, 'PreToolUse', `a${n}`)),
      ...numbers.map((n) => record(b, 'PreToolUse', `b${n}`)),
    ]);
    const ids = toolUseIds(eventsOf(dir), 'tool.called').sort();
    expect(ids).toEqual(numbers.flatMap((n) => [`toolu_a${n}`, `toolu_b${n}`]).sort());
    // Each sees what the other recorded.
    const { events } = await dataOf<{ events: object[] }>(a, 'ben10_log', { limit: 200 });
    expect(events.length).toBeGreaterThan(100);
  });

  it('takes in what waits in the inbox when it starts', { tags: 'long' }, async () => {
    const dir = scratch();
    const first = await connect(dir);
    await record(first, 'PreToolUse', 1);
    const lock = await holdLock(dir);
    await record(first, 'PostToolUse', 1);
    await first.client.close();
    expect(eventsOf(dir).map(({ seq }) => seq)).toEqual([1, 0]);
    await lock.release();
    await connect(dir);
    await vi.waitFor(() => expect(eventsOf(dir).map(({ seq }) => seq)).toEqual([1, 2]), {
      timeout: 10_000,
    });
  });

  it.each([
    'ben10_status',
    'ben10_log',
    'ben10_replay',
    'ben10_diff',
    'ben10_restore',
    'ben10://status',
  ])('takes in what a hook left in the inbox before it answers: %s', async (name) => {
    const server = await connect();
    await record(server, 'PreToolUse', 1);
    const left = newEvent({ type: 'hook.received', data: { event: 'Stop' } });
    spool(realPorts, layoutOf(path.join(server.dir, '.ben10')), [left]);
    if (name.includes(':')) await server.client.readResource({ uri: name });
    else await call(server, name, name === 'ben10_diff' ? { from: '@1' } : {});
    expect(
      eventsOf(server.dir)
        .slice(0, 2)
        .map(({ seq }) => seq),
    ).toEqual([1, 2]);
  });

  it('waits no longer for a held lock than a hook may, and leaves the event in the inbox', {
    tags: 'long',
  }, async () => {
    const server = await connect();
    await record(server, 'PreToolUse', 0);
    const lock = await holdLock(server.dir);
    for (let n = 1; n <= 5; n += 1) await record(server, 'PreToolUse', n);
    const { cost, server: own } = await dataOf<Status>(server, 'ben10_status');
    expect(own.events).toMatchObject({ recorded: 1, spooled: 5, failed: 0 });
    // The median of one quick and five slow ones: the budget and one last pause.
    expect(cost.recordMs.p50).toBeGreaterThanOrEqual(45);
    expect(cost.recordMs.p50).toBeLessThan(1000);
    await lock.release();
    await record(server, 'PreToolUse', 6);
    const ids = toolUseIds(eventsOf(server.dir), 'tool.called');
    expect(ids).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `toolu_${n}`));
  });

  it('goes on when its folder is removed and made again', async () => {
    const server = await connect();
    await record(server, 'PreToolUse', 1);
    rmSync(path.join(server.dir, '.ben10'), { recursive: true });
    for (let n = 2; n <= 4; n += 1)
      expect((await record(server, 'PreToolUse', n)).isError).toBeFalsy();
    expect(toolUseIds(eventsOf(server.dir), 'tool.called')).toContain('toolu_4');
  });
});

describe('a journal that cannot be written', () => {
  /** Root may write everywhere, so the server is run as somebody else. */
  const asNobody = process.getuid?.() === 0 ? { uid: 65534 } : {};

  it('is still read, and said to be read-only', { tags: 'long' }, async () => {
    const dir = scratch();
    const seeding = await connect(dir);
    await record(seeding, 'PreToolUse', 1);
    await seeding.client.close();
    chmodTree(dir, { folders: 0o555, files: 0o444 });
    onTestFinished(() => chmodTree(dir, { folders: 0o755, files: 0o644 }));
    const server = rawServer(dir, asNobody);
    server.send(INITIALIZE);
    for (const n of [2, 3]) server.send(toolCall(n, 'ben10_record', hookArgs('PreToolUse', n)));
    server.send(toolCall(4, 'ben10_log', {}), toolCall(5, 'ben10_status', {}));
    server.send(toolCall(6, 'ben10_save', { name: 'x' }), toolCall(7, 'ben10_restore', {}));
    expect(await server.answer(3)).toMatchObject({ result: { content: [{ text: '{}' }] } });
    expect(await server.answer(4)).toMatchObject({
      result: { structuredContent: { events: [{ seq: 1 }] } },
    });
    expect(await server.answer(5)).toMatchObject({
      result: { structuredContent: { server: { readOnly: true, events: { failed: 2 } } } },
    });
    const saved = (await server.answer(6)) as { result: { isError: boolean; content: object[] } };
    expect(saved.result.isError).toBe(true);
    expect(saved.result.content[0]).toMatchObject({
      text: expect.stringMatching(/^FS_PERMISSION_DENIED: .*\nNext: /),
    });
    expect(await server.answer(7)).not.toHaveProperty('result.isError');
    // Said once, not for every event.
    expect(server.stderr().match(/was not recorded/g)).toHaveLength(1);
  });
});

function chmodTree(dir: string, modes: { folders: number; files: number }): void {
  chmodSync(dir, 0o755);
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  // Folders last when they are closed, first when they are opened.
  const folders = [dir, ...entries.filter((one) => one.isDirectory()).map(fullPath)];
  for (const folder of folders) chmodSync(folder, 0o755);
  for (const file of entries.filter((one) => one.isFile())) chmodSync(fullPath(file), modes.files);
  for (const folder of folders) chmodSync(folder, modes.folders);
}

const fullPath = (entry: Dirent): string => path.join(entry.parentPath, entry.name);
