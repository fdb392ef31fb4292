import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CATALOGUE } from '../../src/events/catalogue.ts';
import { SCHEMAS } from '../../src/events/schemas/index.ts';
import { hasShape } from '../../src/events/shape.ts';
import type { EventType } from '../../src/events/types.ts';

const TYPES = Object.keys(CATALOGUE) as EventType[];
const fits = (type: string, data: unknown, version = CATALOGUE[type as EventType]?.version ?? 1) =>
  hasShape({ type, version, data });

/** What MessagePack can say, with the words that the shapes look for. */
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('user', 'assistant', 'text', 'command', 'tool.called', true, false, null),
    fc.string({ maxLength: 4 }),
    fc.double(),
    fc.nat(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'toString'), tie('value'), { maxKeys: 2 }),
    fc.record(
      { $blob: tie('value'), bytes: tie('value'), head: tie('value') },
      { requiredKeys: [] },
    ),
    fc.record(
      { pos: tie('value'), uuid: tie('value'), time: tie('value'), rewoundTo: tie('value') },
      { requiredKeys: [] },
    ),
    fc.record(
      { promptId: tie('value'), prompts: tie('value'), compactions: tie('value') },
      { requiredKeys: [] },
    ),
    fc.array(fc.record({ kind: tie('value'), seq: tie('value'), key: tie('value') }), {
      maxLength: 2,
    }),
  ),
})).value;

const text = fc.oneof(
  fc.string(),
  fc.record({ $blob: fc.string(), bytes: fc.nat(), head: fc.string() }),
);
const trace = fc.record(
  { pos: fc.nat(), uuid: fc.string(), time: fc.nat(), rewoundTo: fc.integer() },
  { requiredKeys: ['pos'] },
);
const metrics = fc.record(
  { tokens: fc.nat(), messages: fc.nat(), files: fc.nat(), toolExecutions: fc.nat() },
  { requiredKeys: ['messages', 'files', 'toolExecutions'] },
);
/** Values that a field of that name is likely to take. */
const LIKELY: Record<string, fc.Arbitrary<unknown>> = {
  text,
  summary: text,
  error: text,
  lastMessage: text,
  customInstructions: text,
  trace,
  role: fc.constantFrom('user', 'assistant'),
  kind: fc.constantFrom('text', 'thinking', 'command'),
  type: fc.constantFrom(...TYPES),
  unknown: fc.dictionary(fc.string(), fc.nat(), { maxKeys: 2 }),
  more: fc.dictionary(fc.string(), fc.nat(), { maxKeys: 2 }),
  projections: fc.array(fc.string()),
  items: fc.array(fc.record({ kind: fc.string(), seq: fc.nat(), key: fc.string() }), {
    maxLength: 2,
  }),
  running: fc.record({ promptId: fc.string(), prompts: fc.nat(), compactions: fc.nat() }),
  copied: fc.constant(true),
  partial: fc.constant(true),
  overlapping: fc.constant(true),
  isInterrupt: fc.boolean(),
  by: fc.constantFrom('event', 'pattern', 'rule', 'age'),
  targets: fc.array(fc.nat(), { maxLength: 3 }),
  kept: fc.array(fc.nat(), { maxLength: 3 }),
  bases: fc.array(fc.nat(), { maxLength: 3 }),
  state: text,
  frontier: fc.record({
    seq: fc.nat(),
    folded: fc.array(fc.nat(), { maxLength: 2 }),
    place: fc.option(
      fc.record({
        time: fc.nat(),
        rank: fc.constantFrom(0, 1),
        thread: fc.string(),
        position: fc.nat(),
      }),
    ),
    reached: fc.array(fc.oneof(fc.tuple(fc.string(), fc.nat()), fc.constant(['a', 1, 2])), {
      maxLength: 2,
    }),
    recent: fc.array(fc.string(), { maxLength: 2 }),
  }),
  before: metrics,
  after: metrics,
  pinned: fc.boolean(),
  tags: fc.array(fc.string(), { maxLength: 3 }),
  why: fc.constantFrom('asked', 'count', 'age', 'size'),
  strategy: fc.constantFrom('journal', 'disk', 'newest'),
  files: fc.array(
    fc.record(
      { path: fc.string(), believed: fc.constantFrom('journal', 'disk'), hash: fc.string() },
      { requiredKeys: ['path', 'believed'] },
    ),
    { maxLength: 2 },
  ),
};
/** The same name is something else in another event. */
const LIKELY_IN: Record<string, fc.Arbitrary<unknown>> = {
  'work.saved workingFiles': fc.array(fc.string(), { maxLength: 2 }),
  'work.saved todos': fc.array(
    fc.record({
      content: fc.string(),
      status: fc.constantFrom('pending', 'in_progress', 'completed'),
    }),
    { maxLength: 2 },
  ),
  'environment.observed kinds': fc.array(fc.string(), { maxLength: 2 }),
  'environment.observed things': fc.array(
    fc.record(
      {
        kind: fc.string(),
        name: fc.string(),
        state: fc.string(),
        detail: fc.string(),
        unseen: fc.constant(true),
      },
      { requiredKeys: ['kind', 'name', 'state'] },
    ),
    { maxLength: 2 },
  ),
  'environment.observed asked': fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }),
  'environment.observed cut': fc.array(fc.string(), { maxLength: 2 }),
  'compaction.finished kept': fc.record({
    uuids: fc.array(fc.string(), { maxLength: 2 }),
    files: fc.nat(),
  }),
  'snapshot.created trigger': fc.constantFrom('threshold', 'manual', 'memory_pressure'),
  'event.superseded event': fc.record({
    type: fc.string(),
    version: fc.nat(),
    session: fc.option(fc.string()),
    agent: fc.option(fc.string()),
    client: fc.option(fc.string()),
    source: fc.string(),
    at: fc.option(fc.nat()),
    data: value,
  }),
};
const NUMBERS =
  /^(?:at|seq|request|events|segments|blobs|chars|bytes|plainBytes|upto|from|to|records|malformed|latest|exitCode|version|\w+Tokens|durationMs)$/;
const likely = (type: string, field: string): fc.Arbitrary<unknown> =>
  LIKELY_IN[`${type} ${field}`] ?? LIKELY[field] ?? (NUMBERS.test(field) ? fc.nat() : fc.string());

const dataOf = (type: EventType): fc.Arbitrary<unknown> => {
  const fields = Object.keys(SCHEMAS[type].shape);
  const any = (field: string) =>
    fc.oneof({ weight: 12, arbitrary: likely(type, field) }, { weight: 1, arbitrary: value });
  const record = Object.fromEntries(fields.map((field) => [field, any(field)]));
  return fc.oneof(
    { weight: 20, arbitrary: fc.record({ ...record, more1: value }, { requiredKeys: [] }) },
    { weight: 10, arbitrary: fc.record(record) },
    { weight: 1, arbitrary: value },
  );
};

describe.each(TYPES)('the shape of %s', (type) => {
  test('is the same by hand as in zod', () => {
    let good = 0;
    fc.assert(
      fc.property(dataOf(type), (data) => {
        const plain = JSON.parse(JSON.stringify(data) ?? 'null');
        const { success } = SCHEMAS[type].safeParse(plain);
        good += success ? 1 : 0;
        expect(fits(type, plain)).toBe(success);
      }),
      { numRuns: 400 },
    );
    // Both sides of the law were looked at.
    expect(good).toBeGreaterThan(20);
    expect(good).toBeLessThan(400);
  });
});

test('data of an unknown type, or of another version, has no shape', () => {
  expect(fits('session.ended', { reason: 'x' })).toBe(true);
  expect(fits('session.ended', { reason: 'x' }, 2)).toBe(false);
  expect(fits('later.thing', { reason: 'x' })).toBe(false);
  expect(fits('toString', {})).toBe(false);
});

test('a field that every object has does not stand for one that is missing', () => {
  expect(fits('session.ended', Object.create({ reason: 'inherited' }))).toBe(false);
});

test('bytes and lists are no data', () => {
  for (const data of [new Uint8Array(3), [], null, 'x', 5])
    expect(fits('turn.ended', data)).toBe(false);
});

test('numbers are numbers: neither infinite nor none', () => {
  const data = { upto: 1, projections: [] };
  expect(fits('checkpoint.created', data)).toBe(true);
  expect(fits('checkpoint.created', { ...data, upto: Number.NaN })).toBe(false);
  expect(fits('checkpoint.created', { ...data, upto: Number.POSITIVE_INFINITY })).toBe(false);
});
