import { expect, it } from 'vitest';
import { context } from '../../src/projections/folds/context.ts';
import { type EvidenceState, evidence } from '../../src/projections/folds/evidence.ts';
import { commandItems, withRuns } from '../../src/recall/command-items.ts';
import type { Found } from '../../src/recall/item.ts';
import { ageOfItem } from '../../src/recall/render.ts';
import { factOf, foldOf } from '../projections/support/telling.ts';

const command = 'make check-links --strict';
const item = (kind: Found['kind'], text: string): Found => ({
  kind,
  text,
  seq: kind === 'command' ? 9 : 1,
  at: 1,
});

function ended(exitCode: number): EvidenceState {
  const run = { name: 'Bash', about: command, agent: null, seq: 9, at: 1, tick: 1 };
  const verdict = exitCode === 0 ? 'passed' : 'failed';
  const outcome = {
    verdict,
    hasFailed: exitCode !== 0,
    exitCode,
    line: '',
    runs: 1,
    failures: 0,
    tried: [],
  } as const;
  return { ...evidence.initial(), outcomes: { one: { ...run, ...outcome, tried: [], pos: null } } };
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

/** What became of these commands, one after the other. */
function itemsOf(...runs: [command: string, exitCode: number, output?: string][]): Found[] {
  const facts = runs.flatMap(([command, exitCode, stdout = ''], n) => {
    const toolUseId = `t${n}`;
    const input = { command };
    const error = `Exit code ${exitCode}\n${stdout}`;
    return [
      factOf('tool.called', { toolUseId, name: 'Bash', input }, { seq: n * 2 + 1 }),
      exitCode === 0
        ? factOf('tool.succeeded', { toolUseId, response: { stdout } }, { seq: n * 2 + 2 })
        : factOf('tool.failed', { toolUseId, error, exitCode }, { seq: n * 2 + 2 }),
    ];
  });
  const state = { ...foldOf(context, facts), directory: '/app' };
  return commandItems(state, foldOf(evidence, facts), (text) => text);
}

const errorsOf = (...runs: Parameters<typeof itemsOf>): string[] =>
  itemsOf(...runs)
    .filter(({ kind }) => kind === 'error')
    .map(({ text }) => text);

it('a command that failed is no open error once it passed from another folder or uncut', () => {
  expect(errorsOf(['npm test 2>&1 | head -40; npm test', 1], ['npm test', 0])).toEqual([]);
  expect(errorsOf(['npm test', 1], ['cd /app && npm test', 0])).toEqual([]);
});

it('it stays one where what ended with 0 was a pipe, another command, or came before', () => {
  const open = ['`npm test` → exit 1'];
  expect(errorsOf(['npm test', 1], ['npm test 2>&1 | tail -5', 0])).toEqual(open);
  expect(errorsOf(['npm test', 1], ['npm test; echo done', 0])).toEqual(open);
  expect(errorsOf(['npm test', 1], ['npm run lint', 0])).toEqual(open);
  expect(errorsOf(['npm test', 1], ['npm test -- tests/a.test.ts', 0])).toEqual(open);
  expect(errorsOf(['npm test', 1], ['cd pkg && npm test', 0])).toEqual(open);
  expect(errorsOf(['cd /app && npm test', 0], ['npm test', 1])).toEqual(open);
});

const PASS = '# tests 1\n# pass 1\n# fail 0\n# duration_ms 50';
const FAIL = '# tests 1\n# pass 0\n# fail 1\n# duration_ms 50';

it('it is none once the output of a pipe says that it passed, or all of the tests did', () => {
  expect(errorsOf(['npm test', 1], ['npm test 2>&1 | tail -12', 0, PASS])).toEqual([]);
  expect(errorsOf(['npm test -- tests/a.test.ts', 1], ['npm test', 0])).toEqual([]);
  const wrapped = 'FORCE_COLOR=1 timeout 60 npm test || true';
  expect(errorsOf(['npm test', 1], [wrapped, 0, PASS])).toEqual([]);
  expect(errorsOf(['npx vitest run', 1], ['pnpm vitest run --reporter=dot', 0])).toEqual([]);
});

it('a run that failed behind a pipe is an error that names both, and never a pass', () => {
  expect(errorsOf(['npm test 2>&1 | tail -30', 0, FAIL])).toEqual([
    '`npm test 2>&1 | tail -30` → exit 0, but failed: # fail 1',
  ]);
  const [hidden] = itemsOf(['npm test | grep pass', 0, '# pass 0']);
  expect(hidden!.text).toBe('`npm test | grep pass` → unknown (exit 0): # pass 0');
});

it('what could not be told leaves a failure, and a pass, as it was', () => {
  expect(errorsOf(['npm test', 1], ['npm test > out.txt; echo done', 0])).toHaveLength(1);
  expect(itemsOf(['npm test', 0], ['npm test | grep foo', 0])[0]!.text).toContain('exit 0');
});

it('of two runs in one command that ended differently the failure stays open', () => {
  const both = `webpack compiled successfully\n${'# Subtest: adds\n'.repeat(9)}# pass 0\n# fail 1`;
  const [open] = errorsOf(['npm run build && npm test', 1, both]);
  expect(open).toContain('partial (exit 1)');
  expect(errorsOf(['npm run build && npm test', 1, both], ['npm test', 0])).toHaveLength(1);
});

it('a command is as old as the event that it cites, which is its end and not its call', () => {
  const HOUR = 3_600_000;
  const calls = [
    { toolUseId: 'a', exitCode: 1 },
    { toolUseId: 'b', exitCode: 0 },
  ];
  const facts = calls.flatMap(({ toolUseId, exitCode }, n) => {
    const input = { command: `make check-${toolUseId}` };
    const called = { seq: n * 2 + 1, at: HOUR };
    const ended = { seq: n * 2 + 2, at: 3 * HOUR };
    return [
      factOf('tool.called', { toolUseId, name: 'Bash', input }, called),
      exitCode === 0
        ? factOf('tool.succeeded', { toolUseId, response: { stdout: '12 links' } }, ended)
        : factOf('tool.failed', { toolUseId, error: 'Exit code 1', exitCode }, ended),
    ];
  });
  const items = commandItems(foldOf(context, facts), foldOf(evidence, facts), (text) => text);
  const ages = items.map((one) => [one.kind, one.seq, ageOfItem(one, 4 * HOUR)]);
  expect(ages).toEqual([
    ['error', 2, '1h'],
    ['command', 4, '1h'],
  ]);
});
