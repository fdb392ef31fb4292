/** @module-tag long */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type MonitorView, readView } from '../../src/monitor/view.ts';
import { takeSnapshot as takePackSnapshot } from '../../src/packs/kept/snapshots.ts';
import { packsOf, renderOf } from '../../src/packs/of-project.ts';
import { CONFIG_KEYS } from '../../src/platform/config/keys.ts';
import { takeSnapshot } from '../../src/timetravel/snapshots/take.ts';
import { git } from '../handoff/random-repository.ts';
import { hooked } from '../hook/run-hook.ts';
import { call, connect } from '../mcp/support.ts';
import { tokensOf } from '../packs/oracle.ts';
import { repository } from '../packs/repository.ts';
import { realPorts } from '../ports.ts';
import { saw, tell } from '../tell.ts';
import { imported, testProject } from '../timetravel/project.ts';
import { KEY, Linear } from '../tracker/linear-server.ts';
import { emptyProject, inMemory, json, recordedProject, SESSION, SESSION_ID } from './support.ts';

/** Each setting, changed by the program, and what the real hooks, server and commands then do in another way. */

const DAY_MS = 24 * 3600 * 1000;
const TOKEN = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';

async function set(dir: string, key: string, ...values: string[]): Promise<void> {
  const run = await inMemory(dir, ['config', 'set', key, ...values]);
  expect(run.stderr, key).not.toContain('ben10:');
  expect(run.code, key).toBe(0);
}

/** A hook with the home that `ben10` has here: whoever runs the tests may have settings of their own. */
async function hook(
  dir: string,
  event: string,
  more: Record<string, unknown> = {},
  env: Record<string, string> = {},
) {
  const home = { HOME: path.join(dir, 'no-home'), XDG_CONFIG_HOME: '' };
  return hooked(dir, event, more, { ...home, ...env });
}

let calls = 0;

async function toolCall(dir: string, name: string, input: unknown): Promise<void> {
  calls += 1;
  const of = { tool_name: name, tool_use_id: `toolu_${calls}`, tool_input: input };
  await hook(dir, 'PreToolUse', of);
}

const prompt = (dir: string, text: string): Promise<string> => {
  calls += 1;
  return hook(dir, 'UserPromptSubmit', { prompt: text, prompt_id: `p${calls}` });
};

interface Status {
  exists: boolean;
  checkpoints: { id: string }[];
  warnings: string[];
  journal: { events: number; segments: number };
}
const status = async (dir: string, env: Record<string, string> = {}): Promise<Status> =>
  json<Status>(await inMemory(dir, ['status', '--json'], { env }));

/** Everything below a folder that was written, but for the settings. */
const written = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/config\.(yaml|json)$/.test(name))
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');
const recorded = (dir: string): string => written(path.join(dir, '.ben10'));

/** Of three checkpoints, one for each prompt, how many are kept. */
async function threeCheckpoints(count: number, days: number): Promise<number> {
  const dir = emptyProject();
  await set(dir, 'context.historyRetentionCount', String(count));
  await set(dir, 'context.checkpointRetentionDays', String(days));
  for (let n = 0; n < 3; n += 1) {
    await prompt(dir, `prompt ${n}`);
    expect((await inMemory(dir, ['checkpoint'])).code).toBe(0);
  }
  return (await status(dir)).checkpoints.length;
}

/** A session with compactions in it, and the snapshots that are kept of it. */
async function compacted(times: number, ...settings: [string, string][]): Promise<string> {
  const dir = emptyProject();
  for (const [key, value] of settings) await set(dir, `context.compactionSnapshots.${key}`, value);
  for (let n = 0; n < times; n += 1) {
    await prompt(dir, `prompt ${n}: ${readFileSync(SESSION, 'utf8').slice(0, 20_000)}`);
    await hook(dir, 'PreCompact', { trigger: 'manual' });
  }
  expect((await inMemory(dir, ['compact'])).code).toBe(0);
  return dir;
}
/** Of a snapshot of two days ago and one that a hook takes now, how many are kept. */
async function beforeAnother(
  key: string,
  value: string,
  change: (file: string) => void,
): Promise<number> {
  const dir = emptyProject();
  await set(dir, `context.compactionSnapshots.${key}`, value);
  const then = Date.now() - 2 * DAY_MS;
  const clock = { ...realPorts.clock, now: () => then };
  const project = imported(testProject({ dir, ports: { clock } }), SESSION);
  takeSnapshot(project, { session: SESSION_ID, trigger: 'manual' });
  project.close();
  for (const file of snapshotFiles(dir)) {
    change(file);
    utimesSync(file, then / 1000, then / 1000);
  }
  await prompt(dir, 'one more');
  await hook(dir, 'PreCompact', { trigger: 'manual' });
  return snapshotFiles(dir).length;
}
const snapshotFiles = (dir: string): string[] => {
  const folder = path.join(dir, '.ben10/compaction-snapshots');
  return existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
};

async function serverSays(level: string): Promise<string> {
  const dir = emptyProject();
  await set(dir, 'mcp.logLevel', level);
  const server = await connect(dir);
  await call(server, 'ben10_record', {});
  // What it wrote by then is read once it has ended.
  await server.client.close();
  return server.stderr();
}

/** What the client gets at the end of a turn that used so many tokens of 200,000, and so many dollars. */
async function endOfTurn(dir: string, inputTokens: number, costUsd = 0): Promise<string> {
  const used = { outputTokens: 1, cacheCreationTokens: 0, cacheReadTokens: 0 };
  const data = { ...used, messageId: 'm1', model: 'claude-opus-4-1', inputTokens };
  const sample = {
    window: 200_000,
    windowFrom: 'client',
    percent: 1,
    via: 'statusline',
    costUsd,
  } as const;
  const project = testProject({ dir });
  const at = { session: 's', at: Date.now() };
  tell(project, saw('usage.sampled', data, at), saw('context.sampled', sample, at));
  project.close();
  return hook(dir, 'Stop');
}

/** What is seen of a session of 100,000 tokens in a window of 200,000. */
async function watched(key: string, ...values: string[]): Promise<MonitorView> {
  const dir = emptyProject();
  await set(dir, key, ...values);
  const used = { outputTokens: 1, cacheCreationTokens: 0, cacheReadTokens: 0 };
  const data = { ...used, messageId: 'm1', model: 'claude-opus-4-1', inputTokens: 100_000 };
  const project = testProject({ dir });
  tell(project, saw('usage.sampled', data, { session: 'session-1', at: Date.now() }));
  project.close();
  expect((await inMemory(dir, ['work', 'save', 'The parser, #7'])).code).toBe(0);
  await hook(dir, 'Stop', { session_id: 'session-1' });
  const view = readView(path.join(dir, '.ben10'), 'session-1');
  expect(view).toMatchObject({ percent: key === 'monitor.window' ? 25 : 50 });
  return view!;
}

/** A repository with a change, and what a checkpoint commits of it. */
async function committed(...setting: [string, string][]) {
  const dir = repository({ 'a.txt': 'a\n', '.gitignore': '.ben10/\n' });
  git(dir, ['checkout', '-q', '-b', 'work']);
  mkdirSync(path.join(dir, '.ben10'));
  for (const [key, value] of setting) await set(dir, key, value);
  const made: { files: string[]; wip: { mode: string } | null }[] = [];
  for (const text of ['b\n', 'c\n']) {
    writeFileSync(path.join(dir, 'a.txt'), text);
    await prompt(dir, text);
    const run = await inMemory(dir, ['checkpoint', '--handoff', '--json']);
    const { wip } = json<{ wip: { mode: string } | null }>(run);
    const files = git(dir, ['show', '--name-only', '--format=', 'HEAD']).trim().split('\n');
    made.push({ files, wip });
  }
  return made;
}

/** What Linear knows of a handoff of issue ENG-7. */
async function told(...settings: [string, string][]): Promise<Linear> {
  const dir = repository({ 'a.txt': 'a\n', '.gitignore': '.ben10/\n' });
  git(dir, ['checkout', '-q', '-b', 'ENG-7']);
  mkdirSync(path.join(dir, '.ben10'));
  const linear = await new Linear().listen();
  linear.issue('ENG-7');
  for (const setting of [['tracker.kind', 'linear'], ...settings] as const)
    await set(dir, ...(setting as [string, string]));
  await prompt(dir, 'a prompt');
  expect((await inMemory(dir, ['handoff', 'create', '--next', 'x'])).code).toBe(0);
  const env = { LINEAR_API_KEY: KEY, BEN10_LINEAR_URL: linear.url };
  await inMemory(dir, ['tracker', 'sync'], { env });
  return linear;
}

const ACTS: Record<string, () => Promise<void>> = {
  'monitor.levels.l1': async () => {
    expect(await watched('monitor.levels.l1', '40')).toMatchObject({ l1: 40, level: 'L1' });
  },
  'monitor.levels.l2': async () => {
    expect(await watched('monitor.levels.l2', '80')).toMatchObject({ l1: 70, l2: 80, level: 'L0' });
  },
  'monitor.levels.l3': async () => {
    expect(await watched('monitor.levels.l3', '90')).toMatchObject({ l2: 85, l3: 90 });
  },
  'monitor.stopHintAt': async () => {
    const told = async (at: string) => {
      const dir = emptyProject();
      await set(dir, 'monitor.stopHintAt', at);
      const todos = [{ content: 'a', status: 'completed' }];
      await toolCall(dir, 'TodoWrite', { todos });
      return endOfTurn(dir, 100_000);
    };
    expect(await told('50')).toContain('a good moment');
    for (const at of ['51', '0']) expect(await told(at)).toBe('');
  },
  'monitor.budgetUsd': async () => {
    const told = async (usd: string) => {
      const dir = emptyProject();
      await set(dir, 'monitor.budgetUsd', usd);
      return endOfTurn(dir, 2_000, 4);
    };
    expect(await told('4')).toContain('100% of its budget');
    expect(await told('0')).toBe('');
  },
  'monitor.window': async () => {
    expect((await watched('monitor.window', '400000')).window).toBe(400_000);
  },
  'monitor.compactAt': async () => {
    const known = { compactAt: 150_000, isCompactKnown: true };
    expect(await watched('monitor.compactAt', '150000')).toMatchObject(known);
    expect((await watched('monitor.compactAt', 'off')).compactAt).toBe(null);
  },
  'monitor.issuePattern': async () => {
    expect((await watched('monitor.issuePattern', '#[0-9]+')).issue).toBe('#7');
  },
  'monitor.wip': async () => {
    expect((await committed())[0]?.wip).toMatchObject({ mode: 'branch' });
    expect((await committed(['monitor.wip', 'ref']))[0]?.wip).toMatchObject({ mode: 'ref' });
    expect((await committed(['monitor.wip', 'off']))[0]?.wip).toBe(null);
  },
  'handoff.commit': async () => {
    const documents = async (...setting: [string, string][]) =>
      (await committed(...setting)).at(-1)!.files.filter((file) => file.endsWith('.md')).length;
    expect(await documents()).toBe(0);
    expect(await documents(['handoff.commit', 'true'])).toBe(1);
  },

  'tracker.kind': async () => {
    expect((await told()).comments).toHaveLength(1);
    expect((await told(['tracker.kind', 'none'])).asked).toEqual([]);
  },
  'tracker.send': async () => {
    expect((await told()).comments[0]!.body).toContain('# Session Handoff');
    const { comments } = await told(['tracker.send', 'summary']);
    expect(comments[0]!.body).not.toContain('# Session Handoff');
  },
  'tracker.label': async () => {
    expect((await told()).labels).toMatchObject([{ name: 'context-checkpointed' }]);
    expect((await told(['tracker.label', 'paused'])).labels).toMatchObject([{ name: 'paused' }]);
  },
  'tracker.linear.state': async () => {
    expect((await told()).issues).toMatchObject([{ state: 's-doing' }]);
    const { issues } = await told(['tracker.linear.state', 'in review']);
    expect(issues).toMatchObject([{ state: 's-review' }]);
  },

  'context.autoSave': async () => {
    const dir = emptyProject();
    await set(dir, 'context.autoSave', 'false');
    await prompt(dir, 'a prompt');
    await toolCall(dir, 'Bash', { command: 'ls' });
    expect((await status(dir)).journal.events).toBe(0);
    await set(dir, 'context.autoSave', 'true');
    await prompt(dir, 'a prompt');
    await toolCall(dir, 'Bash', { command: 'ls' });
    expect((await status(dir)).journal.events).toBe(2);
  },

  'context.autoRestore': async () => {
    const dir = recordedProject();
    const start = { source: 'startup' };
    expect(await hook(dir, 'SessionStart', start)).toContain('additionalContext');
    await set(dir, 'context.autoRestore', 'false');
    expect(await hook(dir, 'SessionStart', start)).toBe('');
  },

  'context.checkpointInterval': async () => {
    const stored = async (interval: string) => {
      const dir = emptyProject();
      await set(dir, 'context.checkpointInterval', interval);
      expect((await inMemory(dir, ['import', SESSION])).code).toBe(0);
      return (await status(dir)).checkpoints.length;
    };
    // The session has some twenty messages.
    expect(await stored('1000')).toBe(0);
    expect(await stored('5')).toBe(1);
  },

  'context.storageLocation': async () => {
    const dir = emptyProject();
    await set(dir, 'context.storageLocation', '.cache/ben10');
    await prompt(dir, 'a needle');
    await toolCall(dir, 'Bash', { command: 'echo hay' });
    expect(readdirSync(path.join(dir, '.ben10')).sort()).toEqual([
      'config.yaml',
      'hook-config.json',
    ]);
    expect(written(path.join(dir, '.cache/ben10'))).toContain('a needle');
    expect(readFileSync(path.join(dir, '.cache/ben10/.gitignore'), 'utf8')).toBe('*\n');
    expect((await status(dir)).journal.events).toBe(2);
    const server = await connect(dir);
    const answer = await call(server, 'ben10_status');
    expect(answer.structuredContent).toMatchObject({ journal: { events: 2 } });
    // A server that runs goes along, too.
    await set(dir, 'context.storageLocation', 'elsewhere');
    await prompt(dir, 'another');
    const later = await call(server, 'ben10_status');
    expect(later.structuredContent).toMatchObject({ journal: { events: 1 } });
  },

  'context.maxStorageMb': async () => {
    const dir = emptyProject();
    await toolCall(dir, 'Bash', { command: randomBytes(700_000).toString('hex') });
    await toolCall(dir, 'Bash', { command: randomBytes(700_000).toString('hex') });
    const limit = /more than context.maxStorageMb \(1\)/;
    expect((await status(dir)).warnings.join()).not.toMatch(limit);
    await set(dir, 'context.maxStorageMb', '1');
    expect((await status(dir)).warnings.join()).toMatch(limit);
    await prompt(dir, 'one more');
    expect((await status(dir)).journal.events).toBe(3);
  },

  'context.historyRetentionCount': async () => {
    expect(await threeCheckpoints(1, 0)).toBe(1);
    expect(await threeCheckpoints(2, 0)).toBe(2);
  },

  'context.checkpointRetentionDays': async () => {
    // Without a day it is the one that the count keeps, as above.
    expect(await threeCheckpoints(1, 1)).toBe(3);
  },

  'context.compactionSnapshots.enabled': async () => {
    expect(snapshotFiles(await compacted(1, ['enabled', 'false']))).toEqual([]);
  },

  'context.compactionSnapshots.retentionCount': async () => {
    expect(snapshotFiles(await compacted(2, ['retentionCount', '1']))).toHaveLength(1);
    expect(snapshotFiles(await compacted(2, ['retentionCount', '2']))).toHaveLength(2);
  },

  'context.compactionSnapshots.retentionDays': async () => {
    const kept = (days: string) => beforeAnother('retentionDays', days, () => undefined);
    expect(await kept('1')).toBe(1);
    expect(await kept('3')).toBe(2);
  },

  'context.compactionSnapshots.maxStorageMb': async () => {
    const kept = (megabytes: string) =>
      beforeAnother('maxStorageMb', megabytes, (file) =>
        writeFileSync(file, Buffer.alloc(1_500_000)),
      );
    expect(await kept('1')).toBe(1);
    expect(await kept('2')).toBe(2);
  },

  'context.compactionSnapshots.compressionLevel': async () => {
    const size = (dir: string) =>
      snapshotFiles(dir).reduce((sum, file) => sum + statSync(file).size, 0);
    const fast = size(await compacted(1, ['compressionLevel', '1']));
    const small = size(await compacted(1, ['compressionLevel', '19']));
    expect(small).toBeLessThan(fast);
  },

  'context.excludePatterns': async () => {
    const dir = emptyProject();
    const write = (name: string, content: string) =>
      toolCall(dir, 'Write', { file_path: path.join(dir, name), content });
    await write('api/.env', 'needle-1');
    await write('notes.txt', 'needle-2');
    await set(dir, 'context.excludePatterns', '*.txt');
    await write('other.txt', 'needle-3');
    await write('.env', 'needle-4');
    await hook(dir, 'PostToolUse', {
      tool_name: 'Read',
      tool_use_id: 'toolu_read',
      tool_input: { file_path: 'deep/other.txt' },
      tool_response: { type: 'text', file: { content: 'needle-5' } },
    });
    const all = recorded(dir);
    expect([1, 2, 3, 4, 5].filter((n) => all.includes(`needle-${n}`))).toEqual([2, 4]);
    // That it was written is still known.
    expect(all).toContain('other.txt');
  },

  'context.sensitiveRedaction': async () => {
    const dir = emptyProject();
    const secret = { command: `curl -H 'Authorization: Bearer ${TOKEN}'` };
    await toolCall(dir, 'Bash', secret);
    await prompt(dir, `the token is ${TOKEN}`);
    expect(recorded(dir)).not.toContain(TOKEN);
    await set(dir, 'context.sensitiveRedaction', 'false');
    await set(dir, 'redaction.patterns', '{"id":"MINE","pattern":"mine_[0-9]+"}');
    await toolCall(dir, 'Bash', secret);
    expect(recorded(dir)).toContain(TOKEN);
    // What users marked and named themselves stays out.
    await prompt(dir, 'mine_1234 <private>unsaid</private>');
    await toolCall(dir, 'Bash', { command: 'mine_5678 <private>unsaid</private>' });
    for (const own of ['mine_1234', 'mine_5678', 'unsaid']) {
      expect(recorded(dir)).not.toContain(own);
    }
  },

  'redaction.patterns': async () => {
    const dir = emptyProject();
    await toolCall(dir, 'Bash', { command: 'echo int_beef0000' });
    await set(dir, 'redaction.patterns', '[{"id":"internal","pattern":"int_[0-9a-f]{8}"}]');
    await toolCall(dir, 'Bash', { command: 'echo int_dead1111' });
    expect(recorded(dir)).toContain('int_beef0000');
    expect(recorded(dir)).not.toContain('int_dead1111');
  },

  'redaction.allow': async () => {
    const dir = emptyProject();
    const other = TOKEN.replace('16C7', '27D8');
    await set(dir, 'redaction.allow', TOKEN);
    await toolCall(dir, 'Bash', { command: `echo ${TOKEN} ${other}` });
    expect(recorded(dir)).toContain(TOKEN);
    expect(recorded(dir)).not.toContain(other);
  },

  'recall.maxChars': async () => {
    const dir = recordedProject();
    const chars = async () => (await hook(dir, 'SessionStart', { source: 'startup' })).length;
    const before = await chars();
    await set(dir, 'recall.maxChars', '500');
    expect(before).toBeGreaterThan(700);
    expect(await chars()).toBeLessThan(700);
  },

  'recall.steering': async () => {
    const dir = emptyProject();
    await prompt(dir, 'Never use globals.');
    const env = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's' };
    const compacts = () => hook(dir, 'PreCompact', { trigger: 'manual' }, env);
    expect(await compacts()).toContain('Never use globals.');
    await set(dir, 'recall.steering', 'false');
    expect(await compacts()).toBe('');
  },

  'recall.notice': async () => {
    const dir = recordedProject();
    const start = () => hook(dir, 'SessionStart', { source: 'startup' });
    expect(await start()).toMatch(/"systemMessage":"ben10: [^"]*\d tokens"/);
    await set(dir, 'recall.notice', 'false');
    expect(await start()).not.toContain('systemMessage');
  },

  'mcp.logLevel': async () => {
    expect(await serverSays('debug')).toMatch(/ben10 debug: ben10_record: answered in \d+ ms/);
    expect(await serverSays('info')).toBe('');
  },

  'mcp.profile': async () => {
    const dir = emptyProject();
    const offered = async () => {
      const { tools } = await (await connect(dir)).client.listTools();
      return tools.some(({ name }) => name === 'ctx_packs_render');
    };
    expect(await offered()).toBe(false);
    await set(dir, 'mcp.profile', 'core', 'packs');
    expect(await offered()).toBe(true);
  },

  'journal.segmentBytes': async () => {
    const segments = async (bytes: string) => {
      const dir = emptyProject();
      await set(dir, 'journal.segmentBytes', bytes);
      for (let n = 0; n < 3; n += 1) await prompt(dir, randomBytes(15_000).toString('hex'));
      return (await status(dir)).journal.segments;
    };
    expect(await segments('65536')).toBeGreaterThan(1);
    expect(await segments('8388608')).toBe(1);
  },

  'packs.budgetTokens': async () => {
    const dir = emptyProject();
    await set(dir, 'packs.budgetTokens', '1000');
    expect(await pack(dir, 'create', 'auth')).toMatchObject({ policy: { budgetTokens: 1000 } });
    writeFileSync(path.join(dir, 'a.txt'), 'word '.repeat(2000));
    expect((await pack(dir, 'preview', 'file:a.txt')).excluded).toMatchObject([
      { reason: 'too_large' },
    ]);
    await set(dir, 'packs.budgetTokens', '5000');
    expect((await pack(dir, 'preview', 'file:a.txt')).excluded).toEqual([]);
  },

  'packs.tokenizer': async () => {
    const dir = emptyProject();
    writeFileSync(path.join(dir, 'a.txt'), 'Größe, 大きさ, размер\n');
    const count = async () =>
      (await inMemory(dir, ['pack', 'preview', 'file:a.txt', '--count'])).stdout.trim();
    const text = async () =>
      (await pack<{ payload_text: string }>(dir, 'render', 'file:a.txt')).payload_text;
    expect(await count()).toBe(String(tokensOf(await text(), 'cl100k')));
    await set(dir, 'packs.tokenizer', 'o200k');
    expect(await count()).toBe(String(tokensOf(await text(), 'o200k')));
    expect(tokensOf(await text(), 'o200k')).not.toBe(tokensOf(await text(), 'cl100k'));
  },

  'packs.deny': async () => {
    const dir = emptyProject();
    writeFileSync(path.join(dir, 'dump.sql'), 'select 1;\n');
    await pack(dir, 'create', 'auth');
    await pack(dir, 'add', 'auth', 'dump.sql');
    await set(dir, 'packs.deny', '*.sql');
    expect((await pack(dir, 'preview', 'auth')).excluded).toMatchObject([{ reason: 'denied' }]);
    const refused = await inMemory(dir, ['pack', 'add', 'auth', 'dump.sql']);
    expect(refused.stderr).toContain('dump.sql is on the list of sensitive files (*.sql)');
  },

  'packs.keep': async () => {
    expect(await keptOfTwo('packs.keep', '1')).toBe(1);
    expect(await keptOfTwo('packs.keep', '2')).toBe(2);
  },

  'packs.keepDays': async () => {
    expect(await keptOfTwo('packs.keepDays', '1')).toBe(1);
    expect(await keptOfTwo('packs.keepDays', '3')).toBe(2);
  },

  'packs.commandTimeoutS': async () => {
    const dir = emptyProject();
    await set(dir, 'packs.commandTimeoutS', '1');
    await pack(dir, 'create', 'auth');
    await inMemory(dir, ['pack', 'add', 'auth', 'cmd:sleep 300', '--capture', '--yes']);
    expect((await pack(dir, 'show', 'auth')).artifacts).toMatchObject([
      { capture: { exit: null } },
    ]);
  },

  'packs.maxStorageMb': async () => {
    expect(await keptOfTwo('packs.maxStorageMb', '1', 20)).toBe(1);
    expect(await keptOfTwo('packs.maxStorageMb', '4', 20)).toBe(2);
  },

  ...Object.fromEntries(
    // What each makes of the same project's development context: how it is without it, and what is there with it.
    (
      [
        ['workspace.project.name', 'Infotainment', '- **Name:** Infotainment'],
        ['workspace.project.type', 'aosp', '- **Type:** aosp'],
        ['workspace.scripts.entryPoint', 'scripts/build.sh', '- **Build:** scripts/build.sh'],
        ['workspace.scripts.configDir', 'targets', '| emu | '],
        ['workspace.hints.default', 'Use the container.', '> Use the container.'],
        ['workspace.history.patterns', 'ls', '| `ls -la` |'],
      ] as const
    ).map(([key, value, shown]) => [
      key,
      async () => {
        const dir = await workspaceProject();
        expect(await devContext(dir)).not.toContain(shown);
        await set(dir, key, value);
        expect(await devContext(dir)).toContain(shown);
      },
    ]),
  ),

  'workspace.scripts.configPattern': async () => {
    const dir = await workspaceProject();
    await set(dir, 'workspace.scripts.configDir', 'targets');
    await set(dir, 'workspace.scripts.configPattern', 'other.*');
    expect(await devContext(dir)).not.toContain('| emu | ');
  },

  'workspace.containers.runtime': async () => {
    const dir = await workspaceProject();
    const bin = path.join(dir, 'bin');
    mkdirSync(bin);
    // Says that it was asked.
    const podman = `#!/bin/sh\ntouch ${dir}/asked\necho '[{"Names":["box"],"State":"running","Status":"Up"}]'\n`;
    writeFileSync(path.join(bin, 'podman'), podman, { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env.PATH}` };
    await set(dir, 'workspace.containers.runtime', 'none');
    expect(await devContext(dir, env)).not.toContain('- box (Up)');
    expect(existsSync(path.join(dir, 'asked'))).toBe(false);
    await set(dir, 'workspace.containers.runtime', 'podman');
    expect(await devContext(dir, env)).toContain('- box (Up)');
  },

  'workspace.history.enabled': async () => {
    const dir = await workspaceProject();
    expect(await devContext(dir)).toContain('## Recent Relevant Commands');
    await set(dir, 'workspace.history.enabled', 'false');
    expect(await devContext(dir)).not.toContain('## Recent Relevant Commands');
  },

  'workspace.history.maxEntries': async () => {
    const dir = await workspaceProject();
    expect(await devContext(dir)).toContain('`make one`');
    await set(dir, 'workspace.history.maxEntries', '1');
    expect(await devContext(dir)).not.toContain('`make one`');
    expect(await devContext(dir)).toContain('`make two`');
  },

  'workspace.git.enabled': async () => {
    const dir = await workspaceProject();
    expect(await devContext(dir)).toContain('## Git Status');
    await set(dir, 'workspace.git.enabled', 'false');
    expect(await devContext(dir)).not.toContain('## Git Status');
  },
};

/** What `ben10 pack` says for programs. */
async function pack<T = Record<string, unknown>>(dir: string, ...args: string[]): Promise<T> {
  const run = await inMemory(dir, ['pack', ...args, '--json']);
  expect(run.stderr, args.join(' ')).not.toContain('ben10:');
  return json<T>(run);
}

/** How many of two renderings that were given to a model are kept, the first of them two days old. */
async function keptOfTwo(key: string, value: string, texts = 1): Promise<number> {
  const dir = emptyProject();
  await set(dir, key, value);
  await pack(dir, 'create', 'auth', '--budget', 'none');
  for (const days of [2, 0]) {
    const clock = { ...realPorts.clock, now: () => Date.now() - days * DAY_MS };
    const project = testProject({ dir, ports: { clock } });
    // A text of random letters takes its size in a file, too.
    const sources = Array.from(
      { length: texts },
      () => `text:${randomBytes(40_000).toString('base64')}`,
    );
    const rendered = await renderOf(project, {
      packs: packsOf(project, sources),
      budgetTokens: null,
    });
    takePackSnapshot(project, rendered, { packs: ['auth'], auto: true, epoch: 0 }, 'tool');
    project.close();
  }
  expect((await inMemory(dir, ['compact'])).code).toBe(0);
  return (await pack<{ snapshots: unknown[] }>(dir, 'show', 'auth')).snapshots.length;
}

/** A repository with a build target, in which a session ran three commands. */
async function workspaceProject(): Promise<string> {
  const dir = emptyProject();
  mkdirSync(path.join(dir, 'targets'));
  writeFileSync(path.join(dir, 'targets/x.conf'), 'TARGET_NAME=emu\n');
  spawnSync('git', ['init', '-q'], { cwd: dir });
  await prompt(dir, 'Build it.');
  for (const command of ['make one', 'ls -la', 'make two'])
    await toolCall(dir, 'Bash', { command });
  return dir;
}

const devContext = async (dir: string, env: Record<string, string> = {}): Promise<string> => {
  const { code, stdout } = await inMemory(dir, ['context', '--level', 'full'], { env });
  expect(code).toBe(0);
  return stdout;
};

/** What takes more than a project of a few events to act. */
const ELSEWHERE: Record<string, string> = {
  'usage.prices': 'tests/cli/commands/usage.test.ts',
  'retention.events': 'tests/cli/commands/compact.test.ts',
  'workspace.watch': 'tests/mcp/looking.test.ts',
};

describe('a setting that is changed', () => {
  it.each(Object.entries(ACTS))('changes what the program does: %s', (_, act) => act(), 60_000);

  it('is shown to act, each of them', () => {
    const shown = [...Object.keys(ACTS), ...Object.keys(ELSEWHERE)];
    expect(shown.sort()).toEqual(CONFIG_KEYS.map(({ name }) => name).sort());
    for (const [name, file] of Object.entries(ELSEWHERE)) {
      const text = readFileSync(path.join(import.meta.dirname, '../..', file), 'utf8');
      expect(text).toContain(name.split('.').at(-1));
    }
  });

  it('acts in JSON as it does in YAML, and by a variable', async () => {
    const dir = emptyProject();
    const config = '{ "context": { "autoSave": false } }';
    writeFileSync(path.join(dir, '.ben10/config.json'), config, { mode: 0o600 });
    await prompt(dir, 'a prompt');
    expect((await status(dir)).journal.events).toBe(0);
    const env = {
      BEN10_CONTEXT_AUTO_SAVE: 'true',
      BEN10_CONTEXT_STORAGE_LOCATION: 'by/variable',
      BEN10_CONTEXT_EXCLUDE_PATTERNS: '*.txt, *.md',
      HOME: path.join(dir, 'no-home'),
    };
    const input = { file_path: 'a.md', content: 'needle' };
    const tool = { tool_name: 'Write', tool_use_id: 'x', tool_input: input };
    for (const event of ['SessionStart', 'PreToolUse']) await hooked(dir, event, tool, env);
    expect(written(path.join(dir, 'by/variable'))).toContain('a.md');
    expect(written(path.join(dir, 'by/variable'))).not.toContain('needle');
    expect((await status(dir, env)).journal.events).toBe(2);
  });
});
