import { expect, test } from 'vitest';
import { CATALOGUE, isKnownType } from '../../src/events/catalogue.ts';
import type { EventKind } from '../../src/events/fields.ts';
import { REPAIRED_TYPE } from '../../src/journal/append/own-events.ts';
import { typeTag } from '../../src/journal/format/envelope.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';

const KINDS: [string, EventKind][] = Object.entries(CATALOGUE);
const TYPES = KINDS.map(([type]) => type);

test('no two types share a tag, nor with the event of the journal itself', () => {
  const tags = [...TYPES, REPAIRED_TYPE].map((type) => typeTag(type, xxh64));
  expect(new Set(tags).size).toBe(TYPES.length + 1);
});

test('names are a family and what happened', () => {
  for (const type of TYPES) expect(type).toMatch(/^[a-z]+\.[a-z]+(?:-[a-z]+)*$/);
});

test('every type has a sentence for people', () => {
  for (const [type, { about }] of KINDS) expect(about, type).toMatch(/^\S.+\.$/);
});

test('what ends a turn, a compaction or a session, and what is erased, is on the disk when it is acknowledged', () => {
  const onDisk = KINDS.flatMap(([type, { durability }]) => (durability === 'disk' ? [type] : []));
  expect(onDisk.sort()).toEqual([
    'checkpoint.begun',
    'checkpoint.created',
    'checkpoint.deferred',
    'compaction.finished',
    'compaction.started',
    'context.cleared',
    'context.merged',
    'context.saved',
    'erasure.done',
    'erasure.requested',
    'event.superseded',
    'handoff.created',
    'handoff.resumed',
    'journal.based',
    'loop.child-started',
    'loop.iteration-finished',
    'loop.iteration-started',
    'loop.resumed',
    'loop.started',
    'loop.stopped',
    'pack.artifact-added',
    'pack.artifact-changed',
    'pack.artifact-removed',
    'pack.captured',
    'pack.changed',
    'pack.created',
    'pack.deleted',
    'pack.snapshot-removed',
    'pack.snapshotted',
    'preference.retracted',
    'save.deleted',
    'session.ended',
    'shards.planned',
    'snapshot.annotated',
    'snapshot.created',
    'snapshot.removed',
    'tracker.delivered',
    'tracker.failed',
    'turn.ended',
    'wip.committed',
    'wip.undone',
    'work.saved',
  ]);
});

test('only the catalogue’s own names are known', () => {
  expect(isKnownType('tool.called')).toBe(true);
  for (const type of ['tool', 'toString', '__proto__', 'constructor', '', REPAIRED_TYPE]) {
    expect(isKnownType(type)).toBe(false);
  }
});
