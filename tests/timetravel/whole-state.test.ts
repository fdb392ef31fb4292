import { describe, expect, test } from 'vitest';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { nodeFs } from '../../src/platform/fs.ts';
import { type ContextState, context } from '../../src/projections/folds/context.ts';
import { replay } from '../../src/timetravel/replay.ts';
import { decoders, realPorts } from '../support.ts';
import { saw, tell } from '../tell.ts';
import { imported, statesOf, testProject, transcript } from './project.ts';

function todo() {
  const file = transcript('claude-2.1.329-real-todo-app/transcript.jsonl');
  const { projection, version, state } = replay(imported(testProject(), file));
  return { projection, version, state: state as ContextState };
}

describe('the state of a recorded session', () => {
  test('says of which folder it is, since when, until when, and in which version', () => {
    const { projection, version, state } = todo();
    expect({ projection, version }).toEqual({ projection: 'context', version: context.version });
    expect(state.directory).toMatch(/^\//);
    const times = state.conversation.messages.map(({ timestamp }) => timestamp);
    expect(state.createdAt).toBeLessThanOrEqual(Math.min(...times));
    expect(state.updatedAt).toBeGreaterThanOrEqual(Math.max(...times));
  });

  test('has of every message who said it, when, in how many tokens, and what was called and touched with it', () => {
    const { conversation, files, tasks } = todo().state;
    const { messages } = conversation;
    expect(messages).toHaveLength(16);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
    expect(new Set(messages.map(({ role }) => role))).toEqual(
      new Set(['user', 'assistant', 'system']),
    );
    for (const { id, content, timestamp, tokenCount } of messages) {
      expect(id).toMatch(/^[0-9a-f]{32}$/);
      expect(Number.isInteger(timestamp)).toBe(true);
      expect(tokenCount > 0).toBe(content !== '');
    }
    const calls = messages.flatMap(({ metadata }) => metadata.toolCalls);
    expect(calls.length).toBeGreaterThan(5);
    const touched = messages.flatMap(({ metadata }) => metadata.fileReferences);
    expect(touched.length).toBeGreaterThan(0);
    expect(Object.keys(files.files)).toEqual(expect.arrayContaining([...new Set(touched)]));
    const about = messages.flatMap(({ metadata }) => metadata.taskReferences);
    expect(new Set(about)).toEqual(new Set(Object.keys(tasks.tasks)));
    expect(about.length).toBeGreaterThan(0);
  });

  test('has the summary that the conversation was replaced by', () => {
    const { summary, compactions } = todo().state.conversation;
    expect(compactions).toHaveLength(1);
    expect(summary!.startsWith(compactions[0]!.summary.slice(0, 100))).toBe(true);
  });

  test('has every call with what it was about and what came of it', () => {
    const { runs, total } = todo().state.tools;
    expect(runs).toHaveLength(total);
    expect(runs[0]).toMatchObject({ name: 'Read', about: '/home/dev/todo-app/src/todo.js' });
    expect(new Set(runs.map(({ outcome }) => outcome))).toEqual(new Set(['passed', 'failed']));
    const failed = runs.find(({ outcome, name }) => outcome === 'failed' && name === 'Bash')!;
    expect(failed.exitCode).toBeGreaterThan(0);
    for (const { seq, outcomeSeq, at } of runs) {
      expect(outcomeSeq).toBeGreaterThan(seq);
      expect(Number.isInteger(at)).toBe(true);
    }
  });
});

/** Of each event; together some megabytes. */
const TEXT = 'a line of what the agent said. '.repeat(300);

/** The bytes that a process reads for the newest state of a context with so many messages before its checkpoint. */
function bytesToOpen(messages: number): { journal: number; read: number } {
  const project = testProject();
  const told = (from: number, to: number) => {
    const data = { role: 'assistant', kind: 'text', text: TEXT } as const;
    const at = (n: number) => 1_795_250_000_000 + (from + n) * 60_000;
    const said = Array.from({ length: to - from }, (_, n) =>
      saw('message.recorded', data, { at: at(n) }),
    );
    tell(project, ...said);
  };
  for (let n = 0; n < messages; n += 100) told(n, n + 100);
  project.states.checkpoint(context, 's');
  told(messages, messages + 5);
  let read = 0;
  const fs = {
    ...nodeFs,
    read: (fd: number, into: Uint8Array, position: number) => {
      const bytes = nodeFs.read(fd, into, position);
      read += bytes;
      return bytes;
    },
  };
  const ports = { ...realPorts, fs };
  const reader = new JournalReader(ports, project.root, decoders);
  const { state } = statesOf({ ports, layout: project.layout, reader }).at(context, 's');
  expect(state.conversation.messageCount).toBe(messages + 5);
  const journal = reader.segments().reduce((sum, one) => sum + nodeFs.stat(one.path).size, 0);
  return { journal, read };
}

test('is opened by reading its newest checkpoint and what came after, however long it is', () => {
  const [short, long] = [bytesToOpen(400), bytesToOpen(2000)];
  expect(long.journal).toBeGreaterThan(4 * short.journal);
  expect(long.read).toBeLessThan(1.5 * short.read);
});
