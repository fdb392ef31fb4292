/** @module-tag long */
import { describe, expect, it } from 'vitest';
import { blobPath, putBlob } from '../../../src/journal/append/blobs.ts';
import { JournalWriter } from '../../../src/journal/append/writer.ts';
import { type Choice, eraseEvents } from '../../../src/journal/erase/erase.ts';
import { DONE_TYPE, doneIn, REQUESTED_TYPE } from '../../../src/journal/erase/events.ts';
import { resumeErasure } from '../../../src/journal/erase/resume.ts';
import { FRAME_KIND } from '../../../src/journal/format/format.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { readManifest } from '../../../src/journal/format/manifest.ts';
import type { JournalPorts } from '../../../src/journal/format/ports.ts';
import { homeOf } from '../../../src/journal/read/origins.ts';
import { JournalReader } from '../../../src/journal/read/reader.ts';
import { compactJournal } from '../../../src/journal/seal/compact.ts';
import { verifyJournal } from '../../../src/journal/verify/verify.ts';
import { type CrashState, crashStates } from '../../sim/crash-states.ts';
import { SimDisk } from '../../sim/disk.ts';
import { copyOf, emptyImage, filesIn, type Image } from '../../sim/image.ts';
import { loadCodecs, SIM_ROOT, startProcess } from '../../sim/process.ts';
import { decoders, newEvent } from '../../support.ts';

const codecs = await loadCodecs();
/** Long and alike, so that packing changes it: it is looked for in what unpacks as well. */
const SECRET = 'kanari-4711-vogel';
const NOW = 1_795_250_000_000;
/** States looked at after each call. */
const CAP = 16;

const secret = (n: number) => newEvent({ data: { n, text: `${SECRET} ${n}` } });
const other = (n: number) => newEvent({ data: { n, text: `ordinary ${n}` } });

/** A save from before the first target: of such a one no target tells whether it knows of something. */
const SAVE = `${layoutOf(SIM_ROOT).snapshots}/0000000000000001-0123456789ab.ctx`;
/** Name of the blob that no event names. */
let orphan = '';

/** A journal with the secret in a sealed and in an active segment, blobs, a state, a save, quarantine and a left file. */
function leaky(): Image {
  const disk = new SimDisk(emptyImage(), NOW);
  const { ports } = startProcess(disk, 1, 1);
  ports.fs.mkdir('/project');
  const writer = new JournalWriter(ports, SIM_ROOT, { lockBudgetMs: 50 });
  writer.append([other(1), secret(2), other(3)]);
  writer.rotate(0);
  compactJournal(ports, SIM_ROOT, codecs);
  const layout = layoutOf(SIM_ROOT);
  const key = readManifest(ports, layout)!.blobKey;
  const name = putBlob(ports, layout, key, Buffer.from(`blob ${SECRET}`));
  const data = { $blob: name, bytes: 5, head: 'blob' };
  writer.append([other(4), newEvent({ data }), secret(6), other(7)]);
  writer.close();
  for (const dir of [layout.quarantine, layout.checkpoints, layout.snapshots]) {
    ports.fs.mkdir(dir);
    write(ports, `${dir}/file`, SECRET);
  }
  write(ports, SAVE, SECRET);
  orphan = putBlob(ports, layout, key, Buffer.from(`nobody names ${SECRET}`));
  write(ports, `${SIM_ROOT}/current.ctx`, SECRET);
  write(ports, `${layout.inbox}/0.tmp`, SECRET);
  return copyOf(disk.live);
}

function write({ fs }: JournalPorts, path: string, text: string): void {
  const fd = fs.open(path, 'wx');
  fs.write(fd, Buffer.from(text), 0);
  fs.close(fd);
}

const TARGETS = [2, 5, 6];
const choose = (ports: JournalPorts) => (): Choice => {
  const { origin } = homeOf(ports, layoutOf(SIM_ROOT))!;
  const events = TARGETS.map((seq) => ({ origin, seq }));
  return { by: 'event', events, blobs: [orphan], files: [SAVE, `${SIM_ROOT}/current.ctx`] };
};

/** Files that are not the journal's, and what is in them. */
const besideIn = (image: Image) =>
  filesIn(image)
    .filter(([path]) => !path.startsWith(layoutOf(SIM_ROOT).journal))
    .sort();

/** Where the secret can be read, in files that have a name. */
function secretsIn(image: Image, ports: JournalPorts): string[] {
  const raw = filesIn(image).filter(([, bytes]) => bytes.includes(SECRET));
  const read: string[] = [];
  for (const { entry } of new JournalReader(ports, SIM_ROOT, decoders).entries())
    if (entry?.payload.includes(SECRET)) read.push(`@${entry.seq}`);
  return [...raw.map(([path]) => path), ...read];
}

function started(image: Image) {
  // An hour later: what was written when the power went is old.
  const disk = new SimDisk(copyOf(image), NOW + 3_600_000);
  return { disk, ports: startProcess(disk, 2, 2).ports };
}

const entriesOf = (ports: JournalPorts) =>
  [...new JournalReader(ports, SIM_ROOT, decoders).entries()].flatMap(({ entry }) => entry ?? []);
const isDone = (ports: JournalPorts) =>
  entriesOf(ports).some((entry) => doneIn(entry) !== undefined);

/** What must hold of a disk after a loss of power, whoever comes by next. */
function check(state: CrashState, where: string, before: Image): 'untouched' | 'resumed' | 'done' {
  const { disk, ports } = started(state.image);
  const wasDone = isDone(ports);
  if (wasDone) expect(secretsIn(disk.live, ports), `${where}: done`).toEqual([]);
  const writer = new JournalWriter(ports, SIM_ROOT, { lockBudgetMs: 50 });
  writer.append([other(100)]);
  resumeErasure(ports, SIM_ROOT, decoders);
  writer.close();
  expect(verifyJournal(ports, SIM_ROOT, decoders).damage, where).toEqual([]);
  const tombstones = entriesOf(ports).filter(({ kind }) => kind === FRAME_KIND.tombstone);
  if (!isDone(ports)) {
    expect(tombstones, where).toEqual([]);
    expect(readManifest(ports, layoutOf(SIM_ROOT))?.erasing, where).toBeUndefined();
    expect(besideIn(disk.live), where).toEqual(besideIn(before));
    return 'untouched';
  }
  expect(
    tombstones.map(({ seq }) => seq),
    where,
  ).toEqual(TARGETS);
  expect(secretsIn(disk.live, ports), `${where}: resumed`).toEqual([]);
  // What was finished stays so, should the power go once more.
  const again = crashStates(disk.base, disk.log, disk.log.length, 'paranoid', CAP).states;
  for (const { image, choice } of again) {
    const late = started(image);
    expect(secretsIn(late.disk.live, late.ports), `${where}, then ${choice}`).toEqual([]);
  }
  return wasDone ? 'done' : 'resumed';
}

/** More than any file of the first process has: the second one's files get numbers behind it. */
const FREE_NUMBER = 1_000_000;

describe('a process that dies, and a loss of power after another one has finished its work', () => {
  it('bring nothing back: what the first one did may not have been on the disk yet', () => {
    const base = leaky();
    const disk = new SimDisk(copyOf(base), NOW + 60_000);
    eraseEvents(
      startProcess(disk, 1, 3).ports,
      SIM_ROOT,
      codecs,
      choose(startProcess(disk, 3, 3).ports),
    );
    let resumed = 0;
    for (let upto = 0; upto <= disk.log.length; upto += 1) {
      const image = copyOf(base);
      image.files.set(FREE_NUMBER, Buffer.alloc(0));
      const second = new SimDisk(image, NOW + 3_600_000);
      for (const op of disk.log.slice(0, upto)) second.do(op);
      const { ports } = startProcess(second, 2, 2);
      resumeErasure(ports, SIM_ROOT, decoders);
      const { states } = crashStates(second.base, second.log, second.log.length, 'paranoid', 60);
      if (isDone(ports)) resumed += 1;
      for (const { image, choice } of states) {
        const late = started(image);
        if (!isDone(ports)) {
          expect(besideIn(late.disk.live), `killed at ${upto}, then ${choice}`).toEqual(
            besideIn(base),
          );
          continue;
        }
        expect(secretsIn(late.disk.live, late.ports), `killed at ${upto}, then ${choice}`).toEqual(
          [],
        );
      }
    }
    expect(resumed).toBeGreaterThan(20);
  });

  it('nor is anything taken away for a request that was not on the disk yet', () => {
    const base = leaky();
    const disk = new SimDisk(copyOf(base), NOW + 60_000);
    eraseEvents(
      startProcess(disk, 1, 3).ports,
      SIM_ROOT,
      codecs,
      choose(startProcess(disk, 3, 3).ports),
    );
    const { log } = disk;
    const asked = log.findIndex((op) => op.kind === 'write' && op.bytes.includes(REQUESTED_TYPE));
    const image = copyOf(base);
    image.files.set(FREE_NUMBER, Buffer.alloc(0));
    const second = new SimDisk(image, NOW + 3_600_000);
    for (const op of log.slice(0, asked + 1)) second.do(op);
    resumeErasure(startProcess(second, 2, 2).ports, SIM_ROOT, decoders);
    const outcomes = { untouched: 0, resumed: 0, done: 0 };
    for (let cut = asked; cut <= second.log.length; cut += 1)
      for (const state of crashStates(second.base, second.log, cut, 'paranoid', CAP).states)
        outcomes[check(state, `call ${cut}, ${state.choice}`, base)] += 1;
    expect(Math.min(...Object.values(outcomes)), JSON.stringify(outcomes)).toBeGreaterThan(0);
  });
});

describe.each(['ext4-ordered', 'paranoid'] as const)('a loss of power on %s', (profile) => {
  it('leaves an erasure that was not begun, or can be finished, or is done for good', () => {
    const base = leaky();
    const disk = new SimDisk(copyOf(base), NOW + 60_000);
    const { ports } = startProcess(disk, 1, 3);
    eraseEvents(ports, SIM_ROOT, codecs, choose(ports));
    const outcomes = { untouched: 0, resumed: 0, done: 0 };
    const { log } = disk;
    for (let upto = 0; upto <= log.length; upto += 1) {
      for (const state of crashStates(disk.base, log, upto, profile, CAP).states)
        outcomes[check(state, `call ${upto} of ${log.length}, ${state.choice}`, base)] += 1;
    }
    expect(Math.min(...Object.values(outcomes)), JSON.stringify(outcomes)).toBeGreaterThan(0);
    expect(DONE_TYPE).toBe('erasure.done');
    // When it has said so, it is so.
    for (const { image } of crashStates(disk.base, log, log.length, profile, 200).states) {
      const late = started(image);
      expect(secretsIn(late.disk.live, late.ports)).toEqual([]);
    }
  });
});

describe.each(['ext4-ordered', 'paranoid'] as const)('a loss of power on %s', (profile) => {
  it('leaves all files of an erasure that has no event to erase, or none', () => {
    const base = leaky();
    const disk = new SimDisk(copyOf(base), NOW + 60_000);
    const { ports } = startProcess(disk, 1, 3);
    const files = [SAVE, `${SIM_ROOT}/current.ctx`];
    eraseEvents(ports, SIM_ROOT, codecs, () => ({
      by: 'pattern',
      events: [],
      blobs: [orphan],
      files,
    }));
    const gone = [...files, blobPath(layoutOf(SIM_ROOT), orphan)];
    const outcomes = { untouched: 0, done: 0 };
    for (let upto = 0; upto <= disk.log.length; upto += 1)
      for (const { image, choice } of crashStates(disk.base, disk.log, upto, profile, CAP).states) {
        const late = started(image);
        resumeErasure(late.ports, SIM_ROOT, decoders);
        const left = besideIn(late.disk.live);
        const all = besideIn(base);
        const isUntouched = !isDone(late.ports);
        expect(left, `call ${upto}, ${choice}`).toEqual(
          isUntouched ? all : all.filter(([path]) => !gone.includes(path)),
        );
        outcomes[isUntouched ? 'untouched' : 'done'] += 1;
      }
    expect(Math.min(...Object.values(outcomes)), JSON.stringify(outcomes)).toBeGreaterThan(0);
  });
});

describe('a loss of power while an erasure asks more than once', () => {
  it('leaves all of its requests to be finished, or none', () => {
    const before = new SimDisk(emptyImage(), NOW);
    const made = startProcess(before, 1, 1).ports;
    made.fs.mkdir('/project');
    const writer = new JournalWriter(made, SIM_ROOT, { lockBudgetMs: 50 });
    writer.append([secret(1), other(2)]);
    writer.close();
    const disk = new SimDisk(copyOf(before.live), NOW + 60_000);
    const { ports } = startProcess(disk, 1, 3);
    const { origin } = homeOf(ports, layoutOf(SIM_ROOT))!;
    // One request for each origin.
    const events = [origin, 'f'.repeat(32)].map((one) => ({ origin: one, seq: 1 }));
    eraseEvents(ports, SIM_ROOT, codecs, () => ({ by: 'event', events, blobs: [], files: [] }));
    const outcomes = new Set<number>();
    for (let upto = 0; upto <= disk.log.length; upto += 1) {
      for (const { image, choice } of crashStates(disk.base, disk.log, upto, 'paranoid', CAP)
        .states) {
        const late = started(image).ports;
        const next = new JournalWriter(late, SIM_ROOT, { lockBudgetMs: 50 });
        next.append([other(100)]);
        next.close();
        resumeErasure(late, SIM_ROOT, decoders);
        const done = entriesOf(late).filter((entry) => doneIn(entry) !== undefined).length;
        expect([0, 2], `call ${upto}, ${choice}`).toContain(done);
        outcomes.add(done);
      }
    }
    expect(outcomes.size).toBe(2);
  });
});
