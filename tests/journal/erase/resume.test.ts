import { rmSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LockFile } from '../../../src/journal/append/locking.ts';
import { eraseEvents } from '../../../src/journal/erase/erase.ts';
import { DONE_TYPE, REQUESTED_TYPE, requestedEvent } from '../../../src/journal/erase/events.ts';
import { resumeErasure } from '../../../src/journal/erase/resume.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { readManifest, writeManifest } from '../../../src/journal/format/manifest.ts';
import { ownSegments } from '../../../src/journal/read/origins.ts';
import { compactJournal } from '../../../src/journal/seal/compact.ts';
import { decoders, newEvent, realPorts } from '../../support.ts';
import { choice, codecs, eraseSeqs, fourSegments, tombstones, typesOf } from '../journals.ts';
import { appendAll, readAll, systemError, verify, writerOn } from '../support.ts';

describe('an erasure that was cut off', () => {
  /** As if its process had died right behind the request. */
  function cutOff(root: string, seqs: number[]): void {
    const layout = layoutOf(root);
    const request = requestedEvent(realPorts, { by: 'event', targets: seqs });
    const writer = writerOn(root);
    const [seq] = writer.append([request]).seqs;
    writeManifest(realPorts, layout, { ...readManifest(realPorts, layout)!, erasing: seq! });
  }

  it('is finished by the next who looks, once', () => {
    const root = fourSegments();
    cutOff(root, [2, 11]);
    expect(resumeErasure(realPorts, root, decoders)).toMatchObject({ events: 2 });
    expect(tombstones(root).map(({ seq }) => seq)).toEqual([2, 11]);
    expect(resumeErasure(realPorts, root, decoders)).toBeUndefined();
    expect(typesOf(root)).toEqual([REQUESTED_TYPE, DONE_TYPE]);
    expect(verify(root).ok).toBe(true);
  });

  it('is packed again by a compaction, for who finished it had no packer', () => {
    const root = fourSegments();
    cutOff(root, [2]);
    resumeErasure(realPorts, root, decoders);
    const { segments } = compactJournal(realPorts, root, codecs);
    expect(segments[0]).toMatchObject({ action: 'recompressed' });
    expect(verify(root).ok).toBe(true);
  });

  it('is finished by a compaction before it packs anything', () => {
    const root = fourSegments();
    cutOff(root, [2, 11]);
    compactJournal(realPorts, root, codecs);
    expect(tombstones(root).map(({ seq }) => seq)).toEqual([2, 11]);
    expect(typesOf(root)).toEqual([REQUESTED_TYPE, DONE_TYPE]);
    expect(verify(root).ok).toBe(true);
  });

  it('keeps a compaction from beginning while somebody else holds a lock', () => {
    const root = fourSegments();
    cutOff(root, [2]);
    const held = new LockFile(realPorts, layoutOf(root).lock);
    const compact = () => compactJournal(realPorts, root, codecs);
    held.hold(0, () => expect(compact).toThrow(/an erasure of this journal is running/));
    held.close();
    expect(tombstones(root)).toEqual([]);
    compact();
    expect(tombstones(root).map(({ seq }) => seq)).toEqual([2]);
  });

  it('is found by the next erasure also when the manifest that told of it was lost', () => {
    const root = fourSegments();
    cutOff(root, [2]);
    rmSync(layoutOf(root).manifest);
    expect(resumeErasure(realPorts, root, decoders)).toBeUndefined();
    expect(eraseSeqs(root, 3).events).toBe(2);
    expect(tombstones(root).map(({ seq }) => seq)).toEqual([2, 3]);
  });

  it('is left to others where somebody holds a lock, or nobody can', () => {
    const root = fourSegments();
    cutOff(root, [2]);
    const held = new LockFile(realPorts, layoutOf(root).lock);
    held.hold(0, () => expect(resumeErasure(realPorts, root, decoders)).toBeUndefined());
    held.close();
    expect(resumeErasure({ ...realPorts, lock: undefined }, root, decoders)).toBeUndefined();
    expect(tombstones(root)).toEqual([]);
  });

  it('that was marked but not requested is none, whatever got its seq', () => {
    const root = fourSegments();
    const layout = layoutOf(root);
    writeManifest(realPorts, layout, { ...readManifest(realPorts, layout)!, erasing: 12 });
    const before = readAll(root).seqs;
    expect(resumeErasure(realPorts, root, decoders)).toMatchObject({ events: 0, segments: [] });
    expect(readAll(root).seqs).toEqual(before);
    expect(readManifest(realPorts, layout)).not.toHaveProperty('erasing');
  });

  it('by a sync that failed is finished in the next segment, and nobody appends to the one before', () => {
    const root = fourSegments();
    const before = ownSegments(realPorts, layoutOf(root));
    const { ino } = statSync(before.at(-1)!.path);
    let isFailing = true;
    const datasync = (fd: number): void => {
      const isIt = isFailing && realPorts.fs.fstat(fd).ino === ino;
      if (isIt) isFailing = false;
      if (isIt) throw systemError('EIO');
      realPorts.fs.datasync(fd);
    };
    const ports = { ...realPorts, fs: { ...realPorts.fs, datasync } };
    expect(() => eraseEvents(ports, root, codecs, () => choice(root, [2]))).toThrow('EIO');
    expect(ownSegments(realPorts, layoutOf(root))).toHaveLength(before.length + 1);
    const { size } = statSync(before.at(-1)!.path);
    appendAll(root, [newEvent()]);
    resumeErasure(realPorts, root, decoders);
    expect(statSync(before.at(-1)!.path).size).toBe(size);
    expect(typesOf(root)).toEqual([REQUESTED_TYPE, DONE_TYPE]);
    expect(verify(root).ok).toBe(true);
  });

  it('of nothing is done at once, and one that nobody understands is none', () => {
    const root = fourSegments();
    const layout = layoutOf(root);
    const garbled = [REQUESTED_TYPE, DONE_TYPE].map((type) =>
      newEvent({ type, data: { targets: 'all', request: 'all' } }),
    );
    cutOff(root, []);
    appendAll(root, garbled);
    expect(resumeErasure(realPorts, root, decoders)).toMatchObject({ events: 0, segments: [] });
    expect(typesOf(root)).toEqual([REQUESTED_TYPE, REQUESTED_TYPE, DONE_TYPE, DONE_TYPE]);
    expect(tombstones(root)).toEqual([]);
    expect(readManifest(realPorts, layout)).not.toHaveProperty('erasing');
    expect(resumeErasure(realPorts, root, decoders)).toBeUndefined();
  });
});
