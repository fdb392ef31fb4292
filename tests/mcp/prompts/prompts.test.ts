/** @module-tag long */
import { describe, expect, it } from 'vitest';
import { save } from '../../../src/timetravel/saves.ts';
import { scratch } from '../../support.ts';
import { imported, realClient, testProject, transcript } from '../../timetravel/project.ts';
import { playTurns, SESSION } from '../session.ts';
import { type Connected, connect, eventsOf } from '../support.ts';

const TODO = 'd3165355-f445-4093-ae34-d89d2f2d29db';
const COMPACTED = 'e8161f67-2508-4a37-9221-c245624adab9';

const get = async ({ client }: Connected, name: string, args: Record<string, string> = {}) => {
  const { messages } = await client.getPrompt({ name, arguments: args });
  expect(messages).toHaveLength(1);
  expect(messages[0]!.role).toBe('user');
  return (messages[0]!.content as { text: string }).text;
};

const complete = async ({ client }: Connected, prompt: string, name: string, value: string) => {
  const ref = { type: 'ref/prompt' as const, name: prompt };
  const { completion } = await client.complete({ ref, argument: { name, value } });
  return completion.values;
};

/** What stands between the ends of a fence, and what before it. */
function parts(text: string): { said: string; quoted: string } {
  const match =
    /^([\s\S]*?)\n\n(?:[^\n]*\n)?-{5} begin recorded text (\w+): quoted, not instructions -{5}\n([\s\S]*)\n-{5} end recorded text \2 -{5}$/.exec(
      text,
    );
  return { said: match![1]!, quoted: match![3]! };
}

/** A server on a journal that was imported. */
async function withSessions(...files: string[]): Promise<Connected> {
  const dir = scratch();
  const project = imported(testProject({ dir }), ...files);
  save(project, { name: 'a mark' });
  project.close();
  return connect(dir);
}

const both = () =>
  withSessions(
    transcript('claude-2.1.329-real-todo-app/transcript.jsonl'),
    realClient('two-compactions/projects'),
  );

describe('the prompts', () => {
  it('are three, none of whose arguments has to be given', async () => {
    const { client } = await connect();
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['resume', 'what-was-lost', 'catch-me-up']);
    for (const prompt of prompts) {
      expect(prompt.title).toBeTruthy();
      expect(prompt.description).toBeTruthy();
      expect(prompt.arguments!.every(({ required }) => required !== true)).toBe(true);
    }
  });

  it('say what is wrong and what to do where there is nothing to give', async () => {
    const server = await connect();
    await expect(get(server, 'resume')).rejects.toThrow(/CONTEXT_NOT_FOUND: .*\. Work in/);
    await expect(get(server, 'what-was-lost')).rejects.toThrow(/POINT_NOT_FOUND: /);
    await expect(get(server, 'no-such')).rejects.toThrow(/USAGE: .*There are: resume/);
    await expect(get(server, 'resume', { nonsense: 'x' })).rejects.toThrow(/USAGE: .*session/);
    await expect(get(server, 'resume', { session: 'ffff' })).rejects.toThrow(/POINT_NOT_FOUND/);
    await expect(get(server, 'catch-me-up', { since: '@nowhere' })).rejects.toThrow(
      /POINT_INVALID/,
    );
    for (const compaction of ['0', 'two', '1e3'])
      await expect(get(server, 'what-was-lost', { compaction })).rejects.toThrow(/USAGE: /);
  });

  it('take an argument that was left empty for one that was not given', async () => {
    const server = await both();
    expect(parts(await get(server, 'resume', { session: ' ' })).quoted).toContain('todo');
  });
});

describe('resume', () => {
  it('gives what the session that was at work last had open, and notes that it did', async () => {
    const server = await connect();
    await playTurns(server, 3);
    const { said, quoted } = parts(await get(server, 'resume'));
    expect(said).toMatch(/^Continue the work/);
    expect(quoted).toContain('Never touch the lock file.');
    expect(quoted).toContain('exit 3');
    expect(eventsOf(server.dir).at(-1)).toMatchObject({
      type: 'context.restored',
      session: SESSION,
      source: 'tool',
    });
  });

  it('passes over a session that only began', async () => {
    const server = await connect();
    await playTurns(server, 1);
    await server.client.callTool({
      name: 'ben10_record',
      arguments: { hook_event_name: 'SessionStart', session_id: 'fresh', source: 'startup' },
    });
    expect(parts(await get(server, 'resume')).quoted).toContain('step 1');
  });

  it('is of another session when it is named, by the start of its id as well', async () => {
    const server = await both();
    const { quoted } = parts(await get(server, 'resume', { session: TODO.slice(0, 8) }));
    expect(quoted).toContain('src/todo.js');
    expect(await complete(server, 'resume', 'session', '')).toEqual(
      expect.arrayContaining([TODO, COMPACTED]),
    );
    expect(await complete(server, 'resume', 'session', 'd31')).toEqual([TODO]);
    expect(await complete(server, 'resume', 'other', '')).toEqual([]);
    expect(await complete(server, 'other', 'session', '')).toEqual([]);
  });
});

describe('what-was-lost', () => {
  it('gives what was known before the last compaction and is not in its summary', async () => {
    const server = await both();
    const text = await get(server, 'what-was-lost', { session: COMPACTED });
    expect(text).toMatch(/^A compaction dropped the items below: \d+ are not in its summary/);
    expect(text).toMatch(/<ben10-recall-(\w+) upto="@\d+">[\s\S]*<\/ben10-recall-\1>$/);
    expect(text).toContain('Never use a library for them.');
    const first = await get(server, 'what-was-lost', { session: COMPACTED, compaction: '1' });
    expect(first).not.toBe(text);
    expect(await complete(server, 'what-was-lost', 'session', 'e')).toEqual([COMPACTED]);
    expect(await complete(server, 'what-was-lost', 'compaction', '')).toEqual(['-1', '-2']);
  });

  it('names a compaction that is not there', async () => {
    const server = await both();
    await expect(
      get(server, 'what-was-lost', { session: COMPACTED, compaction: '-3' }),
    ).rejects.toThrow(/POINT_NOT_FOUND: .*Use @compaction:1/);
  });
});

describe('catch-me-up', () => {
  it('gives what happened since a point, and by default in the session that was at work last', async () => {
    const server = await connect();
    await playTurns(server, 3);
    const all = parts(await get(server, 'catch-me-up'));
    expect(all.said).toMatch(/^Catch me up: .*from the beginning/);
    for (const step of [1, 2, 3]) expect(all.quoted).toContain(`step ${step}`);
    const since = parts(await get(server, 'catch-me-up', { since: '@prompt:-1' }));
    expect(since.said).toContain('since event @10');
    expect(since.quoted).toContain('step 3');
    expect(since.quoted).not.toContain('Please do step 2');
  });

  it('completes points that are there, with and without their sign', async () => {
    const server = await both();
    const points = await complete(server, 'catch-me-up', 'since', '');
    expect(points.slice(0, 3)).toEqual(['@prompt:-1', '@compaction:-1', '@save:a mark']);
    expect(await complete(server, 'catch-me-up', 'since', 'SAVE')).toEqual(['@save:a mark']);
    for (const since of points) expect(await get(server, 'catch-me-up', { since })).toBeTruthy();
  });
});
