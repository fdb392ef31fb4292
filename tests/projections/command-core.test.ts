import { describe, expect, it } from 'vitest';
import { coreOf, showsPass } from '../../src/projections/command-core.ts';

describe('the core of a shell command', () => {
  it('is the same however its output is cut, kept or repeated, and wherever it starts', () => {
    for (const command of [
      'node --test',
      'node --test 2>&1 | head -40; node --test',
      'cd /app && node --test > /tmp/out.txt 2>&1',
      'echo running && node --test | grep -v ok | tail -5',
    ])
      expect(coreOf(command)).toBe('node --test');
  });

  it('is another one where something else runs, or is piped on', () => {
    expect(coreOf('npm run build && node --test')).toBe('npm run build && node --test');
    expect(coreOf('node --test src/todo.test.js')).not.toBe(coreOf('node --test'));
    expect(coreOf('cat seed.sql | psql app')).not.toBe(coreOf('cat seed.sql'));
  });

  it('is all of a command that only says something', () => {
    expect(coreOf('echo done')).toBe('echo done');
    expect(coreOf('')).toBe('');
  });
});

describe('that a command ended with 0', () => {
  it('shows a pass where its exit code is of all that it runs', () => {
    for (const command of ['npm test', 'cd /app && npm test 2>&1', 'npm test > out.txt', 'a && b'])
      expect(showsPass(command), command).toBe(true);
  });

  it('shows none behind a pipe, in the background, or where something else comes last', () => {
    for (const command of [
      'npm test 2>&1 | tail -5',
      'npm test; echo done',
      'npm test || true',
      'npm test\nls',
      'npm start &',
    ])
      expect(showsPass(command), command).toBe(false);
  });
});
