import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { build } from 'esbuild';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyPlan } from '../../src/setup/apply.ts';
import { planInit } from '../../src/setup/plan.ts';
import { errorOf, withoutRoot } from '../support.ts';
import { Project } from './project.ts';

const POSIX = process.platform !== 'win32';

let project: Project;
beforeEach(() => {
  project = new Project();
});

const plan = () =>
  planInit({
    projectDir: project.dir,
    carrier: 'command',
    shared: false,
    binary: { command: 'ben10' },
  });

describe('applying a plan', () => {
  it.runIf(POSIX)('makes shared files readable for all, and .ben10 for its owner only', () => {
    const before = process.umask(0o022);
    try {
      applyPlan(plan());
    } finally {
      process.umask(before);
    }
    for (const name of ['.mcp.json', '.claude/settings.local.json']) {
      expect(project.mode(name), name).toBe(0o644);
    }
    expect(project.mode('.claude')).toBe(0o755);
    expect(project.mode('.ben10')).toBe(0o700);
    expect(project.mode('.ben10/config.yaml')).toBe(0o600);
    expect(project.mode('.ben10/.gitignore')).toBe(0o600);
  });

  it.runIf(POSIX)('keeps the mode of a file that was there', () => {
    project.write('.claude/settings.local.json', '{}');
    fs.chmodSync(project.path('.claude/settings.local.json'), 0o600);
    project.write('.mcp.json', '{}');
    fs.chmodSync(project.path('.mcp.json'), 0o664);
    applyPlan(plan());
    expect(project.mode('.claude/settings.local.json')).toBe(0o600);
    expect(project.mode('.mcp.json')).toBe(0o664);
  });

  it('writes through a link inside the project, which stays a link', () => {
    project.write('shared.json', '{}');
    fs.symlinkSync('shared.json', project.path('.mcp.json'));
    applyPlan(plan());
    expect(fs.lstatSync(project.path('.mcp.json')).isSymbolicLink()).toBe(true);
    expect(project.read('shared.json')).toContain('ben10');
  });

  it('leaves nothing but its files', () => {
    applyPlan(plan());
    expect(Object.keys(project.files())).toEqual(
      plan()
        .edits.map(({ file }) => file)
        .sort(),
    );
  });

  it('writes nothing when a file was changed since it was planned', () => {
    project.write('.mcp.json', '{}\n');
    const planned = plan();
    project.write('.mcp.json', '{ }\n');
    const error = errorOf(() => applyPlan(planned));
    expect(error.code).toBe('FS_WRITE_ERROR');
    expect(error.place.file).toBe(project.path('.mcp.json'));
    expect(project.files()).toEqual({ '.mcp.json': '{ }\n' });
  });

  it('goes on when somebody else applied the same plan meanwhile', () => {
    const planned = plan();
    applyPlan(plan());
    const files = project.files();
    applyPlan(planned);
    expect(project.files()).toEqual(files);
  });

  it.runIf(POSIX)('writes nothing when one of the folders is read-only', () => {
    project.write('.claude/settings.local.json', '{}');
    fs.chmodSync(project.dir, 0o777);
    fs.chmodSync(project.path('.claude'), 0o555);
    const error = withoutRoot(() => errorOf(() => applyPlan(plan())));
    expect(error.code).toBe('FS_WRITE_ERROR');
    expect(error.next).toContain('permissions');
    expect(project.files()).toEqual({ '.claude/settings.local.json': '{}' });
  });
});

describe('several inits at once', () => {
  it('end with sound files that hold our entries once', async () => {
    const script = project.path('init.cjs');
    await build({
      stdin: {
        contents: `
          import { planInit } from './src/setup/plan.ts';
          import { applyPlan } from './src/setup/apply.ts';
          const [projectDir] = process.argv.slice(2);
          process.stdin.once('data', () => {
            applyPlan(planInit({ projectDir, carrier: 'command', shared: false, binary: { command: 'ben10' } }));
            process.exit(0);
          });
          process.stdout.write('ready');`,
        resolveDir: path.resolve('.'),
        loader: 'ts',
      },
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      mainFields: ['module', 'main'],
      logLevel: 'silent',
    });
    const target = new Project({
      '.mcp.json': '{"mcpServers": {"db": {}}}',
    });
    try {
      const runs = Array.from({ length: 6 }, () =>
        spawn(process.execPath, [script, target.dir], { stdio: ['pipe', 'pipe', 'inherit'] }),
      );
      await Promise.all(runs.map((run) => once(run.stdout, 'data')));
      const ends = runs.map((run) => once(run, 'exit'));
      for (const run of runs) run.stdin.write('go');
      for (const [code] of await Promise.all(ends)) expect(code).toBe(0);
      const expected = new Project({
        '.mcp.json': '{"mcpServers": {"db": {}}}',
      });
      applyPlan({
        ...plan(),
        ...planInit({
          projectDir: expected.dir,
          carrier: 'command',
          shared: false,
          binary: { command: 'ben10' },
        }),
      });
      expect(target.files()).toEqual(expected.files());
    } finally {
    }
  });
});
