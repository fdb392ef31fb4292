import { appendFileSync, readFileSync, renameSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { spool } from '../../../src/journal/append/inbox.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { newEvent, realPorts } from '../../support.ts';
import {
  afterListing,
  journalOf,
  originFolder,
  portsWith,
  readAll,
  segmentFiles,
  verify,
  writerOn,
} from '../support.ts';

function drain(root: string): void {
  writerOn(root).drain();
}

/** Programs that know nothing of the lock: backups, synchronisation between machines, people. */
describe('a journal that somebody changes without its lock', () => {
  it('is not cut behind what could be read, while its newest segment grows under who makes its end good', () => {
    const root = journalOf(3);
    const [file] = segmentFiles(root);
    appendFileSync(file!, 'half an event');
    const growing = portsWith({
      read: (fd, into, position) => {
        const bytes = realPorts.fs.read(fd, into, position);
        if (realPorts.fs.fstat(fd).ino === statSync(file!).ino) appendFileSync(file!, 'more');
        return bytes;
      },
    });
    const event = newEvent();
    const writer = writerOn(root, {}, growing);
    // It cannot say where the journal ends, so the event waits.
    expect(writer.append([event])).toMatchObject({ spooled: true });
    expect(readFileSync(file!).toString('latin1')).toMatch(/half an event(more)+$/);
    drain(root);
    expect(readAll(root)).toMatchObject({ seqs: [1, 2, 3, 4, 5], damage: [] });
    expect(verify(root).ok).toBe(true);
  });

  it('is looked at again when the folder of its segments is taken away under a writer', () => {
    const root = journalOf(1);
    const folder = originFolder(root);
    const away = `${folder}.away`;
    let isArmed = false;
    const ports = portsWith({
      statIfThere: (path) => {
        if (isArmed && path === folder) {
          isArmed = false;
          renameSync(folder, away);
        }
        return realPorts.fs.statIfThere(path);
      },
    });
    const writer = writerOn(root, {}, ports);
    writer.append([newEvent()]);
    isArmed = true;
    const { seqs } = writer.append([newEvent()]);
    expect(isArmed).toBe(false);
    expect(readAll(root).seqs).toEqual(expect.arrayContaining([...seqs]));
  });

  it('is sound though a file of its inbox is taken in between the listing and the look', () => {
    const root = journalOf(1);
    const { inbox } = layoutOf(root);
    spool(realPorts, layoutOf(root), [newEvent()]);
    const ports = afterListing(inbox, () => drain(root));
    expect(verify(root, ports)).toMatchObject({ ok: true, damage: [] });
    expect(readAll(root).seqs).toEqual([1, 2]);
  });
});
