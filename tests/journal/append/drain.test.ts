import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { admitAll, drainInbox } from '../../../src/journal/append/drain.ts';
import { markDrain } from '../../../src/journal/append/drain-marker.ts';
import { type NewEvent, spool } from '../../../src/journal/append/inbox.ts';
import { LockFile } from '../../../src/journal/append/locking.ts';
import { WINDOW_BYTES } from '../../../src/journal/append/tail.ts';
import { FRAME_FLAG } from '../../../src/journal/format/format.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { newEvent, realPorts } from '../../support.ts';
import { compact } from '../journals.ts';
import {
  appendAll,
  edit,
  eventsOf,
  handClock,
  journalOf,
  newRoot,
  originFolder,
  portsWith,
  quarantined,
  readAll,
  readerOn,
  recorded,
  segmentFiles,
  systemError,
  verify,
  withFailing,
  withNoted,
  writerOn,
} from '../support.ts';

/** For a machine that is busy with something else. */
const ALL = { events: 256, milliseconds: 60_000 };
const NAME = `${'0'.repeat(16)}-${'a'.repeat(12)}.evt`;
const noLock = portsWith({}, { lock: undefined });

/** A journal with one event, and these waiting in its inbox, one file each. */
function waiting(events: NewEvent[]) {
  const root = journalOf(1);
  const writer = writerOn(root, {}, noLock);
  for (const event of events) writer.append([event]);
  return root;
}

const files = (root: string) => readdirSync(layoutOf(root).inbox).sort();
const idsOf = (root: string, from = 1) =>
  readAll(root, from).entries.map((entry) => entry.id.toString('hex'));
const hex = (events: NewEvent[]) => events.map((event) => event.id.toString('hex'));

describe('draining the inbox', () => {
  it('takes the events in the order in which they came, marked, before what is appended', () => {
    const events = eventsOf(5);
    const root = waiting(events);
    const own = newEvent();
    const writer = writerOn(root, { drain: ALL });
    expect(writer.append([own]).seqs).toEqual([7]);
    expect(idsOf(root, 2)).toEqual(hex([...events, own]));
    const flags = readAll(root).entries.map((entry) => entry.flags & FRAME_FLAG.fromInbox);
    expect(flags).toEqual([0, 1, 1, 1, 1, 1, 0]);
    expect(files(root)).toEqual([]);
    expect(verify(root)).toMatchObject({ ok: true, waiting: 0 });
  });

  it('syncs once for all files, and removes them only after that', () => {
    const root = waiting(eventsOf(5));
    const { calls, ports } = recorded(['datasync', 'unlink']);
    appendAll(root, [newEvent()], { drain: ALL }, ports);
    // The last is the mark's.
    expect(calls).toEqual(['datasync', ...Array(5 + 1).fill('unlink')]);
  });

  it('after a crash between append and removal gives no event twice', () => {
    const events = eventsOf(5);
    const root = waiting(events);
    let removals = 0;
    const dying = portsWith({
      unlink: (file) => {
        if (file.endsWith('.evt')) removals += 1;
        if (removals > 2) throw systemError('EIO');
        realPorts.fs.unlink(file);
      },
    });
    const writer = writerOn(root, {}, dying);
    expect(() => writer.drain()).toThrow();
    expect(files(root)).toHaveLength(3 + 1); // and the mark
    appendAll(root, [newEvent()], { drain: ALL });
    expect(files(root)).toEqual([]);
    expect(idsOf(root, 2).slice(0, 5)).toEqual(hex(events));
    expect(readAll(root).seqs).toHaveLength(7);
  });

  it.each([
    ['of a megabyte each, of which a look at the tail sees one', 6, 1_000_000, 8 * 1024 * 1024],
    ['that went into several segments', 30, 500, 2000],
  ])('after a crash gives no event twice, also not events %s', (_, count, bytes, segmentBytes) => {
    for (const isSealed of [false, true]) {
      const events = Array.from({ length: count }, () => newEvent({ data: 'x'.repeat(bytes) }));
      const root = waiting(events);
      const dying = withFailing('unlink', 'EIO', (file) => file.endsWith('.evt'));
      const dead = writerOn(root, { drain: ALL, segmentBytes }, dying);
      expect(() => dead.drain()).toThrow();
      expect(files(root)).toContain('draining');
      if (isSealed) compact(root, { level: 1 });
      // The next ones take in a few files each, and append something of their own between them.
      const own = eventsOf(count);
      for (const event of own)
        appendAll(root, [event], { drain: { events: 1, milliseconds: 60_000 } });
      expect(files(root)).toEqual([]);
      expect(idsOf(root, 2)).toEqual(hex([...events, ...own]));
    }
  });

  it('whose mark was cut off by a crash, or is nonsense, begins anew', () => {
    for (const mark of ['', '2', '2 0', `-3 ${NAME}`, `1.5 ${NAME}`, `${'9'.repeat(16)} ${NAME}`]) {
      const events = eventsOf(3);
      const root = waiting(events);
      writeFileSync(path.join(layoutOf(root).inbox, 'draining'), mark);
      appendAll(root, [newEvent()], { drain: ALL });
      expect(idsOf(root, 2).slice(0, 3), mark).toEqual(hex(events));
      expect(files(root), mark).toEqual([]);
    }
  });

  it('is not taken in twice, where what a broken one had appended was cut off meanwhile, and it breaks again', () => {
    // Larger than what a writer remembers ids of: the mark alone tells.
    const events = eventsOf(3).map((_, n) => newEvent({ data: `${n}`.repeat(WINDOW_BYTES) }));
    const root = waiting(events);
    // The broken one had begun at a seq that the journal has not come to any more.
    writeFileSync(
      path.join(layoutOf(root).inbox, 'draining'),
      `9 ${'f'.repeat(16)}-${'f'.repeat(12)}.evt`,
    );
    const dying = withFailing('unlink', new Error('killed'), (file) => file.endsWith('.evt'));
    expect(() => writerOn(root, {}, dying).drain()).toThrow('killed');
    appendAll(root, [newEvent()], { drain: ALL });
    expect(idsOf(root, 2).slice(0, 3)).toEqual(hex(events));
    expect(new Set(idsOf(root, 1)).size).toBe(idsOf(root, 1).length);
  });

  it('is taken in once more where it could not be synced, into a segment that can', () => {
    const events = eventsOf(3);
    const root = waiting(events);
    let isFailing = true;
    const failing = portsWith({
      datasync: (fd) => {
        if (isFailing) {
          isFailing = false;
          throw systemError('EIO');
        }
        realPorts.fs.datasync(fd);
      },
    });
    const writer = writerOn(root, { drain: ALL }, failing);
    expect(() => writer.drain()).toThrow();
    expect(files(root).filter((name) => name.endsWith('.evt'))).toHaveLength(3);
    expect(writer.drain()).toBe(true);
    expect(files(root)).toEqual([]);
    const trusted = segmentFiles(root).at(-1)!;
    const bytes = readFileSync(trusted);
    for (const { id } of events) expect(bytes.includes(id), trusted).toBe(true);
  });

  it('is not held up by a mark in a journal whose segments are damaged', () => {
    const root = waiting(eventsOf(3));
    writerOn(root, { drain: ALL }).rotate(0);
    writeFileSync(path.join(layoutOf(root).inbox, 'draining'), `1 ${NAME}`);
    edit(
      path.join(originFolder(root), '0000000000000001.b10'),
      (bytes) => void bytes.fill(0, 0, 90),
    );
    appendAll(root, [newEvent()], { drain: ALL });
    expect(files(root)).toEqual([]);
  });

  it('twice is the same as once', () => {
    const root = waiting(eventsOf(3));
    const writer = writerOn(root);
    expect([writer.drain(), writer.drain()]).toEqual([true, true]);
    expect(readAll(root).seqs).toEqual([1, 2, 3, 4]);
  });

  it('takes no more events than its budget in one append, and all of them when asked to', () => {
    const root = waiting(eventsOf(10));
    const writer = writerOn(root, { drain: { events: 4, milliseconds: 60_000 } });
    writer.append([newEvent()]);
    expect(files(root)).toHaveLength(6);
    writer.drain();
    expect(files(root)).toEqual([]);
    expect(verify(root)).toMatchObject({ ok: true, events: 12 });
  });

  it('takes no more time than its budget, yet always one file', () => {
    const root = waiting(eventsOf(6));
    const clock = handClock();
    const { fs } = realPorts;
    const slow = portsWith(
      {
        read: (fd, into, position) => {
          clock.time += 3;
          return fs.read(fd, into, position);
        },
      },
      { clock },
    );
    const layout = layoutOf(root);
    const taken: number[] = [];
    const take = (events: NewEvent[]) => void taken.push(events.length);
    expect(drainInbox(slow, layout, 2, { events: 100, milliseconds: 7 }, take, admitAll).done).toBe(
      3,
    );
    expect(
      drainInbox(slow, layout, 2, { events: 100, milliseconds: 0 }, take, admitAll).left.size,
    ).toBe(2);
    expect(taken).toEqual([3, 1]);
  });

  it('of an empty inbox asks for nothing', () => {
    const layout = layoutOf(newRoot());
    const none = () => {
      throw new Error('never');
    };
    expect(
      drainInbox(realPorts, layout, 1, { events: 1, milliseconds: 1 }, none, admitAll),
    ).toEqual({
      done: 0,
      left: new Set(),
      kept: [],
    });
  });

  it('takes a file with more events than fit into any call stack', () => {
    const root = journalOf(1);
    const payload = Buffer.from([0xc0]);
    const tiny = Array.from({ length: 150_000 }, (_, i) => {
      const id = Buffer.alloc(16);
      id.writeUInt32LE(i);
      return { id, typeTag: 0, payload, durability: 'process' as const };
    });
    spool(realPorts, layoutOf(root), tiny);
    let taken = 0;
    const budget = { events: 1, milliseconds: 1 };
    drainInbox(
      realPorts,
      layoutOf(root),
      2,
      budget,
      (events) => {
        taken += events.length;
      },
      admitAll,
    );
    expect([taken, files(root)]).toEqual([150_000, []]);
  });
});

describe('a file in the inbox that is no good', () => {
  it('goes to quarantine, and the others are taken', () => {
    const events = eventsOf(3);
    const root = waiting(events);
    edit(path.join(layoutOf(root).inbox, files(root)[1]!), (bytes) =>
      bytes.subarray(0, bytes.length - 1),
    );
    appendAll(root, [newEvent()], { drain: ALL });
    expect(files(root)).toEqual([]);
    expect(quarantined(root)).toMatchObject([
      expect.stringMatching(/^[0-9a-f]{16}-[0-9a-f]{12}\.evt\.whole\.[0-9a-f]{12}$/),
    ]);
    expect(idsOf(root, 2).slice(0, 2)).toEqual(hex([events[0]!, events[2]!]));
  });

  it('stays where it is when a later ben10 left it, and holds nobody up', () => {
    const root = waiting([newEvent()]);
    const [name] = files(root);
    edit(path.join(layoutOf(root).inbox, name!), (bytes) => {
      bytes.writeUInt8(2, 7);
      bytes.writeUInt8(1, 12);
    });
    const writer = writerOn(root);
    expect(writer.append(eventsOf(1)).seqs).toEqual([2]);
    expect(writer.drain()).toBe(true);
    expect([files(root), quarantined(root)]).toEqual([[name], []]);
    expect(verify(root)).toMatchObject({ damage: [], passed: [`inbox/${name}`] });
  });

  it('goes to quarantine also when it is a folder or a link; what the link leads to stays', () => {
    const root = waiting(eventsOf(1));
    const { inbox } = layoutOf(root);
    const victim = path.join(root, 'victim');
    writeFileSync(victim, 'mine');
    mkdirSync(path.join(inbox, `${'0'.repeat(16)}-${'a'.repeat(12)}.evt`));
    symlinkSync(victim, path.join(inbox, `${'0'.repeat(16)}-${'b'.repeat(12)}.evt`));
    appendAll(root, [newEvent()], { drain: ALL });
    expect([files(root), quarantined(root).length]).toEqual([[], 2]);
    expect(readAll(root).seqs).toEqual([1, 2, 3]);
    expect(existsSync(victim)).toBe(true);
  });

  it('is on the disk in its new place, and gone from its old one, when the writer goes on', () => {
    const root = waiting(eventsOf(1));
    edit(path.join(layoutOf(root).inbox, files(root)[0]!), () => Buffer.alloc(40));
    const synced: string[] = [];
    const ports = withNoted('syncDir', (dir) => void synced.push(path.basename(dir)));
    const writer = writerOn(root, {}, ports);
    writer.drain();
    expect(synced.slice(-2)).toEqual(['quarantine', 'inbox']);
    expect(writer.kept).toEqual(quarantined(root));
  });

  it('goes to quarantine also when it is the only one: there is nothing to write then', () => {
    const root = waiting(eventsOf(1));
    edit(path.join(layoutOf(root).inbox, files(root)[0]!), () => Buffer.alloc(40));
    const { calls, ports } = recorded(['datasync', 'write']);
    const writer = writerOn(root, {}, ports);
    expect(writer.drain()).toBe(true);
    expect([calls, files(root), quarantined(root).length]).toEqual([[], [], 1]);
  });

  it('stays where it is when it cannot be read now, and holds nobody up', () => {
    const root = waiting(eventsOf(3));
    const [first] = files(root);
    const denied = withFailing('open', 'EACCES', (file) => file.endsWith(first!));
    appendAll(root, [newEvent()], { drain: ALL }, denied);
    expect(files(root)).toEqual([first]);
    expect(readAll(root).seqs).toEqual([1, 2, 3, 4]);
    appendAll(root, [newEvent()], { drain: ALL });
    expect(files(root)).toEqual([]);
    chmodSync(layoutOf(root).inbox, 0o700);
  });

  it('does not hide a mistake in the program', () => {
    const root = waiting(eventsOf(1));
    const broken = withFailing('rename', new TypeError('a bug'));
    edit(path.join(layoutOf(root).inbox, files(root)[0]!), () => Buffer.alloc(0));
    const writer = writerOn(root, {}, broken);
    expect(() => writer.append([newEvent()])).toThrow(TypeError);
  });
});

describe('a writer whose own events wait in the inbox', () => {
  it('keeps their order: what it appends next waits behind them until they are in', () => {
    const root = waiting(eventsOf(6)); // somebody else's, older
    const holder = new LockFile(realPorts, layoutOf(root).lock);
    const options = { lockBudgetMs: 0, drain: { events: 4, milliseconds: 60_000 } };
    const clock = handClock(Date.now() + 60_000);
    const writer = writerOn(root, options, { ...realPorts, clock });
    const own = eventsOf(4);
    holder.hold(0, () => expect(writer.append([own[0]!]).spooled).toBe(true));
    holder.close();
    expect(writer.append([own[1]!]).spooled).toBe(true); // four of seven were taken, not its own
    expect(writer.append([own[2]!]).spooled).toBe(false); // two, and both of its own
    expect(writer.append([own[3]!]).spooled).toBe(false);
    expect(idsOf(root, 8)).toEqual(hex(own));
    expect(files(root)).toEqual([]);
  });

  it('reads them from the inbox, oldest first, until then', () => {
    const events = eventsOf(4);
    const root = waiting(events);
    edit(path.join(layoutOf(root).inbox, files(root)[2]!), () => Buffer.alloc(5));
    expect(hex(readerOn(root).inbox())).toEqual(hex([events[0]!, events[1]!, events[3]!]));
  });
});

describe('the mark of a drain that died', () => {
  it('holds until that of the next one is there, who may die over it', () => {
    // Larger than what a writer remembers ids of: the mark alone tells.
    const events = eventsOf(3).map((_, n) => newEvent({ data: `${n}`.repeat(WINDOW_BYTES) }));
    const root = waiting(events);
    const killedAt = (what: Parameters<typeof portsWith>[0]) => {
      const dying = writerOn(root, { drain: ALL }, portsWith(what));
      expect(() => dying.drain()).toThrow();
    };
    killedAt({
      unlink: (file) => {
        if (file.endsWith('.evt')) throw systemError('EIO');
        realPorts.fs.unlink(file);
      },
    });
    const late = newEvent();
    spool(realPorts, layoutOf(root), [late]);
    killedAt({
      open: (file, flags) => {
        if (flags === 'wx' && file.includes('draining')) throw new Error('killed');
        return realPorts.fs.open(file, flags);
      },
    });
    expect(files(root)).toContain('draining');
    const own = newEvent();
    appendAll(root, [own], { drain: ALL });
    expect(idsOf(root, 2)).toEqual(hex([...events, late, own]));
    expect(files(root)).toEqual([]);
  });

  it('stays until all files that it had taken were looked at, a few at a time', () => {
    const events = eventsOf(3);
    const root = waiting(events);
    const layout = layoutOf(root);
    const names = files(root);
    markDrain(realPorts, layout, { fromSeq: 2, lastFile: names[2]! });
    const taken: NewEvent[] = [];
    for (const left of [2, 1, 0]) {
      const one = { events: 1, milliseconds: 60_000 };
      drainInbox(realPorts, layout, 2, one, (some) => void taken.push(...some), admitAll);
      expect(files(root)).toHaveLength(left === 0 ? 0 : left + 1);
      expect(files(root).includes('draining')).toBe(left > 0);
    }
    expect(hex(taken)).toEqual(hex(events));
  });

  it('says nothing of events that were appended behind it and never waited', () => {
    const [first, second] = eventsOf(2) as [NewEvent, NewEvent];
    const root = waiting([first]);
    const layout = layoutOf(root);
    const [name] = files(root);
    appendAll(root, [second], { drain: ALL });
    // It died when it had removed the files; since then the same fact was told to somebody without a lock.
    markDrain(realPorts, layout, { fromSeq: 2, lastFile: name! });
    spool(realPorts, layout, [second]);
    spool(realPorts, layout, [first]);
    const taken: NewEvent[] = [];
    drainInbox(realPorts, layout, 4, ALL, (some) => void taken.push(...some), admitAll);
    expect(hex(taken)).toEqual(hex([second]));
    expect(files(root)).toEqual([]);
  });
});
