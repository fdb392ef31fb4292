import { describe, expect, it } from 'vitest';
import { type ContextState, context } from '../../src/projections/folds/context.ts';
import type { EnvironmentChange, WorkState } from '../../src/projections/folds/workspace.ts';
import { isOwnDoing, matters } from '../../src/workspace/matters.ts';
import { together } from '../../src/workspace/news.ts';
import { factOf } from '../projections/support/telling.ts';

function session(commands: readonly string[], prompts: readonly string[] = []): ContextState {
  let state = context.initial();
  for (const [index, text] of prompts.entries())
    state = context.apply(state, factOf('prompt.submitted', { text }, { seq: index, at: index }));
  for (const [index, command] of commands.entries()) {
    const data = { toolUseId: `t${index}`, name: 'Bash', input: { command } };
    state = context.apply(state, factOf('tool.called', data, { seq: 50 + index, at: 50 + index }));
  }
  return state;
}

const change = (
  kind: string,
  name: string,
  from: string | null,
  to: string | null,
): EnvironmentChange => ({
  kind,
  name,
  from,
  to,
  at: 100,
  seq: 9,
});
const stopped = change('container', 'db', 'running', 'exited');

describe('a change matters to a session', () => {
  it('when it is about what its commands, prompts or saved work name', () => {
    const work = { taskSummary: 'Make db faster', notes: null, todos: [] } as unknown as WorkState;
    expect(matters(stopped, session(['docker exec db psql']), null)).toBe(true);
    expect(matters(stopped, session(['ls'], ['Look into db.']), null)).toBe(true);
    expect(matters(stopped, session(['ls']), work)).toBe(true);
    expect(matters(stopped, session(['ls', 'cat dbase.txt feedback']), null)).toBe(false);
  });

  it('when a tool that it runs became another', () => {
    const node = change('tool', 'node', '20.1.0', '22.1.0');
    expect(matters(node, session(['npm test']), null)).toBe(true);
    expect(matters(node, session(['cargo test']), null)).toBe(false);
  });

  it('when a device is gone and it works with devices', () => {
    const gone = change('device', 'ABC123', 'device', null);
    expect(matters(gone, session(['adb shell ls']), null)).toBe(true);
    expect(matters(gone, session(['ls']), null)).toBe(false);
  });

  it('when a dev server that it asked is down', () => {
    const down = change('server', ':3000', 'node', null);
    expect(matters(down, session(['curl http://localhost:3000/x']), null)).toBe(true);
    expect(matters(down, session(['curl http://localhost:30001/x']), null)).toBe(false);
  });

  it('when the branch that it works on is another, if it has done anything', () => {
    const branch = change('repository', 'p', 'main', 'other');
    expect(matters(branch, session(['ls']), null, 'p')).toBe(true);
    expect(matters(branch, session([]), null, 'p')).toBe(false);
  });

  it('not when the branch is of another worktree, of a submodule or of another repository', () => {
    const busy = session(['ls', 'cat ../q/a.txt lib/a.txt'], ['Look at q and lib.']);
    for (const name of ['q (worktree)', 'p (worktree)', 'lib (submodule)', 'q'])
      expect(matters(change('repository', name, 'main', 'x'), busy, null, 'p'), name).toBe(false);
  });

  it('when it is in a folder of several repositories, of those that it names', () => {
    const busy = session(['cd group/one && npm test']);
    expect(matters(change('repository', 'group/one', 'main', 'x'), busy, null)).toBe(true);
    expect(matters(change('repository', 'group/two', 'main', 'x'), busy, null)).toBe(false);
    const tree = session(['cd tree && npm test']);
    expect(matters(change('repository', 'tree (worktree)', 'main', 'x'), tree, null)).toBe(true);
  });
});

describe('a change is the session’s own doing', () => {
  it('when a command of its own brought it about', () => {
    expect(isOwnDoing(stopped, session(['docker exec db psql', 'docker stop db']))).toBe(true);
    expect(isOwnDoing(stopped, session(['docker exec db psql', 'docker stop other']))).toBe(false);
    const branch = change('repository', 'p', 'main', 'other');
    for (const own of [
      'git checkout other',
      'cd x && git -C y switch other',
      'git rebase main',
      'git branch -m other',
    ])
      expect(isOwnDoing(branch, session(['ls', own])), own).toBe(true);
    for (const other of [
      'git pull',
      'git merge other',
      'git reset --hard',
      'git checkout -- a.txt',
    ])
      expect(isOwnDoing(branch, session(['ls', other])), other).toBe(false);
    const moved = change('repository', 'p', 'detached at 012345678', 'detached at 9abcdef01');
    expect(isOwnDoing(moved, session(['git commit -m x']))).toBe(true);
    expect(isOwnDoing(moved, session(['git status']))).toBe(false);
    const down = change('server', ':3000', 'node', null);
    for (const own of [
      'pkill node',
      'kill 4711',
      'lsof -ti:3000 | xargs kill',
      'npx kill-port 80 3000',
    ])
      expect(isOwnDoing(down, session(['curl localhost:3000', own])), own).toBe(true);
    for (const other of ['fuser -k 4000/tcp', 'kill $(lsof -ti :4000)', 'npx kill-port 30000'])
      expect(isOwnDoing(down, session(['curl localhost:3000', other])), other).toBe(false);
  });

  it('not when a server is down that it started, for that may have ended by itself', () => {
    const down = change('server', ':3000', 'node', null);
    const started = session(['PORT=3000 npm run dev', 'curl localhost:3000']);
    expect(isOwnDoing(down, started)).toBe(false);
    expect(isOwnDoing({ ...down, from: null, to: 'node' }, started)).toBe(true);
  });
});

it('several changes of one thing are one, and what changed back is none', () => {
  const back = [change('tool', 'node', '20', '22'), change('tool', 'node', '22', '20')];
  const on = [change('tool', 'go', '1', '2'), stopped, change('tool', 'go', '2', '3')];
  expect(together([...back, ...on])).toEqual([stopped, change('tool', 'go', '1', '3')]);
  // What the session did itself is no news; what becomes of it is.
  const isKnown = ({ to }: EnvironmentChange) => to === '22';
  expect(together(back, isKnown)).toEqual([back[1]]);
});
