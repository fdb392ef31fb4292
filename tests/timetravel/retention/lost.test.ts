import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { blobPath, listBlobs } from '../../../src/journal/append/blobs.ts';
import { eraseEvents } from '../../../src/journal/erase/erase.ts';
import { repairJournal } from '../../../src/journal/repair/repair.ts';
import { verifyJournal } from '../../../src/journal/verify/verify.ts';
import type { Project } from '../../../src/project/open.ts';
import { readEvents } from '../../../src/projections/events.ts';
import { status } from '../../../src/status/status.ts';
import { lostTo } from '../../../src/timetravel/lost-states.ts';
import { replay } from '../../../src/timetravel/replay.ts';
import { restore } from '../../../src/timetravel/restore.ts';
import { dropOld } from '../../../src/timetravel/retention/retention.ts';
import { inMemory, json } from '../../cli/support.ts';
import { prompt } from '../../log/events.ts';
import { decoders } from '../../support.ts';
import { testProject } from '../project.ts';
import { codecs } from './old.ts';

const UPTO = 3;

/** Three prompts of two sessions that were dropped, and what came since. */
function dropped(...since: string[]): Project {
  const project = testProject();
  project.writer.append([
    prompt('one', { session: 's1' }),
    prompt('two', { session: 's2' }),
    prompt('three', { session: 's1' }),
  ]);
  project.writer.rotate(0);
  expect(dropOld(project, 0, codecs)).toMatchObject({ upto: UPTO });
  for (const session of since) project.writer.append([prompt(`since in ${session}`, { session })]);
  return project;
}

const basesOf = ({ reader, ports }: Project) =>
  [...readEvents(reader, ports.xxh64, { types: ['journal.based'] })].map(
    ({ seq, session, data }) => ({
      seq,
      session,
      name: (data as { projection: string }).projection,
    }),
  );

/** As a repair leaves it, which cut these away. */
function repaired(
  project: Project,
  isCut: (base: { session: string | null; name: string }) => boolean,
) {
  const cut = basesOf(project).filter(isCut);
  const file = project.reader.segments().at(-1)!.path;
  const bytes = readFileSync(file);
  for (const { seq } of cut) {
    for (const { entry } of project.reader.entries(seq, seq)) {
      const at = bytes.indexOf(entry!.payload);
      bytes.fill(0x5a, at + 20, at + 24);
    }
  }
  writeFileSync(file, bytes);
  const again = testProject({ dir: project.dir });
  const { ports, root } = again;
  repairJournal(ports, root, decoders);
  expect(verifyJournal(ports, root, decoders).damage).toEqual([]);
  rmSync(again.layout.checkpoints, { recursive: true, force: true });
  return { project: testProject({ dir: project.dir }), cut: cut.length };
}

const lostIn = (project: Project, projection: string, session: string | null) =>
  lostTo(project, { projection, session })?.message;

test('is said of the states that a repair cut away, in the place of nothing having happened', async () => {
  const whole = dropped();
  const of = basesOf(whole).length;
  expect(replay(whole).session).not.toBeNull();
  expect(status(whole).warnings).toEqual([]);
  expect(json(await inMemory(whole.dir, ['replay', '--json']))).toMatchObject({ lost: null });
  const { project, cut } = repaired(whole, () => true);
  expect(cut).toBe(of);
  const text = `events up to @${UPTO} were removed by retention, and ${of} of the ${of} states kept in their place are unreadable`;
  const said = expect.stringContaining(text);
  expect(() => restore(project, { mode: 'full' })).toThrow(
    expect.objectContaining({
      code: 'STATES_LOST',
      message: said,
      next: expect.stringContaining('older save or snapshot'),
    }),
  );
  expect(status(project)).toMatchObject({
    health: 'warning',
    warnings: expect.arrayContaining([expect.stringMatching(`${text}.*ben10 explain STATES_LOST`)]),
  });
  for (const projection of ['context', 'sessions', 'files']) {
    const told = await inMemory(project.dir, ['replay', '--projection', projection]);
    expect(told).toEqual({ code: 0, stdout: '', stderr: expect.stringContaining(text) });
    const data = json(
      await inMemory(project.dir, ['replay', '--projection', projection, '--json']),
    );
    expect(data).toMatchObject({ lost: { code: 'STATES_LOST', message: said }, unreadable: null });
  }
});

test('is said of the one session whose state is gone, and neither of others nor of those that began since', () => {
  const { project, cut } = repaired(dropped('s1', 's2', 's3'), ({ session }) => session === 's1');
  expect(cut).toBeGreaterThan(0);
  expect(lostIn(project, 'context', 's1')).toContain('removed by retention');
  expect(lostIn(project, 'tools', 's1')).toContain('removed by retention');
  expect(lostIn(project, 'context', 's2')).toBeUndefined();
  expect(lostIn(project, 'context', 's3')).toBeUndefined();
  expect(lostIn(project, 'sessions', null)).toBeUndefined();
  const { notes, text } = restore(project, { mode: 'summary', session: 's1' });
  expect(notes).toEqual([expect.stringMatching(/^STATES_LOST: events up to @3 were removed/)]);
  expect(text).toContain(notes[0]);
  expect(text).toContain('since in s1');
  expect(restore(project, { mode: 'summary', session: 's2' }).notes).toEqual([]);
});

test('is said where nobody knows any more which sessions there were', () => {
  const { project } = repaired(dropped('s3'), ({ session }) => session === null);
  expect(lostIn(project, 'sessions', null)).toContain('removed by retention');
  expect(lostIn(project, 'context', 's1')).toBeUndefined();
  expect(lostIn(project, 'context', 's3')).toContain('removed by retention');
});

test('is said of one that was erased, and of one whose text beside the journal is gone', () => {
  const erased = dropped('s1');
  const origin = erased.reader.origin()!;
  const events = basesOf(erased).flatMap(({ seq, session, name }) =>
    session === 's1' && name === 'context' ? [{ origin, seq }] : [],
  );
  eraseEvents(erased.ports, erased.root, codecs, () => ({
    by: 'event',
    events,
    blobs: [],
    files: [],
  }));
  expect(lostIn(testProject({ dir: erased.dir }), 'context', 's1')).toContain('1 of the');
  const large = testProject();
  for (let n = 0; n < 200; n += 1) large.writer.append([prompt(`${n} ${'z'.repeat(900)}`)]);
  large.writer.rotate(0);
  dropOld(large, 0, codecs);
  for (const name of listBlobs(large.ports, large.layout)) rmSync(blobPath(large.layout, name));
  const later = testProject({ dir: large.dir });
  expect(lostIn(later, 'context', 's1')).toContain('unreadable');
});
