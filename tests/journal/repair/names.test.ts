/** @module-tag long */
import { describe, expect, it } from 'vitest';
import { SEGMENT_HEADER_BYTES } from '../../../src/journal/format/format.ts';
import { layoutOf, segmentPath } from '../../../src/journal/format/layout.ts';
import { decodeSegmentHeader, encodeSegmentHeader } from '../../../src/journal/format/segment.ts';
import { ownSegments } from '../../../src/journal/read/origins.ts';
import { misnamedSegments } from '../../../src/journal/repair/names.ts';
import { compactJournal } from '../../../src/journal/seal/compact.ts';
import { flipped } from '../../damage/damages.ts';
import { MemoryFs } from '../../damage/memory-fs.ts';
import { FaultyFs } from '../../faults/faulty-fs.ts';
import { realPorts } from '../../support.ts';
import { systemError } from '../support.ts';
import {
  decoders,
  journalInMemory,
  layout,
  makers,
  plan,
  quarantined,
  ROOT,
  repair,
  seqsOf,
  verify,
} from './repairs.ts';

const ALL = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Three segments, sealed as far as they can be. */
function sealed() {
  const made = journalInMemory();
  compactJournal(made.ports, ROOT, { zstd: makers.zstd, decoders });
  return made;
}

function swap({ fs, damage }: ReturnType<typeof journalInMemory>, a: string, b: string): void {
  const [one, other] = [fs.bytesOf(a), fs.bytesOf(b)];
  damage(a, () => other);
  damage(b, () => one);
}

it('no segment bears a wrong name where there is no journal', () => {
  expect(misnamedSegments(realPorts, layoutOf('/nowhere'))).toEqual([]);
});

describe('a repair of segments that bear the wrong names', () => {
  it.each([
    ['sealed', sealed, 0, 1],
    ['raw', journalInMemory, 0, 1],
    ['raw, one of which is appended to', journalInMemory, 1, 2],
    ['of which one is sealed and one is appended to', sealed, 1, 2],
  ])('gives two that were swapped their own back: %s', (_, make, first, second) => {
    const made = make();
    const { fs, ports, segments } = made;
    const names = segments();
    const before = names.map((name) => fs.bytesOf(name));
    swap(made, names[first]!, names[second]!);
    const items = plan(ports);
    expect(items.map(({ action, segment }) => `${action} ${segment}`)).toEqual(
      [first, second].map((n) => `rename ${names[n]!.split('/').at(-1)}`),
    );
    expect(items.every(({ firstSeq }) => firstSeq === null)).toBe(true);
    const { kept, lost, after } = repair(ports);
    expect({ lost, ok: after.ok, losses: after.losses }).toEqual({
      lost: [],
      ok: true,
      losses: [],
    });
    expect(seqsOf(ports).slice(0, 9)).toEqual(ALL);
    expect(kept).toHaveLength(2);
    expect(quarantined(fs)).toHaveLength(2);
    for (const n of [0, 1]) expect(fs.bytesOf(names[n]!).equals(before[n]!)).toBe(true);
    expect(plan(ports)).toEqual([]);
  });

  it.each([
    ['sealed', sealed],
    ['raw', journalInMemory],
  ])(
    'gives two their own back though a bit of a header has flipped, and puts that right: %s',
    (_, make) => {
      const made = make();
      const { fs, ports, segments, damage } = made;
      const [first, second] = segments();
      const before = [fs.bytesOf(first!), fs.bytesOf(second!)];
      swap(made, first!, second!);
      damage(first!, (bytes) => flipped(bytes, 400));
      expect(plan(ports).map(({ action }) => action)).toEqual(['rename', 'rename', 'mend']);
      const { lost, after } = repair(ports);
      expect([lost, after.damage]).toEqual([[], []]);
      expect(seqsOf(ports).slice(0, 9)).toEqual(ALL);
      expect([fs.bytesOf(first!), fs.bytesOf(second!)]).toEqual(before);
    },
  );

  it('gives one whose own name is free that name', () => {
    const { fs, ports, segments } = journalInMemory();
    const second = segments()[1]!;
    const { origin } = ownSegments(ports, layout)[0]!;
    fs.rename(second, segmentPath(layout, origin, 5, false));
    expect(plan(ports)).toMatchObject([{ action: 'rename', segment: '0000000000000005.b10' }]);
    const { lost, after } = repair(ports);
    expect({ lost, ok: after.ok }).toEqual({ lost: [], ok: true });
    expect(seqsOf(ports).slice(0, 9)).toEqual(ALL);
    expect(fs.image().files.has(second)).toBe(true);
  });

  it('gives three that were moved round their own back', () => {
    const { ports, fs, segments, damage, append, rotate } = journalInMemory();
    rotate();
    append(1);
    const names = segments().slice(0, 3);
    const bytes = names.map((name) => fs.bytesOf(name));
    for (const [n, name] of names.entries()) damage(name, () => bytes[(n + 1) % 3]!);
    expect(repair(ports)).toMatchObject({ lost: [], after: { ok: true } });
    expect(seqsOf(ports).slice(0, 10)).toEqual([...ALL, 10]);
  });

  it('leaves a sound segment in its place to which another one lays claim', () => {
    const { fs, ports, segments, damage } = journalInMemory();
    const [first, second] = segments();
    const sound = fs.bytesOf(first!);
    damage(second!, () => sound);
    expect(plan(ports)).toMatchObject([{ action: 'set-aside', firstSeq: 4, lastSeq: 6 }]);
    expect(repair(ports).after).toMatchObject({ ok: true, losses: [{ firstSeq: 4, lastSeq: 6 }] });
    expect(fs.bytesOf(first!).equals(sound)).toBe(true);
  });

  it.each([
    ['raw', journalInMemory, 1],
    ['sealed', sealed, 0],
    ['that is appended to', sealed, 2],
  ])('sets a copy at the end of one aside, and no event is lost with it: %s', (_, make, index) => {
    const { fs, ports, segments, append } = make();
    const file = segments()[index]!;
    const bytes = fs.bytesOf(file);
    const name = file.split('/').at(-1)!.replace(/^\d+/, '0000000000000900');
    const fd = fs.open(file.replace(/[^/]+$/, name), 'wx');
    fs.write(fd, bytes, 0);
    fs.close(fd);
    expect(verify(ports).ok).toBe(false);
    expect(plan(ports)).toMatchObject([
      {
        segment: name,
        action: 'set-aside',
        firstSeq: null,
        what: expect.stringMatching(/^a copy of/),
      },
    ]);
    const { lost, after } = repair(ports);
    expect({ lost, ok: after.ok, losses: after.losses }).toEqual({
      lost: [],
      ok: true,
      losses: [],
    });
    expect(quarantined(fs).map(([, kept]) => kept)).toEqual([bytes]);
    expect(append(1)).toEqual([11]);
    expect(seqsOf(ports)).toEqual([...ALL, 10, 11]);
  });

  it('takes one at the end for lost all the same where the journal has come to its number', () => {
    const { fs, ports, segments, damage } = journalInMemory();
    const [first, , newest] = segments();
    damage(newest!, () => fs.bytesOf(first!));
    expect(plan(ports)).toMatchObject([{ action: 'set-aside', firstSeq: 7, lastSeq: 9 }]);
    expect(repair(ports).lost).toMatchObject([{ firstSeq: 7 }]);
  });

  it('has each on the disk before it bears its name, and the name before it goes on', () => {
    const made = journalInMemory();
    const { fs, ports, segments } = made;
    const [first, second] = segments();
    swap(made, first!, second!);
    const calls: string[] = [];
    const { rename, datasync, syncDir } = fs;
    fs.datasync = (fd) => {
      calls.push('sync');
      datasync.call(fs, fd);
    };
    fs.syncDir = (dir) => {
      calls.push(`sync ${dir.split('/').at(-1)!.slice(0, 4)}`);
      syncDir.call(fs, dir);
    };
    fs.rename = (from, to) => {
      calls.push(to);
      rename.call(fs, from, to);
    };
    repair(ports);
    const folder = `sync ${first!.split('/').at(-2)!.slice(0, 4)}`;
    for (const name of [first!, second!]) {
      const at = calls.indexOf(name);
      expect([calls[at - 1], calls[at + 1]]).toEqual(['sync', folder]);
    }
  });

  it('writes nothing over before it is kept', () => {
    const made = sealed();
    const { fs, ports, segments } = made;
    const [first, second] = segments();
    swap(made, first!, second!);
    const swapped = [fs.bytesOf(first!), fs.bytesOf(second!)];
    const rename = fs.rename.bind(fs);
    fs.rename = (from, to) => {
      if (to === second) throw Object.assign(new Error('no more'), { code: 'ENOSPC' });
      rename(from, to);
    };
    expect(() => repair(ports)).toThrow(expect.objectContaining({ code: 'FS_WRITE_ERROR' }));
    const left = [...fs.image().files.values()];
    for (const bytes of swapped) expect(left.some((one) => one.equals(bytes))).toBe(true);
    expect(verify(ports).ok).toBe(false);
  });

  it.each([
    ['sealed', sealed],
    ['raw', journalInMemory],
  ])('that died in between is finished by the next one, wherever it died: %s', (_, make) => {
    const made = make();
    const [first, second] = made.segments();
    swap(made, first!, second!);
    const image = made.fs.image();
    let fromQuarantine = 0;
    for (let call = 1; ; call += 1) {
      const fs = new MemoryFs(image);
      const dying = new FaultyFs(fs, { fault: 'EIO', call, how: 'from then on' });
      try {
        repair({ ...made.ports, fs: dying.fs });
      } catch {
        // It is gone, whatever it says.
      }
      if (dying.failed === 0) break;
      const ports = { ...made.ports, fs };
      if (plan(ports).some(({ what }) => what.includes('in quarantine as'))) fromQuarantine += 1;
      const { lost, after } = repair(ports);
      expect({ call, lost, ok: after.ok }).toEqual({ call, lost: [], ok: true });
      expect(seqsOf(ports).slice(0, 9)).toEqual(ALL);
    }
    expect(fromQuarantine).toBeGreaterThan(0);
  });

  it('puts nothing back from quarantine but a whole segment that fits between its neighbours', () => {
    const left = (kept: (whole: Buffer) => Buffer) => {
      const made = journalInMemory();
      const [first, second] = made.segments();
      const whole = made.fs.bytesOf(second!);
      made.damage(second!, () => made.fs.bytesOf(first!));
      made.fs.mkdir(layout.quarantine);
      // Neither its name alone, nor that it is a segment's bytes, makes it what is looked for.
      made.fs.mkdir(`${layout.quarantine}/0000000000000004.b10.0.aa`);
      const put = (name: string, bytes: Buffer) => {
        const fd = made.fs.open(`${layout.quarantine}/${name}`, 'wx');
        made.fs.write(fd, bytes, 0);
        made.fs.close(fd);
      };
      put('0000000000000004.b10.0.ff', kept(whole));
      put('0000000000000004.b10.270.ff', whole);
      return made;
    };
    const actions = ({ ports }: ReturnType<typeof journalInMemory>) =>
      plan(ports).map(({ action }) => action);
    expect(actions(left((whole) => whole))).toEqual(['rename']);
    for (const kept of [
      (whole: Buffer) => flipped(whole, (SEGMENT_HEADER_BYTES + 60) * 8),
      (whole: Buffer) => whole.subarray(0, SEGMENT_HEADER_BYTES),
      () => Buffer.alloc(0),
    ])
      expect(actions(left(kept))).toEqual(['set-aside']);
    const close = left((whole) => whole);
    const { origin } = ownSegments(close.ports, layout)[0]!;
    close.fs.rename(close.segments()[2]!, segmentPath(layout, origin, 6, false));
    expect(actions(close)).toEqual(['rename', 'rename']);
    const { lost, after } = repair(close.ports);
    expect([lost, after.damage, seqsOf(close.ports).slice(0, 9)]).toEqual([[], [], ALL]);
  });

  it('puts the newest back as well, and nothing that is gone when it is opened', () => {
    const made = journalInMemory();
    const [first, , newest] = made.segments();
    const whole = made.fs.bytesOf(newest!);
    made.damage(newest!, () => made.fs.bytesOf(first!));
    made.fs.mkdir(layout.quarantine);
    const kept = `${layout.quarantine}/0000000000000007.b10.0.ff`;
    const fd = made.fs.open(kept, 'wx');
    made.fs.write(fd, whole, 0);
    made.fs.close(fd);
    expect(plan(made.ports)).toMatchObject([
      { action: 'rename', segment: '0000000000000007.b10', what: expect.stringContaining('.0.ff') },
    ]);
    const copy = new MemoryFs(made.fs.image());
    const open = copy.open.bind(copy);
    copy.open = (file, flags) => {
      if (file === kept) throw systemError('ENOENT');
      return open(file, flags);
    };
    expect(plan({ ...made.ports, fs: copy })).not.toMatchObject([{ action: 'rename' }]);
    expect(repair(made.ports)).toMatchObject({ lost: [], after: { ok: true } });
    expect(seqsOf(made.ports).slice(0, 9)).toEqual(ALL);
  });

  it('does not believe a header with a wrong sum', () => {
    const made = journalInMemory();
    const [first, second] = made.segments();
    swap(made, first!, second!);
    for (const file of [first!, second!])
      made.damage(
        file,
        (bytes) => void bytes.fill(0, SEGMENT_HEADER_BYTES - 40, SEGMENT_HEADER_BYTES),
      );
    expect(plan(made.ports).map(({ action }) => action)).not.toContain('rename');
  });
});

describe('a sound header with a number that is no seq', () => {
  it.each([0, 2 ** 53, 6_853_228_410_827_702_000])('gives its file no name: %d', (firstSeq) => {
    const { fs, ports, segments, damage } = journalInMemory();
    const [first, second] = segments();
    damage(second!, (bytes) => {
      const header = decodeSegmentHeader(bytes, makers.xxh64)!;
      const now = encodeSegmentHeader({ ...header, firstSeq }, makers.xxh64);
      return Buffer.concat([now, bytes.subarray(now.length)]);
    });
    expect(misnamedSegments(ports, layout)).toEqual([]);
    const items = plan(ports);
    expect(items.map(({ action }) => action)).not.toContain('rename');
    const { after } = repair(ports);
    expect(after.damage).toEqual([]);
    expect(seqsOf(ports)).toEqual(expect.arrayContaining([1, 2, 3, 7, 8, 9]));
    expect(fs.bytesOf(first!).length).toBeGreaterThan(SEGMENT_HEADER_BYTES);
  });
});
