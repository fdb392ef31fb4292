import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../src/journal/append/inbox.ts';
import { LockFile } from '../../../src/journal/append/locking.ts';
import { LOOK_BACK_BYTES } from '../../../src/journal/append/prerequisites.ts';
import { WINDOW_BYTES } from '../../../src/journal/append/tail.ts';
import { BODY_BYTES_MAX } from '../../../src/journal/format/format.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { newEvent, realPorts } from '../../support.ts';
import { appendAll, eventsOf, newRoot, readAll, writerOn } from '../support.ts';

/** An event that wants another one before it, and how often that one was made. */
function pair(make?: () => NewEvent) {
  const before = newEvent();
  const made = { times: 0 };
  const prerequisite = {
    id: before.id,
    make: () => {
      made.times += 1;
      return make === undefined ? before : make();
    },
  };
  return { before, after: { ...newEvent(), prerequisite }, made };
}

const idsIn = (root: string) => readAll(root).entries.map(({ id }) => id.toString('hex'));
const idsOf = (events: readonly NewEvent[]) => events.map(({ id }) => id.toString('hex'));

describe('an event with a prerequisite', () => {
  it('brings it along where it is not there, in the same append, and has its own seq', () => {
    const root = newRoot();
    const { before, after } = pair();
    const [first, last] = eventsOf(2);
    const writer = writerOn(root);
    expect(writer.append([first!, after, last!])).toEqual({
      seqs: [1, 3, 4],
      written: 4,
      spooled: false,
    });
    expect(idsIn(root)).toEqual(idsOf([first!, before, after, last!]));
  });

  it('does not even make it where it is there: near the end, or as far back as it is looked for', () => {
    const root = newRoot();
    const [near, far, tooFar] = [pair(), pair(), pair()];
    appendAll(root, [tooFar.before, ...eventsOf(4, LOOK_BACK_BYTES / 4)]);
    appendAll(root, [far.before, ...eventsOf(3, WINDOW_BYTES)]);
    appendAll(root, [near.before, ...eventsOf(3)]);
    // Each by a process of its own, as hooks are.
    for (const { after } of [near, far, tooFar]) appendAll(root, [after]);
    expect([near, far, tooFar].map(({ made }) => made.times)).toEqual([0, 0, 1]);
  });

  it('finds it among what the same writer appended, and in the segment before', () => {
    const root = newRoot();
    const [own, older] = [pair(), pair()];
    const writer = writerOn(root);
    writer.append([own.before]);
    writer.append([own.after]);
    writer.append([older.before]);
    writer.rotate(0);
    appendAll(root, [older.after]);
    expect([own, older].map(({ made }) => made.times)).toEqual([0, 0]);
  });

  it('takes it along into the inbox, and it is there once whatever came first', () => {
    const root = newRoot();
    const [lost, known] = [pair(), pair()];
    appendAll(root, [known.before]);
    const lock = new LockFile(realPorts, layoutOf(root).lock);
    lock.hold(0, () => {
      const writer = writerOn(root, { lockBudgetMs: 0 });
      for (const { after } of [lost, known])
        expect(writer.append([after])).toMatchObject({ spooled: true });
    });
    lock.close();
    const last = newEvent();
    appendAll(root, [lost.before, last]);
    expect(idsIn(root)).toEqual(idsOf([known.before, lost.before, lost.after, known.after, last]));
  });

  it('is not lost with one that cannot be made, or is too large', () => {
    const root = newRoot();
    const fails = pair(() => {
      throw new Error('made up by a test');
    });
    const large = pair(() => newEvent({ data: 'x'.repeat(BODY_BYTES_MAX) }));
    appendAll(root, [fails.after, large.after]);
    expect(idsIn(root)).toEqual(idsOf([fails.after, large.after]));
  });
});
