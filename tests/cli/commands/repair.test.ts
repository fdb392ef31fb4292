import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { blobPath, putBlob } from '../../../src/journal/append/blobs.ts';
import { readManifest } from '../../../src/journal/format/manifest.ts';
import type { RepairItem } from '../../../src/journal/repair/repair.ts';
import type { Verification } from '../../../src/journal/verify/verify.ts';
import { anEvent, prompt } from '../../log/events.ts';
import { openTestProject } from '../../support.ts';
import { emptyProject, here, inMemory, json, recordedProject, SESSION } from '../support.ts';

interface Told {
  done: boolean;
  items: RepairItem[];
  kept?: string[];
  ok?: boolean;
  after?: Verification;
}

const segmentOf = (dir: string) => openTestProject(dir).reader.segments()[0]!.path;

/** Overwrites a stretch of an event in the middle. */
function damage(dir: string): { file: string; bytes: Buffer } {
  const file = segmentOf(dir);
  const bytes = readFileSync(file);
  const at = bytes.indexOf('Now the overdue filter please');
  bytes.fill('x', at, at + 20);
  writeFileSync(file, bytes);
  return { file, bytes };
}

describe('ben10 repair', () => {
  it('has nothing to do in a sound journal', async () => {
    expect(await inMemory(emptyProject(), ['repair'])).toMatchObject({ code: 0 });
    const dir = recordedProject();
    const result = await here(dir, ['repair']);
    expect(result).toMatchObject({ status: 0, stderr: '' });
    expect(result.stdout).toBe('The journal is sound: there is nothing to repair.\n');
  });

  it('cannot bring back a journal that was taken away, and says what can', {
    tags: 'long',
  }, async () => {
    const dir = recordedProject();
    await here(dir, ['save', 'kept']);
    rmSync(path.dirname(segmentOf(dir)), { recursive: true });
    for (const args of [[], ['--yes']]) {
      const { status, stdout } = await here(dir, ['repair', ...args]);
      expect(status).toBe(1);
      expect(stdout).toMatch(
        /^The journal is gone\.\n\nWhat ben10 stored about the journal's events/,
      );
      expect(stdout).toContain('from a backup');
      const told = json<Told>(await here(dir, ['repair', '--json', ...args]));
      expect(told).toMatchObject({ done: false, items: [], ok: false, isTakenAway: true });
    }
  });

  it('shows a plan, and does nothing until it is told to', { tags: 'long' }, async () => {
    const dir = recordedProject();
    const { file, bytes } = damage(dir);
    const plan = await here(dir, ['repair']);
    expect(plan.status).toBe(1);
    expect(plan.stdout).toMatch(/^The journal is damaged in 1 place\. Nothing was changed yet\.\n/);
    expect(plan.stdout).toMatch(/body +0000000000000001\.b10 +[\d,]+ +\d+ bytes +@37 +cut$/m);
    expect(plan.stdout).toContain('ben10 repair --yes');
    expect(plan.stdout).toContain('ben10 import');
    expect((await here(dir, ['repair', '--dry-run'])).stdout).toBe(plan.stdout);
    expect(json<Told>(await here(dir, ['repair', '--json']))).toMatchObject({
      done: false,
      items: [{ kind: 'body', firstSeq: 37, lastSeq: 37, action: 'cut' }],
    });
    const keys = async (args: string[]) =>
      Object.keys(json(await here(dir, ['repair', '--json', ...args])));
    expect(readFileSync(file).equals(bytes)).toBe(true);
    const planned = await keys([]);
    expect(planned).toEqual(await keys(['--yes']));
  });

  it('repairs, keeps what it takes out, and an import brings the event back', {
    tags: 'long',
  }, async () => {
    const dir = recordedProject();
    damage(dir);
    const result = await here(dir, ['repair', '--yes', '--json']);
    expect(result).toMatchObject({ status: 0, stderr: '' });
    const { done, kept, ok } = json<Told>(result);
    expect({ done, ok }).toEqual({ done: true, ok: true });
    const folder = `${dir}/.ben10/journal/quarantine`;
    expect(readdirSync(folder)).toEqual(kept);
    expect(statSync(`${folder}/${kept![0]}`).mode & 0o777).toBe(0o600);
    const verified = await here(dir, ['verify']);
    expect(verified.status).toBe(0);
    expect(verified.stdout).toMatch(/^The journal is sound\./);
    expect(verified.stdout).toMatch(/^ {2}@37, recorded at @53$/m);
    expect((await here(dir, ['log', '--type', 'prompt.submitted'])).stdout).not.toContain(
      'overdue filter please',
    );
    await here(dir, ['import', SESSION]);
    expect((await here(dir, ['log', '--type', 'prompt.submitted'])).stdout).toContain(
      'overdue filter please',
    );
    expect((await here(dir, ['compact'])).status).toBe(0);
    expect((await here(dir, ['verify'])).status).toBe(0);
    expect((await here(dir, ['repair'])).status).toBe(0);
  });

  it('puts a flipped bit right without losing anything', async () => {
    const dir = recordedProject();
    const file = segmentOf(dir);
    const sound = readFileSync(file);
    const bytes = Buffer.from(sound);
    bytes[bytes.indexOf('Now the overdue filter please')]! ^= 1;
    writeFileSync(file, bytes);
    const result = await here(dir, ['repair', '--yes']);
    expect(result.stdout).toMatch(/^The journal is repaired\.\n/);
    expect(result.stdout).toContain('No event is lost.');
    expect(readFileSync(file).subarray(0, sound.length).equals(sound)).toBe(true);
  });

  it('does not say that nothing is lost of an inbox file that nobody can read', async () => {
    const dir = recordedProject();
    const name = '0000019aa0000000-abcdef012345.evt';
    writeFileSync(`${dir}/.ben10/journal/inbox/${name}`, Buffer.alloc(500, 7));
    for (const [lost, ...args] of [
      ['not known +', 'repair'],
      ['', 'repair', '--yes'],
    ]) {
      const { stdout } = await here(dir, args);
      const row = `inbox +inbox/0000019aa\\S+ +0 +500 bytes +${lost}set-aside$`;
      expect(stdout).toMatch(new RegExp(row, 'm'));
      expect(stdout).not.toContain('No event is lost.');
      expect(stdout).toContain('ben10 import');
    }
    expect(readdirSync(`${dir}/.ben10/journal/quarantine`)).toEqual([
      expect.stringMatching(name.replace('.', '\\.')),
    ]);
  });

  it.skipIf(process.platform === 'win32')(
    'sets a renamed segment aside and prints the command that puts it back',
    async () => {
      const dir = recordedProject();
      const { writer, reader } = openTestProject(dir);
      writer.rotate(0);
      writer.append([prompt('still here')]);
      writer.close();
      const [first, second] = reader.segments().map(({ path }) => path);
      renameSync(second!, first!.replace(/\d\d\.b10$/, '77.b10'));
      const command = /^ *(mv .+)$/m.exec((await here(dir, ['repair'])).stdout)?.[1];
      expect(command).toBeDefined();
      await here(dir, ['repair', '--yes']);
      expect((await here(dir, ['log'])).stdout).not.toContain('still here');
      execFileSync('sh', ['-c', command!]);
      expect((await here(dir, ['log'])).stdout).toContain('still here');
    },
  );

  it('names the events and the text that it could not bring back', async () => {
    const dir = recordedProject();
    const { writer, layout, ports } = openTestProject(dir);
    const name = putBlob(ports, layout, readManifest(ports, layout)!.blobKey, Buffer.from('text'));
    const text = { $blob: name, bytes: 4, head: 't' };
    writer.append([anEvent('prompt.submitted', { text })]);
    rmSync(blobPath(layout, name));
    damage(dir);
    expect((await here(dir, ['repair', '--yes'])).stdout).toContain(
      'Recorded as lost:\n  @37\n  text of @53\n\nThe client',
    );
    // The event itself is there: that is not what a later look may call lost.
    expect((await here(dir, ['verify'])).stdout).toMatch(
      /^Recorded by a repair as lost:\n {2}@37, recorded at @54\n {2}text of @53, recorded at @54$/m,
    );
  });

  it('says that more may be lost than what the last sync reached, before and after', async () => {
    const dir = recordedProject();
    const { writer, reader } = openTestProject(dir);
    writer.rotate(0);
    // The first is synced: it is of the class that is; the prompt behind it is not yet.
    writer.append([anEvent('context.saved', { name: 'x', upto: 52, file: 'x' })]);
    writer.append([prompt('not synced yet')]);
    rmSync(reader.segments().at(-1)!.path);
    expect((await here(dir, ['repair'])).stdout).toMatch(/ - +- +@53, at least +record$/m);
    expect((await here(dir, ['repair', '--yes'])).stdout).toContain(
      'Recorded as lost:\n  @53, at least\n',
    );
  });

  it('that recorded a text as lost hides no event that is gone later between those that had it', {
    tags: 'long',
  }, async () => {
    const dir = recordedProject();
    const { writer, layout, ports, reader } = openTestProject(dir);
    const name = putBlob(ports, layout, readManifest(ports, layout)!.blobKey, Buffer.from('text'));
    const text = { $blob: name, bytes: 4, head: 't' };
    const long = () => anEvent('prompt.submitted', { text });
    for (const event of [long(), prompt('between'), long()]) {
      writer.append([event]);
      writer.rotate(0);
    }
    rmSync(blobPath(layout, name));
    expect((await here(dir, ['repair', '--yes'])).stdout).toContain('  text of @53 to @55\n');
    rmSync(reader.segments().find(({ firstSeq }) => firstSeq === 54)!.path);
    const verified = await here(dir, ['verify']);
    expect(verified.status).toBe(1);
    expect(verified.stdout).toMatch(/missing +before 0{14}55\.b10 +- +- +@54$/m);
    expect((await here(dir, ['status'])).stdout).toContain('missing or cannot be read: @54');
    expect((await here(dir, ['repair', '--yes'])).stdout).toContain('Recorded as lost:\n  @54\n');
    expect((await here(dir, ['verify'])).status).toBe(0);
  });

  it('makes a manifest anew that is junk, and keeps the junk', async () => {
    const dir = recordedProject();
    writeFileSync(`${dir}/.ben10/journal/manifest`, 'junk\n');
    const { status, stdout } = await here(dir, ['repair', '--yes']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Kept in \.ben10\/journal\/quarantine:\n {2}manifest\.whole\./m);
    expect(stdout).toContain('No event is lost.');
  });

  it.skipIf(process.platform === 'win32')(
    'gives commands that a shell takes as they are printed, whatever the folder is called',
    { tags: 'long' },
    async () => {
      const made = recordedProject();
      const dir = path.join(path.dirname(made), "my  shop's $(files)");
      renameSync(made, dir);
      onTestFinished(() => rmSync(dir, { recursive: true }));
      const { layout, reader } = openTestProject(dir);
      const own = path.join(layout.journal, reader.origin()!);
      const other = path.join(layout.journal, '0'.repeat(32));
      /** Does what is printed. @returns what begins it */
      const obey = async () => {
        const { stdout } = await here(dir, ['repair']);
        expect(stdout).toContain('cannot fix this by itself');
        const command = /^ {2}((?:mv|rm) .*)$/m.exec(stdout)![1]!;
        execFileSync('sh', ['-c', command], { cwd: '/' });
        expect((await here(dir, ['verify'])).status).toBe(0);
        return command.slice(0, 2);
      };
      cpSync(own, other, { recursive: true });
      expect(await obey()).toBe('rm');
      expect(existsSync(other)).toBe(false);
    },
  );

  it('refuses what contradicts itself', async () => {
    const result = await inMemory(emptyProject(), ['repair', '--yes', '--dry-run']);
    expect(result).toMatchObject({ code: 2, stdout: '' });
  });
});
