import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { referencesIn } from '../../src/projections/references.ts';
import { figuresIn, reportedIn } from '../../src/projections/reported.ts';
import { isStackFrame, withoutFrames } from '../../src/projections/stack-frames.ts';
import { recallText } from '../../src/recall/recall.ts';
import { openTestProject } from '../support.ts';
import { importInto } from '../tell.ts';

/** As the runtimes print them. */
const FRAMES = {
  JavaScript: [
    '    at add (/app/src/todo.js:12:9)',
    '    at async Promise.all (index 0)',
    '    at Object.<anonymous> (/app/test.js:1:1)',
    '    at Module._compile (node:internal/modules/cjs/loader:1554:14) {',
    '    at Array.map (<anonymous>)',
    '  at new Foo (file:///x/y.mjs:1:2)',
    'node:internal/process/task_queues:140:7',
    '      Test.run (node:internal/test_runner/test:1007:25)',
    '      async startSubtestAfterBootstrap (node:internal/test_runner/harness:279:3)',
    'foo@http://localhost:3000/y.js:1:2',
  ],
  'Java and C#': [
    '\tat com.acme.Foo$Bar.<init>(Foo.java:123)',
    '\tat java.base/jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Native Method)',
    '   at Acme.Foo.Bar(String s) in C:\\src\\Foo.cs:line 42',
  ],
  'Python, Ruby and PHP': [
    '  File "/usr/lib/python3.11/json/__init__.py", line 346, in loads',
    '  File "<stdin>", line 1',
    "\tfrom /usr/lib/ruby/3.0/bundler.rb:12:in `load'",
    "app/models/user.rb:12:in 'User#save'",
    '#0 /var/www/app/index.php(12): foo()',
    '#1 {main}',
  ],
  'Go, Rust, C and Elixir': [
    'goroutine 1 [running]:',
    'main.(*T).run(0xc000012345, {0x1, 0x2})',
    '\t/home/u/x/y.go:12 +0x1d',
    '   3: core::panicking::panic_fmt',
    '   3:     0x5581 - std::rt::lang_start',
    '             at /rustc/abc/library/core/src/panicking.rs:64:14',
    '  13: <alloc::boxed::Box<F,A> as core::ops::function::FnOnce<Args>>::call_once',
    '#1  0x00007ffff7a2d830 in __libc_start_main () from /lib/libc.so.6',
    '#0  main (argc=1) at main.c:5',
    '    (elixir 1.15.7) lib/enum.ex:1693: Enum."-map/2-lists^map/1-1-"/2',
  ],
};

const SAID = [
  'cold start of the api: 12',
  'connected to example.com:443',
  "src/a.ts:3:5 - error TS2322: Type 'string' is not assignable to type 'number'.",
  "src/main.c:12:3: error: expected ';'",
  '  --> src/main.rs:3:5',
  'tests/test_a.py:12: AssertionError',
  'Listening at http://localhost:3000',
  'at 12:30 the deploy starts',
  'The bug is in src/todo.js:42:7',
  'see src/todo.js:42:7 for the cause',
  '12: the answer',
  '3: use std::fmt',
  '10:30:05',
  'max_connections: 100',
  '#12 fix the parser (40 lines)',
  '#7 [3/5] RUN npm ci',
  'E   assert 1 == 2',
  'foo (bar): 12',
];

describe('a stack frame', () => {
  it.each(Object.entries(FRAMES))(
    'of %s is told from what people and programs say',
    (_, frames) => {
      expect(frames.filter((line) => !isStackFrame(line))).toEqual([]);
      expect(withoutFrames(`a\n${frames.join('\n')}\nb`)).toBe('a\nb');
      expect(SAID.filter(isStackFrame)).toEqual([]);
      expect(withoutFrames(SAID.join('\n'))).toBe(SAID.join('\n'));
    },
  );

  it('is no finding, and its names are not the work’s', () => {
    const all = Object.values(FRAMES).flat().join('\n');
    expect(figuresIn(all)).toEqual([]);
    expect(reportedIn(all)).toEqual([]);
    expect([...referencesIn(all).keys()]).toEqual([]);
    // As in a tool's answer that is JSON.
    expect([...referencesIn(JSON.stringify(`It fails in src/todo.js\n${all}`)).keys()]).toEqual([
      'src/todo.js',
    ]);
    expect(figuresIn(`p95 of the export: 41 ms\n${all}`)).toHaveLength(1);
  });

  it('of a recorded test run leaves nothing in what is given back', () => {
    const file = new URL(
      '../fixtures/transcripts/claude-2.1.329-real-todo-app/transcript.jsonl',
      import.meta.url,
    ).pathname;
    expect(readFileSync(file, 'utf8')).toContain('node:internal/process/task_queues');
    const project = openTestProject();
    importInto(project, file);
    const { text } = recallText(project, { source: 'startup', session: 'new' });
    expect(text).not.toMatch(/task_queues|AsyncResource|runMicrotask|processPendingSubtests/);
  });
});
