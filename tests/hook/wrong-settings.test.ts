import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ben10 } from '../cli/support.ts';
import { scratch } from '../support.ts';
import { LiveSession } from './live-session.ts';

const WRONG = 'context:\n  excludePatterns:\n    - "hidden/**"\n  autoSvae: true\n';

/** Whether a text is anywhere in what ben10 keeps. */
const isKept = (dir: string, text: string): boolean =>
  readdirSync(path.join(dir, '.ben10'), { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(dir, '.ben10', name))
    .some((file) => statSync(file).isFile() && readFileSync(file, 'latin1').includes(text));

/** A project that was recorded, and whose settings were then written with a mistake in them. */
async function mistaken(settings: string): Promise<string> {
  const dir = scratch();
  const first = new LiveSession(dir);
  await first.start();
  await first.prompt('Begin.');
  await first.stop();
  await first.end();
  writeFileSync(path.join(dir, '.ben10/config.yaml'), settings, { mode: 0o600 });
  return dir;
}

describe('a mistake in the settings', () => {
  it('is told at the start of a session, once, and by status, with its file and line', async () => {
    const dir = await mistaken(WRONG);
    const session = new LiveSession(dir);
    const { systemMessage } = await session.start();
    expect(systemMessage).toMatch(
      /^ben10: the configuration has a mistake; its valid parts and the last valid values apply: .*autoSvae.*config\.yaml:4\)$/m,
    );
    expect(await session.prompt('Go on.')).not.toHaveProperty('systemMessage');
    const { stdout } = ben10(dir, ['status', '--json']);
    const found = JSON.parse(stdout) as { health: string; warnings: string[] };
    expect(found.health).toBe('warning');
    expect(found.warnings.join()).toMatch(/autoSvae.*config\.yaml:4/);
  });

  it('of levels that do not increase is told, and hooks and the status line go on with the defaults', async () => {
    const dir = await mistaken('monitor:\n  levels:\n    l1: 90\n');
    const { systemMessage } = await new LiveSession(dir).start();
    expect(systemMessage).toMatch(/expected l1 below l2 below l3, found 90, 85 and 95 .*:3\)/);
    expect(ben10(dir, ['config', 'get', 'monitor.levels.l1']).stderr).toContain('CONFIG_INVALID');
    expect(ben10(dir, ['statusline']).stdout).toContain('[CTX:');
    const set = (name: string, value: string) =>
      ben10(dir, ['config', 'set', `monitor.levels.${name}`, value]);
    const file = path.join(dir, '.ben10/config.yaml');
    writeFileSync(file, '', { mode: 0o600 });
    expect(set('l1', '90')).toMatchObject({ status: 1, stderr: expect.stringContaining(file) });
    expect(readFileSync(file, 'utf8')).toBe('');
    expect([set('l2', '92').status, set('l1', '90').status]).toEqual([0, 0]);
    expect(ben10(dir, ['config', 'unset', 'monitor.levels.l2']).status).toBe(1);
  });

  it('does not undo what else in the file keeps things private', async () => {
    const dir = await mistaken(WRONG);
    mkdirSync(path.join(dir, 'hidden'));
    const session = new LiveSession(dir);
    await session.start();
    await session.prompt('Write the files.');
    session.write('hidden/key.txt', 'XYZZYSECRET\n');
    session.write('open.txt', 'PLUGHOPEN\n');
    await session.stop();
    expect(isKept(dir, 'PLUGHOPEN')).toBe(true);
    expect(isKept(dir, 'XYZZYSECRET')).toBe(false);
  });
});

describe('recording that was switched off', () => {
  it('is told by status', async () => {
    const dir = await mistaken('context:\n  autoSave: false\n');
    expect(ben10(dir, ['status']).stdout).toContain('context.autoSave is off');
  });
});
