import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Project } from '../../src/project/open.ts';
import { context } from '../../src/projections/folds/context.ts';
import { replay } from '../../src/timetravel/replay.ts';
import { makeRoom } from '../../src/timetravel/retention/tidy.ts';
import { save } from '../../src/timetravel/saves.ts';
import { ben10, json } from '../cli/support.ts';
import { prompt } from '../log/events.ts';
import { grown, indexNames, keptUp } from '../search/support.ts';
import { scratch } from '../support.ts';
import { testProject } from './project.ts';
import { SESSION, taken, todo } from './snapshots/support.ts';

const filesBelow = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(path.join(dir, name)).isFile())
    .sort();

const sizeOf = ({ root }: Project): number =>
  filesBelow(root).reduce((sum, name) => sum + statSync(path.join(root, name)).size, 0);

const statesIn = ({ root }: Project): string[] =>
  filesBelow(root).filter((name) => name.endsWith('.ckpt'));

/** A session with a save, a snapshot and some states, the first of which was stored first. */
function withStates(): { project: Project; states: string[] } {
  const project = todo();
  save(project, { name: 'kept' });
  taken(project);
  for (let n = 0; n < 4; n += 1) {
    project.recorder.append([prompt(`Step ${n}.`, { session: SESSION })]);
    project.states.checkpoint(context, SESSION);
  }
  const states = statesIn(project);
  for (const [n, name] of states.entries())
    utimesSync(path.join(project.root, name), 1_780_000_000 + n, 1_780_000_000 + n);
  return { project, states };
}

const limitedTo = (project: Project, bytes: number): Project =>
  Object.create(project, { maxStorageMb: { value: bytes / 1_000_000 } }) as Project;

/** Of every point of the session. */
const accounts = (project: Project): string =>
  JSON.stringify([20, 53, 55, 57, 58].map((seq) => replay(project, { point: `@${seq}` }).state));

test('where too much is kept the oldest states go until the rest fits, and nothing else', () => {
  const { project, states } = withStates();
  const before = filesBelow(project.root);
  const known = accounts(project);
  const kept = sizeOf(project);
  expect(states).toHaveLength(5);
  expect(makeRoom(limitedTo(project, kept), kept)).toEqual({ files: 0, bytes: 0 });
  const [first, second] = states.map((name) => statSync(path.join(project.root, name)).size);
  const made = makeRoom(limitedTo(project, kept - first! - 1), kept);
  expect(made).toEqual({ files: 2, bytes: first! + second! });
  expect(filesBelow(project.root)).toEqual(
    before.filter((name) => !states.slice(0, 2).includes(name)),
  );
  expect(accounts(testProject({ dir: project.dir }))).toBe(known);
});

test('the newest two states of each stay, however little may be kept', () => {
  const { project, states } = withStates();
  const before = filesBelow(project.root);
  expect(makeRoom(limitedTo(project, 0), sizeOf(project))).toMatchObject({ files: 3 });
  expect(filesBelow(project.root)).toEqual(
    before.filter((name) => !states.slice(0, 3).includes(name)),
  );
});

test('nothing goes where something in the journal cannot be read: a state may be all that is known of it', () => {
  const { project } = withStates();
  const { path: segment } = project.reader.segments()[0]!;
  const bytes = readFileSync(segment);
  bytes[bytes.length >> 1]! ^= 0xff;
  writeFileSync(segment, bytes);
  const damaged = limitedTo(testProject({ dir: project.dir }), 0);
  expect(makeRoom(damaged, 1_000_000)).toEqual({ files: 0, bytes: 0 });
});

test('the search index goes as a whole where that is not enough, also where nothing else may', () => {
  const { project, states } = withStates();
  grown(project, 600);
  keptUp(project);
  const index = indexNames(project).length;
  const sizes = states.map((name) => statSync(path.join(project.root, name)).size);
  const oldest = sizes.slice(0, 3).reduce((sum, size) => sum + size, 0);
  const kept = sizeOf(project);
  expect(index).toBeGreaterThan(0);
  expect(makeRoom(limitedTo(project, kept - oldest), kept)).toEqual({ files: 3, bytes: oldest });
  expect(indexNames(project)).toHaveLength(index);
  expect(makeRoom(limitedTo(project, 0), kept)).toMatchObject({ files: index });
  expect(indexNames(project)).toEqual([]);
});

test('a state that is behind a link is not touched', () => {
  const { project, states } = withStates();
  const elsewhere = scratch();
  const folder = path.join(project.root, path.dirname(states[0]!));
  renameSync(folder, path.join(elsewhere, 'states'));
  symlinkSync(path.join(elsewhere, 'states'), folder);
  expect(makeRoom(limitedTo(project, 0), 1_000_000)).toEqual({ files: 0, bytes: 0 });
  expect(readdirSync(path.join(elsewhere, 'states'))).toHaveLength(5);
});

test('ben10 compact does it, says so, and says it before on a dry run', { tags: 'long' }, () => {
  const { project, states } = withStates();
  writeFileSync(path.join(project.root, 'filler'), Buffer.alloc(1_000_000));
  const { dir } = project;
  const events = ben10(dir, ['log', '--json']).stdout;
  const run = (env: Record<string, string>, ...args: string[]) => {
    const { status, stdout, stderr } = ben10(dir, ['compact', ...args], env);
    expect(status, stderr).toBe(0);
    return stdout;
  };
  const limited = { BEN10_CONTEXT_MAX_STORAGE_MB: '1' };
  expect(run({}, '--dry-run')).not.toContain('can be rebuilt');
  expect(run(limited, '--dry-run')).toMatch(/total is still too large, removes up to \d files, /);
  expect(run({})).not.toContain('can be rebuilt');
  expect(states.filter((name) => existsSync(path.join(project.root, name)))).toHaveLength(5);
  expect(run(limited)).toMatch(/\nRemoved: \d files, \d+ .*can be rebuilt/);
  expect(states.filter((name) => existsSync(path.join(project.root, name)))).toEqual(
    states.slice(-2),
  );
  expect(ben10(dir, ['log', '--json']).stdout).toBe(events);
  expect(json(ben10(dir, ['restore', '@save:kept', '--json']))).toMatchObject({ notes: [] });
  expect(json(ben10(dir, ['snapshot', 'list', '--json']))).toMatchObject({ count: 1 });
});
