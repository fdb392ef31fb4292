import { expect, test } from 'vitest';
import { contentOf } from '../../src/erasure/content.ts';
import { OWN_FIELDS } from '../../src/erasure/own-names.ts';
import { CATALOGUE } from '../../src/events/catalogue.ts';
import type { EventKind } from '../../src/events/fields.ts';

const KINDS: Record<string, EventKind> = CATALOGUE;

test('what is not declared a name, a number or one of some values is searched', () => {
  const trace = { pos: 1, uuid: 'uuid' };
  const data = { text: 'words', promptId: 'id', cwd: '/home', trace, later: 'added later' };
  expect([...contentOf({ type: 'prompt.submitted', data })]).toEqual([
    'words',
    '/home',
    'later',
    'added later',
  ]);
  expect([...contentOf({ type: 'later.thing', data: { promptId: 'id' } })]).toEqual(['id']);
});

test('a field that does not hold what it should is searched, too', () => {
  const data = { role: 'nobody', kind: 'text', text: '', trace: { pos: 'a text' } };
  const found = [...contentOf({ type: 'message.recorded', data })];
  expect(found).toEqual(expect.arrayContaining(['nobody', 'a text']));
});

test('the names of all fields are known, also of those within others', () => {
  for (const name of Object.values(KINDS).flatMap(({ fields }) => Object.keys(fields)))
    expect(OWN_FIELDS.has(name), name).toBe(true);
  for (const name of ['$blob', 'rewoundTo', 'movedTo', 'rank', 'compactions'])
    expect(OWN_FIELDS.has(name), name).toBe(true);
});
