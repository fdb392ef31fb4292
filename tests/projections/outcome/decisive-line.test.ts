import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureIn, resultIn } from '../../../src/projections/outcome/decisive-line.ts';
import { linesOf, wholeFrom } from '../../../src/projections/outcome/lines.ts';

const decisiveLine = (output: string, failed: boolean): string =>
  failed ? failureIn(linesOf(output)) : resultIn(linesOf(output));

/** What programs print, and the line of it that says how it ended: `@@@ failed: NAME`, the output, `=> LINE`. */
const CASES = readFileSync(path.join(import.meta.dirname, 'decisive-lines.txt'), 'utf8');

const casesOf = (ended: 'failed' | 'passed') =>
  [...CASES.matchAll(/^@@@ (\w+): (.*)\n([\s\S]*?)\n=> (.*)$/gm)].flatMap(
    ([, how, name, output, line]) => (how === ended ? [[name!, output!, line!] as const] : []),
  );

describe('the decisive line of a command', () => {
  it('is why it failed, not how it was started', () => {
    const output =
      'Exit code 1\nTAP version 13\n# Subtest: adds\nnot ok 1 - adds\n  ---\n  error: x';
    expect(decisiveLine(output, true)).toBe('not ok 1 - adds');
    expect(
      decisiveLine('Exit code 2\nsrc/a.ts(1,2): error TS2304: Cannot find name', true),
    ).toContain('TS2304');
    expect(decisiveLine('Exit code 127\nsh: frobnicate: not found', true)).toBe(
      'sh: frobnicate: not found',
    );
  });

  it('has the message that stands below an error’s name, and what a tool supposes was meant', () => {
    const ruby = "Exit code 1\nNoMethodError:\n  undefined method `cents' for nil\n# ./a.rb:18";
    expect(decisiveLine(ruby, true)).toBe("NoMethodError: undefined method `cents' for nil");
    expect(decisiveLine('Exit code 1\nIOError:', true)).toBe('IOError:');
    const terraform = `Error: Unsupported argument

  on main.tf line 3, in module "vpc":
   3:   cidr = "10.42.0.0/16"

An argument named "cidr" is not expected here. Did you mean "cidr_block"?`;
    expect(decisiveLine(terraform, true)).toMatch(/ Did you mean "cidr_block"\?$/);
  });

  it('is what an exception says, not the line of source that threw it', () => {
    const node = `/app/fees.js:2
  if (!x) throw new TypeError(message);
          ^

TypeError: fee is undefined
    at load (/app/fees.js:2:17)

Node.js v20.20.2`;
    expect(decisiveLine(`Exit code 1\n${node}`, true)).toBe('TypeError: fee is undefined');
    const python = `Traceback (most recent call last):
  File "/app/fees.py", line 4, in <module>
    load(None)
  File "/app/fees.py", line 3, in load
    if not x: raise ValueError(message)
ValueError: fee is undefined`;
    expect(decisiveLine(`Exit code 1\n${python}`, true)).toBe('ValueError: fee is undefined');
  });

  it('is the last word when nothing is telling', () => {
    expect(decisiveLine('Exit code 3\none\ntwo', true)).toBe('two');
    expect(decisiveLine('Exit code 3', true)).toBe('');
    expect(decisiveLine('', false)).toBe('');
  });

  it('is not what a runner is about to run', () => {
    const said = '> app@1.4.0 lint\n> eslint src';
    expect(decisiveLine(said, false)).toBe('');
    expect(decisiveLine(`${said}\n\n12 files`, false)).toBe('12 files');
  });

  it('is what passed, of a command that passed', () => {
    expect(decisiveLine('ok 1\n# tests 3\n# pass 3\n# fail 0\n# duration_ms 5', false)).toBe(
      '# pass 3',
    );
    expect(decisiveLine('a\nb\nTests  12 passed (12)\nDone in 3s', false)).toBe(
      'Tests  12 passed (12)',
    );
  });

  it('is the program’s last own word, not brackets, a tool’s marks or an interpreter’s warning behind it', () => {
    const warned = [
      'Composition complete: 3.8 seconds',
      '/lib/generic.py:260: FutureWarning: `_register` is deprecated.',
      '  torch.utils._pytree._register_pytree_node(',
    ].join('\n');
    expect(decisiveLine(warned, false)).toBe('Composition complete: 3.8 seconds');
    expect(decisiveLine('Model 3: 0.42\n... [102 lines truncated] ...', false)).toBe(
      'Model 3: 0.42',
    );
    expect(decisiveLine('{\n  "port": 8080\n}', false)).toBe('"port": 8080');
    expect(decisiveLine('完成\n=====', false)).toBe('完成');
    expect(decisiveLine('...\n}', false)).toBe('}');
  });

  it('is pytest’s assertion with its place, or its short summary', () => {
    const whole = `tests/test_cart.py ..F...                [ 17%]
=========== FAILURES ===========
______ test_total_rounding ______

    def test_total_rounding():
        cart = Cart([Item(0.1), Item(0.2)])
>       assert cart.total() == 0.3
E       assert 0.30000000000000004 == 0.3
E        +  where 0.30000000000000004 = total()

tests/test_cart.py:18: AssertionError
=========== short test summary info ===========
FAILED tests/test_cart.py::test_total_rounding - assert 0.30000000000000...
======== 1 failed, 33 passed in 0.42s ========`;
    expect(decisiveLine(whole, true)).toBe(
      'E assert 0.30000000000000004 == 0.3 tests/test_cart.py:18: AssertionError',
    );
    const quiet = `FAILED tests/test_cart.py::test_total - assert 1 == 2\n1 failed in 0.42s`;
    expect(decisiveLine(quiet, true)).toBe('FAILED tests/test_cart.py::test_total - assert 1 == 2');
  });

  it('is what failed and where, of playwright, gradle’s tests and linters of Python', () => {
    const browser = `Running 5 tests using 2 workers

  1) [chromium] › login.spec.ts:8:5 › logs in ──────────────────────

    Error: Timed out 5000ms waiting for expect(locator).toBeVisible()

    Locator: getByText('Welcome')
    Expected: visible
    Received: hidden

  1 failed`;
    expect(decisiveLine(browser, true)).toBe(
      '1) [chromium] › login.spec.ts:8:5 › logs in Error: Timed out 5000ms waiting for expect(locator).toBeVisible() Expected: visible Received: hidden',
    );
    const gradle = `> Task :test FAILED

CartTest > totalIsRounded() FAILED
    org.opentest4j.AssertionFailedError: expected: <0.3> but was: <0.30000000000000004>
        at app//com.shop.CartTest.totalIsRounded(CartTest.java:21)

34 tests completed, 1 failed

* What went wrong:
Execution failed for task ':test'.`;
    expect(decisiveLine(gradle, true)).toBe(
      'CartTest > totalIsRounded() FAILED org.opentest4j.AssertionFailedError: expected: <0.3> but was: <0.30000000000000004>',
    );
    const told = 'F401 [*] `os` imported but unused\n --> src/cart.py:1:8\n  |\nFound 1 error.';
    expect(decisiveLine(told, true)).toContain('--> src/cart.py:1:8');
    expect(decisiveLine('src/cart.py:1:8: F401 unused\nFound 1 error.', true)).toBe(
      'src/cart.py:1:8: F401 unused',
    );
  });

  it('is what passed, and not that a part of it has no tests', () => {
    const cargo = `test result: ok. 12 passed; 0 failed; 0 ignored

   Doc-tests shop

running 0 tests

test result: ok. 0 passed; 0 failed; 0 ignored`;
    expect(decisiveLine(cargo, false)).toBe('test result: ok. 12 passed; 0 failed; 0 ignored');
    expect(decisiveLine('test result: ok. 0 passed; 0 failed', false)).toContain('0 passed');
  });

  const line = (output: string, failed = true) =>
    decisiveLine(failed ? `Exit code 1\n${output}` : output, failed);

  it.each(casesOf('failed'))('names the cause of a failed %s', (_, output, expected) => {
    expect(line(output)).toBe(expected);
  });

  it.each(casesOf('passed'))('says what %s has found', (_, output, expected) => {
    expect(line(output, false)).toBe(expected);
  });

  it('goes by words where a sign stands without what makes it one', () => {
    expect(line('Error: Cannot find module ./x\n    at Module.load (node:internal)')).toBe(
      'Error: Cannot find module ./x',
    );
    expect(line('● Console\n\nthe port is refused')).toBe('the port is refused');
    expect(line('(3 rows)', false)).toBe('(3 rows)');
  });

  it('is of a bar of progress what a terminal has in the end', () => {
    const bar = (from: number) =>
      Array.from({ length: 90 }, (_, n) => `Fetching model ${from + n} %|${'#'.repeat(9)}`);
    expect(line(`${bar(0).join('\r')}\r\n`, false)).toBe('Fetching model 89 %|#########');
    expect(line(`ok\r\n${bar(0).join('\r')}\rsaved to /tmp/m.bin   \r`, false)).toBe(
      'saved to /tmp/m.bin',
    );
    expect(line(`${bar(0).join('\r')}\rERROR: disk is full\nbye`)).toBe('ERROR: disk is full');
  });

  it('of a cut output is a whole line of it, or whole words', () => {
    expect(wholeFrom('tching 80 %\nFetching 90 %\nFetched')).toBe('Fetching 90 %\nFetched');
    expect(wholeFrom('tching 80 %\rFetching 90 %')).toBe('Fetching 90 %');
    expect(wholeFrom('tching all of it')).toBe('all of it');
    expect(wholeFrom('0123456789')).toBe('0123456789');
  });

  it('takes no longer than the output is long, whatever is in it', () => {
    const hostile = [
      "thread '".repeat(3000),
      '--- FAIL: '.repeat(3000),
      '1:1 error x\n'.repeat(3000),
    ];
    const started = process.cpuUsage();
    for (const one of hostile) line(one);
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1000).toBeLessThan(1000);
  });
});
