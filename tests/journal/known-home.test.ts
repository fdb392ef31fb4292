import { cpSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { settleCopy } from '../../src/journal/copied.ts';
import { layoutOf, originDir } from '../../src/journal/layout.ts';
import { readManifest, writeManifest } from '../../src/journal/manifest.ts';
import { JournalReader } from '../../src/journal/reader.ts';
import { WrittenEntries } from '../../src/journal/written.ts';
import { decoders, realPorts } from '../support.ts';
import { appendAll, eventsOf, newRoot, portsWith, writerOn } from './support.ts';

/** As a hook has it, whose process ends soon. */
const shortReader = (root: string, ports = realPorts) =>
  new JournalReader(ports, root, decoders, new WrittenEntries());

function journal(count: number): string {
  const root = newRoot();
  appendAll(root, eventsOf(count));
  return root;
}

const seqsOf = (reader: JournalReader) => [...reader.entries()].map(({ entry }) => entry?.seq);
const manifestOf = (root: string) => readManifest(realPorts, layoutOf(root))!;

describe('a process that ends soon', () => {
  it('looks once where the journal is', () => {
    const root = journal(3);
    const opened: string[] = [];
    const ports = portsWith({
      open: (file, ...more) => {
        opened.push(path.basename(file));
        return realPorts.fs.open(file, ...more);
      },
    });
    const reader = shortReader(root, ports);
    for (let n = 0; n < 5; n += 1) {
      expect(reader.origin()).toBe(manifestOf(root).origin);
      expect(seqsOf(reader)).toEqual([1, 2, 3]);
    }
    expect(opened.filter((name) => name === 'manifest')).toHaveLength(1);
  });

  it('sees what others append, in segments that were not there', () => {
    const root = journal(2);
    const reader = shortReader(root);
    expect(seqsOf(reader)).toEqual([1, 2]);
    const writer = writerOn(root);
    writer.rotate(0);
    writer.append(eventsOf(2));
    expect(reader.segments()).toHaveLength(2);
    expect(seqsOf(reader)).toEqual([1, 2, 3, 4]);
  });

  it('finds a journal that was begun since it looked', () => {
    const root = newRoot();
    const reader = shortReader(root);
    expect(reader.origin()).toBeUndefined();
    appendAll(root, eventsOf(1));
    expect(seqsOf(reader)).toEqual([1]);
  });

  it('finds another journal that was put in its place', () => {
    const root = journal(3);
    const reader = shortReader(root);
    expect(seqsOf(reader)).toEqual([1, 2, 3]);
    rmSync(root, { recursive: true });
    appendAll(root, eventsOf(1));
    expect(reader.origin()).toBe(manifestOf(root).origin);
    expect(seqsOf(reader)).toEqual([1]);
  });

  it('goes along when a copied journal gets an origin of its own, and its folder that name only then', () => {
    const copy = newRoot();
    cpSync(journal(2), copy, { recursive: true });
    const layout = layoutOf(copy);
    const reader = shortReader(copy);
    const former = manifestOf(copy).origin;
    expect(reader.origin()).toBe(former);
    const { origin } = settleCopy(realPorts, layout, manifestOf(copy));
    expect(reader.origin()).toBe(origin);
    // As its owner left it that died in between: the manifest names what the folder is not called yet.
    renameSync(originDir(layout, origin), originDir(layout, former));
    writeManifest(realPorts, layout, manifestOf(copy));
    expect(reader.origin()).toBe(former);
    renameSync(originDir(layout, former), originDir(layout, origin));
    expect(reader.origin()).toBe(origin);
    expect(seqsOf(reader)).toEqual([1, 2]);
  });
});
