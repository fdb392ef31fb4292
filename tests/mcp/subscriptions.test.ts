import { describe, expect, it } from 'vitest';
import { createSubscriptions } from '../../src/mcp/subscriptions.ts';
import type { Opened } from '../../src/mcp/worker.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { testProject } from '../timetravel/project.ts';

const quiet = { updated: async () => {}, listChanged: async () => {}, isOver: () => false };

/** What reads answers when it is told to. */
function slow() {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const ask = async ({ of }: { of: string }) => {
    await answered;
    return of === 'resources' ? [] : { text: 'words' };
  };
  const context = { project: testProject(), log: createLogger('error') };
  return { opened: { context, worker: { ask } } as unknown as Opened, answer };
}

describe('what a client has subscribed to', () => {
  it('is handed over once more by a server that has not read it yet since it was handed over', async () => {
    const subscriptions = createSubscriptions(quiet);
    const { opened, answer } = slow();
    const uris = ['ben10://context', 'ben10://status'];
    const resumed = subscriptions.resume({ uris, stamp: '' }, opened);
    expect(subscriptions.watched().uris).toEqual(uris);
    answer();
    await resumed;
    expect(subscriptions.watched().uris).toEqual(uris);
  });

  it('is looked at again behind a look that is under way', async () => {
    const subscriptions = createSubscriptions(quiet);
    const { opened, answer } = slow();
    const resumed = subscriptions.resume({ uris: ['ben10://context'], stamp: '' }, opened);
    let isSeen = false;
    const seen = subscriptions.look().then(() => {
      isSeen = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isSeen).toBe(false);
    answer();
    await Promise.all([resumed, seen]);
  });
});
