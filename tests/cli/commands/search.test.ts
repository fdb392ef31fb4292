import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTestProject } from '../../support.ts';
import { importInto, ran, saw, tell } from '../../tell.ts';
import { emptyProject, inMemory, json, lines, SESSIONS } from '../support.ts';

interface Match {
  id: string;
  kind: string;
  seq: number;
  session: string;
  title: string;
  snippet: string;
  score: number;
  standing: string;
  project?: string;
}
interface Found {
  matches: Match[];
  of: number;
  events: number;
  ms: number;
}

const NOW = Date.parse('2026-11-28T10:00:00Z');
const said = (text: string, at: number, session = 's') =>
  saw('prompt.submitted', { text, branch: session === 's' ? 'main' : 'next' }, { at, session });

/** A project in which some things were said and run, some days ago. */
function project(): string {
  const made = openTestProject(emptyProject());
  const day = (n: number) => NOW - n * 86_400_000;
  tell(
    made,
    said('Why do we use Postgres? Never touch the lock file.', day(9)),
    ...ran(
      't1',
      'Bash',
      { command: 'npm run migrate' },
      { error: 'connect ECONNREFUSED 127.0.0.1:5432', exitCode: 1 },
      { at: day(9) },
    ),
    saw(
      'message.recorded',
      { role: 'assistant', kind: 'text', text: 'Postgres, for there are two writers.' },
      { at: day(3) },
    ),
    ...ran(
      't2',
      'Edit',
      { file_path: '/p/src/db.ts', old_string: 'a', new_string: 'const pool = postgres(url)' },
      { response: '' },
      { at: day(3) },
    ),
    said('Explain the postgres pool.', day(1), 'another'),
  );
  return made.dir;
}

const search = (dir: string, args: string[], options: Parameters<typeof inMemory>[2] = {}) =>
  inMemory(dir, ['search', ...args], { now: NOW, ...options });
const found = async (dir: string, ...args: string[]) =>
  json<Found>(await search(dir, [...args, '--json']));
const seqs = async (dir: string, ...args: string[]) =>
  (await found(dir, ...args)).matches.map(({ seq }) => seq).sort((a, b) => a - b);

describe('ben10 search', () => {
  it('prints a line for each match, the best first, and how to see one', async () => {
    const { code, stdout, stderr } = await search(project(), ['why', 'postgres']);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').sort()).toEqual(
      [
        '@1  9d  prompt  user   Why do we use Postgres? Never touch the lock file.',
        '@4  3d  answer  agent  Postgres, for there are two writers.',
        '@5  3d  edit    ran    …/src/db.ts · const pool = postgres(url)',
        '@7  1d  prompt  user   Explain the postgres pool.',
      ].sort(),
    );
    expect(stderr).toMatch(
      /^4 matches, \d+ texts searched in \d+ ms\. One of them: ben10 show \d\n$/,
    );
  });

  it('prints JSON with exactly these fields, and exit code 1 where nothing matches', async () => {
    const dir = project();
    const { matches, of, events, ms } = await found(dir, 'econnrefused');
    expect(Object.keys(matches[0]!).join()).toBe(
      'id,kind,seq,session,at,title,snippet,files,score,standing',
    );
    expect(matches[0]).toMatchObject({
      kind: 'call',
      seq: 2,
      session: 's',
      title: expect.stringMatching(/^Bash npm run migrate → failed/),
      snippet: expect.stringContaining('ECONNREFUSED'),
      standing: 'in force',
    });
    expect([of, events > 3, ms > 0]).toEqual([1, true, true]);
    const nothing = await search(dir, ['mysql', '--json']);
    expect([nothing.code, json<Found>(nothing).matches]).toEqual([1, []]);
    const shown = await inMemory(dir, ['show', matches[0]!.id.slice(0, 12), '--json']);
    expect(json(shown)).toMatchObject({
      seq: 2,
      id: matches[0]!.id,
      data: { input: { command: 'npm run migrate' } },
      outcome: { seq: 3, type: 'tool.failed' },
    });
  });

  it('takes words, phrases within quotes, words to leave out, paths and kinds', async () => {
    const dir = project();
    expect(await seqs(dir, 'postgres', 'writers')).toEqual([1, 4, 5, 7]);
    expect(await seqs(dir, 'two writers')).toEqual([4]);
    expect(await seqs(dir, '"lock file"')).toEqual([1]);
    expect(await seqs(dir, 'postgres', '-pool')).toEqual([1, 4]);
    expect(await seqs(dir, 'postgres', '-pool', '-"lock file"', '--limit', '5')).toEqual([4]);
    expect(await seqs(dir, 'path:src/db.ts')).toEqual([5]);
    expect(await seqs(dir, 'postgres', 'path:src/db.ts')).toEqual([5]);
    expect(await seqs(dir, 'writers', 'path:src/db.ts')).toEqual([]);
    expect(await seqs(dir, 'postgres', 'kind:edit')).toEqual([5]);
    const { stdout } = await search(dir, ['--json', '--', 'postgres', '-pool', '--limit']);
    expect(json<Found>({ stdout }).of).toBe(2);
  });

  it('keeps to kinds, a file, a branch, a session, an age and a point', async () => {
    const dir = project();
    expect(await seqs(dir, 'postgres', '--kind', 'edit', '--kind', 'answer')).toEqual([4, 5]);
    expect(await seqs(dir, '--file', 'src/db.ts')).toEqual([5]);
    expect(await seqs(dir, 'postgres', '--branch', 'next')).toEqual([7]);
    expect(await seqs(dir, 'postgres', '--session', 'ano')).toEqual([7]);
    expect(await seqs(dir, 'postgres', '--since', '4d')).toEqual([4, 5, 7]);
    expect(await seqs(dir, 'postgres', '--at', '@4')).toEqual([1, 4]);
    expect(await seqs(dir, 'postgres', '--at', '@prompt:-1')).toEqual([1, 4, 5]);
  });

  it('lists the newest of a kind where no words are given, and files by their end', async () => {
    const dir = project();
    const order = async (...args: string[]) =>
      (await found(dir, ...args)).matches.map((m) => m.seq);
    expect(await order('kind:prompt,answer')).toEqual([7, 4, 1]);
    expect(await order('--kind', 'prompt,answer', '--limit', '2')).toEqual([7, 4]);
    expect(await order('--kind', 'prompt', '--at', '@prompt:-1', '-writers')).toEqual([1]);
    expect((await found(dir, 'kind:prompt', '--limit', '1')).of).toBe(2);
    expect(await order('path:*.ts')).toEqual([5]);
    const { stderr } = await search(dir, ['postgres', '--branch', 'nosuch']);
    expect(stderr).toContain('the newest branches: next, main\n');
  });

  it('says what was tried where nothing is found, and offers words that are there', async () => {
    const dir = project();
    const { code, stdout, stderr } = await search(dir, ['postgras', '--kind', 'edit']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^nothing matches postgras --kind edit; \d+ texts searched\nnear words: postgres\n$/i,
    );
    const others = await search(dir, ['writers', '--kind', 'edit']);
    expect(others.stderr).toContain('1 match with: ben10 search writers\n');
    const elsewhere = await search(dir, ['two', 'path:src/writers.ts']);
    expect(elsewhere.stderr).toContain('1 match with: ben10 search two\n');
    expect((await search(dir, ['wir'])).stderr).not.toContain('near');
    expect((await search(dir, ['???'])).stderr).toContain('signs alone cannot be looked for\n');
  });

  it('takes a letter behind a dash as an option, and names how else it is left out', async () => {
    const { code, stderr } = await search(project(), ['-i', 'postgres']);
    expect(code).toBe(2);
    expect(stderr).toContain('there is no option -i of ben10 search');
    expect(stderr).toContain('To leave out a word like that: -- -i');
  });

  it('marks no common words beside telling ones', async () => {
    const { stdout } = await search(project(), ['why', 'postgres'], { columns: 90 });
    expect(stdout).not.toContain('\u001b[33mWhy');
    const { stdout: alone } = await search(project(), ['why'], { columns: 90 });
    expect(alone).toContain('\u001b[33mWhy');
  });

  it('is named where words were given to another command', async () => {
    const dir = project();
    const log = await inMemory(dir, ['log', 'maxLength']);
    expect([log.code, log.stderr]).toEqual([2, expect.stringContaining('ben10 search maxLength')]);
    expect((await inMemory(dir, ['grep', 'x'])).stderr).toContain('ben10 search WORDS');
  });

  it('marks what matches on a terminal, keeps to its width, and not with NO_COLOR', async () => {
    const dir = project();
    const { stdout } = await search(dir, ['postgres'], { columns: 60 });
    expect(stdout).toContain('\u001b[33mPostgres\u001b[39m');
    const plain = await search(dir, ['postgres'], { columns: 60, env: { NO_COLOR: '1' } });
    expect(plain.stdout).not.toContain('\u001b');
    for (const line of plain.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  });

  it('prints lines that can be read, of whatever length a call and its output are', async () => {
    const made = openTestProject(emptyProject());
    const long = 'some longer words about postgres and its pool of connections '.repeat(9);
    const command = `psql <<'E'\nselect 1;\nE\necho ${long}`;
    tell(made, ...ran('t1', 'Bash', { command }, { response: { stdout: long } }, { at: NOW }));
    const { stdout } = await search(made.dir, ['postgres', 'select', 'psql']);
    expect(stdout.trimEnd().length).toBeLessThanOrEqual(180);
    const [match] = (await found(made.dir, 'postgres', 'select')).matches;
    expect(match?.title).toMatch(/^Bash psql <<'E' select 1; E echo /);
  });

  it('drops columns before the text in a narrow terminal, and then the title or the place', async () => {
    const dir = project();
    const lineIn = async (columns: number, ...words: string[]) =>
      (await search(dir, words, { columns, env: { NO_COLOR: '1' } })).stdout.trimEnd();
    const words = ['why', 'postgres', '--session', 's', '--kind', 'prompt'];
    expect(await lineIn(66, ...words)).toMatch(/^@1 {2}9d {2}prompt {2}user {2}….*Postgres/);
    expect(await lineIn(56, ...words)).toMatch(/^@1 {2}9d {2}(?!prompt).*Postgres/);
    expect(await lineIn(40, ...words)).toMatch(/^@1 {2}(?!9d).*Postgres/);
    expect(await lineIn(40, 'path:db.ts')).toMatch(/^@5 {2}\S*db\.ts · const/);
    expect(await lineIn(40, 'migrate')).toMatch(/^@2 {2}Bash npm.* → failed:/);
  });

  it('gives a date where an age would be long, and the message of a commit once', async () => {
    const made = openTestProject(emptyProject());
    const subject = 'fix: correct the syntax of DuckDB';
    const stdout = `[main d69e32b] ${subject}\n 1 file changed`;
    const command = `git add db.go\ngit commit -m "${subject}"`;
    tell(
      made,
      ...ran('t1', 'Bash', { command }, { response: { stdout } }, { at: NOW - 70 * 86_400_000 }),
    );
    const { stdout: line } = await search(made.dir, ['duckdb', 'syntax', 'kind:commit']);
    expect(line).toBe(`@1  2026-09-19  commit  ran  [main d69e32b] ${subject}\n`);
  });

  it('explains what each score is made of', async () => {
    const dir = project();
    const { stdout } = await search(dir, ['postgres', '--explain', '--limit', '1']);
    expect(stdout).toMatch(
      /\n {4}score [\d.]+ = words [\d.]+ × coverage 1 × named 1 × recency [\d.]+ × basis [\d.]+ × standing 1 × branch [\d.]+ \+ support [\d.]+\n$/,
    );
    const [match] = (await found(dir, 'postgres', '--explain')).matches as (Match & {
      factors: Record<string, number>;
    })[];
    const { support, ...factors } = match!.factors;
    const product = Object.values(factors).reduce((one, other) => one * other, 1);
    expect(product + support!).toBeCloseTo(match!.score, 3);
  });

  it('answers a file of queries, and names the line that is none', async () => {
    const dir = project();
    const file = path.join(dir, 'queries.jsonl');
    writeFileSync(file, '{"id": "a", "query": "writers"}\n\n{"id": 2, "query": "mysql"}\n');
    const answers = lines<{ id: unknown; matches: Match[] }>(
      await search(dir, ['--queries', 'queries.jsonl', '--json']),
    );
    expect(answers.map(({ id, matches }) => [id, matches.map(({ seq }) => seq)])).toEqual([
      ['a', [4]],
      [2, []],
    ]);
    const both = await search(dir, ['postgres', '--queries', 'queries.jsonl']);
    expect([both.code, both.stdout]).toEqual([2, '']);
    for (const [line, why] of [
      ['{', 'it is no JSON'],
      ['[]', 'it is no object'],
      ['{"query": "x"}', 'its "id" is no text'],
      ['{"id": "b"}', 'its "query" is no text'],
      ['{"id": "b", "query": " "}', 'a search needs something to look for'],
      ['{"id": "b", "query": "x kind:edt"}', 'there is no kind "edt"'],
    ]) {
      writeFileSync(file, `{"id": "a", "query": "x"}\n${line}\n`);
      const { code, stdout, stderr } = await search(dir, ['--queries', 'queries.jsonl']);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`queries.jsonl, line 2: ${why}`);
    }
  });

  it('searches other projects only when they are named, and says which one has it', {
    tags: 'long',
  }, async () => {
    const dir = project();
    const other = openTestProject(emptyProject());
    tell(other, said('postgres of another project', NOW));
    importInto(other, path.join(SESSIONS, '../transcripts'));
    expect((await found(dir, 'another project')).matches.map(({ seq }) => seq)).toEqual([]);
    const { matches } = await found(dir, 'postgres', '--project', other.dir);
    expect(matches).toHaveLength(5);
    expect(
      matches.filter(({ project }) => project === other.dir).map(({ title }) => title),
    ).toEqual(['postgres of another project']);
    for (const { score } of matches) expect(score).toBeLessThan(3);
    const { stdout, stderr } = await search(dir, ['another', '--project', other.dir]);
    expect(stdout).toMatch(new RegExp(`^${path.basename(other.dir)}  @1 `));
    // That the index of the other is not kept is no news.
    expect(stderr).toMatch(/^1 match, .* ben10 show 1 \(in /);
    expect(stderr).toContain(`(in ${other.dir})`);
    const outside = path.join(emptyProject(), '..', 'outside');
    mkdirSync(outside, { recursive: true });
    expect((await found(outside, 'postgres', '--project', other.dir)).matches).toHaveLength(1);
  });

  it('answers from what it has read where the index cannot be written, and says so', {
    tags: 'long',
  }, async () => {
    const made = openTestProject(emptyProject());
    // So many events that they would be kept.
    importInto(made, SESSIONS, path.join(SESSIONS, '../transcripts'));
    writeFileSync(path.join(made.dir, '.ben10/search'), 'in the way');
    const { code, stdout, stderr } = await search(made.dir, ['overdue']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/overdue/i);
    expect(stderr.split('\n')[0]).toMatch(/index/);
  });

  it('refuses what it cannot read, with a code', async () => {
    const dir = project();
    for (const [args, why] of [
      [[], /a search needs something to look for.*\[USAGE\]/],
      [['x', '--kind', 'edt'], /there is no kind "edt"; the nearest is "edit" \[USAGE\]/],
      [['x', '--limit', 'many'], /--limit takes a whole number/],
      [['x', '--at', '@nowhere'], /is not a point/],
      [['x', '--since', 'soon'], /is not a time/],
      [['x', '--sesion', 'y'], /--sesion/],
    ] as const) {
      const { code, stderr } = await search(dir, [...args]);
      expect(code, args.join(' ')).toBe(2);
      expect(stderr).toMatch(why);
    }
    expect((await search(dir, ['x', '--project', '/nowhere'])).code).toBe(1);
    expect((await search(emptyProject(), ['x'])).code).toBe(1);
  });
});

it('README shows a search as it is', async () => {
  const made = openTestProject(emptyProject());
  importInto(made, path.join(SESSIONS, 'working-session'));
  const readme = readFileSync(path.join(import.meta.dirname, '../../../README.md'), 'utf8');
  const [, words, shown] = /\n\$ ben10 search (.*)\n([^`]+)```/.exec(readme)!;
  const { stdout, stderr } = await search(made.dir, words!.split(' '), {
    now: Date.parse('2026-11-24T10:00:00Z'),
  });
  const timeless = (text: string) => text.replace(/in \d+ ms/, 'in 9 ms');
  expect(timeless(stdout + stderr)).toBe(shown);
});

describe('ben10 sessions --grep', () => {
  it('lists the sessions that have the words, the best first, with their best match', async () => {
    const made = openTestProject(emptyProject());
    importInto(made, SESSIONS);
    const { code, stdout } = await inMemory(made.dir, ['sessions', '--grep', 'overdue filter'], {
      columns: 120,
      env: { NO_COLOR: '1' },
    });
    expect(code).toBe(0);
    const [head, ...rest] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^session /);
    expect(
      rest
        .filter((_, n) => n % 2 === 1)
        .every((line) => /^ {2} *@\d+ .*overdue|filter/i.test(line)),
    ).toBe(true);
    const all = lines<{ session: string; match: Match }>(
      await inMemory(made.dir, ['sessions', '--grep', 'overdue filter', '--json']),
    );
    expect(all.map(({ session }) => session.slice(0, 8))).toEqual(
      rest.filter((_, n) => n % 2 === 0).map((line) => line.slice(0, 8)),
    );
    for (const { session, match } of all) expect(match.session).toBe(session);
    const scores = all.map(({ match }) => match.score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    const none = await inMemory(made.dir, ['sessions', '--grep', 'zebra']);
    expect([none.code, none.stderr]).toEqual([1, 'no session has zebra\n']);
  });
});
