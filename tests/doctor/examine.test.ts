/** @module-tag long */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { examine } from '../../src/doctor/examine.ts';
import { checkHookTime, measureHook, RATIO_WARN } from '../../src/doctor/measure.ts';
import { originDir } from '../../src/journal/format/layout.ts';
import type { Finding } from '../../src/platform/finding.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { CHECKS } from '../../src/project/features.ts';
import {
  ben10,
  cleanEnv,
  emptyProject,
  json,
  PROGRAM,
  recordedProject,
  SESSIONS,
} from '../cli/support.ts';
import { prompt } from '../log/events.ts';
import { openTestProject, scratch } from '../support.ts';

/** Says so, in the project's journal. */
function recordedIn(dir: string, text: string): void {
  const project = openTestProject(dir);
  project.writer.append([prompt(text)]);
  project.close();
}

const hookOnce = (dir: string) =>
  spawnSync(process.execPath, [PROGRAM, 'hook', 'user-prompt-submit'], {
    input: JSON.stringify({ session_id: 's1', cwd: dir, prompt: 'hello' }),
    cwd: dir,
    env: cleanEnv(dir),
  });

describe('the time of the hook', () => {
  it('is measured on a journal of its own, which is gone afterwards', () => {
    const folder = scratch();
    const time = measureHook(PROGRAM, { ...cleanEnv(folder), TMPDIR: folder });
    expect(time.nodeMs).toBeGreaterThan(0);
    expect(time.hookMs).toBeGreaterThan(time.nodeMs * 0.5);
    expect(time.ratio).toBeCloseTo(time.hookMs / time.nodeMs);
    expect(readdirSync(folder)).toEqual([]);
    expect(tmpdir()).not.toBe(folder);
  });

  it('is refused where the program is none, or says that it could not record', () => {
    const dir = scratch();
    expect(() => measureHook(path.join(dir, 'none.cjs'), cleanEnv(dir))).toThrow(
      /Cannot find module/,
    );
    const silent = path.join(dir, 'failing.cjs');
    writeFileSync(silent, 'process.exit(3)');
    expect(() => measureHook(silent, cleanEnv(dir))).toThrow('it exited with 3');
  });

  it('is worth a look from twice an empty Node on', () => {
    const time = (ratio: number) => checkHookTime({ hookMs: 30 * ratio, nodeMs: 30, ratio });
    expect(time(RATIO_WARN)).toMatchObject({ verdict: 'ok' });
    expect(time(RATIO_WARN + 0.01)).toMatchObject({ verdict: 'warn' });
    expect(time(1.4).what).toBe(
      'recording one tool call takes 42 ms, an empty Node 30 ms (1.40 times)',
    );
    expect(checkHookTime('it exited with 3')).toMatchObject({
      verdict: 'fail',
      what: 'it cannot be run: it exited with 3',
    });
  });
});

describe('an examination', () => {
  it('goes on when a check itself fails, and tells of it', () => {
    const project = openTestProject();
    const broken = {
      ...project,
      reader: {
        segments: () => {
          throw new Error('no such luck');
        },
      } as never,
    };
    const home = scratch();
    const about = { project: broken, env: cleanEnv(home), home, program: PROGRAM };
    const { ok, findings } = examine(about, CHECKS);
    expect(ok).toBe(false);
    expect(findings.find(({ check }) => check === 'journal')).toMatchObject({
      verdict: 'fail',
      what: 'the check failed: no such luck',
    });
    expect(findings.at(-1)!.check).toBe('hook');
  });
});

describe('ben10 doctor', () => {
  interface Answer {
    ok: boolean;
    findings: Finding[];
    hook: { hookMs: number; nodeMs: number; ratio: number };
  }

  it('finds a local installation well, with exit code 0, and changes nothing', () => {
    const dir = recordedProject();
    ben10(dir, ['init', '--local']);
    const before = readFileSync(path.join(dir, '.claude/settings.local.json'), 'utf8');
    const result = ben10(dir, ['doctor', '--json']);
    const { ok, findings, hook } = json<Answer>(result);
    expect(findings.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect({ ok, status: result.status }).toEqual({ ok: true, status: 0 });
    expect(hook.ratio).toBeGreaterThan(0.5);
    for (const { check, what, mend, verdict } of findings) {
      expect(check).toMatch(/^[a-z0-9 ]+$/);
      expect(what).not.toMatch(/\.$/);
      expect(mend === undefined).toBe(verdict === 'ok');
    }
    expect(readFileSync(path.join(dir, '.claude/settings.local.json'), 'utf8')).toBe(before);
    expect(json<{ events: number }>(ben10(dir, ['verify', '--json'])).events).toBe(52);
  });

  it('writes nothing into .ben10, where a reader would store states', () => {
    const dir = emptyProject();
    ben10(dir, ['import', '--here', SESSIONS]);
    rmSync(path.join(dir, '.ben10/checkpoints'), { recursive: true, force: true });
    const contents = () =>
      readdirSync(path.join(dir, '.ben10'), { recursive: true, encoding: 'utf8' }).sort();
    const before = contents();
    ben10(dir, ['doctor']);
    expect(contents()).toEqual(before);
    ben10(dir, ['status']);
    expect(contents()).not.toEqual(before);
  });

  it('does the other checks where a file stands in the place of .ben10', () => {
    const dir = scratch();
    writeFileSync(path.join(dir, '.ben10'), 'x');
    const { status, stdout, stderr } = ben10(dir, ['doctor']);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).toMatch(/^✗ folder +.*\.ben10 is not a folder/m);
    for (const check of ['node', 'disk', 'hooks', 'hook']) {
      expect(stdout).toMatch(new RegExp(`^[✓!✗] ${check} `, 'm'));
    }
    expect(stdout).not.toContain('the check failed');
  });

  it('and status say what keeps processes from taking turns, while hooks leave events in the inbox', () => {
    const dir = recordedProject();
    ben10(dir, ['init']);
    const { layout } = openTestProject(dir);
    rmSync(layout.lock);
    mkdirSync(layout.lock);
    const before = readdirSync(layout.inbox).length;
    const hook = hookOnce(dir);
    expect({ status: hook.status, stderr: String(hook.stderr) }).toEqual({ status: 0, stderr: '' });
    expect(readdirSync(layout.inbox).length).toBeGreaterThan(before);
    const { status, stdout } = ben10(dir, ['doctor']);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^✗ lock +\S*lock\s+is\s+not\s+a\s+file/m);
    expect(stdout).not.toContain('file locks work');
    expect(stdout).not.toContain('Run: ben10 doctor');
    const told = ben10(dir, ['status']).stdout.replaceAll(/\s+/g, ' ');
    expect(told).toContain('lock is not a file, so nobody can lock it: run ben10 doctor');
  });

  it("and status and verify tell of another journal's manifest, behind which no event is lost", () => {
    const dir = recordedProject();
    const { manifest } = openTestProject(dir).layout;
    const own = JSON.parse(readFileSync(manifest, 'utf8').split('\n')[0]!);
    const other = { ...own, journalId: '1'.repeat(32), origin: '2'.repeat(32) };
    const line = Buffer.from(JSON.stringify(other));
    writeFileSync(manifest, `${line}\n${xxh64(line, 0n).toString(16).padStart(16, '0')}\n`);
    const { stdout } = ben10(dir, ['doctor']);
    expect(stdout).toMatch(/✗ journal +its manifest belongs to another journal/);
    expect(stdout).not.toContain('nothing was recorded');
    const { health, warnings } = json<{ health: string; warnings: string[] }>(
      ben10(dir, ['status', '--json']),
    );
    expect(health).toBe('warning');
    expect(warnings).toEqual([expect.stringContaining('the manifest belongs to another journal')]);
    const verified = ben10(dir, ['verify']);
    expect(verified.status).toBe(1);
    expect(verified.stdout.replace(/\s+/g, ' ')).toContain(
      'No event is lost: ben10 repair --yes rebuilds it',
    );
    expect(verified.stdout).not.toContain('segment-header');
  });

  it('and status and verify tell of a journal that was taken away, by what was stored of it', () => {
    const dir = recordedProject();
    const { layout, reader } = openTestProject(dir);
    ben10(dir, ['save', 'kept']);
    rmSync(originDir(layout, reader.origin()!), { recursive: true });
    const { stdout } = ben10(dir, ['doctor']);
    expect(stdout).toMatch(/✗ journal +what ben10 stored about the journal's events is there/);
    expect(stdout).toContain('ben10 import');
    expect(stdout).not.toContain('nothing was recorded');
    expect(json(ben10(dir, ['status', '--json']))).toMatchObject({
      warnings: [expect.stringContaining('something removed them')],
    });
    const verified = ben10(dir, ['verify']);
    expect(verified.status).toBe(1);
    expect(verified.stdout).toContain('The journal is gone.');
    expect(json(ben10(dir, ['verify', '--json']))).toMatchObject({ ok: false, isTakenAway: true });
    for (const left of [layout.checkpoints, layout.blobs, layout.snapshots])
      rmSync(left, { recursive: true, force: true });
    for (const left of readdirSync(layout.root))
      if (left.startsWith('current.ctx')) rmSync(path.join(layout.root, left));
    expect(ben10(dir, ['doctor']).stdout).toContain('it is empty');
    expect(ben10(dir, ['verify']).status).toBe(0);
  });

  it('and status and verify tell of what a copy recorded, where it is put over its original, and how to read it', () => {
    const [dir, copy, apart] = [scratch(), scratch(), scratch()];
    const put = () =>
      cpSync(path.join(dir, '.ben10'), path.join(copy, '.ben10'), { recursive: true });
    recordedIn(dir, 'both');
    const origin = openTestProject(dir).reader.origin()!;
    put();
    recordedIn(copy, 'hello');
    const other = openTestProject(copy).reader.origin()!;
    put();
    const { stdout } = ben10(copy, ['doctor']);
    expect(stdout.replace(/\s+/g, '')).toContain(`${other}belongstoanothercopyofit`);
    expect(json(ben10(copy, ['status', '--json']))).toMatchObject({
      health: 'warning',
      warnings: [expect.stringContaining('are not read: run ben10 doctor')],
    });
    const verified = ben10(copy, ['verify']);
    expect(verified.status).toBe(0);
    expect(verified.stdout).toContain(`\n  ${other}\n`);
    // As both say.
    cpSync(path.join(copy, '.ben10'), path.join(apart, '.ben10'), { recursive: true });
    for (const name of ['manifest', origin])
      rmSync(path.join(apart, '.ben10/journal', name), { recursive: true });
    expect(ben10(copy, ['log']).stdout).not.toContain('hello');
    expect(ben10(apart, ['log']).stdout).toContain('hello');
  });

  it('and status tell of a segment under a number inside another one, and of no event that can be read as lost', () => {
    const dir = recordedProject();
    const [newest] = openTestProject(dir).reader.segments();
    const named = newest!.path.replace(/\d{16}\.b10$/, '0000000000000002.b10');
    copyFileSync(newest!.path, named);
    const { stdout } = ben10(dir, ['doctor']);
    expect(stdout).toMatch(
      /✗ journal +0000000000000002\.b10 is not the segment that its name says/,
    );
    expect(stdout).not.toMatch(/events? .*lost/);
    for (let n = 0; n < 2; n += 1) {
      const { warnings } = json<{ warnings: string[] }>(ben10(dir, ['status', '--json']));
      expect(warnings).toEqual([
        '0000000000000002.b10 is not the segment that its name says: run ben10 repair',
      ]);
    }
    expect(ben10(dir, ['repair', '--yes']).status).toBe(0);
    expect(ben10(dir, ['doctor']).stdout).not.toMatch(/✗ journal/);
  });

  it('tells of a copy of a segment that a program for syncing left beside it', () => {
    const dir = recordedProject();
    const [newest] = openTestProject(dir).reader.segments();
    expect(ben10(dir, ['doctor']).stdout).not.toContain('beside the segments');
    copyFileSync(newest!.path, newest!.path.replace(/\.b10$/, ' (conflicted copy).b10'));
    const { stdout } = ben10(dir, ['doctor']);
    expect(stdout).toMatch(/! journal +0000000000000001 \(conflicted copy\)\.b10 is not a segment/);
    expect(ben10(dir, ['verify']).status).toBe(0);
  });

  it('says what is wrong and how to mend it, within 80 columns, with exit code 1', () => {
    const dir = recordedProject();
    const { status, stdout } = ben10(dir, ['doctor']);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^✗ hooks +not installed: nothing is recorded/m);
    expect(stdout).toMatch(/^ +→ Run: ben10 init$/m);
    expect(stdout).toMatch(/\n1 problem, 2 warnings\.\n/);
    const wide = stdout.split('\n').filter((line) => line.length > 80 && !line.includes(dir));
    expect(wide).toEqual([]);
  });

  it('works without a project, and says what is missing', () => {
    const { status, stdout } = ben10(scratch(), ['doctor']);
    expect(status).toBe(1);
    expect(stdout).toContain('.ben10 does not exist');
    expect(ben10(emptyProject(), ['doctor', '--json']).stderr).toBe('');
  });
});
