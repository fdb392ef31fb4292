import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type {
  CompactionFinished,
  PromptSubmitted,
  TranscriptRead,
} from '../../src/events/types.ts';
import { context } from '../../src/projections/folds/context.ts';
import { cursors } from '../../src/projections/folds/cursors.ts';
import { usage } from '../../src/projections/folds/usage.ts';
import type { HookInput } from './support/recorded.ts';
import { at, Script } from './support/script.ts';
import { World } from './support/world.ts';

const hook = (event: string, fields: object = {}): HookInput => ({
  session_id: 's',
  hook_event_name: event,
  ...fields,
});
const submitted = (prompt: string, prompt_id?: string) =>
  hook('UserPromptSubmit', { prompt, ...(prompt_id && { prompt_id }) });

const facts = (world: World, type: string) =>
  world.states.facts('s', [type]).map(({ fact }) => fact);
const prompts = (world: World): unknown[] =>
  facts(world, 'prompt.submitted').map(({ data }) => (data as PromptSubmitted).text);
const readings = (world: World): TranscriptRead[] =>
  world
    .events()
    .filter(({ type }) => type === 'transcript.read')
    .map(({ data }) => data as TranscriptRead);
const cursor = (world: World) => world.states.at(cursors, 's').state.threads[''];

describe('reading a transcript', () => {
  test('brings in what no hook delivered, and where it stopped', () => {
    const world = new World();
    const script = new Script();
    const file = world.put('s.jsonl', script.prompt('Go.', 'p1') + script.calls('t1'));
    expect(world.reconcile({ path: file, session: 's' })).toEqual({
      added: 2,
      enriched: 0,
      records: 2,
      malformed: 0,
      unknown: {},
      complete: true,
      from: 0,
      to: cursor(world)?.to,
    });
    appendFileSync(file, script.result('t1'));
    expect(world.reconcile({ path: file, session: 's' })).toMatchObject({ added: 1, records: 1 });
    expect(world.events().map(({ type, source }) => `${type} ${source}`)).toEqual([
      'prompt.submitted transcript',
      'tool.called transcript',
      'transcript.read transcript',
      'tool.succeeded transcript',
      'transcript.read transcript',
    ]);
  });

  test('adds nothing when there is nothing new, or only bookkeeping', () => {
    const world = new World();
    const script = new Script();
    const file = world.put('s.jsonl', script.prompt('Go.', 'p1'));
    world.reconcile({ path: file, session: 's' });
    const before = world.events().length;
    appendFileSync(file, '{"type":"mode"}\n'.repeat(50));
    expect(world.reconcile({ path: file, session: 's' })).toMatchObject({ added: 0, records: 50 });
    expect(world.events()).toHaveLength(before);
  });

  test('counts what it cannot read or does not know, and goes on', () => {
    const world = new World();
    const script = new Script();
    const odd = 'nonsense\n{"type":"invented"}\n{"type":"__proto__"}\n[1]\n\x00\n';
    const file = world.put('s.jsonl', odd + script.prompt('Go.', 'p1'));
    expect(world.reconcile({ path: file, session: 's' })).toMatchObject({
      added: 1,
      records: 3,
      malformed: 3,
      unknown: { invented: 1, '(others)': 1 },
    });
    expect(readings(world)[0]).toMatchObject({ malformed: 3, unknown: { invented: 1 } });
  });

  test('leaves half a last line for the next time', () => {
    const world = new World();
    const script = new Script();
    const [first, second] = [script.prompt('One.', 'p1'), script.prompt('Two.', 'p2')];
    const file = world.put('s.jsonl', first + second.slice(0, 40));
    world.reconcile({ path: file, session: 's' });
    expect(prompts(world)).toEqual(['One.']);
    appendFileSync(file, second.slice(40));
    world.reconcile({ path: file, session: 's' });
    expect(prompts(world)).toEqual(['One.', 'Two.']);
  });

  test('has nothing to say of a transcript that is not there, or was deleted', () => {
    const world = new World();
    expect(world.reconcile({ path: '/none.jsonl', session: 's' })).toBeUndefined();
    const file = world.put('s.jsonl', new Script().prompt('Go.', 'p1'));
    world.reconcile({ path: file, session: 's' });
    rmSync(file);
    expect(world.reconcile({ path: file, session: 's' })).toBeUndefined();
    expect(prompts(world)).toEqual(['Go.']);
  });

  test('begins again with one that was replaced, and takes from it only what is new', () => {
    const world = new World();
    const script = new Script();
    const [one, two] = [script.prompt('One.', 'p1'), script.prompt('Two.', 'p2')];
    const file = world.put('s.jsonl', one + two);
    world.reconcile({ path: file, session: 's' });
    writeFileSync(file, two + script.prompt('Three.', 'p3') + script.says('x'.repeat(500)));
    expect(world.reconcile({ path: file, session: 's' })).toMatchObject({ from: 0, added: 2 });
    expect(world.reconcile({ path: file, session: 's' })).toMatchObject({ added: 0, records: 0 });
    expect(prompts(world).sort()).toEqual(['One.', 'Three.', 'Two.']);
    const ids = world.events().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('begins again with one that became shorter', () => {
    const world = new World();
    const script = new Script();
    const [one, two] = [script.prompt('One.', 'p1'), script.prompt('Two.', 'p2')];
    const file = world.put('s.jsonl', one + two);
    world.reconcile({ path: file, session: 's' });
    writeFileSync(file, one);
    expect(world.reconcile({ path: file, session: 's' })).toMatchObject({ from: 0, added: 0 });
    // Nothing was new, so the old cursor stands; the file grows beyond it again.
    appendFileSync(file, two + script.prompt('Three.', 'p3'));
    world.reconcile({ path: file, session: 's' });
    expect(prompts(world)).toEqual(['One.', 'Two.', 'Three.']);
  });
});

describe('what hooks have told', () => {
  test('is not told again, but gets its place', () => {
    const world = new World();
    const script = new Script();
    world.hook(submitted('Go.', 'p1'), undefined);
    world.hook(
      hook('PreToolUse', { tool_name: 'Bash', tool_use_id: 't1', tool_input: {} }),
      undefined,
    );
    const file = world.put(
      's.jsonl',
      script.prompt('Go.', 'p1') + script.calls('t1') + script.result('t1'),
    );
    expect(world.reconcile({ path: file, session: 's' })).toMatchObject({ added: 1, enriched: 2 });
    expect(facts(world, 'prompt.submitted')).toEqual([
      expect.objectContaining({ source: 'hook', trace: { pos: 0, uuid: 's-1' } }),
    ]);
  });

  test('of clients without prompt ids is found by its words', () => {
    const world = new World();
    const script = new Script();
    for (const text of ['Go.', 'Go.', 'Stop.']) world.hook(submitted(text), undefined);
    const told = ['Go.', 'Stop.'].map((text) => script.prompt(text, '', { promptId: undefined }));
    const file = world.put('s.jsonl', told.join(''));
    // The second of the same words came before the first was read: a repeated hook.
    expect(world.reconcile({ path: file, session: 's' })).toMatchObject({ added: 0, enriched: 2 });
    world.hook(submitted('Go.'), undefined);
    expect(prompts(world)).toEqual(['Go.', 'Stop.', 'Go.']);
  });

  test('is one with a prompt of the transcript that has the client’s own text beside it', () => {
    const reminder = '<system-reminder>\nBe careful.\n</system-reminder>';
    const blocks = [reminder, 'Go.'].map((text) => ({ type: 'text', text }));
    const world = new World();
    world.hook(submitted('Go.', 'p1'), undefined);
    const script = new Script();
    const mixed = script.prompt('', 'p1', { message: { content: blocks } });
    const file = world.put('s.jsonl', mixed + script.says('Done.'));
    expect(world.reconcile({ path: file, session: 's' })).toMatchObject({ added: 1, enriched: 1 });
    expect(prompts(world)).toEqual(['Go.']);
    expect(facts(world, 'message.recorded')).toHaveLength(1);
  });

  test('comes after a picture that only the transcript told, under the same id', () => {
    const world = new World();
    const script = new Script();
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'AA' },
    };
    world.hook(submitted('', 'p1'), undefined);
    world.hook(submitted('And this.', 'p1'), undefined);
    const picture = script.prompt('', 'p1', { message: { content: [image] } });
    const file = world.put('s.jsonl', picture + script.queued('And this.'));
    world.reconcile({ path: file, session: 's' });
    expect(prompts(world)).toEqual(['[image: image/png, 1 bytes]', 'And this.']);
  });

  test('is corrected where a lost hook’s name went to the next prompt', () => {
    const world = new World();
    const script = new Script();
    world.hook(submitted('And this.', 'p1'), undefined);
    const file = world.put('s.jsonl', script.prompt('Go.', 'p1') + script.queued('And this.'));
    world.reconcile({ path: file, session: 's' });
    expect(prompts(world)).toEqual(['Go.', 'And this.']);
  });

  test('is not corrected because a secret was taken out of it', () => {
    const key = `sk-ant-api03-${'A1b2C3d4'.repeat(12)}-AbCdEfAA`;
    const world = new World();
    world.hook(submitted(`Use ${key}`, 'p1'), undefined);
    world.hook(submitted(`Use ${key}`, 'p1'), undefined);
    const file = world.put('s.jsonl', new Script().prompt(`Use ${key}`, 'p1'));
    expect(world.reconcile({ path: file, session: 's' })).toMatchObject({ added: 0, enriched: 1 });
    const [enriched] = world.events().filter(({ type }) => type === 'fact.enriched');
    expect(enriched?.data).not.toHaveProperty('more');
    expect(prompts(world)).toHaveLength(1);
  });

  test('is completed where a long error was cut for the hook', () => {
    const world = new World();
    const script = new Script();
    const error = `Exit code 1\n${'e'.repeat(12_000)}`;
    const fields = { tool_name: 'Bash', tool_use_id: 't1' };
    world.hook(
      hook('PostToolUseFailure', { ...fields, error: `${error.slice(0, 9000)}…` }),
      undefined,
    );
    const file = world.put(
      's.jsonl',
      script.calls('t1') + script.result('t1', error, { is_error: true }),
    );
    world.reconcile({ path: file, session: 's' });
    expect(facts(world, 'tool.failed')[0]?.data).toMatchObject({ error });
  });

  test('is trusted before a transcript that lost the outcome', () => {
    const world = new World();
    const script = new Script();
    const fields = { tool_name: 'Read', tool_use_id: 't1', tool_response: { a: 1 } };
    world.hook(hook('PostToolUse', fields), undefined);
    const lost = script.result('t1', '[Tool call interrupted: …', { is_error: true });
    const file = world.put('s.jsonl', script.calls('t1', 'Read') + lost);
    world.reconcile({ path: file, session: 's' });
    expect(facts(world, 'tool.failed')).toEqual([]);
    expect(facts(world, 'tool.succeeded')).toEqual([
      expect.objectContaining({ data: expect.objectContaining({ response: { a: 1 } }) }),
    ]);
  });

  test('gets the summary and the sizes that the transcript has of a compaction', () => {
    const world = new World();
    const script = new Script();
    world.hook(
      hook('PostCompact', { trigger: 'manual', compact_summary: 'S', prompt_id: 'p1' }),
      undefined,
    );
    const file = world.put(
      's.jsonl',
      script.boundary() + script.summary('The whole of it: S', 'p1'),
    );
    world.reconcile({ path: file, session: 's' });
    expect(facts(world, 'compaction.finished').map(({ data }) => data)).toEqual([
      {
        trigger: 'manual',
        summary: 'The whole of it: S',
        promptId: 'p1',
        kept: { uuids: [], files: 0 },
      },
    ]);
  });

  test('gets its place also when it waited in the inbox until this very append', () => {
    const world = new World();
    const script = new Script();
    world.hook(
      hook('PreToolUse', { tool_name: 'Bash', tool_use_id: 't1', tool_input: {} }),
      undefined,
      true,
    );
    world.hook(submitted('Go.', 'p1'), undefined, true);
    const file = world.put(
      's.jsonl',
      script.prompt('Go.', 'p1') + script.calls('t1') + script.result('t1'),
    );
    expect(world.reconcile({ path: file, session: 's' })).toMatchObject({ added: 1, enriched: 2 });
    for (const type of ['prompt.submitted', 'tool.called']) {
      expect(facts(world, type)).toEqual([
        expect.objectContaining({ source: 'hook', trace: expect.anything() }),
      ]);
    }
  });
});

describe('one reading after the other', () => {
  test('keeps the names of prompts that were queued behind one that was read before', () => {
    const world = new World();
    const script = new Script();
    const file = world.put('s.jsonl', script.prompt('Go.', 'p1') + script.says('I go.'));
    world.reconcile({ path: file, session: 's' });
    world.hook(submitted('And this.', 'p1'), undefined);
    appendFileSync(file, script.queued('And this.'));
    // The first is there by the transcript alone, so the hook may be its own, late.
    expect(world.reconcile({ path: file, session: 's' })).toMatchObject({ added: 1 });
    appendFileSync(file, script.queued('And that.'));
    world.hook(submitted('And that.', 'p1'), undefined);
    world.reconcile({ path: file, session: 's' });
    expect(prompts(world)).toEqual(['Go.', 'And this.', 'And that.']);
  });

  test('keeps those behind a task notification, too', () => {
    const world = new World();
    const script = new Script();
    const notified = script.prompt('<task-notification>done', 'p2');
    const file = world.put('s.jsonl', script.prompt('Go.', 'p1') + notified);
    world.reconcile({ path: file, session: 's' });
    world.hook(submitted('And this.', 'p2'), undefined);
    appendFileSync(file, script.queued('And this.'));
    expect(world.reconcile({ path: file, session: 's' })).toMatchObject({ added: 0, enriched: 1 });
    expect(prompts(world)).toEqual(['Go.', 'And this.']);
  });

  test('never stands between a compaction’s boundary and its summary', () => {
    const world = new World();
    const script = new Script();
    const file = world.put('s.jsonl', script.prompt('Go.', 'p1') + script.boundary());
    world.reconcile({ path: file, session: 's' });
    expect(facts(world, 'compaction.finished')).toEqual([]);
    appendFileSync(file, script.summary('S', 'p2'));
    world.reconcile({ path: file, session: 's' });
    expect(facts(world, 'compaction.finished').map(({ data }) => data)).toEqual([
      expect.objectContaining({ trigger: 'manual', summary: 'S', promptId: 'p2' }),
    ]);
  });

  test('counts a message’s tokens once, wherever it was cut and however often it was read', () => {
    const script = new Script();
    const parts = [
      script.prompt('Go.', 'p1'),
      script.part('m', 'One.', 100),
      script.part('m', 'Two.', 100),
      script.part('m', 'Three.', 120),
      script.part('n', 'Four.', 7),
    ];
    const states = parts.map((_, cut) => {
      const world = new World();
      const file = world.put('s.jsonl', parts.slice(0, cut).join(''));
      world.reconcile({ path: file, session: 's' });
      appendFileSync(file, parts.slice(cut).join(''));
      world.reconcile({ path: file, session: 's' });
      const told = world.events().length;
      world.import(file);
      expect(world.events()).toHaveLength(told);
      return world.states.at(usage, 's').state;
    });
    expect(states[0]).toMatchObject({ messages: 2, total: { inputTokens: 127 }, contextTokens: 7 });
    for (const state of states) expect(state).toEqual(states[0]);
  });

  test('knows whose answer comes, when it is one of our own tools’', () => {
    const world = new World();
    const script = new Script();
    const file = world.put('s.jsonl', script.calls('t1', 'mcp__ben10__ben10_log', {}));
    world.reconcile({ path: file, session: 's' });
    appendFileSync(file, script.result('t1', 'recalled words'));
    world.reconcile({ path: file, session: 's' });
    expect(JSON.stringify(world.events())).not.toContain('recalled words');
  });

  test('finds where the conversation was rewound, whenever its parts were read', () => {
    const script = new Script();
    const before = script.prompt('Go.', 'p1') + script.says('Good.');
    const dead = script.prompt('Wrong.', 'p2') + script.says('A dead end.');
    script.rewind(2);
    const live = script.prompt('Right.', 'p3') + script.says('That works.');
    for (const cuts of [[], [before.length], [before.length + dead.length]]) {
      const world = new World();
      const file = world.put('s.jsonl', '');
      let done = 0;
      for (const cut of [...cuts, undefined]) {
        appendFileSync(file, (before + dead + live).slice(done, cut));
        done = cut ?? done;
        world.reconcile({ path: file, session: 's' });
      }
      const { conversation } = world.states.at(context, 's').state;
      expect(conversation.messages.map(({ content }) => content)).toEqual([
        'Go.',
        'Good.',
        'Right.',
        'That works.',
      ]);
      expect(conversation.abandonedCount).toBe(2);
    }
  });

  test('keeps side chains of old clients together', () => {
    const world = new World();
    const script = new Script();
    const chain = { isSidechain: true };
    const file = world.put('s.jsonl', script.prompt('Look.', 'p1', { ...chain, parentUuid: null }));
    world.reconcile({ path: file, session: 's' });
    appendFileSync(file, script.says('I looked.', chain));
    world.reconcile({ path: file, session: 's' });
    const agents = facts(world, 'message.recorded').map(({ agent }) => agent);
    expect(agents).toEqual(['sidechain-s-1', 'sidechain-s-1']);
  });
});

describe('a reading that has to stop', () => {
  const long = (script: Script, n: number): string =>
    Array.from({ length: n }, (_, i) => script.says(`${i}`)).join('');

  test('stops behind a batch when its time is up, and goes on from there', () => {
    const world = new World();
    const file = world.put('s.jsonl', long(new Script(), 600));
    const first = world.reconcile({ path: file, session: 's' }, { hasToStop: () => true });
    expect(first).toMatchObject({ complete: false, added: 256 });
    expect(readings(world)).toEqual([
      expect.objectContaining({ partial: true, overlapping: true }),
    ]);
    expect(world.reconcile({ path: file, session: 's' })).toMatchObject({
      complete: true,
      from: first!.to,
      added: 344,
    });
    expect(readings(world).at(-1)).not.toHaveProperty('partial');
    const ids = world.events().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('stops in a replaced file of which everything is known, and does not begin again', () => {
    const world = new World();
    const script = new Script();
    const filler = `${JSON.stringify({ type: 'mode', x: 'x'.repeat(1024 * 1024) })}\n`.repeat(9);
    const file = world.put('s.jsonl', long(script, 10));
    world.reconcile({ path: file, session: 's' });
    writeFileSync(file, filler + long(new Script(), 10));
    const first = world.reconcile({ path: file, session: 's' }, { hasToStop: () => true });
    expect(first).toMatchObject({ complete: false, added: 0 });
    const second = world.reconcile({ path: file, session: 's' }, { hasToStop: () => true });
    expect(second?.from).toBe(first?.to);
    // Behind the cursor the journal knows everything, though no hook told it.
    expect(world.reconcile({ path: file, session: 's' })).toMatchObject({
      complete: true,
      added: 0,
    });
    const ids = world.events().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('says that it reached the end, even when the last batch ended there', () => {
    const world = new World();
    const file = world.put('s.jsonl', long(new Script(), 256));
    world.reconcile({ path: file, session: 's' });
    expect(readings(world).map(({ partial }) => partial)).toEqual([true, undefined]);
  });

  test('moves the cursor past much bookkeeping', () => {
    const world = new World();
    const script = new Script();
    const file = world.put('s.jsonl', long(script, 1));
    world.reconcile({ path: file, session: 's' });
    appendFileSync(
      file,
      `${JSON.stringify({ type: 'mode', x: 'x'.repeat(1024 * 1024) })}\n`.repeat(5),
    );
    world.reconcile({ path: file, session: 's' });
    expect(readings(world)).toHaveLength(2 + 1);
    expect(world.reconcile({ path: file, session: 's' })?.records).toBe(0);
  });
});

describe('a transcript with records of another session', () => {
  test('brings them in once, however often it is read', () => {
    const world = new World();
    const earlier = new Script('before');
    const script = new Script();
    const own = world.put('s.jsonl', script.prompt('Go.', 'p1'));
    const other = world.put('before.jsonl', earlier.prompt('Start.', 'p0'));
    world.reconcile({ path: other, session: 'before' });
    world.reconcile({ path: own, session: 's' });
    appendFileSync(own, new Script('before').prompt('Start.', 'p0'));
    expect(world.reconcile({ path: own, session: 's' })).toMatchObject({ added: 0 });
    appendFileSync(own, earlier.prompt('More.', 'p9'));
    expect(world.reconcile({ path: own, session: 's' })).toMatchObject({ added: 1 });
    expect(world.states.facts('before', ['prompt.submitted'])).toHaveLength(2);
  });
});

test('a prompt that is larger than an event may be is found, named and folded all the same', () => {
  const world = new World();
  const script = new Script();
  const log = 'a line of a log\n'.repeat(10_000);
  world.hook(submitted(`Never do this: ${log}`, 'p1'), undefined);
  world.hook(submitted(`Never do this: ${log}`, 'p1'), undefined);
  const file = world.put(
    's.jsonl',
    script.prompt(`Never do this: ${log}`, 'p1') + script.says(log),
  );
  expect(world.reconcile({ path: file, session: 's' })).toMatchObject({ added: 1, enriched: 1 });
  const { state } = world.states.at(context, 's');
  expect(state.conversation.messages.map(({ content }) => content.slice(0, 9))).toEqual([
    'Never do ',
    'a line of',
  ]);
  expect(state.conversation.messages[0]?.tokenCount).toBeGreaterThan(40_000);
});

test('hostile names of sessions, agents and calls change nothing but themselves', () => {
  const world = new World();
  for (const name of [
    '__proto__',
    'constructor',
    'toString',
    '../../x',
    'a\0b',
    '\ud800',
    'x'.repeat(5000),
  ]) {
    const fields = { session_id: name, agent_id: name, tool_use_id: name, tool_name: name };
    world.hook(
      { ...hook('PreToolUse', fields), session_id: name, tool_input: { file_path: name } },
      undefined,
    );
    world.hook({ ...hook('PostToolUse', fields), session_id: name, tool_response: {} }, undefined);
    const record = { type: 'user', sessionId: name, agentId: name, promptId: name, uuid: name };
    const file = world.put(
      'hostile.jsonl',
      `${JSON.stringify({ ...record, message: { content: 'Hi' } })}\n`,
    );
    world.reconcile({ path: file, session: name.slice(0, 200).toWellFormed(), agent: name });
  }
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  for (const session of new Set(world.events().map((one) => one.session))) {
    expect(() => world.states.at(context, session)).not.toThrow();
    expect(() => world.states.at(cursors, session)).not.toThrow();
  }
});

describe('a client that names no prompts', () => {
  const post = (summary: string) =>
    hook('PostCompact', { trigger: 'manual', compact_summary: `<summary>${summary}</summary>` });
  const summaries = (world: World): unknown[] =>
    facts(world, 'compaction.finished').map(({ data }) => (data as CompactionFinished).summary);

  test('tells one compaction, whether its hook or its transcript says so first, and in which words', () => {
    const world = new World();
    const script = new Script();
    world.now = Date.parse(at(0));
    const compacted = (summary: string) =>
      script.boundary() + script.summary(`All of it: ${summary}`);
    const file = world.put('s.jsonl', '');
    const read = () => world.reconcile({ path: file, session: 's' });
    world.hook(hook('PreCompact', { trigger: 'manual' }), undefined);
    appendFileSync(file, compacted('one'));
    read();
    world.hook(post('one'), undefined);
    world.hook(post('one'), undefined);
    expect(summaries(world)).toEqual(['All of it: one']);
    world.now = Date.parse(at(10));
    world.hook(hook('PreCompact', { trigger: 'manual' }), undefined);
    world.hook(post('two'), undefined);
    appendFileSync(file, compacted('two'));
    read();
    expect(summaries(world)).toEqual(['All of it: one', 'All of it: two']);
  });

  test('tells one that its transcript has only of the compactions before', () => {
    const world = new World();
    const script = new Script();
    world.now = Date.parse(at(60));
    world.hook(hook('PreCompact', { trigger: 'manual' }), undefined);
    const file = world.put('s.jsonl', script.boundary() + script.summary('One.'));
    world.reconcile({ path: file, session: 's' });
    world.hook(post('two'), undefined);
    expect(summaries(world)).toEqual(['One.', '<summary>two</summary>']);
  });

  test('tells the same prompt again when something was done in between, also where no transcript is', () => {
    const world = new World();
    const tool = { tool_name: 'Bash', tool_use_id: 't1', tool_input: {} };
    const say = (text = 'Go on.') => world.hook(submitted(text), undefined);
    const own = (n: number) => Array.from({ length: n }, () => 'Go on.');
    say();
    say();
    expect(prompts(world)).toEqual(own(1));
    world.hook(hook('Stop'), undefined);
    say();
    say();
    expect(prompts(world)).toEqual(own(2));
    world.hook(hook('PreToolUse', tool), undefined);
    say();
    expect(prompts(world)).toEqual(own(3));
    // Each of them is one of the transcript that turns up.
    const script = new Script();
    const told = Array.from({ length: 3 }, () => script.prompt('Go on.') + script.says('Done.'));
    const file = world.put('s.jsonl', told.join(''));
    world.reconcile({ path: file, session: 's' });
    expect(prompts(world)).toEqual(own(3));
  });
});
