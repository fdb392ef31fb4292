import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { putBlob } from '../../../src/journal/append/blobs.ts';
import { decodeEnvelope } from '../../../src/journal/format/envelope.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import {
  ensureManifest,
  type Manifest,
  readManifest,
  writeManifest,
} from '../../../src/journal/format/manifest.ts';
import { flipped } from '../../damage/damages.ts';
import { realPorts } from '../../support.ts';
import {
  appendAll,
  edit,
  eventsOf,
  handClock,
  journalOf,
  newRoot,
  originFolder,
  readAll,
  verify,
  withFailing,
} from '../support.ts';

function journal(count = 3) {
  const root = journalOf(count);
  const layout = layoutOf(root);
  return { root, layout, manifest: readManifest(realPorts, layout)! };
}

/** A manifest with a checksum that fits, whatever is in it. */
const write = (file: string, line: string) => {
  const sum = realPorts.xxh64(Buffer.from(line), 0n).toString(16).padStart(16, '0');
  writeFileSync(file, `${line}\n${sum}\n`);
};

const LATER = expect.objectContaining({ code: 'JOURNAL_FOREIGN' });

describe('the manifest', () => {
  it('says who the journal is, as JSON and a checksum', () => {
    const { layout, manifest } = journal();
    const [line, sum, end] = readFileSync(layout.manifest, 'utf8').split('\n');
    expect(JSON.parse(line!)).toEqual(manifest);
    expect(sum).toMatch(/^[0-9a-f]{16}$/);
    expect(end).toBe('');
    expect(manifest).toMatchObject({ format: 1, generation: 0, erasureEpoch: 0 });
    expect(manifest.journalId).toMatch(/^[0-9a-f]{32}$/);
    expect(manifest.blobKey).toMatch(/^[0-9a-f]{64}$/);
  });

  it('keeps keys that a later version added', () => {
    const { layout, manifest } = journal();
    writeManifest(realPorts, layout, { ...manifest, later: 'kept' } as Manifest);
    expect(ensureManifest(realPorts, layout)).toMatchObject({ later: 'kept' });
  });

  it('is made anew from the segments when it is lost, and the journal goes on', () => {
    const { root, layout, manifest } = journal();
    rmSync(layout.manifest);
    expect(readAll(root).seqs).toEqual([1, 2, 3]);
    appendAll(root, eventsOf(1));
    const anew = readManifest(realPorts, layout)!;
    expect(anew).toMatchObject({
      journalId: manifest.journalId,
      origin: manifest.origin,
      isRebuilt: true,
    });
    expect(readAll(root).seqs).toEqual([1, 2, 3, 4, 5]);
    expect(verify(root).ok).toBe(true);
  });

  it.each([
    ['junk', 'junk\n', 5],
    ['nothing', undefined, 0],
  ])('of which %s is left is damage, and the next writer tells of it once', (_, junk, bytes) => {
    const { root, layout } = journal();
    rmSync(layout.manifest);
    if (junk !== undefined) writeFileSync(layout.manifest, junk);
    expect(verify(root)).toMatchObject({
      ok: false,
      events: 3,
      damage: [{ kind: 'manifest', segment: 'manifest', bytes, firstSeq: null, lastSeq: null }],
    });
    appendAll(root, eventsOf(1));
    appendAll(root, eventsOf(1));
    const told = readAll(root).entries.flatMap(({ payload }) => {
      const { type, data } = decodeEnvelope(payload);
      return type === 'journal.repaired' ? [data as Record<string, unknown>] : [];
    });
    expect(told).toMatchObject([{ kind: 'manifest', segment: 'manifest', bytes }]);
    const kept = existsSync(layout.quarantine) ? readdirSync(layout.quarantine) : [];
    expect(kept.map((name) => readFileSync(path.join(layout.quarantine, name), 'utf8'))).toEqual(
      junk === undefined ? [] : [junk],
    );
    expect(told[0]!.kept).toBe(kept[0]);
    expect(verify(root).ok).toBe(true);
  });

  it('that is missing is no damage where there is no segment yet, and junk is', () => {
    const layout = layoutOf(newRoot());
    mkdirSync(layout.journal, { recursive: true });
    expect(verify(layout.root)).toMatchObject({ ok: true, damage: [] });
    writeFileSync(layout.manifest, 'junk');
    expect(verify(layout.root).damage).toMatchObject([{ kind: 'manifest', bytes: 4 }]);
    appendAll(layout.root, eventsOf(1));
    expect(verify(layout.root)).toMatchObject({ ok: true, events: 2 });
  });

  it('that was lost makes everything void that was stored before an erasure', () => {
    const { layout, manifest } = journal();
    writeManifest(realPorts, layout, { ...manifest, erasureEpoch: 3 });
    rmSync(layout.manifest);
    expect(ensureManifest(realPorts, layout).erasureEpoch).toBeGreaterThan(1_000_000);
  });

  it.each<[string, (text: string) => string]>([
    ['a changed digit', (text) => text.replace('"generation":0', '"generation":3')],
    ['half of it gone', (text) => text.slice(0, 40)],
    ['nothing in it', () => ''],
    ['no checksum', (text) => text.split('\n')[0]!],
  ])('is as good as lost with %s', (_, damage) => {
    const { layout, manifest } = journal();
    writeFileSync(layout.manifest, damage(readFileSync(layout.manifest, 'utf8')));
    expect(readManifest(realPorts, layout)).toBeUndefined();
    expect(ensureManifest(realPorts, layout)).toMatchObject({
      journalId: manifest.journalId,
      origin: manifest.origin,
      isRebuilt: true,
    });
  });

  it('of which one bit has flipped is put right by the next writer, who tells of it once', () => {
    const { root, layout, manifest } = journal();
    const sound = readFileSync(layout.manifest);
    for (const bit of [1, 8 * sound.indexOf('blobKey') + 100, 8 * sound.length - 1]) {
      edit(layout.manifest, (bytes) => flipped(bytes, bit));
      const damaged = readFileSync(layout.manifest);
      expect(readManifest(realPorts, layout)).toBeUndefined();
      const before = readAll(root).seqs.length;
      appendAll(root, eventsOf(1));
      expect(readFileSync(layout.manifest)).toEqual(sound);
      expect(readManifest(realPorts, layout)).toEqual(manifest);
      const told = readAll(root).entries.slice(before);
      const { type, data } = decodeEnvelope(told[0]!.payload);
      expect({ type, data, count: told.length }).toEqual({
        type: 'journal.repaired',
        data: {
          kind: 'manifest',
          segment: 'manifest',
          offset: 0,
          bytes: sound.length,
          kept: expect.any(String),
        },
        count: 2,
      });
      const { kept } = data as { kept: string };
      expect(readFileSync(path.join(layout.quarantine, kept))).toEqual(damaged);
    }
    expect(verify(root).ok).toBe(true);
  });

  it('is as good as lost with bytes that are no UTF-8, also where the sum fits what they are read as', () => {
    const { layout, manifest } = journal();
    write(layout.manifest, JSON.stringify({ ...manifest, note: '\ufffd' }));
    expect(readManifest(realPorts, layout)).toMatchObject({ note: '\ufffd' });
    const bytes = readFileSync(layout.manifest);
    const at = bytes.indexOf('\ufffd');
    const broken = Buffer.concat([bytes.subarray(0, at), Buffer.of(0xff), bytes.subarray(at + 3)]);
    expect(broken.toString()).toBe(bytes.toString());
    writeFileSync(layout.manifest, broken);
    expect(readManifest(realPorts, layout)).toBeUndefined();
  });

  it.each(['null', '[]', '7', '"x"', '{}', 'not JSON', '{"format":"1"}', '{"format":2}'])(
    'is of a later version when it says %s, with a fitting checksum',
    (line) => {
      const { layout } = journal();
      write(layout.manifest, line);
      expect(() => readManifest(realPorts, layout)).toThrow(LATER);
    },
  );

  it.each([
    ['journalId', 'G'.repeat(32)],
    ['journalId', 'a'.repeat(31)],
    ['origin', '../../../etc/passwd/aaaaaaaaaaaaaa'],
    ['origin', 7],
    ['blobKey', 'a'.repeat(32)],
    ['generation', 1.5],
    ['erasureEpoch', '0'],
    ['createdAt', null],
    ['places', 'in another form'],
  ])(
    'is of a later version when %s is %j: nobody reads, appends or makes it anew',
    (key, value) => {
      const { root, layout, manifest } = journal();
      write(layout.manifest, JSON.stringify({ ...manifest, [key]: value }));
      const before = readFileSync(layout.manifest);
      expect(() => readManifest(realPorts, layout)).toThrow(LATER);
      expect(() => readAll(root)).toThrow(LATER);
      expect(() => ensureManifest(realPorts, layout)).toThrow(LATER);
      expect(() => appendAll(root, eventsOf(1))).toThrow(LATER);
      expect(() => verify(root)).toThrow(LATER);
      expect(readFileSync(layout.manifest)).toEqual(before);
    },
  );

  it('is as good as lost when it is too large, a folder or a link', () => {
    const { layout } = journal();
    writeFileSync(layout.manifest, Buffer.alloc(64 * 1024 + 1, 'x'));
    expect(readManifest(realPorts, layout)).toBeUndefined();
    rmSync(layout.manifest);
    mkdirSync(layout.manifest);
    expect(readManifest(realPorts, layout)).toBeUndefined();
    rmSync(layout.manifest, { recursive: true });
    symlinkSync('/etc/passwd', layout.manifest);
    expect(readManifest(realPorts, layout)).toBeUndefined();
  });

  it('may be as large as the limit', () => {
    const { layout, manifest } = journal();
    const padded = (bytes: number) => JSON.stringify({ ...manifest, pad: 'x'.repeat(bytes) });
    const room = 64 * 1024 - 18 - padded(0).length;
    write(layout.manifest, padded(room));
    expect(readManifest(realPorts, layout)).toMatchObject({ origin: manifest.origin });
    write(layout.manifest, padded(room + 1));
    expect(readManifest(realPorts, layout)).toBeUndefined();
  });

  it('of a later format is refused, whatever else it says, and stays as it is', () => {
    const { root, layout, manifest } = journal();
    write(layout.manifest, '{"format":2,"other":true}');
    const before = readFileSync(layout.manifest, 'utf8');
    const refusal = expect.objectContaining({
      code: 'JOURNAL_FOREIGN',
      place: { file: layout.manifest },
    });
    expect(() => ensureManifest(realPorts, layout)).toThrow(refusal);
    expect(() => appendAll(root, eventsOf(1))).toThrow(refusal);
    expect(() => readAll(root)).toThrow(refusal);
    expect(() => verify(root)).toThrow(refusal);
    expect(readFileSync(layout.manifest, 'utf8')).toBe(before);
    expect(manifest.format).toBe(1);
    edit(layout.manifest, (bytes) => flipped(bytes, 100));
    expect(() => appendAll(root, eventsOf(1))).toThrow(refusal);
  });

  it('that cannot be read for another reason is an error, not a loss', () => {
    const { layout } = journal();
    const ports = withFailing('open', 'EACCES', (file) => file === layout.manifest);
    expect(() => readManifest(ports, layout)).toThrow(/EACCES/);
  });

  it('of a journal without any readable segment gets a new identity', () => {
    const { root, layout, manifest } = journal();
    rmSync(layout.manifest);
    edit(path.join(originFolder(root), '0000000000000001.b10'), () => Buffer.alloc(200));
    const anew = ensureManifest(realPorts, layout);
    expect(anew.origin).toBe(manifest.origin);
    expect(anew.journalId).not.toBe(manifest.journalId);
  });

  it('of a journal of which texts are left, and nothing else, does not call them damaged', () => {
    const { root, layout, manifest } = journal();
    putBlob(realPorts, layout, manifest.blobKey, Buffer.from('an old text'));
    rmSync(originFolder(root), { recursive: true });
    rmSync(layout.manifest);
    appendAll(root, eventsOf(1));
    expect(verify(root)).toMatchObject({ damage: [], events: 1, blobs: 1 });
    // Nor does anything come back that was stored before an erasure.
    const { isRebuilt, erasureEpoch } = readManifest(realPorts, layout)!;
    expect([isRebuilt, erasureEpoch > 0]).toEqual([true, true]);
  });

  it('of a new journal is made with the time of the clock', () => {
    const layout = layoutOf(newRoot());
    mkdirSync(layout.journal, { recursive: true });
    const clock = handClock(5000);
    const made = ensureManifest({ ...realPorts, clock }, layout);
    expect(made).toMatchObject({ createdAt: 5000, erasureEpoch: 0 });
    expect(made.isRebuilt).toBeUndefined();
  });
});
