import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import { ADDONS, decoders, newEvent, realPorts, scratch } from '../support.ts';
import { bundle } from './bundle.ts';

const BUDGET_MS = 50;
/** What a busy machine may add to it: far below what an agent or its client would notice as a hang. */
const SLACK_MS = 1000;

let built: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  built = await bundle('lock-holder');
});
afterAll(() => built.remove());

/** A process that has the lock and is stopped, as by Ctrl-Z or a debugger. */
async function stoppedHolder(root: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [built.program, layoutOf(root).lock, ADDONS], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = await once(child.stdout!, 'data');
  expect(String(said)).toBe('held\n');
  child.kill('SIGSTOP');
  return child;
}

describe('a process that is stopped while it holds the lock', () => {
  it('costs an append no more than its budget: the event waits in the inbox, and comes in when the holder is gone', async () => {
    const root = path.join(scratch(), '.ben10');
    const writer = new JournalWriter(realPorts, root, { lockBudgetMs: BUDGET_MS });
    onTestFinished(() => writer.close());
    const events = Array.from({ length: 6 }, (_, n) => newEvent({ data: n }));
    writer.append([events[0]!]);
    const child = await stoppedHolder(root);
    for (const event of events.slice(1, 4)) {
      const start = performance.now();
      expect(writer.append([event])).toEqual({ seqs: [], written: 1, spooled: true });
      const waited = performance.now() - start;
      expect(waited).toBeGreaterThanOrEqual(BUDGET_MS - 1);
      expect(waited).toBeLessThan(BUDGET_MS + SLACK_MS);
    }
    expect(writer.drain()).toBe(false);
    const reader = new JournalReader(realPorts, root, decoders);
    const ids = (list: { id: Buffer }[]) => list.map(({ id }) => id.toString('hex'));
    expect(ids(reader.inbox())).toEqual(ids(events.slice(1, 4)));
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(writer.append([events[4]!]).seqs).toEqual([5]);
    expect(writer.append([events[5]!]).seqs).toEqual([6]);
    expect(ids([...reader.entries()].map(({ entry }) => entry!))).toEqual(ids(events));
    expect(verifyJournal(realPorts, root, decoders)).toMatchObject({
      ok: true,
      events: 6,
      waiting: 0,
    });
  });

  it('does not stop readers, nor a verification', async () => {
    const root = path.join(scratch(), '.ben10');
    const writer = new JournalWriter(realPorts, root, { lockBudgetMs: BUDGET_MS });
    writer.append([newEvent(), newEvent()]);
    writer.close();
    await stoppedHolder(root);
    const entries = [...new JournalReader(realPorts, root, decoders).entries()];
    expect(entries.map(({ entry }) => entry?.seq)).toEqual([1, 2]);
    expect(verifyJournal(realPorts, root, decoders)).toMatchObject({ ok: true, events: 2 });
  });
});
