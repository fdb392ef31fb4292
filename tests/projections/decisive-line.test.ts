import { describe, expect, it } from 'vitest';
import { decisiveLine, wholeFrom } from '../../src/projections/decisive-line.ts';

describe('the decisive line of a command', () => {
  it('is why it failed, not how it was started', () => {
    const output =
      'Exit code 1\nTAP version 13\n# Subtest: adds\nnot ok 1 - adds\n  ---\n  error: x';
    expect(decisiveLine(output, '', true)).toBe('not ok 1 - adds');
    expect(
      decisiveLine('Exit code 2\nsrc/a.ts(1,2): error TS2304: Cannot find name', '', true),
    ).toContain('TS2304');
    expect(decisiveLine('Exit code 127\nsh: frobnicate: not found', '', true)).toBe(
      'sh: frobnicate: not found',
    );
  });

  it('has the message that stands below an error’s name, and what a tool supposes was meant', () => {
    const ruby = "Exit code 1\nNoMethodError:\n  undefined method `cents' for nil\n# ./a.rb:18";
    expect(decisiveLine(ruby, '', true)).toBe("NoMethodError: undefined method `cents' for nil");
    expect(decisiveLine('Exit code 1\nIOError:', '', true)).toBe('IOError:');
    const terraform = `Error: Unsupported argument

  on main.tf line 3, in module "vpc":
   3:   cidr = "10.42.0.0/16"

An argument named "cidr" is not expected here. Did you mean "cidr_block"?`;
    expect(decisiveLine(terraform, '', true)).toMatch(/ Did you mean "cidr_block"\?$/);
  });

  it('is the last word when nothing is telling', () => {
    expect(decisiveLine('Exit code 3\none\ntwo', '', true)).toBe('two');
    expect(decisiveLine('Exit code 3', '', true)).toBe('');
    expect(decisiveLine('', '', false)).toBe('');
  });

  it('is what passed, of a command that passed', () => {
    expect(decisiveLine('ok 1\n# tests 3\n# pass 3\n# fail 0\n# duration_ms 5', '', false)).toBe(
      '# pass 3',
    );
    expect(decisiveLine('a\nb', 'Tests  12 passed (12)\nDone in 3s', false)).toBe(
      'Tests  12 passed (12)',
    );
  });

  it('is the program’s last own word, not brackets, a tool’s marks or an interpreter’s warning behind it', () => {
    const warned = [
      'Composition complete: 3.8 seconds',
      '/lib/generic.py:260: FutureWarning: `_register` is deprecated.',
      '  torch.utils._pytree._register_pytree_node(',
    ].join('\n');
    expect(decisiveLine(warned, '', false)).toBe('Composition complete: 3.8 seconds');
    expect(decisiveLine('Model 3: 0.42\n... [102 lines truncated] ...', '', false)).toBe(
      'Model 3: 0.42',
    );
    expect(decisiveLine('{\n  "port": 8080\n}', '', false)).toBe('"port": 8080');
    expect(decisiveLine('完成\n=====', '', false)).toBe('完成');
    expect(decisiveLine('...\n}', '', false)).toBe('}');
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
    expect(decisiveLine(whole, '', true)).toBe(
      'E assert 0.30000000000000004 == 0.3 tests/test_cart.py:18: AssertionError',
    );
    const quiet = `FAILED tests/test_cart.py::test_total - assert 1 == 2\n1 failed in 0.42s`;
    expect(decisiveLine(quiet, '', true)).toBe(
      'FAILED tests/test_cart.py::test_total - assert 1 == 2',
    );
  });

  it('is what failed and where, of playwright, gradle’s tests and linters of Python', () => {
    const browser = `Running 5 tests using 2 workers

  1) [chromium] › login.spec.ts:8:5 › logs in ──────────────────────

    Error: Timed out 5000ms waiting for expect(locator).toBeVisible()

    Locator: getByText('Welcome')
    Expected: visible
    Received: hidden

  1 failed`;
    expect(decisiveLine(browser, '', true)).toBe(
      '1) [chromium] › login.spec.ts:8:5 › logs in Error: Timed out 5000ms waiting for expect(locator).toBeVisible() Expected: visible Received: hidden',
    );
    const gradle = `> Task :test FAILED

CartTest > totalIsRounded() FAILED
    org.opentest4j.AssertionFailedError: expected: <0.3> but was: <0.30000000000000004>
        at app//com.shop.CartTest.totalIsRounded(CartTest.java:21)

34 tests completed, 1 failed

* What went wrong:
Execution failed for task ':test'.`;
    expect(decisiveLine(gradle, '', true)).toBe(
      'CartTest > totalIsRounded() FAILED org.opentest4j.AssertionFailedError: expected: <0.3> but was: <0.30000000000000004>',
    );
    const told = 'F401 [*] `os` imported but unused\n --> src/cart.py:1:8\n  |\nFound 1 error.';
    expect(decisiveLine(told, '', true)).toContain('--> src/cart.py:1:8');
    expect(decisiveLine('src/cart.py:1:8: F401 unused\nFound 1 error.', '', true)).toBe(
      'src/cart.py:1:8: F401 unused',
    );
  });

  it('is what passed, and not that a part of it has no tests', () => {
    const cargo = `test result: ok. 12 passed; 0 failed; 0 ignored

   Doc-tests shop

running 0 tests

test result: ok. 0 passed; 0 failed; 0 ignored`;
    expect(decisiveLine(cargo, '', false)).toBe('test result: ok. 12 passed; 0 failed; 0 ignored');
    expect(decisiveLine('test result: ok. 0 passed; 0 failed', '', false)).toContain('0 passed');
  });

  const line = (output: string, failed = true) =>
    decisiveLine(failed ? `Exit code 1\n${output}` : output, '', failed);

  it.each([
    [
      'cargo test, with both values and the place',
      "running 2 tests\ntest a ... ok\ntest tests::b ... FAILED\n\nfailures:\n\n---- tests::b stdout ----\nthread 'tests::b' panicked at src/lib.rs:10:5:\nassertion `left == right` failed\n  left: 1\n right: 2\nnote: run with `RUST_BACKTRACE=1`\n\nfailures:\n    tests::b\n\ntest result: FAILED. 1 passed; 1 failed\n\nerror: test failed, to rerun pass `--lib`",
      "thread 'tests::b' panicked at src/lib.rs:10:5: assertion `left == right` failed left: 1 right: 2",
    ],
    [
      'rustc, with the place',
      'error[E0433]: failed to resolve: use of undeclared crate `bytes`\n --> src/lib.rs:1:5\n  |\n1 | use bytes::Buf;\n  |     ^^^^^\n\nerror: could not compile `tele` (lib) due to 1 previous error',
      'error[E0433]: failed to resolve: use of undeclared crate `bytes` --> src/lib.rs:1:5',
    ],
    [
      'go test, with the message and its place',
      '=== RUN   TestAdd\n--- FAIL: TestAdd (0.00s)\n    --- FAIL: TestAdd/small (0.00s)\n        add_test.go:8: Add(1,2) = 4; want 3\nFAIL\nFAIL\texample.com/add\t0.002s\nFAIL',
      '--- FAIL: TestAdd/small (0.00s) add_test.go:8: Add(1,2) = 4; want 3',
    ],
    [
      'go test with testify',
      '--- FAIL: TestX (0.00s)\n    x_test.go:9: \n        \tError Trace:\t/tmp/x_test.go:9\n        \tError:      \tNot equal: \n        \t            \texpected: 4\n        \t            \tactual  : 3\n        \tTest:       \tTestX\nFAIL',
      '--- FAIL: TestX (0.00s) x_test.go:9: Error: Not equal: expected: 4 actual : 3',
    ],
    [
      'a panic in Go, with the program’s own place',
      'panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\nruntime.gopanic()\n\t/usr/local/go/src/runtime/panic.go:884 +0x1\nmain.main()\n\t/app/main.go:12 +0x1d\nexit status 2',
      'panic: runtime error: index out of range [5] with length 3 /app/main.go:12 +0x1d',
    ],
    [
      'jest, with the test, both values and the place',
      'FAIL src/sum.test.js\n  ● cart › adds 1 + 2\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: 3\n    Received: 4\n\n      2 | test(\n    > 4 |   expect(sum(1, 2)).toBe(3);\n\n      at Object.toBe (src/sum.test.js:4:21)\n\nTests:       1 failed, 6 passed, 7 total',
      '● cart › adds 1 + 2 expect(received).toBe(expected) // Object.is equality Expected: 3 Received: 4 at Object.toBe (src/sum.test.js:4:21)',
    ],
    [
      'vitest, with the test and the place',
      ' RUN  v3.0.0 /app\n\n ❯ src/a.test.ts (2 tests | 1 failed)\n\n FAIL  src/a.test.ts > cart > adds\nAssertionError: expected 4 to be 3 // Object.is equality\n\n- Expected\n+ Received\n\n ❯ src/a.test.ts:4:21\n\n Tests  1 failed | 1 passed (2)',
      'FAIL src/a.test.ts > cart > adds AssertionError: expected 4 to be 3 // Object.is equality ❯ src/a.test.ts:4:21',
    ],
    [
      'gradle with Kotlin',
      "> Task :app:compileDebugKotlin FAILED\ne: file:///app/src/Main.kt:12:5 Unresolved reference: Foo\n\nFAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':app:compileDebugKotlin'.\n\nBUILD FAILED in 12s",
      'e: file:///app/src/Main.kt:12:5 Unresolved reference: Foo',
    ],
    [
      'gradle with javac',
      '> Task :compileJava FAILED\n/app/src/A.java:7: error: cannot find symbol\n    Foo f;\n    ^\n  symbol:   class Foo\n1 error\n\nFAILURE: Build failed with an exception.\n\nBUILD FAILED in 1s',
      '/app/src/A.java:7: error: cannot find symbol symbol: class Foo',
    ],
    [
      'gradle, whatever went wrong',
      "FAILURE: Build failed with an exception.\n\n* What went wrong:\nCould not resolve all files for configuration ':app:debug'.\n> Could not find com.acme:core:4.2.\n\n* Try:\n> Run with --info\n\nBUILD FAILED in 2s",
      "* What went wrong: Could not resolve all files for configuration ':app:debug'. > Could not find com.acme:core:4.2.",
    ],
    [
      'mvn',
      '[ERROR] Tests run: 4, Failures: 1, Errors: 0, Skipped: 0 <<< FAILURE! - in AppTest\n[ERROR] Failures: \n[ERROR]   AppTest.total:22 expected:<119.00> but was:<118.99>\n[INFO] BUILD FAILURE',
      '[ERROR] AppTest.total:22 expected:<119.00> but was:<118.99>',
    ],
    [
      'mvn that does not compile',
      '[INFO] Compiling 3 source files\n[ERROR] COMPILATION ERROR : \n[ERROR] /app/src/main/java/A.java:[7,12] cannot find symbol\n[ERROR]   symbol:   class Foo\n[ERROR] Failed to execute goal',
      '[ERROR] /app/src/main/java/A.java:[7,12] cannot find symbol',
    ],
    [
      'dotnet test',
      '  Failed Total_Is_Exact [12 ms]\n  Error Message:\n   Assert.Equal() Failure: Values differ\nExpected: 119\nActual:   118\n  Stack Trace:\n     at Shop.Tests.Total_Is_Exact() in /app/T.cs:line 9\n\nFailed!  - Failed:     1, Passed:     3',
      'Failed Total_Is_Exact [12 ms] Error Message: Assert.Equal() Failure: Values differ Expected: 119 Actual: 118',
    ],
    [
      'dotnet build',
      'Build started\n/app/P.cs(4,5): error CS0103: The name ‘x’ does not exist [/app/p.csproj]\n\nBuild FAILED.',
      '/app/P.cs(4,5): error CS0103: The name ‘x’ does not exist [/app/p.csproj]',
    ],
    [
      'ctest that shows what a test printed',
      '1/2 Test #1: a ...   Passed    0.01 sec\n2/2 Test #2: tok ...***Failed    0.02 sec\ntok.c:91: expected 64 got 65\n\n50% tests passed, 1 tests failed out of 2\n\nThe following tests FAILED:\n\t  2 - tok (Failed)\nErrors while running CTest',
      '2/2 Test #2: tok ...***Failed 0.02 sec tok.c:91: expected 64 got 65',
    ],
    [
      'ctest that shows none of it',
      '1/3 Test #1: a ...***Failed    0.01 sec\n2/3 Test #2: tok ...***Failed    0.02 sec\n\n33% tests passed, 2 tests failed out of 3\n\nThe following tests FAILED:\n\t  1 - a (Failed)\n\t  2 - tok (SEGFAULT)\nErrors while running CTest',
      'The following tests FAILED: 1 - a (Failed) 2 - tok (SEGFAULT)',
    ],
    [
      'docker build, of the command that failed',
      '#8 [4/5] RUN npm ci\n#8 ERROR: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1\n------\n > [4/5] RUN npm ci:\n0.512 npm error code EUSAGE\n0.513 npm error `npm ci` can only install packages when in sync.\n------\nERROR: failed to solve: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1',
      'npm error code EUSAGE npm error `npm ci` can only install packages when in sync.',
    ],
    [
      'docker build, of a command that no sign is known for',
      'building\n------\n > [2/3] RUN make:\n0.3 cc -o a a.c\n0.4 frob: cannot open wibble.dat\n------\nERROR: failed to solve: process "/bin/sh -c make" did not complete successfully: exit code: 2',
      'frob: cannot open wibble.dat',
    ],
    [
      'terraform, with the place and what is missing',
      '╷\n│ Error: Reference to undeclared resource\n│ \n│   on main.tf line 14, in resource "aws_s3_bucket" "b":\n│   14:   x = aws_kms_key.k.arn\n│ \n│ A managed resource "aws_kms_key" "k" has not been declared in the root module.\n╵',
      'Error: Reference to undeclared resource on main.tf line 14, in resource "aws_s3_bucket" "b": 14: x = aws_kms_key.k.arn A managed resource "aws_kms_key" "k" has not been declared in the root module.',
    ],
    [
      'git push to a protected branch',
      'remote: error: GH006: Protected branch update failed for refs/heads/main.        \nremote: error: Changes must be made through a pull request.        \nTo github.com:acme/api.git\n ! [remote rejected] main -> main (protected branch hook declined)\nerror: failed to push some refs to ‘github.com:acme/api.git’',
      'remote: error: GH006: Protected branch update failed for refs/heads/main. remote: error: Changes must be made through a pull request.',
    ],
    [
      'git push that is behind',
      'To github.com:acme/api.git\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to ‘github.com:acme/api.git’',
      '! [rejected] main -> main (fetch first)',
    ],
    [
      'eslint, with the file',
      "/app/src/a.js\n  2:1  warning  Unexpected console statement  no-console\n  3:7  error  'x' is assigned a value but never used  no-unused-vars\n\n✖ 2 problems (1 error, 1 warning)",
      "/app/src/a.js 3:7 error 'x' is assigned a value but never used no-unused-vars",
    ],
    [
      'rspec',
      'F\n\nFailures:\n\n  1) Cart totals\n     Failure/Error: expect(cart.total).to eq(119)\n\n       expected: 119\n            got: 118\n     # ./spec/cart_spec.rb:5:in block\n\n2 examples, 1 failure',
      '1) Cart totals Failure/Error: expect(cart.total).to eq(119) expected: 119 got: 118 # ./spec/cart_spec.rb:5:in block',
    ],
  ])('names the cause of a failed %s', (_, output, expected) => {
    expect(line(output)).toBe(expected);
  });

  it.each([
    [
      'wrk',
      '  1234567 requests in 10.0s\nRequests/sec: 123456.70\nTransfer/sec: 120.0MB',
      'Requests/sec: 123456.70',
    ],
    [
      'ab',
      'Requests per second:    812.44 [#/sec] (mean)\nTransfer rate: 3 [Kbytes/sec] received\n 100%    9 (longest request)',
      'Requests per second: 812.44 [#/sec] (mean)',
    ],
    [
      'cargo bench',
      'running 0 tests\n\ntest result: ok. 0 passed\n\nfib 20   time:   [26.029 µs 26.251 µs 26.505 µs]\n  change: [-3.1% -2.0% -0.9%]\nFound 11 outliers among 100 measurements',
      'fib 20 time: [26.029 µs 26.251 µs 26.505 µs]',
    ],
    [
      'psql that explains',
      'QUERY PLAN\n-----\n Seq Scan on orders\n Planning Time: 0.1 ms\n Execution Time: 131.7 ms\n(3 rows)',
      'Execution Time: 131.7 ms',
    ],
    ['psql with one value', ' count  \n--------\n 918442\n(1 row)', 'count: 918442'],
    ['psql with many rows', ' id \n----\n  1\n  2\n  3\n  4\n  5\n(5 rows)', '(5 rows)'],
  ])('says what %s has found', (_, output, expected) => {
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
