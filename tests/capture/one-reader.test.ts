import { mkdirSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asOneReader } from '../../src/capture/one-reader.ts';
import { LockFile } from '../../src/journal/append/locking.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { decoders, realPorts, scratch } from '../support.ts';

function journal() {
  const root = scratch();
  const layout = layoutOf(root);
  mkdirSync(layout.journal);
  const where = { ports: realPorts, reader: new JournalReader(realPorts, root, decoders) };
  const soon = () => Date.now() + 100;
  return { layout, where, soon };
}

describe('who reads transcripts', () => {
  it('does so alone: another one waits, and goes without when its time is over', () => {
    const { where, soon } = journal();
    const found = asOneReader(where, soon(), () => {
      const began = Date.now();
      const inner = asOneReader(where, began + 100, () => 'read');
      return { inner, waited: Date.now() - began };
    });
    expect(found!.inner).toBeUndefined();
    expect(found!.waited).toBeGreaterThanOrEqual(100);
    expect(asOneReader(where, soon(), () => 'read')).toBe('read');
  });

  it('is told while another one waits, and not when nobody does', () => {
    const { layout, where, soon } = journal();
    const waits = new LockFile(realPorts, layout.transcriptsQueueLock);
    const told = asOneReader(where, soon(), (isAwaited) => [
      isAwaited(),
      waits.hold(0, isAwaited)?.value,
      isAwaited(),
    ]);
    waits.close();
    expect(told).toEqual([false, true, false]);
  });

  it('queues meanwhile, but for one that gives way', () => {
    const { where, soon } = journal();
    const told = asOneReader(where, soon(), (isAwaited) =>
      [false, true].map((givesWay) => {
        let wasAwaited = false;
        const clock = {
          ...realPorts.clock,
          sleep: () => {
            wasAwaited ||= isAwaited();
          },
        };
        asOneReader({ ...where, ports: { ...realPorts, clock } }, soon(), () => 'read', givesWay);
        return wasAwaited;
      }),
    );
    expect(told).toEqual([true, false]);
  });

  it('lets others read when the reading failed', () => {
    const { where, soon } = journal();
    const fails = () => {
      throw new Error('no');
    };
    expect(() => asOneReader(where, soon(), fails)).toThrow('no');
    expect(asOneReader(where, soon(), () => 'read')).toBe('read');
  });

  it('reads where nobody can lock', () => {
    const { layout, where, soon } = journal();
    const einval = Object.assign(new Error('EINVAL'), { code: 'EINVAL', errno: -22 });
    const refused = () => {
      throw einval;
    };
    for (const lock of [undefined, { tryLock: refused, unlock() {} }])
      expect(asOneReader({ ...where, ports: { ...realPorts, lock } }, soon(), () => 'read')).toBe(
        'read',
      );
    rmSync(layout.transcriptsLock);
    mkdirSync(layout.transcriptsLock);
    expect(asOneReader(where, soon(), () => 'read')).toBe('read');
  });
});
