import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { listBlobs, putBlob } from '../../../src/journal/append/blobs.ts';
import { eraseEvents } from '../../../src/journal/erase/erase.ts';
import { resumeErasure } from '../../../src/journal/erase/resume.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { readManifest } from '../../../src/journal/format/manifest.ts';
import { dyingAt } from '../../dying-fs.ts';
import { decoders, realPorts } from '../../support.ts';
import { choice, codecs } from '../journals.ts';
import { journalOf } from '../support.ts';

/** A journal with a written out state and a text that no event names, both of which an erasure chooses. */
function journal() {
  const root = journalOf(2);
  const layout = layoutOf(root);
  const { blobKey } = readManifest(realPorts, layout)!;
  const name = putBlob(realPorts, layout, blobKey, Buffer.from('a text that nobody names'));
  const state = path.join(root, 'current.ctx');
  writeFileSync(state, 'older', { mode: 0o600 });
  return { root, layout, name, state };
}

type Made = ReturnType<typeof journal>;

const erased = ({ root, name, state }: Made, fs = realPorts.fs, events: number[] = []) =>
  eraseEvents({ ...realPorts, fs }, root, codecs, () => ({
    ...choice(root, events),
    blobs: [name],
    files: [state],
  }));

const isThere = ({ state, layout }: Made) => [
  existsSync(state),
  listBlobs(realPorts, layout).length === 1,
];

it('files that are chosen beside the events go, and are counted', () => {
  const made = journal();
  expect(erased(made)).toMatchObject({ events: 0, files: 1, blobs: 1 });
  expect(isThere(made)).toEqual([false, false]);
  expect(readManifest(realPorts, made.layout)).not.toHaveProperty('erasing');
});

it.each([
  ['without an event', []],
  ['with an event', [2]],
])('an erasure that dies leaves all of them under their names, or is finished: %s', (_, events) => {
  const outcomes = new Set<string>();
  const counted = dyingAt(0, false);
  erased(journal(), counted.fs, events);
  for (let n = 1; n <= counted.calls(); n += 1) {
    const made = journal();
    expect(() => erased(made, dyingAt(n, false).fs, events)).toThrow();
    const isAnew = !existsSync(made.state);
    // Who writes it for the agent takes no lock.
    if (isAnew) writeFileSync(made.state, 'newer', { mode: 0o600 });
    resumeErasure(realPorts, made.root, decoders);
    const all = isThere(made).join();
    outcomes.add(`${all}, anew: ${isAnew}`);
    if (all === 'true,true')
      expect([n, readFileSync(made.state, 'utf8')]).toEqual([n, isAnew ? 'newer' : 'older']);
    const names = readdirSync(made.root, { recursive: true, encoding: 'utf8' });
    expect([n, names.filter((name) => name.endsWith('.doomed'))]).toEqual([n, []]);
  }
  expect(outcomes).toContain('true,true, anew: false');
  expect(outcomes).toContain('true,true, anew: true');
  expect([...outcomes].some((one) => one.includes(',false'))).toBe(true);
});

it('nothing is taken from behind a link, and nothing begun', () => {
  const made = journal();
  const outside = `${made.root}.elsewhere`;
  renameSync(made.layout.blobs, outside);
  symlinkSync(outside, made.layout.blobs);
  expect(() => erased(made)).toThrow(expect.objectContaining({ code: 'JOURNAL_UNSAFE' }));
  expect(readdirSync(path.join(outside, made.name.slice(0, 2)))).toEqual([made.name]);
  expect(readManifest(realPorts, made.layout)).not.toHaveProperty('erasing');
  expect(readFileSync(made.state, 'utf8')).toBe('older');
});
