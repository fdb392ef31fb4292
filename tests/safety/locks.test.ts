/** @module-tag long */
import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../src/journal/append/inbox.ts';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { readManifest } from '../../src/journal/format/manifest.ts';
import { repairJournal } from '../../src/journal/repair/repair.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import { LEVEL_SEAL } from '../../src/journal/seal/seal.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import { fileSystemOf, lockOf, SimDisk } from '../sim/disk.ts';
import { copyOf, type DiskOp, filesIn, type Image } from '../sim/image.ts';
import { decoders, loadCodecs, SIM_ROOT, startProcess } from '../sim/process.ts';
import { newEvent } from '../support.ts';
import {
  append,
  change,
  diskAfter,
  entriesOf,
  erase,
  everyMeeting,
  findings,
  idsIn,
  type Machine,
  seenElsewhere,
  started,
  tried,
} from './machine.ts';

const codecs = await loadCodecs();
const SECRET = 'kanari-4711-vogel';
/** Seq of the event that has it. */
const TARGET = 2;

/** A closed segment that was not sealed yet, with the secret in it, and one that is appended to. */
const grown = (isClosed: boolean): Image =>
  diskAfter((ports) => {
    const first = [newEvent(), newEvent({ data: { text: SECRET } }), newEvent()];
    append(ports, first, ...(isClosed ? [[]] : []));
    append(ports, [newEvent(), newEvent()]);
  });

const compact = ({ ports }: Pick<Machine, 'ports'>): boolean =>
  tried(() => void compactJournal(ports, SIM_ROOT, codecs, { level: LEVEL_SEAL }));

const eraseTarget = ({ ports }: Pick<Machine, 'ports'>): boolean =>
  tried(() => erase(ports, codecs, [TARGET]));

const bySecond =
  <T>(work: (machine: Pick<Machine, 'ports'>) => T) =>
  ({ others }: Machine): T =>
    work({ ports: others });

function assertErased({ disk, ports }: Machine, where: string): void {
  expect(findings(ports, filesIn(disk.live), SECRET), where).toEqual([]);
  expect(verifyJournal(ports, SIM_ROOT, decoders), where).toMatchObject({ ok: true });
}

describe('an erasure and a compaction at the same time', () => {
  it('do not bring back what was erased, when the compaction was there first', () => {
    const erased: boolean[] = [];
    everyMeeting(grown(true), compact, bySecond(eraseTarget), (machine, isErased, where) => {
      erased.push(isErased);
      if (isErased) assertErased(machine, where);
    });
    expect(new Set(erased)).toEqual(new Set([true, false]));
  });

  it('do not bring back what was erased, when the erasure was there first', () => {
    everyMeeting(grown(true), eraseTarget, bySecond(compact), (machine, _, where) =>
      assertErased(machine, where),
    );
  });
});

describe('an append', () => {
  it('is not lost beside an erasure', () => {
    const event = newEvent();
    everyMeeting(
      grown(false),
      eraseTarget,
      ({ others }) => append(others, [event]),
      (machine, _, where) => {
        expect(idsIn(machine.ports), where).toContain(event.id.toString('hex'));
        assertErased(machine, where);
      },
    );
  });

  it.each([
    ['of an event that cannot be read', () => flipped(grown(false))],
    ['of the newest segment, which bears the name of an older one', () => misnamed(grown(true))],
  ])('is not lost beside a repair %s', (_, damaged) => {
    const event = newEvent();
    everyMeeting(
      damaged(),
      ({ ports }) => void repairJournal(ports, SIM_ROOT, decoders),
      ({ others }) => append(others, [event]),
      ({ ports }, _, where) => expect(idsIn(ports), where).toContain(event.id.toString('hex')),
    );
  });

  it('that makes a lost manifest anew has made the one that stays, beside a repair', () => {
    const lost = change(grown(false), '/manifest', (bytes) => bytes.fill(0));
    everyMeeting(
      lost,
      ({ ports }) => void repairJournal(ports, SIM_ROOT, decoders),
      ({ others }) => {
        append(others, [newEvent()]);
        return readManifest(others, layoutOf(SIM_ROOT));
      },
      ({ ports }, made, where) => {
        const { blobKey } = readManifest(ports, layoutOf(SIM_ROOT))!;
        expect(blobKey, where).toBe(made?.blobKey ?? blobKey);
      },
    );
  });
});

/** What is appended to bears the name that a segment of the second event has. */
function misnamed(image: Image): Image {
  const { disk, ports } = started(image);
  const [, newest] = filesIn(disk.live).filter(([name]) => name.endsWith('.b10'));
  ports.fs.rename(newest![0], newest![0].replace('04.b10', '02.b10'));
  return copyOf(disk.live);
}

/** One bit of the secret is another. */
function flipped(image: Image): Image {
  for (const [file, bytes] of image.files) {
    const at = bytes.indexOf(SECRET);
    if (at === -1) continue;
    const damaged = Buffer.from(bytes);
    damaged[at] = damaged[at]! ^ 1;
    image.files.set(file, damaged);
  }
  return image;
}

describe('two repairs at the same time', () => {
  it('repair once', () => {
    const repair = ({ ports }: Pick<Machine, 'ports'>): boolean =>
      tried(() => void repairJournal(ports, SIM_ROOT, decoders));
    everyMeeting(flipped(grown(true)), repair, bySecond(repair), ({ ports }, _, where) => {
      expect(verifyJournal(ports, SIM_ROOT, decoders), where).toMatchObject({ ok: true });
      expect(entriesOf(ports).length, where).toBe(6);
    });
  });
});

describe('a writer whose sync failed', () => {
  it('does not open the next segment in the middle of an append of somebody else', () => {
    const image = grown(false);
    const [mine, theirs] = [newEvent({}, 'disk'), newEvent()];
    const { disk, ports, others } = started(image);
    const half = halfAppended(disk, theirs);
    const fs = {
      ...ports.fs,
      datasync(fd: number): void {
        if (half.begin()) throw Object.assign(new Error('EIO'), { code: 'EIO' });
        ports.fs.datasync(fd);
      },
    };
    const writer = new JournalWriter({ ...ports, fs }, SIM_ROOT, { lockBudgetMs: 50 });
    expect(writer.append([mine])).toMatchObject({ spooled: true });
    half.end();
    writer.close();
    append(others, [newEvent()]);
    const ids = [mine, theirs].map(({ id }) => id.toString('hex'));
    expect([...idsIn(ports)]).toEqual(expect.arrayContaining(ids));
    expect(verifyJournal(ports, SIM_ROOT, decoders)).toMatchObject({ ok: true });
  });
});

/** An append of a process that holds the lock between the two halves of its write: recorded on a copy of the disk. */
function halfAppended(disk: SimDisk, event: NewEvent) {
  let rest: DiskOp[] | undefined;
  const lock = lockOf(disk, 3);
  const fd = fileSystemOf(disk, 3).open(layoutOf(SIM_ROOT).lock, 'a+');
  return {
    /** False when it had begun before. */
    begin(): boolean {
      if (rest !== undefined) return false;
      const copy = new SimDisk(copyOf(disk.live), disk.now);
      copy.splitsWrites = true;
      append(startProcess(copy, 3, 3).ports, [event]);
      const at = copy.log.findIndex(({ kind }) => kind === 'write') + 1;
      rest = copy.log.slice(at);
      expect(lock.tryLock(fd)).toBe(true);
      for (const op of copy.log.slice(0, at)) disk.do(op);
      return true;
    },
    end(): void {
      for (const op of rest!) disk.do(op);
      lock.unlock(fd);
    },
  };
}

describe('a compaction', () => {
  it('does not write back a manifest that somebody else has changed meanwhile', () => {
    const image = grown(true);
    const before = idsIn(started(image).ports);
    everyMeeting(
      image,
      // The folder may take another name under its hands.
      (machine) => void orFailed(() => compact(machine)),
      ({ others }) => append(seenElsewhere(others), [newEvent()]),
      ({ ports }, _, where) =>
        expect([...idsIn(ports)], where).toEqual(expect.arrayContaining([...before])),
    );
  });
});

function orFailed(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    expect(error).toMatchObject({ code: 'FS_WRITE_ERROR' });
  }
}
