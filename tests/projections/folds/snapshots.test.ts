import { describe, expect, it } from 'vitest';
import type { Fact } from '../../../src/projections/contract.ts';
import {
  NOTE_CHARS_MAX,
  SNAPSHOTS_MAX,
  type SnapshotsState,
  snapshots,
  TAG_CHARS_MAX,
  TAGS_MAX,
} from '../../../src/projections/folds/snapshots.ts';

const ID = 'a'.repeat(16);
const METRICS = { tokens: 10, messages: 1, files: 0, toolExecutions: 0 };

const fact = (type: string, data: object, at = 7): Fact => ({
  seq: 1,
  id: 'f',
  type,
  session: 's',
  agent: null,
  client: null,
  source: 'hook',
  at,
  trace: undefined,
  data,
});

const created = (snapshot = ID): Fact =>
  fact('snapshot.created', {
    snapshot,
    trigger: 'threshold',
    upto: 3,
    file: 'compaction-snapshots/x.ctx',
    before: METRICS,
    contentHash: 'h',
    plainBytes: 9,
    bytes: 5,
  });

const fold = (facts: Fact[], state: SnapshotsState = snapshots.initial()): SnapshotsState =>
  facts.reduce((so, one) => snapshots.apply(so, one), state);

const id = (n: number): string => n.toString(16).padStart(16, '0');

describe('the index of snapshots', () => {
  it('has each with what its event says, and what was said of it since', () => {
    const after = { messages: 1, files: 0, toolExecutions: 0 };
    const state = fold([
      created(),
      fact('snapshot.completed', { snapshot: ID, after }),
      fact('snapshot.annotated', { snapshot: ID, pinned: true, tags: ['a'] }),
      fact('snapshot.annotated', { snapshot: ID, note: 'n' }),
    ]);
    expect(state).toEqual({
      snapshots: {
        [ID]: {
          id: ID,
          createdAt: 7,
          session: 's',
          trigger: 'threshold',
          upto: 3,
          file: 'compaction-snapshots/x.ctx',
          before: METRICS,
          after,
          contentHash: 'h',
          plainBytes: 9,
          bytes: 5,
          pinned: true,
          tags: ['a'],
          note: 'n',
        },
      },
      lastPruned: null,
    });
  });

  it('loses one that is removed, and says when retention did it', () => {
    expect(fold([created(), fact('snapshot.removed', { snapshot: ID, why: 'asked' })])).toEqual(
      snapshots.initial(),
    );
    expect(fold([created(), fact('snapshot.removed', { snapshot: ID, why: 'age' }, 9)])).toEqual({
      snapshots: {},
      lastPruned: 9,
    });
  });

  it('keeps the first that has an id, and takes no other id than ours', () => {
    const again = { ...created(), at: 99 };
    expect(fold([created(), again]).snapshots[ID]!.createdAt).toBe(7);
    for (const other of ['__proto__', 'x', '', 'A'.repeat(16), `${ID}a`, '../../../etc/pas'])
      expect(fold([created(other)])).toEqual(snapshots.initial());
  });

  it('passes over what is said of one that is not there', () => {
    for (const snapshot of [ID, '__proto__', 'constructor'])
      for (const type of ['snapshot.completed', 'snapshot.annotated', 'snapshot.removed'])
        expect(fold([fact(type, { snapshot, after: METRICS, pinned: true, why: 'age' })])).toEqual(
          snapshots.initial(),
        );
  });

  it('stays small, whatever an event says', () => {
    const tags = Array.from({ length: TAGS_MAX + 1 }, () => 't'.repeat(TAG_CHARS_MAX + 9));
    const note = 'n'.repeat(NOTE_CHARS_MAX + 9);
    const { [ID]: one } = fold([
      created(),
      fact('snapshot.annotated', { snapshot: ID, tags, note }),
    ]).snapshots;
    expect(one!.tags).toHaveLength(TAGS_MAX);
    expect(one!.tags[0]).toBe(`${'t'.repeat(TAG_CHARS_MAX)}…`);
    expect(one!.note).toBe(`${'n'.repeat(NOTE_CHARS_MAX)}…`);
  });

  it('holds so many, and drops the oldest that nobody pinned for one more', () => {
    const full = fold(Array.from({ length: SNAPSHOTS_MAX }, (_, n) => created(id(n))));
    expect(Object.keys(full.snapshots)).toHaveLength(SNAPSHOTS_MAX);
    const pinned = fact('snapshot.annotated', { snapshot: id(0), pinned: true });
    const over = fold([pinned, created(id(SNAPSHOTS_MAX))], full);
    expect(Object.keys(over.snapshots)).toHaveLength(SNAPSHOTS_MAX);
    expect(over.snapshots).toHaveProperty(id(0));
    expect(over.snapshots).not.toHaveProperty(id(1));
  });
});
