import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { erase } from '../../src/erasure/erase.ts';
import { parsePattern } from '../../src/erasure/pattern.ts';
import type { NewEvent } from '../../src/journal/append/inbox.ts';
import { LOOK_BACK_BYTES } from '../../src/journal/append/prerequisites.ts';
import { WINDOW_BYTES } from '../../src/journal/append/tail.ts';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { REQUESTED_TYPE } from '../../src/journal/erase/events.ts';
import { readManifest, writeManifest } from '../../src/journal/format/manifest.ts';
import { repairJournal } from '../../src/journal/repair/repair.ts';
import type { FileSystem } from '../../src/platform/fs.ts';
import type { FileLock } from '../../src/platform/lock.ts';
import type { GuardedWriter } from '../../src/project/guarded-writer.ts';
import { takeInbox } from '../../src/project/inbox.ts';
import { openProject, type Project } from '../../src/project/open.ts';
import { readEvents } from '../../src/projections/events.ts';
import { dyingAt } from '../dying-fs.ts';
import { CANARY, canaries, codecs } from '../erasure/support.ts';
import { edit, flipBit } from '../journal/support.ts';
import { anEvent, prompt } from '../log/events.ts';
import { openTestProject, realPorts, scratch, twinOf } from '../support.ts';

/**
 * A journal in which an event holds the secret, further back than an append compares ids, and a writer that tells it once
 * more. While that waits for the lock, somebody erases the secret.
 * @param wait what the writer's next tries of the lock come to
 */
function racing(wait: FileLock['tryLock']) {
  const project = openTestProject();
  const told = prompt(`the key is ${CANARY}`);
  project.writer.append([told, prompt('word '.repeat(WINDOW_BYTES / 4))]);
  let hasMet = false;
  const lock: FileLock = {
    ...realPorts.lock!,
    tryLock(fd) {
      if (!hasMet) erase(project, { by: 'pattern', wanted: parsePattern(CANARY) }, codecs);
      hasMet = true;
      return wait(fd);
    },
  };
  const other = openProject(project.dir, { lockBudgetMs: 50, lock });
  const appended = other.writer.append([prompt('before'), told, prompt('behind')]);
  other.close();
  return { project, appended };
}

describe('a writer that waited for an erasure', () => {
  it('does not append what was erased meanwhile', () => {
    const { project, appended } = racing(realPorts.lock!.tryLock);
    expect(canaries(project)).toEqual([]);
    const { seqs, written, spooled } = appended;
    expect({ written, spooled }).toEqual({ written: 2, spooled: false });
    // The tombstone is where the event was.
    expect(seqs[1]).toBe(1);
    expect(seqs[2]).toBe(seqs[0]! + 1);
  });

  it('does not leave it in the inbox either, where it waited in vain', () => {
    const { project, appended } = racing(() => false);
    expect(appended).toMatchObject({ written: 2, spooled: true });
    expect(canaries(project)).toEqual([]);
    project.writer.drain();
    expect(canaries(project)).toEqual([]);
  });
});

/** A journal with the secret, further back than an append compares ids. */
function unerased() {
  const project = openTestProject();
  const told = prompt(`the key is ${CANARY}`);
  project.writer.append([told, prompt('word '.repeat(WINDOW_BYTES / 4))]);
  return { project, told };
}

/** The same once it was erased, and its event as it was before. */
function erased() {
  const { project, told } = unerased();
  erase(project, { by: 'pattern', wanted: parsePattern(CANARY) }, codecs);
  return { project, told };
}

/** Leaves events in the inbox, as a hook does that gets no lock. */
function leave({ root }: Project, ...events: NewEvent[]): void {
  const lockedOut = { ...realPorts, lock: { ...realPorts.lock!, tryLock: () => false } };
  const other = new JournalWriter(lockedOut, root, { lockBudgetMs: 0 });
  expect(other.append(events)).toMatchObject({ spooled: true });
  other.close();
}

/** Appends as the hook of a tool call does. */
function appendAsHook({ root }: Project, event: NewEvent) {
  const hook = new JournalWriter(realPorts, root, { lockBudgetMs: 50 });
  const appended = hook.append([event]);
  hook.close();
  return appended;
}

const countOf = ({ reader }: Project): number => [...reader.entries()].length;
const countOfType = ({ reader, ports }: Project, type: string): number =>
  [...readEvents(reader, ports.xxh64, { types: [type] })].length;

describe('an event that somebody spooled who knew nothing of its erasure', () => {
  it('is not taken in behind it', () => {
    const { project, told } = erased();
    leave(project, told, prompt('behind'));
    const before = countOf(project);
    expect(project.writer.drain()).toBe(true);
    expect(canaries(project)).toEqual([]);
    expect(countOf(project)).toBe(before + 1);
    expect(project.reader.inbox()).toEqual([]);
  });

  it.each([
    ['lost', (file: string) => rmSync(file)],
    ['damaged', (file: string) => writeFileSync(file, 'damaged')],
  ])('is not taken in where the file of erased ids is %s, which is made again', (_, spoil) => {
    const { project, told } = erased();
    const file = path.join(project.layout.journal, 'erased');
    const sound = readFileSync(file);
    spoil(file);
    leave(project, told, prompt('behind'));
    const next = openTestProject(project.dir);
    expect(next.writer.drain()).toBe(true);
    expect(canaries(next)).toEqual([]);
    expect(next.reader.inbox()).toEqual([]);
    expect(readFileSync(file)).toEqual(sound);
  });

  it('waits for one who can tell: the hook of a tool call leaves it in the inbox', () => {
    const { project, told } = erased();
    leave(project, told, prompt('behind'));
    expect(appendAsHook(project, prompt('now'))).toMatchObject({ written: 1, spooled: false });
    expect(readdirSync(project.layout.inbox)).toHaveLength(1);
    project.writer.append([prompt('later')]);
    expect(readdirSync(project.layout.inbox)).toEqual([]);
    expect(canaries(project)).toEqual([]);
  });

  it('is not taken in by a repair either, nor by the next erasure', () => {
    for (const next of [
      ({ ports, root, decoders }: Project) => repairJournal(ports, root, decoders),
      (project: Project) =>
        erase(project, { by: 'pattern', wanted: parsePattern('never-said') }, codecs),
    ]) {
      const { project, told } = erased();
      rmSync(path.join(project.layout.journal, 'erased'));
      leave(project, told, prompt('behind'));
      // So that there is something to repair.
      writeFileSync(path.join(project.layout.inbox, `${'0'.repeat(16)}-${'a'.repeat(12)}.evt`), '');
      next(project);
      expect(canaries(project)).toEqual([]);
      expect(project.reader.inbox()).toEqual([]);
    }
  });

  it('waits while an erasure that was cut off is not finished, for that may be about it', () => {
    const { project, told } = erased();
    const { ports, layout } = project;
    const manifest = readManifest(ports, layout)!;
    writeManifest(ports, layout, { ...manifest, erasing: 1000 });
    leave(project, told);
    expect(appendAsHook(project, prompt('now'))).toMatchObject({ written: 1, spooled: false });
    expect(readdirSync(layout.inbox)).toHaveLength(1);
    // Who tells facts that may have been told before waits behind it.
    expect(project.writer.append([prompt('told')])).toMatchObject({ written: 1, spooled: true });
    takeInbox(project);
    expect(readdirSync(layout.inbox)).toEqual([]);
    expect(canaries(project)).toEqual([]);
  });
});

describe('an event that is told again where the manifest is lost', () => {
  it.each([
    ['missing', (file: string) => rmSync(file)],
    ['damaged in a bit', (file: string) => edit(file, (bytes) => void flipBit(bytes, 160))],
    ['damaged', (file: string) => writeFileSync(file, 'damaged')],
  ])('stays out: %s', (_, spoil) => {
    const { project, told } = erased();
    spoil(project.layout.manifest);
    const next = openTestProject(project.dir);
    // So is a large text of it, which would stand beside the journal before.
    expect((next.writer as GuardedWriter).erased().has(told.id.toString('hex'))).toBe(true);
    expect(next.writer.append([told])).toMatchObject({ seqs: [1], written: 0 });
    expect(canaries(next)).toEqual([]);
  });
});

describe('an event that is told again while an erasure that was cut off is not finished', () => {
  it('waits wherever that died, and does not come back', { tags: 'long' }, () => {
    const { project, told } = unerased();
    const copy = () => {
      const root = path.join(scratch(), '.ben10');
      twinOf(project.root, root);
      return openTestProject(path.dirname(root));
    };
    const request = { by: 'pattern', wanted: parsePattern(CANARY) } as const;
    const on = (one: Project, fs: FileSystem): Project =>
      Object.create(one, { ports: { value: { ...one.ports, fs } } });
    let [waited, isDead] = [0, true];
    for (let n = 1; isDead; n += 2) {
      const one = copy();
      const { writer } = one;
      writer.append([prompt('before')]);
      const { fs, calls } = dyingAt(n, false);
      try {
        erase(on(one, fs), request, codecs);
      } catch {}
      isDead = calls() >= n;
      const isBegun = countOfType(one, REQUESTED_TYPE) === 1;
      const { written, spooled } = writer.append([told]);
      if (isBegun) expect([n, spooled]).toEqual([n, written > 0]);
      if (isBegun) waited += written;
      takeInbox(one);
      expect([n, one.reader.inbox()]).toEqual([n, []]);
      if (isBegun) expect([n, canaries(one)]).toEqual([n, []]);
      one.close();
    }
    expect(waited).toBeGreaterThan(5);
  });
});

describe('what a second witness spooled of an erased fact', () => {
  const more = (of: string, text?: string) =>
    anEvent('fact.enriched', { of, type: 'prompt.submitted', ...(text && { more: { text } }) });

  it('is taken in without what it says of it, and of others with that', () => {
    const { project, told } = erased();
    const of = told.id.toString('hex');
    const other = 'f'.repeat(32);
    leave(project, more(of, CANARY), more(of), more(other, 'known better'));
    expect(project.writer.drain()).toBe(true);
    expect(canaries(project)).toEqual([]);
    const events = [...readEvents(project.reader, project.ports.xxh64, {})];
    expect(events.slice(-3).map(({ data }) => data)).toEqual([
      { of, type: 'prompt.submitted' },
      { of, type: 'prompt.submitted' },
      { of: other, type: 'prompt.submitted', more: { text: 'known better' } },
    ]);
  });
});

describe('an event that brings the one before it along', () => {
  it('does not bring it where that was erased, however far back it stands', () => {
    const project = openTestProject();
    const told = prompt(`the key is ${CANARY}`);
    const between = Array.from({ length: 4 }, () => prompt('word '.repeat(LOOK_BACK_BYTES / 16)));
    project.writer.append([told, ...between]);
    erase(project, { by: 'pattern', wanted: parsePattern(CANARY) }, codecs);
    const outcome = () => ({
      ...prompt('behind'),
      prerequisite: { id: told.id, make: () => told },
    });
    expect(appendAsHook(project, outcome())).toMatchObject({ written: 1, spooled: false });
    expect(canaries(project)).toEqual([]);
    // Nor where the file that tells is lost.
    rmSync(path.join(project.layout.journal, 'erased'));
    expect(appendAsHook(project, outcome())).toMatchObject({ written: 1, spooled: false });
    expect(canaries(project)).toEqual([]);
  });
});
