import { describe, expect, it } from 'vitest';
import { blobPath, putBlob } from '../../../src/journal/append/blobs.ts';
import { JournalWriter } from '../../../src/journal/append/writer.ts';
import { segmentPath } from '../../../src/journal/format/layout.ts';
import { readManifest } from '../../../src/journal/format/manifest.ts';
import { setBlobAside } from '../../../src/journal/repair/beside.ts';
import { Chance } from '../../damage/chance.ts';
import { put, ROOT } from '../../damage/corpus.ts';
import { journalInMemory, layout, newEvent, plan, repair, verify } from './repairs.ts';

describe('a repair of a text that is gone', () => {
  it('records that, for there is nothing left to set aside', () => {
    const { fs, ports } = journalInMemory();
    const { blobKey } = readManifest(ports, layout)!;
    const name = putBlob(ports, layout, blobKey, Buffer.from('a text'));
    const writer = new JournalWriter(ports, ROOT, { lockBudgetMs: 0 });
    writer.append([newEvent({ $blob: name, bytes: 6, head: 'a t' }, new Chance(3))]);
    writer.close();
    fs.unlink(blobPath(layout, name));
    expect(plan(ports)).toMatchObject([
      { segment: `blobs/${name}`, action: 'record', what: expect.stringContaining('is missing') },
    ]);
    const { kept, lost, after } = repair(ports);
    expect(kept).toEqual([]);
    expect(lost).toMatchObject([{ segment: `blobs/${name}` }]);
    expect(after.ok).toBe(true);
    expect(plan(ports)).toEqual([]);
  });
});

describe('a text that was found damaged', () => {
  it('is set aside, and is nothing to set aside when it is gone by then', () => {
    const { fs, ports } = journalInMemory();
    const { blobKey } = readManifest(ports, layout)!;
    const name = putBlob(ports, layout, blobKey, Buffer.from('a text'));
    const bytes = { offset: 0, bytes: 6, firstSeq: null, lastSeq: null };
    fs.unlink(blobPath(layout, name));
    put(fs, blobPath(layout, name), Buffer.from('something else'));
    expect(plan(ports)).toMatchObject([
      { segment: `blobs/${name}`, action: 'set-aside', what: expect.stringContaining('damaged') },
    ]);
    const damaged = { segment: `blobs/${name}`, kind: 'blob' as const, ...bytes };
    expect(setBlobAside(ports, layout, damaged)).toHaveLength(1);
    expect(fs.statIfThere(blobPath(layout, name))).toBeUndefined();
    expect(setBlobAside(ports, layout, damaged)).toEqual([]);
  });
});

describe('a repair beside the segments of another clone', () => {
  it('leaves them as they are, and says what they are', () => {
    const { fs, ports, segments } = journalInMemory();
    const theirs = 'f'.repeat(32);
    const path = segmentPath(layout, theirs, 1, false);
    const bytes = Buffer.from(fs.bytesOf(segments()[0]!)).fill(0, 200, 240);
    fs.mkdir(`${layout.journal}/${theirs}`);
    put(fs, path, bytes);
    const { items, kept, after } = repair(ports);
    expect(items.map(({ action, segment }) => `${action} ${segment}`)).toEqual([
      `none ${theirs}/0000000000000001.b10`,
    ]);
    expect(items[0]!.what).toMatch(/^a copy of the folder [0-9a-f]{32},/);
    expect(kept).toEqual([]);
    expect(after.damage).toEqual(verify(ports).damage);
    expect(after.ok).toBe(false);
    expect(fs.bytesOf(path)).toEqual(bytes);
  });

  it('says so, too, where not even their headers can be read', () => {
    const { fs, ports } = journalInMemory();
    const theirs = 'e'.repeat(32);
    fs.mkdir(`${layout.journal}/${theirs}`);
    put(fs, segmentPath(layout, theirs, 1, false), Buffer.alloc(500, 7));
    const { items } = repair(ports);
    expect(items).toMatchObject([
      { action: 'none', what: expect.stringContaining('belongs to another clone') },
    ]);
  });
});

describe('a repair of what waits in the inbox', () => {
  it('leaves a file of a later ben10 to that one', () => {
    const { fs, ports } = journalInMemory();
    const name = '0000019aa0000000-abcdef012345.evt';
    put(fs, `${layout.inbox}/${name}`, Buffer.from('BEN10S\0\x02 in a way that is not known yet'));
    expect(plan(ports)).toEqual([]);
    expect(repair(ports).kept).toEqual([]);
  });
});
