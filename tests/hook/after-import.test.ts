import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importTranscripts } from '../../src/capture/import.ts';
import type { Project } from '../../src/project/open.ts';
import { readEvents } from '../../src/projections/events.ts';
import { context } from '../../src/projections/folds/context.ts';
import { evidence } from '../../src/projections/folds/evidence.ts';
import { Script } from '../capture/support/script.ts';
import { ben10, here } from '../cli/support.ts';
import { openTestProject, scratch } from '../support.ts';
import { givenIn, hooked } from './run-hook.ts';

const OLD = 'old';
const RULE = 'never use tabs here';

/** A session of so many commands, one of which failed. */
function longTranscript(dir: string, calls: number): string {
  const script = new Script(OLD);
  const parts = [script.prompt(RULE, 'p1')];
  for (let n = 0; n < calls; n += 1) {
    parts.push(script.calls(`c${n}`, 'Bash', { command: `node step-${n}.js` }));
    parts.push(script.result(`c${n}`, `step ${n} of the work is done`));
  }
  const file = path.join(dir, `${OLD}.jsonl`);
  writeFileSync(file, parts.join(''));
  return file;
}

const checkpointsOf = (dir: string) =>
  readdirSync(path.join(dir, '.ben10/checkpoints'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ckpt'),
  );

/** Sets the clock a minute on once a hook has looked at it. */
function lateClock(dir: string): Record<string, string> {
  const file = path.join(dir, 'late.cjs');
  writeFileSync(
    file,
    'const now = Date.now; let asked = 0; Date.now = () => now() + (asked++ > 2 ? 60_000 : 0);',
  );
  return { NODE_OPTIONS: `--require ${file}` };
}

describe('after an import of a long session', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'ben10-test-'));
  afterAll(() => rmSync(dir, { recursive: true }));
  const start = (session: string, env = {}) =>
    hooked(dir, 'SessionStart', { source: 'startup', session_id: session }, env);

  beforeAll(async () => {
    const imported =
      (await here(dir, ['init'])).status === 0 &&
      (await here(dir, ['import', longTranscript(dir, 2500)]));
    expect(imported).toMatchObject({ status: 0 });
  });

  it('the first start gives its rules back, and has no state to store that the import left out', async () => {
    const before = new Set(checkpointsOf(dir).map((name) => path.dirname(name)));
    expect(givenIn(await start('new'))).toContain(RULE);
    const made = checkpointsOf(dir).map((name) => path.dirname(name));
    expect(made.filter((name) => !before.has(name))).toEqual([]);
  });

  it('a hook that had no time says so in status and doctor, until one gives something back', {
    tags: 'long',
  }, async () => {
    rmSync(path.join(dir, '.ben10/checkpoints'), { recursive: true });
    expect(await start('hurried', lateClock(dir))).toBe('');
    const said = /a hook stopped because too much had to be read first; the last one: SessionStart/;
    const status = async () => (await here(dir, ['status'])).stdout.replace(/\s+/g, ' ');
    const doctor = () => ben10(dir, ['doctor']).stdout.replace(/\s+/g, ' ');
    expect(await status()).toMatch(said);
    expect(await status()).toMatch(/\d took over 1 s in all, the slowest 1 min .*\(SessionStart\)/);
    expect(await status()).toContain('Run ben10 recall');
    expect(doctor()).toMatch(said);
    expect((await here(dir, ['recall'])).status).toBe(0);
    expect(givenIn(await start('later'))).toContain(RULE);
    expect(await status()).not.toMatch(said);
    expect(doctor()).toMatch(/\d took over a second, .*; all were done/);
  });
});

describe('an import', () => {
  /** Imports up to a point, as if it was killed there. */
  function killed(project: Project, file: string, atBytes: number): void {
    const progress = (done: number) => {
      if (done >= atBytes) throw new Error('killed');
    };
    expect(() => importTranscripts({ ...project, paths: [file], progress })).toThrow('killed');
  }

  it('that is killed leaves few events that no stored state has', { tags: 'long' }, () => {
    const project = openTestProject(scratch());
    const file = longTranscript(project.dir, 2600);
    killed(project, file, 0.95 * statSync(file).size);
    const events = [...readEvents(project.reader, project.ports.xxh64, { session: OLD })].length;
    expect(events).toBeGreaterThan(4600);
    const { states } = openTestProject(project.dir);
    for (const one of [context, evidence])
      expect(states.newerThanStored(one as typeof context, OLD).events).toBeLessThan(1500);
  });

  it('that goes on after it was killed has everything once', () => {
    const project = openTestProject(scratch());
    const file = longTranscript(project.dir, 600);
    killed(project, file, 100_000);
    const again = openTestProject(project.dir);
    importTranscripts({ ...again, paths: [file] });
    const { state } = again.states.at(context, OLD);
    expect(state.tools.total).toBe(600);
  });
});
