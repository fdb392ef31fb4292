import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compactJournal } from '../../src/journal/compact.ts';
import { journalRange } from '../../src/journal/range.ts';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { PROJECTIONS, replay } from '../../src/timetravel/replay.ts';
import { sessionsAt } from '../../src/timetravel/sessions.ts';
import { decoders } from '../support.ts';
import { imported, statesOf, testProject, transcript } from './project.ts';

const zstd = await loadZstd();

test('compaction changes no state at any point, from stored states or from the start', () => {
  const project = imported(testProject({ segmentBytes: 16 * 1024 }), transcript(''));
  const { last } = journalRange(project.ports, project.reader);
  const ids = sessionsAt(project).map(({ session }) => session);
  const scratch = { ...project, states: statesOf(project, false) };
  const asked = fc.sample(
    fc.record({
      point: fc.integer({ min: 1, max: last }).map((seq) => `@${seq}`),
      session: fc.constantFrom(...ids),
      projection: fc.constantFrom(...Object.keys(PROJECTIONS)),
    }),
    20,
  );
  const outcome = (from: typeof project, one: (typeof asked)[number]): string => {
    try {
      return JSON.stringify(replay(from, one));
    } catch (error) {
      return (error as Error).message;
    }
  };
  const before = asked.map((one) => outcome(scratch, one));
  expect(before.filter((text) => text.startsWith('{')).length).toBeGreaterThan(3);
  const { segments } = compactJournal(project.ports, project.layout.root, { zstd, decoders });
  expect(segments.filter(({ action }) => action === 'sealed').length).toBeGreaterThan(1);
  expect(asked.map((one) => outcome(scratch, one))).toEqual(before);
  expect(asked.map((one) => outcome(project, one))).toEqual(before);
});
