import { expect, test } from 'vitest';
import { reportOf } from '../../src/monitor/report.ts';
import { openTestProject } from '../support.ts';
import { ran, saw, tell } from '../tell.ts';

const read = (id: string, file: string, session = 's') =>
  ran(id, 'Read', { file_path: file }, { response: 'text' }, { session });
const bash = (id: string, command: string, session = 's') =>
  ran(id, 'Bash', { command }, { response: { stdout: '' } }, { session });

test('the report counts checkpoints by level and cause, and what was redone after each way to a new context', () => {
  const project = openTestProject();
  const { recorder } = project;
  tell(project, ...read('r1', '/a'), ...read('r2', '/b'), ...bash('b1', 'npm test'));
  tell(project, saw('compaction.finished', { trigger: 'auto', summary: 'so', preTokens: 160_000 }));
  tell(
    project,
    ...read('r3', '/a'),
    ...read('r4', '/new'),
    ...bash('b2', 'npm test'),
    ...read('r5', '/a'),
  );
  const checkpoint = '0123456789abcdef';
  recorder.append([
    recorder.ownEvent(
      'checkpoint.begun',
      's',
      { checkpoint, level: 'L2', trigger: 'turn-end', epoch: 'start', worktree: '.' },
      'hook',
    ),
    recorder.ownEvent(
      'handoff.created',
      's',
      {
        ...{
          checkpoint,
          file: '.claude/handoffs/x.md',
          sha256: 'ab',
          upto: 1,
          chain: 'ab',
          title: 't',
        },
        ...{ type: 'change', concepts: [], level: 'L2', worktree: '.', nextSteps: [], claims: [] },
        text: 'text',
      },
      'hook',
    ),
    recorder.ownEvent(
      'handoff.resumed',
      'next',
      { handoff: checkpoint, holds: 1, changed: 0 },
      'hook',
    ),
  ]);
  tell(project, ...read('n1', '/b', 'next'), ...bash('n2', 'ls', 'next'));
  expect(reportOf(project)).toEqual({
    levels: { L2: 1 },
    triggers: { 'turn-end': 1 },
    handoffs: 1,
    resumed: 1,
    afterCompactions: { times: 1, reads: 1, commands: 1 },
    afterHandoffs: { times: 1, reads: 1, commands: 0 },
  });
});
