import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { hintAt } from '../../src/monitor/hints.ts';
import { openTestProject } from '../support.ts';
import { working } from './working.ts';

/** A session that does things, and what the user is told at the end of each turn. */
function session(config = '') {
  const { dir, file, growTo, hook } = working();
  if (config) writeFileSync(path.join(dir, '.ben10/config.yaml'), config, { mode: 0o600 });
  let n = 0;
  const did = async (tool_name: string, tool_input: unknown, failed?: string) => {
    n += 1;
    const call = { tool_name, tool_input, tool_use_id: `c${n}` };
    await hook('PreToolUse', call);
    if (failed) await hook('PostToolUseFailure', { ...call, error: failed });
    else await hook('PostToolUse', { ...call, tool_response: { stdout: 'ok' } });
  };
  const bash = (command: string, failed?: string) => did('Bash', { command }, failed);
  const edit = () => did('Edit', { file_path: file, old_string: 'a', new_string: 'b' });
  const stop = async (): Promise<string> => {
    const answer = await hook('Stop');
    if (answer === '') return '';
    const { systemMessage, ...more } = JSON.parse(answer);
    expect(more).toEqual({});
    return systemMessage;
  };
  return { dir, growTo, did, bash, edit, stop };
}

test('a good moment to end the session is told to the user, once, with what shows it', {
  tags: 'long',
}, async () => {
  const { growTo, bash, edit, stop } = session();
  growTo(45);
  await bash('npm test');
  expect(await stop()).toBe('');
  growTo(55);
  await edit();
  expect(await stop()).toBe('');
  await bash('npm test', 'Exit code 1');
  await bash('git commit -qm "add a test"');
  expect(await stop()).toContain('committed @');
  await bash('npm test');
  expect(await stop()).toBe('');
});

test.each([
  [
    'a pull request',
    (s: ReturnType<typeof session>) => s.bash('gh pr create --fill'),
    /: pull request made @\d+\./,
  ],
  [
    'a todo that is done',
    (s: ReturnType<typeof session>) =>
      s.did('TodoWrite', { todos: [{ content: 'a', status: 'completed' }] }),
    /: todo done @\d+\./,
  ],
  [
    'nothing that failed since',
    async (s: ReturnType<typeof session>) => {
      await s.bash('git commit -qm x');
      await s.bash('npm run build', 'Exit code 2');
    },
    /^$/,
  ],
  [
    'nothing that was edited since',
    async (s: ReturnType<typeof session>) => {
      await s.did('TodoWrite', { todos: [{ content: 'a', status: 'completed' }] });
      await s.edit();
    },
    /^$/,
  ],
])('a moment is good by %s', async (_, work, said) => {
  const one = session('monitor:\n  stopHintAt: 30\n');
  one.growTo(31);
  await work(one);
  expect(await one.stop()).toMatch(said);
});

test('the hint moves to where the user takes checkpoints, by ten points at most', () => {
  expect(hintAt(50, [70, 70, 70, undefined, 70])).toBe(50);
  expect(hintAt(50, [44, 43, undefined, 45, 90, 10])).toBe(44);
  expect(hintAt(50, [70, 71, 72, 73, 74])).toBe(60);
  expect(hintAt(50, [20, 20, 20, 20, 20])).toBe(40);
});

test('a budget is told to the user at 80 and at 100 percent, once each', async () => {
  const { dir, growTo, stop } = session('monitor:\n  budgetUsd: 5\n');
  growTo(20);
  const costs = (costUsd: number) => {
    const project = openTestProject(dir);
    const data = {
      window: 200_000,
      windowFrom: 'client',
      percent: 20,
      via: 'statusline',
      costUsd,
    } as const;
    project.recorder.append([project.recorder.ownEvent('context.sampled', 's', data, 'cli')]);
    project.close();
  };
  const told: string[] = [];
  for (const usd of [3.9, 4, 4.5, 6, 7]) {
    costs(usd);
    told.push(await stop());
  }
  expect(told).toEqual([
    '',
    'ben10: this session cost $4.00, 80% of its budget of $5 (monitor.budgetUsd).',
    '',
    'ben10: this session cost $6.00, 120% of its budget of $5 (monitor.budgetUsd).',
    '',
  ]);
});
