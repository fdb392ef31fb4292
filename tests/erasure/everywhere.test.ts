import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spool } from '../../src/journal/append/inbox.ts';
import { openProject } from '../../src/project/open.ts';
import { save } from '../../src/timetravel/saves.ts';
import { here, json } from '../cli/support.ts';
import { hooked } from '../hook/run-hook.ts';
import { prompt } from '../log/events.ts';
import { openTestProject, realPorts, scratch, twinOf } from '../support.ts';
import { canaries } from './support.ts';

/** With characters that JSON and URLs write in several ways. */
const SECRET = 'zq/Känar"QxVogelZj+77é31';
const utf8 = Buffer.from(SECRET);
const escaped = SECRET.replace(
  /[^a-z]/gi,
  (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
);

/** What somebody records, by the name of its form. */
const FORMS: Record<string, string> = {
  plain: SECRET,
  json: JSON.stringify({ key: SECRET }),
  'json in json': JSON.stringify(JSON.stringify({ key: SECRET })),
  escapes: escaped,
  percent: encodeURIComponent(SECRET),
  base64: Buffer.from(`${SECRET}--`).toString('base64'),
  'base64 one on': Buffer.from(`a${SECRET}--`).toString('base64'),
  'base64 two on': Buffer.from(`ab${SECRET}--`).toString('base64'),
  hex: utf8.toString('hex'),
  HEX: utf8.toString('hex').toUpperCase(),
};

/** What an independent reader looks for: pieces of the secret as they stand in each form, whatever is around them. */
const NEEDLES: [string, Buffer][] = [
  ['its middle', Buffer.from('VogelZj')],
  ...Object.entries(FORMS).map(([form, text]): [string, Buffer] => [form, Buffer.from(text)]),
  ['percent, small', Buffer.from(encodeURIComponent(SECRET).toLowerCase())],
  ['base64 inside', Buffer.from(Buffer.from('QxVogelZj+77').toString('base64'))],
  ['hex inside', Buffer.from(Buffer.from('VogelZj').toString('hex'))],
  ['escapes inside', Buffer.from('\\u0022')],
];

const all = Object.values(FORMS).join(' | ');
const SESSION = 'session-of-the-tests';

/** Every hook of a session, with the secret in every field that a client fills. */
const HOOKS: Record<string, unknown>[] = [
  {
    hook_event_name: 'SessionStart',
    source: 'startup',
    cwd: `/home/${SECRET}`,
    model: SECRET,
  },
  { hook_event_name: 'UserPromptSubmit', prompt: `the key: ${all}`, prompt_id: SECRET },
  {
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_use_id: 't1',
    tool_input: { command: all, forms: FORMS, [SECRET]: [[{ [escaped]: SECRET }]] },
  },
  {
    hook_event_name: 'PostToolUse',
    tool_name: SECRET,
    tool_use_id: 't1',
    tool_response: {
      stdout: `${'line\n'.repeat(20_000)}${all}\n${'more\n'.repeat(500)}`,
    },
  },
  {
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_use_id: `toolu_${SECRET}`,
    tool_input: { file_path: `/p/${SECRET}.txt`, content: 'nothing' },
  },
  {
    hook_event_name: 'PostToolUseFailure',
    tool_name: 'Write',
    tool_use_id: `toolu_${SECRET}`,
    error: all,
  },
  { hook_event_name: 'SubagentStart', agent_id: 'a1', agent_type: SECRET },
  { hook_event_name: 'SubagentStart', agent_id: SECRET, agent_type: 'helping' },
  {
    hook_event_name: 'SubagentStop',
    agent_id: 'a1',
    agent_type: SECRET,
    agent_transcript_path: `/t/${SECRET}.jsonl`,
    last_assistant_message: all,
  },
  { hook_event_name: 'PreCompact', trigger: 'manual', custom_instructions: all },
  { hook_event_name: 'PostCompact', trigger: 'manual', compact_summary: all },
  { hook_event_name: 'PermissionRequest', anything: { [SECRET]: all } },
  { hook_event_name: 'Stop', last_assistant_message: all },
  { hook_event_name: 'UserPromptSubmit', prompt: 'an ordinary prompt' },
  { hook_event_name: 'UserPromptSubmit', session_id: `s-${SECRET}`, prompt: 'another session' },
];

/** As the client keeps it. */
function records(): unknown[] {
  const common = (n: number) => ({
    uuid: `00000000-0000-4000-8000-00000000000${n}`,
    timestamp: `2026-11-21T08:35:0${n}.000Z`,
    sessionId: SESSION,
    cwd: `/home/${SECRET}`,
    gitBranch: SECRET,
    isSidechain: false,
    version: '2.1.329',
  });
  const usage = { input_tokens: 1, output_tokens: 2 };
  const assistant = (n: number, content: unknown[]) => ({
    ...common(n),
    type: 'assistant',
    message: { id: `msg_${SECRET}`, role: 'assistant', model: SECRET, content, usage },
  });
  return [
    { ...common(1), type: 'user', message: { role: 'user', content: `typed: ${all}` } },
    assistant(2, [{ type: 'thinking', thinking: all }]),
    assistant(3, [{ type: 'text', text: `said: ${all}` }]),
    assistant(4, [{ type: 'tool_use', id: 't9', name: 'Bash', input: { command: all } }]),
    {
      ...common(5),
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't9', content: all }],
      },
      toolUseResult: { stdout: all, stderr: SECRET },
    },
    { ...common(6), type: `unknown-${SECRET}`, uuid: SECRET },
    { type: 'custom-title', customTitle: SECRET, sessionId: SESSION },
    { ...common(7), type: 'user', uuid: SECRET, message: { role: 'user', content: 'ordinary' } },
  ];
}

const TRANSCRIPT = records()
  .map((record) => `${JSON.stringify(record)}\n`)
  .join('');

/** A project that has it in every place there is, through the real program where that writes it. */
async function leaky(dir: string): Promise<void> {
  mkdirSync(path.join(dir, '.ben10'), { mode: 0o700 });
  writeFileSync(path.join(dir, '.ben10/config.yaml'), settings({ allow: [SECRET] }));
  for (const input of HOOKS) {
    const about = { session_id: SESSION, transcript_path: '/nowhere.jsonl' };
    await hooked(dir, String(input.hook_event_name), { ...about, ...input });
  }
  const file = path.join(dir, 'transcript.jsonl');
  writeFileSync(file, TRANSCRIPT);
  expect((await here(dir, ['import', file])).status).toBe(0);
  const project = openProject(dir, { lockBudgetMs: 1000, lock: realPorts.lock! });
  project.writer.rotate(0);
  expect((await here(dir, ['compact'])).status).toBe(0);
  save(project, { name: `save ${SECRET}` });
  project.writer.append([prompt(`again: ${all}`)]);
  spool(project.ports, project.layout, [prompt(`waiting: ${all}`)]);
  const { quarantine, journal, checkpoints } = project.layout;
  mkdirSync(quarantine, { mode: 0o700, recursive: true });
  writeFileSync(path.join(quarantine, '0000000000000001.b10.128.0a'), `torn ${all}`);
  writeFileSync(path.join(journal, 'manifest.0123456789ab.tmp'), `half ${all}`);
  writeFileSync(path.join(checkpoints, 'context-1.ckp.0123456789ab.tmp'), `half ${all}`);
  project.close();
}

const settings = (redaction: unknown): string => `redaction: ${JSON.stringify(redaction)}\n`;

const made = mkdtempSync(path.join(tmpdir(), 'ben10-everywhere-'));
beforeAll(() => leaky(made), 60_000);
afterAll(() => rmSync(made, { recursive: true, force: true }));

/** The same again, for one erasure. */
function copy(): string {
  const dir = scratch();
  twinOf(path.join(made, '.ben10'), path.join(dir, '.ben10'));
  return dir;
}

const SETTINGS = ['config.yaml', 'hook-config.json'];

/** Where it stands, but for the settings of a person, which nobody else changes. */
function found(dir: string): string[] {
  const places = canaries(openTestProject(dir), NEEDLES);
  return places.filter((one) => !SETTINGS.some((name) => one.startsWith(`${name}: `)));
}

/** Imports what the client wrote down, under its own name and under another one. */
async function importAgain(dir: string): Promise<void> {
  const file = path.join(dir, 'copy.jsonl');
  writeFileSync(file, TRANSCRIPT);
  expect((await here(dir, ['import', path.join(made, 'transcript.jsonl'), file])).status).toBe(0);
}

interface Done {
  left: { file: string; what: string }[];
  plan: { events: { seq: number }[]; transcripts: string[] };
}
const erase = async (dir: string, ...args: string[]) =>
  await here(dir, ['erase', ...args, '--json']);

describe('what stands in every place in every form', () => {
  it('stands there', () => {
    const before = canaries(openTestProject(copy()), NEEDLES);
    const places = ['.b10z', '.b10:', 'inbox/', 'quarantine/', 'blobs/', 'saves/', '.tmp'];
    for (const place of [...places, 'current.ctx', ...SETTINGS])
      expect(
        before.some((one) => one.includes(place)),
        place,
      ).toBe(true);
    for (const form of Object.keys(FORMS))
      expect(before.filter((one) => one.endsWith(`: ${form}`)).length, form).toBeGreaterThan(5);
  });

  it.each([
    ['its text', SECRET],
    ['a pattern', '/zq.K.nar"QxVogelZj.77.31/'],
  ])(
    'is gone once it was erased by %s, and stays so when its transcript is imported',
    async (_, given) => {
      const dir = copy();
      const done = await erase(dir, '--pattern', given, '--yes');
      expect(found(dir)).toEqual([]);
      expect(done.stdout).not.toContain('VogelZj');
      expect([done.status, done.stderr]).toEqual([0, '']);
      const { left, plan } = json<Done>(done);
      expect(left).toEqual(SETTINGS.map((file) => ({ file, what: 'settings' })));
      expect(plan.transcripts).toContain('/t/[REDACTED:ERASED].jsonl');
      await importAgain(dir);
      expect(found(dir)).toEqual([]);
      expect((await here(dir, ['verify'])).status).toBe(0);
    },
  );

  it('is gone once its events were erased by their seqs', async () => {
    const dir = copy();
    openTestProject(dir).writer.drain();
    const { events } = json<Done['plan']>(await erase(dir, '--pattern', SECRET));
    const seqs = events.map(({ seq }) => `@${seq}`);
    expect((await erase(dir, ...seqs, '--yes')).status).toBe(0);
    expect(found(dir)).toEqual([]);
    await importAgain(dir);
    expect(found(dir)).toEqual([]);
    expect((await here(dir, ['verify'])).status).toBe(0);
  });

  it('is gone once it was erased by a rule, which knows it in plain only, and stays so', async () => {
    const dir = copy();
    const rule = { id: 'KANARI', pattern: 'zq/K.nar"QxVogelZj.77.31' };
    writeFileSync(path.join(dir, '.ben10/config.yaml'), settings({ patterns: [rule] }));
    rmSync(path.join(dir, '.ben10/hook-config.json'));
    expect(found(dir)).not.toEqual([]);
    const done = await erase(dir, '--rule', 'kanari', '--yes');
    expect(found(dir)).toEqual([]);
    expect(done.stdout).not.toContain('VogelZj');
    expect([done.status, done.stderr]).toEqual([0, '']);
    expect(json<Done>(done).left).toEqual([]);
    await importAgain(dir);
    expect(found(dir)).toEqual([]);
    expect((await here(dir, ['verify'])).status).toBe(0);
  });
});
