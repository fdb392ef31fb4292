import { describe, expect, it } from 'vitest';
import { STATE_BYTES_MAX } from '../../../src/projections/bounds.ts';
import type { Fact } from '../../../src/projections/contract.ts';
import { type EvidenceState, evidence } from '../../../src/projections/folds/evidence.ts';
import { findName } from '../../../src/projections/folds/evidence-names.ts';

/** A session's facts, numbered as they come. */
class Session {
  state: EvidenceState = evidence.initial();
  seq = 0;

  apply(type: string, data: unknown, trace?: Fact['trace']): this {
    this.seq += 1;
    const envelope = { id: `${this.seq}`, session: 's', agent: null, client: null, source: 'hook' };
    const fact = { seq: this.seq, type, ...envelope, at: this.seq * 1000, data, trace };
    this.state = evidence.apply(this.state, fact);
    return this;
  }

  asks = (text: string, trace?: Fact['trace']) => this.apply('prompt.submitted', { text }, trace);
  says = (text: string, trace?: Fact['trace']) =>
    this.apply('message.recorded', { role: 'assistant', kind: 'text', text }, trace);

  runs(command: string, output: string, exitCode = 0): this {
    return this.calls('Bash', { command }, exitCode === 0 ? { stdout: output } : output, exitCode);
  }

  calls(name: string, input: object, answer: unknown, exitCode = 0): this {
    const toolUseId = `t${this.seq}`;
    this.apply('tool.called', { toolUseId, name, input });
    return exitCode === 0
      ? this.apply('tool.succeeded', { toolUseId, name, response: answer })
      : this.apply('tool.failed', { toolUseId, name, error: answer, exitCode });
  }

  notes = () => this.state.notes.map(({ kind, text }) => `${kind}: ${text}`).sort();
}

it('a name in a patch is the name of the file’s line, without the sign that stands before it', () => {
  const lines = [' source', "-gem 'rails', '~> 7.0.8'", "+gem 'rails', '~> 7.1.3'"];
  const input = { file_path: '/app/Gemfile', old_string: '', new_string: '' };
  const { names } = new Session().calls('Edit', input, { structuredPatch: [{ lines }] }).state;
  expect(findName(names, '-gem')).toBeUndefined();
  expect(findName(names, '7.1.3')).toBeDefined();
});

it('what a command printed last is told from the beginning of a line on, however long its output', () => {
  const lines = Array.from({ length: 2000 }, (_, n) => `layer ${n} of the model is loaded now`);
  const lineOf = (output: string) =>
    new Session().runs('./load', output).state.outcomes['Bash load']!.line;
  for (const extra of ['', ' ', 'abcd', 'abcdefghijk'])
    expect(lineOf(`${extra}${lines.join('\r')}`)).toBe(lines.at(-1));
  const one = 'y'.repeat(40_000);
  expect(lineOf(`${one} and then it was done`)).toBe('and then it was done');
});

describe('what later work may need to know again', () => {
  it('is what the agent decided, with the reason that follows, and what it measured, not what it is about to do', () => {
    const session = new Session().says(
      'Let me look at the parser. We go with one queue per tenant. Because a shared one starves the small ones. The import takes 412 ms at p95.',
    );
    expect(session.notes()).toEqual([
      'decision: We go with one queue per tenant. Because a shared one starves the small ones.',
      'finding: The import takes 412 ms at p95.',
    ]);
  });

  it('is what the user said that names something, and neither thanks nor rules, which are known elsewhere', () => {
    const session = new Session().asks(
      'Thanks, great work! You find the staging settings at deploy/staging.toml. Never use a library for dates.',
    );
    expect(session.notes()).toEqual([
      'said: You find the staging settings at deploy/staging.toml.',
    ]);
  });

  it('is a command by its last run, and of one that keeps failing how often and after which changes', () => {
    const session = new Session().runs('npm test', 'Exit code 1\nError: no such table', 1);
    session.calls('Edit', { file_path: '/app/db.ts' }, { filePath: '/app/db.ts' });
    session.runs('npm test', 'Exit code 1\nError: no such column', 1);
    expect(session.state.outcomes['Bash test']).toMatchObject({
      verdict: 'failed',
      exitCode: 1,
      line: 'Error: no such column',
      failures: 2,
      tried: ['/app/db.ts'],
    });
    session.runs('npm test', '12 passing');
    expect(session.state.outcomes['Bash test']).toMatchObject({
      verdict: 'passed',
      line: '12 passing',
      failures: 0,
      runs: 3,
    });
  });

  it('is what mended an error, with its message, as the agent said it or by the files that were changed', () => {
    const session = new Session().runs('make site', 'Exit code 2\nError: no template base.html', 2);
    session.calls('Edit', { file_path: '/app/site.toml' }, { filePath: '/app/site.toml' });
    session.runs('cd . && make site 2>&1 > site.log', 'built 12 pages');
    expect(session.notes()).toEqual([
      'mended: Error: no template base.html (`make site`): passed after changes to /app/site.toml',
    ]);
    session.says(
      'Okay. The cause was template_dir, which pointed to the old theme. Next: the feed.',
    );
    expect(session.notes()).toContain(
      'mended: Error: no template base.html (`make site`) → The cause was template_dir, which pointed to the old theme.',
    );
    expect(session.notes().filter((one) => one.startsWith('mended'))).toHaveLength(1);
  });

  it('is what the agent took for the cause of an error before it was mended', () => {
    const session = new Session().runs('make site', 'Exit code 2\nError: no template base.html', 2);
    session.says('The cause is template_dir, which still points to the old theme.');
    session.calls('Edit', { file_path: '/app/site.toml' }, { filePath: '/app/site.toml' });
    session.runs('make site', 'built 12 pages').says('Done.');
    expect(session.notes()).toContain(
      'mended: Error: no template base.html (`make site`) → The cause is template_dir, which still points to the old theme.',
    );
  });

  describe('what is said after an error was mended', () => {
    const FAILURE = 'not ok 1 - keeps the due date';
    const mended = (said: string, line = FAILURE) => {
      const session = new Session().runs('node --test', `Exit code 1\n${line}`, 1);
      session.calls('Edit', { file_path: '/app/todo.ts' }, { filePath: '/app/todo.ts' });
      session.runs('node --test', 'pass 1').says(said);
      return session.notes().find((one) => one.startsWith('mended'));
    };
    const BY_FILES = `mended: ${FAILURE} (\`node --test\`): passed after changes to /app/todo.ts`;

    it.each([
      'Decision: dates are kept as ISO strings, not Date objects, so that JSON round-trips. 1 test passes.',
      'The README is in docs/overdue.md and has 12 lines.',
      'We keep the due dates as ISO strings because JSON has no dates.',
    ])('is not what mended it where it names nothing of it, or decides: %j', (said) => {
      expect(mended(said)).toBe(BY_FILES);
    });

    it.each([
      ['The culprit was parseDay, which took the wrong zone.', FAILURE],
      ['add() dropped the due date because it copied two fields.', FAILURE],
      ['renderRow was called before loadRow had its own row.', 'TypeError: loadRow of undefined'],
      ['The row loader read the cache twice.', 'panic: RowLoader: index out of range'],
      ['loading.pid had the wrong owner, so loading stopped.', 'refused: loading.pid'],
    ])('is it where it says so, or names what failed: %j', (said, line) => {
      expect(mended(said, line)).toBe(`mended: ${line} (\`node --test\`) → ${said}`);
    });

    it('nor is what was said before it about something else', () => {
      const session = new Session().runs('npm start', 'Exit code 1\nError: no module torch', 1);
      session.says('I settled on a daily_view for customer_archive since old_cluster is slow.');
      session.calls('Edit', { file_path: '/app/deps.txt' }, { filePath: '/app/deps.txt' });
      session.runs('npm start', 'up');
      expect(session.notes()).toContain(
        'mended: Error: no module torch (`npm start`): passed after changes to /app/deps.txt',
      );
    });
  });

  it('is a question with what answers it, unless the agent went on by itself', () => {
    const answered = (session: Session) =>
      session.asks('Streams, the customers send whole files.').notes().join('\n');
    const question = 'Shall I read the import in batches or in streams?';
    expect(answered(new Session().says(question))).toContain(`${question} → Streams`);
    expect(answered(new Session().says(question).runs('ls', 'a b'))).not.toContain('→');
  });

  it('is no mended error where the same command had not failed, or another one passed', () => {
    const session = new Session().runs('make site', 'built 12 pages').runs('make site', 'built');
    session.runs('make feed', 'Exit code 2\nError: no feed', 2).runs('make docs', 'ok');
    expect(session.notes().filter((one) => one.startsWith('mended'))).toEqual([]);
  });

  it('is a name with the file that it stands in, stronger the more it is used', () => {
    const session = new Session();
    session.calls(
      'Read',
      { file_path: '/app/a.ts' },
      { file: { content: 'parseRow() loadAll()' } },
    );
    session.says('I change parseRow.');
    const [parseRow, loadAll] = ['parseRow', 'loadAll'].map((name) =>
      findName(session.state.names, name),
    );
    expect(parseRow).toMatchObject({ kind: 'name', home: '/app/a.ts', uses: 1 });
    expect(loadAll).toMatchObject({ home: '/app/a.ts', uses: 0 });
    expect(parseRow!.slow).toBeGreaterThan(loadAll!.slow);
  });

  it('is nothing of a branch that a rewind abandoned', () => {
    const session = new Session().asks('Sort the list.', { pos: 10 });
    session.says('We go with quickSort because it is short.', { pos: 20 });
    session.asks('Do it otherwise.', { pos: 30, rewoundTo: 10 });
    expect(session.notes()).toEqual([]);
    expect(findName(session.state.names, 'quickSort')).toBeUndefined();
  });

  it('is nothing that ben10 said itself', () => {
    const session = new Session();
    const text = { $own: true, bytes: 10 };
    session.calls('mcp__ben10__ben10_restore', { point: 'src/secretPlan.ts' }, text);
    expect(session.state).toEqual(evidence.initial());
  });

  it('stays of the first hour however long the session goes on, and the state stays small', {
    tags: 'long',
  }, () => {
    const session = new Session().says(
      'Decision: we keep invoices in euros, because the bank wants it.',
    );
    for (let n = 0; n < 3000; n += 1) {
      session.says(`Now I update the part number${n}. It has thing_${n} and other${n}Thing.`);
      session.runs(
        `ls dir${n}`,
        Array.from({ length: 40 }, (_, m) => `file${n}x${m}.ts ${n + m}`).join('\n'),
      );
    }
    expect(session.notes()).toContain(
      'decision: Decision: we keep invoices in euros, because the bank wants it.',
    );
    expect(JSON.stringify(session.state).length).toBeLessThan(STATE_BYTES_MAX / 4);
  });
});
