import { describe, expect, it } from 'vitest';
import { GroupCommit } from '../../../src/journal/append/group-commit.ts';
import type { NewEvent } from '../../../src/journal/append/inbox.ts';
import { JournalWriter } from '../../../src/journal/append/writer.ts';
import { newEvent, realPorts } from '../../support.ts';
import { newRoot, readAll } from '../support.ts';

/** A writer whose appends and syncs are counted. */
function counted(root = newRoot()) {
  const calls = { appends: [] as number[], syncs: 0 };
  const fs = {
    ...realPorts.fs,
    datasync: (fd: number) => {
      calls.syncs += 1;
      realPorts.fs.datasync(fd);
    },
  };
  const writer = new JournalWriter({ ...realPorts, fs }, root, { lockBudgetMs: 5000 });
  writer.append([newEvent()]);
  calls.syncs = 0;
  const group = new GroupCommit((events) => {
    calls.appends.push(events.length);
    return writer.append(events);
  });
  return { root, writer, group, calls };
}

const durable = (): NewEvent => ({ ...newEvent(), durability: 'disk' });

describe('events that many want to append at the same time', () => {
  it('are one append with one sync, in the order in which they came, and nobody is answered before', async () => {
    const { root, writer, group, calls } = counted();
    const events = Array.from({ length: 64 }, durable);
    let answered = 0;
    const all = events.map(async (event) => {
      await group.append(event);
      answered += 1;
      expect(calls).toEqual({ appends: [64], syncs: 1 });
    });
    expect(answered).toBe(0);
    await Promise.all(all);
    writer.close();
    const ids = readAll(root).entries.map(({ id }) => id.toString('hex'));
    expect(ids.slice(1)).toEqual(events.map(({ id }) => id.toString('hex')));
  });

  it('are appended at once when somebody is about to read', () => {
    const { root, writer, group } = counted();
    void group.append(durable());
    expect(readAll(root).entries).toHaveLength(1);
    group.flush();
    expect(readAll(root).entries).toHaveLength(2);
    group.flush();
    expect(readAll(root).entries).toHaveLength(2);
    writer.close();
  });

  it('are one event where they are the same fact', async () => {
    const { root, writer, group } = counted();
    const event = durable();
    await Promise.all([group.append(event), group.append(event)]);
    writer.close();
    expect(readAll(root).entries).toHaveLength(2);
  });

  it('do not fail together: who brings one that is too large is told, and the others stand', async () => {
    const { root, writer, group } = counted();
    const tooLarge = { ...durable(), payload: Buffer.alloc(2 * 1024 * 1024) };
    const outcomes = await Promise.allSettled(
      [durable(), tooLarge, durable()].map((event) => group.append(event)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { code: 'LIMIT_EXCEEDED' } });
    writer.close();
    expect(readAll(root).entries).toHaveLength(3);
  });
});
