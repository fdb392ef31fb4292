import { describe, expect, it } from 'vitest';
import { recallText } from '../../src/recall/recall.ts';
import { openTestProject } from '../support.ts';
import { ran, tell } from '../tell.ts';

/** A session of calls, one after the other; what it is given back after a compaction. */
class Session {
  readonly #project = openTestProject();
  #n = 0;

  #call(name: string, input: object, end: Parameters<typeof ran>[3]): void {
    this.#n += 1;
    tell(this.#project, ...ran(`t${this.#n}`, name, input, end, { at: this.#n }));
  }

  fails(command: string): void {
    const error = 'Exit code 1\nFAIL sum.test.ts';
    this.#call('Bash', { command }, { error, exitCode: 1 });
  }

  passes(command: string): void {
    this.#call('Bash', { command }, { response: { stdout: 'done' } });
  }

  edits(file: string, ...lines: string[]): void {
    const response = { structuredPatch: [{ lines: [' kept', ...lines] }] };
    const input = { file_path: file, old_string: 'a', new_string: 'b' };
    this.#call('Edit', input, { response });
  }

  get text(): string {
    return recallText(this.#project, { source: 'compact', session: 's' }).text;
  }
}

describe('what was tried against a failure', () => {
  it('is told with how often it failed and which files were changed in between', () => {
    const session = new Session();
    session.fails('npm run sum');
    expect(session.text).not.toContain('(failed');
    session.edits('/app/sum.ts', '+  one', '-  two');
    session.fails('npm run sum');
    session.edits('/app/parse.ts', '+  one');
    session.fails('npm run sum');
    expect(session.text).toMatch(
      /`npm run sum` → exit 1: FAIL sum\.test\.ts \(failed 3 times, also after changes to \S*sum\.ts, \S*parse\.ts\)$/m,
    );
  });

  it('is only how often it failed where nothing was changed', () => {
    const session = new Session();
    session.fails('npm run sum');
    session.fails('npm run sum');
    expect(session.text).toMatch(/FAIL sum\.test\.ts \(failed 2 times\)$/m);
  });

  it('is not told any more once it passed', () => {
    const session = new Session();
    session.fails('npm run sum');
    session.fails('npm run sum');
    session.passes('npm run sum');
    expect(session.text).toContain('`npm run sum` → exit 0');
    expect(session.text).not.toContain('(failed');
  });
});

describe('what was done to a file', () => {
  it('is told with how often it was edited and how many lines came and went', () => {
    const session = new Session();
    session.edits('/app/sum.ts', '+  one', '+  two', '-  three');
    session.edits('/app/sum.ts', '+  four');
    session.edits('/app/once.ts', '-  five');
    expect(session.text).toMatch(/sum\.ts edited 2 times, \+3 −1$/m);
    expect(session.text).toMatch(/once\.ts edited, \+0 −1$/m);
  });

  it('is told with that no commit of it was seen, where git is used, until one is', () => {
    const session = new Session();
    session.edits('/app/sum.ts', '+  one');
    expect(session.text).not.toContain('commit seen');
    session.passes('git status');
    expect(session.text).toMatch(/sum\.ts edited, \+1 −0, no commit seen$/m);
    session.passes('git commit -am "Sum"');
    expect(session.text).toMatch(/sum\.ts edited, \+1 −0$/m);
    session.edits('/app/sum.ts', '-  one');
    expect(session.text).toMatch(/sum\.ts edited 2 times, \+1 −1, no commit seen$/m);
  });
});
