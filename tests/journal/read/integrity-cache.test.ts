import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { JournalWriter } from '../../../src/journal/append/writer.ts';
import { IntegrityCache, integrityCacheOf } from '../../../src/journal/read/integrity-cache.ts';
import { realPorts } from '../../support.ts';
import { compact } from '../journals.ts';
import {
  appendAll,
  eventsOf,
  newRoot,
  portsWith,
  readAll,
  readerOn,
  systemError,
  withNoted,
  writerOn,
} from '../support.ts';

/** A journal of several small segments, and what reading it cost. */
function journal() {
  const root = newRoot();
  const writer = new JournalWriter(realPorts, root, { lockBudgetMs: 5000, segmentBytes: 4096 });
  for (let n = 0; n < 8; n += 1) writer.append(eventsOf(5, 200));
  const cost = { bytes: 0 };
  const ports = withNoted('read', (_, into) => {
    cost.bytes += into.length;
  });
  const reader = readerOn(root, ports);
  const integrityCache = new IntegrityCache(ports, reader);
  const found = () => {
    cost.bytes = 0;
    return [...integrityCache.damage()].map(({ damage }) => damage);
  };
  const files = reader.segments().map(({ path }) => path);
  return { root, files, found, cost, integrityCache };
}

/** What a reading of all of it meets. */
const met = (root: string) => readAll(root).damage;

const spoil = (file: string): void => {
  const bytes = readFileSync(file);
  const middle = Math.floor(bytes.length / 2);
  writeFileSync(file, bytes.fill(0xff, middle, middle + 9));
};

describe('what is damaged, asked again and again', () => {
  it('is read once where it is whole', () => {
    const { files, found, cost } = journal();
    expect(files.length).toBeGreaterThan(3);
    expect(found()).toEqual([]);
    const first = cost.bytes;
    expect(found()).toEqual([]);
    expect(cost.bytes).toBeLessThan(first / 4);
  });

  it('is what a reading of the whole journal meets, wherever it is and whenever it comes', () => {
    const { root, files, found } = journal();
    found();
    for (const file of [files[2]!, files[0]!, files.at(-2)!]) {
      spoil(file);
      expect(found()).toMatchObject(met(root));
      expect(found()).toMatchObject(met(root));
    }
    rmSync(files[1]!);
    expect(found()).toMatchObject(met(root));
    expect(met(root).length).toBeGreaterThan(3);
  });

  it('follows what is appended, without reading again what was there', () => {
    const { root, found, cost } = journal();
    const size = () => {
      found();
      return cost.bytes;
    };
    const first = size();
    appendAll(root, eventsOf(1, 200));
    expect(size()).toBeLessThan(first / 2);
    expect(found()).toEqual([]);
  });

  it('is read in short steps by who asks for them, and then not again', () => {
    const { found, cost, integrityCache } = journal();
    let steps = 0;
    for (const step of integrityCache.steps()) {
      expect(step).toBeUndefined();
      steps += 1;
    }
    expect(steps).toBeGreaterThan(3);
    expect(found()).toEqual([]);
    // The manifest alone.
    expect(cost.bytes).toBeLessThan(500);
  });

  it('counts an id once, also when it is asked for between two steps of another reading', () => {
    const { root, found, integrityCache } = journal();
    const before = integrityCache.steps();
    before.next();
    expect(found()).toEqual([]);
    expect([...before].filter((step) => step !== undefined)).toEqual([]);
    const [event] = eventsOf(1);
    appendAll(root, [event!]);
    const grown = integrityCache.steps();
    grown.next();
    expect(found()).toEqual([]);
    for (const _ of grown);
    expect(integrityCache.count(event!.id)).toBe(1);
    for (const { id } of readAll(root).entries) expect(integrityCache.count(id)).toBe(1);
  });

  it('counts an id once, also when its segment is finished, archived, or was damaged for a while', () => {
    const { root, files, found, integrityCache } = journal();
    const all = readAll(root).entries.map(({ id }) => id);
    const counts = () => {
      expect(found()).toEqual([]);
      return new Set(all.map((id) => integrityCache.count(id)));
    };
    expect(counts()).toEqual(new Set([1]));
    const writer = writerOn(root);
    writer.append(eventsOf(3));
    writer.rotate(0);
    writer.append(eventsOf(1));
    expect(counts()).toEqual(new Set([1]));
    compact(root);
    expect(readerOn(root).segments()[0]!.sealed).toBe(true);
    expect(counts()).toEqual(new Set([1]));
    const [file] = readerOn(root).segments().slice(1);
    const bytes = readFileSync(file!.path);
    spoil(file!.path);
    expect(found()).not.toEqual([]);
    writeFileSync(file!.path, bytes);
    expect(counts()).toEqual(new Set([1]));
    expect(files.length).toBeGreaterThan(3);
  });

  it('counts anew when other ids are in a segment than before', () => {
    const { root, found, integrityCache } = journal();
    const twin = `${newRoot()}-twin`;
    cpSync(root, twin, { recursive: true });
    const [mine, theirs] = [eventsOf(3, 200), eventsOf(3, 200)];
    appendAll(root, mine);
    expect(found()).toEqual([]);
    // The same journal, as it went on elsewhere.
    appendAll(twin, theirs);
    cpSync(twin, root, { recursive: true });
    expect(found()).toEqual([]);
    expect(theirs.map(({ id }) => integrityCache.count(id))).not.toContain(2);
    expect(found()).toEqual([]);
    expect(theirs.map(({ id }) => integrityCache.count(id))).toEqual([1, 1, 1]);
    expect(mine.map(({ id }) => integrityCache.count(id))).toEqual([0, 0, 0]);
  });

  it('counts anew when as many other ids are in a segment as before', () => {
    const { root, found, integrityCache } = journal();
    const before = `${newRoot()}-before`;
    cpSync(root, before, { recursive: true });
    const [mine, theirs] = [eventsOf(3, 200), eventsOf(3, 200)];
    appendAll(root, mine);
    expect(found()).toEqual([]);
    // The same folder, as it was and then went on otherwise.
    cpSync(before, root, { recursive: true });
    appendAll(root, theirs);
    expect(found()).toEqual([]);
    expect(found()).toEqual([]);
    expect(theirs.map(({ id }) => integrityCache.count(id))).toEqual([1, 1, 1]);
    expect(mine.map(({ id }) => integrityCache.count(id))).toEqual([0, 0, 0]);
  });

  it('is kept for each reader', () => {
    const { root } = journal();
    const [one, other] = [readerOn(root), readerOn(root)];
    expect(integrityCacheOf(realPorts, one)).toBe(integrityCacheOf(realPorts, one));
    expect(integrityCacheOf(realPorts, other)).not.toBe(integrityCacheOf(realPorts, one));
  });

  it('is read again where nobody can say whether a file has changed', () => {
    const { root } = journal();
    let statIfThere = realPorts.fs.statIfThere;
    const ports = portsWith({ statIfThere: (file) => statIfThere(file) });
    const integrityCache = new IntegrityCache(ports, readerOn(root));
    const found = () => [...integrityCache.damage()].map(({ damage }) => damage);
    spoil(readerOn(root).segments()[1]!.path);
    const answers = [
      () => undefined, // it was compacted away meanwhile
      () => {
        throw systemError('EACCES');
      },
    ];
    for (const answer of answers) {
      statIfThere = answer;
      expect(found()).toMatchObject(met(root));
      expect(found().length).toBeGreaterThan(0);
    }
    statIfThere = () => {
      throw new TypeError('a mistake in the program');
    };
    expect(found).toThrow(TypeError);
  });

  it('is not an append in flight, until a segment stands behind it', () => {
    const { root, files, found } = journal();
    const newest = files.at(-1)!;
    appendFileSync(newest, Buffer.alloc(40, 1));
    expect(found()).toEqual(met(root));
    expect(found()).toEqual([]);
    const next = readAll(root).seqs.at(-1)! + 1;
    const name = newest.replace(/\d{16}\.b10$/, `${String(next).padStart(16, '0')}.b10`);
    writeFileSync(name, readFileSync(newest));
    expect(found()).toMatchObject(met(root));
    expect(found()).not.toEqual([]);
  });
});
