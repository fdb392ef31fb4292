import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SEARCHED_CHARS } from '../../src/capture/excerpt.ts';
import { END_CHARS, UNREADABLE_CHARS } from '../../src/hook/input.ts';
import { projectDir } from '../../src/hook/recording.ts';
import { STDIN_BYTES_MAX, STDIN_SILENCE_MS, STDIN_TOTAL_MS } from '../../src/hook/stdin.ts';
import { readEvents } from '../../src/projections/events.ts';
import { BASE62, chars, pem, seeded } from '../capture/redaction/samples.ts';
import { openTestProject, realPorts, scratch } from '../support.ts';
import { runHook, toolCall } from './run-hook.ts';

const eventsOf = (dir: string) => {
  const project = openTestProject(dir);
  return [...readEvents(project.reader, realPorts.xxh64, {})];
};

/** Nothing on stdout, exit 0, and at most a line on stderr. */
async function quietly(dir: string, event: string, stdin: Parameters<typeof runHook>[2], env = {}) {
  const run = await runHook(dir, event, stdin, env);
  expect(run.code).toBe(0);
  expect(run.stdout).toBe('');
  expect(run.stderr.split('\n').length).toBeLessThanOrEqual(2);
  expect(run.stderr).not.toMatch(/^\s+at /m);
  return run;
}

describe('a hook that is handed something else than it expects', () => {
  it('records where it runs itself, when the folder that it is told can be none', () => {
    vi.stubEnv('CLAUDE_PROJECT_DIR', '');
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const here = projectDir({});
    for (const cwd of ['/a\0b', `/${'x/'.repeat(3000)}`, 'a/b', '', 7, null])
      expect(projectDir({ cwd })).toBe(here);
  });

  it('keeps what came of one whose client died half-way, with the session that it is of', async () => {
    const dir = scratch();
    const whole = Buffer.from(
      JSON.stringify({ ...toolCall('t1'), hook_event_name: 'Stop', note: 'größer als größer' }),
    );
    // In the text; in the last `ö`; in the name of the transcript; in that of the session.
    const ends = [
      ...['größer"', 'ößer"', '/session-1.jsonl'].map((word) => whole.lastIndexOf(word) + 1),
      whole.indexOf('session-1'),
    ];
    for (const end of ends) {
      const { stderr } = await quietly(dir, 'Stop', whole.subarray(0, end));
      expect(stderr).toMatch(/^ben10: HOOK_INVALID_INPUT: .* its beginning was kept\n$/);
    }
    const kept = eventsOf(dir);
    expect(kept.map(({ data }) => (data as { event: string }).event)).toEqual(
      Array(ends.length).fill('UnreadableStop'),
    );
    const session = 'session-1';
    expect(kept.map((event) => event.session)).toEqual([session, session, session, 'unknown']);
    const heads = kept.map(
      ({ data }) => (data as { payload: { unreadable: { head: string } } }).payload.unreadable.head,
    );
    expect(heads[1]).toMatch(/"note":"größer als $/);
    expect(heads.join()).not.toContain('\ufffd');
  });

  it('does not wait for a stdin that never closes', { tags: 'long' }, async () => {
    const run = await quietly(scratch(), 'PostToolUse', 'open');
    expect(run.ms).toBeLessThan(5000);
  });

  it('does not wait for one that drips on and on, and keeps what came', {
    tags: 'long',
  }, async () => {
    const dir = scratch();
    let dripping: NodeJS.Timeout | undefined;
    const run = await quietly(dir, 'PostToolUse', (stdin) => {
      stdin.write('{"drip": "by drip ');
      dripping = setInterval(() => stdin.write('. '), 500);
    });
    clearInterval(dripping);
    expect(run.ms).toBeGreaterThan(STDIN_TOTAL_MS - 500);
    expect(run.ms).toBeLessThan(STDIN_TOTAL_MS + 1000);
    const [kept] = eventsOf(dir);
    expect(kept).toMatchObject({ data: { event: 'UnreadablePostToolUse' } });
    expect(JSON.stringify(kept!.data)).toContain('by drip . ');
  });

  it('takes one that comes in pieces with less than the patience of a client between them', {
    tags: 'long',
  }, async () => {
    const dir = scratch();
    const whole = JSON.stringify(toolCall('t1'));
    await quietly(dir, 'PreToolUse', (stdin) => {
      stdin.write(whole.slice(0, 50));
      setTimeout(() => stdin.end(whole.slice(50)), STDIN_SILENCE_MS - 800);
    });
    expect(eventsOf(dir).map(({ type }) => type)).toEqual(['tool.called']);
  });

  it('keeps unknown events whole, under any spelling of the known ones', async () => {
    const dir = scratch();
    await quietly(dir, 'BrandNewHook', {
      session_id: 's',
      hook_event_name: 'BrandNewHook',
      novelty: { deep: [1] },
    });
    const { hook_event_name, ...call } = toolCall('t1');
    await quietly(dir, 'pre-tool-use', call);
    await quietly(dir, 'PRETOOLUSE', { ...toolCall('t2'), unknown_field: true });
    const [novel, first, second] = eventsOf(dir);
    expect(novel).toMatchObject({
      type: 'hook.received',
      data: { event: 'BrandNewHook', payload: { novelty: { deep: [1] } } },
    });
    expect([first!.type, second!.type]).toEqual(['tool.called', 'tool.called']);
  });

  it('keeps a payload of 100 MB as its ends, size and digest', { tags: 'long' }, async () => {
    const dir = scratch();
    const huge = Buffer.from(
      JSON.stringify(toolCall('t1', `${'x'.repeat(100 * 1024 * 1024)}THE-END`)),
    );
    await quietly(dir, 'PreToolUse', huge);
    const [kept] = eventsOf(dir);
    expect(kept).toMatchObject({
      type: 'hook.received',
      session: 'session-1',
      data: { event: 'OversizedPreToolUse' },
    });
    const { oversized } = (kept!.data as { payload: { oversized: Record<string, unknown> } })
      .payload;
    expect(oversized.bytes).toBe(huge.length);
    expect(String(oversized.tail)).toContain('THE-END');
    // A digest of all of it would prove what somebody guesses of what was redacted or erased.
    expect(Object.keys(oversized).sort()).toEqual(['bytes', 'head', 'tail']);
  });

  it('keeps nothing of a secret that lies across an end of what is kept', async () => {
    const dir = scratch();
    const random = seeded(5);
    const token = () => ['gh', 'p_', chars(random, BASE62, 36)].join('');
    const key = pem(random).body;
    const secrets = [token(), token(), token(), ...key];
    const pad = (text: string, to: number) => text + 'so it goes; '.repeat((to - text.length) / 12);
    const start = pad('{"session_id":"s","text":"', END_CHARS - 20) + secrets[0];
    const searched = pad(start, SEARCHED_CHARS - 30) + secrets[1];
    const middle = pad(searched, STDIN_BYTES_MAX);
    // So much from its end on, the kept end begins in a key; and it breaks off in a token.
    const end = `${key.join('\n')}\n${pad('', SEARCHED_CHARS - 100)}${secrets[2]!.slice(0, 30)}`;
    await quietly(dir, 'PreToolUse', middle + end);
    await quietly(
      dir,
      'PreToolUse',
      `${pad('', UNREADABLE_CHARS - 20)}${secrets[0]} ${pad('', 99)}`,
    );
    await quietly(dir, 'PreToolUse', `{"command":"echo ${secrets[1]!.slice(0, 25)}`);
    const [oversized, ...unreadable] = eventsOf(dir).map(({ data }) => JSON.stringify(data));
    expect(oversized).toContain('"head":"{\\"session_id\\":\\"s\\",\\"text\\":\\"so it goes');
    expect(oversized).toMatch(/"tail":"[^"]*so it goes; so it goes/);
    expect(unreadable).toHaveLength(2);
    for (const file of filesIn(join(dir, '.ben10'))) {
      const bytes = readFileSync(file, 'latin1');
      for (const secret of secrets) {
        for (let at = 0; at + 12 <= secret.length; at += 1) {
          expect(bytes).not.toContain(secret.slice(at, at + 12));
        }
      }
    }
  });

  it('mends lone surrogates and takes NUL bytes', async () => {
    const dir = scratch();
    await quietly(dir, 'PreToolUse', JSON.stringify(toolCall('t1', 'echo \ud800 \0 end')));
    expect(eventsOf(dir)[0]!.data).toMatchObject({ input: { command: 'echo \ufffd \0 end' } });
  });

  it('keeps secrets out before the first byte is written', async () => {
    const dir = scratch();
    const secret = ['gh', 'p_', 'A'.repeat(12), 'b1'.repeat(12)].join('');
    await quietly(dir, 'PreToolUse', toolCall('t1', `curl -H "Authorization: token ${secret}"`));
    await quietly(dir, 'UserPromptSubmit', {
      session_id: 's',
      hook_event_name: 'UserPromptSubmit',
      prompt_id: 'p1',
      prompt: `my key is ${secret} <private>and this</private>`,
    });
    for (const file of filesIn(join(dir, '.ben10'))) {
      expect(readFileSync(file).includes(secret)).toBe(false);
      expect(readFileSync(file).includes('and this')).toBe(false);
    }
    expect(JSON.stringify(eventsOf(dir).map(({ data }) => data))).toContain('[REDACTED:');
  });
});

describe('a hook whose journal is not as it should be', () => {
  it('says in one line that it cannot write', async () => {
    const dir = scratch();
    writeFileSync(join(dir, '.ben10'), 'a file where the folder belongs');
    const run = await quietly(dir, 'PreToolUse', toolCall('t1'));
    expect(run.stderr).toMatch(/^ben10: this event was not recorded: JOURNAL_UNSAFE: .*\n$/);
  });
});

describe('a hook that comes with a transcript', () => {
  const stop = (transcript: string) => ({
    session_id: 's',
    hook_event_name: 'Stop',
    transcript_path: transcript,
  });

  it('goes on when the transcript is gone, is a folder or is no text', async () => {
    const dir = scratch();
    await quietly(dir, 'Stop', stop(join(dir, 'gone.jsonl')));
    await quietly(dir, 'Stop', stop(dir));
    writeFileSync(join(dir, 'binary.jsonl'), Buffer.from([0, 255, 10, 0, 10, 254]));
    await quietly(dir, 'Stop', stop(join(dir, 'binary.jsonl')));
    expect(eventsOf(dir).filter(({ type }) => type === 'turn.ended')).toHaveLength(3);
  });
});

function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
