import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { CATALOGUE } from '../../src/events/catalogue.ts';
import { decodeEvent, upcast } from '../../src/events/decode.ts';
import { schemaOf } from '../../src/events/schema.ts';
import { hasShape } from '../../src/events/shape.ts';
import type { EventType } from '../../src/events/types.ts';
import { decodeEnvelope } from '../../src/journal/format/envelope.ts';
import { FRAME_KIND } from '../../src/journal/format/format.ts';
import type { Entry } from '../../src/journal/format/frame.ts';

const STORED = path.resolve(import.meta.dirname, '../fixtures/evolution');
const stored = readdirSync(STORED)
  .filter((file) => file.endsWith('.hex'))
  .map((file) => ({
    file,
    payload: Buffer.from(readFileSync(path.join(STORED, file), 'utf8').trim(), 'hex'),
  }));

const entryOf = (payload: Buffer): Entry =>
  ({ kind: FRAME_KIND.event, seq: 1, id: Buffer.alloc(16), typeTag: 0, payload }) as Entry;

describe('an event that an older version stored', () => {
  test('is there for every version that is no more', () => {
    const older = Object.entries(CATALOGUE).flatMap(([type, { version }]) =>
      Array.from({ length: version - 1 }, (_, n) => `${type}-${n + 1}.hex`),
    );
    expect(stored.map(({ file }) => file).sort()).toEqual(older.sort());
  });

  test.each(stored)('reads as one of today: $file', ({ file, payload }) => {
    const [, type, version] = /^(.+)-(\d+)\.hex$/.exec(file)!;
    expect(decodeEnvelope(payload)).toMatchObject({ type, version: Number(version) });
    const event = decodeEvent(entryOf(payload))!;
    expect(event.version).toBe(CATALOGUE[type as EventType].version);
    expect(hasShape(event)).toBe(true);
    expect(schemaOf(type as EventType).safeParse(event.data).success).toBe(true);
  });

  test('of a session’s start gets the only folder that there was then as its worktree', () => {
    const payload = stored.find(({ file }) => file === 'session.started-1.hex')!.payload;
    expect(decodeEvent(entryOf(payload))?.data).toEqual({
      source: 'startup',
      cwd: '/home/dev/todo-app',
      worktree: '/home/dev/todo-app',
    });
    expect(upcast('session.started', 1, { source: 'startup' }).data).toMatchObject({
      worktree: '',
    });
  });
});

describe('data that is of no older version', () => {
  test.each([
    ['of today', 'session.started', 2, { a: 1 }],
    ['of a later version', 'session.started', 9, { a: 1 }],
    ['of an unknown type', 'later.thing', 1, { a: 1 }],
    ['of an impossible version', 'session.started', 0, { a: 1 }],
    ['that is none', 'session.started', 1, null],
    ['that is a text', 'session.started', 1, 'a'],
    ['that is a list', 'session.started', 1, [1]],
    ['of a type named like a method', 'toString', 1, { a: 1 }],
  ])('%s comes as it is', (_, type, version, data) => {
    expect(upcast(type, version, data)).toEqual({ version, data });
  });
});

test('upcasting leaves the stored data as it was', () => {
  const data = Object.freeze({ source: 'startup', cwd: '/a' });
  expect(upcast('session.started', 1, data)).toEqual({
    version: 2,
    data: { source: 'startup', cwd: '/a', worktree: '/a' },
  });
});
