import { EventEmitter, once } from 'node:events';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { SUBSCRIPTIONS_MAX } from '../../../src/mcp/subscriptions.ts';
import { annotateSnapshot, deleteSnapshot } from '../../../src/timetravel/snapshots/change.ts';
import { hooked } from '../../hook/run-hook.ts';
import { playTurns, prompt } from '../session.ts';
import { beside, takeMany } from '../snapshots.ts';
import { type Connected, connect } from '../support.ts';

const read = async ({ client }: Connected, uri: string): Promise<Record<string, unknown>> => {
  const { contents } = await client.readResource({ uri });
  return JSON.parse((contents[0] as { text: string }).text);
};

async function withSnapshots(count: number) {
  const server = await connect();
  await playTurns(server, 1);
  const project = beside(server.dir);
  return { server, project, made: takeMany(project, count) };
}

describe('the resources of snapshots', () => {
  it('are an index, and one for each', async () => {
    const { server, project, made } = await withSnapshots(2);
    const [first, second] = made;
    annotateSnapshot(project, first!.snapshot, { pinned: true, note: 'mine' });
    expect(await read(server, 'ben10://snapshots')).toMatchObject({
      version: 1,
      count: 2,
      totalSizeBytes: first!.bytes + second!.bytes,
      lastPruned: null,
      snapshots: [
        { id: second!.snapshot, compressedSize: second!.bytes, pinned: false },
        { id: first!.snapshot, pinned: true },
      ],
    });
    expect(await read(server, `ben10://snapshots/${first!.snapshot}`)).toMatchObject({
      id: first!.snapshot,
      contentHash: first!.contentHash,
      note: 'mine',
      ratio: null,
    });
    const { resources } = await server.client.listResources();
    expect(resources.map(({ uri }) => uri).slice(4)).toEqual(
      [second!, first!].map(({ snapshot }) => `ben10://snapshots/${snapshot}`),
    );
  });

  it('list an older one, too, that was pinned', async () => {
    const { server, project, made } = await withSnapshots(8);
    annotateSnapshot(project, made[1]!.snapshot, { pinned: true });
    const { resources } = await server.client.listResources();
    const newest = made.slice(3).reverse();
    expect(resources.map(({ uri }) => uri).slice(4)).toEqual(
      [...newest, made[1]!].map(({ snapshot }) => `ben10://snapshots/${snapshot}`),
    );
  });

  it('answers one that is not there as the protocol says', { tags: 'long' }, async () => {
    const { server } = await withSnapshots(1);
    for (const id of ['zzz', '', '..%2f..', 'a/b'])
      await expect(read(server, `ben10://snapshots/${id}`)).rejects.toMatchObject({ code: -32002 });
  });

  it('complete the ids that begin with what was typed', { tags: 'long' }, async () => {
    const { server, made } = await withSnapshots(3);
    const ids = made.map(({ snapshot }) => snapshot).reverse();
    const complete = async (value: string, uri = 'ben10://snapshots/{id}', name = 'id') => {
      const ref = { type: 'ref/resource' as const, uri };
      const { completion } = await server.client.complete({ ref, argument: { name, value } });
      return completion.values;
    };
    expect(await complete('')).toEqual(ids);
    expect(await complete(ids[1]!.slice(0, 12))).toEqual([ids[1]]);
    expect(await complete('zz')).toEqual([]);
    expect(await complete('', 'ben10://other/{id}')).toEqual([]);
    expect(await complete('', 'ben10://snapshots/{id}', 'other')).toEqual([]);
  });
});

describe('a subscription', () => {
  async function watching(server: Connected) {
    const told = new EventEmitter();
    const updates: string[] = [];
    server.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      updates.push(params.uri);
      told.emit(params.uri);
    });
    server.client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
      updates.push('list');
      told.emit('list');
    });
    return { told, updates };
  }

  it('tells of what another process did to the journal, and only of what changed', {
    tags: 'long',
  }, async () => {
    const { server, project, made } = await withSnapshots(1);
    const { told, updates } = await watching(server);
    const own = `ben10://snapshots/${made[0]!.snapshot}`;
    for (const uri of ['ben10://status', 'ben10://snapshots', own])
      await server.client.subscribeResource({ uri });

    let status = once(told, 'ben10://status');
    await prompt(server, 9, 'Something new.');
    await status;
    expect(new Set(updates)).toEqual(new Set(['ben10://status']));

    // In either order: it may look just when the snapshot is being written.
    const both = Promise.all([once(told, 'list'), once(told, 'ben10://snapshots')]);
    takeMany(project, 1);
    await both;
    expect(updates).not.toContain(own);

    const gone = once(told, own);
    deleteSnapshot(project, made[0]!.snapshot);
    await gone;

    await server.client.unsubscribeResource({ uri: 'ben10://snapshots' });
    status = once(told, 'ben10://status');
    updates.length = 0;
    takeMany(project, 1);
    await status;
    expect(updates).not.toContain('ben10://snapshots');
  });

  it('tells of what a hook did in a process of its own, which the server never hears of', {
    tags: 'long',
  }, async () => {
    const server = await connect();
    const { told, updates } = await watching(server);
    const hook = (event: string, fields: Record<string, unknown>) =>
      hooked(server.dir, event, { session_id: 'of-hooks', ...fields });
    for (const uri of ['ben10://status', 'ben10://context', 'ben10://snapshots'])
      await server.client.subscribeResource({ uri });
    expect(updates).toEqual([]);

    const recorded = Promise.all([once(told, 'ben10://status'), once(told, 'ben10://context')]);
    await hook('UserPromptSubmit', { prompt: 'Add due dates.', prompt_id: 'p1' });
    await recorded;
    expect(JSON.stringify(await read(server, 'ben10://context'))).toContain('Add due dates.');
    expect(updates).not.toContain('list');
    expect(updates).not.toContain('ben10://snapshots');

    const taken = Promise.all([once(told, 'list'), once(told, 'ben10://snapshots')]);
    await hook('PreCompact', { trigger: 'auto', custom_instructions: '' });
    await taken;
    expect(await read(server, 'ben10://snapshots')).toMatchObject({ count: 1 });
  });

  it('is for what can be read, and for so many', { tags: 'long' }, async () => {
    const { server, made } = await withSnapshots(12);
    await expect(server.client.subscribeResource({ uri: 'ben10://nothing' })).rejects.toMatchObject(
      { code: -32002 },
    );
    const uris = made.flatMap(({ snapshot }) =>
      // Four digits are those of two snapshots once in thousands of runs.
      Array.from({ length: 9 }, (_, n) => `ben10://snapshots/${snapshot.slice(0, n + 8)}`),
    );
    const [one] = uris;
    for (const uri of uris.slice(0, SUBSCRIPTIONS_MAX))
      await server.client.subscribeResource({ uri });
    await server.client.subscribeResource({ uri: one! });
    const more = { uri: uris[SUBSCRIPTIONS_MAX]! };
    await expect(server.client.subscribeResource(more)).rejects.toThrow(
      /there are already \d+ subscriptions/,
    );
    await server.client.unsubscribeResource({ uri: one! });
    await server.client.subscribeResource(more);
  });
});
