import { describe, expect, it } from 'vitest';
import { erase } from '../../src/erasure/erase.ts';
import { parsePattern } from '../../src/erasure/pattern.ts';
import { LOOK_BACK_BYTES } from '../../src/journal/forerunners.ts';
import { WINDOW_BYTES } from '../../src/journal/tail.ts';
import { JournalWriter } from '../../src/journal/writer.ts';
import type { FileLock } from '../../src/platform/lock.ts';
import { openProject } from '../../src/project/open.ts';
import { CANARY, canaries, codecs } from '../erasure/support.ts';
import { prompt } from '../log/events.ts';
import { openTestProject, realPorts } from '../support.ts';

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
    // The husk is where the event was.
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

describe('an event that somebody spooled who knew nothing of its erasure', () => {
  it('is not taken in behind it', () => {
    const project = openTestProject();
    const told = prompt(`the key is ${CANARY}`);
    project.writer.append([told, prompt('word '.repeat(WINDOW_BYTES / 4))]);
    erase(project, { by: 'pattern', wanted: parsePattern(CANARY) }, codecs);
    const lockedOut = { ...realPorts, lock: { ...realPorts.lock!, tryLock: () => false } };
    const other = new JournalWriter(lockedOut, project.root, { lockBudgetMs: 0 });
    expect(other.append([told, prompt('behind')])).toMatchObject({ spooled: true });
    other.close();
    const before = [...project.reader.entries()].length;
    expect(project.writer.drain()).toBe(true);
    expect(canaries(project)).toEqual([]);
    expect([...project.reader.entries()]).toHaveLength(before + 1);
    expect(project.reader.inbox()).toEqual([]);
  });
});

describe('an event that brings the one before it along', () => {
  it('does not bring it where that was erased, however far back it stands', () => {
    const project = openTestProject();
    const told = prompt(`the key is ${CANARY}`);
    const between = Array.from({ length: 4 }, () => prompt('word '.repeat(LOOK_BACK_BYTES / 16)));
    project.writer.append([told, ...between]);
    erase(project, { by: 'pattern', wanted: parsePattern(CANARY) }, codecs);
    const hook = new JournalWriter(realPorts, project.root, { lockBudgetMs: 50 });
    const outcome = { ...prompt('behind'), forerunner: { id: told.id, make: () => told } };
    expect(hook.append([outcome])).toMatchObject({ written: 1, spooled: false });
    hook.close();
    expect(canaries(project)).toEqual([]);
  });
});
