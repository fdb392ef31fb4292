import { describe, expect, test } from 'vitest';
import type { Fact } from '../../../src/projections/contract.ts';
import { cursors } from '../../../src/projections/folds/cursors.ts';
import { factOf, foldOf, T0 } from '../support/telling.ts';

const began = (at: number): Fact => factOf('compaction.started', { trigger: 'auto' }, { at });
const finished = (at: number): Fact =>
  factOf('compaction.finished', { trigger: 'auto', summary: 'We worked.' }, { at });
const started = (at: number, source = 'compact'): Fact =>
  factOf('session.started', { source, worktree: '/app' }, { at });
const answered = (event: string, source: string): Fact =>
  factOf('recall.injected', { event, source, chars: 0, items: [] });
const prompt = (at: number, traced = false): Fact =>
  factOf('prompt.submitted', { text: 'Go on.', ...(traced && { trace: { pos: 1 } }) }, { at });

const stateOf = (...facts: Fact[]) => foldOf(cursors, facts);

describe('a compaction', () => {
  test('is owed an answer at its own start, then at the prompt after it, then none', () => {
    const facts = [began(T0), started(T0 + 50)];
    expect(stateOf(...facts).owed).toBe('compact');
    facts.push(answered('SessionStart', 'compact'));
    expect(stateOf(...facts).owed).toBe('prompt');
    facts.push(prompt(T0 + 100));
    expect(stateOf(...facts).owed).toBe('prompt');
    facts.push(answered('UserPromptSubmit', 'prompt'));
    expect(stateOf(...facts).owed).toBeNull();
  });

  test('that was not answered at its start is owed all of it at the next prompt', () => {
    expect(stateOf(started(T0), prompt(T0 + 100))).toMatchObject({
      owed: 'prompt',
      unanswered: true,
    });
    // What a transcript tells may be from long before.
    expect(stateOf(started(T0), prompt(T0 - 100, true)).owed).toBe('compact');
  });

  test('of which no session’s start was heard is owed all of it at the next prompt, in whatever order it is told', () => {
    const owed = { owed: 'prompt', unanswered: true, heldUntil: T0 };
    expect(stateOf(began(T0), finished(T0 + 50), prompt(T0 + 100))).toMatchObject(owed);
    expect(stateOf(began(T0), prompt(T0 + 100), finished(T0 + 50))).toMatchObject(owed);
    const given = [began(T0), finished(T0 + 50), answered('UserPromptSubmit', 'prompt')];
    expect(stateOf(...given)).toMatchObject({ owed: null, unanswered: false });
    // Its start came late.
    const late = [began(T0), finished(T0 + 50), started(T0 + 60)];
    expect(stateOf(...late, answered('SessionStart', 'compact')).unanswered).toBe(false);
  });

  test('is owed nothing that is only known to have been long ago, or not to have come about', () => {
    expect(stateOf(finished(T0)).owed).toBeNull();
    expect(stateOf(began(T0), finished(T0 - 5)).owed).toBeNull();
    expect(stateOf(began(T0), prompt(T0 + 100)).owed).toBeNull();
    expect(stateOf(began(T0), finished(T0 + 600_001)).owed).toBeNull();
  });

  test('ends what was held where it began, or where the session started after it', () => {
    expect(stateOf().heldUntil).toBeNull();
    expect(stateOf(started(T0, 'startup')).heldUntil).toBeNull();
    expect(stateOf(began(T0), started(T0 + 50)).heldUntil).toBe(T0);
    expect(stateOf(started(T0 + 50)).heldUntil).toBe(T0 + 50);
    expect(stateOf(began(T0), started(T0 + 50), started(T0 + 900)).heldUntil).toBe(T0 + 900);
    expect(stateOf(answered('SessionStart', 'compact')).heldUntil).not.toBeNull();
  });

  test('that began more than ten minutes before the start came to nothing, and another one did', () => {
    expect(stateOf(began(T0), started(T0 + 600_000)).heldUntil).toBe(T0);
    expect(stateOf(began(T0), started(T0 + 600_001)).heldUntil).toBe(T0 + 600_001);
  });
});
