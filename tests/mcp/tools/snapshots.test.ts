import { describe, expect, it } from 'vitest';
import { ANSWER_BYTES_MAX } from '../../../src/mcp/limits.ts';
import { annotateSnapshot } from '../../../src/timetravel/snapshots/change.ts';
import { completeSnapshot } from '../../../src/timetravel/snapshots/left.ts';
import { playTurns, SESSION } from '../session.ts';
import { beside, takeMany } from '../snapshots.ts';
import { call, connect, dataOf, textOf } from '../support.ts';

interface Listed {
  snapshots: { id: string; note?: string; [name: string]: unknown }[];
  count: number;
  bytes: number;
  nextCursor?: string;
}

const LIST = 'ben10_snapshot_list';
const RESTORE = 'ben10_snapshot_restore';

describe(LIST, () => {
  it('has nothing to list before the first compaction', async () => {
    const server = await connect();
    expect(await dataOf<Listed>(server, LIST)).toMatchObject({ snapshots: [], count: 0 });
  });

  it('lists what another process stored, in a line each or with all that is known', async () => {
    const server = await connect();
    await playTurns(server, 2);
    const project = beside(server.dir);
    const [made] = takeMany(project, 1);
    completeSnapshot(project, SESSION);
    annotateSnapshot(project, made!.snapshot, { pinned: true, addTags: ['keep'] });
    const short = await dataOf<Listed>(server, LIST);
    expect(short).toMatchObject({ count: 1, bytes: made!.bytes });
    expect(short.snapshots).toEqual([
      {
        id: made!.snapshot,
        bytes: made!.bytes,
        time: expect.stringMatching(/^\d{4}-.+Z$/),
        trigger: 'threshold',
        tokensBefore: null,
        tokensAfter: null,
        pinned: true,
        tags: ['keep'],
      },
    ]);
    const { snapshots } = await dataOf<Listed>(server, LIST, { verbose: true });
    expect(snapshots).toMatchObject([
      {
        contentHash: made!.contentHash,
        before: made!.before,
        after: { messages: 1 },
        upto: made!.upto,
      },
    ]);
  });

  it('goes through many in pages that fit together while more are taken', async () => {
    const server = await connect();
    await playTurns(server, 1);
    const project = beside(server.dir);
    const made = takeMany(project, 25);
    for (const { snapshot } of made)
      annotateSnapshot(project, snapshot, { note: '"'.repeat(1000) });
    const ids: string[] = [];
    let args: Record<string, unknown> = { verbose: true };
    for (let pages = 0; pages < 25; pages += 1) {
      const page = await dataOf<Listed>(server, LIST, args);
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(ANSWER_BYTES_MAX);
      expect(page.snapshots.every(({ note }) => note === '"'.repeat(1000))).toBe(true);
      ids.push(...page.snapshots.map(({ id }) => id));
      takeMany(project, 1);
      if (page.nextCursor === undefined) break;
      args = { cursor: page.nextCursor };
    }
    expect(ids).toEqual(made.map(({ snapshot }) => snapshot).reverse());
  });
});

describe(RESTORE, () => {
  it('gives back the context as it was, by the start of the id, and notes that it did', async () => {
    const server = await connect();
    await playTurns(server, 1);
    const [made] = takeMany(beside(server.dir), 1);
    await playTurns(server, 3);
    const answer = await call(server, RESTORE, { id: made!.snapshot.slice(0, 8) });
    expect(answer.isError).toBeUndefined();
    expect(textOf(answer)).toContain(`at @snapshot:${made!.snapshot} (event @${made!.upto}`);
    const log = await dataOf<{ events: { data: object }[] }>(server, 'ben10_log', {
      types: ['context.restored'],
      detail: 'data',
    });
    expect(log.events).toMatchObject([
      { data: { point: `@snapshot:${made!.snapshot}`, mode: 'summary', upto: made!.upto } },
    ]);
  });

  it('gives everything in pages', async () => {
    const server = await connect();
    await playTurns(server, 20, 'o'.repeat(300));
    const [made] = takeMany(beside(server.dir), 1);
    const args = { id: made!.snapshot, mode: 'full', budget: 400 };
    const first = textOf(await call(server, RESTORE, args));
    const { budget: budgetTokens, ...rest } = args;
    const before = textOf(await call(server, RESTORE, { ...rest, budgetTokens }));
    expect(before.slice(0, 12)).toBe(first.slice(0, 12));
    const [, pages, cursor] = /^Page 1 of (\d+)\. .* cursor "([^"]+)"/.exec(first)!;
    expect(Number(pages)).toBeGreaterThan(2);
    const second = textOf(await call(server, RESTORE, { id: made!.snapshot, cursor }));
    expect(second).toMatch(new RegExp(`^Page 2 of ${pages}\\.`));
  });

  it('says what there is when there is no such one', async () => {
    const server = await connect();
    await playTurns(server, 1);
    const [made] = takeMany(beside(server.dir), 1);
    const answer = await call(server, RESTORE, { id: 'zzz' });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain('SNAPSHOT_NOT_FOUND');
    expect(textOf(answer)).toContain(made!.snapshot);
    expect((await call(server, RESTORE, {})).isError).toBe(true);
  });
});
