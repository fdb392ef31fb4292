import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONFIG_KEYS } from '../../../src/platform/config/keys.ts';
import { readHookConfigFile } from '../../../src/platform/hook-config-file.ts';
import { scratch } from '../../support.ts';
import { ben10, emptyProject, inMemory, json } from '../support.ts';

const config = (dir: string, ...args: string[]) => inMemory(dir, ['config', ...args]);
const projectFile = (dir: string) => path.join(dir, '.ben10/config.yaml');
const userFile = (dir: string) => path.join(dir, 'no-home/.config/ben10/config.yaml');
const write = (file: string, text: string) => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
};

describe('what an existing contextkeeper.toml fills in', () => {
  const seeded = () => {
    const dir = emptyProject();
    const seed =
      '[project]\nname = "Mine"\n[git]\nenabled = false\n[history]\nmax_entries = "many"\n';
    write(path.join(dir, 'contextkeeper.toml'), seed);
    return dir;
  };

  it('is listed and explained as what holds, with the file that it comes from', async () => {
    const dir = seeded();
    const { stdout, stderr } = await config(dir, 'list', 'workspace');
    expect(stdout).toMatch(/workspace\.project\.name +Mine +contextkeeper\.toml$/m);
    expect(stdout).toMatch(/workspace\.git\.enabled +false +contextkeeper\.toml$/m);
    expect(stdout).toMatch(/workspace\.history\.maxEntries +10 +default$/m);
    expect(stderr).toContain('contextkeeper.toml, history.max_entries: ');
    const explained = (await config(dir, 'explain', 'workspace.git.enabled')).stdout;
    expect(explained).toMatch(/value +false\n +from +contextkeeper\.toml\n/);
    expect(json(await config(dir, 'get', 'workspace.project.name', '--json'))).toEqual({
      key: 'workspace.project.name',
      value: 'Mine',
      origins: [{ kind: 'contextkeeper', file: path.join(dir, 'contextkeeper.toml') }],
    });
  });

  it('gives way to what ben10’s own files say, but for a default', async () => {
    const dir = seeded();
    const { stdout } = await config(dir, 'set', 'workspace.project.name', 'Ours');
    expect(stdout).toBe('workspace.project.name: Ours (.ben10/config.yaml:3)\n');
    expect((await config(dir, 'get', 'workspace.project.name')).stdout).toBe('Ours\n');
    const set = await config(dir, 'set', 'workspace.git.enabled', 'true');
    expect(set.stdout).toBe('workspace.git.enabled: false (contextkeeper.toml)\n');
    expect(set.stderr).toContain('contextkeeper.toml: a default counts as not set.');
  });
});

describe('ben10 config list', () => {
  it('has every setting with its value and where that comes from', async () => {
    const dir = emptyProject();
    write(userFile(dir), 'mcp:\n  logLevel: warn\nrecall:\n  maxChars: 600\n');
    write(projectFile(dir), '# mine\nrecall:\n  # less\n  maxChars: 700\n');
    const env = { BEN10_CONTEXT_MAX_STORAGE_MB: '7' };
    const { code, stdout } = await inMemory(dir, ['config', 'list'], { env });
    expect(code).toBe(0);
    const rows = new Map(stdout.split('\n').map((row) => [row.trim().split(/\s+/)[0], row]));
    for (const { name } of CONFIG_KEYS) expect(rows.has(name), name).toBe(true);
    expect(rows.get('mcp.logLevel')).toMatch(/ warn +no-home\/.config\/ben10\/config.yaml:2$/);
    expect(rows.get('recall.maxChars')).toMatch(/ 700 +.ben10\/config.yaml:4$/);
    expect(rows.get('context.maxStorageMb')).toMatch(/ 7 +BEN10_CONTEXT_MAX_STORAGE_MB$/);
    expect(rows.get('context.autoSave')).toMatch(/ true +default$/);
  });

  it('says of a list that adds up each place that it comes from', async () => {
    const dir = emptyProject();
    write(userFile(dir), 'redaction: {allow: [a]}\n');
    write(projectFile(dir), 'redaction: {allow: [b]}\n');
    const run = await inMemory(dir, ['config', 'get', 'redaction.allow', '--json'], {
      env: { BEN10_REDACTION_ALLOW: 'c' },
    });
    expect(json(run)).toEqual({
      key: 'redaction.allow',
      value: ['a', 'b', 'c'],
      origins: [
        { kind: 'user', file: userFile(dir), line: 1 },
        { kind: 'project', file: projectFile(dir), line: 1 },
        { kind: 'variable', variable: 'BEN10_REDACTION_ALLOW' },
      ],
    });
  });

  it('shows one section when it is asked for', async () => {
    const { stdout } = await config(
      emptyProject(),
      'list',
      'context.compactionSnapshots',
      '--json',
    );
    const keys = (JSON.parse(stdout) as { key: string }[]).map(({ key }) => key);
    expect(keys).toHaveLength(5);
    expect(keys.every((key) => key.startsWith('context.compactionSnapshots.'))).toBe(true);
  });

  it('works outside of a project, too', async () => {
    expect((await config(scratch(), 'list')).code).toBe(0);
  });

  it('shows nothing in a value that a terminal obeys', async () => {
    const dir = emptyProject();
    write(projectFile(dir), 'redaction: {allow: ["\\u001b[2J"]}\n');
    for (const action of [['list'], ['get', 'redaction.allow'], ['explain', 'redaction.allow']]) {
      expect((await config(dir, ...action)).stdout).not.toContain('\x1b');
    }
  });

  it('says what is wrong in the files, and where', async () => {
    const dir = emptyProject();
    write(projectFile(dir), 'mcp:\n  loglevel: warn\n');
    const { code, stderr } = await config(dir, 'list');
    expect(code).toBe(1);
    expect(stderr).toContain("the nearest known name is 'mcp.logLevel'");
    expect(stderr).toContain(`${projectFile(dir)}:2:3`);
  });
});

describe('ben10 config set', () => {
  it('gives every setting the value of its example, and get says it', {
    tags: 'long',
  }, async () => {
    const dir = emptyProject();
    for (const { name } of CONFIG_KEYS) {
      const about = json<{ example: string; default: unknown }>(
        await config(dir, 'explain', name, '--json'),
      );
      const { code, stderr } = await config(dir, 'set', name, ...about.example.split(' '));
      expect([code, name === 'context.storageLocation' ? '' : stderr], name).toEqual([0, '']);
      const after = json<{ value: unknown; origins: unknown }>(
        await config(dir, 'get', name, '--json'),
      );
      expect(after.value, name).not.toEqual(about.default);
      expect(after.origins).toMatchObject([{ kind: 'project', file: projectFile(dir) }]);
      expect((await config(dir, 'unset', name)).code).toBe(0);
      const { value } = json<{ value: unknown }>(await config(dir, 'get', name, '--json'));
      expect(value, name).toEqual(about.default);
    }
  });

  it('makes a file for its owner only, and has the hooks know of it at once', () => {
    const dir = emptyProject();
    const run = ben10(dir, ['config', 'set', 'recall.maxChars', '4000']);
    expect(run).toMatchObject({
      status: 0,
      stdout: 'recall.maxChars: 4000 (.ben10/config.yaml:2)\n',
      stderr: '',
    });
    if (process.platform !== 'win32') {
      expect(statSync(projectFile(dir)).mode & 0o777).toBe(0o600);
    }
    expect(readHookConfigFile(path.join(dir, '.ben10'))?.config).toMatchObject({
      recall: { maxChars: 4000 },
    });
  });

  it("changes the user's own file when it is asked to, through the link of a dotfile manager", async () => {
    const dir = emptyProject();
    const kept = path.join(dir, 'dotfiles.yaml');
    write(kept, '# kept elsewhere\n');
    mkdirSync(path.dirname(userFile(dir)), { recursive: true });
    symlinkSync(kept, userFile(dir));
    await config(dir, 'set', '--user', 'mcp.logLevel', 'warn');
    expect(readFileSync(kept, 'utf8')).toBe('# kept elsewhere\n\nmcp:\n  logLevel: warn\n');
    expect(existsSync(projectFile(dir))).toBe(false);
  });

  it('changes JSON where the settings are in JSON', async () => {
    const dir = emptyProject();
    const file = path.join(dir, '.ben10/config.json');
    write(file, '{\n  "mcp": { "profile": "all" }\n}\n');
    await config(dir, 'set', 'mcp.logLevel', 'warn');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      mcp: { profile: 'all', logLevel: 'warn' },
    });
  });

  it('says when something else holds, or nothing is new', async () => {
    const dir = emptyProject();
    const env = { BEN10_LOG_LEVEL: 'warn' };
    const run = await inMemory(dir, ['config', 'set', 'mcp.logLevel', 'debug'], { env });
    expect(run.stdout).toBe('mcp.logLevel: warn (BEN10_LOG_LEVEL)\n');
    expect(run.stderr).toContain('The effective value comes from BEN10_LOG_LEVEL');
    const again = await config(dir, 'set', 'mcp.logLevel', 'debug', '--json');
    expect(json(again)).toMatchObject({ changed: false, file: projectFile(dir) });
  });

  it('says that a journal stays where it is when its place is changed', async () => {
    const dir = emptyProject();
    for (const name of ['journal', 'blobs'])
      mkdirSync(path.join(dir, '.ben10', name), { recursive: true });
    const { stderr } = await config(dir, 'set', 'context.storageLocation', '.cache/ben ten');
    expect(stderr).toContain('stays in .ben10');
    expect(stderr).toContain("mv -- .ben10/journal .ben10/blobs '.cache/ben ten/'\n");
  });

  it('says nothing of a journal where none was recorded', async () => {
    const dir = scratch();
    mkdirSync(path.join(dir, '.ben10'), { mode: 0o700 });
    const { stderr, code } = await config(dir, 'set', 'context.storageLocation', 'data');
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  });

  it.each([
    [['get', 'context.autosave'], 'the nearest is context.autoSave'],
    [['get', '\x1b[2J'], 'there is no setting'],
    [['set', 'bogus.thing', '1'], 'there is no setting bogus.thing'],
    [['get', 'context'], 'context is a section; its settings are context.autoSave'],
    [['get'], 'the name of a setting is missing'],
    [['get', 'mcp.profile', 'x'], 'takes 1 argument'],
    [['set', 'mcp.profile'], 'a value for mcp.profile is missing'],
    [['set', 'mcp.profile', 'some'], 'expected one of core, packs, monitor, all'],
    [['set', 'mcp.profile', 'core', 'pack'], 'expected one of core, packs, monitor, all'],
    [['set', 'recall.maxChars', '1'], 'from 500 to 9500'],
    [['set', 'context.storageLocation', '../out'], 'a folder inside the project'],
    [['set', 'context.excludePatterns', '!a'], 'cannot negate'],
    [['set', 'redaction.patterns', '{'], 'expected id and pattern'],
    [
      ['set', 'redaction.patterns', '[{"id":"ACME","pattern":"a[a-z]+-[0-9]{6}"}]'],
      'redaction.patterns[0] hides nothing: a repetition without an upper bound stands before its end',
    ],
    [['list', 'bogus'], 'there is no setting bogus'],
    [['list', '--user'], '--user is for set and unset'],
    [['change'], 'one of list, get, set, unset, explain'],
  ])('refuses %j', async (args, message) => {
    const dir = emptyProject();
    const { code, stderr, stdout } = await config(dir, ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('\x1b');
    expect(existsSync(projectFile(dir))).toBe(false);
  });

  it('changes nothing in a file that has mistakes, is in two forms, or is a link out of the project', async () => {
    const dir = emptyProject();
    write(projectFile(dir), 'mcp: {');
    expect((await config(dir, 'set', 'mcp.profile', 'all')).code).toBe(1);
    expect(readFileSync(projectFile(dir), 'utf8')).toBe('mcp: {');
    const two = emptyProject();
    write(projectFile(two), '');
    write(path.join(two, '.ben10/config.json'), '');
    expect((await config(two, 'set', 'mcp.profile', 'all')).stderr).toContain('both exist');
    const linked = emptyProject();
    const victim = path.join(scratch(), 'victim');
    write(victim, '');
    symlinkSync(victim, projectFile(linked));
    expect((await config(linked, 'set', 'mcp.profile', 'all')).code).toBe(1);
    expect(readFileSync(victim, 'utf8')).toBe('');
  });

  it('needs a project, unless it is for the user', async () => {
    const dir = scratch();
    expect((await config(dir, 'set', 'mcp.profile', 'all')).stderr).toContain('CONTEXT_NOT_FOUND');
    expect((await config(dir, 'set', '--user', 'mcp.profile', 'all')).code).toBe(0);
    expect(existsSync(path.join(dir, '.ben10'))).toBe(false);
  });
});

describe('ben10 config explain', () => {
  it('says what a setting does, takes and is, with its variable and an example', async () => {
    const { stdout } = await config(emptyProject(), 'explain', 'context.maxStorageMb');
    for (const part of [
      'Above this size of the storage folder',
      'a whole number of MB from 1 to 1048576',
      'BEN10_CONTEXT_MAX_STORAGE_MB',
      'ben10 config set context.maxStorageMb 500',
      '100',
      'default',
    ]) {
      expect(stdout).toContain(part);
    }
  });
});
