import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { blobPath, putBlob } from '../../../src/journal/append/blobs.ts';
import { LockFile } from '../../../src/journal/append/locking.ts';
import {
  CHUNK,
  CHUNK_HEADER_BYTES,
  FOOTER,
  FOOTER_BYTES,
  SEGMENT_BYTES_MAX,
} from '../../../src/journal/format/format.ts';
import { type Entry, encodeFrame, type Frame } from '../../../src/journal/format/frame.ts';
import { hintPath } from '../../../src/journal/format/hint.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { readManifest } from '../../../src/journal/format/manifest.ts';
import { decodeSegmentHeader } from '../../../src/journal/format/segment.ts';
import { verifyJournal } from '../../../src/journal/verify/verify.ts';
import { writeHint } from '../../hints.ts';
import { decoders, newEvent, realPorts, scratch, twinOf } from '../../support.ts';
import { compact } from '../journals.ts';
import {
  afterListing,
  appendAll,
  damageOf,
  edit,
  eventsOf,
  flipBit,
  handClock,
  newRoot,
  originFolder,
  portsWith,
  readAll,
  rotatedJournal,
  segmentFiles,
  verify,
  withFailing,
  writerOn,
} from '../support.ts';

const { xxh64 } = realPorts;

/** Segments 1-3, 4-6, 7-9 and the active 10-12; `sealed` of them, from the first on. */
function journal(sealed = false) {
  const root = rotatedJournal(4, () => eventsOf(3, 50));
  if (sealed) compact(root);
  return root;
}

/** What verify reports, with places. */
const found = (root: string) =>
  verify(root).damage.map(({ kind, segment, offset, firstSeq, lastSeq }) => [
    kind,
    Number.parseInt(segment, 10),
    offset,
    firstSeq,
    lastSeq,
  ]);

const frames = (root: string) => readAll(root).entries as Frame[];

/** Writes an entry in the place of another one, with every sum right. */
function replaceFrame(
  root: string,
  seq: number,
  change: (entry: Entry) => Partial<Entry>,
  previousChain?: Buffer,
) {
  const frame = frames(root).find((one) => one.seq === seq)!;
  const before = frames(root).find((one) => one.seq === seq - 1)!;
  const index = Math.floor((seq - 1) / 3);
  edit(segmentFiles(root)[index]!, (bytes) => {
    const { salt } = decodeSegmentHeader(bytes, xxh64)!;
    const place = { salt, offset: frame.offset, previousChain: previousChain ?? before.chain };
    encodeFrame({ ...frame, ...change(frame) }, place, xxh64).frame.copy(bytes, frame.offset);
    return undefined;
  });
}

describe('verifying', () => {
  it.each([false, true])(
    'a sound journal (sealed: %s) finds nothing and says what there is',
    (sealed) => {
      const root = journal(sealed);
      const last = frames(root).at(-1)!;
      expect(verify(root)).toEqual({
        ok: true,
        events: 12,
        segments: 4,
        firstSeq: 1,
        lastSeq: 12,
        head: last.chain.toString('hex'),
        waiting: 0,
        blobs: 0,
        leftovers: [],
        isManifestOfAnother: false,
        losses: [],
        passed: [],
        damage: [],
      });
    },
  );

  it('tells of segments that are still there beside their sealed forms, and takes them for no damage', () => {
    const root = journal();
    const raw = segmentFiles(root).slice(0, 2);
    const kept = raw.map((file) => readFileSync(file));
    compact(root);
    expect(verify(root).leftovers).toEqual([]);
    for (const [index, file] of raw.entries()) writeFileSync(file, kept[index]!);
    const names = raw.map((file) => path.basename(file));
    expect(verify(root)).toMatchObject({ ok: true, events: 12, segments: 4, leftovers: names });
    compact(root);
    expect(verify(root).leftovers).toEqual([]);
  });

  it('an empty journal, or none at all, finds nothing', () => {
    const nothing = {
      ok: true,
      events: 0,
      segments: 0,
      firstSeq: null,
      lastSeq: null,
      head: null,
      waiting: 0,
      blobs: 0,
      leftovers: [],
      isManifestOfAnother: false,
      losses: [],
      passed: [],
      damage: [],
    };
    const root = newRoot();
    expect(verify(root)).toEqual(nothing);
    expect(() => readdirSync(root)).toThrow(/ENOENT/); // and makes nothing
    mkdirSync(layoutOf(root).journal, { recursive: true });
    expect(verify(root)).toEqual(nothing);
    writerOn(root).drain();
    expect(verify(root)).toEqual({ ...nothing, segments: 1 });
  });

  it('counts what waits in the inbox, and does without an inbox', () => {
    const root = journal();
    appendAll(root, eventsOf(2), {}, portsWith({}, { lock: undefined }));
    expect(verify(root)).toMatchObject({ ok: true, waiting: 2 });
    rmSync(layoutOf(root).inbox, { recursive: true });
    expect(verify(root)).toMatchObject({ ok: true, waiting: 0 });
  });

  it('tells its progress in bytes, up to all of them', () => {
    const root = journal(true);
    const heard: [number, number][] = [];
    verifyJournal(realPorts, root, decoders, (done, all) => void heard.push([done, all]));
    const size = segmentFiles(root).reduce((sum, file) => sum + readFileSync(file).length, 0);
    expect(heard).toHaveLength(4);
    expect(heard.at(-1)).toEqual([size, size]);
  });
});

describe('verifying finds, with segment, offset and seqs,', () => {
  it('newest segments that are gone, as far as the hint knows of them', () => {
    const root = journal();
    const files = segmentFiles(root);
    writeHint(realPorts, hintPath(layoutOf(root), path.basename(originFolder(root))), {
      syncedUpto: 11,
      syncedAt: 0,
    });
    rmSync(files[3]!);
    expect(found(root)).toEqual([['missing', 7, 0, 10, 11]]);
    edit(files[2]!, (bytes) => bytes.subarray(0, bytes.length - 4));
    expect(found(root)).toEqual([['tail', 7, expect.any(Number), 9, 11]]);
    rmSync(files[0]!);
    rmSync(files[1]!);
    rmSync(files[2]!);
    expect(found(root)).toEqual([['missing', Number.NaN, 0, 1, 11]]);
  });

  it('an event that was edited, though every checksum was made to fit', () => {
    const root = journal();
    const { offset } = frames(root)[4]!;
    replaceFrame(root, 5, (entry) => ({ payload: Buffer.alloc(entry.payload.length, 0x41) }));
    expect(found(root)).toEqual([['commit', 4, offset, 5, 5]]);
    expect(verify(root).events).toBe(12);
  });

  it('an event whose time was edited, though every checksum was made to fit', () => {
    const root = journal();
    const next = frames(root)[5]!.offset;
    replaceFrame(root, 5, (entry) => ({ hlc: { ...entry.hlc, count: entry.hlc.count + 1 } }));
    expect(found(root)).toEqual([['chain', 4, next, 6, 6]]); // the next event still chains on the old one
  });

  it('a segment that does not chain on the one before it', () => {
    const [root, other] = [newRoot(), newRoot()];
    writerOn(root).append(eventsOf(3));
    twinOf(root, other);
    for (const one of [root, other]) {
      const writer = writerOn(one);
      writer.append(eventsOf(1));
      writer.rotate(0);
      writer.append(eventsOf(1));
    }
    cpSync(segmentFiles(other)[1]!, segmentFiles(root)[1]!);
    expect(found(root)).toEqual([['chain', 5, 0, 5, null]]);
  });
});

describe('verifying sealed segments finds', () => {
  const sealedFile = (root: string) => segmentFiles(root)[1]!;

  it('every flipped bit of the file', { tags: 'long' }, () => {
    const root = newRoot();
    appendAll(root, [newEvent({ data: 'x' })]);
    writerOn(root).rotate(0);
    compact(root);
    const [file] = segmentFiles(root);
    const sound = readFileSync(file!);
    for (let bit = 0; bit < sound.length * 8; bit += 1) {
      const damaged = Buffer.from(sound);
      flipBit(damaged, bit);
      writeFileSync(file!, damaged);
      const { ok, events } = verify(root);
      expect(ok, `bit ${bit}`).toBe(false);
      const inChunk = bit >= (128 + 104) * 8 && events === 0;
      if (!inChunk) expect(events, `bit ${bit}`).toBe(1);
    }
  });

  it.each([false, true])('a segment above the limit as a lost one (sealed: %s)', (isSealed) => {
    const root = journal(isSealed);
    truncateSync(segmentFiles(root)[1]!, SEGMENT_BYTES_MAX + 1);
    expect(found(root)).toEqual([['segment-header', 4, 0, 4, 6]]);
  });

  it('a sealed segment at the end of which nothing is left: what was synced tells how much', () => {
    const root = journal(true);
    rmSync(segmentFiles(root).at(-1)!);
    const last = segmentFiles(root).at(-1)!;
    edit(last, (bytes) => bytes.subarray(0, 200));
    const hint = hintPath(layoutOf(root), path.basename(originFolder(root)));
    writeHint(realPorts, hint, { syncedUpto: 6, syncedAt: 0 });
    expect(found(root)).toEqual([['index', 7, 128, 7, null]]);
    writeHint(realPorts, hint, { syncedUpto: 11, syncedAt: 0 });
    expect(found(root)).toEqual([['index', 7, 128, 7, 11]]);
  });

  it.each<[string, (footer: Buffer) => void]>([
    ['another last seq', (f) => f.writeUInt32LE(5, FOOTER.lastSeq)],
    ['another last time', (f) => f.writeUInt16LE(999, FOOTER.lastHlc)],
    ['another time', (f) => f.writeUInt8(f[FOOTER.lastHlc + 3]! ^ 1, FOOTER.lastHlc + 3)],
    ['another count', (f) => f.writeUInt32LE(4, FOOTER.count)],
    ['another end of the chain', (f) => f.fill(1, FOOTER.endChain, FOOTER.endChain + 32)],
    ['another digest', (f) => f.fill(1, FOOTER.digest, FOOTER.digest + 32)],
    ['another place of the ids', (f) => f.writeUInt32LE(128, FOOTER.idsOffset)],
  ])('a footer that lies, with a sum that fits: %s', (_, change) => {
    const root = journal(true);
    edit(sealedFile(root), (bytes) => {
      const footer = bytes.subarray(bytes.length - FOOTER_BYTES);
      change(footer);
      footer.writeBigUInt64LE(xxh64(footer.subarray(0, FOOTER.checksum), 0n), FOOTER.checksum);
      return undefined;
    });
    expect(found(root)).toEqual([['index', 4, expect.any(Number), null, null]]);
    expect(verify(root).events).toBe(12);
  });

  it('a chunk whose events do not lead to the chain that it says, though every sum was made to fit', () => {
    const root = journal(true);
    edit(sealedFile(root), (bytes) => {
      const { salt } = decodeSegmentHeader(bytes, xxh64)!;
      const index = bytes.length - FOOTER_BYTES - (3 * 8 + 8) - (CHUNK_HEADER_BYTES + 8);
      for (const at of [128, index]) {
        const chunk = bytes.subarray(at, at + CHUNK_HEADER_BYTES);
        chunk.fill(9, CHUNK.endChain, CHUNK.endChain + 32);
        chunk.writeBigUInt64LE(xxh64(chunk.subarray(0, CHUNK.checksum), salt), CHUNK.checksum);
      }
      const all = bytes.subarray(index, index + CHUNK_HEADER_BYTES);
      bytes.writeBigUInt64LE(xxh64(all, salt), index + CHUNK_HEADER_BYTES);
      return undefined;
    });
    expect(found(root)).toEqual([
      ['chain', 4, 128, 4, 6],
      ['chain', 7, 0, 7, null],
    ]);
  });

  it('what was sealed is not looked for under its old name: it was sealed since it was listed', () => {
    const root = journal();
    const ports = afterListing(originFolder(root), () => compact(root));
    expect(verify(root, ports)).toMatchObject({ ok: true, events: 12, segments: 4 });
  });
});

describe('an append in flight', () => {
  const partial = (root: string) =>
    edit(segmentFiles(root).at(-1)!, (bytes) => Buffer.concat([bytes, bytes.subarray(128, 300)]));

  it('is not damage: what looks torn is looked at again under the lock', () => {
    const root = journal();
    const newest = segmentFiles(root).at(-1)!;
    const whole = readFileSync(newest);
    writeFileSync(newest, whole.subarray(0, whole.length - 30));
    // The append ends while the verification waits for the lock.
    const ports = portsWith(
      {},
      {
        lock: {
          tryLock: (fd) => {
            writeFileSync(newest, whole);
            return realPorts.lock!.tryLock(fd);
          },
          unlock: realPorts.lock!.unlock,
        },
      },
    );
    expect(verify(root, ports)).toMatchObject({ ok: true, events: 12 });
  });

  it('is damage when it is still torn while nobody can be appending', () => {
    const root = journal();
    partial(root);
    expect(damageOf(root)).toEqual(['tail 13-null']);
  });

  it('is passed by when the lock cannot be had', () => {
    const root = journal();
    partial(root);
    const holder = new LockFile(realPorts, layoutOf(root).lock);
    onTestFinished(() => holder.close());
    const clock = handClock();
    const waiting = portsWith({}, { clock });
    holder.hold(0, () => expect(verify(root, waiting)).toMatchObject({ ok: true, events: 12 }));
    expect(clock.time).toBeGreaterThanOrEqual(handClock().time + 5000);
    // Other damage in the same file is not passed by.
    edit(segmentFiles(root).at(-1)!, (bytes) => void flipBit(bytes, 140 * 8));
    holder.hold(0, () =>
      expect(verify(root, waiting).damage.map((one) => one.kind)).toEqual(['header']),
    );
  });

  it('is judged as it stands where nobody can lock or write', () => {
    const root = journal();
    partial(root);
    expect(verify(root, portsWith({}, { lock: undefined })).ok).toBe(false);
    const readOnly = withFailing('open', 'EROFS', (_, flags) => flags !== 'r');
    expect(verify(root, readOnly).ok).toBe(false);
    const broken = withFailing('open', new TypeError('a bug'), (_, flags) => flags !== 'r');
    expect(() => verify(root, broken)).toThrow(TypeError);
  });

  it('whose file is removed under the lock is judged as it was seen', () => {
    const root = journal();
    partial(root);
    const newest = segmentFiles(root).at(-1)!;
    const ports = portsWith(
      {},
      {
        lock: {
          tryLock: (fd) => {
            rmSync(newest, { force: true });
            return realPorts.lock!.tryLock(fd);
          },
          unlock: realPorts.lock!.unlock,
        },
      },
    );
    expect(verify(root, ports).damage.map((one) => one.kind)).toEqual(['tail']);
  });

  it('in a journal whose path has a folder of the same name above it locks the right file', () => {
    const root = path.join(scratch(), 'journal', 'journal', '.ben10');
    mkdirSync(path.dirname(root), { recursive: true });
    appendAll(root, eventsOf(2));
    partial(root);
    expect(damageOf(root)).toEqual(['tail 3-null']);
    expect(readdirSync(path.join(root, '..', '..'))).toEqual(['journal']);
  });
});

describe('a segment that disappears while it is verified', () => {
  it('is missing if it is in the middle', () => {
    const root = journal();
    const second = segmentFiles(root)[1]!;
    const ports = withFailing('open', 'ENOENT', (file) => file.startsWith(second));
    expect(verify(root, ports).damage).toMatchObject([
      { kind: 'missing', firstSeq: 4, lastSeq: 6 },
    ]);
  });
});

describe('blobs', () => {
  const withBlobs = () => {
    const root = journal();
    const layout = layoutOf(root);
    const { blobKey } = readManifest(realPorts, layout)!;
    const put = (text: string) => putBlob(realPorts, layout, blobKey, Buffer.from(text));
    return { root, layout, names: [put('one'), put('two'), put('three')] };
  };

  it('are counted, and found to be damaged or swapped', () => {
    const { root, layout, names } = withBlobs();
    expect(verify(root)).toMatchObject({ ok: true, blobs: 3 });
    edit(blobPath(layout, names[0]!), (bytes) => bytes.subarray(2));
    cpSync(blobPath(layout, names[1]!), blobPath(layout, names[2]!));
    const damage = verify(root).damage.map(({ kind, segment }) => `${kind} ${segment}`);
    expect(damage.sort()).toEqual([`blob blobs/${names[0]}`, `blob blobs/${names[2]}`].sort());
  });

  it('are missed when an event names them, with the events that do', () => {
    const { root, layout, names } = withBlobs();
    const text = (name: string) => ({ text: { $blob: name, bytes: 3, head: 'o' } });
    const seqs = [13, 14, 15];
    const data = [
      text(names[0]!),
      { deep: [text(names[1]!)] },
      text(names[0]!),
      text(''),
      { $blob: names[2], other: true },
    ];
    appendAll(
      root,
      data.map((one) => newEvent({ data: one })),
    );
    expect(verify(root)).toMatchObject({ ok: true, damage: [] });
    for (const name of names) rmSync(blobPath(layout, name));
    const missing = { kind: 'blob', offset: 0, bytes: 0 };
    expect(verify(root).damage).toEqual([
      { ...missing, segment: `blobs/${names[0]}`, firstSeq: seqs[0], lastSeq: seqs[2] },
      { ...missing, segment: `blobs/${names[1]}`, firstSeq: seqs[1], lastSeq: seqs[1] },
    ]);
    writerOn(root).rotate(0);
    compact(root);
    expect(verify(root).damage).toMatchObject([{ firstSeq: seqs[0] }, { firstSeq: seqs[1] }]);
  });

  it('keep their names when the key was lost with the manifest, and are not called damaged', () => {
    // The manifest is.
    const { root, layout } = withBlobs();
    rmSync(layout.manifest);
    expect(verify(root)).toMatchObject({ blobs: 3, damage: [{ kind: 'manifest' }] });
    appendAll(root, eventsOf(1));
    expect(verify(root)).toMatchObject({ ok: true, blobs: 3 });
  });
});
