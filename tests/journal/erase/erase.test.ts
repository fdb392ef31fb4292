import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { putBlob } from '../../../src/journal/append/blobs.ts';
import { LockFile } from '../../../src/journal/append/locking.ts';
import { TEMP_AGE_MS } from '../../../src/journal/erase/derived.ts';
import { type Choice, eraseEvents, REQUEST_EVENTS_MAX } from '../../../src/journal/erase/erase.ts';
import { erasedIds, isErasedFileDamaged } from '../../../src/journal/erase/erased-ids.ts';
import {
  DONE_TYPE,
  REQUESTED_TYPE,
  requestedEvent,
  requestIn,
} from '../../../src/journal/erase/events.ts';
import { resumeErasure } from '../../../src/journal/erase/resume.ts';
import { decodeEnvelope } from '../../../src/journal/format/envelope.ts';
import { BODY_BYTES_MAX, FRAME_KIND, SALT_BYTES } from '../../../src/journal/format/format.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { readManifest } from '../../../src/journal/format/manifest.ts';
import { chainAt } from '../../../src/journal/read/chain-at.ts';
import { SupersedingReader } from '../../../src/journal/read/superseding-reader.ts';
import { codeOf, decoders, newEvent, realPorts } from '../../support.ts';
import {
  choice,
  codecs,
  compact,
  eraseSeqs,
  fourSegments,
  originOf,
  repair,
  tombstones,
  typesOf,
} from '../journals.ts';
import {
  appendAll,
  edit,
  eventsOf,
  flipBit,
  journalOf,
  newRoot,
  originFolder,
  portsWith,
  readAll,
  readerOn,
  segmentFiles,
  verify,
  withFailing,
  writerOn,
} from '../support.ts';

describe('erasing events', () => {
  it('makes tombstones of them in every kind of segment, and the chain stays what it was', () => {
    const root = fourSegments();
    const before = verify(root);
    const layout = layoutOf(root);
    const chain = chainAt(realPorts, layout, 12, decoders)!.toString('hex');
    const { entries } = readAll(root);
    const done = eraseSeqs(root, 1, 6, 8, 12);
    expect(done).toMatchObject({ events: 4, blobs: 0, waiting: [] });
    expect(done.segments.map((name) => name.replace(/^0+/, ''))).toEqual([
      '1.b10z',
      '4.b10z',
      '7.b10',
      '10.b10',
    ]);
    expect(tombstones(root).map(({ seq }) => seq)).toEqual([1, 6, 8, 12]);
    expect(chainAt(realPorts, layout, 12, decoders)!.toString('hex')).toBe(chain);
    expect(verify(root)).toMatchObject({ ok: true, events: before.events + 2 });
    for (const entry of readAll(root).entries.slice(0, 12)) {
      const old = entries[entry.seq - 1]!;
      const { kind, salt, payload, ...kept } = { ...entry, commit: entry.commit };
      expect(kept).toMatchObject({ seq: old.seq, hlc: old.hlc, typeTag: old.typeTag });
      expect(kept.id.equals(old.id) && kept.commit.equals(old.commit)).toBe(true);
      const isErased = kind === FRAME_KIND.tombstone;
      expect(payload.equals(isErased ? Buffer.alloc(0) : old.payload)).toBe(true);
      expect(salt.equals(isErased ? Buffer.alloc(0) : old.salt)).toBe(true);
    }
    expect(typesOf(root)).toEqual([REQUESTED_TYPE, DONE_TYPE]);
    expect(readManifest(realPorts, layout)).toMatchObject({ erasureEpoch: 1 });
    expect(readManifest(realPorts, layout)).not.toHaveProperty('erasing');
  });

  it('leaves a journal that goes on: appends, a second erasure, compaction', () => {
    const root = fourSegments();
    const writer = writerOn(root);
    writer.append(eventsOf(1));
    eraseSeqs(root, 12, 13);
    // It held the file that was replaced.
    expect(writer.append(eventsOf(1)).seqs).toEqual([16]);
    eraseSeqs(root, 13, 16);
    expect(tombstones(root).map(({ seq }) => seq)).toEqual([12, 13, 16]);
    writerOn(root).rotate(0);
    compact(root);
    expect(tombstones(root).map(({ seq }) => seq)).toEqual([12, 13, 16]);
    expect(verify(root).ok).toBe(true);
  });

  it('knows an id of a tombstone when the same fact is told again', () => {
    const root = newRoot();
    const event = newEvent({ data: { text: 'once' } });
    appendAll(root, [event, newEvent()]);
    eraseSeqs(root, 1);
    const writer = writerOn(root);
    expect(writer.append([event])).toMatchObject({ seqs: [1], written: 0 });
    const epoch = readManifest(realPorts, layoutOf(root))!.erasureEpoch;
    const known = () => erasedIds(realPorts, layoutOf(root), readerOn(root), epoch);
    expect([...known()]).toEqual([[event.id.toString('hex'), 1]]);
    // The file is only a shortcut.
    edit(path.join(layoutOf(root).journal, 'erased'), (bytes) => flipBit(bytes, 70) as undefined);
    expect([...known()]).toEqual([[event.id.toString('hex'), 1]]);
    rmSync(path.join(layoutOf(root).journal, 'erased'));
    expect([...known()]).toEqual([[event.id.toString('hex'), 1]]);
  });

  it('removes the blobs of what goes, and not those that others name', () => {
    const root = journalOf(1);
    const layout = layoutOf(root);
    const key = readManifest(realPorts, layout)!.blobKey;
    const put = (text: string) => putBlob(realPorts, layout, key, Buffer.from(text));
    const [own, shared] = [put('own'), put('shared')];
    const naming = (...names: string[]) =>
      newEvent({ data: names.map((name) => ({ $blob: name, bytes: 3, head: '' })) });
    appendAll(root, [naming(own, shared), naming(shared)]);
    expect(eraseSeqs(root, 2).blobs).toBe(1);
    expect(verify(root)).toMatchObject({ ok: true, blobs: 1 });
  });

  it('removes the raw form that a crashed compaction left beside a sealed one', () => {
    const root = fourSegments();
    const [sealed] = segmentFiles(root);
    writeFileSync(sealed!.slice(0, -1), 'what the sealed one was made of');
    eraseSeqs(root, 2);
    expect(existsSync(sealed!.slice(0, -1))).toBe(false);
  });

  it('begins nothing where a target stands in a damaged segment', () => {
    const root = fourSegments();
    const file = segmentFiles(root)[2]!;
    edit(file, (bytes) => flipBit(bytes, 300 * 8) as undefined);
    const before = readFileSync(segmentFiles(root)[3]!);
    expect(() => eraseSeqs(root, 1, 7)).toThrow(
      expect.objectContaining({ code: 'JOURNAL_DAMAGED', place: { file } }),
    );
    expect(tombstones(root)).toEqual([]);
    expect(readFileSync(segmentFiles(root)[3]!).equals(before)).toBe(true);
    expect(eraseSeqs(root, 1).events).toBe(1);
  });

  it('waits for nobody for ever, and says who is in the way', () => {
    const root = fourSegments();
    const layout = layoutOf(root);
    const clock = { ...realPorts.clock, now: () => performance.now() * 100 };
    for (const path of [layout.compactLock, layout.lock]) {
      const held = new LockFile(realPorts, path);
      held.hold(0, () => {
        const act = () =>
          eraseEvents({ ...realPorts, clock }, root, codecs, () => choice(root, [1]));
        expect(act).toThrow(expect.objectContaining({ code: 'CONTEXT_LOCKED' }));
      });
      held.close();
    }
    const act = () =>
      eraseEvents({ ...realPorts, lock: undefined }, root, codecs, () => choice(root, [1]));
    expect(act).toThrow('this system has no file locks');
  });

  it('says what the disk said, and is finished when the disk is well again', () => {
    const root = fourSegments();
    const full = withFailing('rename', 'ENOSPC', (_, to) => to.endsWith('.b10z'));
    expect(codeOf(() => eraseEvents(full, root, codecs, () => choice(root, [1])))).toBe(
      'FS_WRITE_ERROR',
    );
    expect(tombstones(root)).toEqual([]);
    expect(resumeErasure(realPorts, root, decoders)).toMatchObject({ events: 1 });
    expect(tombstones(root).map(({ seq }) => seq)).toEqual([1]);
    expect(verify(root).ok).toBe(true);
  });

  it('has room for every target that one request may have', () => {
    const targets = Array.from({ length: REQUEST_EVENTS_MAX }, (_, n) => 2 ** 53 - 1 - n);
    const request = { by: 'rule', rule: 'X'.repeat(40), targets, origin: '0'.repeat(32) } as const;
    const { payload } = requestedEvent(realPorts, { ...request, targets });
    expect(SALT_BYTES + payload.length).toBeLessThanOrEqual(BODY_BYTES_MAX);
  });

  it('makes several requests of more targets than fit into one', { tags: 'long' }, () => {
    const root = journalOf(2);
    const seqs = [1, 2, ...Array.from({ length: REQUEST_EVENTS_MAX - 1 }, (_, n) => 1000 + n)];
    expect(eraseSeqs(root, ...seqs).events).toBe(2);
    expect(typesOf(root).filter((type) => type === DONE_TYPE)).toHaveLength(2);
    expect(eraseSeqs(root, ...seqs.slice(1)).events).toBe(0);
    expect(typesOf(root).filter((type) => type === DONE_TYPE)).toHaveLength(3);
  });
});

describe('erasing in a journal that is not well', () => {
  it('makes its end good first, and tells of it', () => {
    const root = fourSegments();
    const newest = segmentFiles(root)[3]!;
    edit(newest, (bytes) => Buffer.concat([bytes, Buffer.from('half an event')]));
    expect(eraseSeqs(root, 12).events).toBe(1);
    expect(readAll(root).entries.length).toBe(12 + 3);
    expect(verify(root).ok).toBe(true);
    // What it cut off may hold anything: it is gone with the rest.
    expect(readdirSync(layoutOf(root).quarantine)).toEqual([]);
  });

  it('trusts no disk that gives back something else than was written', () => {
    const root = fourSegments();
    let renamed = '';
    const lying = portsWith({
      rename: (from, to) => {
        realPorts.fs.rename(from, to);
        if (to.endsWith('.b10z')) renamed = to;
      },
      read: (fd, into, position) => {
        const bytes = realPorts.fs.read(fd, into, position);
        if (renamed !== '' && into.length === realPorts.fs.stat(renamed).size) into[200]! ^= 1;
        return bytes;
      },
    });
    expect(() => eraseEvents(lying, root, codecs, () => choice(root, [1]))).toThrow(
      'did not read back as it was written',
    );
    expect(resumeErasure(realPorts, root, decoders)).toMatchObject({ events: 0 });
    expect(typesOf(root)).toEqual([REQUESTED_TYPE, DONE_TYPE]);
    expect(verify(root).ok).toBe(true);
  });

  it('says which inbox files could not be read, and not which were left there meanwhile', () => {
    const root = fourSegments();
    const { inbox } = layoutOf(root);
    const [bad, late] = ['0'.repeat(16), '1'.repeat(16)].map(
      (stamp) => `${stamp}-0123456789ab.evt`,
    );
    writeFileSync(path.join(inbox, bad!), 'secret');
    const unreadable = withFailing('open', 'EACCES', (file) => file.endsWith(bad!));
    const done = eraseEvents(unreadable, root, codecs, () => {
      writeFileSync(path.join(inbox, late!), 'told meanwhile');
      return choice(root, [1]);
    });
    expect(done).toMatchObject({ events: 1, waiting: [bad] });
  });

  it('believes no list of erased ids that is cut short, or of another epoch', () => {
    const root = journalOf(3);
    eraseSeqs(root, 2);
    const file = path.join(layoutOf(root).journal, 'erased');
    const good = readFileSync(file);
    const known = (epoch: number) => [
      ...erasedIds(realPorts, layoutOf(root), readerOn(root), epoch).values(),
    ];
    for (const bytes of [good, good.subarray(0, -1), good.subarray(0, 12), Buffer.alloc(0)]) {
      for (const epoch of [1, 2]) {
        writeFileSync(file, bytes);
        expect(isErasedFileDamaged(realPorts, layoutOf(root))).toBe(bytes !== good);
        expect(known(epoch)).toEqual([2]);
        // Read from the tombstones once: then the file says it.
        expect(isErasedFileDamaged(realPorts, layoutOf(root))).toBe(false);
      }
    }
    rmSync(file);
    expect(isErasedFileDamaged(realPorts, layoutOf(root))).toBe(false);
    mkdirSync(file);
    expect(isErasedFileDamaged(realPorts, layoutOf(root))).toBe(true);
    expect(known(1)).toEqual([2]);
    rmdirSync(file);
    // The next erasure writes it anew, whatever is there.
    eraseSeqs(root, 3);
    expect(known(2)).toEqual([2, 3]);
    expect(readFileSync(file).length).toBe(good.length + 24);
  });
});

describe('erasing while things go wrong', () => {
  it('goes on without a segment that somebody removes under its hands, whenever that is', () => {
    const listings = (root: string, from: string, at: number) => {
      let seen = -1;
      const ports = portsWith({
        readdir: (dir) => {
          const names = realPorts.fs.readdir(dir);
          if (dir !== originFolder(root) || seen === -1) return names;
          seen += 1;
          if (seen === at) rmSync(from);
          return names;
        },
      });
      const erase = () =>
        eraseEvents(ports, root, codecs, () => {
          seen = 0;
          return choice(root, [1, 8]);
        });
      return { erase, wasRemoved: () => !existsSync(from) };
    };
    for (let at = 1; ; at += 1) {
      const root = fourSegments();
      const { erase, wasRemoved } = listings(root, segmentFiles(root)[2]!, at);
      const { events } = erase();
      expect(tombstones(root).map(({ seq }) => seq)).toEqual(wasRemoved() ? [1] : [1, 8]);
      expect(typesOf(root)).toEqual([REQUESTED_TYPE, DONE_TYPE]);
      expect(readManifest(realPorts, layoutOf(root))).not.toHaveProperty('erasing');
      if (!wasRemoved()) {
        expect(at).toBeGreaterThan(3);
        expect(events).toBe(2);
        break;
      }
    }
  });

  it('puts no segment in place that does not read back the same', () => {
    const root = fourSegments();
    const [sealed] = segmentFiles(root);
    const before = readFileSync(sealed!);
    const { zstd } = codecs;
    const liar = {
      compress: (bytes: Uint8Array, level: number) =>
        zstd.compress(Buffer.from(bytes).fill(0x20, bytes.length - 40), level),
    };
    const act = () =>
      eraseEvents(realPorts, root, { ...codecs, zstd: liar }, () => choice(root, [1]));
    expect(act).toThrow('did not read back as it was written');
    expect(readFileSync(sealed!).equals(before)).toBe(true);
    expect(resumeErasure(realPorts, root, decoders)).toMatchObject({ events: 1 });
    expect(verify(root).ok).toBe(true);
  });

  it('says what the disk said where it cannot make its folders', () => {
    const root = newRoot();
    const full = withFailing('mkdir', 'ENOSPC');
    expect(codeOf(() => eraseEvents(full, root, codecs, () => choice(root, [])))).toBe(
      'FS_WRITE_ERROR',
    );
  });

  it('takes all of an event whose replacement would not fit into one', () => {
    const root = fourSegments();
    const replacement = { ...decodeEnvelope(newEvent().payload), data: 'x'.repeat(BODY_BYTES_MAX) };
    const events = [{ origin: originOf(root), seq: 1, replacement }];
    const act = () => ({ by: 'event' as const, events, blobs: [], files: [] });
    expect(eraseEvents(realPorts, root, codecs, act).events).toBe(1);
    expect(tombstones(root).map(({ seq }) => seq)).toEqual([1]);
    const read = [...new SupersedingReader(realPorts, root, decoders).entries(1, 1)];
    expect(read[0]!.entry!.kind).toBe(FRAME_KIND.tombstone);
  });

  it('passes by files that are gone already, with their folders', () => {
    const root = fourSegments();
    const files = [`${root}/checkpoints/saves/gone.ctx`];
    const act = () => ({ ...choice(root, [1]), files });
    expect(eraseEvents(realPorts, root, codecs, act)).toMatchObject({ events: 1, files: 0 });
  });

  it('hides no mistake of the program behind a list of erased ids that cannot be read', () => {
    const root = fourSegments();
    eraseSeqs(root, 1);
    const wrong = withFailing('open', new TypeError('a mistake'), (file) =>
      file.endsWith('/erased'),
    );
    const known = () => erasedIds(wrong, layoutOf(root), readerOn(root), 1);
    expect(known).toThrow('a mistake');
  });
});

describe('the request of an erasure', () => {
  it('says by which rule its targets were found', () => {
    const root = fourSegments();
    const act = (): Choice => ({ ...choice(root, [1, 2]), by: 'rule', rule: 'AWS_KEY' });
    eraseEvents(realPorts, root, codecs, act);
    const requests = readAll(root).entries.flatMap((entry) => requestIn(entry) ?? []);
    expect(requests).toEqual([
      { by: 'rule', rule: 'AWS_KEY', targets: [1, 2], origin: originOf(root) },
    ]);
  });
});

describe('what is removed besides', () => {
  it('is every temporary file beside the segments, and elsewhere what is too old to be in use', () => {
    const root = fourSegments();
    const { inbox, journal: folder } = layoutOf(root);
    const now = Date.now();
    const temp = (dir: string, name: string, age: number) => {
      const file = path.join(dir, `${name}.tmp`);
      writeFileSync(file, 'half an event');
      utimesSync(file, (now - age) / 1000, (now - age) / 1000);
      return file;
    };
    const gone = [
      temp(originFolder(root), 'young', 0),
      temp(folder, 'manifest.young', 0),
      temp(inbox, 'old', TEMP_AGE_MS + 1000),
    ];
    const stays = temp(inbox, 'young', TEMP_AGE_MS - 5000);
    eraseSeqs(root, 1);
    expect(gone.filter(existsSync)).toEqual([]);
    expect(existsSync(stays)).toBe(true);
  });

  it('is what a repair cut off, and no stored state before the first target', () => {
    const root = fourSegments();
    const { quarantine, checkpoints, snapshots } = layoutOf(root);
    const saves = `${checkpoints}/saves`;
    for (const dir of [quarantine, saves, snapshots, `${checkpoints}/context/project`])
      realPorts.fs.statIfThere(dir) ?? mkdirs(dir);
    const save = (seq: number) => `${String(seq).padStart(16, '0')}-0123456789ab.ctx`;
    const files = [
      `${quarantine}/cut`,
      `${checkpoints}/context/project/${String(1).padStart(16, '0')}.ckpt`,
      ...[saves, snapshots].flatMap((dir) => [`${dir}/${save(4)}`, `${dir}/${save(5)}`]),
      `${snapshots}/${save(4)}.0123456789ab.tmp`,
      `${root}/current.ctx`,
      `${root}/current.ctx.meta`,
    ];
    for (const file of files) writeFileSync(file, 'x');
    writeFileSync(`${root}/config.yaml`, 'x');
    eraseSeqs(root, 5, 9);
    expect(files.filter(existsSync)).toEqual([`${saves}/${save(4)}`, `${snapshots}/${save(4)}`]);
    expect(readdirSync(root)).toContain('config.yaml');
  });

  it('is a state that was saved before events were lost: told again they come behind it', () => {
    const root = fourSegments();
    const saves = `${layoutOf(root).checkpoints}/saves`;
    mkdirs(saves);
    const save = (seq: number) => `${saves}/${String(seq).padStart(16, '0')}-0123456789ab.ctx`;
    const seqs = readAll(root).entries.map(({ seq }) => seq);
    const [first, second] = segmentFiles(root);
    const lost = Number(path.basename(second!).slice(0, 16));
    for (const seq of [lost - 1, lost, lost + 1]) writeFileSync(save(seq), 'x');
    rmSync(second!);
    repair(root);
    eraseSeqs(root, seqs.at(-1)!);
    expect(existsSync(first!)).toBe(true);
    expect(readdirSync(saves)).toEqual([path.basename(save(lost - 1))]);
  });
});

function mkdirs(dir: string): void {
  for (let at = dir.indexOf('/', 1); at !== -1; at = dir.indexOf('/', at + 1))
    mkdirIf(dir.slice(0, at));
  mkdirIf(dir);
}

function mkdirIf(dir: string): void {
  if (!existsSync(dir)) realPorts.fs.mkdir(dir);
}
