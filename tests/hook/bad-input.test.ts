import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SEARCHED_CHARS } from '../../src/capture/excerpt.ts';
import { END_CHARS, UNREADABLE_CHARS } from '../../src/hook/input.ts';
import { projectDir } from '../../src/hook/recording.ts';
import { STDIN_BYTES_MAX, STDIN_SILENCE_MS, STDIN_TOTAL_MS } from '../../src/hook/stdin.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import { readEvents } from '../../src/projections/events.ts';
import { BASE62, chars, pem, seeded } from '../capture/redaction/samples.ts';
import { decoders, openTestProject, realPorts, scratch } from '../support.ts';
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

  it('keeps what is not JSON as an unreadable event', async () => {
    const dir = scratch();
    await quietly(dir, 'PreToolUse', '{"session_id":"s","tool_name":"Ba');
    await quietly(dir, 'PreToolUse', 'not json at all');
    await quietly(dir, 'PreToolUse', '[1,2,3]');
    await quietly(dir, 'PreToolUse', '');
    const kept = eventsOf(dir);
    expect(kept.map(({ type }) => type)).toEqual(Array(4).fill('hook.received'));
    expect(kept[0]!.data).toMatchObject({
      event: 'UnreadablePreToolUse',
      // The word that it breaks off in may be the first half of a secret.
      payload: { unreadable: { head: '{"session_id":"s","tool_name":"' } },
    });
    expect(kept[2]!.data).toMatchObject({ payload: { unreadable: { bytes: 7, head: '[1,2,3]' } } });
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

  it('keeps no end that lies in a private passage, however far back that begins', async () => {
    for (const [end, isKept] of [
      ['', false],
      ['</private> and then this; ', true],
    ] as const) {
      const dir = scratch();
      const passage = `<private>${'my diary; '.repeat(STDIN_BYTES_MAX / 10)}`;
      await quietly(dir, 'PreToolUse', `{"prompt":"${passage}${end}${'of today. '.repeat(99)}`);
      const [kept] = eventsOf(dir).map(({ data }) => JSON.stringify(data));
      expect(kept).toContain('"oversized":{');
      expect(kept).not.toContain('diary');
      expect(kept!.includes('of today')).toBe(isKept);
    }
  });

  it('keeps large texts beside the journal, and the event small', async () => {
    const dir = scratch();
    const stdout = 'line of output\n'.repeat(50_000);
    await quietly(dir, 'PostToolUse', {
      ...toolCall('t1'),
      hook_event_name: 'PostToolUse',
      tool_response: { stdout },
    });
    const [, kept] = eventsOf(dir);
    expect(kept!.data).toMatchObject({
      response: { stdout: { bytes: stdout.length, head: stdout.slice(0, 2000) } },
    });
    expect(existsSync(join(dir, '.ben10/blobs'))).toBe(true);
  });

  it('mends lone surrogates and takes NUL bytes', async () => {
    const dir = scratch();
    await quietly(dir, 'PreToolUse', JSON.stringify(toolCall('t1', 'echo \ud800 \0 end')));
    expect(eventsOf(dir)[0]!.data).toMatchObject({ input: { command: 'echo \ufffd \0 end' } });
  });

  it('is not led astray by the names of an object’s own parts', async () => {
    const dir = scratch();
    await quietly(
      dir,
      'PreToolUse',
      '{"session_id":"__proto__","hook_event_name":"PreToolUse","tool_name":"__proto__","tool_use_id":"constructor","tool_input":{"__proto__":{"polluted":true},"constructor":1}}',
    );
    const [kept] = eventsOf(dir);
    expect(kept).toMatchObject({ type: 'tool.called', session: '__proto__' });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
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
  it('leaves a .ben10 that is a link alone', async () => {
    const dir = scratch();
    const victim = scratch();
    symlinkSync(victim, join(dir, '.ben10'));
    const run = await quietly(dir, 'PreToolUse', toolCall('t1'));
    expect(run.stderr).toContain('JOURNAL_UNSAFE');
    expect(readdirSync(victim)).toEqual([]);
  });

  it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'acknowledges nothing on a full disk, and loses nothing that was there',
    { tags: 'long' },
    async () => {
      const dir = scratch();
      mkdirSync(join(dir, '.ben10'));
      execFileSync('mount', [
        '-t',
        'tmpfs',
        '-o',
        'size=64k,mode=700',
        'tmpfs',
        join(dir, '.ben10'),
      ]);
      onTestFinished(() => void execFileSync('umount', [join(dir, '.ben10')]));
      let recorded = 0;
      let refused = 0;
      for (let i = 0; i < 20; i += 1) {
        const run = await quietly(dir, 'PreToolUse', toolCall(`t${i}`, 'x'.repeat(6000)));
        if (run.stderr === '') recorded += 1;
        else refused += 1;
      }
      expect(refused).toBeGreaterThan(0);
      expect(eventsOf(dir).length + inboxOf(dir)).toBe(recorded);
      expect(verifyJournal(realPorts, join(dir, '.ben10'), decoders).damage).toEqual([]);
    },
  );

  it('says in one line that it cannot write', async () => {
    const dir = scratch();
    writeFileSync(join(dir, '.ben10'), 'a file where the folder belongs');
    const run = await quietly(dir, 'PreToolUse', toolCall('t1'));
    expect(run.stderr).toMatch(/^ben10: this event was not recorded: JOURNAL_UNSAFE: .*\n$/);
  });

  it.runIf(process.platform !== 'win32')(
    'keeps folders and files to their owner, whatever the umask',
    async () => {
      const dir = scratch();
      const before = process.umask(0);
      await quietly(dir, 'PreToolUse', toolCall('t1'));
      process.umask(before);
      for (const path of [join(dir, '.ben10'), join(dir, '.ben10/journal')]) {
        expect(statSync(path).mode & 0o777).toBe(0o700);
      }
      for (const file of filesIn(join(dir, '.ben10')))
        expect(statSync(file).mode & 0o777).toBe(0o600);
    },
  );

  it('takes no notice of broken settings', async () => {
    const dir = scratch();
    mkdirSync(join(dir, '.ben10'));
    chmodSync(join(dir, '.ben10'), 0o700);
    writeFileSync(join(dir, '.ben10/hook-config.json'), '{"format":1,');
    writeFileSync(join(dir, '.ben10/config.yaml'), 'contxt:\n  autoSave: maybe\n');
    await quietly(dir, 'PreToolUse', toolCall('t1'));
    await quietly(dir, 'Stop', {
      session_id: 's',
      hook_event_name: 'Stop',
      transcript_path: '/nowhere.jsonl',
    });
    expect(eventsOf(dir).map(({ type }) => type)).toEqual(['tool.called', 'turn.ended']);
  });

  it('records 24 hooks at once, each once and in one unbroken row', {
    tags: 'long',
  }, async () => {
    const dir = scratch();
    const runs = await Promise.all(
      Array.from({ length: 24 }, (_, i) => runHook(dir, 'PreToolUse', toolCall(`t${i}`))),
    );
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(Array(24).fill([0, '']));
    await quietly(dir, 'PreToolUse', toolCall('last')); // takes in what had to wait in the inbox
    const kept = eventsOf(dir);
    expect(kept.map(({ seq }) => seq)).toEqual(Array.from({ length: 25 }, (_, i) => i + 1));
    expect(new Set(kept.map(({ id }) => id)).size).toBe(25);
  });
});

describe('a hook that comes with a transcript', () => {
  const stop = (transcript: string) => ({
    session_id: 's',
    hook_event_name: 'Stop',
    transcript_path: transcript,
  });
  const line = (uuid: string, text: string) =>
    `${JSON.stringify({ type: 'assistant', uuid, sessionId: 's', timestamp: '2026-11-21T08:00:00Z', message: { id: `m-${uuid}`, content: [{ type: 'text', text }] } })}\n`;
  const said = (dir: string) =>
    eventsOf(dir)
      .filter(({ type }) => type === 'message.recorded')
      .map(({ data }) => (data as { text: string }).text);

  it('reads on where it left off, and leaves half a last line for the next time', async () => {
    const dir = scratch();
    const file = join(dir, 's.jsonl');
    writeFileSync(file, line('u1', 'one') + line('u2', 'two').slice(0, 40));
    await quietly(dir, 'Stop', stop(file));
    expect(said(dir)).toEqual(['one']);
    writeFileSync(file, `${line('u1', 'one') + line('u2', 'two')}garbage\n${line('u3', 'three')}`);
    await quietly(dir, 'Stop', stop(file));
    await quietly(dir, 'Stop', stop(file));
    expect(said(dir)).toEqual(['one', 'two', 'three']);
  });

  it('notices a transcript that was replaced, and tells nothing twice', async () => {
    const dir = scratch();
    const file = join(dir, 's.jsonl');
    writeFileSync(file, line('u1', 'one') + line('u2', 'two'));
    await quietly(dir, 'Stop', stop(file));
    writeFileSync(
      file,
      line('u0', 'zero') + line('u1', 'one') + line('u2', 'two') + line('u3', 'three'),
    );
    await quietly(dir, 'Stop', stop(file));
    expect(said(dir).sort()).toEqual(['one', 'three', 'two', 'zero']);
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

const inboxOf = (dir: string) =>
  readdirSync(join(dir, '.ben10/journal/inbox')).filter((name) => name.endsWith('.evt')).length;

function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
