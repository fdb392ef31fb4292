import { describe, expect, it } from 'vitest';
import { askedOf, looksAround, runsIn } from '../../../src/projections/outcome/command.ts';
import { judge } from '../../../src/projections/outcome/judge.ts';
import { Passes, runKey } from '../../../src/projections/outcome/passes.ts';

describe('what a shell command runs', () => {
  it('is the same however it is started, told, cut or kept', () => {
    for (const command of [
      'npm test',
      'npm t 2>&1 | tail -12',
      'npm run test --silent',
      'FORCE_COLOR=1 timeout 60 npm test || true',
      'echo running; npm test > /tmp/out.txt 2>&1; tail -5 /tmp/out.txt',
      "bash -c 'npm test 2>&1 | tail -15'",
      'cd . && time npm test',
    ])
      expect(runKey(command), command).toBe('test');
    expect(runKey('npx vitest run')).toBe(runKey('pnpm vitest --reporter dot'));
    expect(runKey('go test -v ./...')).toBe(runKey('go test'));
  });

  it('is another one in another folder, on other files, or by another runner', () => {
    const keys = [
      'npm test',
      'cd a && npm test',
      'npm test -- a.ts',
      'npm run lint',
      'node --test',
    ];
    expect(new Set(keys.map(runKey)).size).toBe(keys.length);
    expect(runKey('cd a && npm test')).toBe(runKey('npm --prefix a test'));
    expect(runsIn('(cd a && npm test); npm test').map(({ folder }) => folder)).toEqual(['a', '']);
  });

  it('is nothing where it only looks', () => {
    for (const command of ['ls -la | head', 'cat a.log; echo done', 'git status', 'FOO=1 env'])
      expect(looksAround(command), command).toBe(true);
    expect(looksAround('cat seed.sql | psql app')).toBe(false);
  });
});

describe('an exit code', () => {
  it('is of all that runs where nothing hides it', () => {
    for (const command of ['npm test', 'cd /app && npm test 2>&1', 'npm test > out.txt', 'a && b'])
      expect(askedOf(command), command).toMatchObject({ zeroTells: true, otherTells: true });
    expect(askedOf('set -o pipefail; npm test | tee log').zeroTells).toBe(true);
  });

  it('tells of no pass behind a pipe, in the background, or where something else comes last', () => {
    for (const command of [
      'npm test 2>&1 | tail -5',
      'npm test; echo done',
      'npm test || true',
      'npm test\nls',
      'npm start &',
      'bash check.sh',
      'npm test "$(cat <<\'EOF\'\n && \nEOF\n)" | cat',
    ])
      expect(askedOf(command).zeroTells, command).toBe(false);
  });

  it('is believed where the output says nothing, and not where the output says otherwise', () => {
    const told = (command: string, exitCode: number | null, output: string) =>
      judge({ command, exitCode, output }).verdict;
    expect(told('tsc --noEmit', 0, '')).toBe('passed');
    expect(told('tsc --noEmit | head', 0, '')).toBe('unknown');
    expect(told('npm test', 0, '# pass 3\n# fail 1')).toBe('failed');
    expect(told('npm test; false', 1, '# pass 3\n# fail 0')).toBe('passed');
    expect(told('npm test; echo "rc=$?"', 0, 'rc=2')).toBe('failed');
    expect(told('echo all tests passed && pytest | tail -1', 0, 'all tests passed')).toBe(
      'unknown',
    );
  });
});

describe('a failure', () => {
  it.each([
    ['git push 2>&1', 'git push --set-upstream origin due-dates 2>&1', true],
    ['git commit', 'git commit -m "Add due dates"', true],
    ['git push origin main', 'git push origin docs', false],
    ['git push', 'git pull', false],
    ['npm test', 'npm test -- todo.test.js', false],
    ['npm test', 'npm test 2>&1 | tail -12', true],
  ])('of `%s` is over once `%s` passes: %s', (failed, passed, isOver) => {
    const passes = new Passes();
    passes.add(passed, 2, null);
    expect(passes.hasSince(failed, 1, null)).toBe(isOver);
    expect(passes.hasSince(failed, 3, null)).toBe(false);
  });
});

it('what is shown is bounded, and hostile text costs no more than its length', () => {
  const texts = [
    '(',
    '"$(',
    '`',
    '<<A\n',
    'a|',
    '1 failed ',
    ' no tests ',
    '\x1b[',
    'error: ',
    '.',
  ];
  for (const text of texts) {
    const long = text.repeat(65_536 / text.length);
    // Anything but linear time takes minutes here.
    expect(judge({ command: long, output: long, exitCode: 0 }).line.length).toBeLessThan(2000);
    expect(judge({ command: 'npm test', output: long, exitCode: 0 }).line.length).toBeLessThan(
      2000,
    );
  }
});
