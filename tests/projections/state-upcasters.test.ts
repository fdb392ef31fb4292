import { expect, test } from 'vitest';
import { BASED } from '../../src/projections/based.ts';
import { context } from '../../src/projections/folds/context.ts';
import { evidence } from '../../src/projections/folds/evidence.ts';
import { upcastState } from '../../src/projections/state-upcasters.ts';
import { contextSchema } from '../../src/timetravel/state-schema.ts';

/** The first version of which states were stored for good. */
const FIRST = 5;

test('a way leads from every version that was stored for good to the newest', () => {
  const { cleared: _, ...oldest } = context.initial();
  for (let version = FIRST; version <= context.version; version += 1)
    expect(upcastState('context', oldest, version, context.version)).toBeDefined();
  expect(upcastState('context', oldest, FIRST, context.version)).toEqual(context.initial());
});

/** The versions of which states were kept first when old events could be dropped. */
const BASED_FIRST: Record<string, number> = {
  context: FIRST,
  cursors: 4,
  sessions: 3,
  'recent-sessions': 3,
  injected: 1,
  evidence: 2,
  'recall-use': 1,
  workspace: 1,
};

test.each([...BASED.project, ...BASED.session])(
  'a way leads to the newest $name from every version that stands for dropped events',
  ({ name, version, initial }) => {
    expect(Object.keys(BASED_FIRST)).toContain(name);
    for (let from = BASED_FIRST[name]!; from <= version; from += 1)
      expect(upcastState(name, initial(), from, version), `${name} ${from}`).toBeDefined();
  },
);

test('files and preferences of an older state are brought up, files also in what a clear set aside', () => {
  const file = {
    path: '/p/a.ts',
    reads: 1,
    edits: 2,
    lastAction: 'created',
    lastAt: 1,
    lastSeq: 2,
    changedSeq: 2,
    linesAdded: 1,
    linesRemoved: 0,
    agents: [''],
  };
  const files = {
    files: { '/p/a.ts': file },
    open: { t: { action: 'read', path: '/p/b', lines: null } },
    dropped: 0,
  };
  const aside = { ...context.initial(), files };
  const old = { ...aside, cleared: { upto: 1, at: 2, aside } };
  old.preferences = { rules: [{ text: 'Never use globals.', seq: 3, at: 4, pos: null }] } as never;
  const state = contextSchema.parse(upcastState('context', old, 6, context.version));
  for (const one of [state, state.cleared!.aside])
    expect(one.files.files['/p/a.ts']).toMatchObject({ ...file, lastTool: 'Write', known: null });
  expect(state.preferences.rules).toEqual([
    {
      text: 'Never use globals.',
      seq: 3,
      at: 4,
      pos: null,
      key: '3.1',
      seqs: [3],
      count: 1,
    },
  ]);
});

test('what is no state, or of another projection or an unknown version, has no way', () => {
  for (const state of [null, 1, 'x', []])
    expect(upcastState('context', state, FIRST, context.version)).toBeUndefined();
  expect(upcastState('tools', {}, FIRST, FIRST + 1)).toBeUndefined();
  expect(upcastState('constructor', {}, FIRST, FIRST + 1)).toBeUndefined();
  expect(upcastState('context', {}, FIRST - 1, context.version)).toBeUndefined();
});

test('evidence of before questions waited for their answers has none that waits', () => {
  const { asked: _, ...old } = evidence.initial();
  expect(upcastState('evidence', old, 3, evidence.version)).toEqual(evidence.initial());
});

test('messages of an older state are about no task, also in what a clear set aside', () => {
  const message = {
    id: 'm',
    seq: 1,
    role: 'user',
    content: 'Go on.',
    timestamp: 1,
    tokenCount: 2,
    metadata: { toolCalls: ['Bash ls'], fileReferences: ['/p/a.ts'] },
    pos: null,
  };
  const { conversation } = context.initial();
  const aside = { ...context.initial(), conversation: { ...conversation, messages: [message] } };
  const old = { ...aside, cleared: { upto: 1, at: 2, aside } };
  const state = contextSchema.parse(upcastState('context', old, 13, context.version));
  for (const one of [state, state.cleared!.aside])
    expect(one.conversation.messages).toEqual([
      { ...message, metadata: { ...message.metadata, taskReferences: [] } },
    ]);
});

test('a sub-agent of before its report had a time has one that is not known', () => {
  const old = { agent: 'a1', toolCalls: 2, result: 'Done.', seq: 7, pos: null };
  const state = context.initial();
  const before = { ...state, conversation: { ...state.conversation, subagents: [old] } };
  const now = contextSchema.parse(
    upcastState('context', { ...before, cleared: { upto: 1, at: 2, aside: before } }, 13, 14),
  );
  for (const one of [now, now.cleared!.aside])
    expect(one.conversation.subagents).toEqual([{ ...old, at: 0 }]);
});

test('states of before the end of a turn could be a message stay as they are, and hear of the next one', () => {
  const { said: _, ...old } = evidence.initial();
  expect(upcastState('evidence', old, 6, evidence.version)).toEqual(evidence.initial());
  const state = context.initial();
  expect(upcastState('context', state, 14, context.version)).toEqual(state);
});
