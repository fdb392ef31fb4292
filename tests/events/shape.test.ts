import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CATALOGUE } from '../../src/events/catalogue.ts';
import type { Fields, Kind } from '../../src/events/fields.ts';
import { schemaOf } from '../../src/events/schema.ts';
import { hasShape } from '../../src/events/shape.ts';
import type { EventType } from '../../src/events/types.ts';

const TYPES = Object.keys(CATALOGUE) as EventType[];
const fits = (type: string, data: unknown, version = CATALOGUE[type as EventType]?.version ?? 1) =>
  hasShape({ type, version, data });

/** Anything that MessagePack can say. */
const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(true, false, null, '', 'user', 0, -1, 0.5, [], {}, ['a', 1, 2]),
  fc.string({ maxLength: 4 }),
  fc.dictionary(fc.constantFrom('a', 'toString', '$blob', 'pos'), fc.nat(), { maxKeys: 2 }),
);

/** A field as it should be, or here and there not. */
const fieldOf = (kind: Kind): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 40, arbitrary: goodOf(kind) }, { weight: 1, arbitrary: junk });

function goodOf(kind: Kind): fc.Arbitrary<unknown> {
  switch (kind.is) {
    case 'text':
      return fc.oneof(
        fc.string(),
        fc.record({ $blob: fc.string(), bytes: fc.nat(), head: fc.string() }),
      );
    case 'words':
    case 'name':
      return fc.string();
    case 'number':
      return fc.integer();
    case 'flag':
      return fc.boolean();
    case 'anything':
      return junk;
    case 'oneOf':
      return fc.constantFrom(...kind.values);
    case 'optional':
      return fieldOf(kind.of);
    case 'nullable':
      return fc.option(fieldOf(kind.of));
    case 'list':
      return fc.array(fieldOf(kind.of), { maxLength: 2 });
    case 'record':
      return fc.dictionary(fc.string(), fieldOf(kind.of), { maxKeys: 2 });
    case 'pair':
      return fc.tuple(fieldOf(kind.of[0]), fieldOf(kind.of[1]));
    case 'object':
      return dataOf(kind.fields);
  }
}

function dataOf(fields: Fields): fc.Arbitrary<unknown> {
  const record: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(
    Object.entries(fields).map(([name, kind]) => [name, fieldOf(kind)]),
  );
  const needed: string[] = Object.keys(fields).filter((name) => fields[name]!.is !== 'optional');
  return fc.oneof(
    {
      weight: 20,
      arbitrary: fc.record<Record<string, unknown>>(
        { more1: junk, ...record },
        { requiredKeys: needed },
      ),
    },
    { weight: 1, arbitrary: fc.record(record, { requiredKeys: [] }) },
    { weight: 1, arbitrary: junk },
  );
}

describe.each(TYPES)('the shape of %s', (type) => {
  test('is the same in zod', () => {
    const schema = schemaOf(type);
    let good = 0;
    fc.assert(
      fc.property(dataOf(CATALOGUE[type].fields), (data) => {
        const plain = JSON.parse(JSON.stringify(data) ?? 'null');
        const { success } = schema.safeParse(plain);
        good += success ? 1 : 0;
        expect(fits(type, plain)).toBe(success);
      }),
      { numRuns: 200 },
    );
    // Both sides of the law were looked at.
    expect(good).toBeGreaterThan(20);
    expect(good).toBeLessThan(200);
  });
});

test('optional fields may be missing and unknown ones may be there', () => {
  const data = { toolUseId: 't1', name: 'Bash', input: {} };
  expect(fits('tool.called', data)).toBe(true);
  expect(fits('tool.called', { ...data, later: 1, trace: { pos: 1, later: 1 } })).toBe(true);
  expect(fits('tool.called', { ...data, promptId: 1 })).toBe(false);
  expect(fits('tool.called', { ...data, trace: {} })).toBe(false);
  expect(fits('tool.called', { name: 'Bash', input: {} })).toBe(false);
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
