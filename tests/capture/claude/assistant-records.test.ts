import { expect, test } from 'vitest';
import { fact } from '../../../src/events/identity.ts';
import { answered, at, ms, observe } from './reading.ts';

const USAGE = {
  input_tokens: 1000,
  output_tokens: 50,
  cache_creation_input_tokens: 7,
  cache_read_input_tokens: 9,
};

test('thoughts, texts and calls of one record are facts behind each other, its tokens come last', () => {
  const content = [
    { type: 'thinking', thinking: 'Hm.' },
    { type: 'text', text: 'I look.' },
    { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: '/a' } },
    { type: 'server_tool_use', id: 'x' },
  ];
  const found = observe([answered(content, {}, { usage: USAGE })]);
  expect(found.map(({ type, trace }) => [type, trace?.pos])).toEqual([
    ['message.recorded', 0],
    ['message.recorded', 1],
    ['tool.called', 2],
    ['usage.sampled', 4],
  ]);
  expect(found[0]?.data).toEqual({
    role: 'assistant',
    kind: 'thinking',
    text: 'Hm.',
    messageId: 'm1',
    model: 'haiku',
  });
  expect(found[2]).toMatchObject({
    fact: fact.toolCall('t1'),
    at: ms(2),
    data: { toolUseId: 't1', name: 'Read', input: { file_path: '/a' } },
  });
  expect(found[3]).toMatchObject({
    fact: fact.usage('m1', 'a1'),
    data: {
      messageId: 'm1',
      model: 'haiku',
      inputTokens: 1000,
      outputTokens: 50,
      cacheCreationTokens: 7,
      cacheReadTokens: 9,
    },
  });
});

test('what the client says in the place of the model is not the model’s', () => {
  const text = [{ type: 'text', text: 'API Error' }];
  expect(observe([answered(text, { isApiErrorMessage: true }, { usage: USAGE })])).toEqual([]);
  expect(observe([answered(text, {}, { model: '<synthetic>', usage: USAGE })])).toEqual([]);
});

test('tokens that the session before the fork has used are marked', () => {
  const copy = answered([], { requestSessionId: 'before' }, { usage: USAGE });
  const own = answered([], { requestSessionId: 's' }, { usage: USAGE });
  expect(observe([copy])[0]?.data).toMatchObject({ copied: true });
  expect(observe([own])[0]?.data).not.toHaveProperty('copied');
});

test('tokens are told once, and again when they change, or are of another message', () => {
  const text = [{ type: 'text', text: 'A' }];
  const tokensOf = (records: Parameters<typeof observe>[0]) =>
    observe(records)
      .filter(({ type }) => type === 'usage.sampled')
      .map((one) => one.fact);
  const line = (uuid: string, usage: object, message = {}, fields = {}) =>
    answered(text, { uuid, ...fields }, { usage, ...message });
  const more = { ...USAGE, output_tokens: 51 };
  expect(tokensOf([line('a1', USAGE), line('a2', USAGE), line('a3', USAGE)])).toEqual([
    fact.usage('m1', 'a1'),
  ]);
  expect(tokensOf([line('a1', USAGE), line('a2', more), line('a3', more)])).toEqual([
    fact.usage('m1', 'a1'),
    fact.usage('m1', 'a2'),
  ]);
  const other = [
    line('a1', USAGE),
    line('a2', USAGE, { id: 'm2' }),
    line('a3', USAGE, { id: 'm2' }, { sessionId: 'after' }),
    line('a4', USAGE, { id: 'm2' }, { sessionId: 'after', isSidechain: true }),
  ];
  expect(tokensOf(other)).toEqual([
    fact.usage('m1', 'a1'),
    fact.usage('m2', 'a2'),
    fact.usage('m2', 'a3'),
    fact.usage('m2', 'a4'),
  ]);
});

test('tokens without a message to belong to are left out, missing ones are none', () => {
  expect(observe([answered([], {}, { id: undefined, usage: USAGE })])).toEqual([]);
  expect(observe([answered([], {}, { usage: { input_tokens: 'many' } })])[0]?.data).toMatchObject({
    inputTokens: 0,
    outputTokens: 0,
  });
});

test.each([
  ['no message', { message: undefined }],
  ['no content', { message: {} }],
  ['content that is no list', { message: { content: 'text' } }],
  ['blocks that are no objects', { message: { content: [null, 5, 'a', []] } }],
  ['empty blocks', { message: { content: [{}, { type: 'text' }, { type: 'tool_use' }] } }],
])('a record with %s says nothing', (_, fields) => {
  expect(observe([answered([], fields)])).toEqual([]);
});

test('a record without a name is known by its place, a call without one by its record', () => {
  const found = observe([
    answered(
      [
        { type: 'text', text: 'A' },
        { type: 'tool_use', name: 'X' },
      ],
      { uuid: undefined },
    ),
  ]);
  expect(found.map((one) => one.fact)).toEqual([fact.message('@0', 0), fact.toolCall('@0:1')]);
  expect(found[0]?.trace).toEqual({ pos: 0 });
});

test('a record that was written late stands at the latest time before it', () => {
  const text = [{ type: 'text', text: 'A' }];
  const found = observe([
    answered(text, { timestamp: at(9) }),
    answered(text, { timestamp: at(5), uuid: 'a2' }),
    answered(text, { timestamp: undefined, uuid: 'a3' }),
    answered(text, { timestamp: at(10), uuid: 'a4' }),
  ]);
  expect(found.map((one) => [one.at, one.trace?.time])).toEqual([
    [ms(9), undefined],
    [ms(5), ms(9)],
    [null, ms(9)],
    [ms(10), undefined],
  ]);
});

test('without any time at all, everything stands at the beginning', () => {
  const [one] = observe([answered([{ type: 'text', text: 'A' }], { timestamp: 'never' })]);
  expect([one?.at, one?.trace?.time]).toEqual([null, 0]);
});
