/** @module-tag long */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { BLOCK, CONTAINER_HEADER_BYTES, METHOD } from '../../src/journal/format/format.ts';
import { createContext } from '../../src/mcp/create-context.ts';
import { startJobs } from '../../src/mcp/jobs.ts';
import { loadSettings } from '../../src/mcp/settings.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { loadXxh64 } from '../../src/platform/xxh64-wasm.ts';
import { save } from '../../src/timetravel/saves.ts';
import { archiveJob } from '../../src/timetravel/snapshots/archive.ts';
import { scratch } from '../support.ts';
import { loadSnapshot, taken, todo } from '../timetravel/snapshots/support.ts';
import { playTurns } from './session.ts';
import { connect, dataOf } from './support.ts';

const PROGRAM = path.join(import.meta.dirname, '../../dist/mcp.cjs');

/** How the first block of a stored state is packed. */
const methodOf = (file: string): number =>
  readFileSync(file)[CONTAINER_HEADER_BYTES + BLOCK.method]!;

/** A server's parts beside a project with a snapshot and a save. */
async function server(idleMs: number, program = PROGRAM, level = 19) {
  const dir = scratch();
  const project = todo({ dir });
  const own = `context:\n  compactionSnapshots:\n    compressionLevel: ${level}\n`;
  writeFileSync(path.join(project.root, 'config.yaml'), own);
  const [made] = taken(project);
  const saved = save(project, { name: 'n' });
  const said: string[] = [];
  const log = createLogger('debug', (line) => said.push(line));
  const settings = await loadSettings(dir, log);
  const context = createContext({ dir, settings, log, hash: await loadXxh64(), touched() {} });
  const job = { ...archiveJob, afterMs: idleMs, everyMs: idleMs / 4 };
  const archiving = startJobs(context, { program, ask: async () => {} }, [job]);
  onTestFinished(() => archiving.stop());
  const files = [made!.file, saved.file].map((file) => path.join(project.root, file));
  const runs = () => said.filter((line) => /job (?:archive ended|failed)/.test(line)).length;
  return { project, made: made!, files, archiving, said, runs };
}

const WAIT = { timeout: 15_000, interval: 50 };

describe('what a server does with stored states while nobody asks anything', () => {
  it('is to pack them, with the same in them', async () => {
    const { project, made, files } = await server(100);
    const before = loadSnapshot(project, made.snapshot);
    expect(files.map(methodOf)).toEqual([METHOD.lz4, METHOD.lz4]);
    await vi.waitFor(() => expect(files.map(methodOf)).toEqual([METHOD.zstd, METHOD.zstd]), WAIT);
    expect(loadSnapshot(project, made.snapshot)).toEqual(before);
  });

  it('is done at the level that the settings say', async () => {
    const size = async (level: number) => {
      const { files } = await server(100, PROGRAM, level);
      await vi.waitFor(() => expect(files.map(methodOf)).toEqual([METHOD.zstd, METHOD.zstd]), WAIT);
      return files.reduce((sum, file) => sum + statSync(file).size, 0);
    };
    // Ids and times, which no two have in common, make a difference of some bytes alone.
    expect(await size(19)).toBeLessThan(0.98 * (await size(1)));
  });

  it('is done once, and again only when something else was stored', async () => {
    const { project, runs } = await server(100);
    await vi.waitFor(() => expect(runs()).toBe(1), WAIT);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(runs()).toBe(1);
    const saved = save(project, { name: 'another' });
    const file = path.join(project.root, saved.file);
    await vi.waitFor(() => expect(methodOf(file)).toBe(METHOD.zstd), WAIT);
  });

  it('waits while somebody asks', async () => {
    const { files, archiving } = await server(400);
    for (let n = 0; n < 20; n += 1) {
      archiving.busy();
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    expect(files.map(methodOf)).toEqual([METHOD.lz4, METHOD.lz4]);
    await vi.waitFor(() => expect(files.map(methodOf)).toEqual([METHOD.zstd, METHOD.zstd]), WAIT);
  });

  it('harms nothing when it cannot be done', async () => {
    const { files, runs, said } = await server(100, '/nowhere/mcp.cjs');
    await vi.waitFor(() => expect(runs()).toBe(1), WAIT);
    expect(said.join('')).toContain('a job failed: it ended with 1');
    expect(files.map(methodOf)).toEqual([METHOD.lz4, METHOD.lz4]);
  });

  it('is done by the real one, too', { timeout: archiveJob.afterMs + 40_000 }, async () => {
    const running = await connect();
    await playTurns(running, 3);
    const { file } = await dataOf<{ file: string }>(running, 'ben10_save', { name: 'n' });
    const stored = path.join(running.dir, '.ben10', file);
    expect(methodOf(stored)).toBe(METHOD.lz4);
    const wait = { timeout: archiveJob.afterMs + 30_000, interval: 500 };
    await vi.waitFor(() => expect(methodOf(stored)).toBe(METHOD.zstd), wait);
  });
});
