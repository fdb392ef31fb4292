import { describe, expect, it } from 'vitest';
import { atWork, documentsIn, eventsOf, see, textOf } from '../../handoff/at-work.ts';
import { git } from '../../handoff/random-repository.ts';
import { GIT_ENV } from '../../packs/repository.ts';
import { ben10, json } from '../support.ts';

const checkpoint = (dir: string, ...args: string[]) => ben10(dir, ['checkpoint', ...args], GIT_ENV);

describe('ben10 checkpoint, which hands the work off', () => {
  it('writes a document with the note, commits, and says what to do next', () => {
    const { dir } = atWork();
    const made = json(checkpoint(dir, '--note', 'the parser comes next', '--json'));
    expect(Object.keys(made).sort()).toEqual(
      ['checkpoint', 'file', 'level', 'notCommitted', 'resume', 'title', 'wip'].sort(),
    );
    expect(made).toMatchObject({ level: 'manual', notCommitted: null, resume: '/orient' });
    expect(made.wip).toMatchObject({ mode: 'branch', files: 2, leftOut: [] });
    expect(textOf(dir, made.file as string)).toContain('the parser comes next');
    // The issue is in the branch's name.
    expect(git(dir, ['log', '-1', '--format=%s'])).toBe('[WIP] ANV-123 - checkpoint\n');
    const said = checkpoint(dir, '--handoff', '--no-wip');
    expect([said.status, said.stdout.split('\n').length]).toEqual([0, 3]);
    expect(said.stdout).toMatch(
      /^Wrote \.claude\/handoffs\/\S+\.md\.\nIn the next session: \/orient\n$/,
    );
    expect(documentsIn(dir)).toHaveLength(2);
  });

  it('takes its commit back once, and says why where it cannot', () => {
    const project = atWork();
    const { dir } = project;
    const { wip } = json<{ wip: { commit: string; parent: string } }>(
      checkpoint(dir, '--handoff', '--json'),
    );
    expect(json(checkpoint(dir, '--undo', '--json'))).toMatchObject({ commit: wip.commit });
    expect(git(dir, ['rev-parse', 'HEAD']).trim()).toBe(wip.parent);
    expect(git(dir, ['status', '--porcelain'])).toContain('M  a.txt\nA  new.txt\n');
    const again = checkpoint(dir, '--undo');
    expect([again.status, again.stdout]).toEqual([1, '']);
    expect(again.stderr).toMatch(/nothing was taken back: .*\[NOTHING_TO_UNDO\]/);
    expect(eventsOf(project, 'wip.undone')).toHaveLength(1);
  });

  it('says how things stand, as the file for other tools does, and what is due', () => {
    const { dir } = atWork();
    see(dir);
    const said = checkpoint(dir, '--status');
    expect([said.status, said.stdout.split('\n').slice(0, 3)]).toEqual([
      0,
      ['Context at 86%, L2.', 'No handoff yet.', 'A checkpoint is due: ben10 checkpoint --handoff'],
    ]);
    checkpoint(dir, '--handoff');
    const state = json(checkpoint(dir, '--status', '--json'));
    expect(state).toEqual(JSON.parse(textOf(dir, '.claude/checkpoint-state.json')));
    expect(checkpoint(dir, '--status', '--undo').status).toBe(2);
  });
});
