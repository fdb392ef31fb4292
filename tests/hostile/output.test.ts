/** @module-tag long */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { openProject } from '../../src/project/open.ts';
import { ben10, inMemory, SESSION } from '../cli/support.ts';
import { runHook } from '../hook/run-hook.ts';
import { anEvent, NOON } from '../log/events.ts';
import { connect } from '../mcp/support.ts';
import { newEvent, realPorts, scratch } from '../support.ts';

/** What rewrites a terminal, hides from a person, or turns text around. A name may hold all of it but NUL and `/`. */
const NAME =
  'a\x1b[31mb\x1b]8;;http:x\x1b\\c\x1b]8;;\x07d\x9b2Je\x9dtitle\x9cf\x07\b\x7f\r' +
  '\u202eg\u2066h\u200bi\u200dj\ufeffk\u{e0041}l\u2028m\u00adn\ufff9o\x1bcp\x1bPq\x1b\\r';
const TEXT = `${NAME}\0s/../../etc/passwd`;

/** Of all that a terminal obeys or a person does not see, only line ends and tabs are let through. */
const FORBIDDEN =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;

/** What in a text is not clean, with what stands before it; undefined when it is. */
function uncleanIn(text: string, which: string): string | undefined {
  const found = FORBIDDEN.exec(text);
  if (found === null) return undefined;
  const before = text.slice(Math.max(0, found.index - 60), found.index + 8);
  return JSON.stringify(`${which}: ${before}`);
}

/** A project in a folder of a bad name, whose journal says nothing that is not hostile. */
function hostileProject(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'ben10-hostile-'));
  process.on('exit', () => rmSync(made, { recursive: true, force: true }));
  const dir = path.join(made, NAME);
  mkdirSync(path.join(dir, '.ben10'), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(dir, NAME), TEXT);
  const project = openProject(dir, { lockBudgetMs: 1000, lock: realPorts.lock! });
  const where = { session: TEXT, at: NOON };
  const called = (id: string, name: string, input: Record<string, unknown>) =>
    anEvent('tool.called', { toolUseId: id, name, input } as never, where);
  const succeeded = (id: string, name: string, response: unknown) =>
    anEvent('tool.succeeded', { toolUseId: id, name, response } as never, where);
  const file = `${dir}/${TEXT}`;
  project.writer.append([
    anEvent('session.started', { source: TEXT, cwd: dir, transcriptPath: file } as never, where),
    anEvent('prompt.submitted', { text: `never ${TEXT} again; always use ${TEXT}` }, where),
    anEvent(
      'message.recorded',
      { role: 'assistant', text: `I decided to ${TEXT}` } as never,
      where,
    ),
    called('t1', 'Bash', { command: TEXT, description: TEXT }),
    succeeded('t1', 'Bash', { stdout: `${TEXT}\nerror: ${TEXT}`, stderr: TEXT }),
    called('t2', 'Write', { file_path: file, content: TEXT }),
    succeeded('t2', 'Write', { type: 'create', filePath: file, content: TEXT }),
    called('t3', TEXT, { [TEXT]: { [TEXT]: [TEXT] } }),
    anEvent('tool.failed', { toolUseId: 't3', name: TEXT, error: TEXT } as never, where),
    called('t4', 'TodoWrite', { todos: [{ content: TEXT, status: 'pending', activeForm: TEXT }] }),
    succeeded('t4', 'TodoWrite', { newTodos: [{ content: TEXT, status: 'pending' }] }),
    anEvent('compaction.started', { trigger: TEXT, instructions: TEXT } as never, where),
    anEvent('compaction.finished', { trigger: TEXT, summary: TEXT } as never, where),
    anEvent(
      'context.sampled',
      { window: 1, windowFrom: TEXT, percent: 1, via: TEXT, model: TEXT } as never,
      where,
    ),
    anEvent('subagent.stopped', { agentType: TEXT, result: TEXT } as never, where),
    anEvent('hook.received', { event: TEXT, payload: { [TEXT]: TEXT } } as never, where),
    anEvent('context.saved', { name: TEXT, upto: 3, file: TEXT }, where),
    anEvent('checkpoint.created', { upto: 3, projections: [TEXT] }, where),
    newEvent({ type: TEXT, session: TEXT, agent: TEXT, client: TEXT, source: TEXT, data: TEXT }),
    newEvent({
      type: 'journal.repaired',
      version: 2,
      data: { lost: [{ segment: TEXT, firstSeq: 1, lastSeq: 1 }] },
    }),
  ]);
  project.close();
  return dir;
}

let dir = '';

beforeAll(() => {
  dir = hostileProject();
});

/** Every command but those that do not end, or speak to a program; what they print of themselves is no news. `*`: the bad name. */
const LINES: Record<keyof typeof COMMANDS, string[]> = {
  init: ['init --dry-run'],
  doctor: ['doctor'],
  demo: [],
  status: ['status'],
  log: ['log', 'log --type *', 'log --session *', 'log *'],
  show: [...[1, 4, 8, 9, 14, 15, 18, 19].map((seq) => `show ${seq} --full`), 'show *'],
  replay: ['replay', 'replay --events', 'replay @save:*', 'replay --projection *'],
  recall: [
    'recall',
    'recall --source compact',
    'recall --source compact --explain',
    'recall --session *',
  ],
  lost: ['lost', 'lost *', 'lost --session *'],
  diff: ['diff', 'diff --unified', 'diff @0', 'diff *', 'diff --session *'],
  merge: ['merge journal', 'merge *', 'merge disk *'],
  context: ['context', 'context --level full', 'context --at @head', 'context --at *'],
  work: ['work save *', 'work show', 'work *'],
  preferences: ['preferences list', 'preferences retract *', 'preferences *'],
  save: ['save *', 'save list', 'save delete *', 'save --session *'],
  search: [
    'search *',
    'search passwd --limit 50',
    'search passwd --explain',
    'search * --file * --branch *',
    'search passwd --json',
    'search zzzz kind:*',
  ],
  sessions: ['sessions', 'sessions show *', 'sessions --grep *', 'sessions --grep passwd'],
  estimate: ['estimate *', 'estimate passwd'],
  shard: ['shard *', 'shard status'],
  usage: ['usage', 'usage --session *', 'usage --by *'],
  monitor: [
    'monitor',
    'monitor status --session *',
    'monitor *',
    'monitor agents',
    'monitor backtest',
    'monitor costs',
    'monitor report',
  ],
  restore: [
    'restore',
    'restore --full',
    'restore @save:*',
    'restore --only *',
    'restore --session *',
  ],
  handoff: ['handoff', 'handoff *', 'handoff show *', 'handoff verify *', 'handoff resume *'],
  loop: [
    'loop',
    'loop run * --client false --max 1',
    'loop run * --client-cmd * --max 1 --check * --until *',
    'loop status',
    'loop status *',
    'loop resume *',
    'loop stop',
    'loop list',
    'loop *',
  ],
  orient: ['orient', 'orient *'],
  tracker: ['tracker', 'tracker sync', 'tracker *'],
  checkpoint: [
    'checkpoint',
    'checkpoint --session *',
    'checkpoint --handoff --note *',
    'checkpoint --status',
    'checkpoint --undo',
  ],
  clear: ['clear', 'clear --session *'],
  snapshot: ['snapshot list', 'snapshot show *', 'snapshot *'],
  explain: ['explain', 'explain *'],
  config: ['config list', 'config get *', 'config set * *', 'config *'],
  import: ['import *', 'import SESSION'],
  compact: ['compact'],
  verify: ['verify'],
  repair: ['repair'],
  erase: ['erase --pattern passwd', 'erase --pattern *', 'erase --rule *'],
  scan: ['scan --journal', 'scan *', 'scan no-*'],
  pack: [
    'pack *',
    'pack create *',
    'pack create bad',
    'pack create bad',
    'pack set bad --budget *',
    'pack add bad *',
    'pack add bad glob:* text:* --exclude *',
    'pack add bad file:*#L1 file:*#L0',
    'pack add bad git:diff --base *',
    'pack add bad cmd:*',
    'pack add bad journal:* journal:touched journal:failed',
    'pack add * no-*',
    'pack list',
    'pack show bad',
    'pack show *',
    'pack preview bad --tokens',
    'pack preview bad --show-payload',
    'pack preview glob:* text:*',
    'pack render bad',
    'pack render bad --at *',
    'pack remove bad *',
    'pack remove bad text:*',
    'pack copy bad *',
    'pack delete bad',
  ],
  serve: ['serve *'],
  hook: [],
  statusline: ['statusline --ascii --style *'],
  completion: ['completion *'],
  version: ['version *'],
};

const argsOf = (line: string): string[] =>
  line.split(' ').map((word) => (word === 'SESSION' ? SESSION : word.replaceAll('*', () => NAME)));

/** Two look for the programs beside them. */
const said = (args: string[]) =>
  ['init', 'doctor'].includes(args[0]!) ? ben10(dir, args) : inMemory(dir, args);

describe('the output of every command', () => {
  it('is asked for of every command', () => {
    expect(Object.keys(LINES).sort()).toEqual(Object.keys(COMMANDS).sort());
  });

  it('is clean, whatever was recorded and whatever it is asked for', async () => {
    const unclean: (string | undefined)[] = [];
    for (const args of [...Object.values(LINES).flat(), '*', 'log --*'].map(argsOf)) {
      const { stdout, stderr } = await said(args);
      unclean.push(uncleanIn(stdout, args.join(' ')), uncleanIn(stderr, args.join(' ')));
      expect(stderr, args.join(' ')).not.toMatch(/^\s+at .*:\d+/m);
    }
    expect(unclean.filter(Boolean)).toEqual([]);
  });

  it('for programs is JSON in which nothing that is obeyed or hidden stands as it is', async () => {
    const unclean: (string | undefined)[] = [];
    for (const args of [
      ...['log', 'replay', 'recall', 'status', 'show 19', 'show 8'].map((line) => line.split(' ')),
      ...[['show', NAME], ['import', NAME], ['log', '--type', NAME], [NAME]],
      ...[
        ['pack', 'show', NAME],
        ['pack', 'preview', `file:${NAME}`, `text:${NAME}`, '--show-payload'],
      ],
    ]) {
      const { stdout, stderr } = await said([...args, '--json']);
      unclean.push(uncleanIn(stdout, args.join(' ')), uncleanIn(stderr, args.join(' ')));
      for (const line of stdout.trimEnd().split('\n')) JSON.parse(line);
      if (args[0] === 'show' && args[1] === '19') {
        expect(JSON.parse(stdout)).toMatchObject({ type: TEXT, session: TEXT, data: TEXT });
      }
    }
    expect(unclean.filter(Boolean)).toEqual([]);
  });
});

/** All texts in a value, names of fields too. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => [name, ...textsIn(field)]);
}

describe('the answers of the server', () => {
  it('are clean, whatever was recorded and whatever it is asked for', async () => {
    const questions: string[] = [];
    const server = await connect(dir, { BEN10_MCP_PROFILE: 'full' }, (question) => {
      questions.push(question);
      return { action: 'decline' };
    });
    const { tools } = await server.client.listTools();
    const asked: Record<string, Record<string, unknown>[]> = {
      ben10_log: [{}, { event: 19 }, { types: [TEXT] }, { session: TEXT }, { text: TEXT }],
      ben10_replay: [{}, { point: `@save:${TEXT}` }, { path: TEXT }, { projection: TEXT }],
      ben10_restore: [{}, { point: TEXT }, { point: '@10' }, { mode: 'prompt' }],
      ben10_diff: [{ from: '@2' }, { from: TEXT, to: TEXT }],
      ben10_save: [{ name: TEXT }, { name: '../../etc/passwd' }, {}],
      ben10_record: [{ hook_event_name: TEXT, session_id: TEXT, cwd: TEXT }],
    };
    const unclean: (string | undefined)[] = [];
    for (const { name } of tools) {
      for (const args of asked[name] ?? [{}]) {
        const answer = await server.client
          .callTool({ name, arguments: args })
          .catch((error: Error) => ({ content: [], refused: error.message }));
        for (const text of textsIn(answer)) unclean.push(uncleanIn(text, `${name} ${text}`));
      }
    }
    for (const { uri } of (await server.client.listResources()).resources) {
      const { contents } = await server.client.readResource({ uri });
      for (const text of textsIn(contents)) unclean.push(uncleanIn(text, uri));
    }
    for (const { name, arguments: takes = [] } of (await server.client.listPrompts()).prompts) {
      for (const args of [{}, ...takes.map((one) => ({ [one.name]: TEXT })), { [TEXT]: '1' }]) {
        const given = await server.client
          .getPrompt({ name, arguments: args })
          .catch((error: Error) => ({ refused: error.message }));
        for (const text of textsIn(given)) unclean.push(uncleanIn(text, `${name} ${text}`));
      }
    }
    expect(questions).toHaveLength(1);
    for (const question of questions) unclean.push(uncleanIn(question, 'question'));
    expect(unclean.filter(Boolean)).toEqual([]);
    expect(uncleanIn(server.stderr(), 'stderr')).toBeUndefined();
  });
});

describe('what hooks give to the model', () => {
  it('is clean, in the output and on stderr', async () => {
    const common = { session_id: TEXT, cwd: dir, transcript_path: `${dir}/${NAME}` };
    for (const [event, more] of [
      ['SessionStart', { source: 'compact' }],
      ['SessionStart', { source: 'startup', session_id: 'another' }],
      ['UserPromptSubmit', { prompt: TEXT, prompt_id: TEXT }],
      ['PreCompact', { trigger: TEXT, custom_instructions: TEXT }],
      ['SessionEnd', { reason: TEXT }],
    ] as const) {
      const run = await runHook(dir, event, { ...common, hook_event_name: event, ...more });
      expect(run.code).toBe(0);
      expect(uncleanIn(run.stderr, event)).toBeUndefined();
      const output = run.stdout === '' ? {} : (JSON.parse(run.stdout) as object);
      for (const text of textsIn(output)) expect(uncleanIn(text, event)).toBeUndefined();
      if (event === 'SessionStart') expect(run.stdout).toContain('ben10-recall');
    }
    const nowhere = path.join(scratch(), NAME);
    writeFileSync(nowhere, '');
    const refused = await runHook(nowhere, 'PreToolUse', { ...common, tool_name: NAME });
    expect(refused).toMatchObject({ code: 0, stdout: '' });
    expect(uncleanIn(refused.stderr.trimEnd(), 'refused')).toBeUndefined();
  });
});
