import { expect, test } from 'vitest';
import { JournalFacts } from '../../src/capture/journal-facts.ts';
import { observation } from '../../src/capture/observation.ts';
import { fact, factId } from '../../src/events/identity.ts';
import { FRAME_KIND } from '../../src/journal/format/format.ts';
import type { JournalReader } from '../../src/journal/read/reader.ts';
import { World } from './support/world.ts';

const idOf = (id: string): string => factId('s', fact.toolCall(id)).toString('hex');
const call = (id: string) =>
  observation(
    'tool.called',
    fact.toolCall(id),
    { session: 's', agent: null, at: 1 },
    {
      toolUseId: id,
      name: 'Bash',
      input: null,
    },
  );

test('what transcripts told is traced, what hooks told is told, and nothing else is known', () => {
  const world = new World();
  const { recorder } = world;
  recorder.append([
    recorder.event(call('t1'), 'transcript'),
    recorder.event(call('t2'), 'import'),
    recorder.event(call('t3'), 'hook'),
    recorder.event(call('t4'), 'mcp-hook'),
  ]);
  const facts = new JournalFacts(world.reader);
  const standing = (id: string) => [facts.isTraced(idOf(id)), facts.isReported(idOf(id))];
  expect(['t1', 't2', 't3', 't4', 't5'].map(standing)).toEqual([
    [true, false],
    [true, false],
    [false, true],
    [false, true],
    [false, false],
  ]);
  facts.settle(idOf('t3'));
  expect(facts.isTraced(idOf('t3'))).toBe(true);
});

test('what was erased counts as traced, so that it does not come back; what is no event is passed over', () => {
  const id = Buffer.from(idOf('t1'), 'hex');
  const other = Buffer.from(idOf('t2'), 'hex');
  const items = [
    { damage: {}, segment: 'x' },
    { entry: { kind: FRAME_KIND.tombstone, id }, segment: 'x' },
    {
      entry: { kind: FRAME_KIND.event, id: other, payload: Buffer.from('no envelope') },
      segment: 'x',
    },
  ];
  // Nothing erases yet, so no journal with a tombstone in it can be made.
  const reader = { entries: () => items } as unknown as JournalReader;
  const facts = new JournalFacts(reader);
  expect(facts.isTraced(idOf('t1'))).toBe(true);
  expect([facts.isTraced(idOf('t2')), facts.isReported(idOf('t2'))]).toEqual([false, true]);
});
