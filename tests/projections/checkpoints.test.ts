import { cpSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { decode, encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { decodeContainer, encodeContainer } from '../../src/journal/format/container.ts';
import { readManifest, writeManifest } from '../../src/journal/format/manifest.ts';
import { lz4Codec } from '../../src/platform/codecs/lz4.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { STATE_BYTES_MAX } from '../../src/projections/bounds.ts';
import { CheckpointStore } from '../../src/projections/checkpoints.ts';
import {
  type CheckpointRetention,
  DEFAULT_RETENTION,
  KEYFRAME_EVENTS,
  pruned,
  YOUNG_MAX,
} from '../../src/projections/retention.ts';
import { prompt } from '../log/events.ts';
import { decoders, openTestProject, realPorts } from '../support.ts';

const KIND = { name: 'test', version: 1 };
const OF_BYTES = { ...KIND, hasBytes: true };
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
  /** Puts another content into the one stored state, in a container of sound checksums. */
  const replaceBy = (of: (plain: Buffer) => Uint8Array) => {
    const names = readdirSync(layout.checkpoints, { recursive: true, encoding: 'utf8' });
    const file = path.join(layout.checkpoints, names.find((name) => name.endsWith('.ckpt'))!);
    const plain = of(decodeContainer(readFileSync(file), decoders, xxh64)!);
    const packing = { method: 'lz4' as const, codec: lz4Codec, level: 0 };
    writeFileSync(file, encodeContainer(plain, xxh64, packing));
  };
  return { layout, raise, storeOn, replaceBy };
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

  it('is not written when that was put off, and they were erased meanwhile', () => {
    const { raise, storeOn } = project();
    const { fs } = realPorts;
    const opened: string[] = [];
    const open: typeof fs.open = (file, ...how) => {
      opened.push(file);
      return fs.open(file, ...how);
    };
    const tasks: (() => void)[] = [];
    const defer = (task: () => void) => tasks.push(task);
    storeOn({ ...fs, open }).tryToSave(KIND, null, { text: 'held' }, frontier, defer);
    raise();
    expect(tasks).toHaveLength(1);
    tasks[0]!();
    expect(opened.filter((file) => file.includes('.ckpt'))).toEqual([]);
  });

  it('gets no name when they are erased while it is written, for its writer may die with the name', () => {
    const { raise, storeOn } = project();
    const { fs } = realPorts;
    const named: string[] = [];
    const open: typeof fs.open = (file, ...how) => {
      if (file.includes('.ckpt.')) raise();
      return fs.open(file, ...how);
    };
    const rename = (from: string, to: string) => {
      named.push(to);
      fs.rename(from, to);
    };
    expect(storeOn({ ...fs, open, rename }).save(KIND, null, { text: 'held' }, frontier)).toBe(0);
    expect(named).toEqual([]);
    expect(storeOn().list(KIND, null)).toEqual([]);
  });

  it('leaves no byte in a file that whoever erased could not see, for its writer may die over it', () => {
    const { raise, storeOn } = project();
    const { fs } = realPorts;
    const written: string[] = [];
    let stored: number | undefined;
    const open: typeof fs.open = (file, ...how) => {
      const isState = file.includes('.ckpt.');
      if (isState) raise();
      const fd = fs.open(file, ...how);
      if (isState) stored = fd;
      return fd;
    };
    const write: typeof fs.write = (fd, bytes, ...where) => {
      if (fd === stored) written.push(Buffer.from(bytes).toString('latin1'));
      return fs.write(fd, bytes, ...where);
    };
    expect(storeOn({ ...fs, open, write }).save(KIND, null, { text: 'held' }, frontier)).toBe(0);
    expect(stored).toBeDefined();
    expect(written).toEqual([]);
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

describe('a stored state that comes back from before events were erased', () => {
  it('is not believed: who has it back from a backup must not answer from what is gone', () => {
    const { layout, raise, storeOn } = project();
    storeOn().save(KIND, null, { text: 'held' }, frontier);
    const backup = `${layout.root}-backup`;
    cpSync(layout.checkpoints, backup, { recursive: true });
    rmSync(layout.checkpoints, { recursive: true });
    raise();
    cpSync(backup, layout.checkpoints, { recursive: true });
    expect(storeOn().load(KIND, null, 1)).toBeDefined();
    const now = new CheckpointStore(realPorts, layout, { lz4: lz4Codec, decoders }, 1);
    expect(now.load(KIND, null, 1)).toBeUndefined();
    expect(now.hasKeyframe(KIND, null, 1)).toBe(false);
  });
});

describe('a stored state from elsewhere', () => {
  it('is none of a journal whose events are others', () => {
    const [one, other] = [project(), project()];
    one.storeOn().save(KIND, null, { text: 'held' }, frontier);
    cpSync(one.layout.checkpoints, other.layout.checkpoints, { recursive: true });
    expect(other.storeOn().peek(KIND, null, 1)).toBeDefined();
    expect(other.storeOn().load(KIND, null, 1)).toBeUndefined();
  });

  /** Lists within each other. */
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

  it('that announces more than it holds is refused before room is made for it', () => {
    const { storeOn, replaceBy } = project();
    const store = storeOn();
    store.save(KIND, null, {}, frontier);
    const list = [0xdd, 0x00, 0x40, 0x00, 0x00]; // of 4,194,304 values, 32 MiB of room each
    replaceBy(() => Buffer.from(Array(60).fill(list).flat()));
    const { user, system } = process.cpuUsage();
    expect(store.peek(KIND, null, 1)).toBeUndefined();
    const now = process.cpuUsage();
    expect(now.user + now.system - user - system).toBeLessThan(100_000);
  });

  it('of bytes may be nested as deep as one can be stored', () => {
    const { storeOn, replaceBy } = project();
    const store = storeOn();
    const deepest = nested(98); // within the pair of what it is and the state, and around a number
    expect(() => store.save(OF_BYTES, null, nested(99), frontier)).toThrow(/deep/);
    store.save(OF_BYTES, null, deepest, frontier);
    expect(store.load(OF_BYTES, null, 1)?.state).toEqual(deepest);
    const within = (lists: number) => (plain: Buffer) => {
      const [meta] = decode(plain) as [unknown];
      return Buffer.concat([
        Buffer.of(0x92),
        encode(meta),
        Buffer.alloc(lists, 0x91),
        Buffer.of(1),
      ]);
    };
    replaceBy(within(99));
    expect(store.load(OF_BYTES, null, 1)).toBeDefined();
    replaceBy(within(100));
    expect(store.load(OF_BYTES, null, 1)).toBeUndefined();
  });

  it('may be as large as one that is stored, and no larger', () => {
    const { storeOn, replaceBy } = project();
    const store = storeOn();
    store.save(KIND, null, '', frontier);
    const ofBytes = (bytes: number) => (plain: Buffer) => {
      const [meta] = JSON.parse(plain.toString()) as [unknown];
      const head = JSON.stringify([meta, '']).length;
      return Buffer.from(JSON.stringify([meta, 'x'.repeat(bytes - head)]));
    };
    replaceBy(ofBytes(STATE_BYTES_MAX));
    expect(store.load(KIND, null, 1)).toBeDefined();
    replaceBy(ofBytes(STATE_BYTES_MAX + 1));
    expect(store.load(KIND, null, 1)).toBeUndefined();
  });

  it('has the letters that it was stored with, few or many beyond ASCII, halves of pairs among them', () => {
    const { storeOn, replaceBy } = project();
    const store = storeOn();
    const few = `${'plain words '.repeat(20)}ä 🤖 \ud83e "\\u00e4"`;
    for (const text of [few, 'ß漢字🤖'.repeat(50)]) {
      store.save(KIND, null, { text, [text]: 1 }, frontier);
      expect(store.load(KIND, null, 1)?.state).toEqual({ text, [text]: 1 });
      let isAscii: boolean | undefined;
      replaceBy((plain) => {
        isAscii = plain.every((byte) => byte < 0x80);
        return plain;
      });
      expect(isAscii).toBe(text === few);
    }
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
    expect(kept(60, { rolling: true })).toHaveLength(60);
    expect(DEFAULT_RETENTION).toEqual({ count: 5, days: 7 });
  });

  it('are as many, and as old, as the settings say', () => {
    expect(kept(8, {}, { count: 2 })).toEqual([8, 7]);
    expect(kept(8, { rolling: true }, { count: 2, days: 0 })).toEqual([8, 7]);
    // An hour apart: those of the last 24, and the one that is being stored.
    expect(kept(30, { rolling: true }, { count: 2, days: 1 })).toHaveLength(25);
  });

  it('are no more than 256 besides the newest, however young', () => {
    const listed = Array.from({ length: 300 }, (_, n) => 300 - n);
    const where = { firstSeqs: [1], now: 0, storedAt: () => 0 };
    const gone = pruned(listed, { rolling: true, keyframes: false }, { count: 2, days: 7 }, where);
    expect(300 - gone.length).toBe(YOUNG_MAX + 2);
    expect(YOUNG_MAX).toBe(256);
  });

  it('are one keyframe in each stretch of a segment, the newest, however old', () => {
    const where = { firstSeqs: [1, 4001], now: 0, storedAt: () => Number.NEGATIVE_INFINITY };
    const listed = Array.from({ length: 60 }, (_, n) => (60 - n) * 100);
    const kept = (kind: object) => {
      const gone = new Set(pruned(listed, kind, { count: 0, days: 0 }, where));
      return listed.filter((seq) => !gone.has(seq)).reverse();
    };
    const { rolling, other } = KEYFRAME_EVENTS;
    expect(kept({ rolling: true })).toEqual(
      Array.from({ length: 6000 / rolling }, (_, n) => (n + 1) * rolling),
    );
    expect(kept({})).toEqual([other, 2 * other, 6000]);
    expect(kept({ keyframes: false })).toEqual([]);
  });

  it('tell whether another one of the same stretch is worth its file', () => {
    const { storeOn, replaceBy } = project();
    const store = storeOn();
    expect(store.hasKeyframe(KIND, null, 1)).toBe(false);
    store.save(KIND, null, {}, frontier);
    expect(store.hasKeyframe(KIND, null, KEYFRAME_EVENTS.other)).toBe(true);
    expect(store.hasKeyframe(KIND, null, KEYFRAME_EVENTS.other + 1)).toBe(false);
    expect(store.hasKeyframe({ ...KIND, version: 2 }, null, 1)).toBe(false);
    replaceBy(() => Buffer.from('no state'));
    expect(storeOn().hasKeyframe(KIND, null, 1)).toBe(false);
  });
});

describe('a state whose storing is put off', () => {
  it('is stored as it was then, by the task that is given', () => {
    const { storeOn } = project();
    const store = storeOn();
    const tasks: (() => void)[] = [];
    const state = { list: ['one'] };
    store.tryToSave(KIND, null, state, frontier, (task) => tasks.push(task));
    state.list.push('two');
    expect(store.list(KIND, null)).toEqual([]);
    for (const task of tasks) task();
    expect(store.load(KIND, null, 1)?.state).toEqual({ list: ['one'] });
  });

  it('is folded again the next time when the disk takes nothing by then', () => {
    const { storeOn } = project();
    const full: typeof realPorts.fs.write = () => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    };
    const store = storeOn({ ...realPorts.fs, write: full });
    const tasks: (() => void)[] = [];
    store.tryToSave(KIND, null, { text: 'a' }, frontier, (task) => tasks.push(task));
    expect(tasks).toHaveLength(1);
    expect(() => tasks[0]!()).not.toThrow();
    expect(store.list(KIND, null)).toEqual([]);
  });
});
