import { beforeEach, expect, it, vi } from 'vitest';
import { allHandoffs } from '../../../src/handoff/of-project.ts';
import { atWork, documentsIn, see } from '../../handoff/at-work.ts';
import { git } from '../../handoff/random-repository.ts';
import { handedOff } from '../../handoff/support.ts';
import { end, iterate, LOOP, startLoop } from '../../loop/support.ts';
import { GIT_ENV } from '../../packs/repository.ts';
import { inMemory, json } from '../support.ts';

beforeEach(() => {
  for (const [name, value] of Object.entries(GIT_ENV)) vi.stubEnv(name, value);
});

const FAILED = { command: 'npm test', isPassed: false, failure: 'expected 2' };

/** A loop whose first iteration was handed off, and whose second one is at work. */
function atIteration2(): { dir: string; name: string } {
  const { project } = handedOff();
  const { checkpoint, handoff } = allHandoffs(project)[0]!;
  startLoop(project, { text: 'Mend it' }, { budgetUsd: 5 });
  iterate(project, 1, 's');
  const took = { peak: 88, tokens: 142_000, costUsd: 1.1, tree: 'c3d4e5', checks: [FAILED] };
  const todos = { done: 4, all: 7 };
  end(project, 1, { outcome: 'checkpoint', handoffOut: checkpoint, todos, ...took });
  iterate(project, 2, 'next', checkpoint);
  project.close();
  return { dir: project.dir, name: /([^/]+)\.md$/.exec(handoff.file)![1]! };
}

it('the ledger has a line for each iteration, with handoffs by name', async () => {
  const { dir, name } = atIteration2();
  const { stdout, code } = await inMemory(dir, ['loop', 'ledger']);
  expect(code).toBe(0);
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.trim().split(/ {2,}/)),
  ).toEqual([
    ['#', 'session', 'peak', 'tokens', '$', 'todos', 'tree', 'checks', 'in → out', 'ended'],
    [
      '1',
      's…',
      '88%',
      '142k',
      '1.10',
      '4/7',
      '–→c3d4',
      '✗ npm test',
      `– → ${name}`,
      'L2 checkpoint',
    ],
    ['2', 'next…', '–', '–', '–', '–', '–→–', '–', `${name} → –`, 'at work'],
  ]);
  expect(json(await inMemory(dir, ['loop', 'ledger', LOOP.slice(0, 4), '--json']))).toMatchObject({
    loop: LOOP,
    iterations: [
      { n: 1, peak: 88, checks: [FAILED], handoffIn: null, handoffOut: name, level: 'L2' },
      { n: 2, outcome: null, handoffIn: name, handoffOut: null },
    ],
  });
});

it('the context has the peak of each iteration, and how many more the limits leave', async () => {
  const { dir } = atIteration2();
  see(dir, { session: 'next', percent: 42, level: 'L0' });
  expect(json(await inMemory(dir, ['loop', 'context', '--json']))).toEqual({
    loop: LOOP,
    ...{ percent: 42, level: 'L0', forecast: null },
    iterations: [
      { n: 1, session: 's', peak: 88, checkpoint: true },
      { n: 2, session: 'next', peak: 42, checkpoint: false },
    ],
    left: { max: 19, usd: 3.9, tokens: null, minutes: null, iterations: 3, first: 'usd' },
  });
  const { stdout } = await inMemory(dir, ['loop', 'context']);
  expect(stdout).toBe(
    [
      'Context at 42%, L0',
      '  1  peak 88%, checkpoint',
      '  2  peak 42%',
      'Left: 19 iterations, $3.90. As it went so far, that is 3 iterations (--budget-usd).',
      '',
    ].join('\n'),
  );
});

it('a checkpoint is taken of the session at work, and of no loop that is not', async () => {
  const project = atWork();
  const { dir } = project;
  startLoop(project, { text: 'Mend it' });
  expect((await inMemory(dir, ['loop', 'checkpoint'])).stderr).toContain(
    'no session of this loop is at work',
  );
  iterate(project, 1, 's');
  const taken = await inMemory(dir, ['loop', 'checkpoint', '--json']);
  expect(json(taken)).toMatchObject({ level: 'manual', wip: { mode: 'branch' } });
  expect(documentsIn(dir)).toHaveLength(1);
  expect(git(dir, ['log', '-1', '--format=%s'])).toBe('ralph: checkpoint iter 1 (manual)\n');
  end(project, 1);
  expect((await inMemory(dir, ['loop', 'checkpoint'])).code).toBe(1);
});
