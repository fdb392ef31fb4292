import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Mark } from '../../src/search/document.ts';
import { standingOf } from '../../src/search/standing.ts';
import { lived } from '../timetravel/lived.ts';
import { testProject } from '../timetravel/project.ts';
import { fileOf, read } from './support.ts';

const SESSION = 's';
/** Bytes of a record. */
const SIZE = 100;

interface Said extends Mark {
  pos: number;
  /** The record that it continues. */
  parent: number;
  leftBy?: number | undefined;
}

/** A conversation that goes back where a number names a record that is not the last. @param steps what each continues */
function conversation(steps: readonly number[]): Said[] {
  const all: Said[] = [];
  for (const [index, step] of steps.entries()) {
    const last = index - 1;
    const parent = step > last || step < -1 ? last : step;
    const rewoundTo = parent === last ? {} : { rewoundTo: (parent + 1) * SIZE - 1 };
    const seq = 10 + index;
    all.push({
      seq,
      session: SESSION,
      at: 1000 + 10 * index,
      pos: index * SIZE,
      parent,
      ...rewoundTo,
    });
  }
  return all;
}

const upto =
  (cut = Number.POSITIVE_INFINITY) =>
  ({ seq }: Mark) =>
    seq <= cut;

/** Who left each record, by the tree. */
function leftBy(all: readonly Said[]): (number | undefined)[] {
  const left: (number | undefined)[] = all.map(() => undefined);
  for (const [index, { seq, rewoundTo }] of all.entries()) {
    if (rewoundTo === undefined) continue;
    const live = new Set<number>();
    for (let at = index; at !== -1; at = all[at]!.parent) live.add(at);
    for (let at = 0; at < index; at += 1)
      if (live.has(at)) left[at] = undefined;
      else left[at] ??= seq;
  }
  return left;
}

describe('what was left by a rewind', () => {
  it('is told of each moment as the tree of the conversation has it, at any cut, in any files', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constant(99), fc.integer({ min: -1, max: 30 })), { maxLength: 40 }),
        fc.integer({ min: 0, max: 45 }),
        fc.integer({ min: 0, max: 40 }),
        (steps, cut, border) => {
          const all = conversation(steps);
          const files = [all.slice(0, border), all.slice(border)].map(fileOf);
          const known = all.slice(0, cut);
          const standing = standingOf(files, upto(10 + cut - 1));
          const left = known.map(({ at }) => standing.abandoned(SESSION, at + 9));
          expect(left).toEqual(leftBy(known));
          expect(standing.abandoned(SESSION, 999)).toBeUndefined();
          expect(standing.abandoned('other', 1000)).toBeUndefined();
          expect(standing.abandoned(null, 1000)).toBeUndefined();
        },
      ),
      { numRuns: 500 },
    );
  });

  it('revives what was left, as far as a later rewind goes back into it', () => {
    // 0 1 2 3, back to 0: 4, back to 2: 5
    const all = conversation([-1, 0, 1, 2, 0, 2]);
    const standing = standingOf([fileOf(all)]);
    const left = all.map(({ at }) => standing.abandoned(SESSION, at));
    expect(left).toEqual([undefined, undefined, undefined, 14, 15, undefined]);
  });

  it('stays within its time for thousands of rewinds', () => {
    const all = conversation(
      Array.from({ length: 5000 }, (_, index) => (index % 2 === 0 ? 0 : 99)),
    );
    const standing = standingOf([fileOf(all)]);
    expect(standing.abandoned(SESSION, all.at(-1)!.at)).toBeUndefined();
    expect(standing.abandoned(SESSION, all.at(-5)!.at)).toBeTypeOf('number');
  });

  it('is the dead end of a real session, and only before the rewind is it none', () => {
    const project = lived(testProject(), 'rewound-and-forked');
    const { documents, marks } = read(project);
    const rewind = marks.find(({ rewoundTo }) => rewoundTo !== undefined)!;
    const at = (cut?: number) => {
      const standing = standingOf([fileOf(marks)], upto(cut));
      return documents.flatMap(({ session, at, texts }) =>
        standing.abandoned(session, at) === undefined
          ? []
          : [[texts.body, standing.abandoned(session, at)]],
      );
    };
    expect(at()).toEqual([
      ['Try it the wrong way.', rewind.seq],
      ['A dead end.', rewind.seq],
    ]);
    expect(at(rewind.seq - 1)).toEqual([]);
  });
});

describe('the branch', () => {
  const mark = (seq: number, more: Partial<Mark>): Mark => ({
    seq,
    session: SESSION,
    at: seq,
    ...more,
  });

  it('is the one told last before an event, else the first told after it', () => {
    const files = [
      fileOf([mark(5, { branch: 'main' }), mark(9, { branch: 'topic' })]),
      fileOf([mark(20, { branch: 'main' })]),
    ];
    const branches = (cut?: number) =>
      [1, 5, 8, 9, 19, 30].map((seq) => standingOf(files, upto(cut)).branchOf(SESSION, seq));
    expect(branches()).toEqual(['main', 'main', 'main', 'topic', 'topic', 'main']);
    expect(branches(8)).toEqual(['main', 'main', 'main', 'main', 'main', 'main']);
    expect(standingOf(files, upto(4)).branchOf(SESSION, 5)).toBeUndefined();
  });
});
