import { describe, expect, test } from 'vitest';
import type { Fact } from '../../../src/projections/contract.ts';
import { cursors } from '../../../src/projections/folds/cursors.ts';
import { factOf, foldOf, T0 } from '../support/telling.ts';

const began = (at: number): Fact => factOf('compaction.started', { trigger: 'auto' }, { at });
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

  test('that was not answered at its start is owed nothing when the next prompt comes', () => {
    expect(stateOf(started(T0), prompt(T0 + 100)).owed).toBeNull();
    // What a transcript tells may be from long before.
    expect(stateOf(started(T0), prompt(T0 - 100, true)).owed).toBe('compact');
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
