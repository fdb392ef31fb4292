import * as fs from 'node:fs';
import * as path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { composeConfig } from '../../src/platform/config/compose.ts';
import { type ConfigError, checkProjectConfig, loadConfig } from '../../src/platform/config.ts';
import { Ben10Error } from '../../src/platform/errors.ts';
import { errorOf, scratch } from '../support.ts';

let home: string;
let projectDir: string;
beforeEach(() => {
  const root = scratch();
  home = path.join(root, 'home');
  projectDir = path.join(root, 'project');
  fs.mkdirSync(path.join(home, '.config', 'ben10'), { recursive: true });
  fs.mkdirSync(path.join(projectDir, '.ben10'), { recursive: true });
});

const userFile = () => path.join(home, '.config', 'ben10', 'config.yaml');
const projectFile = () => path.join(projectDir, '.ben10', 'config.yaml');

const failure = (run: () => unknown) => errorOf(run) as ConfigError;

describe('the configuration', () => {
  it('is the defaults where nothing is set', () => {
    const loaded = loadConfig({ projectDir, home, env: {} });
    expect(loaded.config).toEqual(composeConfig([]));
    const none = { user: null, userJson: null, project: null, projectJson: null };
    expect(loaded.sources).toEqual(none);
  });

  it("takes user's file < project's file < variables", () => {
    const maxChars = (env: Record<string, string>) =>
      loadConfig({ projectDir, home, env }).config.recall.maxChars;
    fs.writeFileSync(userFile(), 'recall: {maxChars: 1001}\nmcp: {logLevel: warn}\n');
    expect(maxChars({})).toBe(1001);
    fs.writeFileSync(projectFile(), '{"recall": {"maxChars": 1002}}');
    expect(maxChars({})).toBe(1002);
    expect(maxChars({ BEN10_RECALL_MAX_CHARS: '1003' })).toBe(1003);
    expect(loadConfig({ projectDir, home, env: {} }).config.mcp.logLevel).toBe('warn');
  });

  it('takes the file that an earlier version wrote, with a section that was removed', () => {
    const text = 'recall:\n  maxChars: 1002\n  worth:\n    # rule: 6\n    # decision: 0.5\n';
    fs.writeFileSync(projectFile(), text);
    const env = { BEN10_RECALL_WORTH_RULE: '2' };
    const { config, fileConfig } = loadConfig({ projectDir, home, env });
    expect([config.recall.maxChars, fileConfig.recall.maxChars]).toEqual([1002, 1002]);
  });

  it("keeps the files' values apart for hooks, and stamps the files", () => {
    fs.writeFileSync(projectFile(), 'recall: {maxChars: 1002}');
    const env = { BEN10_RECALL_MAX_CHARS: '1003' };
    const loaded = loadConfig({ projectDir, home, env });
    expect(loaded.fileConfig.recall.maxChars).toBe(1002);
    expect(loaded.fileConfig.mcp.profile).toEqual(['core']);
    expect(loaded.config.recall.maxChars).toBe(1003);
    expect(loaded.sources.user).toBeNull();
    expect(loaded.sources.project).toMatchObject({
      size: 24,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('reports everything that is wrong in all layers in one error', () => {
    fs.writeFileSync(userFile(), 'mcp:\n  profil: all\n');
    fs.writeFileSync(projectFile(), 'context:\n  autosave: true\n  maxStorageMb: lots\n');
    const env = { BEN10_PROFILE: 'x' };
    const error = failure(() => loadConfig({ projectDir, home, env }));
    expect(error).toBeInstanceOf(Ben10Error);
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.place).toEqual({ file: userFile(), line: 2, column: 3 });
    expect(error.message).toBe(
      "unknown setting 'mcp.profil'; the nearest known name is 'mcp.profile' (and 3 more)",
    );
    expect(error.problems.map(({ path: name, file, line }) => [name, file, line])).toEqual([
      ['mcp.profil', userFile(), 2],
      ['context.autosave', projectFile(), 2],
      ['context.maxStorageMb', projectFile(), 3],
      ['BEN10_PROFILE', undefined, undefined],
    ]);
    expect(error.next).toContain(userFile());
  });

  it('has no place for a problem of a variable', () => {
    const error = failure(() => loadConfig({ projectDir, home, env: { BEN10_LOG_LEVEL: 'loud' } }));
    expect(error.place).toEqual({});
    expect(error.message).toMatch(/^BEN10_LOG_LEVEL sets mcp.logLevel: expected one of/);
  });

  it("does not follow a project's link out of the project", () => {
    fs.writeFileSync(path.join(home, 'other.yaml'), 'recall: {maxChars: 600}');
    fs.symlinkSync(path.join(home, 'other.yaml'), projectFile());
    expect(() => loadConfig({ projectDir, home, env: {} })).toThrow(/is a link that leaves/);
  });

  it('does not follow a .ben10 that is a link out of the project', () => {
    fs.rmSync(path.join(projectDir, '.ben10'), { recursive: true });
    fs.mkdirSync(path.join(home, 'elsewhere'));
    fs.writeFileSync(path.join(home, 'elsewhere', 'config.yaml'), '');
    fs.symlinkSync(path.join(home, 'elsewhere'), path.join(projectDir, '.ben10'));
    expect(() => loadConfig({ projectDir, home, env: {} })).toThrow(/is a link that leaves/);
  });
});

describe("checking the project's file alone", () => {
  it('throws what is wrong in it, and nothing for a missing or empty one', () => {
    checkProjectConfig(projectDir);
    fs.writeFileSync(projectFile(), '# nothing yet\n');
    checkProjectConfig(projectDir);
    fs.writeFileSync(projectFile(), 'bogus: 1\n');
    expect(failure(() => checkProjectConfig(projectDir)).place.line).toBe(1);
  });
});
