import { cpSync, renameSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { newEvent } from '../../support.ts';
import {
  eventsOf,
  handClock,
  newRoot,
  originFolder,
  portsWith,
  readAll,
  recorded,
  segmentFiles,
  verify,
  writerOn,
} from '../support.ts';

/** A writer that has appended twice (the second time it looks at the segment that it made), long after anything was left in its inbox; and how often it has listed a folder. */
function quietWriter(since = 10_000, names: Parameters<typeof recorded>[0] = ['readdir']) {
  const root = newRoot();
  const clock = handClock(Date.now() + since);
  const { calls, ports } = recorded(names, { clock });
  const writer = writerOn(root, {}, ports);
  for (let n = 0; n < 2; n += 1) writer.append(eventsOf(1));
  calls.length = 0;
  return { root, clock, calls, writer };
}

/** Leaves an event in the inbox, as one who does not get the lock. */
function leave(root: string): void {
  writerOn(root, {}, portsWith({}, { lock: undefined })).append([newEvent()]);
}

describe('an inbox that was empty a moment ago', () => {
  it('is not listed again while its folder has not changed', () => {
    const { calls, writer } = quietWriter();
    for (let n = 0; n < 5; n += 1) writer.append(eventsOf(1));
    expect(calls).toEqual([]);
  });

  it('is taken in at once when something came', () => {
    const { root, writer } = quietWriter();
    leave(root);
    expect(writer.append(eventsOf(1)).seqs).toEqual([4]);
    expect(verify(root)).toMatchObject({ ok: true, events: 4 });
  });

  it('is listed within a second where the time of its folder tells nothing', () => {
    const { root, clock, writer } = quietWriter();
    const { inbox } = layoutOf(root);
    const before = new Date(clock.time - 10_000);
    utimesSync(inbox, before, before);
    clock.time += 1000;
    writer.append(eventsOf(1));
    leave(root);
    utimesSync(inbox, before, before);
    expect(writer.append(eventsOf(1)).seqs).toEqual([4]);
    clock.time += 1000;
    expect(writer.append(eventsOf(1)).seqs).toEqual([6]);
  });

  it.each([
    ['it changed so lately that a further change may not show', 0, 10],
    ['the clock was set back', 10_000, -20_000],
  ])('is listed again where %s', (_, since, step) => {
    const { clock, calls, writer } = quietWriter(since);
    clock.time += step;
    writer.append(eventsOf(1));
    expect(calls).not.toEqual([]);
  });
});

describe('a segment whose folder has not changed for seconds', () => {
  it('is appended to after one look at that folder and one at the inbox', () => {
    const { calls, writer } = quietWriter(10_000, ['statIfThere']);
    writer.append(eventsOf(1));
    calls.length = 0;
    for (let n = 0; n < 5; n += 1) writer.append(eventsOf(1));
    expect(calls).toHaveLength(10);
  });

  it('is left as soon as somebody began another one, be the name what it may', () => {
    const { root, writer } = quietWriter();
    writer.append(eventsOf(1));
    writerOn(root).rotate(0);
    expect(writer.append(eventsOf(1)).seqs).toEqual([4]);
    expect(readAll(root, 4).seqs).toEqual([4]);
    expect(segmentFiles(root)).toHaveLength(2);
  });

  it('is not gone on with in a folder that was moved away, when the one in its place has the same times', () => {
    const { root, clock, writer } = quietWriter();
    const folder = originFolder(root);
    const before = new Date(clock.time - 10_000);
    utimesSync(folder, before, before);
    clock.time += 1000;
    for (let n = 0; n < 2; n += 1) writer.append(eventsOf(1));
    renameSync(folder, `${root}/away`);
    cpSync(`${root}/away`, folder, { recursive: true });
    utimesSync(folder, before, before);
    expect(writer.append(eventsOf(1)).seqs).toEqual([5]);
    expect(readAll(root).seqs).toEqual([1, 2, 3, 4, 5]);
  });
});
