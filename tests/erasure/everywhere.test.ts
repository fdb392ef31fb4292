import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { spool } from '../../src/journal/inbox.ts';
import { save } from '../../src/timetravel/saves.ts';
import { ben10, emptyProject, json } from '../cli/support.ts';
import { runHook } from '../hook/run-hook.ts';
import { prompt } from '../log/events.ts';
import { openTestProject } from '../support.ts';
import { canaries } from './support.ts';

/** With characters that JSON, URLs, HTML and Unicode each write in several ways. */
const SECRET = 'zq/Känar"QxVogelZj+77é31';
const decomposed = SECRET.normalize('NFD');
const utf8 = Buffer.from(SECRET);
const utf16 = Buffer.from(SECRET, 'utf16le');
const escaped = SECRET.replace(/[^a-z]/gi, (char) => `\\u${hex4(char)}`);
const swapped = Buffer.from(utf16).swap16();

function hex4(char: string): string {
  return char.charCodeAt(0).toString(16).padStart(4, '0');
}

/** What somebody records, by the name of its form. */
const FORMS: Record<string, string> = {
  plain: SECRET,
  decomposed,
  json: JSON.stringify({ key: SECRET }),
  'json in json': JSON.stringify(JSON.stringify({ key: SECRET })),
  escapes: escaped,
  percent: encodeURIComponent(SECRET),
  'percent of decomposed': encodeURIComponent(decomposed),
  html: SECRET.replaceAll('"', '&quot;').replaceAll('ä', '&auml;').replaceAll('é', '&#233;'),
  coloured: SECRET.replace('Vogel', '\u001b[1;31mVogel\u001b[0m'),
  utf16: utf16.toString('latin1'),
  'utf16 big end first': swapped.toString('latin1'),
  base64: Buffer.from(`${SECRET}--`).toString('base64'),
  'base64 one on': Buffer.from(`a${SECRET}--`).toString('base64'),
  'base64 two on': Buffer.from(`ab${SECRET}--`).toString('base64'),
  'base64 of utf16': utf16.toString('base64'),
  'base64 of base64': Buffer.from(utf8.toString('base64')).toString('base64'),
  hex: utf8.toString('hex'),
  'hex with colons': utf8
    .toString('hex')
    .toUpperCase()
    .replace(/..(?=.)/g, '$&:'),
};

/** What an independent reader looks for: pieces of the secret as they stand in each form, whatever is around them. */
const NEEDLES: [string, Buffer][] = [
  ['its middle', Buffer.from('VogelZj')],
  ...Object.entries(FORMS).map(([form, text]): [string, Buffer] => [form, Buffer.from(text)]),
  ['percent, small', Buffer.from(encodeURIComponent(SECRET).toLowerCase())],
  ['base64 inside', Buffer.from(Buffer.from('QxVogelZj+77').toString('base64'))],
  ['utf16 inside', Buffer.from('VogelZ', 'utf16le').subarray(0, 11)],
  ['hex inside', Buffer.from(Buffer.from('VogelZj').toString('hex'))],
  ['escapes inside', Buffer.from('\\u0022')],
  ['in latin1', Buffer.from(SECRET, 'latin1')],
];

const all = Object.values(FORMS).join(' | ');
const SESSION = 'session-of-the-tests';
const TRANSCRIPT = 'transcript.jsonl';

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
    tool_input: { command: all, forms: FORMS, [SECRET]: [[{ [decomposed]: SECRET }]] },
  },
  {
    hook_event_name: 'PostToolUse',
    tool_name: SECRET,
    tool_use_id: 't1',
    tool_response: { stdout: `${'line\n'.repeat(20_000)}${all}\n${'more\n'.repeat(500)}` },
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
function transcript(dir: string): string {
  const file = path.join(dir, TRANSCRIPT);
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
  const records = [
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
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return file;
}

/** A project that has it in every place there is, through the real program where that writes it. */
async function leaky(): Promise<{ dir: string; file: string }> {
  const dir = emptyProject();
  const file = transcript(dir);
  for (const input of HOOKS) {
    const hook = { session_id: SESSION, transcript_path: '/nowhere.jsonl', cwd: dir, ...input };
    const { code, stderr } = await runHook(dir, String(input.hook_event_name), hook);
    expect([code, stderr]).toEqual([0, '']);
  }
  expect(ben10(dir, ['import', file]).status).toBe(0);
  const project = openTestProject(dir);
  project.writer.rotate(0);
  expect(ben10(dir, ['compact']).status).toBe(0);
  save(project, { name: `save ${SECRET}` });
  project.writer.append([prompt(`again: ${all}`)]);
  spool(project.ports, project.layout, [prompt(`waiting: ${all}`)]);
  const { quarantine, journal, checkpoints } = project.layout;
  mkdirSync(quarantine, { mode: 0o700, recursive: true });
  writeFileSync(path.join(quarantine, '0000000000000001.b10.128.0a'), `torn ${all}`);
  writeFileSync(path.join(journal, 'manifest.0123456789ab.tmp'), `half ${all}`);
  writeFileSync(path.join(checkpoints, 'context-1.ckp.0123456789ab.tmp'), `half ${all}`);
  project.close();
  return { dir, file };
}

const found = (dir: string) => canaries(openTestProject(dir), NEEDLES);

const EXPECTED = ['.b10z', '.b10:', 'inbox/', 'quarantine/', 'blobs/', 'checkpoints/', '.tmp'];

describe('what stands in every place in every form', () => {
  it('is gone once it was erased by its text, and stays so when its transcript is imported', async () => {
    const { dir, file } = await leaky();
    const before = found(dir);
    for (const place of [...EXPECTED, 'current.ctx'])
      expect(
        before.some((one) => one.includes(place)),
        place,
      ).toBe(true);
    const done = ben10(dir, ['erase', '--pattern', SECRET, '--yes', '--json']);
    expect(found(dir)).toEqual([]);
    expect(done.status).toBe(0);
    expect(ben10(dir, ['import', file]).status).toBe(0);
    console.log(
      ben10(dir, ['log', '--json', '--limit', '100'])
        .stdout.split('\n')
        .map((l) => l.slice(0, 420))
        .join('\n'),
    );
    writeFileSync(path.join(dir, 'copy.jsonl'), readFileSync(file));
    console.log(ben10(dir, ['import', path.join(dir, 'copy.jsonl')]).stdout);
    expect(found(dir)).toEqual([]);
  }, 60_000);
});
void json;
void readFileSync;
void readdirSync;
