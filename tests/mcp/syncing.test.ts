import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSyncTimer, SYNC_EVERY_MS } from '../../src/mcp/syncing.ts';
import { createLogger } from '../../src/platform/logger.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const quiet = createLogger('error', () => {});

describe('the sync timer', () => {
  it('does nothing while nothing is appended', () => {
    const sync = vi.fn();
    createSyncTimer(sync, quiet);
    vi.advanceTimersByTime(10 * SYNC_EVERY_MS);
    expect(sync).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('syncs within its interval after an append, tries a little longer, and stops', () => {
    const sync = vi.fn();
    const timer = createSyncTimer(sync, quiet);
    timer.touched();
    vi.advanceTimersByTime(SYNC_EVERY_MS);
    expect(sync).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(60 * SYNC_EVERY_MS);
    expect(sync.mock.calls.length).toBeGreaterThan(1);
    expect(sync.mock.calls.length).toBeLessThan(6);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('syncs once an interval, however often something is appended', () => {
    const sync = vi.fn();
    const timer = createSyncTimer(sync, quiet);
    for (let ms = 0; ms < 5 * SYNC_EVERY_MS; ms += 10) {
      timer.touched();
      vi.advanceTimersByTime(10);
    }
    expect(sync).toHaveBeenCalledTimes(5);
  });

  it('goes on after a sync that failed, and says so', () => {
    const lines: string[] = [];
    const sync = vi.fn(() => {
      throw new Error('EIO');
    });
    const timer = createSyncTimer(
      sync,
      createLogger('warn', (line) => lines.push(line)),
    );
    timer.touched();
    vi.advanceTimersByTime(2 * SYNC_EVERY_MS);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe('ben10 warn: the journal could not be synced: EIO\n');
  });

  it('stops at once when told to', () => {
    const sync = vi.fn();
    const timer = createSyncTimer(sync, quiet);
    timer.touched();
    timer.stop();
    vi.advanceTimersByTime(10 * SYNC_EVERY_MS);
    expect(sync).not.toHaveBeenCalled();
  });
});
