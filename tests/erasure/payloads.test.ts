import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { forget, payloadOf, snapshotsOf } from '../../src/packs/kept/snapshots.ts';
import type { Project } from '../../src/project/open.ts';
import { here, json } from '../cli/support.ts';
import { prompt } from '../log/events.ts';
import { kept, payloadFilesOf, projectWith } from '../packs/kept/support.ts';
import { codeOf, openTestProject } from '../support.ts';
import { CANARY, canaries } from './support.ts';

const SECRET_FILE = `const key = '${CANARY}';\n`;
const FILES = { 'src/clean.ts': 'export {};\n', 'src/leak.ts': SECRET_FILE };

/** With a snapshot that has the secret, and one that has not. */
async function leaky(): Promise<Project> {
  const project = projectWith(FILES);
  await kept(project, ['file:src/leak.ts', 'file:src/clean.ts'], { label: 'leaky' });
  await kept(project, ['file:src/clean.ts'], { label: 'clean' });
  expect(canaries(project)).not.toEqual([]);
  return project;
}

const eraseWith = async ({ dir }: Project, ...args: string[]) => {
  const done = await here(dir, ['erase', ...args, '--yes', '--json']);
  expect(done.status, done.stdout + done.stderr).toBe(0);
  return json<{ files: number; plan: { packSnapshots: string[] } }>(done);
};

const labelsOf = ({ dir }: Project) => snapshotsOf(openTestProject(dir)).map(({ label }) => label);

const told = async ({ dir }: Project, type: string) =>
  (await here(dir, ['log', '--type', type, '--json', '--limit', '20'])).stdout;

describe('a secret that is only in the payload of a snapshot', () => {
  it.each([
    ['its text', ['--pattern', CANARY]],
    ['a pattern', ['--pattern', '/zq.{4,12}enVogel.7731/']],
  ])('is in no file after an erasure of %s; other snapshots stay', async (_, how) => {
    const project = await leaky();
    const plan = (await here(project.dir, ['erase', ...how])).stdout;
    expect(plan).toContain('Snapshots of packs');
    expect(plan).toContain('leaky');
    expect(canaries(project)).not.toEqual([]);
    const { plan: done, files } = await eraseWith(project, ...how);
    expect(done.packSnapshots).toEqual(['leaky']);
    expect(files).toBeGreaterThan(0);
    expect(canaries(project)).toEqual([]);
    expect(payloadFilesOf(project)).toHaveLength(1);
    expect(labelsOf(project)).toEqual(['clean']);
    const left = openTestProject(project.dir);
    const [clean] = snapshotsOf(left);
    expect(payloadOf(left, clean!).payload.toString()).toContain('src/clean.ts');
  });

  it('is in no file that was packed, either', async () => {
    const project = await leaky();
    expect((await here(project.dir, ['compact'])).status).toBe(0);
    await eraseWith(project, '--pattern', CANARY);
    expect(canaries(project)).toEqual([]);
  });

  it('is told: the events lose their digests, and say that it was erased', async () => {
    const project = await leaky();
    const [before] = snapshotsOf(project);
    await eraseWith(project, '--pattern', CANARY);
    const log = await told(project, 'pack.snapshotted');
    expect(log).toContain('leaky');
    expect(log).not.toContain(before!.payloadHash);
    expect(log).not.toContain(before!.renderHash);
    expect(await told(project, 'pack.snapshot-removed')).toContain('"erased"');
    expect(codeOf(() => payloadOf(project, { ...before!, payloadHash: '' }))).toBe(
      'CHECKSUM_MISMATCH',
    );
  });

  it('is found by a rule that did not know it when it was kept', async () => {
    const project = projectWith({ 'leak.txt': 'ticket=ABCD-12345678-WXYZ\n' });
    await kept(project, ['file:leak.txt'], { label: 'leaky' });
    writeFileSync(
      path.join(project.root, 'config.yaml'),
      'redaction:\n  patterns:\n    - id: TICKET\n      pattern: "[A-Z]{4}-[0-9]{8}-[A-Z]{4}"\n',
    );
    const done = await here(project.dir, ['erase', '--rule', 'TICKET', '--yes']);
    expect(done.status, done.stdout + done.stderr).toBe(0);
    expect(payloadFilesOf(project)).toEqual([]);
  });

  it('of a half written file goes, too', async () => {
    const project = await leaky();
    const { file } = snapshotsOf(project)[0]!;
    const half = path.join(project.root, `${file}.0123456789ab.tmp`);
    writeFileSync(half, SECRET_FILE);
    utimesSync(half, 0, 0);
    await eraseWith(project, '--pattern', CANARY);
    expect(canaries(project)).toEqual([]);
  });
});

it.each([
  ['CRLF', 'QuokkaFirst\r\nWombatSecond'],
  ['CR', 'QuokkaFirst\rWombatSecond'],
  ['a character that nobody sees', 'QuokkaFirst\u200bWombatSecond'],
  ['a tag of a client', 'QuokkaFirst <system-reminder> WombatSecond'],
])('a secret with %s is found as payloads write it', async (_, secret) => {
  const project = projectWith({ 'a.txt': `so: ${secret}.\n`, 'b.txt': 'b\n' });
  await kept(project, ['file:a.txt'], { label: 'leaky' });
  await kept(project, ['file:b.txt'], { label: 'clean' });
  await eraseWith(project, '--pattern', secret);
  expect(labelsOf(project)).toEqual(['clean']);
  expect(payloadFilesOf(project)).toHaveLength(1);
});

describe('digests', () => {
  it('of a forgotten snapshot go with any erasure, because nobody can look into it', async () => {
    const project = await leaky();
    const [before] = snapshotsOf(project);
    expect(await told(project, 'pack.snapshotted')).toContain(before!.payloadHash);
    forget(project, 'leaky', 'cli');
    project.writer.append([prompt(`the key is ${CANARY}`)]);
    await eraseWith(project, '--pattern', CANARY);
    expect(await told(project, 'pack.snapshotted')).not.toContain(before!.payloadHash);
    expect(payloadFilesOf(project)).toHaveLength(1);
  });

  it('and files stay as they are where nothing is found', async () => {
    const project = await leaky();
    const files = payloadFilesOf(project);
    await here(project.dir, ['erase', '--pattern', 'not-there-at-all', '--yes']);
    expect(payloadFilesOf(project)).toEqual(files);
    const [before] = snapshotsOf(project);
    expect(await told(project, 'pack.snapshotted')).toContain(before!.payloadHash);
  });
});

it('an event that goes by its seq takes later payloads along that have something from the journal', async () => {
  const project = projectWith(FILES);
  await kept(project, ['text:before it'], { label: 'before' });
  project.writer.append([prompt('a slip')]);
  const { seqs } = project.writer.append([prompt('the event')]);
  await kept(project, ['file:src/clean.ts'], { label: 'files' });
  await kept(project, ['text:after it'], { label: 'after' });
  const { plan } = await eraseWith(project, `@${seqs[0]}`);
  expect(plan.packSnapshots).toEqual(['after']);
  expect(labelsOf(project)).toEqual(['before', 'files']);
});

it('an event that goes by its seq takes later payloads along that have files as they were behind it', async () => {
  const project = projectWith(FILES);
  project.writer.append([prompt('first')]);
  const { seqs } = project.writer.append([prompt('the event')]);
  const [seq] = seqs;
  await kept(project, ['file:src/clean.ts'], { label: 'then', at: seq! });
  await kept(project, ['file:src/leak.ts'], { label: 'earlier', at: seq! - 1 });
  const { plan } = await eraseWith(project, `@${seq}`);
  expect(plan.packSnapshots).toEqual(['then']);
});

it('a name of a field in what describes a payload is no find', async () => {
  const project = await leaky();
  const done = await here(project.dir, ['erase', '--pattern', 'redactions', '--yes']);
  expect(done.stdout).toContain('Nothing was found.');
  expect(done.status).toBe(0);
  const sizes = payloadFilesOf(project).map(
    (name) => statSync(path.join(project.root, 'pack-payloads', name)).size,
  );
  expect(sizes).toHaveLength(2);
  expect(readFileSync(path.join(project.dir, 'src/leak.ts'), 'utf8')).toBe(SECRET_FILE);
});
