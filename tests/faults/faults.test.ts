import { describe, expect, it } from 'vitest';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { loadXxh64 } from '../../src/platform/xxh64-wasm.ts';
import { MemoryFs } from '../damage/memory-fs.ts';
import { injectAll, type Tally } from './campaign.ts';
import { FAULTS, FaultyFs } from './faulty-fs.ts';

const makers = { zstd: await loadZstd(), xxh64: await loadXxh64() };

/** In the time that there is, each ninth call; `driver.ts` takes every one. */
const STEP = 9;

describe('a call of the file system that fails', () => {
  it.each(FAULTS)(
    'loses nothing that was acknowledged, whichever call it is: %s',
    { tags: 'long' },
    (fault) => {
      const tally: Tally = { runs: 0, refused: 0, violations: [] };
      injectAll(makers, tally, { faults: [fault], step: STEP });
      expect(tally.violations.slice(0, 5)).toEqual([]);
      expect(tally.runs).toBeGreaterThan(50);
    },
  );
});

describe('the injection', () => {
  it('fails the one call that was meant, or all from then on', () => {
    const inner = new MemoryFs();
    const once = new FaultyFs(inner, { fault: 'EIO', call: 2, how: 'once' });
    expect(once.fs.statIfThere('/')).toBeDefined();
    expect(() => once.fs.statIfThere('/')).toThrow('EIO');
    expect(once.fs.statIfThere('/')).toBeDefined();
    const always = new FaultyFs(inner, { fault: 'EIO', call: 2, how: 'from then on' });
    always.fs.statIfThere('/');
    for (let n = 0; n < 3; n += 1) expect(() => always.fs.statIfThere('/')).toThrow('EIO');
    expect(always.failed).toBe(3);
  });

  it('notices a file that is synced again after its sync failed', () => {
    const inner = new MemoryFs();
    const faulty = new FaultyFs(inner, { fault: 'EIO', call: 2, how: 'once' });
    const fd = faulty.fs.open('/file', 'wx');
    expect(() => faulty.fs.datasync(fd)).toThrow('EIO');
    faulty.fs.datasync(fd);
    expect(faulty.trusted).toHaveLength(1);
  });

  it('writes and reads less than it was asked to', () => {
    const inner = new MemoryFs();
    const { fs } = new FaultyFs(inner, { fault: 'short write', call: 1, how: 'once' });
    const fd = fs.open('/file', 'wx');
    expect(fs.write(fd, Buffer.from('abcd'), 0)).toBe(2);
    const half = new FaultyFs(inner, { fault: 'short read', call: 1, how: 'once' });
    expect(half.fs.read(fd, Buffer.alloc(2), 0)).toBe(1);
  });
});
