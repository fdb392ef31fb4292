import { readdirSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readManifest, writeManifest } from '../../src/journal/manifest.ts';
import { lz4Codec } from '../../src/platform/codecs/lz4.ts';
import {
  type CheckpointRetention,
  CheckpointStore,
  DEFAULT_RETENTION,
  YOUNG_MAX,
} from '../../src/projections/checkpoints.ts';
import { prompt } from '../log/events.ts';
import { decoders, openTestProject, realPorts } from '../support.ts';

const KIND = { name: 'test', version: 1 };
const frontier = { seq: 1, last: 1, folded: [], place: null, reached: [], recent: [] };

function project() {
  const { layout, writer } = openTestProject();
  writer.append([prompt('one')]);
  const raise = () => {
    const manifest = readManifest(realPorts, layout)!;
    writeManifest(realPorts, layout, { ...manifest, erasureEpoch: manifest.erasureEpoch + 1 });
  };
  const storeOn = (fs = realPorts.fs) =>
    new CheckpointStore({ ...realPorts, fs }, layout, { lz4: lz4Codec, decoders }, 0);
  return { raise, storeOn };
}

describe('a state that was folded before events were erased', () => {
  it('is not stored afterwards', () => {
    const { raise, storeOn } = project();
    const store = storeOn();
    expect(store.save(KIND, null, { text: 'held' }, frontier)).toBeGreaterThan(0);
    raise();
    expect(store.save(KIND, null, { text: 'held' }, { ...frontier, last: 1 })).toBe(0);
    expect(store.load(KIND, null, 1)).toBeDefined(); // its own epoch's, which whoever erased removes
  });

  it('is taken back when they are erased while it is stored', () => {
    const { raise, storeOn } = project();
    const rename = (from: string, to: string) => {
      if (to.endsWith('.ckpt')) raise();
      realPorts.fs.rename(from, to);
    };
    const store = storeOn({ ...realPorts.fs, rename });
    expect(store.save(KIND, null, { text: 'held' }, frontier)).toBe(0);
    expect(store.list(KIND, null)).toEqual([]);
  });
});

describe('the stored states that are kept', () => {
  /** Stores a state for each event, each an hour after the one before, and says which are there. */
  function kept(events: number, kind: object, retention?: Partial<CheckpointRetention>): number[] {
    const { layout, writer } = openTestProject();
    let now = Date.now();
    const ports = { ...realPorts, clock: { ...realPorts.clock, now: () => now } };
    const codecs = { lz4: lz4Codec, decoders };
    const store = new CheckpointStore(ports, layout, codecs, 0, {
      ...DEFAULT_RETENTION,
      ...retention,
    });
    const start = now - events * 3_600_000;
    for (let seq = 1; seq <= events; seq += 1) {
      writer.append([prompt(`${seq}`)]);
      store.save({ ...KIND, ...kind }, null, {}, { ...frontier, seq, last: seq });
      const [name] = readdirSync(layout.checkpoints, { recursive: true, encoding: 'utf8' })
        .filter((one) => one.endsWith('.ckpt'))
        .sort()
        .slice(-1);
      now = start + seq * 3_600_000;
      utimesSync(`${layout.checkpoints}/${name}`, now / 1000, now / 1000);
    }
    return store.list(KIND, null);
  }

  it('are the newest five, and of those that roll also the ones of the last seven days', () => {
    expect(kept(8, {})).toEqual([8, 7, 6, 5, 4]);
    expect(kept(8, { rolling: true })).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    expect(DEFAULT_RETENTION).toEqual({ count: 5, days: 7 });
  });

  it('are as many, and as old, as the settings say', () => {
    expect(kept(8, {}, { count: 2 })).toEqual([8, 7]);
    expect(kept(8, { rolling: true }, { count: 2, days: 0 })).toEqual([8, 7]);
    // An hour apart: those of the last 24, and the one that is being stored.
    expect(kept(30, { rolling: true }, { count: 2, days: 1 })).toHaveLength(25);
  });

  it('are no more than 32 besides the newest, however young', () => {
    expect(kept(YOUNG_MAX + 3, { rolling: true }, { count: 2 })).toHaveLength(YOUNG_MAX + 2);
    expect(YOUNG_MAX).toBe(32);
  });
});
