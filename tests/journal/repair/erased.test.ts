/** @module-tag long */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  areErasedIdsOpen,
  erasedIds,
  openErasedIds,
} from '../../../src/journal/erase/erased-ids.ts';
import { FRAME } from '../../../src/journal/format/format.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { decodeSegmentHeader } from '../../../src/journal/format/segment.ts';
import { scanFrames } from '../../../src/journal/read/scan.ts';
import { repairJournal } from '../../../src/journal/repair/repair.ts';
import type { FileSystem } from '../../../src/platform/fs.ts';
import { xxh64 } from '../../../src/platform/xxh64.ts';
import { GuardedWriter } from '../../../src/project/guarded-writer.ts';
import { watchedFs } from '../../dying-fs.ts';
import { decoders, realPorts } from '../../support.ts';
import { eraseSeqs, tombstones } from '../journals.ts';
import {
  edit,
  eventsOf,
  flipBit,
  handClock,
  newRoot,
  portsWith,
  readAll,
  readerOn,
  segmentFiles,
  systemError,
  writerOn,
} from '../support.ts';

/** As a transcript tells them again. */
function tell(root: string, events: ReturnType<typeof eventsOf>): void {
  const writer = new GuardedWriter(realPorts, root, decoders, { lockBudgetMs: 5000 });
  writer.append(events);
}

/** Of six events the second and the fifth are erased, in a closed segment, and the second one's tombstone is damaged. */
function withDamagedTombstone(
  change = (bytes: Buffer, at: number): void => flipBit(bytes, (at + FRAME.seq) * 8),
) {
  const root = newRoot();
  const events = eventsOf(6);
  const writer = writerOn(root);
  writer.append(events);
  writer.rotate(0);
  eraseSeqs(root, 2, 5);
  // Who appends knows the ids at the end of the segment before.
  const goesOn = writerOn(root);
  goesOn.rotate(0);
  goesOn.append(eventsOf(1));
  edit(segmentFiles(root)[0]!, (bytes) => {
    const header = decodeSegmentHeader(bytes, xxh64)!;
    const [, tombstone] = [...scanFrames(bytes, header, xxh64)].map(({ entry: frame }) => frame!);
    change(bytes, tombstone!.offset);
  });
  return { root, events, erased: path.join(root, 'journal/erased') };
}

it('a tombstone that a repair makes readable again keeps out what it stands for, though the ids of erased events were gathered without it', () => {
  const { root, events, erased } = withDamagedTombstone();
  rmSync(erased);
  tell(root, [events[4]!]);
  repairJournal(realPorts, root, decoders);
  expect(tombstones(root).map(({ seq }) => seq)).toEqual([2, 5]);
  tell(root, [events[1]!, events[4]!]);
  expect(wholeOf(root, [events[1]!, events[4]!])).toEqual([]);
});

function isThrown(work: () => void): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}

/** Ids of these that stand in the journal as events. */
function wholeOf(root: string, events: ReturnType<typeof eventsOf>): string[] {
  const ids = events.map(({ id }) => id.toString('hex'));
  const whole = readAll(root).entries.filter(({ payload }) => payload.length > 0);
  return whole.map(({ id }) => id.toString('hex')).filter((id) => ids.includes(id));
}

it('a writer that stays open keeps out what a tombstone stands for that somebody else makes readable', () => {
  const { root, events, erased } = withDamagedTombstone();
  rmSync(erased);
  const server = new GuardedWriter(realPorts, root, decoders, { lockBudgetMs: 5000 });
  expect(server.append([events[4]!]).written).toBe(0);
  repairJournal(realPorts, root, decoders);
  expect(server.append([events[1]!])).toMatchObject({ seqs: [2], written: 0 });
  server.close();
  expect(wholeOf(root, events.slice(1, 2))).toEqual([]);
});

it('a writer that stays open keeps that out also where the repair dies behind it, and the first who comes by then closes the file', () => {
  const made = withDamagedTombstone();
  rmSync(made.erased);
  let [isDead, meanwhile] = [true, 0];
  for (let readable = 0; isDead; readable += 1) {
    const root = newRoot();
    cpSync(made.root, root, { recursive: true, preserveTimestamps: true });
    const server = new GuardedWriter(realPorts, root, decoders, { lockBudgetMs: 0 });
    const isOpen = () => areErasedIdsOpen(realPorts, layoutOf(root));
    let [hasMet, isReadable, calls] = [false, false, 0];
    const fs = watchedFs(() => {
      if (!hasMet && isOpen()) {
        hasMet = true;
        server.append(eventsOf(1));
      }
      isReadable ||= hasMet && tombstones(root).some(({ seq }) => seq === 2);
      if (isReadable) calls += 1;
      if (calls > readable) throw systemError('EIO');
    });
    isDead = isThrown(() => repairJournal({ ...realPorts, fs }, root, decoders));
    if (isOpen()) meanwhile += 1;
    expect(server.append([made.events[1]!])).toMatchObject({ seqs: [2], written: 0 });
    server.close();
    const back = wholeOf(root, made.events.slice(1, 2));
    expect({ readable, isOpen: isOpen(), back }).toEqual({ readable, isOpen: false, back: [] });
  }
  expect(meanwhile).toBeGreaterThan(1);
});

it('who has read the tombstones without a lock, and is about to write down what there are, keeps a repair from making more readable', () => {
  const { root, events, erased } = withDamagedTombstone();
  let hasMet = false;
  const open: FileSystem['open'] = (file, flags, mode) => {
    if (!hasMet && flags === 'wx' && file.startsWith(`${erased}.`)) {
      hasMet = true;
      const repair = () => repairJournal({ ...realPorts, clock: handClock() }, root, decoders);
      expect(repair).toThrow('a compaction or another repair is running');
    }
    return realPorts.fs.open(file, flags, mode);
  };
  rmSync(erased);
  expect([...erasedIds(portsWith({ open }), layoutOf(root), readerOn(root), 1).values()]).toEqual([
    5,
  ]);
  expect(hasMet).toBe(true);
  repairJournal(realPorts, root, decoders);
  tell(root, [events[1]!]);
  expect(wholeOf(root, events.slice(1, 2))).toEqual([]);
});

it('the call of an outcome is brought along again once somebody has come by who closes the file that a repair left open', () => {
  const { root } = withDamagedTombstone();
  openErasedIds(realPorts, layoutOf(root));
  tell(root, eventsOf(1));
  const [call, outcome] = eventsOf(2);
  const prerequisite = { id: call!.id, make: () => call! };
  const hook = writerOn(root);
  expect(hook.append([{ ...outcome!, prerequisite }])).toMatchObject({ written: 2 });
});

it('a repair that dies at any call brings nothing back that a tombstone stands for, nor does one that somebody asks meanwhile', () => {
  const made = withDamagedTombstone();
  rmSync(made.erased);
  tell(made.root, [made.events[4]!]);
  let [isDead, readable] = [true, 0];
  for (let at = 0; isDead; at += 1) {
    const root = newRoot();
    cpSync(made.root, root, { recursive: true, preserveTimestamps: true });
    const fs = watchedFs((call) => {
      if (call > at) throw systemError('EIO');
    });
    isDead = isThrown(() => repairJournal({ ...realPorts, fs }, root, decoders));
    if (!tombstones(root).some(({ seq }) => seq === 2)) continue;
    readable += 1;
    tell(root, [made.events[1]!, made.events[4]!]);
    // The next one says that what it left open is whole.
    repairJournal(realPorts, root, decoders);
    expect(readFileSync(path.join(root, 'journal/erased')).readUInt8(0)).toBe(1);
    expect({ at, back: wholeOf(root, [made.events[1]!, made.events[4]!]) }).toEqual({
      at,
      back: [],
    });
  }
  expect(readable).toBeGreaterThan(1);
});

it('a repair has on the disk that tombstones count besides before it makes one readable', () => {
  const { root } = withDamagedTombstone();
  const log: string[] = [];
  const { rename, datasync, syncDir } = realPorts.fs;
  const noted =
    <T extends unknown[]>(name: string, call: (...given: T) => void) =>
    (...given: T) => {
      log.push(`${name} ${path.basename(String(given.at(-1)))}`);
      call(...given);
    };
  const fs = {
    ...realPorts.fs,
    rename: noted('rename', rename),
    datasync: noted('sync', datasync),
    syncDir: noted('syncDir', syncDir),
  };
  repairJournal({ ...realPorts, fs }, root, decoders);
  const opened = log.indexOf('rename erased');
  expect(log[opened - 1]).toMatch(/^sync /);
  expect(log[opened + 1]).toBe('syncDir journal');
  const segments = log.flatMap((one, index) => (/^rename \d+\.b10/.test(one) ? [index] : []));
  expect(Math.min(...segments)).toBeGreaterThan(opened);
});

it.each(['missing', 'damaged'])('a repair makes a %s file of erased ids anew', (how) => {
  const { root, events, erased } = withDamagedTombstone();
  if (how === 'missing') rmSync(erased);
  else writeFileSync(erased, 'nothing');
  repairJournal(realPorts, root, decoders);
  tell(root, [events[1]!]);
  expect(readAll(root).entries.filter(({ id }) => id.equals(events[1]!.id))).toHaveLength(1);
});

it('an event whose tombstone is lost for good does not come back after the repair', () => {
  const { root, events } = withDamagedTombstone((bytes, at) => void bytes.fill(0xff, at, at + 40));
  const { lost } = repairJournal(realPorts, root, decoders);
  expect(lost).toMatchObject([{ firstSeq: 2, lastSeq: 2 }]);
  tell(root, [events[1]!]);
  expect(readAll(root).entries.filter(({ id }) => id.equals(events[1]!.id))).toEqual([]);
});

it('a repair that finds nothing to do closes what one that died left open', () => {
  const { root } = withDamagedTombstone(() => undefined);
  openErasedIds(realPorts, layoutOf(root));
  expect(areErasedIdsOpen(realPorts, layoutOf(root))).toBe(true);
  expect(repairJournal(realPorts, root, decoders).items).toEqual([]);
  expect(areErasedIdsOpen(realPorts, layoutOf(root))).toBe(false);
  expect([...erasedIds(realPorts, layoutOf(root), readerOn(root), 1).values()]).toEqual([2, 5]);
});
