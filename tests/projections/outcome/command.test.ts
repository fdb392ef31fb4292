import { describe, expect, it } from 'vitest';
import { askedOf, looksAround, runsIn } from '../../../src/projections/outcome/command.ts';
import { judge } from '../../../src/projections/outcome/judge.ts';
import { Passes, runKey } from '../../../src/projections/outcome/passes.ts';

const verdict = (output: string, command = 'npm test | tail -3') =>
  judge({ command, output, exitCode: 0 }).verdict;

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

  it('is also what runs in a substitution or for the files that were found', () => {
    const output = '# pass 1\n# fail 1\n# cancelled 0';
    for (const command of [
      'out=$(npm test 2>&1); echo "$out" | tail -3',
      'OUT=`npm test`; echo "$OUT"',
      'echo "$(npm test 2>&1 | tail -3)"',
      "find . -name '*.test.js' -exec node --test {} \\;",
    ])
      expect(judge({ command, output, exitCode: 0 }), command).toMatchObject({
        verdict: 'failed',
        line: '# fail 1',
      });
    expect(looksAround('cd "$(git rev-parse --show-toplevel)" && ls')).toBe(true);
    expect(askedOf('$('.repeat(10_000)).runs).toBeLessThan(2);
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

describe('a code that is printed', () => {
  it('is the run’s, but not behind a pipe', () => {
    expect(verdict('EXIT: 0', 'go build ./...; echo "EXIT: $?"')).toBe('passed');
    expect(verdict('EXIT: 0', 'go build ./... 2>&1 | head -20; echo "EXIT: $?"')).toBe('unknown');
    expect(verdict('EXIT: 1', 'go build ./... | head; echo "EXIT: $PIPESTATUS"')).toBe('failed');
  });

  it('is turned round by !, which tells no pass', () => {
    expect(verdict('', '! npm test')).toBe('unknown');
  });

  it('is told by what || prints, of whichever run', () => {
    expect(verdict('built in 2s\nFAILED', 'npm run build && npm test || echo FAILED')).toBe(
      'partial',
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

describe('a pass', () => {
  it('is not told by what only speaks of one', () => {
    expect(verdict('not all tests passed')).toBe('unknown');
    expect(verdict('2 tests not passed')).toBe('unknown');
    expect(verdict('✓ does not pass null on\n# pass 1\n# fail 0')).toBe('passed');
    expect(verdict('not ok 2 - b\nabc123 all tests pass', 'npm test | tail -1; git log -1')).toBe(
      'failed',
    );
  });

  it('of fewer than there are is partial', () => {
    for (const output of ['3 of 5 tests passed', 'Passed: 3/5', '5 tests, 3 passed'])
      expect(verdict(output, 'node test.js'), output).toBe('partial');
    expect(verdict('5 of 5 tests passed', 'node test.js')).toBe('passed');
    expect(verdict('Tests: 2 skipped, 3 passed, 5 total', 'node test.js')).toBe('passed');
  });

  it('of fewer than a line beside it counts is partial', () => {
    expect(verdict('Total:     7\nPassed:    6\nSkipped:   0', 'npm test | tail -3')).toBe(
      'partial',
    );
    expect(verdict('Total:     7\nPassed:    6\nSkipped:   1', 'npm test | tail -3')).toBe(
      'passed',
    );
  });

  it('is none below a required coverage', () => {
    const short = 'FAIL Required test coverage of 90% not reached. Total coverage: 50.00%';
    expect(verdict(`${short}\n3 passed in 1.02s`, 'pytest --cov | tail -2')).toBe('failed');
  });

  it('of some files is none of these and others', () => {
    const isPassOf = (passed: string, failed: string): boolean => {
      const passes = new Passes();
      passes.add(passed, 2, null);
      return passes.hasSince(failed, 1, null);
    };
    expect(isPassOf('node --test a.js', 'node --test a.js b.js')).toBe(false);
    expect(isPassOf('pytest x/a.py', 'pytest x/a.py x/b.py')).toBe(false);
    expect(isPassOf('node --test', 'node --test a.js b.js')).toBe(true);
    expect(isPassOf('vitest run a.ts', 'vitest run a.ts -t one')).toBe(true);
  });
});
