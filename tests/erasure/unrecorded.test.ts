/** @module-tag long */
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordUnrecorded } from '../../src/erasure/unrecorded.ts';
import { LockFile } from '../../src/journal/append/locking.ts';
import { emptyProject, here, json } from '../cli/support.ts';
import { hooked } from '../hook/run-hook.ts';
import { codeOf, openTestProject } from '../support.ts';
import { filesBelow } from './support.ts';

/** The secret of these tests, which no rule knows. */
const SECRET = 'kanari-4711-vogel';
const SESSION = '11111111-2222-4333-8444-555555555555';
const CALL = 'toolu_01kanari';

interface Leaking {
  dir: string;
  transcript: string;
  hook(event: string, fields?: Record<string, unknown>): Promise<string>;
  /** What the client writes into a transcript: by default the main thread's. */
  write(records: Record<string, unknown>[], file?: string): void;
}

let uuids = 0;
const record = (type: string, content: unknown, more: Record<string, unknown> = {}) => ({
  type,
  uuid: `00000000-0000-4000-8000-${String(++uuids).padStart(12, '0')}`,
  parentUuid: null,
  sessionId: SESSION,
  timestamp: '2026-11-21T12:00:00.000Z',
  message: { role: type, content, ...(type === 'assistant' && { id: `msg_${uuids}`, model: 'm' }) },
  ...more,
});
const says = (text: string, more: Record<string, unknown> = {}) =>
  record('assistant', [{ type: 'text', text }], more);

/** A session at work: a hook has told the result that holds the secret, and the client has written on. */
async function leaking(): Promise<Leaking> {
  const dir = emptyProject();
  const transcript = path.join(dir, 'client', `${SESSION}.jsonl`);
  mkdirSync(path.dirname(transcript));
  const about = { session_id: SESSION, transcript_path: transcript };
  const hook: Leaking['hook'] = (event, fields = {}) => hooked(dir, event, { ...about, ...fields });
  const write: Leaking['write'] = (records, file = transcript) =>
    appendFileSync(file, records.map((one) => `${JSON.stringify(one)}\n`).join(''));
  await hook('SessionStart', { source: 'startup' });
  write([record('user', 'What is in the file?', { promptId: 'p1' })]);
  await hook('UserPromptSubmit', { prompt: 'What is in the file?', prompt_id: 'p1' });
  const call = { tool_name: 'Bash', tool_input: { command: 'cat .key' }, tool_use_id: CALL };
  write([
    record('assistant', [{ type: 'tool_use', id: CALL, name: 'Bash', input: call.tool_input }]),
  ]);
  await hook('PreToolUse', call);
  await hook('PostToolUse', { ...call, tool_response: { stdout: SECRET, stderr: '' } });
  write([
    record('user', [{ type: 'tool_result', tool_use_id: CALL, content: SECRET }], {
      toolUseResult: { stdout: SECRET, stderr: '' },
    }),
    says(`The key is ${SECRET}.`),
  ]);
  return { dir, transcript, hook, write };
}

const eraseIt = async (dir: string, ...args: string[]) =>
  await here(dir, ['erase', '--pattern', SECRET, ...args]);
const holders = (dir: string): string[] =>
  filesBelow(path.join(dir, '.ben10')).filter((file) => readFileSync(file).includes(SECRET));
const logOf = async (dir: string): Promise<string> => (await here(dir, ['log', '--json'])).stdout;

describe('what a transcript holds and no hook has brought yet', () => {
  it.each([
    ['Stop', {}],
    ['SessionStart', { source: 'resume' }],
    ['SessionEnd', { reason: 'other' }],
  ])('is erased with the rest, and %s brings nothing of it back', async (event, fields) => {
    const { dir, hook } = await leaking();
    expect(holders(dir)).not.toEqual([]);
    const done = await eraseIt(dir, '--yes');
    expect(done.status, done.stdout + done.stderr).toBe(0);
    expect(done.stdout).toMatch(/^2 events erased\.\n/);
    expect(done.stdout).toMatch(/recorded +\d facts? of 1 transcript, before the search/);
    expect(done.stdout).toContain('If the client writes the text again');
    expect(holders(dir)).toEqual([]);
    await hook(event, fields);
    expect(holders(dir)).toEqual([]);
    expect(await logOf(dir)).not.toContain(SECRET);
    expect(await logOf(dir)).toContain('The key is [REDACTED:ERASED].');
    expect((await here(dir, ['verify'])).status).toBe(0);
  });

  it('is found by a plan, which records nothing', async () => {
    const { dir } = await leaking();
    await here(dir, ['log']); // takes the inbox in, should a hook have left something there
    const before = await logOf(dir);
    const plan = await eraseIt(dir);
    expect(plan.stdout).toMatch(
      /not recorded +\d facts? of 1 transcript: contains it; recorded first, then erased/,
    );
    expect(json(await eraseIt(dir, '--json'))).toMatchObject({
      done: false,
      unrecorded: { holds: true, unreadable: [], unfinished: [] },
    });
    const byRegex = json(await here(dir, ['erase', '--pattern', '/The key is k\\S+/', '--json']));
    expect(byRegex).toMatchObject({ events: [], unrecorded: { holds: true } });
    const other = await here(dir, ['erase', '--pattern', 'nobody-said-this']);
    expect(other.stdout).toBe('Nothing was found.\n');
    expect(await logOf(dir)).toBe(before);
    expect(await logOf(dir)).not.toContain('The key is');
  });

  it('is erased where only a transcript holds it, also in a large text beside the journal', async () => {
    const { dir, hook, write } = await leaking();
    const large = `${'line\n'.repeat(20_000)}only-the-transcript`;
    write([says(large), says('short-and-only-there')]);
    for (const text of ['only-the-transcript', 'short-and-only-there']) {
      const plan = await here(dir, ['erase', '--pattern', text, '--json']);
      expect(json(plan)).toMatchObject({ events: [], unrecorded: { holds: true } });
    }
    const done = await here(dir, [
      'erase',
      '--pattern',
      '/(short-and-)?only-the\\w+(-transcript)?/',
      '--yes',
    ]);
    expect(done.stdout).toMatch(/^1 event erased\.\n/);
    await hook('Stop');
    expect(await logOf(dir)).not.toMatch(/only-the/);
  });

  it('is erased from the files of sub-agents, also of one that no hook has told of', async () => {
    const { dir, transcript, hook, write } = await leaking();
    const folder = `${transcript.slice(0, -'.jsonl'.length)}/subagents`;
    mkdirSync(folder, { recursive: true });
    const own = { isSidechain: true, agentId: 'a1' };
    write([says(`A sub-agent saw ${SECRET}.`, own)], path.join(folder, 'agent-a1.jsonl'));
    const done = await eraseIt(dir, '--yes');
    expect(done.stdout).toMatch(/^3 events erased\.\n/);
    await hook('Stop');
    expect(holders(dir)).toEqual([]);
    expect(await logOf(dir)).toContain('A sub-agent saw [REDACTED:ERASED].');
  });

  it('is redacted when it is recorded, as always', async () => {
    const { dir, write } = await leaking();
    const token = `ghp_${'0123456789abcdefghijABCDEFGHIJ01234567'.slice(0, 36)}`;
    write([says(`<private>nobody's business</private> and ${token}`)]);
    await eraseIt(dir, '--yes');
    expect(await logOf(dir)).not.toContain("nobody's business");
    expect(await logOf(dir)).toMatch(/\[REDACTED:PRIVATE\] and \[REDACTED:GITHUB/);
  });

  it('is said where it cannot be read, or is still being written', async () => {
    const { dir, transcript } = await leaking();
    appendFileSync(transcript, JSON.stringify(says(`half of ${SECRET}`)));
    const plan = json<{ unrecorded: object }>(await eraseIt(dir, '--json'));
    expect(plan.unrecorded).toMatchObject({ unfinished: [transcript], unreadable: [] });
    const cut = await eraseIt(dir, '--yes');
    expect(cut.stdout).toContain('Not searched, because the client is still writing: the end of');
    rmSync(transcript);
    writeFileSync(`${transcript}.elsewhere`, '');
    symlinkSync(`${transcript}.elsewhere`, transcript);
    const linked = await eraseIt(dir, '--yes');
    expect(linked.stdout).toContain('Not searched, because these transcripts cannot be read:');
    expect(linked.stdout).toContain(`  ${transcript}\n`);
    rmSync(transcript);
    expect((await eraseIt(dir, '--yes')).stdout).toBe('Nothing was found.\n');
  });

  it('is recorded also where events are named by their seqs', async () => {
    const { dir } = await leaking();
    expect(json(await here(dir, ['erase', '@1', '--json']))).toMatchObject({
      unrecorded: { holds: false },
    });
    expect(await logOf(dir)).not.toContain('The key is');
    await here(dir, ['erase', '@1', '--yes']);
    expect(await logOf(dir)).toContain('The key is');
  });
});

describe('an event that was erased by its seq', () => {
  /** The newest event of a type. */
  const newest = async (dir: string, type: string): Promise<string> =>
    `@${json(await here(dir, ['log', '--json', '--type', type, '--limit', '1'])).seq}`;

  it('stays so where the client had no name for it, and its transcript is imported', async () => {
    const { dir, transcript, hook, write } = await leaking();
    const text = 'A key without a name: nameless-4711';
    await hook('UserPromptSubmit', { prompt: text });
    write([record('user', text)]);
    expect(
      (await here(dir, ['erase', await newest(dir, 'prompt.submitted'), '--yes'])).status,
    ).toBe(0);
    expect(await logOf(dir)).not.toContain('nameless-4711');
    expect((await here(dir, ['import', transcript])).status).toBe(0);
    await hook('Stop');
    expect(await logOf(dir)).not.toContain('nameless-4711');
  });

  it('leaves no text beside the journal when the client writes it down only then', async () => {
    const { dir, transcript, hook, write } = await leaking();
    await hook('Stop');
    const call = { tool_name: 'Bash', tool_input: { command: 'cat' }, tool_use_id: 'toolu_late' };
    const stdout = `${'line\n'.repeat(20_000)}only-in-a-large-text`;
    await hook('PostToolUse', { ...call, tool_response: { stdout, stderr: '' } });
    expect((await here(dir, ['erase', await newest(dir, 'tool.succeeded'), '--yes'])).status).toBe(
      0,
    );
    write([
      record('user', [{ type: 'tool_result', tool_use_id: 'toolu_late', content: stdout }], {
        toolUseResult: { stdout, stderr: '' },
      }),
    ]);
    await hook('Stop');
    expect((await here(dir, ['import', transcript])).status).toBe(0);
    const texts = filesBelow(path.join(dir, '.ben10', 'blobs'));
    expect(texts.filter((file) => readFileSync(file).includes('only-in-a-large-text'))).toEqual([]);
  });
});

it('what a transcript holds is not recorded beside another process that reads it, and would append later what it read before', () => {
  const project = openTestProject();
  project.writer.drain();
  let now = Date.now();
  const sleep = (ms: number) => {
    now += ms;
  };
  const clock = { now: () => now, sleep };
  const { ports, layout } = project;
  const waiting = { ...project, ports: { ...ports, clock } };
  const reader = new LockFile(ports, layout.transcriptsLock);
  const code = reader.hold(0, () => codeOf(() => recordUnrecorded(waiting)));
  expect(code?.value).toBe('CONTEXT_LOCKED');
  expect(recordUnrecorded(waiting).facts).toBe(0);
  reader.close();
});
