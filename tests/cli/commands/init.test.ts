import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readHookConfig } from '../../../src/platform/hook-config.ts';
import { scratch } from '../../support.ts';
import { ben10, json, PROGRAM, recordedProject } from '../support.ts';

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
  it('sets a project up, says what it did and what to do next', () => {
    const dir = scratch();
    const { status, stdout } = ben10(dir, ['init']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ben10 is set up in /);
    for (const file of ['.mcp.json', '.claude/settings.json', '.ben10/config.yaml', '.gitignore']) {
      expect(stdout).toContain(`created ${file}`);
      expect(existsSync(path.join(dir, file))).toBe(true);
    }
    expect(stdout).toContain('What next');
    expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
    expect(JSON.parse(read(dir, '.mcp.json')).mcpServers.ben10.command).toBe('ben10');
    expect(statSync(path.join(dir, '.ben10')).mode & 0o777).toBe(0o700);
  });

  it('compiles the configuration for hooks', () => {
    const dir = scratch();
    ben10(dir, ['init']);
    const home = path.join(dir, 'no-home');
    const config = readHookConfig(path.join(dir, '.ben10'), {}, home);
    expect(config).toMatchObject({ stale: false, config: { context: { autoSave: true } } });
  });

  it('changes nothing a second time', () => {
    const dir = scratch();
    ben10(dir, ['init']);
    const files = ['.mcp.json', '.claude/settings.json', '.gitignore', '.ben10/config.yaml'];
    const before = files.map((file) => read(dir, file));
    const again = ben10(dir, ['init']);
    expect(again.status).toBe(0);
    expect(again.stdout).toContain('Nothing had to be changed');
    expect(files.map((file) => read(dir, file))).toEqual(before);
    expect(new Set(Object.values(actions(ben10(dir, ['init', '--json']))))).toEqual(
      new Set(['keep']),
    );
  });

  it('shows what it would change as a diff, and changes nothing, on a dry run', () => {
    const dir = scratch();
    writeFileSync(path.join(dir, '.gitignore'), 'node_modules\n');
    const { status, stdout } = ben10(dir, ['init', '--dry-run']);
    expect(status).toBe(0);
    expect(stdout).toContain('--- /dev/null\n+++ b/.mcp.json\n@@ ');
    expect(stdout).toContain('--- a/.gitignore\n+++ b/.gitignore\n@@ ');
    expect(stdout).toMatch(/^ node_modules$/m);
    expect(stdout).toMatch(/^\+.*\.ben10/m);
    expect(stdout).toContain('Nothing was changed yet.');
    expect(readdirSync(dir)).toEqual(['.gitignore']);
    expect(read(dir, '.gitignore')).toBe('node_modules\n');
    ben10(dir, ['init']);
    expect(ben10(dir, ['init', '--dry-run']).stdout).toBe('Nothing would change.\n');
  });

  it('names this copy by its path with --local, in settings that are nobody else’s', () => {
    const dir = scratch();
    const { status, stdout } = ben10(dir, ['init', '--local']);
    expect(status).toBe(0);
    const settings = read(dir, '.claude/settings.local.json');
    expect(settings).toContain(PROGRAM);
    expect(settings).toContain(process.execPath);
    expect(existsSync(path.join(dir, '.claude/settings.json'))).toBe(false);
    expect(stdout).toContain('Note: .mcp.json now contains paths of this machine');
  });

  it('records tool calls by processes with --hooks command, and by the server else', () => {
    const dir = scratch();
    ben10(dir, ['init', '--hooks', 'command']);
    expect(read(dir, '.claude/settings.json')).not.toContain('mcp_tool');
    ben10(dir, ['init', '--hooks', 'mcp']);
    expect(read(dir, '.claude/settings.json')).toContain('mcp_tool');
  });

  it('takes out what it put in, and leaves the journal', () => {
    const dir = recordedProject();
    ben10(dir, ['init']);
    const { status, stdout } = ben10(dir, ['init', '--uninstall']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ben10 was removed from /);
    expect(stdout).toContain('The journal stays');
    expect(existsSync(path.join(dir, '.mcp.json'))).toBe(false);
    expect(ben10(dir, ['verify']).status).toBe(0);
  });

  it('leaves everything alone when a settings file is broken, and says where', () => {
    const dir = scratch();
    mkdirSync(path.join(dir, '.claude'));
    const broken = '{\n  "hooks": {,}\n}\n';
    writeFileSync(path.join(dir, '.claude/settings.json'), broken);
    const { status, stderr } = ben10(dir, ['init']);
    expect(status).toBe(1);
    expect(stderr).toContain('[SETTINGS_INVALID]');
    expect(stderr).toMatch(/settings\.json:2:\d+/);
    expect(readdirSync(dir)).toEqual(['.claude']);
    expect(read(dir, '.claude/settings.json')).toBe(broken);
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
  it('is told by its files, and nobody is asked where there is no terminal', () => {
    const dir = scratch();
    writeFileSync(path.join(dir, 'Cargo.toml'), '');
    const { status, stdout } = ben10(dir, ['init']);
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
      const hint = ben10(dir, ['config', 'get', 'workspace.hints.default']).stdout;
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
