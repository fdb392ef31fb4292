import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JournalPorts } from '../../../src/journal/format/ports.ts';
import { namesPassingBy, passingBy } from '../../../src/journal/read/refused.ts';
import { segmentSummaryOf } from '../../../src/journal/read/segment-summary.ts';
import { planRepair, repairJournal } from '../../../src/journal/repair/repair.ts';
import { codeOf, decoders, realPorts } from '../../support.ts';
import { repair } from '../journals.ts';
import {
  appendAll,
  eventsOf,
  newRoot,
  portsWith,
  readerOn,
  segmentFiles,
  systemError,
  verify,
} from '../support.ts';

/** Six segments of one event each. */
function journal() {
  const root = newRoot();
  appendAll(root, eventsOf(6), { segmentBytes: 1 });
  return { root, files: segmentFiles(root) };
}

/** Ports on which one file cannot be opened, or is opened and not read. */
function refusing(file: string, call: 'open' | 'read', code: string): JournalPorts {
  const { fs } = realPorts;
  const bad = new Set<number>();
  return portsWith({
    open: (path, flags, mode) => {
      if (path === file && call === 'open') throw systemError(code);
      const fd = fs.open(path, flags, mode);
      bad.delete(fd);
      if (path === file) bad.add(fd);
      return fd;
    },
    read: (fd, into, position) => {
      if (bad.has(fd)) throw systemError(code);
      return fs.read(fd, into, position);
    },
  });
}

const REFUSALS = [
  ['open', 'EACCES'],
  ['open', 'EPERM'],
  ['open', 'EIO'],
  ['read', 'EIO'],
] as const;

describe('a segment that is not given, and passed by', () => {
  it.each(REFUSALS)('is the only one that is not verified: %s, %s', (call, code) => {
    const { root, files } = journal();
    for (const [at, file] of files.entries()) {
      const { damage, events } = verify(root, refusing(file, call, code));
      const refused = { file, why: code, next: expect.stringMatching(/\w/) };
      const place = { kind: 'segment-header', firstSeq: expect.any(Number) };
      expect(damage, String(at)).toMatchObject([{ ...place, refused }]);
      expect(events).toBeGreaterThan(0);
    }
    expect(verify(root).damage).toEqual([]);
  });

  it.each(REFUSALS)(
    'is passed by in a plan and an segmentSummary, each of them: %s, %s',
    (call, code) => {
      const { root, files } = journal();
      for (const file of files) {
        const ports = refusing(file, call, code);
        const items = planRepair(ports, root, decoders);
        expect(items.map(({ action, refused }) => [action, refused?.file])).toEqual([
          ['none', file],
        ]);
        const passing = passingBy(ports);
        const { missing } = segmentSummaryOf(passing, readerOn(root, passing));
        expect(missing).toHaveLength(1);
        expect([...passing.refused]).toEqual([[file, code]]);
      }
    },
  );

  it('is told of by who reads on, as damage', () => {
    const { root, files } = journal();
    const passing = passingBy(refusing(files[1]!, 'open', 'EACCES'));
    const items = [...readerOn(root, passing).entries()];
    expect(items.filter(({ damage }) => damage !== undefined)).toHaveLength(1);
    expect(items.filter(({ entry }) => entry !== undefined)).toHaveLength(files.length - 1);
    expect(codeOf(() => [...readerOn(root, refusing(files[1]!, 'open', 'EACCES')).entries()])).toBe(
      'FS_PERMISSION_DENIED',
    );
  });

  it('is forgotten as such when it is given again', () => {
    const { root, files } = journal();
    const refused = new Map([[files[1]!, 'EACCES']]);
    expect(verify(root, { ...realPorts, refused }).ok).toBe(true);
    expect([...refused]).toEqual([]);
  });

  it('keeps a repair from all others where its rights are why, and not where its disk is', () => {
    const { root, files } = journal();
    const bytes = readFileSync(files[0]!);
    const at = bytes.indexOf('xxxx');
    bytes[at]! ^= 1;
    writeFileSync(files[0]!, bytes);
    const before = files.map((file) => readFileSync(file));
    const closed = repairJournal(refusing(files[2]!, 'open', 'EPERM'), root, decoders);
    expect(closed).toMatchObject({ kept: [], lost: [], after: { ok: false } });
    expect(closed.items.map(({ action }) => action)).toEqual(['none', 'none']);
    expect(files.map((file) => readFileSync(file))).toEqual(before);
    repairJournal(refusing(files[2]!, 'open', 'EIO'), root, decoders);
    expect(readFileSync(files[0]!)[at]).toBe(0x78);
    expect(verify(root).damage).toEqual([]);
  });

  it.each([
    ['EIO', 'one whose header is made anew', [0]],
    ['no bytes', 'one whose header is made anew', [0]],
  ] as const)(
    'is no reason for a repair to lose it, whichever reading gives %s: %s',
    (how, _, of) => {
      const { root, files } = journal();
      const damaged = of.map((at) => readFileSync(files[at]!)).reverse();
      // A byte of its header, which is worked out from what is behind it.
      if (of.length === 1) damaged[0]![20]! ^= 1;
      for (const [index, at] of of.entries()) writeFileSync(files[at]!, damaged[index]!);
      for (let nth = 1, calls = nth; calls >= nth; nth += 1) {
        const copy = newRoot();
        cpSync(root, copy, { recursive: true });
        calls = 0;
        const failing = portsWith({
          read: (fd, into, position) => {
            calls += 1;
            if (calls === nth && how === 'EIO') throw systemError('EIO');
            return calls === nth ? 0 : realPorts.fs.read(fd, into, position);
          },
        });
        try {
          repairJournal(failing, copy, decoders);
        } catch {
          // Refused, and begun anew.
        }
        repair(copy);
        const kept = [...readerOn(copy).entries(1, 6)].filter(({ entry }) => entry !== undefined);
        expect(kept.length, `reading ${nth}`).toBe(6);
        expect(verify(copy).damage, `reading ${nth}`).toEqual([]);
      }
    },
  );

  it('is told of in the folder of another origin, too, of which nothing is done here', () => {
    const { root, files } = journal();
    const folder = path.dirname(files[0]!);
    const other = path.join(path.dirname(folder), '0'.repeat(32));
    cpSync(folder, other, { recursive: true });
    const file = path.join(other, path.basename(files[1]!));
    const items = planRepair(refusing(file, 'open', 'EACCES'), root, decoders);
    expect(items.filter(({ refused }) => refused !== undefined)).toMatchObject([
      { action: 'none', refused: { file }, what: expect.stringContaining('EACCES') },
    ]);
  });
});

it('a folder of texts that is closed is passed by only by who passes by', () => {
  const ports = portsWith({
    statIfThere: () => ({ isDirectory: true }) as never,
    readdir: () => {
      throw systemError('EACCES');
    },
  });
  const passing = passingBy(ports);
  expect(namesPassingBy(passing, '/texts')).toEqual([]);
  expect([...passing.refused]).toEqual([['/texts', 'EACCES']]);
  expect(() => namesPassingBy(ports, '/texts')).toThrow(/EACCES/);
});
