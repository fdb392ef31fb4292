/** The forms in which runtimes print the place of a call, and nothing else. */
const FORMS = [
  // `at foo (/x/y.js:1:2)`, `at com.acme.Foo.bar(Foo.java:12)`, `at Foo.Bar() in C:\x.cs:line 3`, `at Array.map (<anonymous>)`
  /at\s+\S.*(?::(?:line )?\d+|\((?:native|Native Method|Unknown Source|<anonymous>|index \d+)\))\)?[\s,{]*/,
  // `Test.run (node:internal/test_runner/test:1:2)`, `foo@http://x/y.js:1:2`, `node:internal/process/task_queues:140:7`
  /(?:(?:async |new )?[\w$.<>]+ \((?:async )?[^\s()]+:\d+:\d+\)|[\w$.<>/]*@(?:file|https?):\S+:\d+:\d+|node:\S+:\d+:\d+)/,
  // `File "/x/y.py", line 12, in foo`
  /File ".+", line \d+(?:, in .+)?/,
  // `from /x/y.rb:12:in 'foo'`, `(elixir 1.15.7) lib/enum.ex:12: Enum.map/2`
  /(?:from )?\S+:\d+:in\s.+|\(\w+ \d[\d.]*\) \S+:\d+: .+/,
  // `#0 /x/y.php(12): foo()`, `#1 0x7f in foo () at y.c:3`, `#2 {main}`
  /#\d+\s+(?:0x|\S+\(\d+\):|\w+ \(|\{main\}).*/,
  // `3: core::panicking::panic_fmt`, `3: 0x5581 - <T as std::rt>::main`
  /\d+:\s+(?:0x[\da-f]+ - )?(?:[\w$]|<.+>)[\w$]*::\S*/,
  // `goroutine 1 [running]:`, `main.(*T).run(0xc000, {0x1, 0x2})`, `/x/y.go:12 +0x1d`
  /goroutine \d+ \[.+\]:|[\w./*()-]+\(\{?0x[\da-f]+.*\)|\S+:\d+ \+0x[\da-f]+/,
];
const FRAME = new RegExp(`^\\s*(?:${FORMS.map(({ source }) => source).join('|')})\\s*$`);

/** Longer lines are no frames. */
const FRAME_CHARS_MAX = 400;

/** A line of a stack trace: it tells of the runtime, not of the work. */
export const isStackFrame = (line: string): boolean =>
  line.length <= FRAME_CHARS_MAX && FRAME.test(line);

/** Of other texts no line needs to be looked at. */
const HINT = /:(?:line )?\d|", line \d|\(\d+\): |0x[\da-f]|\d: .*::|\(native\)/;

/** A text without the frames of its stack traces. */
export const withoutFrames = (text: string): string =>
  HINT.test(text)
    ? text
        .split('\n')
        .filter((line) => !isStackFrame(line))
        .join('\n')
    : text;
