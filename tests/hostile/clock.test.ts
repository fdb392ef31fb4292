/** @module-tag long */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { STDIN_TOTAL_MS } from '../../src/hook/stdin.ts';
import { SYNC_INTERVAL_MS } from '../../src/journal/append/syncing.ts';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { readEvents } from '../../src/projections/events.ts';
import { ben10, json, lines } from '../cli/support.ts';
import { runHook, toolCall } from '../hook/run-hook.ts';
import { handClock, portsWith, verify } from '../journal/support.ts';
import { anEvent } from '../log/events.ts';
import { decoders, openTestProject, realPorts, scratch } from '../support.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;

/** What a clock can be set to: Linux has none before 1970, nor after 2232. */
const settable = (at: number) => Math.min(Math.max(at, 0), 8.2e12);

/** Times of one event after the other: hours back, years back, before the epoch, far ahead, past what a Date holds. */
const JUMPS = [
  NOW,
  NOW - 2 * HOUR,
  NOW + 1000,
  NOW - 20 * YEAR,
  0,
  1,
  -HOUR,
  NOW + 100 * YEAR,
  NOW + 2000,
  8.64e15 + 1,
  2 ** 47,
  NOW + 3000,
];

it('a clock that jumps between events and processes changes no order and breaks nothing', async () => {
  const dir = scratch();
  const root = path.join(dir, '.ben10');
  mkdirSync(root, { mode: 0o700 });
  for (const [n, at] of JUMPS.entries()) {
    const clock = handClock(settable(at));
    // A process of its own each time: what it knows of the time before comes from the disk.
    const writer = new JournalWriter({ ...realPorts, clock }, root, { lockBudgetMs: 1000 });
    const id = `t${n}`;
    writer.append([
      anEvent('prompt.submitted', { text: `prompt ${n}` }, { at }),
      anEvent('tool.called', { toolUseId: id, name: 'Bash', input: { command: `c${n}` } }, { at }),
    ]);
    clock.now = () => settable(at - YEAR); // and within one
    writer.append([
      anEvent(
        'tool.succeeded',
        { toolUseId: id, name: 'Bash', response: { stdout: '' } } as never,
        {
          at: at - YEAR,
        },
      ),
    ]);
    if (n % 4 === 3) writer.rotate(0);
    writer.close();
  }
  const reader = new JournalReader(realPorts, root, decoders);
  const entries = [...reader.entries()].map(({ entry }) => entry!);
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, n) => n + 1));
  expect(entries).toHaveLength(JUMPS.length * 3);
  const hlcs = entries.map(({ hlc }) => BigInt(hlc.ms) * 65_536n + BigInt(hlc.count));
  for (const [n, hlc] of hlcs.entries()) expect(hlc, String(n)).toBeGreaterThan(hlcs[n - 1] ?? -1n);
  expect(verify(root)).toMatchObject({ ok: true, events: JUMPS.length * 3 });

  const project = openTestProject(dir);
  const told = [...readEvents(project.reader, xxh64, {})];
  expect(told.map(({ at }) => at)).toEqual(
    // What lies before 1970 is a time that nobody knows.
    JUMPS.flatMap((at) => [at, at, at - YEAR]).map((at) => (at < 0 ? null : at)),
  );
  const listed = lines<{ seq: number }>(ben10(dir, ['log', '--json'])).map(({ seq }) => seq);
  expect(listed.sort((a, b) => a - b)).toEqual(told.map(({ seq }) => seq));
  for (const args of [
    ['log'],
    ['log', '--since', '2h'],
    ['log', '--until', '2020-01-01'],
    ['show', '30'],
    ['replay'],
    ['replay', '@5'],
    ['replay', '@2026-11-21T18:00'],
    ['recall', '--source', 'compact', '--session', 's1'],
    ['status'],
    ['compact'],
  ]) {
    const run = ben10(dir, args);
    expect(run.stderr, args.join(' ')).not.toContain('ben10:');
    expect(run.status, args.join(' ')).toBe(0);
    expect(run.stdout, args.join(' ')).not.toMatch(/NaN|Invalid Date|undefined/);
  }
  expect(json(ben10(dir, ['verify', '--json']))).toMatchObject({ ok: true });
  const input = { hook_event_name: 'SessionStart', source: 'compact', session_id: 's1', cwd: dir };
  const hook = await runHook(dir, 'SessionStart', input);
  expect(hook).toMatchObject({ code: 0, stderr: '' });
  expect(hook.stdout).toContain('prompt 11');
});

it('a sync is due again at once when the clock was set back, and never put off for ever', () => {
  const root = path.join(scratch(), '.ben10');
  let syncs = 0;
  const ports = portsWith({
    datasync: (fd) => {
      syncs += 1;
      realPorts.fs.datasync(fd);
    },
  });
  const append = (at: number) => {
    const clock = handClock(at);
    const writer = new JournalWriter({ ...ports, clock }, root, { lockBudgetMs: 1000 });
    const before = syncs;
    writer.append([anEvent('prompt.submitted', { text: 'hello' }, { at })]);
    writer.close();
    return syncs - before;
  };
  append(NOW + 10 * YEAR);
  // The last sync is in the future of all that comes now: each of these waits at most as long as ever.
  let quiet = 0;
  for (let n = 0; n < 20; n += 1) quiet = append(NOW + n * SYNC_INTERVAL_MS) === 0 ? quiet + 1 : 0;
  expect(quiet).toBeLessThanOrEqual(1);
});

/** A program that every process of Node loads first: its clock shows another time, or goes back an hour each second. */
function clockOf(dir: string, now: string): Record<string, string> {
  const file = path.join(dir, 'clock.cjs');
  writeFileSync(file, `const real = Date.now(); const now = Date.now; Date.now = () => ${now};`);
  return { NODE_OPTIONS: `--require ${file}` };
}

it('events are kept in order when the clock shows the last time that there is, and when it is set right again', async () => {
  const dir = scratch();
  const far = clockOf(dir, '8.64e15');
  for (const [n, env] of [far, far, {}].entries()) {
    const run = await runHook(dir, 'PreToolUse', toolCall(`t${n}`), env);
    expect(run, String(n)).toMatchObject({ code: 0, stderr: '' });
  }
  const start = { hook_event_name: 'SessionStart', session_id: 's', source: 'startup', cwd: dir };
  expect(await runHook(dir, 'SessionStart', start, far)).toMatchObject({ code: 0, stderr: '' });
  const events = lines<{ seq: number; data: { toolUseId?: string } }>(
    ben10(dir, ['log', '--json']),
  ).sort((a, b) => a.seq - b.seq);
  expect(events.map(({ data }) => data.toolUseId).slice(0, 3)).toEqual(['t0', 't1', 't2']);
  expect(json(ben10(dir, ['verify', '--json']))).toMatchObject({ ok: true, waiting: 0 });
});

it('a hook ends in time while its clock is set back again and again', async () => {
  const dir = scratch();
  const back = clockOf(dir, 'real - 3600 * (now() - real)');
  const run = await runHook(dir, 'PreToolUse', 'open', back);
  expect(run).toMatchObject({ code: 0, stdout: '' });
  expect(run.ms).toBeLessThan(STDIN_TOTAL_MS);
});
