import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SYNC_INTERVAL_MS } from '../../../src/journal/append/syncing.ts';
import { SEGMENT_FLAG } from '../../../src/journal/format/format.ts';
import { hintPath, readHint } from '../../../src/journal/format/hint.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { decodeSegmentHeader } from '../../../src/journal/format/segment.ts';
import { writeHint } from '../../hints.ts';
import { codeOf, newEvent, realPorts } from '../../support.ts';
import {
  appendAll,
  edit,
  eventsOf,
  flipBit,
  handClock,
  journalOf,
  newRoot,
  originFolder,
  portsWith,
  readAll,
  recorded,
  segmentFiles,
  systemError,
  verify,
  writerOn,
} from '../support.ts';

const hintOf = (root: string) => hintPath(layoutOf(root), path.basename(originFolder(root)));

/** A journal with one event, and ports that count syncs and whose clock stands still. */
function counted() {
  const root = journalOf(1);
  const clock = handClock();
  const { calls, ports } = recorded(['datasync'], { clock });
  return { root, clock, calls, ports };
}

describe('durability classes', () => {
  it('a process event is never synced', () => {
    const { root, clock, calls, ports } = counted();
    const writer = writerOn(root, {}, ports);
    for (let i = 0; i < 20; i += 1) {
      writer.append([newEvent({}, 'process')]);
      clock.time += 5000;
    }
    expect(calls).toEqual([]);
  });

  it('a disk event is synced before it is acknowledged, each time', () => {
    const { root, calls, ports } = counted();
    const writer = writerOn(root, {}, ports);
    for (let i = 1; i <= 5; i += 1) {
      writer.append([newEvent({}, 'process'), newEvent({}, 'disk')]);
      expect(calls).toHaveLength(i);
    }
    expect(readHint(realPorts, hintOf(root)).syncedUpto).toBe(11);
  });

  it('a disk event that waits in an inbox is there with the folder that was made for it', () => {
    const root = journalOf(1);
    const { inbox, journal } = layoutOf(root);
    rmSync(inbox, { recursive: true });
    const synced: string[] = [];
    const syncDir = (dir: string) => {
      synced.push(dir);
      realPorts.fs.syncDir(dir);
    };
    const writer = writerOn(root, {}, portsWith({ syncDir }, { lock: undefined }));
    expect(writer.append([newEvent({}, 'disk')]).spooled).toBe(true);
    expect(synced).toEqual([journal, inbox]);
  });

  it('interval events are synced at most once a second, and by the first one after it', () => {
    const { root, clock, calls, ports } = counted();
    const writer = writerOn(root, {}, ports);
    const append = () => writer.append([newEvent({}, 'interval')]);
    append();
    expect(calls).toHaveLength(1); // nobody knows of a sync yet
    clock.time += SYNC_INTERVAL_MS - 1;
    append();
    append();
    expect(calls).toHaveLength(1);
    clock.time += 1;
    append();
    append();
    expect(calls).toHaveLength(2);
  });

  it('interval events of several processes are synced once a second by all of them together', () => {
    const { root, clock, calls, ports } = counted();
    const writers = [
      writerOn(root, {}, ports),
      writerOn(root, {}, ports),
      writerOn(root, {}, ports),
    ];
    for (let i = 0; i < 100; i += 1) {
      for (const writer of writers) writer.append([newEvent({}, 'interval')]);
      clock.time += 100;
    }
    for (const writer of writers) writer.close();
    expect(calls).toHaveLength(10);
  });

  it('a clock that is set back does not put syncs off', () => {
    const { root, clock, calls, ports } = counted();
    const writer = writerOn(root, {}, ports);
    writer.append([newEvent({}, 'interval')]);
    clock.time -= 3_600_000;
    writer.append([newEvent({}, 'interval')]);
    expect(calls).toHaveLength(2);
    clock.time += 500;
    writer.append([newEvent({}, 'interval')]);
    expect(calls).toHaveLength(2);
  });

  it('frames say how far the last sync came, and the hint tells the next process', () => {
    const { root, ports } = counted();
    const writer = writerOn(root, {}, ports);
    writer.append([newEvent({}, 'disk')]);
    writer.append([newEvent()]);
    writer.append([newEvent()]);
    appendAll(root, [newEvent()], {}, ports);
    expect(readAll(root).entries.map((entry) => entry.syncedUpto)).toEqual([0, 0, 2, 2, 2]);
  });

  it('a hint that claims too much is not passed on as more than there is', () => {
    const { root, ports } = counted();
    writeHint(realPorts, hintOf(root), { syncedUpto: 1, syncedAt: 0 });
    appendAll(root, eventsOf(2), {}, ports);
    expect(readAll(root).entries.map((entry) => entry.syncedUpto)).toEqual([0, 1, 1]);
  });

  it('a server that calls syncIfDue syncs what was written since, once', () => {
    const { root, calls, ports } = counted();
    const writer = writerOn(root, {}, ports);
    writer.syncIfDue();
    writer.syncIfDue();
    expect(calls).toHaveLength(1);
    writer.append([newEvent()]);
    writer.syncIfDue();
    writer.syncIfDue();
    expect(calls).toHaveLength(2);
    expect(readHint(realPorts, hintOf(root)).syncedUpto).toBe(2);
  });

  it('a repair is on disk before the append that made it is acknowledged', () => {
    const { root, calls, ports } = counted();
    edit(segmentFiles(root)[0]!, (bytes) => bytes.subarray(0, bytes.length - 9));
    appendAll(root, [newEvent()], {}, ports);
    expect(calls.length).toBeGreaterThanOrEqual(3); // quarantine, cut, event
    expect(readHint(realPorts, hintOf(root)).syncedUpto).toBe(1);
  });

  it('a repair that rotate, drain or syncIfDue makes is told of as well', () => {
    for (const act of ['rotate', 'drain', 'syncIfDue'] as const) {
      const { root } = counted();
      edit(segmentFiles(root)[0]!, (bytes) => bytes.subarray(0, bytes.length - 9));
      const writer = writerOn(root);
      if (act === 'rotate') writer.rotate(0);
      else writer[act]();
      expect(readAll(root).entries, act).toHaveLength(1);
    }
  });
});

/** Ports whose syncs of one segment fail while `isBroken`; other files sync as always. */
function failingSync(name = '0001.b10') {
  const state = { isBroken: false, attempts: 0 };
  const segments = new Set<number>();
  const ports = portsWith({
    open: (file, flags, mode) => {
      const fd = realPorts.fs.open(file, flags, mode);
      if (file.endsWith(name) && flags === 'r+') segments.add(fd);
      else segments.delete(fd);
      return fd;
    },
    datasync: (fd) => {
      if (segments.has(fd)) {
        state.attempts += 1;
        if (state.isBroken) throw systemError('EIO');
      }
      realPorts.fs.datasync(fd);
    },
  });
  return { state, ports };
}

describe('a sync that fails', () => {
  it('is not acknowledged as done: the events go to the inbox, and come into a new segment', () => {
    const root = journalOf(2);
    const { state, ports } = failingSync();
    const writer = writerOn(root, {}, ports);
    writer.append([newEvent()]);
    state.isBroken = true;
    const precious = newEvent({ data: 'precious' }, 'disk');
    expect(writer.append([precious])).toEqual({ seqs: [], written: 1, spooled: true });
    // Every other process sees at once that the old segment is not to be written to.
    expect(segmentFiles(root).map((file) => path.basename(file))).toEqual([
      '0000000000000001.b10',
      '0000000000000005.b10',
    ]);
    state.isBroken = false;
    const { attempts } = state;
    expect(writer.append([newEvent()]).seqs).toEqual([6]);
    expect(state.attempts).toBe(attempts); // the old segment is never synced again
    const { entries } = readAll(root);
    expect(entries.map((entry) => entry.seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect([entries[3]!.id, entries[4]!.id]).toEqual([precious.id, precious.id]); // known in the old one, yet written again
    const header = decodeSegmentHeader(readFileSync(segmentFiles(root)[1]!), realPorts.xxh64)!;
    expect(header.flags).toBe(SEGMENT_FLAG.afterDamage);
    expect(verify(root).ok).toBe(true);
  });

  it('is not believed by a fresh process that finds the events in the page cache', () => {
    const root = journalOf(1);
    const { state, ports } = failingSync();
    state.isBroken = true;
    const precious = newEvent({}, 'disk');
    writerOn(root, {}, ports).append([precious]);
    writerOn(root).append([newEvent()]);
    expect(
      readAll(root)
        .entries.filter((entry) => entry.id.equals(precious.id))
        .map((entry) => entry.seq),
    ).toEqual([2, 3]);
  });

  it('while the inbox is drained keeps the file there, and never reports it done on the old segment', () => {
    const root = journalOf(1);
    appendAll(root, [newEvent({ data: 'waiting' })], {}, portsWith({}, { lock: undefined }));
    const { state, ports } = failingSync();
    state.isBroken = true;
    const writer = writerOn(root, {}, ports);
    expect(writer.append([newEvent()]).spooled).toBe(true);
    expect(segmentFiles(root)).toHaveLength(2);
    state.isBroken = false;
    expect(writer.drain()).toBe(true);
    expect(verify(root)).toMatchObject({ ok: true, waiting: 0 });
    const texts = readAll(root, 3).entries.map((entry) => entry.flags);
    expect(texts).toEqual([1, 1]);
  });

  it('in a rotation, in syncIfDue or in drain is an error that says where', () => {
    for (const act of ['rotate', 'syncIfDue', 'drain'] as const) {
      const root = journalOf(1);
      if (act === 'drain') appendAll(root, eventsOf(1), {}, portsWith({}, { lock: undefined }));
      const { state, ports } = failingSync();
      state.isBroken = true;
      const writer = writerOn(root, {}, ports);
      const told = expect.objectContaining({ code: 'FS_WRITE_ERROR' });
      expect(() => (act === 'rotate' ? writer.rotate(0) : writer[act]()), act).toThrow(told);
      expect(segmentFiles(root), act).toHaveLength(2);
      const { attempts } = state;
      state.isBroken = false;
      expect(writer.append([newEvent({}, 'disk')]).spooled, act).toBe(false);
      expect(state.attempts, act).toBe(attempts);
      expect(verify(root).ok, act).toBe(true);
    }
  });

  it('on a disk that fails altogether is tried in a new segment at the next append', () => {
    const root = journalOf(1);
    const { state, ports } = failingSync();
    state.isBroken = true;
    const broken = {
      ...ports,
      fs: {
        ...ports.fs,
        rename: (from: string, to: string) => {
          if (state.isBroken) throw systemError('EIO');
          realPorts.fs.rename(from, to);
        },
      },
    };
    const writer = writerOn(root, {}, broken);
    expect(codeOf(() => writer.append([newEvent({}, 'disk')]))).toBe('FS_WRITE_ERROR');
    expect(segmentFiles(root)).toHaveLength(1);
    state.isBroken = false;
    expect(writer.append([newEvent({}, 'disk')]).seqs).toEqual([3]);
    expect(segmentFiles(root)).toHaveLength(2);
  });

  it('of an empty segment does not make a second one of the same name', () => {
    const root = journalOf(1);
    writerOn(root).rotate(0);
    const { state, ports } = failingSync('0002.b10');
    writeHint(realPorts, hintOf(root), { syncedUpto: 0, syncedAt: 0 });
    state.isBroken = true;
    const writer = writerOn(root, {}, ports);
    expect(() => writer.syncIfDue()).toThrow();
    state.isBroken = false;
    expect(writer.append([newEvent()]).seqs).toEqual([2]);
    expect(segmentFiles(root)).toHaveLength(2);
    expect(verify(root)).toMatchObject({ ok: true, events: 2 });
  });

  it('leaves a journal in which rot is still told from a torn tail', () => {
    const root = newRoot();
    appendAll(root, [newEvent({}, 'disk'), newEvent()]);
    edit(segmentFiles(root)[0]!, (bytes) => void flipBit(bytes, (bytes.length - 30) * 8));
    appendAll(root, [newEvent()]);
    expect(verify(root)).toMatchObject({ ok: true, events: 3 });
  });
});
