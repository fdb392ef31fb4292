import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { allSegments } from '../../src/journal/all-entries.ts';
import { putBlob } from '../../src/journal/blobs.ts';
import { chainAt } from '../../src/journal/chain-at.ts';
import { compactJournal } from '../../src/journal/compact.ts';
import { encodeEnvelope, typeTag } from '../../src/journal/envelope.ts';
import { type Choice, eraseEvents, REQUEST_EVENTS_MAX } from '../../src/journal/erase.ts';
import { TEMP_AGE_MS } from '../../src/journal/erase-derived.ts';
import {
  DONE_TYPE,
  doneEvent,
  doneIn,
  REQUESTED_TYPE,
  requestedEvent,
  requestIn,
  supersededEvent,
  supersededIn,
} from '../../src/journal/erase-events.ts';
import { resumeErasure } from '../../src/journal/erase-resume.ts';
import { erasedIds } from '../../src/journal/erased-ids.ts';
import { BODY_BYTES_MAX, FRAME_KIND, SALT_BYTES } from '../../src/journal/format.ts';
import type { Entry } from '../../src/journal/frame.ts';
import { layoutOf } from '../../src/journal/layout.ts';
import { LockFile } from '../../src/journal/locking.ts';
import { readManifest, writeManifest } from '../../src/journal/manifest.ts';
import { SupersedingReader } from '../../src/journal/superseding-reader.ts';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { decoders, newEvent, realPorts } from '../support.ts';
import {
  appendAll,
  edit,
  eventsOf,
  flipBit,
  newRoot,
  originFolder,
  portsWith,
  readAll,
  readerOn,
  segmentFiles,
  systemError,
  verify,
  writerOn,
} from './support.ts';

const codecs = { zstd: await loadZstd(), decoders };
const originOf = (root: string) => path.basename(originFolder(root));
const choice = (root: string, seqs: readonly number[]): Choice => ({
  by: 'event',
  events: seqs.map((seq) => ({ origin: originOf(root), seq })),
  blobs: [],
  files: [],
});
const eraseSeqs = (root: string, ...seqs: number[]) =>
  eraseEvents(realPorts, root, codecs, () => choice(root, seqs));
const husks = (root: string) =>
  readAll(root).entries.filter(({ kind }) => kind === FRAME_KIND.husk);
const typesOf = (root: string) => {
  const names = new Map([REQUESTED_TYPE, DONE_TYPE].map((type) => [typeTag(type, xxh64), type]));
  return readAll(root).entries.flatMap((entry) => names.get(entry.typeTag) ?? []);
};

/** Four segments of three events each: two sealed, one closed, one active. */
function journal(): string {
  const root = newRoot();
  const writer = writerOn(root);
  for (let segment = 0; segment < 4; segment += 1) {
    if (segment > 0) writer.rotate(0);
    writer.append(eventsOf(3, 300));
    if (segment === 1) {
      writer.rotate(0);
      compactJournal(realPorts, root, codecs);
    }
  }
  writer.close();
  return root;
}

describe('erasing events', () => {
  it('makes husks of them in every kind of segment, and the chain stays what it was', () => {
    const root = journal();
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
    expect(husks(root).map(({ seq }) => seq)).toEqual([1, 6, 8, 12]);
    expect(chainAt(realPorts, layout, 12, decoders)!.toString('hex')).toBe(chain);
    expect(verify(root)).toMatchObject({ ok: true, events: before.events + 2 });
    for (const entry of readAll(root).entries.slice(0, 12)) {
      const old = entries[entry.seq - 1]!;
      const { kind, salt, payload, ...kept } = { ...entry, commit: entry.commit };
      expect(kept).toMatchObject({ seq: old.seq, hlc: old.hlc, typeTag: old.typeTag });
      expect(kept.id.equals(old.id) && kept.commit.equals(old.commit)).toBe(true);
      const isErased = kind === FRAME_KIND.husk;
      expect(payload.equals(isErased ? Buffer.alloc(0) : old.payload)).toBe(true);
      expect(salt.equals(isErased ? Buffer.alloc(0) : old.salt)).toBe(true);
    }
    expect(typesOf(root)).toEqual([REQUESTED_TYPE, DONE_TYPE]);
    expect(readManifest(realPorts, layout)).toMatchObject({ erasureEpoch: 1 });
    expect(readManifest(realPorts, layout)).not.toHaveProperty('erasing');
  });

  it('leaves a journal that goes on: appends, a second erasure, compaction', () => {
    const root = journal();
    const writer = writerOn(root);
    writer.append(eventsOf(1));
    eraseSeqs(root, 12, 13);
    // It held the file that was replaced.
    expect(writer.append(eventsOf(1)).seqs).toEqual([16]);
    writer.close();
    eraseSeqs(root, 13, 16);
    expect(husks(root).map(({ seq }) => seq)).toEqual([12, 13, 16]);
    writerOn(root).rotate(0);
    compactJournal(realPorts, root, codecs);
    expect(husks(root).map(({ seq }) => seq)).toEqual([12, 13, 16]);
    expect(verify(root).ok).toBe(true);
  });

  it('knows an id of a husk when the same fact is told again', () => {
    const root = newRoot();
    const event = newEvent({ data: { text: 'once' } });
    appendAll(root, [event, newEvent()]);
    eraseSeqs(root, 1);
    const writer = writerOn(root);
    expect(writer.append([event])).toMatchObject({ seqs: [1], written: 0 });
    writer.close();
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
    const root = newRoot();
    appendAll(root, eventsOf(1));
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
    const root = journal();
    const [sealed] = segmentFiles(root);
    writeFileSync(sealed!.slice(0, -1), 'what the sealed one was made of');
    eraseSeqs(root, 2);
    expect(existsSync(sealed!.slice(0, -1))).toBe(false);
  });

  it('begins nothing where a target stands in a damaged segment', () => {
    const root = journal();
    const file = segmentFiles(root)[2]!;
    edit(file, (bytes) => flipBit(bytes, 300 * 8) as undefined);
    const before = readFileSync(segmentFiles(root)[3]!);
    expect(() => eraseSeqs(root, 1, 7)).toThrow(
      expect.objectContaining({ code: 'JOURNAL_DAMAGED', place: { file } }),
    );
    expect(husks(root)).toEqual([]);
    expect(readFileSync(segmentFiles(root)[3]!).equals(before)).toBe(true);
    expect(eraseSeqs(root, 1).events).toBe(1);
  });

  it('waits for nobody for ever, and says who is in the way', () => {
    const root = journal();
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
    const root = journal();
    const full = portsWith({
      rename: (from, to) => {
        if (to.endsWith('.b10z')) throw systemError('ENOSPC');
        realPorts.fs.rename(from, to);
      },
    });
    expect(() => eraseEvents(full, root, codecs, () => choice(root, [1]))).toThrow(
      expect.objectContaining({ code: 'FS_WRITE_ERROR' }),
    );
    expect(husks(root)).toEqual([]);
    expect(resumeErasure(realPorts, root, decoders)).toMatchObject({ events: 1 });
    expect(husks(root).map(({ seq }) => seq)).toEqual([1]);
    expect(verify(root).ok).toBe(true);
  });

  it('has room for every target that one request may have', () => {
    const targets = Array.from({ length: REQUEST_EVENTS_MAX }, (_, n) => 2 ** 53 - 1 - n);
    const request = { by: 'rule', rule: 'X'.repeat(40), targets, origin: '0'.repeat(32) } as const;
    const { payload } = requestedEvent(realPorts, { ...request, targets });
    expect(SALT_BYTES + payload.length).toBeLessThanOrEqual(BODY_BYTES_MAX);
  });

  it('makes several requests of more targets than fit into one', () => {
    const root = newRoot();
    appendAll(root, eventsOf(2));
    const seqs = [1, 2, ...Array.from({ length: REQUEST_EVENTS_MAX - 1 }, (_, n) => 1000 + n)];
    expect(eraseSeqs(root, ...seqs).events).toBe(2);
    expect(typesOf(root).filter((type) => type === DONE_TYPE)).toHaveLength(2);
    expect(eraseSeqs(root, ...seqs.slice(1)).events).toBe(0);
    expect(typesOf(root).filter((type) => type === DONE_TYPE)).toHaveLength(3);
  });
});

describe('erasing in a journal that is not well', () => {
  it('makes its end good first, and tells of it', () => {
    const root = journal();
    const newest = segmentFiles(root)[3]!;
    edit(newest, (bytes) => Buffer.concat([bytes, Buffer.from('half an event')]));
    expect(eraseSeqs(root, 12).events).toBe(1);
    expect(readAll(root).entries.length).toBe(12 + 3);
    expect(verify(root).ok).toBe(true);
    // What it cut off may hold anything: it is gone with the rest.
    expect(readdirSync(layoutOf(root).quarantine)).toEqual([]);
  });

  it('trusts no disk that gives back something else than was written', () => {
    const root = journal();
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

  it('gives every event that can be read, and says which segment is not whole', () => {
    const root = journal();
    const files = segmentFiles(root);
    edit(files[0]!, (bytes) => flipBit(bytes, 300 * 8) as undefined);
    edit(files[1]!, (bytes) => flipBit(bytes, (bytes.length - 60) * 8) as undefined);
    edit(files[2]!, (bytes) => flipBit(bytes, 300 * 8) as undefined);
    edit(files[3]!, (bytes) => bytes.subarray(0, 100));
    const found = [...allSegments(realPorts, layoutOf(root), decoders)];
    expect(found.map(({ isWhole }) => isWhole)).toEqual([false, false, false, false]);
    expect(found.map(({ entries }) => entries.map(({ seq }) => seq))).toEqual([
      [],
      [4, 5, 6],
      [8, 9],
      [],
    ]);
  });

  it('says which inbox files could not be read, and not which were left there meanwhile', () => {
    const root = journal();
    const { inbox } = layoutOf(root);
    const [bad, late] = ['0'.repeat(16), '1'.repeat(16)].map(
      (stamp) => `${stamp}-0123456789ab.evt`,
    );
    writeFileSync(path.join(inbox, bad!), 'secret');
    const unreadable = portsWith({
      open: (file, flags, mode) => {
        if (file.endsWith(bad!)) throw systemError('EACCES');
        return realPorts.fs.open(file, flags, mode);
      },
    });
    const done = eraseEvents(unreadable, root, codecs, () => {
      writeFileSync(path.join(inbox, late!), 'told meanwhile');
      return choice(root, [1]);
    });
    expect(done).toMatchObject({ events: 1, waiting: [bad] });
  });

  it('believes no list of erased ids that is cut short, or of another epoch', () => {
    const root = newRoot();
    appendAll(root, eventsOf(3));
    eraseSeqs(root, 2);
    const file = path.join(layoutOf(root).journal, 'erased');
    const good = readFileSync(file);
    const known = (epoch: number) => [
      ...erasedIds(realPorts, layoutOf(root), readerOn(root), epoch).values(),
    ];
    for (const bytes of [good, good.subarray(0, -1), good.subarray(0, 12), Buffer.alloc(0)]) {
      writeFileSync(file, bytes);
      for (const epoch of [1, 2]) expect(known(epoch)).toEqual([2]);
    }
    // The next erasure writes it anew, whatever is there.
    eraseSeqs(root, 3);
    expect(known(2)).toEqual([2, 3]);
    expect(readFileSync(file).length).toBe(good.length + 24);
  });
});

describe('what is removed besides', () => {
  it('is every temporary file beside the segments, and elsewhere what is too old to be in use', () => {
    const root = journal();
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

  it('is what a repair cut off, and no save of a state before the first target', () => {
    const root = journal();
    const { quarantine, checkpoints } = layoutOf(root);
    for (const dir of [quarantine, `${checkpoints}/saves`, `${checkpoints}/context/project`])
      realPorts.fs.statIfThere(dir) ?? mkdirs(dir);
    const save = (seq: number) => `${String(seq).padStart(16, '0')}-0123456789ab.ctx`;
    const files = [
      `${quarantine}/cut`,
      `${checkpoints}/context/project/${String(1).padStart(16, '0')}.ckpt`,
      `${checkpoints}/saves/${save(4)}`,
      `${checkpoints}/saves/${save(5)}`,
      `${root}/current.ctx`,
      `${root}/current.ctx.meta`,
    ];
    for (const file of files) writeFileSync(file, 'x');
    writeFileSync(`${root}/config.yaml`, 'x');
    eraseSeqs(root, 5, 9);
    expect(files.filter(existsSync)).toEqual([`${checkpoints}/saves/${save(4)}`]);
    expect(readdirSync(root)).toContain('config.yaml');
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

describe('an erasure that was cut off', () => {
  /** As if its process had died right behind the request. */
  function cutOff(root: string, seqs: number[]): void {
    const layout = layoutOf(root);
    const request = requestedEvent(realPorts, { by: 'event', targets: seqs });
    const writer = writerOn(root);
    const [seq] = writer.append([request]).seqs;
    writer.close();
    writeManifest(realPorts, layout, { ...readManifest(realPorts, layout)!, erasing: seq! });
  }

  it('is finished by the next who looks, once', () => {
    const root = journal();
    cutOff(root, [2, 11]);
    expect(resumeErasure(realPorts, root, decoders)).toMatchObject({ events: 2 });
    expect(husks(root).map(({ seq }) => seq)).toEqual([2, 11]);
    expect(resumeErasure(realPorts, root, decoders)).toBeUndefined();
    expect(typesOf(root)).toEqual([REQUESTED_TYPE, DONE_TYPE]);
    expect(verify(root).ok).toBe(true);
  });

  it('is packed again by a compaction, for who finished it had no packer', () => {
    const root = journal();
    cutOff(root, [2]);
    resumeErasure(realPorts, root, decoders);
    const { segments } = compactJournal(realPorts, root, codecs);
    expect(segments[0]).toMatchObject({ action: 'recompressed' });
    expect(verify(root).ok).toBe(true);
  });

  it('is found by the next erasure also when the manifest that told of it was lost', () => {
    const root = journal();
    cutOff(root, [2]);
    rmSync(layoutOf(root).manifest);
    expect(resumeErasure(realPorts, root, decoders)).toBeUndefined();
    expect(eraseSeqs(root, 3).events).toBe(2);
    expect(husks(root).map(({ seq }) => seq)).toEqual([2, 3]);
  });

  it('is left to others where somebody holds a lock, or nobody can', () => {
    const root = journal();
    cutOff(root, [2]);
    const held = new LockFile(realPorts, layoutOf(root).lock);
    held.hold(0, () => expect(resumeErasure(realPorts, root, decoders)).toBeUndefined());
    held.close();
    expect(resumeErasure({ ...realPorts, lock: undefined }, root, decoders)).toBeUndefined();
    expect(husks(root)).toEqual([]);
  });

  it('that was marked but not requested is none, whatever got its seq', () => {
    const root = journal();
    const layout = layoutOf(root);
    writeManifest(realPorts, layout, { ...readManifest(realPorts, layout)!, erasing: 12 });
    const before = readAll(root).seqs;
    expect(resumeErasure(realPorts, root, decoders)).toMatchObject({ events: 0, segments: [] });
    expect(readAll(root).seqs).toEqual(before);
    expect(readManifest(realPorts, layout)).not.toHaveProperty('erasing');
  });
});

describe('a reader of what stands for erased events', () => {
  const reader = (root: string) => new SupersedingReader(realPorts, root, decoders);
  const envelope = (text: string) => ({
    type: 'test.happened',
    version: 1,
    session: 's1',
    agent: null,
    client: 'test',
    source: 'tool',
    at: 5,
    data: { text },
  });
  const textsOf = (one: SupersedingReader, from = 1, to?: number) =>
    [...one.entries(from, to)].flatMap(({ entry }) =>
      entry!.typeTag === typeTag('test.happened', xxh64) && entry!.kind === FRAME_KIND.event
        ? [[entry!.seq, decodeText(entry!)]]
        : [],
    );
  const decodeText = ({ payload }: Entry) =>
    /\u00a4text(?:[\xa0-\xbf]|\xd9.)(.*)$/s.exec(payload.toString('latin1'))?.[1];

  function replaced(): string {
    const root = newRoot();
    appendAll(
      root,
      ['a', 'b', 'c', 'd'].map((text) => newEvent({ data: { text } })),
    );
    const events = [1, 3].map((seq) => ({
      origin: originOf(root),
      seq,
      replacement: envelope(`new ${seq}`),
    }));
    eraseEvents(realPorts, root, codecs, () => ({ by: 'event', events, blobs: [], files: [] }));
    return root;
  }

  it('gives them at their own place and under their own id', () => {
    const root = replaced();
    const all = [
      [1, 'new 1'],
      [2, 'b'],
      [3, 'new 3'],
      [4, 'd'],
    ];
    expect(textsOf(reader(root))).toEqual(all);
    const ids = [...reader(root).entries()].map(({ entry }) => entry!.id.toString('hex'));
    expect(ids).toEqual(readAll(root).entries.map(({ id }) => id.toString('hex')));
    for (let from = 1; from <= 4; from += 1) {
      for (let to = from; to <= 4; to += 1)
        expect(textsOf(reader(root), from, to)).toEqual(all.slice(from - 1, to));
    }
  });

  it('gives the newest that stands for one, in whatever order it is asked', () => {
    const root = replaced();
    const held = reader(root);
    expect(textsOf(held, 3, 3)).toEqual([[3, 'new 3']]);
    appendAll(root, [supersededEvent(realPorts, 3, envelope('newer 3'))]);
    expect(textsOf(held, 3, 3)).toEqual([[3, 'newer 3']]);
    expect(textsOf(held, 1, 3)).toEqual([
      [1, 'new 1'],
      [2, 'b'],
      [3, 'newer 3'],
    ]);
    expect(textsOf(reader(root), 1, 3)).toEqual(textsOf(held, 1, 3));
  });

  it('leaves alone what is no husk, and what stands for nothing', () => {
    const root = replaced();
    appendAll(root, [supersededEvent(realPorts, 2, envelope('forged'))]);
    expect(textsOf(reader(root))[1]).toEqual([2, 'b']);
    eraseSeqs(root, 4);
    expect(textsOf(reader(root)).map(([seq]) => seq)).toEqual([1, 2, 3]);
  });
});

describe('an event about an erasure', () => {
  const entry = (payload: Buffer) => ({ kind: FRAME_KIND.event, payload }) as Entry;
  const own = (type: string, data: unknown, version = 1) =>
    entry(
      encodeEnvelope({
        type,
        version,
        session: null,
        agent: null,
        client: null,
        source: 'journal',
        at: 1,
        data,
      }),
    );

  it('is read as it was written', () => {
    const request = { by: 'pattern', targets: [1, 2] } as const;
    expect(
      requestIn(entry(requestedEvent(realPorts, { ...request, targets: [1, 2] }).payload)),
    ).toEqual(request);
    const done = { request: 7, events: 1, segments: 1, blobs: 0 };
    expect(doneIn(entry(doneEvent(realPorts, done).payload))).toBe(7);
  });

  it.each([
    ['no targets', own(REQUESTED_TYPE, { by: 'event' })],
    ['targets that are no seqs', own(REQUESTED_TYPE, { by: 'event', targets: ['1'] })],
    [
      'an origin that leads out of the folder',
      own(REQUESTED_TYPE, { by: 'event', targets: [1], origin: '../..' }),
    ],
    ['no data', own(REQUESTED_TYPE, null)],
    ['another version', own(REQUESTED_TYPE, { by: 'event', targets: [1] }, 2)],
    ['another type', own(DONE_TYPE, { by: 'event', targets: [1] })],
    ['no envelope', entry(Buffer.from('garbage'))],
    ['no body', { kind: FRAME_KIND.husk, payload: Buffer.alloc(0) } as Entry],
  ])('with %s asks for nothing', (_, given) => {
    expect(requestIn(given)).toBeUndefined();
    expect(doneIn(given)).toBeUndefined();
    expect(supersededIn(given)).toBeUndefined();
  });

  it.each([
    { seq: '1', event: {} },
    { seq: 1, event: null },
    { seq: 1 },
    { seq: 1, event: { type: 5 } },
    {
      seq: 1,
      event: {
        type: 'a',
        version: 1,
        session: 5,
        agent: null,
        client: null,
        source: 'b',
        at: null,
      },
    },
    {
      seq: 1,
      event: {
        type: 'a',
        version: 'x',
        session: null,
        agent: null,
        client: null,
        source: 'b',
        at: null,
      },
    },
    {
      seq: 1,
      event: {
        type: 'a',
        version: 1,
        session: null,
        agent: null,
        client: null,
        source: 'b',
        at: 'now',
      },
    },
  ])('that stands for nothing that can be read: %j', (data) => {
    expect(supersededIn(own('event.superseded', data))).toBeUndefined();
  });
});
