/** @module-tag long */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { blobPath, hasBlob, listBlobs, putBlob } from '../../../src/journal/append/blobs.ts';
import type { NewEvent } from '../../../src/journal/append/inbox.ts';
import { JournalWriter } from '../../../src/journal/append/writer.ts';
import { eraseEvents } from '../../../src/journal/erase/erase.ts';
import { resumeErasure } from '../../../src/journal/erase/resume.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { readManifest } from '../../../src/journal/format/manifest.ts';
import type { JournalPorts } from '../../../src/journal/format/ports.ts';
import type { FileSystem } from '../../../src/platform/fs.ts';
import { GuardedWriter } from '../../../src/project/guarded-writer.ts';
import { watchedFs } from '../../dying-fs.ts';
import { decoders, newEvent, realPorts } from '../../support.ts';
import { choice, codecs, tombstones } from '../journals.ts';
import { appendAll, eventsOf, journalOf, newRoot, originFolder, verify } from '../support.ts';

/** Calls that change something, of which an erasure makes some hundred. */
const CALLS_MAX = 400;

/** An event that names a text, with what puts that beside the journal, as a hook makes it. */
function naming(root: string): { event: NewEvent; name: string } {
  const layout = layoutOf(root);
  const put = () =>
    putBlob(realPorts, layout, readManifest(realPorts, layout)!.blobKey, Buffer.from('a text'));
  const name = put();
  const event = newEvent({ data: { text: { $blob: name, bytes: 6, head: '' } } });
  const putAgain = () => {
    if (!hasBlob(realPorts, layout, name)) put();
  };
  return { event: { ...event, putAgain }, name };
}

/** Leaves an event in the inbox, as who gets no lock. */
function leave(root: string, event: NewEvent, onSpooled = () => {}): void {
  const hook = new JournalWriter(lockedOut(onSpooled), root, { lockBudgetMs: 0 });
  expect(hook.append([event])).toMatchObject({ spooled: true });
  hook.close();
}

/** Leaves an event there that was told before, with its text, as who knows what was erased. */
function tellAgain(root: string, { id, ...event }: NewEvent): void {
  const hook = new GuardedWriter(lockedOut(), root, decoders, { lockBudgetMs: 0 });
  const isErased = hook.erased().has(id.toString('hex'));
  const { putAgain } = isErased ? event : naming(root).event;
  hook.append([{ ...event, id, putAgain }]);
  hook.close();
}

function lockedOut(onSpooled = () => {}): JournalPorts {
  const fs: FileSystem = {
    ...realPorts.fs,
    rename(from, to) {
      realPorts.fs.rename(from, to);
      onSpooled();
    },
  };
  return { ...realPorts, fs, lock: { ...realPorts.lock!, tryLock: () => false } };
}

class Dead extends Error {}

/**
 * Erases the only event that names a text, or what is chosen.
 * @param at the call before which another process comes by
 * @param dies the call at which the erasure dies
 * @param onText is told of calls about texts
 * @returns whether there was such a call
 */
function erasedWith(
  root: string,
  at: number,
  comesBy: () => void,
  {
    dies = Number.POSITIVE_INFINITY,
    onText = (_call: number) => {},
    choose = () => choice(root, [2]),
  } = {},
): boolean {
  let calls = 0;
  const fs = watchedFs((call, _, given) => {
    calls = call;
    if (call === at) comesBy();
    if (call >= dies) throw new Dead();
    if (String(given[0]).includes('/blobs/')) onText(call);
  });
  try {
    eraseEvents({ ...realPorts, fs }, root, codecs, choose);
  } catch (error) {
    if (!(error instanceof Dead)) throw error;
  }
  return calls >= at;
}

function journal() {
  const root = journalOf(1);
  const { event, name } = naming(root);
  appendAll(root, [event]);
  return { root, event, name };
}

function drain(root: string): void {
  const writer = new GuardedWriter(realPorts, root, decoders, { lockBudgetMs: 5000 });
  expect(writer.drain()).toBe(true);
  writer.close();
}

it('the text of an event that is left in the inbox at any moment of an erasure is there when it is taken in', () => {
  let at = 1;
  for (; at < CALLS_MAX; at += 1) {
    const { root } = journal();
    if (!erasedWith(root, at, () => leave(root, naming(root).event))) break;
    drain(root);
    expect({ at, ...verify(root) }).toMatchObject({ at, damage: [], waiting: 0, blobs: 1 });
  }
  expect(at).toBeGreaterThan(20);
  expect(at).toBeLessThan(CALLS_MAX);
});

it('the same where no event had named the text, and it was chosen for what is in it', () => {
  let at = 1;
  for (; at < CALLS_MAX; at += 1) {
    const root = journalOf(1);
    const { name } = naming(root);
    let isNamed = false;
    const comesBy = () => {
      isNamed = true;
      leave(root, naming(root).event);
    };
    // What waited before was taken in, and is looked at.
    const choose = () => ({ ...choice(root, []), blobs: isNamed ? [] : [name] });
    if (!erasedWith(root, at, comesBy, { choose })) break;
    drain(root);
    expect({ at, ...verify(root) }).toMatchObject({ at, damage: [], waiting: 0, blobs: 1 });
  }
  expect(at).toBeGreaterThan(8);
  expect(at).toBeLessThan(CALLS_MAX);
});

it('nor is it gone where the erasure comes by while the event is left', () => {
  const { root } = journal();
  const { event, name } = naming(root);
  leave(root, event, () =>
    realPorts.fs.unlink(`${layoutOf(root).blobs}/${name.slice(0, 2)}/${name}`),
  );
  drain(root);
  expect(verify(root)).toMatchObject({ damage: [], blobs: 1 });
});

it('what waits and cannot be read keeps no text', () => {
  const { root } = journal();
  const { inbox } = layoutOf(root);
  const ghost = `${'0'.repeat(16)}-${'0'.repeat(12)}.evt`;
  const fs: FileSystem = {
    ...realPorts.fs,
    readdir: (folder) => {
      const names = realPorts.fs.readdir(folder);
      return folder === inbox ? [...names, ghost] : names;
    },
    unlink(file) {
      // As soon as the blob goes.
      if (file.includes('/blobs/')) writeFileSync(path.join(inbox, ghost.replace('0', '1')), 'no');
      realPorts.fs.unlink(file);
    },
  };
  const { blobs } = eraseEvents({ ...realPorts, fs }, root, codecs, () => choice(root, [2]));
  expect(blobs).toBe(1);
  expect(listBlobs(realPorts, layoutOf(root))).toEqual([]);
});

it('a text that the disk does not let go is where it was, until the erasure is finished', () => {
  const { root, name } = journal();
  const fs: FileSystem = {
    ...realPorts.fs,
    rename(from, to) {
      if (from.endsWith(name)) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
      realPorts.fs.rename(from, to);
    },
  };
  const ports = { ...realPorts, fs };
  expect(() => eraseEvents(ports, root, codecs, () => choice(root, [2]))).toThrow('EACCES');
  expect(listBlobs(realPorts, layoutOf(root))).toEqual([name]);
  expect(resumeErasure(realPorts, root, decoders)).toMatchObject({ events: 1, blobs: 1 });
  expect(listBlobs(realPorts, layoutOf(root))).toEqual([]);
});

it('the text of an event that is told again meanwhile goes with it', () => {
  let at = 1;
  for (; at < CALLS_MAX; at += 1) {
    const { root, event } = journal();
    if (!erasedWith(root, at, () => tellAgain(root, event))) break;
    drain(root);
    expect({ at, blobs: listBlobs(realPorts, layoutOf(root)) }).toEqual({ at, blobs: [] });
  }
  expect(at).toBeGreaterThan(20);
});

it('a text that an erasure took is there again before the event that names it waits', () => {
  const root = journalOf(1);
  const { event, name } = naming(root);
  rmSync(blobPath(layoutOf(root), name));
  let wasThere = false;
  leave(root, event, () => {
    wasThere = hasBlob(realPorts, layoutOf(root), name);
  });
  expect(wasThere).toBe(true);
});

it('the text of an event that is left in the inbox while texts go is there though the erasure dies', () => {
  const texts: number[] = [];
  erasedWith(journal().root, 0, () => {}, { onText: (call) => texts.push(call) });
  expect(texts.length).toBeGreaterThan(1);
  for (const at of texts) {
    for (let dies = at + 1; dies < at + 5; dies += 1) {
      const { root } = journal();
      erasedWith(root, at, () => leave(root, naming(root).event), { dies });
      resumeErasure(realPorts, root, decoders);
      drain(root);
      expect({ at, dies, ...verify(root) }).toMatchObject({ at, dies, damage: [], blobs: 1 });
    }
  }
});

it('the text of an event that is told again behind an erasure that died goes with it', () => {
  for (let dies = 1; dies < CALLS_MAX; dies += 1) {
    const { root, event } = journal();
    const isThere = erasedWith(root, dies, () => {}, { dies });
    if (!isThere) {
      expect(dies).toBeGreaterThan(20);
      return;
    }
    tellAgain(root, event);
    resumeErasure(realPorts, root, decoders);
    drain(root);
    const left = tombstones(root).length > 0 ? 0 : 1;
    expect({ dies, blobs: listBlobs(realPorts, layoutOf(root)) }).toMatchObject({
      dies,
      blobs: { length: left },
    });
  }
});

it('who was stopped before putting a text, and goes on behind its erasure, leaves nothing of it, unless another event names it', () => {
  for (const isNamed of [false, true]) {
    const { root, event, name } = journal();
    if (isNamed) appendAll(root, [{ ...event, id: newEvent().id }]);
    eraseEvents(realPorts, root, codecs, () => choice(root, [2]));
    const { putAgain } = naming(root).event;
    const stopped = new GuardedWriter(realPorts, root, decoders, { lockBudgetMs: 5000 });
    expect(stopped.append([{ ...event, putAgain }])).toMatchObject({ seqs: [2], written: 0 });
    stopped.close();
    expect(listBlobs(realPorts, layoutOf(root))).toEqual(isNamed ? [name] : []);
  }
});

it('a text stays that an event names which waits, though one of its id is erased in the folder of another origin', () => {
  const [theirs, root] = [newRoot(), newRoot()];
  appendAll(theirs, eventsOf(1));
  cpSync(theirs, root, { recursive: true });
  appendAll(root, eventsOf(1));
  const { event } = naming(theirs);
  appendAll(theirs, [event]);
  const folder = originFolder(theirs);
  cpSync(folder, path.join(root, 'journal', path.basename(folder)), { recursive: true });
  naming(root);
  const origin = path.basename(folder);
  eraseEvents(realPorts, root, codecs, () => {
    leave(root, { ...event, putAgain: undefined });
    return { ...choice(theirs, []), events: [{ origin, seq: 2 }] };
  });
  drain(root);
  expect(verify(root)).toMatchObject({ damage: [], waiting: 0, blobs: 1 });
});
