import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readHookConfig } from '../../../src/platform/hook-config.ts';
import { scratch } from '../../support.ts';
import { ben10, here, json, PROGRAM, recordedProject } from '../support.ts';

const read = (dir: string, file: string): string => readFileSync(path.join(dir, file), 'utf8');

interface Done {
  dryRun: boolean;
  uninstall: boolean;
  files: { file: string; action: string }[];
}

const actions = (result: { stdout: string }): Record<string, string> =>
  Object.fromEntries(
    json<{ files: Done['files'] }>(result).files.map(({ file, action }) => [file, action]),
  );

describe('ben10 init', () => {
  it('sets a project up, says what it did and what to do next', async () => {
    const dir = scratch();
    const { status, stdout } = await here(dir, ['init']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ben10 is set up in /);
    for (const file of ['.mcp.json', '.claude/settings.local.json', '.ben10/']) {
      expect(stdout).toContain(`created ${file}`);
      expect(existsSync(path.join(dir, file))).toBe(true);
    }
    expect(stdout).toContain('All of it is private');
    expect(stdout).toContain('What next');
    expect(stdout).toContain('choose "Use this MCP server". "Continue without" is fine,');
    expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
    expect(JSON.parse(read(dir, '.mcp.json')).mcpServers.ben10.command).toBe('ben10');
    expect(statSync(path.join(dir, '.ben10')).mode & 0o777).toBe(0o700);
  });

  it('compiles the configuration for hooks', async () => {
    const dir = scratch();
    await here(dir, ['init']);
    const home = path.join(dir, 'no-home');
    const config = readHookConfig(path.join(dir, '.ben10'), {}, home);
    expect(config).toMatchObject({ stale: false, config: { context: { autoSave: true } } });
  });

  it('changes nothing a second time', async () => {
    const dir = scratch();
    await here(dir, ['init']);
    const files = ['.mcp.json', '.claude/settings.local.json', '.ben10/config.yaml'];
    const before = files.map((file) => read(dir, file));
    const again = await here(dir, ['init']);
    expect(again.status).toBe(0);
    expect(again.stdout).toContain('Nothing had to be changed');
    expect(files.map((file) => read(dir, file))).toEqual(before);
    expect(new Set(Object.values(actions(await here(dir, ['init', '--json']))))).toEqual(
      new Set(['keep']),
    );
  });

  it('lists what it would change in six lines at most on a dry run, and all of it with --diff', async () => {
    const dir = scratch();
    execFileSync('git', ['init', '-q'], { cwd: dir });
    const earlier = {
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'ben10 hook stop' }] }] },
    };
    mkdirSync(path.join(dir, '.claude'));
    writeFileSync(path.join(dir, '.claude/settings.json'), JSON.stringify(earlier));
    const { status, stdout } = await here(dir, ['init', '--dry-run']);
    expect(status).toBe(0);
    const [summary, rest] = stdout.split('\n\n');
    expect(summary!.split('\n')).toEqual([
      "  create  .mcp.json: starts ben10's server",
      '  create  .claude/settings.local.json: 11 hooks record sessions, a status line',
      '  change  .claude/settings.json: its hooks move to .claude/settings.local.json',
      '  change  .git/info/exclude: git ignores what is private',
      '  create  .claude/commands/: /checkpoint, /handoff, /orient, /shard, /ralph',
      '  create  .ben10/: config.yaml and .gitignore; the journal will be here',
    ]);
    expect(rest).toContain('Nothing was changed yet.');
    const diff = (await here(dir, ['init', '--diff'])).stdout;
    expect(diff.startsWith(`${summary}\n\n`)).toBe(true);
    expect(diff).toContain('--- /dev/null\n+++ b/.mcp.json\n@@ ');
    expect(diff).toContain('--- a/.git/info/exclude\n+++ b/.git/info/exclude\n@@ ');
    expect(diff).toMatch(/^\+\/\.mcp\.json$/m);
    expect(readdirSync(dir).sort()).toEqual(['.claude', '.git']);
    await here(dir, ['init']);
    expect((await here(dir, ['init', '--dry-run'])).stdout).toBe('Nothing would change.\n');
  });

  it('says what is shared and what is private', async () => {
    const dir = scratch();
    execFileSync('git', ['init', '-q'], { cwd: dir });
    const { stdout } = await here(dir, ['init', '--shared']);
    expect(stdout).toContain('created .claude/settings.json: shared: 11 hooks record sessions');
    expect(stdout).toContain('Shared through git: .claude/settings.json, silent where ben10');
    const files = json<{ files: { file: string; isShared: boolean }[] }>(
      await here(dir, ['init', '--shared', '--json']),
    ).files;
    expect(files.filter(({ isShared }) => isShared).map(({ file }) => file)).toEqual([
      '.claude/settings.json',
    ]);
  });

  it('names this copy by its path with --local, in settings that are nobody else’s', () => {
    const dir = scratch();
    const { status } = ben10(dir, ['init', '--local']);
    expect(status).toBe(0);
    const settings = read(dir, '.claude/settings.local.json');
    expect(settings).toContain(PROGRAM);
    expect(settings).toContain(process.execPath);
    expect(existsSync(path.join(dir, '.claude/settings.json'))).toBe(false);
  });

  it('records tool calls by commands in the background, and by the server with --hooks mcp', async () => {
    const dir = scratch();
    const hookOf = (event: string) =>
      JSON.parse(read(dir, '.claude/settings.local.json')).hooks[event][0].hooks[0];
    await here(dir, ['init']);
    expect(hookOf('PreToolUse')).toMatchObject({ type: 'command', async: true });
    expect(hookOf('Stop')).not.toHaveProperty('async');
    await here(dir, ['init', '--hooks', 'mcp']);
    expect(hookOf('PreToolUse')).toMatchObject({ type: 'mcp_tool' });
  });

  it('takes out what it put in, and leaves the journal', async () => {
    const dir = recordedProject();
    spawnSync('git', ['init', '-q', dir]);
    await here(dir, ['init']);
    const { status, stdout } = await here(dir, ['init', '--uninstall']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/\.git\/info\/exclude: ben10's lines are removed$/m);
    expect(stdout).toMatch(/^ben10 was removed from /);
    expect(stdout).toContain('The journal stays');
    expect(existsSync(path.join(dir, '.mcp.json'))).toBe(false);
    expect((await here(dir, ['verify'])).status).toBe(0);
  });

  it('leaves everything alone when a settings file is broken, and says where', async () => {
    const dir = scratch();
    mkdirSync(path.join(dir, '.claude'));
    const broken = '{\n  "hooks": {,}\n}\n';
    writeFileSync(path.join(dir, '.claude/settings.json'), broken);
    const { status, stderr } = await here(dir, ['init', '--shared']);
    expect(status).toBe(1);
    expect(stderr).toContain('[SETTINGS_INVALID]');
    expect(stderr).toMatch(/settings\.json:2:\d+/);
    expect(readdirSync(dir)).toEqual(['.claude']);
    expect(read(dir, '.claude/settings.json')).toBe(broken);
  });
});

describe('where ben10 init does nothing', () => {
  const home = (dir: string, HOME = dir) => ({ HOME });

  it('is the home folder, also by a link and with a slash, and the root', async () => {
    const dir = scratch();
    const link = path.join(scratch(), 'link');
    symlinkSync(dir, link);
    const places = [
      [dir, `${dir}/`],
      [dir, link],
      [link, dir],
      ['/', dir],
    ] as const;
    for (const [place, HOME] of places) {
      const { status, stderr } = await here(place, ['init'], home(dir, HOME));
      expect([status, stderr]).toEqual([2, expect.stringContaining('[USAGE]')]);
      expect(stderr).toContain('for all your projects: ben10 init --user');
    }
    expect(readdirSync(dir)).toEqual([]);
    expect((await here(dir, ['init', '--uninstall'], home(dir))).status).toBe(0);
  });

  it('is a folder of a project that is set up, without --here', async () => {
    const dir = scratch();
    await here(dir, ['init']);
    const inner = path.join(dir, 'packages/one');
    mkdirSync(inner, { recursive: true });
    const { status, stderr } = await here(inner, ['init']);
    expect(status).toBe(2);
    expect(stderr).toContain(`is part of ${dir}, which is set up: nothing was done`);
    expect(stderr).toContain('ben10 init --here');
    expect(readdirSync(inner)).toEqual([]);
    expect((await here(inner, ['init', '--here'])).status).toBe(0);
    expect((await here(inner, ['init'])).stdout).toContain('Nothing had to be changed');
  });
});

describe('ben10 init --user', () => {
  /** A home folder, and a client on PATH that notes how it is called. */
  function machine() {
    const home = scratch();
    const bin = path.join(scratch(), 'bin');
    mkdirSync(bin);
    const said = path.join(home, 'said');
    const env = { HOME: home, PATH: `${bin}${path.delimiter}/usr/bin${path.delimiter}/bin` };
    return { home, bin, said, env };
  }

  it('puts silent hooks into the settings of the user, and the server through the client', async () => {
    const { home, bin, said, env } = machine();
    writeFileSync(path.join(bin, 'claude'), `#!/bin/sh\necho "$@" >>${said}\n`, { mode: 0o755 });
    const user = ['init', '--user'];
    const { status, stdout } = await here('/', user, env);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ben10 is set up in all your projects/);
    const { hooks } = JSON.parse(read(home, '.claude/settings.json'));
    expect(hooks.Stop[0].hooks[0].command).toMatch(/^eval 'command -v ben10 /);
    expect(existsSync(path.join(home, '.ben10'))).toBe(false);
    expect((await here(home, [...user, '--uninstall'], env)).status).toBe(0);
    expect(existsSync(path.join(home, '.claude/settings.json'))).toBe(false);
    expect(readFileSync(said, 'utf8')).toBe(
      'mcp add --scope user ben10 -- ben10 serve\nmcp remove --scope user ben10\n',
    );
  });

  it('says how to add the server where there is no client on PATH', async () => {
    const { home, env } = machine();
    const { stdout } = await here(home, ['init', '--user'], env);
    expect(stdout).toContain('claude mcp add --scope user ben10 -- ben10 serve');
  });

  it('changes what a link of a dotfile manager leads to, and keeps what else is there', async () => {
    const { home, env } = machine();
    mkdirSync(path.join(home, '.claude'));
    mkdirSync(path.join(home, 'dotfiles'));
    writeFileSync(path.join(home, 'dotfiles/claude.json'), '{"model": "opus"}');
    symlinkSync('../dotfiles/claude.json', path.join(home, '.claude/settings.json'));
    expect((await here(home, ['init', '--user'], env)).status).toBe(0);
    const { model, hooks } = JSON.parse(read(home, 'dotfiles/claude.json'));
    expect([model, Object.keys(hooks).length]).toEqual(['opus', 11]);
  });

  it('takes one place for hooks at a time', async () => {
    const { home, env } = machine();
    for (const more of [['--local'], ['--shared'], ['--hooks', 'mcp']])
      expect((await here(home, ['init', '--user', ...more], env)).status).toBe(2);
  });
});

/**
 * A terminal of its own around the program, which `script` makes, and somebody who types each answer when its question is
 * there.
 */
async function atTerminal(
  dir: string,
  args: string,
  answers: Record<string, string> = {},
): Promise<string> {
  const command = `"${process.execPath}" "${PROGRAM}" ${args}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: dir,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: path.join(dir, 'no-home'),
      TERM: 'dumb',
      COLUMNS: '200',
    },
  });
  let said = '';
  const open = new Map(Object.entries(answers));
  child.stdout.on('data', (data) => {
    said += String(data);
    for (const [question, answer] of open) {
      if (!said.includes(question)) continue;
      open.delete(question);
      child.stdin.write(`${answer}\n`);
    }
  });
  await once(child, 'close');
  return said;
}
const canScript = spawnSync('script', ['-qec', 'true', '/dev/null'], { input: '' }).status === 0;

describe('what kind of project it is', () => {
  it('is told by its files, and nobody is asked where there is no terminal', async () => {
    const dir = scratch();
    writeFileSync(path.join(dir, 'Cargo.toml'), '');
    const { status, stdout } = await here(dir, ['init']);
    expect(status).toBe(0);
    expect(stdout).toContain('Project type: rust, because of Cargo.toml');
    expect(stdout).not.toContain('such as aosp');
    expect(read(dir, '.ben10/config.yaml')).toContain('# type: ""');
  });

  it.skipIf(!canScript)(
    'is asked on a terminal, once (skipped without the program "script")',
    async () => {
      const dir = scratch();
      writeFileSync(path.join(dir, 'package.json'), '{}');
      await atTerminal(dir, 'init', {
        'such as aosp, yocto, ros, node [node]: ': 'yocto',
        'A hint for agents, in one line [none]: ': 'Use the container: always.',
      });
      const config = read(dir, '.ben10/config.yaml');
      expect(config).toMatch(/^ +type: "?yocto"?$/m);
      const hint = (await here(dir, ['config', 'get', 'workspace.hints.default'])).stdout;
      expect(hint).toContain('Use the container: always.');
      expect(await atTerminal(dir, 'init')).not.toContain('Project type, such');
      expect(read(dir, '.ben10/config.yaml')).toBe(config);
    },
  );

  it.skipIf(!canScript)(
    'stays as it was found where nothing is answered, or nothing may be changed',
    async () => {
      const dir = scratch();
      expect(await atTerminal(dir, 'init --dry-run')).not.toContain('Project type, such');
      const said = await atTerminal(dir, 'init', {
        'node [none]: ': '',
        'A hint for agents, in one line [none]: ': '',
      });
      expect(said).toContain('ben10 is set up in');
      expect(read(dir, '.ben10/config.yaml')).toContain('# type: ""');
    },
  );
});
