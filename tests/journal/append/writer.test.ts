import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { RECENT_IDS_MAX } from '../../../src/journal/append/recent-ids.ts';
import { BODY_BYTES_MAX, ID_BYTES, SALT_BYTES } from '../../../src/journal/format/format.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { codeOf, newEvent, realPorts, scratch } from '../../support.ts';
import {
  appendAll,
  damageOf,
  durable,
  edit,
  eventsOf,
  journalOf,
  newRoot,
  newWriter,
  originFolder,
  portsWith,
  readAll,
  readerOn,
  segmentFiles,
  systemError,
  verify,
  withFailing,
  writerOn,
} from '../support.ts';

const inboxOf = (root: string) => readdirSync(layoutOf(root).inbox);

describe('an append', () => {
  it('makes the journal, gives seqs from 1 on, and says how many were new', () => {
    const { root, writer } = newWriter();
    expect(writer.append(eventsOf(2))).toEqual({ seqs: [1, 2], written: 2, spooled: false });
    expect(writer.append(eventsOf(1))).toEqual({ seqs: [3], written: 1, spooled: false });
    expect(writer.append([])).toEqual({ seqs: [], written: 0, spooled: false });
    expect(verify(root)).toMatchObject({
      ok: true,
      events: 3,
      segments: 1,
      firstSeq: 1,
      lastSeq: 3,
    });
  });

  it('keeps id, tag and payload of every event, with a salt of its own each', () => {
    const root = newRoot();
    const events = eventsOf(3);
    appendAll(root, events);
    const { entries } = readAll(root);
    expect(entries.map(({ id, typeTag, payload }) => ({ id, typeTag, payload }))).toEqual(
      events.map(({ id, typeTag, payload }) => ({ id, typeTag, payload })),
    );
    expect(new Set(entries.map((entry) => entry.salt.toString('hex'))).size).toBe(3);
  });

  it('goes on where another process left off, and where another writer appended meanwhile', () => {
    const root = newRoot();
    const [one, two] = [writerOn(root), writerOn(root)];
    expect(one.append(eventsOf(1)).seqs).toEqual([1]);
    expect(two.append(eventsOf(2)).seqs).toEqual([2, 3]);
    expect(one.append(eventsOf(1)).seqs).toEqual([4]);
    expect(verify(root)).toMatchObject({ ok: true, events: 4 });
  });

  it('rises in its clock also when the wall clock is set back', () => {
    const root = newRoot();
    const times = [5_000_000, 1_000, 6_000_000, 6_000_000, 10];
    for (const time of times) {
      const clock = { now: () => time, sleep: () => undefined };
      appendAll(root, eventsOf(2), {}, { ...realPorts, clock });
    }
    const clocks = readAll(root).entries.map(({ hlc }) => hlc.ms * 65536 + hlc.count);
    expect(clocks).toEqual([...clocks].sort((a, b) => a - b));
    expect(new Set(clocks).size).toBe(10);
  });

  it('may have a body of the largest size, and not one byte more', () => {
    const { root, writer } = newWriter();
    const sized = (bytes: number) => ({ ...newEvent(), payload: Buffer.alloc(bytes, 1) });
    expect(writer.append([sized(BODY_BYTES_MAX - SALT_BYTES)]).seqs).toEqual([1]);
    expect(codeOf(() => writer.append([newEvent(), sized(BODY_BYTES_MAX - SALT_BYTES + 1)]))).toBe(
      'LIMIT_EXCEEDED',
    );
    expect(readAll(root).seqs).toEqual([1]);
    expect(inboxOf(root)).toEqual([]);
  });

  it('refuses an id of another length and an empty body: mistakes of the caller', () => {
    const writer = writerOn(newRoot());
    for (const length of [0, ID_BYTES - 1, ID_BYTES + 1])
      expect(() => writer.append([{ ...newEvent(), id: Buffer.alloc(length) }])).toThrow(
        RangeError,
      );
    expect(() => writer.append([{ ...newEvent(), payload: Buffer.alloc(0) }])).toThrow(RangeError);
  });
});

describe('an id that is there already', () => {
  it('is not appended again: by the same writer, in the same call, or by a fresh process', () => {
    const { root, writer } = newWriter();
    const event = newEvent();
    expect(writer.append([event, newEvent(), event])).toEqual({
      seqs: [1, 2, 1],
      written: 2,
      spooled: false,
    });
    expect(writer.append([event])).toEqual({ seqs: [1], written: 0, spooled: false });
    const fresh = writerOn(root);
    expect(fresh.append([newEvent(), event])).toEqual({ seqs: [3, 1], written: 1, spooled: false });
    expect(readAll(root).seqs).toEqual([1, 2, 3]);
  });

  it('is known across a rotation, also to a fresh process', () => {
    const { root, writer } = newWriter();
    const event = newEvent();
    writer.append([newEvent(), event]);
    writer.rotate(0);
    expect(writer.append([event])).toMatchObject({ seqs: [2], written: 0 });
    const fresh = writerOn(root);
    expect(fresh.append([event, newEvent()])).toMatchObject({ seqs: [2, 3], written: 1 });
  });

  it('is not asked of a closed segment whose end is damaged', () => {
    const { root, writer } = newWriter();
    const event = newEvent();
    writer.append([event]);
    writer.rotate(0);
    edit(segmentFiles(root)[0]!, (bytes) => bytes.subarray(0, bytes.length - 3));
    const fresh = writerOn(root);
    expect(fresh.append([event])).toMatchObject({ seqs: [2], written: 1 });
  });

  it('is forgotten by a long-lived writer after twice as many others as the limit', () => {
    const writer = writerOn(newRoot());
    const first = newEvent();
    writer.append([first]);
    writer.append(Array.from({ length: 2 * RECENT_IDS_MAX - 1 }, () => newEvent()));
    expect(writer.append([first]).written).toBe(0);
    writer.append([newEvent()]);
    expect(writer.append([first]).written).toBe(1);
  });

  it('is not taken for known when its write had failed', () => {
    const root = newRoot();
    let isFull = false;
    const ports = portsWith({
      write: (fd, bytes, position) => (isFull ? 0 : realPorts.fs.write(fd, bytes, position)),
    });
    const writer = writerOn(root, {}, ports);
    const event = newEvent();
    writer.append([newEvent()]);
    isFull = true;
    expect(codeOf(() => writer.append([event]))).toBe('FS_WRITE_ERROR');
    isFull = false;
    expect(writer.append([event])).toEqual({ seqs: [2], written: 1, spooled: false });
    expect(verify(root)).toMatchObject({ ok: true, events: 2 });
  });
});

describe('a disk that is full', () => {
  it.each([0, 1, 100, 127])(
    'that takes %i bytes more leaves nothing torn, and nothing is acknowledged',
    (room) => {
      const root = journalOf(2);
      const before = readFileSync(segmentFiles(root)[0]!);
      let left = room;
      const ports = portsWith({
        write: (fd, bytes, position) => {
          if (left === 0) throw systemError('ENOSPC');
          const part = bytes.subarray(0, left);
          left = 0;
          return realPorts.fs.write(fd, part, position);
        },
      });
      const writer = writerOn(root, {}, ports);
      const refusal = expect.objectContaining({
        code: 'FS_WRITE_ERROR',
        next: expect.stringContaining('space'),
      });
      expect(() => writer.append(eventsOf(1))).toThrow(refusal);
      expect(readFileSync(segmentFiles(root)[0]!)).toEqual(before);
      expect(inboxOf(root)).toEqual([]);
      expect(verify(root).ok).toBe(true);
    },
  );

  it('in the segment only leads to the inbox, from where the events come back in order', () => {
    const root = journalOf(1);
    let isFull = true;
    const segment = (bytes: Uint8Array) =>
      Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'B10F';
    const ports = portsWith({
      write: (fd, bytes, position) =>
        isFull && segment(bytes) ? 7 : realPorts.fs.write(fd, bytes, position),
    });
    const writer = writerOn(root, {}, ports);
    const events = eventsOf(3);
    expect(writer.append(events.slice(0, 2))).toEqual({ seqs: [], written: 2, spooled: true });
    isFull = false;
    expect(writer.append(events.slice(2))).toEqual({ seqs: [4], written: 1, spooled: false });
    expect(readAll(root, 2).entries.map((entry) => entry.payload)).toEqual(
      events.map((event) => event.payload),
    );
  });

  it('that is full for the second of two segments of a batch loses nothing when the batch is sent again', () => {
    const root = journalOf(1);
    let creations = 0;
    const ports = portsWith({
      open: (file, flags, mode) => {
        if (flags === 'wx') {
          creations += 1;
          if (creations > 1) throw systemError('ENOSPC');
        }
        return realPorts.fs.open(file, flags, mode);
      },
    });
    const writer = writerOn(root, { segmentBytes: 1000 }, ports);
    const batch = eventsOf(20, 100);
    expect(() => writer.append(batch)).toThrow(expect.objectContaining({ code: 'FS_WRITE_ERROR' }));
    expect(verify(root).ok).toBe(true);
    const next = writerOn(root, { segmentBytes: 1000 });
    expect(next.append(batch).seqs).toEqual(batch.map((_, i) => i + 2));
    expect(verify(root)).toMatchObject({ ok: true, events: 21 });
  });
});

describe('what cannot be written', () => {
  it.each([
    ['EROFS', 'FS_PERMISSION_DENIED', 'mounted'],
    ['EACCES', 'FS_PERMISSION_DENIED', 'allow reading and writing'],
    ['EPERM', 'FS_PERMISSION_DENIED', 'allow reading and writing'],
    ['EDQUOT', 'FS_WRITE_ERROR', 'space'],
    ['EFBIG', 'FS_WRITE_ERROR', 'space'],
    ['ELOOP', 'JOURNAL_UNSAFE', 'link'],
    ['ENOTDIR', 'JOURNAL_UNSAFE', 'link'],
    ['EIO', 'FS_WRITE_ERROR', 'doctor'],
    ['EMFILE', 'FS_WRITE_ERROR', 'doctor'],
  ])('because of %s is told as %s, with what to do', (name, code, next) => {
    const root = newRoot();
    const told = expect.objectContaining({
      code,
      next: expect.stringContaining(next),
      place: { file: layoutOf(root).journal },
    });
    const all = withFailing('open', name, (_, flags) => flags !== 'r');
    expect(() => writerOn(root, {}, all).append(eventsOf(1))).toThrow(told);
    appendAll(root, eventsOf(1));
    const later = withFailing('write', name);
    const writer = writerOn(root, {}, later);
    expect(() => writer.append(eventsOf(1))).toThrow(told);
    expect(() => writer.rotate(0)).toThrow(told);
    expect(verify(root)).toMatchObject({ ok: true, events: 1 });
  });

  it('because of a mistake in the program is that mistake', () => {
    const root = newRoot();
    const broken = withFailing('write', new TypeError('a bug'));
    const writer = writerOn(root, {}, broken);
    expect(() => writer.append(eventsOf(1))).toThrow(TypeError);
    expect(() => writer.drain()).toThrow(TypeError);
    const noStat = withFailing('statIfThere', new TypeError('a bug'));
    expect(() => writerOn(root, {}, noStat)).toThrow(TypeError);
  });
});

describe('a .ben10 that is not what it seems', () => {
  it('is refused when it is a link, and nothing is written to where that leads', () => {
    const [root, victim] = [newRoot(), scratch()];
    symlinkSync(victim, root);
    expect(() => writerOn(root)).toThrow(
      expect.objectContaining({ code: 'JOURNAL_UNSAFE', place: { file: root } }),
    );
    expect(readdirSync(victim)).toEqual([]);
  });

  it('is refused when the folder of its origin is a link', () => {
    const [root, victim] = [newRoot(), scratch()];
    appendAll(root, eventsOf(1));
    const origin = originFolder(root);
    rmSync(origin, { recursive: true });
    symlinkSync(victim, origin);
    const writer = writerOn(root);
    expect(codeOf(() => writer.append(eventsOf(1)))).toBe('JOURNAL_UNSAFE');
    expect(readdirSync(victim)).toEqual([]);
  });

  it('has the lock or the newest segment replaced by a link: what that points to stays as it is', () => {
    const [root, victim] = [newRoot(), path.join(scratch(), 'victim')];
    appendAll(root, eventsOf(1));
    const { lock } = layoutOf(root);
    rmSync(lock);
    symlinkSync(victim, lock);
    const locked = writerOn(root);
    expect(locked.append(eventsOf(1)).spooled).toBe(true);
    rmSync(lock);
    const [segment] = segmentFiles(root);
    rmSync(segment!);
    symlinkSync(victim, segment!);
    const writer = writerOn(root);
    expect(writer.append(eventsOf(1)).spooled).toBe(true);
    expect(existsSync(victim)).toBe(false);
    expect(readAll(root).damage).toMatchObject([{ kind: 'segment-header' }]);
    expect(damageOf(root)).toEqual(['segment-header 1-null']);
  });
});

describe('a writer that lives on while somebody removes the folder', () => {
  it('does not write to files without a name: it fails, or goes on in the new journal', () => {
    const { root, writer } = newWriter();
    writer.append(eventsOf(3));
    rmSync(root, { recursive: true });
    expect(codeOf(() => writer.append(eventsOf(1)))).toBe('FS_WRITE_ERROR');
    appendAll(root, eventsOf(2));
    expect(writer.append(eventsOf(1)).spooled).toBe(false);
    expect(verify(root)).toMatchObject({ ok: true, events: 3 });
  });

  it('does not go on in a segment that was removed alone', () => {
    const { root, writer } = newWriter();
    writer.append(eventsOf(3));
    rmSync(segmentFiles(root)[0]!);
    expect(writer.append(eventsOf(1)).spooled).toBe(false);
    expect(readAll(root).entries).toHaveLength(1);
  });

  it('notices a segment that another process opened behind a hole', () => {
    const { root, writer } = newWriter();
    for (const event of durable(eventsOf(4))) writer.append([event]);
    // Rot in the last event, which this writer does not see, and another process does.
    const [file] = segmentFiles(root);
    const { size } = realPorts.fs.stat(file!);
    const fd = realPorts.fs.open(file!, 'r+');
    realPorts.fs.write(fd, Buffer.alloc(4), size - 20);
    realPorts.fs.close(fd);
    appendAll(root, eventsOf(1));
    expect(writer.append(eventsOf(1)).seqs).toEqual([7]);
    expect(readerOn(root).segments()).toHaveLength(2);
    expect(readAll(root).seqs).toEqual([1, 2, 3, 5, 6, 7]);
  });
});

describe('where nobody may read the newest segment', () => {
  it('events wait in the inbox, and are taken in once it may be read', () => {
    const root = journalOf(1);
    const { open } = realPorts.fs;
    const denied = portsWith({
      open: (path, flags, mode) => {
        if (path.endsWith('.b10')) throw systemError('EACCES');
        return open(path, flags, mode);
      },
    });
    const [event] = eventsOf(2).slice(1);
    const writer = writerOn(root, {}, denied);
    expect(writer.append([event!])).toMatchObject({ seqs: [], spooled: true });
    const later = writerOn(root);
    expect(later.drain()).toBe(true);
    expect(readAll(root).seqs).toEqual([1, 2]);
  });
});

describe('an append that can neither have the lock nor spool', () => {
  it('is an error that says why', () => {
    const root = journalOf(1);
    const { rename } = realPorts.fs;
    const noInbox = portsWith(
      {
        rename: (from, to) => {
          if (to.includes('/inbox/')) throw systemError('EROFS');
          rename(from, to);
        },
      },
      { lock: undefined },
    );
    const writer = writerOn(root, {}, noInbox);
    expect(codeOf(() => writer.append(eventsOf(1)))).toBe('FS_PERMISSION_DENIED');
  });
});

describe('a system without a kernel lock', () => {
  it('spools everything, and every reader sees it waiting', () => {
    const root = newRoot();
    const ports = portsWith({}, { lock: undefined });
    const writer = writerOn(root, {}, ports);
    const events = eventsOf(3);
    for (const event of events) expect(writer.append([event]).spooled).toBe(true);
    expect([writer.drain(), writer.rotate(0)]).toEqual([false, false]);
    expect(() => writer.syncIfDue()).not.toThrow();
    expect(
      readerOn(root)
        .inbox()
        .map((event) => event.payload),
    ).toEqual(events.map((event) => event.payload));
    expect(verify(root, ports)).toMatchObject({ ok: true, events: 0, waiting: 3, head: null });
  });
});
