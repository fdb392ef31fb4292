import { PerformanceObserver, performance } from 'node:perf_hooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { guarded } from '../../src/scan/second-opinion.ts';

const EVENTS = ['uncaughtException', 'unhandledRejection'] as const;

/** The test runner hears of such errors, too, and would fail: for one test it does not. */
function withoutTheRunner(): void {
  for (const event of EVENTS) {
    const listeners = process.rawListeners(event);
    process.removeAllListeners(event);
    onTestFinished(() => {
      for (const one of listeners) process.on(event as 'uncaughtException', one as () => void);
    });
  }
}

describe('a guarded piece of work', () => {
  it('gives what it gives', async () => {
    expect(await guarded(async () => 7)).toBe(7);
  });

  it('is undefined when it throws or rejects', async () => {
    const error = new Error('no');
    expect(await guarded(() => Promise.reject(error))).toBeUndefined();
    const thrower = () => {
      throw error;
    };
    expect(await guarded(thrower)).toBeUndefined();
  });

  it('is undefined when an error comes outside of its promise, and the process goes on', async () => {
    withoutTheRunner();
    const forgotten = async () => {
      void Promise.reject(new Error('forgotten'));
      return 7;
    };
    expect(await guarded(forgotten)).toBeUndefined();
    const later = async () => {
      setImmediate(() => {
        throw new Error('later');
      });
      return 7;
    };
    expect(await guarded(later)).toBeUndefined();
    const observed = async () => {
      const observer = new PerformanceObserver(() => {
        observer.disconnect();
        void Promise.resolve().then(() => performance.measure('x', 'no such mark'));
      });
      observer.observe({ entryTypes: ['mark'] });
      performance.mark('a mark');
      return 7;
    };
    expect(await guarded(observed)).toBeUndefined();
  });

  it('listens to the process no longer than it runs', async () => {
    const count = () => EVENTS.map((event) => process.listenerCount(event));
    const before = count();
    await guarded(async () => expect(count()).toEqual(before.map((n) => n + 1)));
    await guarded(() => Promise.reject(new Error('no')));
    expect(count()).toEqual(before);
  });
});
