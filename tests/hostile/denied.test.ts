import { chmodSync, chownSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { spool } from '../../src/journal/append/inbox.ts';
import { json, lines } from '../cli/support.ts';
import { runHook, toolCall } from '../hook/run-hook.ts';
import { prompt } from '../log/events.ts';
import { newEvent, openTestProject, realPorts, scratch } from '../support.ts';
import { as, giveTo, NOBODY, photograph } from './support.ts';

const isRoot = process.getuid?.() === 0;

/** A project of somebody who is not root: four segments of one event each, and one with a text beside the journal. */
async function project(texts = ['two', 'three', 'four']) {
  const dir = scratch();
  chmodSync(dir, 0o755);
  expect(await runHook(dir, 'PreToolUse', toolCall('t1'))).toMatchObject({ code: 0, stderr: '' });
  const { writer, reader, layout, root } = openTestProject(dir);
  for (const text of texts) {
    writer.rotate(0);
    writer.append([prompt(text)]);
  }
  writer.close();
  const large = { ...toolCall('t2'), tool_input: { command: 'word '.repeat(40_000) } };
  expect(await runHook(dir, 'PreToolUse', large)).toMatchObject({ code: 0, stderr: '' });
  const segments = reader.segments().map((file) => file.path);
  if (isRoot) giveTo(dir, NOBODY);
  return { dir, root, layout, segments };
}

interface Doctor {
  ok: boolean;
  findings: { check: string; verdict: string; what: string; mend?: string }[];
}

const doctor = (dir: string) => json<Doctor>(as(NOBODY, dir, ['doctor', '--json']));

describe.skipIf(process.platform === 'win32')('a file that its owner closed to itself', () => {
  it.each(['segment', 'folder', 'lock', 'manifest'])(
    'is opened again with chmod, and nobody is sent for sudo: %s',
    async (what) => {
      const { dir, layout, segments } = await project();
      const place = { folder: layout.inbox, lock: layout.lock, manifest: layout.manifest }[what];
      const closed = place ?? segments[1]!;
      chmodSync(closed, 0);
      const x = what === 'folder' ? 'x' : '';
      const mends = doctor(dir).findings.map(({ mend }) => mend ?? '');
      expect(mends.join('\n')).not.toContain('sudo');
      expect(mends).toContainEqual(expect.stringContaining(`chmod u+rw${x} ${closed}`));
    },
  );

  it.each(['log', 'replay', 'status'])(
    'is named with the command that opens it: %s',
    async (command) => {
      const { dir, segments } = await project();
      chmodSync(segments.at(-1)!, 0);
      const { stdout, stderr } = as(NOBODY, dir, [command]);
      expect(`${stdout}${stderr}`.replace(/\s+/g, ' ')).toContain(`chmod u+rw ${segments.at(-1)!}`);
    },
  );
});

describe.skipIf(process.platform === 'win32')('an inbox file that is closed', () => {
  it('waits as it is, is no damage of the rest, and is taken in once it can be read', async () => {
    const { dir, root, layout, segments } = await project();
    const name = spool(realPorts, layout, [newEvent({ data: { text: 'waits' } })]);
    const file = path.join(layout.inbox, name);
    if (isRoot) chownSync(file, NOBODY, NOBODY);
    chmodSync(file, 0);
    const bytes = readFileSync(segments[2]!);
    bytes[bytes.indexOf('three')]! ^= 1;
    writeFileSync(segments[2]!, bytes);
    const next = `Run: chmod u+rw ${file}`;
    const verified = json<Verified>(as(NOBODY, dir, ['verify', '--json']));
    expect(verified.damage).toContainEqual(
      expect.objectContaining({ kind: 'inbox', refused: { file, why: 'EACCES', next } }),
    );
    const { items } = json<Repaired>(as(NOBODY, dir, ['repair', '--yes', '--json']));
    expect(items.map(({ action }) => action)).toEqual(['mend', 'none']);
    expect(readdirSync(layout.inbox)).toEqual([name]);
    expect(doctor(dir).findings).toContainEqual(
      expect.objectContaining({ check: 'inbox', verdict: 'fail', mend: next }),
    );
    expect(readdirSync(root)).not.toContain('quarantine');
    chmodSync(file, 0o600);
    expect(as(NOBODY, dir, ['log']).status).toBe(0);
    expect(readdirSync(layout.inbox)).toEqual([]);
    expect(json<Verified>(as(NOBODY, dir, ['verify', '--json'])).ok).toBe(true);
  });
});

interface Verified {
  ok: boolean;
  events: number;
  damage: { segment: string; kind: string; refused: { file: string; why: string; next: string } }[];
}

interface Repaired {
  done: boolean;
  ok: boolean;
  items: { segment: string; action: string; what: string; refused?: { file: string } }[];
}

const onlyBlob = (root: string) => {
  const names = readdirSync(path.join(root, 'blobs'), { recursive: true, encoding: 'utf8' });
  return path.join(root, 'blobs', names.find((name) => name.length > 60)!);
};

/** All that the three say of one closed file, and that none of them changes anything that is recorded. */
function expectSameTruth(dir: string, root: string, file: string, why = 'EACCES') {
  const recorded = () =>
    Object.entries(photograph(root)).filter(([name]) => !name.endsWith('lock'));
  const before = recorded();
  const verified = as(NOBODY, dir, ['verify', '--json']);
  expect(verified.status).toBe(1);
  const { ok, damage } = json<Verified>(verified);
  const next = `Run: chmod u+rw ${file}`;
  expect([ok, damage.map(({ refused }) => refused)]).toEqual([false, [{ file, why, next }]]);
  const people = as(NOBODY, dir, ['verify']).stdout;
  expect(people).toMatch(/^The journal is not known to be sound: 1 file of it cannot be read\.\n/);
  expect(people).toContain(`\n  ${file}: ${why}\n    ${next}\n`);
  for (const args of [['repair'], ['repair', '--yes']]) {
    const repaired = as(NOBODY, dir, [...args, '--json']);
    expect(repaired).toMatchObject({ status: 1, stderr: '' });
    const { items } = json<Repaired>(repaired);
    expect(items).toMatchObject([{ action: 'none', refused: { file } }]);
    expect(items[0]!.what).toContain('does not let you read it');
    expect(as(NOBODY, dir, args).stdout).toContain(`\n  ${next}\n`);
  }
  const told = doctor(dir).findings.filter(({ what }) => what.includes(file));
  expect(told).toMatchObject([{ verdict: 'fail', mend: next }]);
  expect(told[0]!.what).toContain(`cannot be read (${why})`);
  expect(recorded()).toEqual(before);
}

describe.skipIf(process.platform === 'win32')('a segment that cannot be read', () => {
  it.each([0, 1, 3])(
    'is told of by all who examine, who go on with the others: number %i',
    { tags: 'long' },
    async (at) => {
      const { dir, root, segments } = await project();
      expect(as(NOBODY, dir, ['verify']).status).toBe(0);
      const { events } = json<Verified>(as(NOBODY, dir, ['verify', '--json']));
      chmodSync(segments[at]!, 0);
      expectSameTruth(dir, root, segments[at]!);
      const left = json<Verified>(as(NOBODY, dir, ['verify', '--json'])).events;
      expect(left).toBeLessThan(events);
      expect(left).toBeGreaterThan(0);
      const { findings } = doctor(dir);
      const whats = findings.map(({ what }) => what).join('\n');
      expect(whats).not.toMatch(/the check failed| lost|are missing|taken away|damaged/);
      expect(findings).toContainEqual(
        expect.objectContaining({
          check: 'gaps',
          what: expect.stringContaining('not known before'),
        }),
      );
      chmodSync(segments[at]!, 0o600);
      expect(as(NOBODY, dir, ['verify'])).toMatchObject({ status: 0 });
    },
  );

  it('keeps a repair from the damage of the others, until it can be read', async () => {
    const { dir, segments } = await project();
    const bytes = readFileSync(segments[2]!);
    bytes[bytes.indexOf('three')]! ^= 1;
    writeFileSync(segments[2]!, bytes);
    chmodSync(segments[1]!, 0);
    const people = as(NOBODY, dir, ['verify']).stdout;
    expect(people).toMatch(
      /^The journal is damaged in 1 place, and 1 file of it cannot be read\.\n/,
    );
    const plan = json<Repaired>(as(NOBODY, dir, ['repair', '--json']));
    expect(plan.items.map(({ action }) => action)).toEqual(['none', 'none']);
    expect(plan.items[1]!.what).toContain('once every segment can be read');
    const done = as(NOBODY, dir, ['repair', '--yes', '--json']);
    expect(done.status).toBe(1);
    expect(json<Repaired>(done).items).toEqual(plan.items);
    chmodSync(segments[1]!, 0o600);
    expect(as(NOBODY, dir, ['repair', '--yes'])).toMatchObject({ status: 0 });
    expect(as(NOBODY, dir, ['verify'])).toMatchObject({ status: 0 });
  });

  it('hides what is in it from a search for secrets, which finds those of the others', async () => {
    const { dir, segments } = await project(['two', 'AKIAIOSFODNN7EXAMPLZ', 'four']);
    chmodSync(segments[1]!, 0);
    const scan = as(NOBODY, dir, ['scan', '--journal']);
    expect(scan.status).toBe(1);
    expect(scan.stdout).toContain('AWS-ACCESS-KEY');
    expect(scan.stderr).toContain(`  ${segments[1]}: EACCES\n    Run: chmod u+rw ${segments[1]}\n`);
    const [, told] = lines<{ unreadable?: { segments: string[]; refused: object[] } }>(
      as(NOBODY, dir, ['scan', '--journal', '--json']),
    );
    expect(told!.unreadable).toMatchObject({
      segments: [path.basename(segments[1]!)],
      refused: [{ file: segments[1], why: 'EACCES' }],
    });
    chmodSync(segments[2]!, 0);
    expect(as(NOBODY, dir, ['scan', '--journal']).stdout).toBe('');
  });
});

describe.skipIf(process.platform === 'win32')(
  'a text beside the journal that cannot be read',
  () => {
    it('is told of by verify, by a repair and by the doctor, and is left where it is', async () => {
      const { dir, root } = await project();
      const file = onlyBlob(root);
      chmodSync(file, 0);
      expectSameTruth(dir, root, file);
      const scan = as(NOBODY, dir, ['scan', '--journal']);
      expect(scan.status).toBe(1);
      expect(scan.stderr).toContain(`  ${file}: EACCES\n`);
    });

    it('does not keep a repair from the rest', async () => {
      const { dir, root, segments } = await project();
      chmodSync(onlyBlob(root), 0);
      const bytes = readFileSync(segments[2]!);
      bytes[bytes.indexOf('three')]! ^= 1;
      writeFileSync(segments[2]!, bytes);
      const { items } = json<Repaired>(as(NOBODY, dir, ['repair', '--yes', '--json']));
      expect(items.map(({ action }) => action)).toContain('mend');
      const { damage } = json<Verified>(as(NOBODY, dir, ['verify', '--json']));
      expect(damage.map(({ kind }) => kind)).toEqual(['blob']);
    });

    it('is named by the folder that is closed, where that is why', async () => {
      const { dir, root } = await project();
      const file = onlyBlob(root);
      chmodSync(path.dirname(file), 0);
      const { damage } = json<Verified>(as(NOBODY, dir, ['verify', '--json']));
      const next = `Run: chmod u+rwx ${path.dirname(file)}`;
      expect(damage.map(({ refused }) => refused)).toEqual([{ file, why: 'EACCES', next }]);
      expect(doctor(dir).findings).toContainEqual(
        expect.objectContaining({ check: 'blobs', verdict: 'fail', mend: next }),
      );
    });
  },
);
