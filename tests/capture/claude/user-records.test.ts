import { describe, expect, test } from 'vitest';
import { QueuedPrompts } from '../../../src/capture/claude/queued-prompts.ts';
import { fact } from '../../../src/events/identity.ts';
import { answered, at, ms, newContext, observe, said } from './reading.ts';

describe('what the user says', () => {
  test('is a prompt, at its place, named by the prompt id of the client', () => {
    expect(observe([said('Add due dates.')])).toEqual([
      {
        type: 'prompt.submitted',
        fact: fact.prompt('p1', 0),
        session: 's',
        agent: null,
        at: ms(1),
        data: { text: 'Add due dates.', promptId: 'p1', cwd: '/home/dev/app' },
        trace: { pos: 0, uuid: 'u1' },
        goesOnFrom: 'u0',
      },
    ]);
  });

  test('is a prompt in blocks as well; pictures leave no text beside one', () => {
    const blocks = [
      { type: 'text', text: 'Look:' },
      { type: 'image' },
      { type: 'text', text: 'here' },
    ];
    expect(observe([said(blocks)])[0]?.data).toMatchObject({ text: 'Look:\nhere' });
  });

  test('is a prompt when it is nothing but a picture, of which the data is not kept', () => {
    const data = Buffer.from('a picture, really').toString('base64');
    const source = { type: 'base64', media_type: 'image/png', data };
    const [prompt] = observe([said([{ type: 'image', source }])]);
    expect(prompt).toMatchObject({
      type: 'prompt.submitted',
      fact: fact.prompt('p1', 0),
      data: { text: '[image: image/png, 17 bytes]' },
    });
    expect(JSON.stringify(prompt)).not.toContain(data);
  });

  test('is told apart from what the client puts beside it in blocks of its own', () => {
    const reminder = '<system-reminder>\nBe careful.\n</system-reminder>';
    const mixed = (...texts: string[]) => said(texts.map((text) => ({ type: 'text', text })));
    for (const record of [mixed(reminder, 'Go on.'), mixed('Go on.', reminder)]) {
      expect(observe([record])).toMatchObject([
        { type: 'prompt.submitted', fact: fact.prompt('p1', 0), data: { text: 'Go on.' } },
      ]);
    }
    expect(observe([mixed(reminder, '[Request interrupted by user]')])).toMatchObject([
      {
        type: 'message.recorded',
        data: { kind: 'command', text: `${reminder}\n[Request interrupted by user]` },
      },
    ]);
  });

  test('is named by its record where an older client gives prompts no id', () => {
    const [prompt] = observe([said('Go on.', { promptId: undefined })]);
    expect(prompt?.fact).toBe(fact.prompt('u1', 0));
    expect(prompt?.data).not.toHaveProperty('promptId');
  });

  test('belongs to the session that its record names', () => {
    expect(observe([said('Hi.', { sessionId: 'earlier' })])[0]?.session).toBe('earlier');
    expect(observe([said('Hi.', { sessionId: undefined })])[0]?.session).toBe('s');
  });

  test('is told apart from another prompt with the same id by its number', () => {
    const found = observe([said('One.'), said('Two.', { uuid: 'u2' })]);
    expect(found.map((one) => one.fact)).toEqual([fact.prompt('p1', 0), fact.prompt('p1', 1)]);
  });

  test('is a prompt when it is a command of the project, as the user typed it', () => {
    const content =
      '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>src/todo.js</command-args>';
    expect(observe([said(content)])[0]).toMatchObject({
      type: 'prompt.submitted',
      data: { text: '/review src/todo.js' },
    });
  });

  test.each([
    [
      'a command of the client',
      '<command-name>/usage</command-name>\n<command-message>usage</command-message>',
    ],
    ['its output', '<local-command-stdout>Compacted</local-command-stdout>'],
    ['a shell command', '<bash-input>ls</bash-input>'],
    ['the end of a background task', '<task-notification>\n<task-id>a3</task-id>'],
    ['an interruption', '[Request interrupted by user for tool use]'],
  ])('%s is no prompt', (_, content) => {
    expect(observe([said(content)])).toEqual([
      expect.objectContaining({
        type: 'message.recorded',
        fact: fact.message('u1', 0),
        data: { role: 'user', kind: 'command', text: content },
      }),
    ]);
  });

  test('leaves out what the client says on its own account', () => {
    expect(observe([said('Caveat: …', { isMeta: true })])).toEqual([]);
  });

  test('is a task, and no prompt, in the thread of a sub-agent', () => {
    const context = newContext({ agent: 'a9' });
    expect(observe([said([{ type: 'image' }])], newContext({ agent: 'a9' }))).toMatchObject([
      { type: 'message.recorded', data: { kind: 'text', text: '[image]' } },
    ]);
    expect(observe([said('Review the list.')], context)).toEqual([
      expect.objectContaining({
        type: 'message.recorded',
        agent: 'a9',
        data: { role: 'user', kind: 'text', text: 'Review the list.' },
      }),
    ]);
  });
});

describe('a prompt that was queued while the model worked', () => {
  const queued = (attachment: object, fields: object = {}) => ({
    type: 'attachment',
    sessionId: 's',
    uuid: 'q1',
    timestamp: at(3),
    attachment: { type: 'queued_command', commandMode: 'prompt', source_uuid: 'x1', ...attachment },
    ...fields,
  });

  test('has the id of the prompt that was worked on, and the next number', () => {
    const found = observe([said('One.'), queued({ prompt: 'And this.' })]);
    expect(found[1]).toMatchObject({
      type: 'prompt.submitted',
      fact: fact.prompt('p1', 1),
      data: { text: 'And this.', promptId: 'p1' },
      trace: { pos: 1000, uuid: 'q1' },
    });
  });

  test('has the id of what was worked on also when that was no prompt', () => {
    const notified = said('<task-notification>done</task-notification>', { promptId: 'p2' });
    const found = observe([said('One.'), notified, queued({ prompt: 'And this.' })]);
    expect(found[2]?.fact).toBe(fact.prompt('p2', 0));
  });

  test('may have pictures, or be nothing else', () => {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/gif', data: 'AAAA' },
    };
    const texts = [[image, { type: 'text', text: 'And this.' }], [image]].map(
      (prompt) => observe([queued({ prompt })])[0]?.data,
    );
    expect(texts).toMatchObject([{ text: 'And this.' }, { text: '[image: image/gif, 3 bytes]' }]);
  });

  test('is named by its own record where nothing else is known', () => {
    expect(observe([queued({ prompt: 'And this.' })])[0]?.fact).toBe(fact.prompt('x1', 0));
  });

  test.each([
    ['a task notification', { prompt: '<task-notification>done' }, {}],
    ['something else that was queued', { prompt: 'x', commandMode: 'task' }, {}],
    ['another attachment', { type: 'file', prompt: 'x' }, {}],
    ['nothing', { prompt: '' }, {}],
    ['a note of the client', { prompt: 'x', isMeta: true }, {}],
    ['one of a sub-agent', { prompt: 'x' }, { isSidechain: true, agentId: 'a9' }],
  ])('is not %s', (_, attachment, fields) => {
    expect(observe([queued(attachment, fields)])).toEqual([]);
  });
});

describe('a prompt of which the client only says that it was queued', () => {
  const queue = (operation: string, fields: object = {}) => ({
    type: 'queue-operation',
    operation,
    sessionId: 's',
    timestamp: at(3),
    ...fields,
  });
  const enqueued = (content: string) => queue('enqueue', { content });
  const prompts = (...records: Parameters<typeof observe>[0]) =>
    observe(records).filter(({ type }) => type === 'prompt.submitted');
  const texts = (...records: Parameters<typeof observe>[0]) =>
    prompts(...records).map(({ data }) => (data as { text: string }).text);

  test('is recorded once the model has it, beside the notifications in the queue', () => {
    const found = prompts(
      enqueued('<task-notification>done'),
      enqueued('Check again.'),
      enqueued('Then push.'),
      queue('remove'),
    );
    expect(found).toMatchObject([
      { fact: fact.prompt('@3000', 0), at: ms(3), data: { text: 'Check again.' } },
    ]);
  });

  test('is not recorded twice where the client writes it as well', () => {
    expect(texts(enqueued('One.'), queue('dequeue'), said('One.'), queue('remove'))).toEqual([
      'One.',
    ]);
    const attachment = { type: 'queued_command', commandMode: 'prompt', prompt: 'Two.' };
    const delivered = { type: 'attachment', sessionId: 's', uuid: 'q1', attachment };
    const removed = queue('remove', { content: 'Two.', reason: 'absorbed_mid_turn' });
    expect(texts(enqueued('Two.'), delivered, removed)).toEqual(['Two.']);
    expect(texts(enqueued('Two.'), delivered, queue('remove'))).toEqual(['Two.']);
  });

  test('is not recorded when it was taken back, or is a command', () => {
    expect(texts(enqueued('One.'), queue('popAll'), queue('remove'))).toEqual([]);
    expect(texts(enqueued('/compact now'), queue('remove'))).toEqual([]);
    expect(texts(enqueued('One.'))).toEqual([]);
  });

  test('is known to a reading that begins between the two', () => {
    const earlier = [said('One.'), enqueued('Check again.')];
    const context = newContext({ queue: new QueuedPrompts(() => earlier) });
    expect(observe([queue('remove')], context)).toMatchObject([{ data: { text: 'Check again.' } }]);
  });
});

describe('the result of a tool call', () => {
  const result = (fields: object, record: Record<string, unknown> = {}) =>
    said([{ type: 'tool_result', tool_use_id: 't1', ...fields }], record);

  test('is the structure that hooks have, where the client writes it', () => {
    const record = result(
      { content: '1 file' },
      { toolUseResult: { stdout: 'a.txt', stderr: '' } },
    );
    expect(observe([record])).toEqual([
      expect.objectContaining({
        type: 'tool.succeeded',
        fact: fact.toolOutcome('t1'),
        data: { toolUseId: 't1', response: { stdout: 'a.txt', stderr: '' } },
      }),
    ]);
  });

  test.each([['1 file'], [[{ type: 'text', text: '1 file' }]]])(
    'is its text otherwise: %j',
    (content) => {
      const [outcome] = observe([result({ content }, { toolUseResult: '1 file' })]);
      expect(outcome?.data).toEqual({ toolUseId: 't1', response: content });
    },
  );

  test('carries the name of its tool when the call was read before', () => {
    const call = answered([{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }]);
    expect(observe([call, result({ content: 'ok' })]).at(-1)?.data).toMatchObject({ name: 'Bash' });
  });

  test('is a failure with the exit code that the text says', () => {
    const [outcome] = observe([result({ content: 'Exit code 3\nFAIL', is_error: true })]);
    expect(outcome).toMatchObject({
      type: 'tool.failed',
      fact: fact.toolOutcome('t1'),
      data: { toolUseId: 't1', error: 'Exit code 3\nFAIL', exitCode: 3 },
    });
  });

  test('is kept by size alone when the tool is one of ours', () => {
    const name = 'mcp__ben10__ben10_log';
    const call = answered([{ type: 'tool_use', id: 't1', name, input: {} }]);
    const outcome = observe([call, result({ content: 'secret recall' })]).at(-1);
    expect(JSON.stringify(outcome)).not.toContain('secret recall');
    expect(outcome?.data).toMatchObject({ response: { $own: true, bytes: 15 } });
  });

  test('is a failure without words when the tool is one of ours', () => {
    const name = 'mcp__ben10__ben10_log';
    const call = answered([{ type: 'tool_use', id: 't1', name, input: {} }]);
    const outcome = observe([call, result({ content: 'secret recall', is_error: true })]).at(-1);
    expect(outcome).toMatchObject({ type: 'tool.failed', fact: fact.toolOutcome('t1') });
    expect(outcome?.data).toEqual({ toolUseId: 't1', name, error: '' });
  });

  test('stands beside others of the same record, one place behind each other', () => {
    const both = said([
      { type: 'tool_result', tool_use_id: 't1', content: 'a' },
      { type: 'tool_result', tool_use_id: 't2', content: 'b' },
    ]);
    const found = observe([both]);
    expect(found.map(({ trace }) => trace?.pos)).toEqual([0, 1]);
    expect(found.map(({ fact: name }) => name)).toEqual([
      fact.toolOutcome('t1'),
      fact.toolOutcome('t2'),
    ]);
  });

  test('is named by its record when it does not say whose it is', () => {
    const content = [{ type: 'tool_result', content: 'ok' }];
    expect(observe([said(content)])[0]?.fact).toBe(fact.toolOutcome('u1:0'));
    const named = said(content, { sourceToolUseID: 't9', isMeta: true });
    expect(observe([named])[0]?.fact).toBe(fact.toolOutcome('t9'));
  });
});
