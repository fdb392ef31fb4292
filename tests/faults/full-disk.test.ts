/** @module-tag long */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import { ben10, json } from '../cli/support.ts';
import { runHook, toolCall } from '../hook/run-hook.ts';
import { decoders, newEvent, realPorts, scratch } from '../support.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../dist/ben10.cjs');

/** A disk of its own of so many KiB; undefined where nobody may mount one. */
function smallDisk(kib: number): { dir: string; grow: () => void } | undefined {
  const dir = scratch();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', dir]).status !== 0)
    return undefined;
  onTestFinished(() => void spawnSync('umount', [dir]));
  return {
    dir,
    grow: () => void execFileSync('mount', ['-o', 'remount,size=32m', dir]),
  };
}

const canMount = process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0;

/** Everything that the journal holds, its inbox included, as text. */
function held(project: string): string {
  const root = path.join(project, '.ben10');
  const writer = new JournalWriter(realPorts, root, { lockBudgetMs: 5000 });
  writer.append([newEvent({}, 'disk')]);
  expect(writer.drain()).toBe(true);
  writer.close();
  expect(verifyJournal(realPorts, root, decoders).damage).toEqual([]);
  const reader = new JournalReader(realPorts, root, decoders);
  return [...reader.entries()].map(({ entry }) => entry?.payload.toString('latin1')).join('\n');
}

/** Runs hooks until several in a row could not keep what they were given. */
async function fill(project: string, env: Record<string, string> = {}) {
  const kept: string[] = [];
  let refused = 0;
  for (let n = 0; n < 60 && refused < 4; n += 1) {
    const id = `call-${n}-of-full-disk`;
    const run = await runHook(project, 'PreToolUse', toolCall(id, 'x'.repeat(2000)), env);
    expect(run.code).toBe(0);
    expect(run.stdout).toBe('');
    expect(run.stderr).toMatch(/^(?:[^\n]+\n)?$/);
    if (run.stderr === '') kept.push(id);
    else refused += 1;
  }
  return { kept, refused };
}

describe('a disk that is full', () => {
  // Only root may mount one: elsewhere this line says that it was not tried.
  it.runIf(canMount)(
    'costs the agent nothing but a line, and nothing acknowledged is lost',
    async () => {
      const disk = smallDisk(64);
      if (disk === undefined) {
        process.stderr.write('not tried: no tmpfs can be mounted here\n');
        return;
      }
      const project = path.join(disk.dir, 'project');
      mkdirSync(path.join(project, '.ben10'), { recursive: true, mode: 0o700 });
      const { kept, refused } = await fill(project);
      expect(kept.length).toBeGreaterThan(3);
      expect(refused).toBe(4);
      const rest = path.join(disk.dir, 'rest');
      expect(() => writeFileSync(rest, Buffer.alloc(64 * 1024))).toThrow('ENOSPC');
      for (const command of ['log', 'status', 'verify', 'replay'])
        expect(ben10(project, [command, '--json']), command).toMatchObject({ status: 0 });
      for (const command of ['save', 'checkpoint']) {
        const run = ben10(project, [command, '--json']);
        expect(json(run), command).toMatchObject({
          error: { code: 'FS_WRITE_ERROR', next: 'Free some space, then run it again.' },
        });
      }
      expect(ben10(project, ['doctor', '--json']).stdout).toContain('the disk is full');
      disk.grow();
      const text = held(project);
      expect(kept.filter((id) => !text.includes(id))).toEqual([]);
      const after = await runHook(project, 'PreToolUse', toolCall('call-after'));
      expect(after).toMatchObject({ code: 0, stdout: '', stderr: '' });
      expect(held(project)).toContain('call-after');
    },
  );
});

describe('a limit on how large a file may become', () => {
  it('costs the agent nothing but a line, and nothing acknowledged is lost', async () => {
    const project = path.join(scratch(), 'project');
    mkdirSync(path.join(project, '.ben10'), { recursive: true, mode: 0o700 });
    // Leaves its compiled code beside the program, whole: under the limit it would be cut.
    await runHook(path.join(scratch(), 'elsewhere'), 'PreToolUse', toolCall('first'));
    const kept: string[] = [];
    for (let n = 0; n < 14; n += 1) {
      const id = `call-${n}-of-small-files`;
      const input = JSON.stringify(toolCall(id, 'x'.repeat(2000)));
      // In blocks of 1,024 bytes.
      const run = spawnSync(
        'bash',
        [
          '--norc',
          '-c',
          `ulimit -f 8; exec "$0" "$@"`,
          process.execPath,
          PROGRAM,
          'hook',
          'PreToolUse',
        ],
        {
          input,
          encoding: 'utf8',
          env: { PATH: process.env.PATH ?? '', CLAUDE_PROJECT_DIR: project },
          cwd: '/',
        },
      );
      expect({ status: run.status, stdout: run.stdout }).toEqual({ status: 0, stdout: '' });
      expect(run.stderr).toMatch(/^(?:[^\n]+\n)?$/);
      if (run.stderr === '') kept.push(id);
    }
    expect(kept.length).toBeGreaterThan(1);
    const text = held(project);
    expect(kept.filter((id) => !text.includes(id))).toEqual([]);
    const files = readdirSync(path.join(project, '.ben10/journal'), {
      recursive: true,
      encoding: 'utf8',
    });
    for (const file of files) {
      const stat = statSync(path.join(project, '.ben10/journal', file));
      if (stat.isFile()) expect(stat.mode & 0o777).toBe(0o600);
    }
  });
});
