import { describe, expect, it } from 'vitest';
import { readManifest, writeManifest } from '../../src/journal/manifest.ts';
import { lz4Codec } from '../../src/platform/codecs/lz4.ts';
import { CheckpointStore } from '../../src/projections/checkpoints.ts';
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
