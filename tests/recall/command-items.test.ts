import { expect, it } from 'vitest';
import { type EvidenceState, evidence } from '../../src/projections/folds/evidence.ts';
import { withRuns } from '../../src/recall/command-items.ts';
import type { Found } from '../../src/recall/items.ts';

const command = 'make check-links --strict';
const item = (kind: Found['kind'], text: string): Found => ({
  kind,
  text,
  seq: kind === 'command' ? 9 : 1,
  at: 1,
});

function ended(exitCode: number): EvidenceState {
  const run = { name: 'Bash', about: command, agent: null, seq: 9, at: 1, tick: 1 };
  const outcome = { failed: exitCode !== 0, exitCode, line: '', runs: 1, failures: 0, tried: [] };
  return { ...evidence.initial(), outcomes: { one: { ...run, ...outcome, pos: null } } };
}

it('a sentence of the user’s that names a command tells how that ended, and its own line is worth less', () => {
  const rule = `Run \`${command}\` before each release.`;
  const [told, own] = withRuns([item('rule', rule), item('command', command)], ended(0));
  expect(told!.text).toBe(`${rule} (last run: exit 0)`);
  expect(own!.weight).toBeLessThan(0.5);
});

it('a failure keeps its own line, and a sentence without the command stays as it is', () => {
  const rule = 'Check the links before each release.';
  const found = [item('rule', rule), item('command', command)];
  expect(withRuns(found, ended(2))).toEqual(found);
});
