/** @module-tag long */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { inMemory, json } from '../../cli/support.ts';
import { folder } from '../../support.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures');
const SESSIONS = {
  'a session of two files': 'transcripts/claude-2.1.329-real-todo-app/transcript.jsonl',
  'a session of 26 files and a compaction':
    'transcripts/claude-2.1.39-auto-compact/258c7280-ae70-4798-800f-63464d01a85d.jsonl',
  'a session of an early client': 'transcripts/claude-v1.0.17-long-edit-session.jsonl',
  'a session of the real client':
    'real-client/working-session/projects/-home-dev-todo-app/30b880a7-fe98-4d0f-a93b-90cbba457205.jsonl',
};

type Json = Record<string, unknown>;

interface Block extends Json {
  type: string;
  id: string;
  name: string;
  input: { file_path?: string; notebook_path?: string; content?: string } & Json;
  tool_use_id: string;
  is_error?: boolean;
}

/** A reading of the client's own file that knows nothing of ben10: what each file was and became, and the last call that made it so. */
interface Told {
  before: string | undefined;
  after: string;
  call: string;
  tool: string;
}

function filesOf(transcript: string): Map<string, Told> {
  const files = new Map<string, Told>();
  const calls = new Map<string, Block>();
  // A resumed session has some of them twice.
  const answered = new Set<string>();
  let cwd: string | undefined;
  for (const line of readFileSync(transcript, 'utf8').split('\n').filter(Boolean)) {
    const record = JSON.parse(line) as Json & { cwd?: string; toolUseResult?: Json };
    cwd ??= record.cwd;
    const { content } = (record.message ?? {}) as { content?: unknown };
    for (const block of (Array.isArray(content) ? content : []) as Block[]) {
      if (block.type === 'tool_use') calls.set(block.id, block);
      if (block.type !== 'tool_result' || block.is_error === true) continue;
      if (answered.has(block.tool_use_id)) continue;
      answered.add(block.tool_use_id);
      const call = calls.get(block.tool_use_id);
      const file = call?.input.file_path ?? call?.input.notebook_path;
      if (call === undefined || file === undefined) continue;
      const result = record.toolUseResult ?? {};
      const known = files.get(file);
      let after: string | undefined;
      // What becomes of a notebook nobody is told.
      if (call.name === 'NotebookEdit') after = `${known?.after} `;
      if (call.name === 'Write') after = call.input.content;
      if (call.name === 'Edit') {
        const from = (result.originalFile as string | undefined) ?? known?.after;
        const {
          old_string: old,
          new_string: fresh,
          replace_all: all,
        } = call.input as Record<string, string>;
        if (from !== undefined)
          after = all ? from.replaceAll(old!, () => fresh!) : from.replace(old!, () => fresh!);
      }
      if (after === undefined) continue;
      const original = result.originalFile as string | null | undefined;
      const first =
        call.name === 'Edit'
          ? (original ?? undefined)
          : result.type === 'update'
            ? 'before\n'
            : undefined;
      const before = known === undefined ? first : known.before;
      files.set(file, { before, after, call: call.id, tool: call.name });
    }
  }
  return new Map(Array.from(files, ([file, told]) => [path.relative(cwd!, file), told]));
}

interface Diff {
  items: {
    label: string;
    status: string;
    cause: {
      seq: number;
      tool: string;
      outside: boolean;
      prompt: { number: number; text: string } | null;
    } | null;
  }[];
}

const run = (dir: string, ...args: string[]) => inMemory(dir, args);

function written(dir: string, files: Iterable<readonly [string, string | undefined]>): void {
  for (const [name, text] of files) {
    if (text === undefined) continue;
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), text);
  }
}

/** A project as it was before a session, with a snapshot of all; then the session is taken in, and the files are as it left them. */
async function lived(transcript: string): Promise<{ dir: string; files: Map<string, Told> }> {
  const files = new Map([...filesOf(transcript)].filter(([name]) => !name.startsWith('..')));
  const dir = folder({});
  mkdirSync(path.join(dir, '.ben10'), { mode: 0o700 });
  written(
    dir,
    Array.from(files, ([name, { before }]) => [name, before] as const),
  );
  await run(dir, 'pack', 'create', 'all', '--budget', 'none');
  await run(dir, 'pack', 'add', 'all', 'glob:**/*');
  expect((await run(dir, 'pack', 'snapshot', 'all', '--name', 'before')).code).toBe(0);
  const done = await run(dir, 'import', transcript);
  expect(done.code, done.stderr).toBe(0);
  written(
    dir,
    Array.from(files, ([name, { after }]) => [name, after] as const),
  );
  return { dir, files };
}

const eventAt = async (dir: string, seq: number) =>
  json<{ data: { toolUseId: string } }>(await run(dir, 'show', `@${seq}`, '--json'));

describe('what changed a file, between a snapshot and now', () => {
  it.each(Object.entries(SESSIONS))(
    'is the last call that changed it, for every file of %s',
    async (_, name) => {
      const { dir, files } = await lived(path.join(FIXTURES, name));
      const shown = await run(dir, 'pack', 'diff', 'all', '--json');
      expect(shown.code, shown.stderr).toBe(1);
      const { items } = json<Diff>(shown);
      expect(items.length).toBeGreaterThan(0);
      const changed = [...files]
        .filter(([, { before, after }]) => before !== after)
        .map(([file]) => file);
      expect(items.map(({ label }) => label).toSorted()).toEqual(changed.toSorted());
      for (const { label, cause, status } of items) {
        const told = files.get(label)!;
        expect({ label, tool: cause?.tool }).toEqual({ label, tool: told.tool });
        expect((await eventAt(dir, cause!.seq)).data.toolUseId).toBe(told.call);
        expect(status).toBe(told.before === undefined ? 'added' : 'changed');
        expect({ label, outside: cause!.outside }).toEqual({ label, outside: false });
      }
    },
  );

  it('has the prompt that asked for it, which the point of its name stands before', async () => {
    const { dir } = await lived(path.join(FIXTURES, SESSIONS['a session of the real client']));
    const { items } = json<Diff>(await run(dir, 'pack', 'diff', 'all', '--json'));
    for (const { cause } of items) {
      const { number, text } = cause!.prompt!;
      const { stdout: log } = await run(
        dir,
        'log',
        '--type',
        'prompt.submitted',
        '--json',
        '--limit',
        '50',
      );
      expect(log).toContain(text.slice(0, 20));
      const there = await run(dir, 'replay', `@prompt:${number}`);
      expect(there.code, there.stderr).toBe(0);
    }
    const { stdout: lines } = await run(dir, 'pack', 'diff', 'all');
    expect(lines).toMatch(/changed by Edit @\d+ \(".+", @prompt:\d+\)/);
  });

  it('is told apart from what happened after it outside', async () => {
    const { dir, files } = await lived(path.join(FIXTURES, SESSIONS['a session of two files']));
    const [name, { after }] = [...files][0]!;
    writeFileSync(path.join(dir, name), `${after}\n// by hand\n`);
    const { items } = json<Diff>(await run(dir, 'pack', 'diff', 'all', '--json'));
    expect(items.find(({ label }) => label === name)!.cause!.outside).toBe(true);
    expect((await run(dir, 'pack', 'diff', 'all')).stdout).toContain(
      'something that was not recorded',
    );
  });

  it('is nothing where the session lies before the snapshot, or ends behind the second one', async () => {
    const { dir, files } = await lived(path.join(FIXTURES, SESSIONS['a session of two files']));
    await run(dir, 'pack', 'snapshot', 'all', '--name', 'after');
    const [name] = [...files][0]!;
    writeFileSync(path.join(dir, name), 'by hand\n');
    const since = json<Diff>(await run(dir, 'pack', 'diff', 'after', '--json'));
    expect(since.items).toMatchObject([{ label: name, status: 'changed', cause: null }]);
    rmSync(path.join(dir, name));
    const between = json<Diff>(await run(dir, 'pack', 'diff', 'before', 'after', '--json'));
    expect(between.items.map(({ cause }) => cause?.outside)).toEqual(
      between.items.map(() => false),
    );
  });
});
