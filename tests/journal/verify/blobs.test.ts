import { describe, expect, it } from 'vitest';
import { blobPath, putBlob } from '../../../src/journal/append/blobs.ts';
import { JournalWriter } from '../../../src/journal/append/writer.ts';
import { eraseEvents } from '../../../src/journal/erase/erase.ts';
import { ALL_MARKS, resumeErasure } from '../../../src/journal/erase/resume.ts';
import { dropEvents } from '../../../src/journal/erase/retention.ts';
import { readManifest } from '../../../src/journal/format/manifest.ts';
import type { JournalPorts } from '../../../src/journal/format/ports.ts';
import type { FileSystem } from '../../../src/platform/fs.ts';
import { Chance } from '../../damage/chance.ts';
import { MemoryFs } from '../../damage/memory-fs.ts';
import { codecs } from '../journals.ts';
import {
  decoders,
  journalInMemory,
  layout,
  newEvent,
  plan,
  ROOT,
  repair,
  verify,
} from '../repair/repairs.ts';
import { systemError } from '../support.ts';

/** Three segments, and a fourth whose first event keeps its text beside the journal, as does one behind it. */
function withTexts() {
  const { fs, ports, rotate } = journalInMemory();
  rotate();
  const { blobKey, origin } = readManifest(ports, layout)!;
  const [first, second] = ['first', 'second'].map((text) => {
    const name = putBlob(ports, layout, blobKey, Buffer.from(text));
    const writer = new JournalWriter(ports, ROOT, { lockBudgetMs: 0 });
    writer.append([
      newEvent({ $blob: name, bytes: text.length, head: '' }, new Chance(text.length)),
    ]);
    writer.rotate(0);
    writer.close();
    return blobPath(layout, name);
  });
  return { fs, ports, origin, first: first!, second: second! };
}

const erase = (ports: JournalPorts, origin: string) =>
  eraseEvents(ports, ROOT, codecs, () => ({
    by: 'event',
    events: [{ origin, seq: 10 }],
    blobs: [],
    files: [],
  }));
const drop = (ports: JournalPorts) =>
  dropEvents(ports, ROOT, codecs, () => ({ upto: 10, kept: [], also: [], bases: [] }));

describe('a text that goes with its event', () => {
  it.each([
    ['an erasure', erase],
    ['a drop', drop],
  ])('is no damage beside %s that has not come to the event yet', (_, begin) => {
    const { ports, origin, first } = withTexts();
    const open = (file: string, flags: 'r') => {
      // It goes when it was seen, and before it is read.
      if (file === first && ports.fs.statIfThere(first) !== undefined) begin(ports, origin);
      return ports.fs.open(file, flags);
    };
    const fs = { ...bound(ports.fs as MemoryFs), open };
    expect(verify({ ...ports, fs }).damage).toEqual([]);
    expect(ports.fs.statIfThere(first)).toBeUndefined();
  });

  it.each([
    ['an erasure', erase],
    ['a drop', drop],
  ])('is no damage of %s that died in between, and is not recorded as lost', (_, begin) => {
    const { fs, ports, origin, first } = withTexts();
    const rename = (from: string, to: string) => {
      if (/\.b10$/.test(to)) throw systemError('EIO');
      fs.rename(from, to);
    };
    const dying = { ...bound(fs), rename };
    expect(() => begin({ ...ports, fs: dying }, origin)).toThrow(/EIO/);
    expect(fs.statIfThere(first)).toBeUndefined();
    expect(verify(ports).damage).toEqual([]);
    expect(plan(ports)).toEqual([]);
    expect(repair(ports).lost).toEqual([]);
    expect(resumeErasure(ports, ROOT, decoders, ALL_MARKS)?.events).toBeGreaterThan(0);
    expect(verify(ports).damage).toEqual([]);
  });

  it('does not hide that of an event which stays', () => {
    const { fs, ports, origin, second } = withTexts();
    erase(ports, origin);
    fs.unlink(second);
    expect(verify(ports).damage).toMatchObject([{ kind: 'blob', firstSeq: 11, lastSeq: 11 }]);
  });
});

/** Its methods, which use private fields, for an object that has some of its own. */
const bound = (fs: MemoryFs): FileSystem =>
  Object.fromEntries(
    Object.getOwnPropertyNames(MemoryFs.prototype)
      .filter((name) => name !== 'constructor' && name !== 'opened')
      .map((name) => [name, (fs[name as keyof MemoryFs] as () => unknown).bind(fs)]),
  ) as unknown as FileSystem;
