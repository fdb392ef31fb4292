import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { knownSettings, SEED_FILES } from '../../src/workspace/settings.ts';
import { scratch } from '../support.ts';
import { defaults, put } from './support.ts';

/** As ContextKeeper's own documentation shows one. */
const TOML = `[project]
name = "My AOSP Project"
type = "aosp"

[scripts]
entry_point = "scripts/build.sh"
config_dir = "scripts/config"
config_pattern = "*.target"
extract_vars = ["TARGET_NAME"]

[containers]
runtime = "podman"  # or "docker"

[hints]
default = "Build commands must be executed inside the container."

[history]
enabled = true
patterns = ["lunch", "source build/"]
max_entries = 20
`;

function project(files: Record<string, string>): string {
  const dir = path.join(scratch(), 'folder');
  put(dir, { '.keep': '', ...files });
  return dir;
}

describe('the settings that hold', () => {
  it('are filled in from an existing contextkeeper.toml, by any of its names', async () => {
    for (const name of SEED_FILES) {
      const { settings, notes } = await knownSettings(project({ [name]: TOML }), defaults());
      expect(notes).toEqual([]);
      expect(settings).toEqual({
        project: { name: 'My AOSP Project', type: 'aosp' },
        scripts: {
          entryPoint: 'scripts/build.sh',
          configDir: 'scripts/config',
          configPattern: '*.target',
        },
        containers: { runtime: 'podman' },
        hints: { default: 'Build commands must be executed inside the container.' },
        history: { enabled: true, patterns: ['lunch', 'source build/'], maxEntries: 20 },
        git: { enabled: true },
        watch: true,
      });
    }
  });

  it('take a hint that is written in several lines', async () => {
    const lines = '[hints]\ndefault = """\nFirst.\nSecond.\n"""\n';
    const { settings, notes } = await knownSettings(
      project({ 'contextkeeper.toml': lines }),
      defaults(),
    );
    expect([settings.hints.default, notes]).toEqual(['First. Second.', []]);
  });

  it('are ben10’s own where both say something', async () => {
    const own = defaults();
    own.hints.default = 'Mine.';
    own.containers.runtime = 'none';
    const { settings } = await knownSettings(project({ 'contextkeeper.toml': TOML }), own);
    expect(settings.hints.default).toBe('Mine.');
    expect(settings.containers.runtime).toBe('none');
    expect(settings.project.name).toBe('My AOSP Project');
  });

  it('are the folder’s name and what its files tell where nobody says anything', async () => {
    const { settings } = await knownSettings(project({ 'Cargo.toml': '' }), defaults());
    expect(settings.project).toEqual({ name: 'folder', type: 'rust' });
    expect((await knownSettings(project({}), defaults())).settings.project.type).toBe('');
  });

  it('pass over what is no setting there, and say so', async () => {
    const odd =
      '[containers]\nruntime = "lxc"\n[history]\nmax_entries = "many"\n[hints]\ndefault = "Fine."\n';
    const { settings, notes } = await knownSettings(
      project({ 'contextkeeper.toml': odd }),
      defaults(),
    );
    expect(settings.hints.default).toBe('Fine.');
    expect(settings.containers.runtime).toBe('auto');
    expect(notes).toEqual([
      expect.stringMatching(
        /^contextkeeper.toml, containers.runtime: .*expected one of auto, docker/,
      ),
      expect.stringMatching(/^contextkeeper.toml, history.max_entries: .*expected a whole number/),
    ]);
  });

  it('hold without a file that is no TOML, too large, or a link', async () => {
    const broken = await knownSettings(project({ 'contextkeeper.toml': '= broken' }), defaults());
    expect(broken.notes).toEqual([expect.stringMatching(/^contextkeeper.toml is not valid TOML/)]);
    const large = await knownSettings(
      project({ 'contextkeeper.toml': `${TOML}#${'x'.repeat(70_000)}` }),
      defaults(),
    );
    expect(large.settings.hints.default).toBe('');
    const dir = project({ 'elsewhere/x': TOML });
    symlinkSync('elsewhere/x', path.join(dir, 'contextkeeper.toml'));
    expect((await knownSettings(dir, defaults())).settings.hints.default).toBe('');
  });
});
