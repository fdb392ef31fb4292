/** @module-tag long */
import path from 'node:path';
import { expect, test } from 'vitest';
import type { FileSystem } from '../../src/platform/fs.ts';
import type { Project } from '../../src/project/open.ts';
import { context } from '../../src/projections/folds/context.ts';
import { sessions } from '../../src/projections/folds/sessions.ts';
import { dropOld } from '../../src/timetravel/retention/retention.ts';
import { FaultyFs, type Plan } from '../faults/faulty-fs.ts';
import { prompt } from '../log/events.ts';
import { realPorts, scratch, twinOf } from '../support.ts';
import { testProject } from '../timetravel/project.ts';
import { codecs } from '../timetravel/retention/old.ts';

const PROMPTS = 120;
/** Not each call fails, but each seventh. */
const STEP = 7;

/** Several segments with two sessions, of which nothing was stored. */
function recorded(): Project {
  const project = testProject();
  for (let n = 0; n < PROMPTS; n += 1) {
    if (n % 40 === 39) project.writer.rotate(0);
    project.writer.append([prompt(`prompt ${n}`, { session: `s${n % 2}` })]);
  }
  return project;
}

/** The same, behind a drop: what is folded begins with states that stand for events. */
function dropped(): Project {
  const project = recorded();
  for (let n = 0; n < 200; n += 1)
    project.writer.append([prompt(`large ${'z'.repeat(900)}`, { session: 's1' })]);
  project.writer.rotate(0);
  dropOld(project, 0, codecs);
  for (let n = 0; n < PROMPTS; n += 1)
    project.writer.append([prompt(`later ${n}`, { session: `s${n % 2}` })]);
  return project;
}

const statesOf = ({ states }: Project): string =>
  JSON.stringify([
    states.at(context, 's0').state,
    states.at(context, 's1').state,
    states.at(sessions, null).state,
  ]);

function copyOf({ dir }: Project, fs: FileSystem = realPorts.fs): Project {
  const to = scratch();
  twinOf(path.join(dir, '.ben10'), path.join(to, '.ben10'));
  return testProject({ dir: to, ports: { fs } });
}

test.each([
  ['once', recorded],
  ['from then on', recorded],
  ['once', dropped],
] as const)(
  'a disk that fails %s while states are folded leaves no state that lacks something',
  (how, made) => {
    const original = made();
    const whole = statesOf(copyOf(original));
    let failed = 0;
    let lacking = 0;
    for (let call = 1, isOver = false; !isOver; call += STEP) {
      const plan: Plan = { fault: 'EIO', call: Number.NaN, how };
      const faulty = new FaultyFs(realPorts.fs, plan);
      const project = copyOf(original, faulty.fs);
      Object.assign(faulty, { calls: 0 });
      plan.call = call;
      for (let times = 0; times < 2; times += 1) {
        try {
          if (statesOf(project) !== whole) lacking += 1;
        } catch (error) {
          expect((error as { code?: string }).code, `call ${call}`).toBeDefined();
        }
      }
      isOver = faulty.failed === 0;
      failed += faulty.failed;
      // The disk is well again, and the process goes on; so does one that comes later.
      plan.call = Number.NaN;
      expect(statesOf(project) === whole, `call ${call}, the same process`).toBe(true);
      const later = testProject({ dir: project.dir });
      expect(statesOf(later) === whole, `call ${call}, a later one`).toBe(true);
    }
    expect(failed).toBeGreaterThan(50);
    // What fails once in the middle of a segment is read again with the whole of it.
    if (how === 'from then on') expect(lacking).toBeGreaterThan(0);
  },
);
