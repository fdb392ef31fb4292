/** @module-tag long */
import path from 'node:path';
import { expect, test } from 'vitest';
import { resumeErasure } from '../../../src/journal/erase/resume.ts';
import { readManifest } from '../../../src/journal/format/manifest.ts';
import { compactJournal } from '../../../src/journal/seal/compact.ts';
import { verifyJournal } from '../../../src/journal/verify/verify.ts';
import type { FileSystem } from '../../../src/platform/fs.ts';
import type { Project } from '../../../src/project/open.ts';
import { replay } from '../../../src/timetravel/replay.ts';
import { dropOld } from '../../../src/timetravel/retention/retention.ts';
import { sessionsAt } from '../../../src/timetravel/sessions.ts';
import { dyingAt } from '../../dying-fs.ts';
import { decoders, realPorts, scratch, twinOf } from '../../support.ts';
import { testProject } from '../project.ts';
import { codecs, reopened, slowSession } from './old.ts';

/** One old journal, copied for every crash. */
function original() {
  const { project, days } = slowSession('two-compactions');
  const { clock } = project.ports;
  const { last } = project.reader
    .segments()
    .reduce((range, { firstSeq }) => ({ last: Math.max(range.last, firstSeq) }), { last: 0 });
  return {
    days,
    /** A point that lies behind every cut. */
    point: `@${last}`,
    copy(fs: FileSystem = realPorts.fs): Project {
      const dir = scratch();
      twinOf(path.join(project.dir, '.ben10'), path.join(dir, '.ben10'));
      return testProject({ dir, ports: { clock, fs } });
    },
  };
}

const marks = ({ ports, layout }: Project) => readManifest(ports, layout)?.dropping;

test('a drop that dies at any call was not begun, or is finished by the next compaction; no state changes', () => {
  const { days, point, copy } = original();
  const whole = copy();
  const heads = (project: Project) =>
    sessionsAt(reopened(project)).map(({ session }) =>
      JSON.stringify(replay(reopened(project), { point, session })),
    );
  const before = heads(whole);
  const counted = dyingAt(0, true);
  const twin = copy(counted.fs);
  dropOld(twin, days / 2, codecs);
  const all = counted.calls();
  expect(all).toBeGreaterThan(40);
  const outcomes = { untouched: 0, resumed: 0, done: 0 };
  for (let n = all; n >= 1; n -= 5) {
    const dying = copy(dyingAt(n, true).fs);
    expect(() => dropOld(dying, days / 2, codecs), `call ${n}`).toThrow();
    const project = testProject({ dir: dying.dir, ports: { clock: whole.ports.clock } });
    // What a hook sees meanwhile is what everybody sees afterwards.
    expect(heads(project), `call ${n}`).toEqual(before);
    const isMarked = marks(project) !== undefined;
    resumeErasure(project.ports, project.root, decoders);
    expect(marks(project) !== undefined, `a hook leaves it alone, call ${n}`).toBe(isMarked);
    compactJournal(project.ports, project.root, codecs);
    expect(marks(project), `call ${n}`).toBeUndefined();
    expect(heads(project), `call ${n}`).toEqual(before);
    expect(verifyJournal(project.ports, project.root, decoders).damage, `call ${n}`).toEqual([]);
    const again = dropOld(reopened(project), days / 2, codecs);
    outcomes[again !== undefined ? 'untouched' : isMarked ? 'resumed' : 'done'] += 1;
    expect(heads(project), `call ${n}`).toEqual(before);
  }
  expect(Math.min(...Object.values(outcomes)), JSON.stringify(outcomes)).toBeGreaterThan(0);
});
