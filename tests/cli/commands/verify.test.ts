import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECTIONS } from '../../../src/timetravel/replay.ts';
import { save } from '../../../src/timetravel/saves.ts';
import { takeSnapshot } from '../../../src/timetravel/snapshots/take.ts';
import { checkStored } from '../../../src/timetravel/stored-damage.ts';
import { photograph } from '../../hostile/support.ts';
import { anEvent, prompt } from '../../log/events.ts';
import { openTestProject } from '../../support.ts';
import { loseHeader } from '../damaged.ts';
import { emptyProject, here, inMemory, json, recordedProject } from '../support.ts';

interface Verified {
  ok: boolean;
  events: number;
  segments: number;
  firstSeq: number | null;
  lastSeq: number | null;
  head: string | null;
  damage: {
    segment: string;
    offset: number;
    bytes: number;
    kind: string;
    firstSeq: number;
    lastSeq: number;
  }[];
}

const INBOX_FILE = '0000019aa0000000-abcdef012345.evt';

/** Flips one bit of an event in the middle. */
function damage(dir: string): void {
  const file = openTestProject(dir).reader.segments()[0]!.path;
  const bytes = readFileSync(file);
  bytes[bytes.indexOf('Now the overdue filter please')]! ^= 1;
  writeFileSync(file, bytes);
}

describe('ben10 verify', () => {
  it('finds a journal sound, with exit code 0', async () => {
    const dir = recordedProject();
    const result = await here(dir, ['verify', '--json']);
    expect(result.status).toBe(0);
    expect(json<Verified>(result)).toMatchObject({
      ok: true,
      events: 52,
      segments: 1,
      firstSeq: 1,
      lastSeq: 52,
      head: expect.stringMatching(/^[0-9a-f]{64}$/),
      damage: [],
    });
    const people = await here(dir, ['verify']);
    expect(people.stdout).toMatch(/^The journal is sound\.\n/);
    expect(people.stdout).toContain('52, @1 to @52');
  });

  it('tells of a segment that a compaction left beside its sealed form, with exit code 0', {
    tags: 'long',
  }, async () => {
    const dir = recordedProject();
    const { reader, writer } = openTestProject(dir);
    const file = reader.segments()[0]!.path;
    writer.rotate(0);
    const bytes = readFileSync(file);
    expect((await here(dir, ['compact'])).status).toBe(0);
    writeFileSync(file, bytes);
    const { status, stdout } = await here(dir, ['verify']);
    expect(status).toBe(0);
    expect(stdout).toContain('Left by an interrupted compaction');
    expect(stdout).toContain('\n  0000000000000001.b10\n');
    expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
    expect((await here(dir, ['compact'])).status).toBe(0);
    expect((await here(dir, ['verify'])).stdout).not.toContain('.b10');
  });

  it('says what is damaged, where, and which events are lost, with exit code 1', async () => {
    const dir = recordedProject();
    damage(dir);
    const result = await here(dir, ['verify', '--json']);
    expect(result.status).toBe(1);
    const found = json<Verified>(result);
    expect(found.ok).toBe(false);
    expect(found.damage[0]).toMatchObject({
      kind: 'body',
      segment: '0000000000000001.b10',
      offset: expect.any(Number),
      bytes: expect.any(Number),
      firstSeq: 37,
      lastSeq: 37,
    });
    const people = await here(dir, ['verify']);
    expect(people.status).toBe(1);
    expect(people.stdout).toMatch(/^The journal is damaged in \d place/);
    expect(people.stdout).toMatch(/body +0000000000000001\.b10 +[\d,]+ +\d+ bytes +@37$/m);
    expect(people.stdout).toContain('ben10 import');
    expect(people.stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
  });

  it('finds a manifest that is junk, and tells what that costs', async () => {
    const dir = recordedProject();
    writeFileSync(`${dir}/.ben10/journal/manifest`, 'junk\n');
    const { code, stdout } = await inMemory(dir, ['verify']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ *manifest +manifest +0 +5 bytes +none$/m);
    expect(stdout).toContain('No event depends on the manifest');
  });

  it('gives the size of an inbox file that nobody can read', async () => {
    const dir = recordedProject();
    writeFileSync(`${dir}/.ben10/journal/inbox/${INBOX_FILE}`, Buffer.alloc(500, 7));
    const { stdout } = await inMemory(dir, ['verify']);
    expect(stdout).toMatch(/inbox +inbox\/0000019aa\S+ +0 +500 bytes +not known$/m);
  });

  it('says that more may be lost than what the last sync reached', async () => {
    const dir = recordedProject();
    const { writer } = openTestProject(dir);
    const saved = { name: 'x', upto: 52, file: 'x' };
    // The first is synced: it is of the class that is; the prompt behind it is not yet.
    writer.append([anEvent('context.saved', saved)]);
    writer.append([prompt('not synced yet')]);
    loseHeader(dir);
    const { stdout } = await inMemory(dir, ['verify']);
    expect(stdout).toMatch(/ @1 to @53, at least$/m);
    const { damage } = json<Verified>(await inMemory(dir, ['verify', '--json']));
    expect(damage).toMatchObject([{ firstSeq: 1, lastSeq: 53, atLeast: true }]);
  });

  it('says exactly what is lost where the name of a segment behind it tells, also of an empty one', async () => {
    const dir = recordedProject();
    openTestProject(dir).writer.rotate(0);
    loseHeader(dir);
    const { stdout } = await inMemory(dir, ['verify']);
    expect(stdout).toMatch(/ @1 to @52$/m);
    const { damage } = json<Verified>(await inMemory(dir, ['verify', '--json']));
    expect(damage).toMatchObject([{ firstSeq: 1, lastSeq: 52, atLeast: false }]);
  });

  it('says before which segment events are missing', async () => {
    const dir = recordedProject();
    const { writer, reader } = openTestProject(dir);
    writer.rotate(0);
    rmSync(reader.segments()[0]!.path);
    const { stdout } = await inMemory(dir, ['verify']);
    expect(stdout).toMatch(/missing +before 0000000000000053\.b10 +- +- +@1 to @52$/m);
  });

  it('counts nothing as lost of a copy of the own folder, and leads to what to do about it', async () => {
    const dir = recordedProject();
    const { layout, reader } = openTestProject(dir);
    const own = `${layout.journal}/${reader.origin()}`;
    cpSync(own, `${layout.journal}/${'0'.repeat(32)}`, { recursive: true });
    const { stdout } = await inMemory(dir, ['verify']);
    expect(stdout).toMatch(/segment-header +0{32}\/0000000000000001\.b10 .* none here$/m);
    expect(stdout).not.toContain('from @1');
    const told = stdout.replaceAll(/\s+/g, ' ');
    expect(told).toContain('no event of this journal is lost');
    expect(told).toContain('For what to do, see: ben10 repair');
    const plan = (await inMemory(dir, ['repair'])).stdout;
    expect(plan.replaceAll(/\s+/g, ' ')).toContain(
      `remove it: rm -r ${layout.journal}/${'0'.repeat(32)}`,
    );
  });

  it('finds an empty journal sound', async () => {
    const dir = emptyProject();
    expect(json<Verified>(await inMemory(dir, ['verify', '--json']))).toMatchObject({
      ok: true,
      events: 0,
      firstSeq: null,
      head: null,
    });
    expect((await inMemory(dir, ['verify'])).stdout).toContain('none');
  });
});

describe('what is stored beside a journal', () => {
  interface Beside {
    ok: boolean;
    stored: { file: string; is: string; canBeRebuilt: boolean }[];
    beside: { file: string; kind: string }[];
  }

  /** A project with every file that is made of the journal, and which these are, below `.ben10`. */
  async function storing(): Promise<{ dir: string; root: string; files: string[] }> {
    const dir = recordedProject();
    expect((await here(dir, ['erase', '@30', '--yes'])).status).toBe(0);
    const project = openTestProject(dir);
    save(project, { name: 'mine' });
    takeSnapshot(project, { session: project.reader.origin()!, trigger: 'threshold' });
    project.states.checkpoint(PROJECTIONS.context!, 's1');
    const { root } = project;
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ctx|ckpt)$|\/synced$|\/erased$/.test(name))
      .filter((name) => name.includes('/'))
      .sort();
    return { dir, root, files };
  }

  const flip = (file: string): void => {
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1]! ^= 0x10;
    writeFileSync(file, bytes);
  };

  const named = ({ stored, beside }: Beside): string[] =>
    [...stored, ...beside].map(({ file }) => file).sort();

  it('is named where it is damaged, each file by itself, and changed by nobody', async () => {
    const { dir, root, files } = await storing();
    const kinds = [/saves\//, /snapshots\//, /\.ckpt$/, /synced$/, /erased$/];
    for (const kind of kinds) expect(files.some((file) => kind.test(file))).toBe(true);
    expect(named(json<Beside>(await inMemory(dir, ['verify', '--json'])))).toEqual([]);
    for (const file of files) {
      const bytes = readFileSync(path.join(root, file));
      flip(path.join(root, file));
      const before = photograph(root);
      const result = await inMemory(dir, ['verify', '--json']);
      expect([result.code, named(json<Beside>(result))], file).toEqual([0, [file]]);
      expect(photograph(root), file).toEqual(before);
      writeFileSync(path.join(root, file), bytes);
    }
  });

  it('is not called sound with the journal, nor is the journal called damaged for it', async () => {
    const { dir, root, files } = await storing();
    for (const file of files) flip(path.join(root, file));
    const { stdout, code } = await inMemory(dir, ['verify']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(
        `^The journal is sound; ${files.length} files beside it are damaged or missing\\.\n`,
      ),
    );
    expect(stdout).toContain('save "mine" is damaged (CONTEXT_CORRUPTED): checkpoints/saves/');
    expect(stdout).toContain('\n  journal/erased\n');
  });

  it('is looked at in a damaged journal too, which nobody can make it of again', async () => {
    const { dir, root, files } = await storing();
    damage(dir);
    for (const file of files) flip(path.join(root, file));
    const result = await inMemory(dir, ['verify', '--json']);
    const found = json<Beside>(result);
    expect([result.code, found.ok, named(found)]).toEqual([1, false, files]);
    expect(found.stored.map(({ canBeRebuilt }) => canBeRebuilt)).toEqual(
      found.stored.map(() => false),
    );
    const { stdout } = await inMemory(dir, ['verify']);
    expect(stdout).toContain('save "mine" is damaged');
  });

  it('ends with exit code 1 where it is lost and the journal does not reach there', async () => {
    const dir = recordedProject();
    const file = `checkpoints/saves/0000000000000999-${'a'.repeat(12)}.ctx`;
    const project = openTestProject(dir);
    project.writer.append([anEvent('context.saved', { name: 'x', upto: 999, file })]);
    const result = await inMemory(dir, ['verify', '--json']);
    expect(result.code).toBe(1);
    expect(json<Beside>(result)).toMatchObject({
      ok: true,
      stored: [{ file, is: 'missing', canBeRebuilt: false }],
    });
    const { stdout } = await inMemory(dir, ['verify']);
    expect(stdout).toMatch(/^The journal is sound; 1 file beside it is damaged or missing\.\n/);
    expect(checkStored(project).map(({ mend }) => mend)).toEqual([
      expect.stringMatching(/A new save under that name replaces it: ben10 save$/),
    ]);
    project.close();
    expect((await here(dir, ['save', 'x'])).status).toBe(0);
    expect(await inMemory(dir, ['verify'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The journal is sound\.\n/),
    });
  });
});
