import fc from 'fast-check';
import { expect, test } from 'vitest';
import { journalRange } from '../../src/journal/read/range.ts';
import { Ben10Error } from '../../src/platform/errors.ts';
import type { Project } from '../../src/project/open.ts';
import { context } from '../../src/projections/folds/context.ts';
import { sessions } from '../../src/projections/folds/sessions.ts';
import { PROJECTIONS, replay } from '../../src/timetravel/replay.ts';
import { sessionsAt } from '../../src/timetravel/sessions.ts';
import { lived } from './lived.ts';
import { statesOf, testProject } from './project.ts';

const POINTS = 100;
/** Small segments: each keeps one stored state, so that some are left all along the journal. */
const segmentBytes = 16 * 1024;
const REAL = [
  'working-session',
  'sub-agents',
  'two-compactions',
  'killed-client',
  'two-sessions',
  'rewound-and-forked',
];

/** Points of every kind that a journal can have, also some that it does not have. */
function pointsOf(project: Project): fc.Arbitrary<string> {
  const { last } = journalRange(project.ports, project.reader);
  const known = sessionsAt(project);
  const from = Math.min(...known.map((one) => one.firstAt));
  const to = Math.max(...known.map((one) => one.lastAt));
  const n = fc.integer({ min: -4, max: 4 }).filter((one) => one !== 0);
  return fc.oneof(
    fc.integer({ min: 0, max: last }).map((seq) => `@${seq}`),
    fc.integer({ min: 0, max: last }).map((back) => `@-${back}`),
    fc.integer({ min: from, max: to }).map((time) => `@${new Date(time).toISOString()}`),
    n.map((one) => `@prompt:${one}`),
    n.map((one) => `@compaction:${one}`),
    fc
      .tuple(fc.constantFrom(...known), fc.constantFrom('', ':end'))
      .map(([{ session }, edge]) => `@session:${session}${edge}`),
  );
}

/** What is replayed, or the code of the error. */
function outcome(project: Project, point: string, session: string, projection: string): unknown {
  try {
    return replay(project, { point, session, projection });
  } catch (error) {
    if (error instanceof Ben10Error) return error.code;
    throw error;
  }
}

function sameFromScratch(project: Project, numRuns = POINTS): void {
  const scratch: Project = { ...project, states: statesOf(project, false) };
  const ids = sessionsAt(project).map((one) => one.session);
  let found = 0;
  fc.assert(
    fc.property(
      pointsOf(project),
      fc.constantFrom(...ids),
      fc.constantFrom(...Object.keys(PROJECTIONS)),
      (point, session, projection) => {
        const stored = outcome(project, point, session, projection);
        const folded = outcome(scratch, point, session, projection);
        // As text, so that the order of keys counts, too.
        expect(JSON.stringify(stored)).toBe(JSON.stringify(folded));
        if (typeof stored === 'object') found += 1;
      },
    ),
    { numRuns },
  );
  expect(found).toBeGreaterThan(numRuns / 3);
}

test.each(REAL)(
  '%s: any point is the same from states stored at any moment, and from the start',
  (name) => {
    const project = testProject({ segmentBytes });
    lived(project, name, () => {
      for (const { session } of sessionsAt(project)) project.states.checkpoint(context, session);
      project.states.checkpoint(sessions, null);
    });
    sameFromScratch(project, 40);
  },
);
