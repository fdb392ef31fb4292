import {
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { settleCopy } from '../../../src/journal/append/copied.ts';
import { WrittenEntries } from '../../../src/journal/append/written.ts';
import { layoutOf, originDir } from '../../../src/journal/format/layout.ts';
import { readManifest, writeManifest } from '../../../src/journal/format/manifest.ts';
import { chainAt } from '../../../src/journal/read/chain-at.ts';
import { KnownEnds, type SegmentWindow } from '../../../src/journal/read/known-files.ts';
import { JournalReader } from '../../../src/journal/read/reader.ts';
import { openProject } from '../../../src/project/open.ts';
import { decoders, realPorts, scratch } from '../../support.ts';
import { compact } from '../journals.ts';
import {
  appendAll,
  eventsOf,
  journalOf,
  newRoot,
  portsWith,
  withNoted,
  writerOn,
} from '../support.ts';

/** As a hook has it, whose process ends soon. */
const shortReader = (root: string, ports = realPorts) =>
  new JournalReader(ports, root, decoders, new WrittenEntries(1e6));

const seqsOf = (reader: JournalReader) => [...reader.entries()].map(({ entry }) => entry?.seq);
const manifestOf = (root: string) => readManifest(realPorts, layoutOf(root))!;

describe('a process that ends soon', () => {
  it('looks once where the journal is', () => {
    const root = journalOf(3);
    const opened: string[] = [];
    const ports = withNoted('open', (file) => void opened.push(path.basename(file)));
    const reader = shortReader(root, ports);
    for (let n = 0; n < 5; n += 1) {
      expect(reader.origin()).toBe(manifestOf(root).origin);
      expect(seqsOf(reader)).toEqual([1, 2, 3]);
    }
    expect(opened.filter((name) => name === 'manifest')).toHaveLength(1);
  });

  it('looks for the journal and lists its folder once, until it looks again', () => {
    const root = journalOf(3);
    const asked: string[] = [];
    const noting =
      <T>(look: (file: string) => T) =>
      (file: string): T => {
        asked.push(path.basename(file));
        return look(file);
      };
    const { statIfThere, readdir } = realPorts.fs;
    const ports = portsWith({ statIfThere: noting(statIfThere), readdir: noting(readdir) });
    const reader = shortReader(root, ports);
    const { origin } = manifestOf(root);
    const looks = () => asked.splice(0).filter((name) => !name.endsWith('.b10'));
    expect(seqsOf(reader)).toEqual([1, 2, 3]);
    expect(looks()).toContain(origin);
    for (let from = 1; from <= 3; from += 1) {
      expect([...reader.entries(from)]).toHaveLength(4 - from);
      expect(reader.origin()).toBe(origin);
    }
    expect(looks()).toEqual([]);
    reader.lookAgain();
    expect(seqsOf(reader)).toEqual([1, 2, 3]);
    expect(looks()).toContain(origin);
  });

  it('sees what others append in segments that were not there, when it looks again', () => {
    const root = journalOf(2);
    const reader = shortReader(root);
    expect(seqsOf(reader)).toEqual([1, 2]);
    const writer = writerOn(root);
    writer.append(eventsOf(1));
    writer.rotate(0);
    writer.append(eventsOf(2));
    expect(seqsOf(reader)).toEqual([1, 2, 3]);
    reader.lookAgain();
    expect(reader.segments()).toHaveLength(2);
    expect(seqsOf(reader)).toEqual([1, 2, 3, 4, 5]);
  });

  it('sees what others appended until it held the lock, also where all that it appends itself is known', () => {
    const dir = scratch();
    const open = (rememberedBytes?: number) =>
      openProject(dir, {
        lockBudgetMs: 5000,
        lock: realPorts.lock!,
        ...(rememberedBytes && { rememberedBytes }),
      });
    const [own, other] = [open(1e6), open()];
    const [first, second] = [eventsOf(1), eventsOf(1)];
    own.writer.append(first);
    expect(seqsOf(own.reader)).toEqual([1]);
    other.writer.rotate(0);
    other.writer.append(second);
    expect(own.writer.append(second)).toMatchObject({ seqs: [2], written: 0 });
    expect(seqsOf(own.reader)).toEqual([1, 2]);
    own.close();
    other.close();
  });

  it('goes on where segments are sealed under its hands', () => {
    const root = journalOf(2);
    const reader = shortReader(root);
    writerOn(root).rotate(0);
    reader.lookAgain();
    expect(seqsOf(reader)).toEqual([1, 2]);
    const { path: file } = reader.segments()[0]!;
    compact(root);
    expect(existsSync(file)).toBe(false);
    expect(seqsOf(reader)).toEqual([1, 2]);
  });

  it('finds a journal that was begun since it looked', () => {
    const root = newRoot();
    const reader = shortReader(root);
    expect(reader.origin()).toBeUndefined();
    appendAll(root, eventsOf(1));
    expect(seqsOf(reader)).toEqual([1]);
  });

  it('finds another journal that was put in its place', () => {
    const root = journalOf(3);
    const reader = shortReader(root);
    expect(seqsOf(reader)).toEqual([1, 2, 3]);
    rmSync(root, { recursive: true });
    appendAll(root, eventsOf(1));
    expect(seqsOf(reader)).toEqual([1]);
    expect(reader.origin()).toBe(manifestOf(root).origin);
  });

  it('goes along when a copied journal gets an origin of its own, and its folder that name only then', () => {
    const copy = newRoot();
    cpSync(journalOf(2), copy, { recursive: true });
    const layout = layoutOf(copy);
    const reader = shortReader(copy);
    const former = manifestOf(copy).origin;
    expect(reader.origin()).toBe(former);
    const { origin } = settleCopy(realPorts, layout, manifestOf(copy));
    expect(seqsOf(reader)).toEqual([1, 2]);
    expect(reader.origin()).toBe(origin);
    // As its owner left it that died in between: the manifest names what the folder is not called yet.
    renameSync(originDir(layout, origin), originDir(layout, former));
    writeManifest(realPorts, layout, manifestOf(copy));
    reader.lookAgain();
    expect(reader.origin()).toBe(former);
    renameSync(originDir(layout, former), originDir(layout, origin));
    expect(reader.origin()).toBe(origin);
    expect(seqsOf(reader)).toEqual([1, 2]);
  });

  it('reads the end of a segment once, as long as nobody appends to it', () => {
    const root = journalOf(5);
    const opened: string[] = [];
    const ports = withNoted('open', (file) => void opened.push(path.extname(file)));
    const reader = shortReader(root, ports);
    const layout = layoutOf(root);
    for (let from = 2; from <= 6; from += 1) {
      const seqs = [...reader.entries(from)].map(({ entry }) => entry?.seq);
      expect(seqs).toEqual([1, 2, 3, 4, 5].filter((seq) => seq >= from));
      expect(chainAt(ports, layout, 3, decoders, reader.files)).toEqual(
        chainAt(realPorts, layout, 3, decoders),
      );
    }
    expect(opened.filter((name) => name === '.b10')).toHaveLength(1);
  });

  it('sees each event that another process appends between two looks', () => {
    const root = journalOf(2);
    const reader = shortReader(root);
    const writer = writerOn(root);
    for (let count = 2; count < 8; count += 1) {
      expect(seqsOf(reader)).toHaveLength(count);
      writer.append(eventsOf(1));
      const layout = layoutOf(root);
      expect(chainAt(realPorts, layout, count + 1, decoders, reader.files)).toEqual(
        chainAt(realPorts, layout, count + 1, decoders),
      );
    }
  });

  it('sees an append that was in flight when it looked, though length and time stay what they were', () => {
    const root = journalOf(4);
    const reader = shortReader(root);
    const { path: file } = reader.segments()[0]!;
    const whole = readFileSync(file);
    const stood = (bytes: Buffer) => {
      writeFileSync(file, bytes);
      utimesSync(file, 1000, 1000);
    };
    const inFlight = Buffer.from(whole);
    inFlight.fill(0, whole.length - 40);
    stood(inFlight);
    expect(seqsOf(reader)).toEqual([1, 2, 3]);
    stood(whole);
    expect(seqsOf(reader)).toEqual([1, 2, 3, 4]);
  });

  it('reads a damaged event anew: what was put right is there', () => {
    const root = journalOf(4);
    const reader = shortReader(root);
    const { path: file } = reader.segments()[0]!;
    const whole = readFileSync(file);
    const stood = (bytes: Buffer) => {
      writeFileSync(file, bytes);
      utimesSync(file, 1000, 1000);
    };
    const damaged = Buffer.from(whole);
    damaged[400]! ^= 1;
    stood(damaged);
    const found = () => [...reader.entries(1, 3)].flatMap(({ entry }) => entry?.seq ?? []);
    expect(found()).not.toEqual([1, 2, 3]);
    stood(whole);
    expect(found()).toEqual([1, 2, 3]);
  });

  it('remembers the ends of a few segments, the last ones that were read', () => {
    const known = new KnownEnds();
    const stat = realPorts.fs.statIfThere(import.meta.filename)!;
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const base of names.keys())
      known.set(names[base]!, stat, { base } as unknown as SegmentWindow);
    expect(names.map((name) => known.get(name, stat)?.base)).toEqual([undefined, 1, 2, 3, 4]);
    expect(known.get('e', { ...stat, size: stat.size + 1 })).toBeUndefined();
  });
});
