import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { projectAbove } from '../../src/platform/project-above.ts';
import { ben10, json, lines } from '../cli/support.ts';
import { hooked } from '../hook/run-hook.ts';
import { GIT_ENV, gitIn, repository } from '../packs/repository.ts';
import { scratch } from '../support.ts';
import { documentsIn } from './at-work.ts';

/** A recorded project, and a linked worktree of it that lies elsewhere. */
async function elsewhere() {
  const main = repository({ 'a.txt': 'a\n', '.gitignore': '.ben10/\n' });
  mkdirSync(path.join(main, '.ben10'));
  await hooked(main, 'UserPromptSubmit', { prompt: 'begin', prompt_id: 'p1' });
  const tree = path.join(scratch(), 'tree');
  gitIn(main, 'worktree', 'add', '-q', tree, '-b', 'ANV-7');
  return { main, tree };
}

it('from a worktree elsewhere, hooks and commands find the journal of its repository', async () => {
  const { main, tree } = await elsewhere();
  mkdirSync(path.join(tree, 'src'));
  const hook = (event: string, more: object) =>
    hooked(tree, event, { cwd: path.join(tree, 'src'), session_id: 'other', ...more });
  await hook('UserPromptSubmit', { prompt: 'go on in the worktree', prompt_id: 'p2' });
  const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't1' };
  await hook('PreToolUse', call);
  writeFileSync(path.join(tree, 'a.txt'), 'b\n');
  const run = (...args: string[]) => ben10(path.join(tree, 'src'), args, GIT_ENV);
  const { wip } = json<{ wip: { ref: string } }>(run('checkpoint', '--handoff', '--json'));
  expect(wip.ref).toBe('refs/heads/ANV-7');
  const [document] = documentsIn(tree);
  expect(run('orient').stdout).toContain(path.basename(document!, '.md'));
  expect(run('handoff', 'show').stdout).toContain('go on in the worktree');
  expect(lines(run('log', '--json')).map(({ session }) => session)).toEqual(
    expect.arrayContaining(['s', 'other']),
  );
  expect([documentsIn(main), existsSync(path.join(tree, '.ben10'))]).toEqual([[], false]);
  // Its own is found first.
  mkdirSync(path.join(tree, '.ben10'));
  expect(projectAbove(path.join(tree, 'src'))).toBe(tree);
});

it('a `.git` file leads nowhere but to a recorded repository that names the worktree, too', async () => {
  const { main, tree } = await elsewhere();
  expect(projectAbove(path.join(tree, 'src'))).toBe(main);
  const copy = path.join(scratch(), 'copy');
  cpSync(tree, copy, { recursive: true });
  expect(projectAbove(copy)).toBeUndefined();
  const file = path.join(tree, '.git');
  const right = readFileSync(file, 'utf8');
  for (const wrong of [
    ...[
      '',
      'gitdir: ',
      `gitdir: ${main}/.git`,
      `gitdir: ${main}/.git/worktrees/..`,
      'gitdir: x\0y',
    ],
    `gitdir: ${main}/.git/worktrees/none`,
    `${right.trim()}\n${'\n'.repeat(5000)}`,
  ]) {
    writeFileSync(file, wrong);
    expect(projectAbove(tree), wrong.slice(0, 80)).toBeUndefined();
  }
  writeFileSync(file, right);
  expect(projectAbove(tree)).toBe(main);
  rmSync(path.join(main, '.ben10/journal'), { recursive: true });
  expect(projectAbove(tree)).toBeUndefined();
});
