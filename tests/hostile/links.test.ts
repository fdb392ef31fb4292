/** @module-tag long */
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { spool } from '../../src/journal/append/inbox.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { prompt } from '../log/events.ts';
import { call, connect } from '../mcp/support.ts';
import { realPorts, scratch } from '../support.ts';
import {
  CLASSES,
  classOf,
  expectCivil,
  fullProject,
  isFolder,
  namesIn,
  oneOfEachClass,
  photograph,
  runCommands,
  runHooks,
} from './support.ts';

const KINDS = { 'a symbolic link': symlinkSync, 'a hard link': linkSync };

describe('in place of a file of .ben10', () => {
  it.each(Object.entries(KINDS))('%s leads nothing to what it names', async (kind, link) => {
    const seen = new Set<string>();
    for (const name of oneOfEachClass(fullProject())) {
      const dir = fullProject();
      const [outside, file] = [scratch(), path.join(dir, '.ben10', name)];
      const victim = path.join(outside, 'victim');
      renameSync(file, victim);
      chmodSync(victim, 0o644);
      link(victim, file);
      const before = photograph(outside);
      const all = kind === 'a symbolic link' ? ['compact', 'repair --yes'] : ['compact'];
      // The other files are none that these look at.
      const commands = name.startsWith('journal') ? all : [];
      for (const one of [...(await runHooks(dir)), ...(await runCommands(dir, commands))])
        expectCivil(one, `${kind} at ${name}`);
      expect(photograph(outside), `${kind} at ${name}`).toEqual(before);
      seen.add(classOf(name));
    }
    expect([...seen].sort()).toEqual(CLASSES);
  });

  it('a symbolic link to an event brings none into the journal', async () => {
    const dir = fullProject();
    const { inbox } = layoutOf(path.join(dir, '.ben10'));
    const elsewhere = layoutOf(path.join(scratch(), '.ben10'));
    mkdirSync(elsewhere.inbox, { recursive: true });
    const name = spool(realPorts, elsewhere, [prompt('STOLEN FROM ELSEWHERE')]);
    symlinkSync(path.join(elsewhere.inbox, name), path.join(inbox, name));
    await runHooks(dir);
    const [log] = await runCommands(dir, ['log']);
    expect(log!.stdout).toContain('again zq/Kanari');
    expect(log!.stdout).not.toContain('STOLEN');
    expect(readdirSync(elsewhere.inbox)).toEqual([name]);
  });
});

describe('in place of a folder of .ben10', () => {
  it('a symbolic link leads nothing behind it', async () => {
    for (const name of ['.', ...namesIn(fullProject(), isFolder)]) {
      const dir = fullProject();
      const [outside, folder] = [scratch(), path.resolve(dir, '.ben10', name)];
      renameSync(folder, path.join(outside, 'moved'));
      symlinkSync(path.join(outside, 'moved'), folder);
      const before = photograph(outside);
      for (const one of [...(await runHooks(dir)), ...(await runCommands(dir, ['compact']))])
        expectCivil(one, name);
      // The journal's own folders every hook comes by; stored states and saves are made by the server.
      if (name !== '.' && !name.startsWith('checkpoints')) {
        expect(photograph(outside), name).toEqual(before);
        continue;
      }
      const server = await connect(dir);
      for (const tool of ['ben10_save', 'ben10_checkpoint', 'ben10_log'])
        await call(server, tool, {});
      await server.client.close();
      expect(photograph(outside), name).toEqual(before);
    }
  });

  it('a file is left as it is, and said to be there', async () => {
    for (const name of ['.', 'journal', 'journal/inbox', 'checkpoints', 'blobs']) {
      const dir = fullProject();
      const folder = path.resolve(dir, '.ben10', name);
      renameSync(folder, path.join(scratch(), 'moved'));
      writeFileSync(folder, 'a file of somebody');
      for (const one of [...(await runHooks(dir)), ...(await runCommands(dir, ['verify']))])
        expectCivil(one, name);
      expect(readFileSync(folder, 'utf8'), name).toBe('a file of somebody');
    }
  });
});
