import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/projections/outcome/judge.ts';

const verdictOf = (command: string, output: string, exitCode: number | null = 0) =>
  judge({ command, output, exitCode }).verdict;

describe('how a command ended', () => {
  it('is told by the word behind && or || that it printed last', () => {
    const command = 'tox && echo FINE || echo BROKEN';
    expect(verdictOf(command, '...\nFINE')).toBe('passed');
    expect(verdictOf(command, '...\nBROKEN')).toBe('failed');
    // The exit code before && is that of `tail`.
    expect(verdictOf('tox | tail && echo FINE', '...\nFINE')).toBe('unknown');
  });

  it('is no pass where all was skipped, deselected or absent', () => {
    expect(verdictOf('runner', 'Tests: 3 skipped, 3 total')).toBe('nothing ran');
    expect(verdictOf('runner', '3 deselected in 0.06s', 5)).toBe('nothing ran');
    expect(verdictOf('runner', '0 passing (2ms)')).toBe('nothing ran');
    expect(verdictOf('runner', '2 passed, 3 skipped, 5 total')).toBe('passed');
  });

  it('is at most partial where the time limit ended it', () => {
    expect(verdictOf('timeout 9 runner', '12 passed', 124)).toBe('partial');
    expect(verdictOf('timeout 9 runner', 'Tests: 12 passed, 12 total', 124)).toBe('partial');
  });

  it('is unknown where warnings fail it and nothing tells its exit code', () => {
    expect(verdictOf('lint --strict | tail', 'Build succeeded with 2 warnings')).toBe('unknown');
    expect(verdictOf('lint | tail', 'Build succeeded with 2 warnings')).toBe('passed');
  });

  it('is partial where runs whose words stand close together differ', () => {
    const output = 'error: could not compile\n Tests  2 passed (2)';
    expect(verdictOf('(cd a && build); (cd b && check)', output)).toBe('partial');
    expect(verdictOf('check', output)).toBe('failed');
  });

  it('is told by the closing line that `tail -1` leaves', () => {
    expect(verdictOf('runner | tail -1', '== 3 passed in 0.09s ==')).toBe('passed');
    // Failures may stand on the line before.
    expect(verdictOf('runner | tail -1', '3 passed (2.1s)')).toBe('unknown');
  });

  it('is a pass where all of a plan came, and not where some is missing', () => {
    expect(verdictOf('runner | tail', '1..2\nok 1 adds\nok 2 lists')).toBe('passed');
    expect(verdictOf('runner | tail', '1..3\nok 1 adds\nok 2 lists')).toBe('unknown');
  });

  it.each([
    'Cannot connect to the daemon',
    'Automatic merge failed; fix conflicts',
    'Errors parsing a.php',
    "Tool couldn't find a configuration file",
  ])('is a failure where it only says: %s', (output) => {
    expect(verdictOf('runner | tail', output)).toBe('failed');
  });
});
