import { describe, expect, it } from 'vitest';
import { openProject } from '../../src/project/open.ts';
import { sessions } from '../../src/projections/folds/sessions.ts';
import { PART_EVENTS } from '../../src/projections/gather.ts';
import { newEvent, openTestProject, realPorts, scratch } from '../support.ts';

/** What a hook sees of a project whose states nobody stored, when it has no time left at all. */
const hurried = (dir: string, foldUntil: number) =>
  openProject(dir, { lockBudgetMs: 1000, lock: realPorts.lock!, foldUntil });

function project(events: number): string {
  const dir = scratch();
  const { writer } = openTestProject(dir);
  const data = { toolUseId: 't', name: 'Bash', input: {} };
  for (let left = events; left > 0; left -= 1000) {
    const batch = Array.from({ length: Math.min(left, 1000) }, () =>
      newEvent({ type: 'tool.called', session: 's', data }),
    );
    writer.append(batch);
  }
  return dir;
}

describe('folding a long way with too little time', () => {
  it('ends after a part, and the next one goes on from there until it has arrived', () => {
    const dir = project(3 * PART_EVENTS + 1);
    const parts = [1, 2, 3];
    for (const part of parts) {
      expect(() => hurried(dir, 0).states.at(sessions, null), `part ${part}`).toThrow(
        expect.objectContaining({ code: 'STATES_BEHIND' }),
      );
    }
    const { state, folded } = hurried(dir, 0).states.at(sessions, null);
    expect([state.sessions.s?.toolCalls, folded]).toEqual([3 * PART_EVENTS + 1, 1]);
  });

  it('is not cut short where there is time', () => {
    const dir = project(PART_EVENTS + 1);
    const { folded } = hurried(dir, Date.now() + 60_000).states.at(sessions, null);
    expect(folded).toBe(PART_EVENTS + 1);
  });
});
