import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fact } from '../../../src/events/identity.ts';
import type { CompactionFinished } from '../../../src/events/types.ts';
import { answered, at, ms, observe, said } from './reading.ts';

const boundary = (fields: object = {}) => ({
  type: 'system',
  subtype: 'compact_boundary',
  sessionId: 's',
  uuid: 'b1',
  parentUuid: null,
  logicalParentUuid: 'u7',
  timestamp: at(5),
  compactMetadata: { trigger: 'auto', preTokens: 30000, postTokens: 900 },
  ...fields,
});
const summary = (fields: object = {}) =>
  said('This session is being continued…', {
    isCompactSummary: true,
    uuid: 'c1',
    timestamp: at(4),
    ...fields,
  });

test('a boundary and its summary are one compaction, and no prompt', () => {
  const note = { type: 'attachment', uuid: 'n1', timestamp: at(5), attachment: { type: 'date' } };
  expect(observe([boundary(), note, summary()])).toEqual([
    {
      type: 'compaction.finished',
      fact: fact.compaction('p1', 0),
      session: 's',
      agent: null,
      at: ms(4),
      data: {
        trigger: 'auto',
        summary: 'This session is being continued…',
        promptId: 'p1',
        preTokens: 30000,
        postTokens: 900,
        kept: { uuids: [], files: 0 },
      },
      trace: { pos: 2000, uuid: 'c1', time: ms(5) },
      goesOnFrom: 'u7',
    },
  ]);
});

test('two compactions of one prompt have different names', () => {
  const found = observe([boundary(), summary(), boundary({ uuid: 'b2' }), summary({ uuid: 'c2' })]);
  expect(found.map((one) => one.fact)).toEqual([
    fact.compaction('p1', 0),
    fact.compaction('p1', 1),
  ]);
});

test('an older client gives no prompt id: the boundary has the name', () => {
  const [one] = observe([boundary(), summary({ promptId: undefined })]);
  expect(one?.fact).toBe(fact.compaction('b1', 0));
  expect(one?.data).not.toHaveProperty('promptId');
});

test('a summary without a boundary is a compaction of which no more is known', () => {
  const [one] = observe([summary({ promptId: undefined })]);
  expect(one).toMatchObject({ fact: fact.compaction('c1', 0), data: { trigger: 'unknown' } });
  expect(one).not.toHaveProperty('goesOnFrom');
});

test.each([
  ['the user goes on', said('Go on.')],
  ['the model goes on', answered([{ type: 'text', text: 'I go on.' }])],
  ['another follows', boundary({ uuid: 'b2' })],
])('a boundary without a summary is a compaction all the same, when %s', (_, next) => {
  const [first] = observe([boundary(), next]);
  expect(first).toMatchObject({
    type: 'compaction.finished',
    fact: fact.compaction('b1', 0),
    at: ms(5),
    data: { trigger: 'auto', summary: '' },
    trace: { pos: 0, uuid: 'b1' },
  });
});

test('a boundary keeps waiting while the client only keeps its books', () => {
  expect(observe([boundary(), { type: 'mode' }, answered([]), summary()])).toHaveLength(1);
});

test('a boundary that says nothing is one all the same', () => {
  const bare = boundary({ uuid: undefined, compactMetadata: 5, logicalParentUuid: undefined });
  expect(observe([bare])).toEqual([
    expect.objectContaining({
      fact: fact.compaction('@0', 0),
      data: { trigger: 'unknown', summary: '', kept: { uuids: [], files: 0 } },
    }),
  ]);
});

const givenBack = (n: number) => ({
  type: 'attachment',
  uuid: `f${n}`,
  timestamp: at(5),
  attachment: { type: 'file', filename: `/p/${n}.ts`, content: { type: 'text' } },
});

test('a compaction has the records that stay, and how many files the client put behind it before anybody spoke', () => {
  const compactMetadata = {
    trigger: 'manual',
    preservedMessages: { anchorUuid: 'c1', uuids: ['k1', 7, 'k2'], allUuids: ['k1', 'k2', 'k3'] },
  };
  const note = said('<local-command-stdout>Compacted</local-command-stdout>', { uuid: 'n1' });
  const others = { type: 'attachment', uuid: 'o1', attachment: { type: 'date' } };
  const [one] = observe([
    boundary({ compactMetadata }),
    summary(),
    note,
    givenBack(1),
    others,
    givenBack(2),
    said('Go on with @/p/3.ts', { uuid: 'u9' }),
    givenBack(3),
    answered([{ type: 'text', text: 'Yes.' }]),
    givenBack(4),
  ]);
  expect(one?.data).toMatchObject({ kept: { uuids: ['k1', 'k2'], files: 2 } });
});

test.each([
  ['transcripts/claude-2.1.329-real-todo-app/transcript.jsonl', [{ records: 2, files: 2 }]],
  [
    'real-client/two-compactions/projects/-home-dev-todo-app/e8161f67-2508-4a37-9221-c245624adab9.jsonl',
    [
      { records: 4, files: 1 },
      { records: 2, files: 1 },
    ],
  ],
])('of a real client: %s', (file, left) => {
  const lines = readFileSync(new URL(`../../fixtures/${file}`, import.meta.url), 'utf8');
  const found = observe(
    lines
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  );
  const kept = found.flatMap(({ type, data }) =>
    type === 'compaction.finished' ? [(data as CompactionFinished).kept!] : [],
  );
  expect(kept.map(({ uuids, files }) => ({ records: uuids.length, files }))).toEqual(left);
});
