import { describe, expect, it } from 'vitest';
import type { EnvironmentThing, WorkSaved } from '../../../src/events/types.ts';
import { STATE_BYTES_MAX } from '../../../src/projections/bounds.ts';
import type { Fact } from '../../../src/projections/contract.ts';
import { type WorkspaceState, workspace } from '../../../src/projections/folds/workspace.ts';
import { factOf } from '../support/telling.ts';

const fold = (facts: Fact[], state: WorkspaceState = workspace.initial()): WorkspaceState =>
  facts.reduce((so, one) => workspace.apply(so, one), state);

const saved = (data: Partial<WorkSaved>, seq = 1): Fact =>
  factOf('work.saved', { worktree: '.', trigger: 'manual', ...data }, { seq, at: seq });
const seen = (seq: number, kinds: string[], things: EnvironmentThing[], worktree = '.'): Fact =>
  factOf('environment.observed', { worktree, kinds, things }, { seq, at: seq * 10 });
const db = (state: string, detail?: string): EnvironmentThing => ({
  kind: 'container',
  name: 'db',
  state,
  ...(detail !== undefined && { detail }),
});

describe('the state of the work', () => {
  it('is what was saved last, field by field', () => {
    const todos = [{ content: 'tests', status: 'pending' as const }];
    const { worktrees } = fold([
      saved({ taskSummary: 'X', workingFiles: ['a.ts'], notes: 'n', todos }, 1),
      saved({ trigger: 'pre-compact', workingFiles: ['b.ts'] }, 2),
    ]);
    expect(worktrees['.']!.work).toEqual({
      taskSummary: 'X',
      workingFiles: ['b.ts'],
      notes: 'n',
      todos,
      trigger: 'pre-compact',
      at: 2,
      seq: 2,
      saidAt: 1,
      saidSeq: 1,
    });
  });

  it('is never emptied of its task, also by a save that has an empty one', () => {
    for (const taskSummary of ['', '  \n'])
      expect(
        fold([saved({ taskSummary: 'X' }), saved({ taskSummary }, 2)]).worktrees['.']!.work,
      ).toMatchObject({ taskSummary: 'X', saidSeq: 1, seq: 2 });
  });

  it('is of its worktree alone', () => {
    const { worktrees } = fold([
      saved({ taskSummary: 'here' }),
      saved({ worktree: 'trees/b', taskSummary: 'there' }, 2),
    ]);
    expect(worktrees['.']!.work!.taskSummary).toBe('here');
    expect(worktrees['trees/b']!.work!.taskSummary).toBe('there');
  });
});

describe('what is around the project', () => {
  it('changes nothing when it is looked at for the first time', () => {
    const { worktrees } = fold([seen(1, ['container'], [db('running')])]);
    expect(worktrees['.']).toMatchObject({ things: [db('running')], changes: [], seq: 1, at: 10 });
  });

  it('is remembered as changes: another state, gone, and new', () => {
    const tool = { kind: 'tool', name: 'node', state: '20' };
    const { worktrees } = fold([
      seen(1, ['container', 'tool'], [db('running'), tool]),
      seen(2, ['container', 'tool'], [db('exited'), { ...tool, state: '22' }]),
      seen(3, ['container'], []),
      seen(4, ['container'], [db('running')]),
    ]);
    const change = (
      seq: number,
      kind: string,
      name: string,
      from: string | null,
      to: string | null,
    ) => ({ kind, name, from, to, at: seq * 10, seq });
    expect(worktrees['.']!.changes).toEqual([
      change(2, 'container', 'db', 'running', 'exited'),
      change(2, 'tool', 'node', '20', '22'),
      change(3, 'container', 'db', 'exited', null),
      change(4, 'container', 'db', null, 'running'),
    ]);
    // What was not looked at the last time is as it was.
    expect(worktrees['.']!.things).toContainEqual({ ...tool, state: '22' });
  });

  it('has not changed by being looked at in another way, nor by a hint', () => {
    const asked = (seq: number, how: string, state: string): Fact => {
      const things = [db(state), { kind: 'hint', name: '0', state }];
      const data = {
        worktree: '.',
        kinds: ['container', 'hint'],
        things,
        asked: { container: how },
      };
      return factOf('environment.observed', data, { seq, at: seq });
    };
    const facts = [asked(1, 'auto', 'running'), asked(2, 'docker', 'exited')];
    expect(fold(facts).worktrees['.']!.changes).toEqual([]);
    const { changes } = fold([...facts, asked(3, 'docker', 'running')]).worktrees['.']!;
    expect(changes).toMatchObject([{ kind: 'container', from: 'exited', to: 'running' }]);
  });

  it('is not gone where nobody could see it, until somebody does', () => {
    const facts = [
      seen(1, ['container'], [db('running')]),
      seen(2, ['container'], [{ ...db('running'), unseen: true }]),
    ];
    const { changes, things } = fold(facts).worktrees['.']!;
    expect(changes).toEqual([]);
    expect(things).toEqual([{ ...db('running'), unseen: true }]);
    expect(fold([...facts, seen(3, ['container'], [])]).worktrees['.']!.changes).toMatchObject([
      { name: 'db', from: 'running', to: null },
    ]);
  });

  it('is gone where more is there than is listed only if it ran, and what is listed then is not new', () => {
    const cut = (seq: number, things: EnvironmentThing[]): Fact => {
      const data = { worktree: '.', kinds: ['container'], things, cut: ['container'] };
      return factOf('environment.observed', data, { seq, at: seq });
    };
    const old = { ...db('exited'), name: 'old' };
    const other = { ...db('running'), name: 'other' };
    const facts = [seen(1, ['container'], [db('running'), old]), cut(2, [])];
    expect(fold(facts).worktrees['.']!.changes).toMatchObject([{ name: 'db', to: null }]);
    const { changes } = fold([...facts, seen(3, ['container'], [other])]).worktrees['.']!;
    expect(changes).toHaveLength(1);
    const third = seen(4, ['container'], [other, db('running')]);
    expect(
      fold([...facts, seen(3, ['container'], [other]), third]).worktrees['.']!.changes,
    ).toMatchObject([{ to: null }, { name: 'db', from: null, to: 'running' }]);
  });

  it('takes a new detail for no change', () => {
    const { worktrees } = fold([
      seen(1, ['container'], [db('running', 'Up 3 hours')]),
      seen(2, ['container'], [db('running', 'Up 4 hours')]),
    ]);
    expect(worktrees['.']).toMatchObject({ changes: [], things: [db('running', 'Up 4 hours')] });
  });

  it('was told to a session up to where it began, and then up to where somebody told it', () => {
    const started = (session: string, seq: number) =>
      factOf('session.started', { source: 'startup', worktree: '/p' }, { session, seq });
    const told = factOf(
      'environment.told',
      { worktree: '.', upto: 7, chars: 9 },
      { session: 'a', seq: 9 },
    );
    const state = fold([started('a', 3), started('b', 5), started('a', 6), told]);
    expect(state.told).toEqual({ b: 5, a: 7 });
  });
});

it('stays within what a stored state may take, whatever is told', () => {
  const long = '漢'.repeat(5000);
  const list = <T>(n: number, make: (index: number) => T): T[] =>
    Array.from({ length: n }, (_, index) => make(index));
  let state = workspace.initial();
  for (let n = 0; n < 40; n += 1) {
    const worktree = `${n}${long}`;
    const todos = list(200, () => ({ content: long, status: 'pending' as const }));
    const workingFiles = list(200, (index) => `${index}${long}`);
    state = fold(
      [saved({ worktree, taskSummary: long, notes: long, todos, workingFiles }, n)],
      state,
    );
    for (let round = 0; round < 2; round += 1) {
      const things = list(300, (index) => ({
        kind: 'k',
        name: `${index}${long}`,
        state: `${round}${long}`,
        detail: long,
      }));
      state = fold([seen(n, ['k'], things, worktree)], state);
    }
    const session = `${n}${long}`;
    state = fold([factOf('session.started', { source: 's', worktree }, { session })], state);
  }
  expect(JSON.stringify(state).length).toBeLessThan(STATE_BYTES_MAX);
});
