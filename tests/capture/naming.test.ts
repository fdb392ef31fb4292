import { expect, test } from 'vitest';
import { nameByOrder } from '../../src/capture/naming.ts';
import { type Observation, observation } from '../../src/capture/observation.ts';
import { fact } from '../../src/events/identity.ts';
import type { Text } from '../../src/events/types.ts';
import {
  type CursorsState,
  cursors,
  type Seen,
  textMark,
} from '../../src/projections/folds/cursors.ts';

const where = { session: 's', agent: null, at: 5 };
const prompt = (text: string, promptId?: string): Observation =>
  observation('prompt.submitted', null, where, { text, ...(promptId && { promptId }) });
const compaction = (summary: string, promptId?: string): Observation => {
  const data = { trigger: 'auto', summary, ...(promptId && { promptId }) };
  return observation('compaction.finished', null, where, data);
};
const seen = (text: string, fields: Partial<Seen> = {}): Seen => ({
  promptId: 'p1',
  id: '00',
  traced: false,
  byHook: true,
  mark: textMark(text),
  forkedAt: null,
  ...fields,
});
const state = (fields: Partial<ReturnType<typeof cursors.initial>> = {}) => ({
  ...cursors.initial(),
  ...fields,
});
const told = { byHook: false, traced: true };
const named = (
  seen: Observation,
  state: CursorsState,
  kept: (text: Text) => Text = (text) => text,
): Observation | undefined => nameByOrder(seen, state, kept);

test('a prompt gets the client’s id and the number of those before it', () => {
  expect(named(prompt('One.', 'p1'), state())?.fact).toBe(fact.prompt('p1', 0));
  const after = state({ prompts: [seen('One.'), seen('Else.', { promptId: 'p0' })] });
  expect(named(prompt('Two.', 'p1'), after)?.fact).toBe(fact.prompt('p1', 1));
});

test('a compaction is counted apart from prompts', () => {
  const after = state({ prompts: [seen('One.')], compactions: [seen('S1')] });
  expect(named(compaction('S1', 'p2'), after)?.fact).toBe(fact.compaction('p2', 0));
  expect(named(compaction('S2', 'p1'), after)?.fact).toBe(fact.compaction('p1', 1));
});

test('a hook that is repeated is known', () => {
  expect(named(prompt('One.', 'p1'), state({ prompts: [seen('One.')] }))).toBeUndefined();
  expect(named(compaction('S', 'p1'), state({ compactions: [seen('S')] }))).toBeUndefined();
});

test('a hook that is repeated is known by what was kept of it', () => {
  const kept = state({ prompts: [seen('The key is [REDACTED].')] });
  const redact = () => 'The key is [REDACTED].';
  expect(named(prompt('The key is 123.', 'p1'), kept, redact)).toBeUndefined();
});

test('a hook that comes after the transcript is known', () => {
  expect(named(prompt('One.', 'p1'), state({ prompts: [seen('', told)] }))).toBeUndefined();
});

test('a hook of a client without prompt ids keeps no name', () => {
  expect(named(prompt('One.'), state())).toEqual(prompt('One.'));
  expect(named(compaction('S'), state())).toEqual(compaction('S'));
});

test('a hook of a client without prompt ids is known by its words, until they are said again', () => {
  const nameless = { promptId: '' };
  const known = (one: Partial<Seen>) =>
    named(prompt('Go on.'), state({ prompts: [seen('Go on.', { ...nameless, ...one })] }));
  expect(known({})).toBeUndefined();
  expect(known(told)).toBeUndefined();
  expect(known({ traced: true })).toBeDefined();
  expect(known({ mark: textMark('Stop.') })).toBeDefined();
});

test('the first prompt of a fork has a name of its own: copies of older ones come before it', () => {
  expect(named(prompt('One.', 'p1'), state({ forkedAt: 3 }))?.fact).toBe(fact.prompt('fork:p1', 0));
  expect(named(compaction('S', 'p1'), state({ forkedAt: 3 }))?.fact).toBe(fact.compaction('p1', 0));
});

test('anything else has its name already', () => {
  const ended = observation('turn.ended', null, where, {});
  expect(named(ended, state())).toBe(ended);
});
