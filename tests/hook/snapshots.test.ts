/** @module-tag long */
import { readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SnapshotCompleted, SnapshotCreated } from '../../src/events/types.ts';
import { readEvents } from '../../src/projections/events.ts';
import { listSnapshots } from '../../src/timetravel/snapshots/indexed.ts';
import { openTestProject, scratch } from '../support.ts';
import { loadSnapshot } from '../timetravel/snapshots/support.ts';
import { HookedSession } from './hooked-session.ts';
import { runHook } from './run-hook.ts';

type Json = Record<string, unknown>;

/** A session whose records reach its transcript at once. */
class Client extends HookedSession {
  answer(text: string, inputTokens: number): void {
    const usage = {
      input_tokens: inputTokens,
      output_tokens: 5,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    };
    const content = [{ type: 'text', text }];
    const id = `m ${text}`;
    this.writes({
      type: 'assistant',
      message: { id, model: 'm', role: 'assistant', content, usage },
    });
  }

  /** @returns its uuid */
  writes(fields: Json): string {
    const line = this.record(fields);
    this.write(line);
    return (JSON.parse(line) as { uuid: string }).uuid;
  }

  summary(metadata: Json): void {
    this.write(...this.compacted('We worked.', metadata));
  }

  async work(): Promise<void> {
    await this.hook('SessionStart', { source: 'startup' });
    await this.hook('UserPromptSubmit', { prompt: 'Always write ISO dates.', prompt_id: 'p1' });
    this.answer('I will.', 1000);
  }

  data<T>(type: string): T[] {
    const project = openTestProject(this.dir);
    return [...readEvents(project.reader, project.ports.xxh64, { types: [type] })].map(
      (event) => event.data as T,
    );
  }

  files(): string[] {
    return readdirSync(path.join(this.dir, '.ben10/compaction-snapshots'));
  }
}

const model = (content: Json) => ({
  type: 'assistant',
  message: { id: 'm', model: 'm', role: 'assistant', content: [content] },
});
const spoken = (text: string) => model({ type: 'text', text });
const calling = (id: string, command: string) =>
  model({ type: 'tool_use', id, name: 'Bash', input: { command } });
const answering = (id: string, content: string) => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
});

describe('the hooks around a compaction', () => {
  it('store the whole state before it, and what it left of the context behind it', async () => {
    const client = new Client();
    await client.work();
    expect(await client.hook('PreCompact', { trigger: 'auto' })).toBe('');
    const [made] = client.data<SnapshotCreated>('snapshot.created');
    // The transcript is read first: the answer, and what it says of tokens, are in it.
    expect(made).toMatchObject({ trigger: 'threshold', before: { tokens: 1000, messages: 2 } });
    expect(client.data('snapshot.completed')).toEqual([]);

    client.summary({ trigger: 'auto', preTokens: 1000, postTokens: 50 });
    await client.hook('SessionStart', { source: 'compact' });
    await client.hook('PostCompact', { trigger: 'auto', compact_summary: 'We worked.' });
    expect(client.data<SnapshotCompleted>('snapshot.completed')).toEqual([
      {
        snapshot: made!.snapshot,
        after: { tokens: 50, messages: 1, files: 0, toolExecutions: 0 },
      },
    ]);
    const project = openTestProject(client.dir);
    expect(listSnapshots(project).snapshots).toMatchObject([
      { id: made!.snapshot, session: 's', trigger: 'threshold', ratio: 0.05, pinned: false },
    ]);
    const loaded = loadSnapshot(project, made!.snapshot);
    expect(loaded.notes).toEqual([]);
    expect(loaded.state.preferences.rules.map(({ text }) => text)).toEqual([
      'Always write ISO dates.',
    ]);
    const file = path.join(client.dir, '.ben10', made!.file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  });

  it('know what somebody asked for, and complete it at the session’s start when no more comes', async () => {
    const client = new Client();
    await client.work();
    await client.hook('PreCompact', { trigger: 'manual' });
    await client.hook('SessionStart', { source: 'compact' });
    expect(client.data<SnapshotCreated>('snapshot.created')[0]!.trigger).toBe('manual');
    expect(client.data<SnapshotCompleted>('snapshot.completed')).toMatchObject([
      { after: { messages: 1 } },
    ]);
    // A start that is no compaction's has nothing to complete.
    const other = new Client();
    await other.work();
    await other.hook('PreCompact', { trigger: 'manual' });
    await other.hook('SessionStart', { source: 'resume' });
    expect(other.data('snapshot.completed')).toEqual([]);
  });

  it('take the tokens of the next answer where the client told none', async () => {
    const client = new Client();
    await client.work();
    await client.hook('PreCompact', { trigger: 'manual' });
    client.summary({ trigger: 'manual', preTokens: 1000 });
    await client.hook('SessionStart', { source: 'compact' });
    await client.hook('PostCompact', { trigger: 'manual', compact_summary: 'We worked.' });
    expect(listSnapshots(openTestProject(client.dir)).snapshots).toMatchObject([{ ratio: null }]);
    client.answer('Going on.', 250);
    await client.hook('Stop');
    expect(listSnapshots(openTestProject(client.dir)).snapshots).toMatchObject([
      { after: { tokens: 250, messages: 1 }, ratio: 0.25 },
    ]);
  });

  it('count what the client says it kept, and gave back, once its transcript was read', async () => {
    const client = new Client();
    await client.work();
    const kept = [client.writes(spoken('I will look.')), client.writes(calling('t1', 'make test'))];
    kept.push(client.writes(answering('t1', 'ok')));
    await client.hook('PreCompact', { trigger: 'auto' });
    // The client tells its hooks before it writes.
    await client.hook('SessionStart', { source: 'compact' });
    await client.hook('PostCompact', {
      trigger: 'auto',
      compact_summary: 'We worked.',
      prompt_id: 'p1',
    });
    expect(listSnapshots(openTestProject(client.dir)).snapshots).toMatchObject([
      { after: { messages: 1, files: 0, toolExecutions: 0 }, ratio: null },
    ]);
    client.summary({
      trigger: 'auto',
      preTokens: 2000,
      postTokens: 500,
      preservedMessages: { uuids: kept, allUuids: [...kept, 'u0'] },
    });
    for (const file of ['a.ts', 'b.ts'])
      client.writes({ type: 'attachment', attachment: { type: 'file', filename: file } });
    client.answer('Going on.', 250);
    await client.hook('Stop');
    const { snapshots } = listSnapshots(openTestProject(client.dir));
    expect(snapshots).toMatchObject([
      {
        before: { tokens: 2000 },
        after: { tokens: 500, messages: 2, files: 2, toolExecutions: 1 },
        ratio: 0.25,
        tokensBy: 'client',
      },
    ]);
  });

  it('keep as many as the settings say, and none where they say so', async () => {
    const client = new Client();
    await client.work();
    const config = path.join(client.dir, '.ben10/config.yaml');
    writeFileSync(config, 'context:\n  compactionSnapshots:\n    retentionCount: 2\n');
    for (let n = 0; n < 4; n += 1) await client.hook('PreCompact', { trigger: 'auto' });
    const made = client.data<SnapshotCreated>('snapshot.created');
    expect(client.files().sort()).toEqual(made.slice(2).map(({ file }) => path.basename(file)));
    expect(client.data('snapshot.removed')).toEqual(
      made.slice(0, 2).map(({ snapshot }) => ({ snapshot, why: 'count' })),
    );
    writeFileSync(config, 'context:\n  compactionSnapshots:\n    enabled: false\n');
    await client.hook('PreCompact', { trigger: 'auto' });
    expect(client.data('snapshot.created')).toHaveLength(4);
    expect(client.data('compaction.started')).toHaveLength(5);
  });

  it('never stop the agent: what cannot be stored is one line on stderr', async () => {
    const client = new Client();
    await client.work();
    const folder = path.join(client.dir, '.ben10/compaction-snapshots');
    rmSync(folder, { recursive: true, force: true });
    symlinkSync(scratch(), folder);
    const input = { hook_event_name: 'PreCompact', session_id: 's', cwd: client.dir };
    const run = await runHook(client.dir, 'PreCompact', { ...input, trigger: 'auto' });
    expect(run).toMatchObject({ code: 0, stdout: '' });
    expect(run.stderr).toMatch(/^ben10: the snapshot of the context failed: JOURNAL_UNSAFE: .+\n$/);
    expect(client.data('compaction.started')).toHaveLength(1);
    expect(client.data('snapshot.created')).toEqual([]);
  });
});

describe('the hook at the end of a turn', () => {
  it('stores the state when it is about to let messages go that no snapshot has', async () => {
    const client = new Client();
    const turn = async (answers: number) => {
      for (let n = 0; n < answers; n += 1) client.answer(`Step ${n} is done.`, 1000);
      expect(await client.hook('Stop')).toBe('');
    };
    const made = () =>
      client.data<SnapshotCreated>('snapshot.created').map(({ trigger }) => trigger);
    await client.work();
    await turn(100);
    expect(made()).toEqual([]);
    await turn(100);
    expect(made()).toEqual(['memory_pressure']);
    await turn(100);
    expect(made()).toHaveLength(1);
    await turn(100);
    expect(made()).toEqual(['memory_pressure', 'memory_pressure']);

    const project = openTestProject(client.dir);
    const { snapshots } = listSnapshots(project);
    const messages = snapshots.flatMap(
      ({ id }) => loadSnapshot(project, id).state.conversation.messages,
    );
    expect(new Set(messages.map(({ id }) => id)).size).toBe(402);
  });

  it('leaves a snapshot of its own alone when a compaction that it was not taken for is over', async () => {
    const client = new Client();
    await client.work();
    for (let n = 0; n < 160; n += 1) client.answer(`Step ${n} is done.`, 1000);
    await client.hook('Stop');
    expect(client.data('snapshot.created')).toHaveLength(1);
    client.summary({ trigger: 'auto', preTokens: 1000, postTokens: 100 });
    await client.hook('PostCompact', { trigger: 'auto', compact_summary: 'We worked.' });
    expect(client.data('snapshot.completed')).toEqual([]);
  });
});
