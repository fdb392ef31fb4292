import { existsSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Ben10Context } from '../../../src/cli/context.ts';
import { run } from '../../../src/cli/run.ts';
import { addSources, createPack } from '../../../src/packs/change.ts';
import { openTestProject } from '../../support.ts';
import { cleanEnv, emptyProject, inMemory, json, Memory } from '../support.ts';

/** A folder whose pack `auth` has these sources. */
async function withPack(...sources: string[]): Promise<string> {
  const dir = emptyProject();
  const project = openTestProject(dir);
  createPack(project, 'auth', {}, 'cli');
  if (sources.length > 0) await addSources(project, 'auth', sources, {}, 'cli');
  project.close();
  return dir;
}

/** Runs a command line on a terminal where somebody types. */
async function typed(dir: string, args: readonly string[], answer: string) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.end(answer);
  const [stdout, stderr] = [new Memory(200), new Memory(200)];
  const context = {
    ...{ env: cleanEnv(path.join(dir, 'no-home')), stdin, stdout, stderr, cwd: dir },
    ...{ colorDepth: 1, now: Date.now, interruption: () => new AbortController().signal },
  } as Ben10Context;
  const code = await run(args, context);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

describe('ben10 pack capture', () => {
  it('runs all commands of a pack with --yes, and says how each ended', async () => {
    const dir = await withPack('cmd:echo one; exit 3', 'cmd:printf two', 'text:x');
    const result = await inMemory(dir, ['pack', 'capture', 'auth', '--yes']);
    expect(result.stderr).toBe('');
    expect(result.stdout).toMatch(
      /^[0-9a-f]{8} {2}cmd {6}echo one; exit 3 {2}exit 3, [\d.]+ m?s, 1 line +priority 0\n[0-9a-f]{8} {2}cmd {6}printf two {8}exit 0, [\d.]+ m?s, 1 line +priority 0\n$/,
    );
    expect(result.code).toBe(0);
    const [one] = json<{ exit: number }[]>(
      await inMemory(dir, ['pack', 'capture', 'auth', 'cmd:echo one; exit 3', '--yes', '--json']),
    );
    expect(one).toMatchObject({
      ...{ name: 'auth', command: 'echo one; exit 3', cwd: '.', exit: 3 },
      ...{ bytes: 4, cut: 0, lines: 1, secrets: 0 },
    });
  });

  it('asks first, and takes nothing but a yes', async () => {
    const dir = await withPack('cmd:touch ran');
    for (const answer of ['n\n', '\n', '', 'yesterday\n', 'Nay\n']) {
      const { code, stdout, stderr } = await typed(dir, ['pack', 'capture', 'auth'], answer);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(
        'Run `touch ran` in . now, for at most 60 s, and keep what it prints? [y/N]',
      );
      expect(stderr).toContain('Nothing was run.\n');
    }
    expect(existsSync(path.join(dir, 'ran'))).toBe(false);
    const { code, stdout } = await typed(dir, ['pack', 'capture', 'auth'], 'y\n');
    expect({ code, ran: existsSync(path.join(dir, 'ran')) }).toEqual({ code: 0, ran: true });
    expect(stdout).toMatch(/touch ran {2}exit 0, .*, 0 lines {2}priority 0\n$/);
  });

  it('shows every command as it is before it asks', async () => {
    const dir = await withPack('cmd:echo a\nrm -rf b', 'cmd:echo \u001b[2Kc');
    const { stderr } = await typed(dir, ['pack', 'capture', 'auth', '--timeout', '600'], 'n\n');
    expect(stderr).toContain('`echo a\\u{a}rm -rf b` in .\n`echo \\u{1b}[2Kc` in .\n');
    expect(stderr).toContain('Run these 2 now, each for at most 600 s, and keep what they print?');
  });

  it('runs nothing where nobody can be asked', async () => {
    const dir = await withPack('cmd:touch ran');
    const result = await inMemory(dir, ['pack', 'capture', 'auth']);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('--yes');
    expect(existsSync(path.join(dir, 'ran'))).toBe(false);
  });

  it('refuses what is no command, no time and no pack', async () => {
    const dir = await withPack('cmd:touch ran', 'text:x');
    const code = async (...args: string[]): Promise<string> => {
      const result = await inMemory(dir, ['pack', 'capture', ...args, '--yes', '--json']);
      return `${result.code} ${json<{ error: { code: string } }>(result).error.code}`;
    };
    expect(await code('auth', 'text:x')).toBe('2 USAGE');
    expect(await code('auth', '--timeout', '601')).toBe('2 USAGE');
    expect(await code('auth', '--timeout', '0')).toBe('2 USAGE');
    expect(await code('other')).toBe('1 PACK_NOT_FOUND');
    expect(await code('auth', 'cmd:other')).toBe('1 PACK_NOT_FOUND');
    expect(existsSync(path.join(dir, 'ran'))).toBe(false);
  });
});

describe('ben10 pack add --capture', () => {
  it('asks before anything is added, runs the command, and says how it ended', async () => {
    const dir = await withPack();
    const add = [
      'pack',
      'add',
      'auth',
      'cmd:echo out; exit 4',
      'text:x',
      '--capture',
      '--cwd',
      '.',
    ];
    const no = await typed(dir, add, 'n\n');
    expect(no).toMatchObject({ code: 1, stdout: '' });
    expect(no.stderr).toMatch(
      /Run `echo out; exit 4` in \. now, .*\s+Nothing was added or run\.\n$/,
    );
    const piped = await inMemory(dir, add);
    expect(piped).toMatchObject({ code: 2, stdout: '' });
    expect(
      json<{ artifacts: unknown[] }>(await inMemory(dir, ['pack', 'show', 'auth', '--json']))
        .artifacts,
    ).toEqual([]);
    const yes = await typed(dir, add, 'yes\n');
    expect(yes).toMatchObject({ code: 0 });
    expect(yes.stdout).toMatch(
      /^\+ [0-9a-f]{8} {2}cmd {6}echo out; exit 4 {2}exit 4, [\d.]+ m?s, 1 line/,
    );
    const rendered = await inMemory(dir, ['pack', 'render', 'auth']);
    expect(rendered.stdout).toContain(
      '<ben10-item cmd="echo out; exit 4" cwd="." exit="4">\nout\n</ben10-item>\n',
    );
  });

  it('needs a command, and gives the capture with --json', async () => {
    const dir = await withPack();
    expect(
      (await inMemory(dir, ['pack', 'add', 'auth', 'text:x', '--capture', '--yes'])).code,
    ).toBe(2);
    const add = ['pack', 'add', 'auth', 'cmd:echo out', '--capture', '--yes', '--json'];
    const { added } = json<{ added: object[] }>(await inMemory(dir, add));
    expect(added).toMatchObject([{ kind: 'cmd', capture: { exit: 0, bytes: 4, lines: 1 } }]);
  });
});
