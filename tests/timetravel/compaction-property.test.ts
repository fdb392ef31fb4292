/** @module-tag long */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { journalRange } from '../../src/journal/read/range.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import type { Project } from '../../src/project/open.ts';
import { PROJECTIONS, replay } from '../../src/timetravel/replay.ts';
import { sessionsAt } from '../../src/timetravel/sessions.ts';
import { call, NOON, prompt } from '../log/events.ts';
import { decoders } from '../support.ts';
import { imported, statesOf, testProject, transcript } from './project.ts';

const zstd = await loadZstd();

const TRANSCRIPTS = [
  'claude-2.1.329-real-todo-app/transcript.jsonl',
  'claude-v1.0.108-sidechain-tasks.jsonl',
  'claude-v1.0.98-short.jsonl',
  'claude-v1.0.119-mcp-tool-tiny.jsonl',
  'claude-v2.1-compact-boundary-preserved-segment.jsonl',
  'claude-v2.1.207-subagent-layout',
];

/** What happens in a project, in this order. */
type Step =
  | { kind: 'imported'; name: string }
  | { kind: 'told'; session: string; texts: string[] }
  | { kind: 'rotated' }
  | { kind: 'stored' };

const steps = fc.array(
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('imported' as const),
        name: fc.constantFrom(...TRANSCRIPTS),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('told' as const),
        session: fc.constantFrom('s1', 's2', 's3'),
        texts: fc.array(fc.string({ maxLength: 200, unit: 'binary' }), {
          minLength: 1,
          maxLength: 30,
        }),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'rotated' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'stored' as const }) },
  ),
  { minLength: 3, maxLength: 10 },
);

const journal = fc.record({
  segmentBytes: fc.integer({ min: 4, max: 48 }).map((kib) => kib * 1024),
  steps,
  asked: fc.array(
    fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      session: fc.nat(),
      projection: fc.constantFrom(...Object.keys(PROJECTIONS)),
    }),
    { minLength: 8, maxLength: 8 },
  ),
});

/** @param n the step's place: all that it tells of is another's nowhere */
function live(project: Project, step: Step, n: number): void {
  const { writer, states } = project;
  if (step.kind === 'imported') imported(project, transcript(step.name));
  else if (step.kind === 'rotated') writer.rotate(0);
  else if (step.kind === 'stored') states.checkpoint(PROJECTIONS.context!, 's1');
  else {
    const { session, texts } = step;
    const events = texts.flatMap((text, index) => {
      const where = { session, at: NOON + n * 60_000 + index * 1000 };
      return [prompt(text, where), call(`told-${n}-${index}`, `echo ${index}`, where)];
    });
    writer.append(events);
  }
}

test('compaction changes no state at any point of any journal, from stored states or from the start', () => {
  let [sealed, states] = [0, 0];
  fc.assert(
    fc.property(journal, ({ segmentBytes, steps, asked }) => {
      const project = testProject({ segmentBytes });
      live(project, { kind: 'told', session: 's1', texts: ['the first'] }, 0);
      for (const [index, step] of steps.entries()) live(project, step, index + 1);
      const { last } = journalRange(project.ports, project.reader);
      const ids = sessionsAt(project).map(({ session }) => session);
      const scratch = { ...project, states: statesOf(project, false) };
      const questions = asked.map(({ at, session, projection }) => ({
        point: `@${Math.max(1, Math.round(at * last))}`,
        session: ids[session % ids.length]!,
        projection,
      }));
      const outcome = (from: typeof project, one: (typeof questions)[number]): string => {
        try {
          return JSON.stringify(replay(from, one));
        } catch (error) {
          return (error as Error).message;
        }
      };
      const before = questions.map((one) => outcome(scratch, one));
      states += before.filter((text) => text.startsWith('{')).length;
      const { segments } = compactJournal(project.ports, project.layout.root, { zstd, decoders });
      sealed += segments.filter(({ action }) => action === 'sealed').length;
      const after = { ...project, states: statesOf(project, false) };
      expect(questions.map((one) => outcome(after, one))).toEqual(before);
      expect(questions.map((one) => outcome(scratch, one))).toEqual(before);
      expect(questions.map((one) => outcome(project, one))).toEqual(before);
    }),
    { numRuns: 12 },
  );
  expect(states).toBeGreaterThan(30);
  expect(sealed).toBeGreaterThan(12);
});
