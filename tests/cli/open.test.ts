import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { spool } from '../../src/journal/append/inbox.ts';
import { prompt } from '../log/events.ts';
import { holdLock } from '../mcp/support.ts';
import { openTestProject, realPorts, scratch } from '../support.ts';
import { emptyProject, here, json, lines, recordedProject } from './support.ts';

/** A project with one event in its journal and one that a hook left in its inbox. */
function withWaiting(): string {
  const dir = emptyProject();
  const { writer, layout } = openTestProject(dir);
  writer.append([prompt('first')]);
  spool(realPorts, layout, [prompt('waits')]);
  return dir;
}

const LINE = '1 event waits in the inbox; if that lasts, run: ben10 doctor';

/** Every file in a folder with its content; of a folder or link what it is. */
function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const file = path.join(folder, name);
      return [name, lstatSync(file).isFile() ? readFileSync(file, 'latin1') : 'no file'];
    }),
  );
}

describe('commands that read', () => {
  it.each(['.ben10/config.yaml', '.ben10/config.json', 'home/ben10/config.yaml'])(
    'go by settings that nothing has compiled yet: %s',
    async (file) => {
      const dir = emptyProject();
      const text = 'x'.repeat(600_000);
      openTestProject(dir).writer.append([prompt(text), prompt(text)]);
      const env = { XDG_CONFIG_HOME: path.join(dir, 'home') };
      const warnings = async () =>
        json<{ warnings: string[] }>(await here(dir, ['status', '--json'], env)).warnings;
      rmSync(path.join(dir, '.ben10/hook-config.json'), { force: true });
      rmSync(path.join(dir, '.ben10/config.yaml'), { force: true });
      expect(await warnings()).toEqual([]);
      const settings = path.join(dir, file);
      mkdirSync(path.dirname(settings), { recursive: true });
      writeFileSync(settings, JSON.stringify({ context: { maxStorageMb: 1 } }));
      expect(await warnings()).toEqual([expect.stringContaining('maxStorageMb (1)')]);
    },
  );

  it('say of an own redaction rule that it hides nothing', async () => {
    const dir = emptyProject();
    openTestProject(dir).writer.append([prompt('acme-prod-123456')]);
    const told = /^redaction\.patterns\[0\] hides nothing: a repetition without an upper bound/m;
    const settings = { redaction: { patterns: [{ id: 'ACME', pattern: 'a.+-[0-9]{6}' }] } };
    mkdirSync(path.join(dir, '.ben10'), { recursive: true });
    writeFileSync(path.join(dir, '.ben10/config.yaml'), JSON.stringify(settings));
    expect(json(await here(dir, ['status', '--json']))).toMatchObject({
      health: 'warning',
      warnings: [expect.stringMatching(told)],
    });
    expect((await here(dir, ['scan', '--journal'])).stderr).toMatch(told);
    expect((await here(dir, ['erase', '--rule', 'ACME'])).stderr).toMatch(told);
  });

  it('say of a variable that is no value of its setting that it is left out', async () => {
    const dir = emptyProject();
    openTestProject(dir).writer.append([prompt('one')]);
    const env = { BEN10_CONTEXT_AUTO_SAVE: 'flase' };
    expect(json(await here(dir, ['status', '--json'], env))).toMatchObject({
      health: 'warning',
      warnings: [
        expect.stringMatching(
          /^BEN10_CONTEXT_AUTO_SAVE sets .* found the text "flase"; it is ignored$/,
        ),
      ],
    });
  });

  it.each([
    ['log', (out: { stdout: string }) => lines(out).at(-1)],
    ['show 2', json],
    ['replay @2', (out: { stdout: string }) => json<{ point: object }>(out).point],
    ['recall --at @2', (out: { stdout: string }) => ({ ...json(out), seq: 2 })],
  ])('take in first what waits in the inbox: %s', async (command, found) => {
    const dir = withWaiting();
    const result = await here(dir, [...command.split(' '), '--json']);
    expect(result).toMatchObject({ status: 0, stderr: '' });
    expect(found(result)).toMatchObject({ seq: 2 });
    expect(readdirSync(path.join(dir, '.ben10/journal/inbox'))).toEqual([]);
  });

  it('say in one line on stderr what still waits while another process holds the lock', {
    tags: 'long',
  }, async () => {
    const dir = withWaiting();
    const lock = await holdLock(dir);
    for (const args of [['log'], ['show', '1'], ['replay'], ['recall'], ['status']]) {
      const people = await here(dir, args);
      expect(people.status, args[0]).toBe(0);
      expect(people.stderr.split('\n').filter((line) => line.includes('inbox'))).toEqual([LINE]);
      const program = await here(dir, [...args, '--json']);
      expect(program.status, args[0]).toBe(0);
      expect(lines(program).length, args[0]).toBeGreaterThan(0);
    }
    await lock.release();
    expect(await here(dir, ['log'])).toMatchObject({ status: 0, stderr: '' });
  });

  it.each(['.ben10', '.ben10/journal', '.ben10/journal/inbox'])(
    'refuse to look behind a link: %s',
    async (link) => {
      const dir = withWaiting();
      const elsewhere = path.join(scratch(), 'elsewhere');
      renameSync(path.join(dir, link), elsewhere);
      symlinkSync(elsewhere, path.join(dir, link));
      const before = contentOf(elsewhere);
      for (const args of [
        ['log'],
        ['show', '1'],
        ['replay'],
        ['recall'],
        ['verify'],
        ['compact'],
        ['erase', '@1'],
      ]) {
        const { status, stdout } = await here(dir, [...args, '--json']);
        expect({ status, ...json({ stdout }) }, args[0]).toMatchObject({
          status: 1,
          error: { code: 'JOURNAL_UNSAFE', place: { file: path.join(dir, link) } },
        });
      }
      expect(json(await here(dir, ['status', '--json']))).toMatchObject({ health: 'error' });
      expect(contentOf(elsewhere)).toEqual(before);
    },
  );
});

describe('commands that examine', () => {
  it.each(['verify', 'doctor'])('change nothing, not even the inbox: %s', async (command) => {
    const dir = recordedProject();
    const { layout } = openTestProject(dir);
    spool(realPorts, layout, [prompt('waits')]);
    const before = contentOf(dir);
    const result = await here(dir, [command, '--json']);
    expect(result.stderr).toBe('');
    expect(contentOf(dir)).toEqual(before);
    if (command === 'verify') expect(json(result)).toMatchObject({ ok: true, waiting: 1 });
  });
});
