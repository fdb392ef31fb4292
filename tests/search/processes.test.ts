/** @module-tag long */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createContext } from '../../src/mcp/create-context.ts';
import { startJobs } from '../../src/mcp/jobs.ts';
import { loadSettings } from '../../src/mcp/settings.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { openProject, type Project } from '../../src/project/open.ts';
import { indexJob } from '../../src/search/job.ts';
import { placesIn } from '../../src/search/places.ts';
import { openTestProject, realPorts, scratch, twinOf } from '../support.ts';
import { contentBySelf, contentOf, folderOf, grown, indexNames, keptUp } from './support.ts';

const SERVER = path.join(import.meta.dirname, '../../dist/mcp.cjs');

/** The process of its own in which a server indexes. */
const indexing = ({ dir }: Project) =>
  spawn(process.execPath, [SERVER, 'job', 'index', dir], { stdio: 'ignore' });

const made = mkdtempSync(path.join(tmpdir(), 'ben10-search-'));
beforeAll(() => {
  const project = openProject(made, { lockBudgetMs: 1000, lock: realPorts.lock! });
  for (let n = 0; n < 5; n += 1) grown(project, 3000);
  project.close();
});
afterAll(() => rmSync(made, { recursive: true }));

/** A large journal whose index is to be made. */
function large(): Project {
  const dir = scratch();
  twinOf(path.join(made, '.ben10'), path.join(dir, '.ben10'));
  const project = openTestProject(dir);
  mkdirSync(folderOf(project), { recursive: true, mode: 0o700 });
  return project;
}

function expectWhole(project: Project): void {
  const index = keptUp(openTestProject(project.dir));
  expect(contentOf(index)).toEqual(contentBySelf(project));
  expect(index.unwritten).toBeUndefined();
}

describe('processes that index one journal', () => {
  it('at once: leave a whole index, whoever wrote what', async () => {
    const project = large();
    const running = [1, 2, 3].map(() => indexing(project));
    await Promise.all(running.map((child) => once(child, 'exit')));
    expect(running.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expectWhole(project);
    grown(project, 300);
    expectWhole(project);
    const places = placesIn(indexNames(project)).sort((a, b) => a.firstSeq - b.firstSeq);
    for (const [n, { firstSeq }] of places.entries())
      expect(firstSeq).toBe((places[n - 1]?.lastSeq ?? 0) + 1);
  });

  it.each([1, 2, 4, 7])(
    'killed at the %s. change of the folder: what is there is right, and the rest is made',
    async (nth) => {
      const project = large();
      const folder = folderOf(project);
      let changes = 0;
      const child = indexing(project);
      const watcher = watch(folder, () => {
        changes += 1;
        if (changes === nth) child.kill('SIGKILL');
      });
      await once(child, 'exit');
      watcher.close();
      for (const name of indexNames(project))
        if (name.endsWith('.tmp')) utimesSync(path.join(folder, name), 1, 1);
      expectWhole(project);
      grown(project, 300);
      expectWhole(project);
      expect(indexNames(project).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    },
  );

  it('a server does it while nobody asks anything, if there is much that is new', async () => {
    const project = openTestProject();
    grown(project, 1500);
    const log = createLogger('error', () => undefined);
    const { dir } = project;
    const settings = await loadSettings(dir, log);
    const context = createContext({ dir, settings, log, hash: xxh64, touched() {} });
    const job = { ...indexJob, afterMs: 50, everyMs: 50 };
    const jobs = startJobs(context, { program: SERVER, ask: async () => undefined }, [job]);
    onTestFinished(() => jobs.stop());
    expect(job.stamp!(project)).toBe('');
    grown(project, 1500);
    expect(job.stamp!(project)).not.toBe('');
    await vi.waitFor(() => expect(indexNames(project)).not.toEqual([]), { timeout: 20_000 });
    await vi.waitFor(() => expect(job.stamp!(project)).toBe(''), { timeout: 20_000 });
    expectWhole(project);
  });
});
