import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { takenLines } from '../../src/cli/ui/taken.ts';
import { coloursOf } from '../../src/cli/ui/terminal.ts';
import { takeJob } from '../../src/handoff/job.ts';
import { verified } from '../../src/handoff/of-project.ts';
import { verdictLines } from '../../src/handoff/orient.ts';
import { takeByHand, takeCheckpoint } from '../../src/handoff/take.ts';
import { listSegments } from '../../src/journal/format/layout.ts';
import { readView } from '../../src/monitor/view.ts';
import { loadConfig } from '../../src/platform/config.ts';
import type { Project } from '../../src/project/open.ts';
import { hooked, runHook } from '../hook/run-hook.ts';
import { GIT_ENV } from '../packs/repository.ts';
import { errorOf, openTestProject, scratch } from '../support.ts';
import { saw, tell } from '../tell.ts';
import { atWork, documentsIn, eventsOf, see, textOf, works } from './at-work.ts';
import { git } from './random-repository.ts';

beforeEach(() => {
  for (const [name, value] of Object.entries(GIT_ENV)) vi.stubEnv(name, value);
});

const FULL = path.join(import.meta.dirname, 'full.cjs');
const { config } = loadConfig({ projectDir: '/nowhere', env: {} });
const take = (project: Project, trigger: 'turn-end' | 'tool' | 'alert', more: object = {}) =>
  takeCheckpoint(
    project,
    { session: 's', trigger, source: 'hook', cwd: project.dir, ...more },
    config,
  );

/** Each way to a checkpoint that is due. */
const WAYS: Record<string, (project: Project) => unknown> = {
  'the tool': (project) => take(project, 'tool'),
  'the end of a turn': ({ dir }) => hooked(dir, 'Stop'),
  'a turn that failed': ({ dir }) => hooked(dir, 'StopFailure'),
  'the end of the session': ({ dir }) => hooked(dir, 'SessionEnd'),
  'a compaction': ({ dir }) => hooked(dir, 'PreCompact', { trigger: 'auto' }),
  'the server': (project) =>
    takeJob.run(project, { config, waiting: 0, signal: AbortSignal.timeout(60_000) }),
};

describe('a checkpoint of the work', () => {
  it.each(Object.keys(WAYS))('is one commit and one document, by %s', async (way) => {
    const project = atWork();
    const { dir } = project;
    see(dir);
    await WAYS[way]!(project);
    const [file, ...others] = documentsIn(dir);
    expect(others).toEqual([]);
    expect(git(dir, ['log', '-1', '--format=%s'])).toBe('[WIP] ANV-123 - checkpoint\n');
    const [created] = eventsOf(project, 'handoff.created');
    expect(created?.data).toMatchObject({ file: `.claude/handoffs/${file}`, percent: 86 });
    const [wip] = eventsOf(project, 'wip.committed');
    expect(wip?.data).toMatchObject({ commit: git(dir, ['rev-parse', 'HEAD']).trim(), files: 2 });
    expect(git(dir, ['status', '--porcelain'])).toBe('?? .claude/\n');
  });

  it('is taken once over all ways, and again where the work went on to L3 or a compaction', {
    tags: 'long',
  }, async () => {
    const project = atWork();
    const { dir } = project;
    see(dir);
    for (const way of Object.values(WAYS).slice(1)) await way(project);
    expect(documentsIn(dir)).toHaveLength(1);
    see(dir, { level: 'L3', checkpoint: { state: 'taken', at: 1, handoff: 'x' } });
    await hooked(dir, 'Stop');
    expect(documentsIn(dir)).toHaveLength(1);
    works(project);
    await hooked(dir, 'Stop');
    await hooked(dir, 'Stop');
    expect(documentsIn(dir)).toHaveLength(2);
    works(project);
    for (const way of ['a compaction', 'a compaction', 'the end of the session'])
      await WAYS[way]!(project);
    expect(documentsIn(dir)).toHaveLength(3);
    const created = eventsOf(project, 'handoff.created').map(
      ({ data }) => data as { level: string; previous?: string; checkpoint: string },
    );
    expect(created.map(({ level }) => level)).toEqual(['L2', 'L3', 'C']);
    expect(created.map(({ previous }) => previous)).toEqual([
      undefined,
      created[0]!.checkpoint,
      created[1]!.checkpoint,
    ]);
  });

  it.each([
    ['at once at L3', 96, 0, 1],
    ['a minute after the alert at L2', 86, 61_000, 1],
    ['not before', 86, 50_000, 0],
  ])('is taken behind a tool call where no server runs: %s', async (_, percent, told, taken) => {
    const project = atWork();
    const { dir } = project;
    const usage = { input_tokens: percent * 2000, output_tokens: 1 };
    const message = { id: 'm', role: 'assistant', model: 'claude-opus-4-6', content: [], usage };
    const transcript_path = path.join(dir, '.ben10/transcript.jsonl');
    const record = { type: 'assistant', uuid: 'u', parentUuid: null, message };
    writeFileSync(transcript_path, `${JSON.stringify(record)}\n`);
    const alert = {
      level: 'L2',
      epoch: 'start',
      event: 'PostToolUse',
      to: 'model',
      chars: 1,
    } as const;
    tell(project, saw('context.alerted', alert, { at: Date.now() - told }));
    const called = async (id: string) => {
      const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: id };
      const answer = await hooked(dir, 'PostToolUse', { ...call, transcript_path });
      return answer === '' ? {} : JSON.parse(answer);
    };
    const answers = [await called('a'), await called('b')];
    expect(answers.map((one) => Object.keys(one))).toEqual(
      percent > 95 ? [['hookSpecificOutput'], []] : taken ? [['systemMessage'], []] : [[], []],
    );
    expect(documentsIn(dir)).toHaveLength(taken);
    expect(eventsOf(project, 'checkpoint.begun').map(({ data }) => data)).toMatchObject(
      Array.from({ length: taken }, () => ({
        trigger: 'alert',
        level: percent > 95 ? 'L3' : 'L2',
      })),
    );
  });

  it('is taken once by hooks that come at the same time', { tags: 'long' }, async () => {
    for (let n = 0; n < 5; n += 1) {
      const project = atWork();
      see(project.dir);
      const hooks = ['Stop', 'Stop', 'SessionEnd', 'Stop'].map((event) =>
        hooked(project.dir, event),
      );
      await Promise.all(hooks);
      await hooked(project.dir, 'Stop');
      expect(documentsIn(project.dir)).toHaveLength(1);
      expect(eventsOf(project, 'checkpoint.begun')).toHaveLength(1);
    }
  });

  it('is told to the user with path and command, and never to the model', async () => {
    const project = atWork();
    see(project.dir);
    const said = await hooked(project.dir, 'Stop');
    const [file] = documentsIn(project.dir);
    const { systemMessage, ...others } = JSON.parse(said);
    expect(systemMessage).toMatch(`ben10: handoff .claude/handoffs/${file}; work in progress: `);
    expect(systemMessage).toMatch(/Next session: \/orient$/);
    expect(others).toEqual({});
    // What the status line reads, without another hook.
    expect(readView(project.root, 's')?.checkpoint).toMatchObject({ state: 'ready' });
    // A compaction takes whatever is printed for instructions.
    works(project);
    expect(await hooked(project.dir, 'PreCompact', { trigger: 'auto' })).toBe('');
    expect(documentsIn(project.dir)).toHaveLength(2);
  });

  it('waits for nothing where none is due', async () => {
    const project = atWork();
    see(project.dir, {
      level: 'L1',
      checkpoint: { state: 'none', at: null, handoff: null },
    });
    for (const event of ['Stop', 'SessionEnd']) expect(await hooked(project.dir, event)).toBe('');
    see(project.dir, {
      checkpoint: { state: 'due', at: null, dueSince: Date.now(), handoff: null },
    });
    expect(
      await takeJob.run(project, { config, waiting: 0, signal: AbortSignal.timeout(60_000) }),
    ).toBe(false);
    expect(documentsIn(project.dir)).toEqual([]);
  });

  it('has what the user gives along, may leave the commit out, and comes as often as they ask', () => {
    const project = atWork();
    const by = { session: 's', trigger: 'manual', source: 'cli', cwd: project.dir } as const;
    const first = takeByHand(
      project,
      { ...by, nextSteps: ['Parse the date'], isWipOff: true },
      config,
    );
    expect(first.wip).toBeNull();
    expect(textOf(project.dir, first.file)).toContain('Parse the date');
    const second = takeByHand(project, { ...by, note: 'x' }, config);
    expect(second.wip?.files).toBe(2);
    expect(documentsIn(project.dir)).toHaveLength(2);
    expect(statSync(path.join(project.dir, first.file)).mode & 0o777).toBe(
      0o666 & ~process.umask(),
    );
  });

  it('is written without git where that is missing or slow, and says so', () => {
    for (const script of [undefined, '#!/bin/sh\nsleep 60\n']) {
      const project = atWork();
      const bin = scratch();
      if (script !== undefined) writeFileSync(path.join(bin, 'git'), script, { mode: 0o755 });
      vi.stubEnv('PATH', `${bin}:${script === undefined ? '' : '/bin:/usr/bin'}`);
      see(project.dir);
      // At the end of a turn the next hook tries again.
      const taken =
        take(project, 'turn-end', { gitMs: 300 }) ?? take(project, 'turn-end', { gitMs: 300 });
      expect(taken?.notCommitted).toMatch(/^git /);
      expect(documentsIn(project.dir)).toHaveLength(1);
      vi.stubEnv('PATH', GIT_ENV.PATH);
    }
  });

  it('refuses a folder that leads out of the project, and claims nothing', async () => {
    const project = atWork();
    const elsewhere = scratch();
    symlinkSync(elsewhere, path.join(project.dir, '.claude'));
    see(project.dir);
    expect(errorOf(() => take(project, 'turn-end')).code).toBe('FS_WRITE_ERROR');
    expect(readdirSync(elsewhere)).toEqual([]);
    const stop = await runHook(project.dir, 'Stop', {
      hook_event_name: 'Stop',
      session_id: 's',
      cwd: project.dir,
    });
    expect([stop.code, stop.stdout]).toEqual([0, '']);
    expect(stop.stderr).toMatch(/^ben10: no checkpoint was taken: .*leads out of the project/);
    expect(eventsOf(project, 'handoff.created')).toEqual([]);
    // The next session finishes it.
    rmSync(path.join(project.dir, '.claude'));
    await hooked(project.dir, 'SessionStart', { source: 'startup', session_id: 's2' });
    expect(documentsIn(project.dir)).toHaveLength(1);
    expect(eventsOf(project, 'wip.committed')).toHaveLength(1);
  });

  it('shows by its document, and by its commit alone, that the journal’s end was cut off', () => {
    const project = atWork();
    const { dir } = project;
    const [segment] = listSegments(project.ports.fs, project.layout);
    const whole = statSync(segment!.path).size;
    see(dir);
    const { file } = take(project, 'tool')!;
    project.close();
    truncateSync(segment!.path, whole);
    const cut = () => verified(openTestProject(dir), dir);
    expect(cut()).toMatchObject({ file, holds: false });
    expect(new Set(cut().checked.map(({ verdict }) => verdict))).toEqual(
      new Set(['foreign journal']),
    );
    rmSync(path.join(dir, file));
    expect(verdictLines(cut())).toEqual([
      expect.stringMatching(/^commit [0-9a-f]{12}, 1 claim: 0 hold$/),
      expect.stringMatching(/^ {2}foreign journal: the journal has no event @\d+: its end was cut/),
    ]);
    // It goes on behind the gap.
    for (let n = 0; n < 6; n += 1) works(openTestProject(dir));
    expect(cut().checked[0]?.why).toMatch(/its end was cut off$/);
  });

  it('commits nothing where its document has no place', () => {
    const unusable: [string, (folder: string) => void][] = [
      ['leads out of the project', (one) => symlinkSync(scratch(), one)],
      ['is no folder', (one) => symlinkSync('nowhere', one)],
      ['is no folder', (one) => writeFileSync(one, 'mine')],
    ];
    for (const [why, make] of unusable) {
      const project = atWork();
      const head = git(project.dir, ['rev-parse', 'HEAD']);
      mkdirSync(path.join(project.dir, '.claude'));
      make(path.join(project.dir, '.claude/handoffs'));
      see(project.dir);
      expect(errorOf(() => take(project, 'tool'))).toMatchObject({
        code: 'FS_WRITE_ERROR',
        message: expect.stringContaining(why),
      });
      expect(git(project.dir, ['rev-parse', 'HEAD'])).toBe(head);
      expect(git(project.dir, ['for-each-ref', 'refs/ben10'])).toBe('');
    }
  });

  it('names what its commit leaves out, to the user and in the document', () => {
    const project = atWork();
    const { dir } = project;
    writeFileSync(path.join(dir, 'token.txt'), `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}\n`);
    const taken = takeByHand(
      project,
      { session: 's', trigger: 'manual', source: 'cli', cwd: dir },
      config,
    );
    const lines = takenLines(taken, coloursOf(process.stdout, { NO_COLOR: '1' }));
    expect(lines[1]).toMatch(/^Committed 2 files .*, without token\.txt \(a secret is in it\)\.$/);
    expect(textOf(dir, taken.file)).toContain(
      '- Not in that commit: token.txt (a secret is in it)\n',
    );
  });

  it('claims nothing where the disk is full or read-only, and the next session finishes it', async () => {
    const calls = [
      'writeSync:.claude',
      'openSync:.claude',
      'mkdirSync:.claude',
      'mkdirSync:tmp_objdir',
    ];
    for (const [n, failing] of calls.entries()) {
      const project = atWork();
      see(project.dir);
      const code = n % 2 === 0 ? 'ENOSPC' : 'EROFS';
      const env = { NODE_OPTIONS: `--require ${FULL}`, FAILING: `${failing}:${code}` };
      const input = { hook_event_name: 'Stop', session_id: 's', cwd: project.dir };
      const stop = await runHook(project.dir, 'Stop', input, env);
      expect(stop.code).toBe(0);
      const isGit = failing.endsWith('objdir');
      expect(stop.stdout).toMatch(isGit ? /work in progress was not committed: E/ : /^$/);
      expect(eventsOf(project, 'handoff.created')).toHaveLength(isGit ? 1 : 0);
      if (!isGit) expect(stop.stderr).toMatch(/^ben10: no checkpoint was taken: /);
      await hooked(project.dir, 'SessionStart', { source: 'startup', session_id: 's2' });
      expect(documentsIn(project.dir)).toHaveLength(1);
      expect(eventsOf(project, 'handoff.created')).toHaveLength(1);
    }
  });

  it('is whole where the clock is set back meanwhile', () => {
    const project = atWork();
    see(project.dir);
    let now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => (now -= 60_000));
    const taken = take(project, 'turn-end');
    clock.mockRestore();
    expect(taken?.wip?.files).toBe(2);
    expect(take(project, 'turn-end')).toBeUndefined();
    expect(documentsIn(project.dir)).toHaveLength(1);
  });

  it('keeps the state for other tools in a file, and never reads it', async () => {
    const project = atWork();
    const file = path.join(project.dir, '.claude/checkpoint-state.json');
    writeFileSync(path.join(project.dir, '.ben10/config.yaml'), '');
    const start = Date.now() - 600_000;
    for (let n = 0; n < 3; n += 1) {
      const used = { outputTokens: 1, cacheCreationTokens: 0, cacheReadTokens: 0 };
      const data = { ...used, messageId: `m${n}`, inputTokens: 169_000 + n * 1500 };
      tell(project, saw('usage.sampled', data, { at: start + n * 60_000 }));
    }
    const told = {
      level: 'L2',
      epoch: 'start',
      event: 'PostToolUse',
      to: 'model',
      chars: 1,
    } as const;
    tell(project, saw('context.alerted', told, { at: Date.now() }));
    await hooked(project.dir, 'Stop');
    const state = JSON.parse(textOf(project.dir, '.claude/checkpoint-state.json'));
    const keys =
      'version sessionId startedAt currentLevel contextPercent contextTrend tokensPerMinute estimatedTimeToL2 linearIssue lastCheckpoint uncommittedChanges modifiedFiles';
    expect(Object.keys(state)).toEqual(keys.split(' '));
    expect(state).toMatchObject({
      version: '1.0.0',
      sessionId: 's',
      currentLevel: 'L2',
      contextPercent: 86,
      contextTrend: 'increasing',
      tokensPerMinute: 1500,
      linearIssue: 'ANV-123',
      lastCheckpoint: {
        handoffFile: `.claude/handoffs/${documentsIn(project.dir)[0]}`,
        reason: 'turn-end',
      },
    });
    writeFileSync(file, '{"currentLevel": "L9", "lastCheckpoint"');
    await hooked(project.dir, 'Stop');
    expect(JSON.parse(textOf(project.dir, '.claude/checkpoint-state.json'))).toEqual(state);
    rmSync(file);
    mkdirSync(file);
    expect(
      (await runHook(project.dir, 'Stop', { hook_event_name: 'Stop', session_id: 's' })).code,
    ).toBe(0);
    expect(existsSync(file)).toBe(true);
  });
});
