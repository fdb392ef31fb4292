import { describe, expect, it } from 'vitest';
import { handedOver, introduce, takeHandover } from '../../src/mcp/handover.ts';
import { createServer } from '../../src/mcp/server.ts';

const HANDOVER = {
  canAsk: true,
  watched: { uris: ['ben10://status'], stamp: 'x' },
  hasAppended: true,
  counts: {
    startedAt: 1,
    recordCounts: { recorded: 1, spooled: 2, ignored: 3, failed: 4 },
    readOnly: false,
  },
};

describe('what a program leaves to the one that takes its place', () => {
  it('is found there once', () => {
    const before = { PATH: '/bin' };
    const env = handedOver(before, 7, HANDOVER);
    expect(takeHandover(env, 7)).toEqual(HANDOVER);
    expect(env).toEqual(before);
    expect(takeHandover(env, 7)).toBeUndefined();
  });

  it('is for no other process, and must be of this form', () => {
    expect(takeHandover(handedOver({}, 7, HANDOVER), 8)).toBeUndefined();
    for (const text of ['', 'null', '{', '[]']) {
      expect(takeHandover({ BEN10_HANDOVER: text }, 7)).toBeUndefined();
    }
  });

  it.each([true, false])('tells its server whether the client can ask: %s', async (canAsk) => {
    const { server } = createServer(new Promise(() => {}));
    await introduce(server, { ...HANDOVER, canAsk });
    expect(server.getClientCapabilities()?.elicitation?.form !== undefined).toBe(canAsk);
    expect(server.transport).toBeUndefined();
  });
});
