/** @module-tag long */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { viewFile } from '../../src/monitor/view.ts';
import { ben10, json } from '../cli/support.ts';
import { scratch } from '../support.ts';
import { ended, Place, type Shown, type Step } from './run-loop.ts';

const DONE = 'All of it works.\n\n<promise>DONE</promise>';
const UNTIL = ['--until', 'DONE'];

/** Each turn changes something, so that nothing stands still. */
const busy = (count: number, more: Step = {}): Step[] =>
  Array.from({ length: count }, (_, n) => ({
    write: { 'work.txt': `${n}` },
    say: 'on it',
    ...more,
  }));

describe('a loop', { timeout: 60_000 }, () => {
  it('is complete when the promise is given and the checks pass, not before', () => {
    const kept = path.join(scratch(), 'kept');
    const place = new Place([
      { say: DONE, write: { 'work.txt': 'half' } },
      { say: 'it is whole', write: { 'work.txt': 'whole' } },
      { say: DONE, keep: kept },
    ]);
    place.write({ 'PROMPT.md': 'Make it whole. Then say <promise>DONE</promise>.' });
    const check = ['--check', 'grep -q whole work.txt', '--check', './silent.sh'];
    writeFileSync(path.join(place.dir, 'silent.sh'), '#!/bin/sh\n', { mode: 0o755 });
    const { status, shown, stderr } = place.run(
      'PROMPT.md',
      ...UNTIL,
      ...check,
      '--',
      '--model',
      'x',
    );
    expect(status).toBe(0);
    expect(shown).toMatchObject({ state: 'complete', iterations: 3, tokens: 450, costUsd: 0.03 });
    expect(stderr.trim().split('\n')).toHaveLength(3);
    expect(stderr).toContain(
      '1 of 20: turn end, 150 tokens, $0.01, promised, ✗ grep -q whole work.txt',
    );
    const { prompt, args, loop } = JSON.parse(readFileSync(kept, 'utf8'));
    expect(prompt).toContain('Make it whole');
    expect(loop).toBe(shown?.loop);
    expect(args).toEqual([
      ...[
        '-p',
        '--session-id',
        shown?.newest.session,
        '--output-format',
        'stream-json',
        '--verbose',
      ],
      ...['--model', 'x'],
    ]);
    const list = json<{ loops: Shown[] }>(place.loop('list', '--json'));
    expect(list.loops).toEqual([shown]);
    expect(place.loop('status').stdout).toContain('complete');
    expect(existsSync(path.join(place.dir, '.ben10/loops', `${shown?.loop}-3`))).toBe(false);
  });

  it('is complete by its checks alone where no promise is asked for, and by neither only at its end', () => {
    const checked = new Place([{ say: '' }]).run('task', '--check', 'true');
    expect(checked).toMatchObject({ status: 0, shown: { state: 'complete', iterations: 1 } });
    const free = new Place(busy(1, { say: DONE })).run('task', '--max', '2', '--stall', '0');
    expect(free).toMatchObject({ status: 1, shown: { state: 'max', iterations: 2 } });
  });

  it('takes no promise in quotes, in code, cut, on the way, or repeated from the prompt', () => {
    const place = new Place([
      ...['"<promise>DONE</promise>"', '```\n<promise>DONE</promise>\n```', '$PROMPT'].map(
        (say) => ({ say }),
      ),
      ...['> <promise>DONE</promise>', '<promise>DONE', '<promise>done</promise>'].map((say) => ({
        say,
      })),
    ]);
    const task = 'Work. At the end say:\n<promise>DONE</promise>';
    const { shown } = place.run(task, ...UNTIL, '--max', '6', '--stall', '0');
    expect(shown).toMatchObject({ state: 'max', iterations: 6, newest: { isPromised: false } });
  });

  it('ends where its budget is used up, and tells the client what is left', () => {
    const kept = path.join(scratch(), 'kept');
    const place = new Place(busy(3, { cost: 0.4, keep: kept }));
    const { status, shown } = place.run('task', ...UNTIL, '--budget-usd', '1');
    expect({ status, ...shown }).toMatchObject({ status: 1, state: 'budget', iterations: 3 });
    const { args } = JSON.parse(readFileSync(kept, 'utf8'));
    expect(args.slice(6, 8)).toEqual(['--max-budget-usd', '0.2000']);
    // A restart gives nothing back; only the user does.
    expect(json<Shown>(place.loop('resume', '--json'))).toMatchObject({
      state: 'budget',
      iterations: 3,
    });
    const more = json<Shown>(place.loop('resume', '--json', '--budget-usd', '1.5'));
    expect(more).toMatchObject({ state: 'budget', iterations: 4 });
  });

  it('ends a client that uses more tokens than there are', () => {
    const usage = { input_tokens: 900, output_tokens: 200, cache_read_input_tokens: 5000 };
    const message = (id: string) => ({
      type: 'assistant',
      message: { id, model: 'claude-opus-4-6', usage },
    });
    const lines = [message('a'), message('a'), '{"broken', 'x'.repeat(100_000), null, message('b')];
    const place = new Place([{ ms: 60_000, lines }]);
    const { shown } = place.run('task', '--budget-tokens', '2000');
    expect(shown).toMatchObject({
      state: 'budget',
      tokens: 2200,
      // It said none: at list prices.
      costUsd: 0.024,
      newest: { outcome: 'interrupted', peak: 3 },
    });
  });

  it('ends after turns that changed nothing, and after turns that failed the same way', () => {
    const still = new Place([{ write: { 'work.txt': 'one' } }]).run('task', ...UNTIL);
    expect(still).toMatchObject({ status: 1, shown: { state: 'stall', iterations: 3 } });
    const place = new Place(busy(9));
    place.write({ 'fail.sh': 'echo "Error: no parser"; exit 3' });
    const failing = place.run('task', '--check', 'sh fail.sh', '--stall', '2');
    expect(failing.shown).toMatchObject({ state: 'stall', iterations: 2 });
    const failure = 'Error: no parser';
    expect(failing.shown?.newest).toMatchObject({ checks: [{ isPassed: false, failure }] });
  });

  it('ends after three errors of its client in a row, and says what it printed', () => {
    const place = new Place([
      { exit: 3, fail: 'no such model' },
      ...busy(1),
      { say: 'API Error', isError: true },
    ]);
    const { shown, stderr } = place.run('task', ...UNTIL);
    expect(shown).toMatchObject({ state: 'client-error', iterations: 5 });
    expect(stderr).toContain('1 of 20: client error: no such model');
    const none = place.loop('run', 'task', '--client', 'no-such-client', '--json');
    expect(json(none)).toMatchObject({ state: 'client-error', newest: { exit: 127 } });
  });

  it('waits while the account’s limit is reached, and counts nothing', () => {
    const limit = (resetsAt: number, status = 'rejected') => ({
      type: 'rate_limit_event',
      rate_limit_info: { status, resetsAt, rateLimitType: 'five_hour' },
    });
    const at = Math.ceil(Date.now() / 1000) + 4;
    const said = { say: "You've hit your limit", isError: true };
    const place = new Place([
      { ...said, lines: [limit(at)] },
      { say: DONE, lines: [limit(at, 'allowed')] },
    ]);
    const { status, shown, stderr } = place.run('task', ...UNTIL, '--max', '1');
    expect(stderr).toContain('rate limit: waiting until');
    expect({ status, ...shown }).toMatchObject({ status: 0, iterations: 1, newest: { n: 2 } });
    expect(Date.now() / 1000).toBeGreaterThanOrEqual(at);
    expect(shown?.minutes).toBeLessThan(0.05);
  });

  it('ends where its worktree is lost', () => {
    const place = new Place([{ say: 'first' }]);
    const other = path.join(place.dir, 'other');
    place.git('worktree', 'add', '-q', other);
    place.write({ 'other/gone.sh': 'rm -rf ../other' });
    const args = ['loop', 'run', 'task', '--client-cmd', 'sh gone.sh', '--json', '--until', 'X'];
    const result = ben10(other, args, place.env);
    expect(json(result)).toMatchObject({ state: 'worktree-lost', worktree: 'other' });
  });

  it('ends where its task is gone, says which, and says it again when it is to go on', () => {
    const place = new Place([]);
    place.write({ 'TASK.md': 'Mend it', 'gone.sh': 'rm TASK.md' });
    const client = ['--client-cmd', 'sh gone.sh', '--until', 'X'];
    const ran = place.loop('run', 'TASK.md', ...client);
    for (const { status, stdout, stderr } of [ran, place.loop('resume')]) {
      expect(status).toBe(1);
      expect(stderr).toMatch(/the task cannot be read: .*TASK\.md/);
      expect(stdout).toContain('TASK.md cannot be read. Put it back, then: ben10 loop resume');
    }
    expect(place.status()).toMatchObject({ state: 'task-lost', iterations: 1 });
  });

  it('gives another client the prompt on stdin, and finds its session and its promise', () => {
    const place = new Place([]);
    const hook = (event: string, more: string) =>
      `printf %s '{"hook_event_name":"${event}","session_id":"other-1","cwd":"${place.dir}"${more}}' | ${process.execPath} ${path.resolve('dist/ben10.cjs')} hook ${event}`;
    place.write({
      'client.sh': [
        'cat > got.txt; echo "$BEN10_ITERATION $1" >> got.txt',
        hook('SessionStart', ',"source":"startup"'),
        hook('Stop', ',"last_assistant_message":"Done.\\n<promise>DONE</promise>"'),
      ].join('\n'),
    });
    const args = ['task', '--client-cmd', 'sh client.sh', ...UNTIL, '--', '--flag'];
    const { status, shown } = place.run(...args);
    expect({ status, ...shown }).toMatchObject({
      status: 0,
      iterations: 1,
      newest: { session: 'other-1' },
    });
    expect(readFileSync(path.join(place.dir, 'got.txt'), 'utf8')).toMatch(
      /^# Task: task[\s\S]*\n1 --flag\n$/,
    );
  });

  it('is refused without a project, without an end, beside another one and for a file that is not there', async () => {
    const place = new Place([{ ms: 60_000 }]);
    const nowhere = ben10(scratch(), ['loop', 'run', 'task']);
    expect(nowhere).toMatchObject({ status: 1, stderr: expect.stringContaining('ben10 init') });
    for (const args of [
      ['task', '--max', '0'],
      ['fix', 'it'],
      ['task', '--budget-usd', '-1'],
    ])
      expect(place.loop('run', ...args).status).toBe(2);
    expect(place.loop('run', 'none.md')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('none.md'),
    });
    expect(place.log).toEqual([]);
    const first = place.start('run', 'task', '--max', '1');
    await place.until((log) => log.length > 0);
    const { loop, state } = place.status();
    expect(state).toBe('running');
    for (const args of [['run', 'task'], ['resume']])
      expect(place.loop(...args)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining(`loop ${loop} runs`),
      });
    first.kill('SIGKILL');
    await ended(first);
    expect(place.status().state).toBe('killed');
    expect(place.loop('run', 'task').stderr).toContain('ben10 loop resume');
    // Its client still lived.
    expect(json(place.loop('stop', '--json'))).toMatchObject({
      state: 'stopped',
      newest: { outcome: 'interrupted' },
    });
    expect(place.log.map(({ what }) => what)).toEqual(['start', 'stop']);
  });
});

describe('a client that outlives its loop', { timeout: 60_000 }, () => {
  it('is waited for, and what it says counts', async () => {
    const place = new Place([{ ms: 5000, say: DONE }]);
    const loop = place.start('run', 'task', ...UNTIL);
    await place.until((log) => log.length > 0);
    loop.kill('SIGKILL');
    await ended(loop);
    const { stderr, stdout, status } = place.loop('resume', '--json');
    expect(stderr).toContain('iteration 1 is still at work: waiting for it');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'complete', iterations: 1, tokens: 150 });
    expect(place.log.map(({ what }) => what)).toEqual(['start', 'stop']);
  });
});

describe('a loop that is stopped', { timeout: 60_000 }, () => {
  it.each(['by hand', 'by Ctrl-C', 'by a terminal that is closed'])(
    '%s ends its client with a checkpoint of what it did',
    async (how) => {
      const place = new Place([{ ms: 60_000, write: { 'work.txt': 'half done' } }]);
      mkdirSync(path.join(place.dir, '.claude'));
      writeFileSync(path.join(place.dir, '.claude/ralph-loop.local.md'), 'theirs');
      const loop = place.start('run', 'task');
      await place.until(
        () => readFileSync(path.join(place.dir, 'work.txt'), 'utf8') === 'half done',
      );
      if (how === 'by hand') expect(place.loop('stop').status).toBe(0);
      else loop.kill(how === 'by Ctrl-C' ? 'SIGINT' : 'SIGHUP');
      expect(await ended(loop)).toBe(1);
      expect(loop.said()).toContain('the client has a loop of its own');
      const shown = place.status();
      expect(shown).toMatchObject({ state: 'stopped', newest: { outcome: 'interrupted' } });
      expect(shown.official).toBe('.claude/ralph-loop.local.md');
      expect(place.git('status', '--porcelain')).toBe('');
      expect(place.git('show', 'HEAD:work.txt')).toBe('half done');
      // Who goes on gets it in the prompt.
      const kept = path.join(scratch(), 'kept');
      place.script([{ say: DONE, keep: kept }]);
      const resumed = json<Shown>(place.loop('resume', '--json', '--until', 'DONE'));
      expect(resumed).toMatchObject({ state: 'complete', iterations: 2, newest: { n: 2 } });
      expect(JSON.parse(readFileSync(kept, 'utf8')).prompt).toContain('.claude/handoffs/');
    },
  );
});

describe('a client whose context is full', { timeout: 60_000 }, () => {
  it('is ended a minute after its checkpoint is due, and the next one goes on from that', async () => {
    const place = new Place([{ ms: 60_000, write: { 'work.txt': 'much' } }, { say: DONE }]);
    const loop = place.start('run', 'task', ...UNTIL);
    await place.until((log) => log.length > 0);
    const { newest } = place.status();
    const file = viewFile(path.join(place.dir, '.ben10'), newest.session);
    mkdirSync(path.dirname(file), { recursive: true });
    const checkpoint = { state: 'due', dueSince: Date.now() - 61_000, at: null, handoff: null };
    const view = { version: 1, session: newest.session, epoch: 'start', level: 'L2', percent: 86 };
    writeFileSync(file, JSON.stringify({ ...view, checkpoint, issue: null }));
    expect(await ended(loop)).toBe(0);
    const ends = place.events('loop.iteration-finished').map(({ data }) => data);
    expect(ends).toMatchObject([{ outcome: 'checkpoint', peak: 86 }, { outcome: 'turn-end' }]);
    const [, next] = place.events('loop.iteration-started').map(({ data }) => data);
    expect(next!.handoffIn).toBe(ends[0]!.handoffOut);
    expect(place.git('log', '-1', '--format=%s')).toContain('checkpoint iter 1 (L2 at 86%)');
  });
});
