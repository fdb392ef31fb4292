import { cpSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { eraseEvents } from '../../../src/journal/erase/erase.ts';
import { realPorts } from '../../support.ts';
import { codecs, originOf, tombstones } from '../journals.ts';
import { appendAll, eventsOf, newRoot, originFolder, readAll, verify } from '../support.ts';

it('an erasure in the folder that the journal was copied from takes its events, and none of the own with their seqs', () => {
  const [theirs, root] = [newRoot(), newRoot()];
  appendAll(theirs, eventsOf(1));
  cpSync(theirs, root, { recursive: true });
  appendAll(root, eventsOf(2));
  appendAll(theirs, eventsOf(1));
  const origin = originOf(theirs);
  const folder = path.join(root, 'journal', origin);
  cpSync(originFolder(theirs), folder, { recursive: true });
  const before = readAll(root).entries;
  const events = [{ origin, seq: 2 }];
  const choose = () => ({ by: 'event' as const, events, blobs: [], files: [] });
  expect(eraseEvents(realPorts, root, codecs, choose)).toMatchObject({ events: 1 });
  expect(readAll(root).entries.slice(0, before.length)).toEqual(before);
  expect(tombstones(root)).toEqual([]);
  expect(verify(root)).toMatchObject({ ok: true, damage: [] });
  cpSync(folder, originFolder(theirs), { recursive: true });
  expect(tombstones(theirs).map(({ seq }) => seq)).toEqual([2]);
});
