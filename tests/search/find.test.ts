import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Project } from '../../src/project/open.ts';
import { type Asked, search } from '../../src/search/find.ts';
import { indexOf } from '../../src/search/keep-up.ts';
import { resolvePoint } from '../../src/timetravel/resolve.ts';
import { seeded } from '../seeded.ts';
import { codeOf, openTestProject } from '../support.ts';
import { importInto, ran, saw, tell } from '../tell.ts';

const FIXTURES = path.join(import.meta.dirname, '../fixtures');
const HOUR = 3_600_000;
const START = Date.parse('2026-11-21T10:00:00Z');

function found(project: Project, query: string, more: Partial<Asked> = {}) {
  for (const _ of indexOf(project).steps());
  return search(project, { query, limit: 10, ...more });
}
const seqs = (project: Project, query: string, more: Partial<Asked> = {}) =>
  found(project, query, more).matches.map(({ seq }) => seq);
/** As of a point, as the surfaces ask for it. */
const asOf = (project: Project, text: string, session?: string): Pick<Asked, 'point'> => ({
  point: resolvePoint(project, text, { session }),
});

const said = (text: string, more: Parameters<typeof saw>[2] = {}) =>
  saw('prompt.submitted', { text }, { at: START, ...more });
const answered = (text: string, more: Parameters<typeof saw>[2] = {}) =>
  saw('message.recorded', { role: 'assistant', kind: 'text', text }, { at: START, ...more });

function told(...seen: Parameters<typeof tell>[1][]): Project {
  const project = openTestProject();
  for (const one of seen) tell(project, one);
  return project;
}

describe('a search', () => {
  it('gives of each match what it is, where it is, and how it stands', () => {
    const project = told(said('Use Postgres, for there are two writers'));
    expect(found(project, 'postgres writers').matches[0]).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      kind: 'prompt',
      basis: 'user',
      seq: 1,
      session: 's',
      at: START,
      title: 'Use Postgres, for there are two writers',
      snippet: 'Use Postgres, for there are two writers',
      files: [],
      score: expect.any(Number),
      standing: 'in force',
    });
  });

  it('takes the parts of a name together as one word, and says where only parts are', () => {
    const project = told(
      said('Postgres stores the names, so twelve'),
      said('min_length and every other length is as it was'),
      said('The maxLength of a title'),
      said('It is max_length there'),
    );
    expect(seqs(project, 'maxLength postgres').slice(-1)).toEqual([2]);
    expect(seqs(project, 'maxLength').slice(0, 2)).toEqual([3, 4]);
    expect(seqs(project, 'max length').slice(0, 2).sort()).toEqual([3, 4]);
    expect(found(project, 'maxLength').nowhere).toEqual([]);
    expect(found(project, 'minHeight lengthOf').nowhere).toEqual(['minHeight', 'lengthOf']);
  });

  it('prefers the day that the query names', () => {
    const project = told(
      said('The deploy failed', { at: Date.parse('2026-03-12T12:00:00') }),
      said('The deploy failed again, alas', { at: START }),
    );
    expect(seqs(project, 'why did the deploy fail')).toEqual([2, 1]);
    expect(seqs(project, 'why did the deploy fail on March 12')).toEqual([1, 2]);
  });

  it('makes one match of a call and its outcome, with the better one', () => {
    const project = told(
      ...ran(
        't1',
        'Bash',
        { command: 'npm run migrate' },
        { error: 'ECONNREFUSED 127.0.0.1:5432', exitCode: 1 },
      ),
      answered('The migrate script wants a database.'),
    );
    const { matches, of } = found(project, 'migrate econnrefused');
    expect(matches.map(({ kind, seq }) => [kind, seq])).toEqual([
      ['call', 1],
      ['answer', 3],
    ]);
    expect(of).toBe(2);
    expect(matches[0]?.title).toContain('npm run migrate → failed');
  });

  it('counts the same whatever the limit, a call and its outcome once, also in different files', {
    tags: 'long',
  }, () => {
    const calls = Array.from({ length: 300 }, (_, n) =>
      ran(`t${n}`, 'Bash', { command: `redis-cli get ${n}` }, { response: { stdout: 'redis' } }),
    ).flat();
    // Each outcome stands far behind its call.
    const project = told(
      ...calls.filter(({ type }) => type === 'tool.called'),
      said('redis'),
      ...calls.filter(({ type }) => type !== 'tool.called'),
    );
    for (const limit of [1, 10, 400]) {
      const { matches, of, isMore } = found(project, 'redis', { limit });
      expect([of, matches.length, isMore]).toEqual([301, Math.min(limit, 301), limit < 301]);
      expect(new Set(matches.map(({ id }) => id)).size).toBe(matches.length);
      for (const { seq } of matches) expect(seq).toBeLessThanOrEqual(301);
    }
    expect(found(project, 'redis', { point: resolvePoint(project, '@310', {}) }).of).toBe(301);
    expect(found(project, 'redis kind:call', { limit: 2 }).of).toBe(300);
  });

  it('tells what came of a call also where only the call was found, but not before it came', () => {
    const error = { error: 'no route to host', exitCode: 1 };
    const project = told(
      ...ran('t1', 'Bash', { command: 'ssh web systemctl status' }, error),
      ...ran('t2', 'Grep', { pattern: 'logfire' }, { response: 'a.py' }),
    );
    const titles = (query: string, more: Partial<Asked> = {}) =>
      found(project, query, more).matches.map(({ title }) => title);
    expect(titles('systemctl kind:call')).toEqual([
      'Bash ssh web systemctl status → failed: no route to host',
    ]);
    expect(titles('systemctl', asOf(project, '@1'))).toEqual(['Bash ssh web systemctl status']);
    expect(titles('logfire')).toEqual(['Grep logfire']);
  });

  it('finds a phrase as it stands, over ends of lines and in any case, and not its words apart', () => {
    const project = told(
      said('the deploy key is in the vault'),
      said('the key to deploy with'),
      said('a Deploy\n  KEY, again'),
      said('deploy keyboards'),
    );
    expect(seqs(project, '"deploy key"').sort()).toEqual([1, 3]);
    expect(seqs(project, 'key -"deploy key"')).toEqual([2]);
    expect(found(project, '"deploy key"').of).toBe(2);
    expect(seqs(project, 'deploy -keyboard').sort()).toEqual([1, 2, 3]);
  });

  it('looks for a path in the files alone, whole or in part', () => {
    const edit = (id: string, file: string) =>
      ran(id, 'Edit', { file_path: file, old_string: 'a', new_string: 'retry' }, { response: '' });
    const project = told(
      ...edit('t1', '/p/src/db.ts'),
      ...edit('t2', '/p/src/db.test.ts'),
      said('retry in src/db.ts'),
    );
    expect(seqs(project, 'retry path:src/db.ts')).toEqual([1]);
    expect(seqs(project, 'retry path:src').sort()).toEqual([1, 3]);
    expect(seqs(project, 'path:db.test')).toEqual([3]);
    expect(seqs(project, 'retry', { file: 'src/db.ts' })).toEqual([1]);
    expect(seqs(project, 'retry path:src -path:db.test.ts')).toEqual([1]);
  });

  it('keeps to a session, a kind, a type, a time and what came after an event', () => {
    const project = told(
      said('postgres one', { session: 'a', at: START }),
      said('postgres two', { session: 'b', at: START + HOUR }),
      answered('postgres three', { session: 'b', at: START + 2 * HOUR }),
    );
    expect(seqs(project, 'postgres', { session: 'a' })).toEqual([1]);
    expect(seqs(project, 'postgres kind:answer')).toEqual([3]);
    expect(seqs(project, 'postgres', { kinds: ['answer'] })).toEqual([3]);
    expect(seqs(project, 'postgres', { types: ['message.recorded'] })).toEqual([3]);
    expect(seqs(project, 'postgres', { since: START + HOUR }).sort()).toEqual([2, 3]);
    expect(seqs(project, 'postgres', { until: START + HOUR }).sort()).toEqual([1, 2]);
    expect(seqs(project, 'postgres', { after: 2 })).toEqual([3]);
  });

  it('gives pages that fit together, and only the best of each session when that is asked', () => {
    const all = Array.from({ length: 25 }, (_, n) =>
      said(`postgres ${n}`, { session: `s${n % 3}` }),
    );
    const project = told(...all);
    const pages = [0, 10, 20].flatMap((skip) => seqs(project, 'postgres', { skip }));
    expect(new Set(pages).size).toBe(25);
    expect(found(project, 'postgres', { skip: 10 }).isMore).toBe(true);
    expect(found(project, 'postgres', { skip: 20 }).isMore).toBe(false);
    const { matches, of } = found(project, 'postgres', { isPerSession: true });
    expect([new Set(matches.map(({ session }) => session)).size, of]).toEqual([3, 3]);
  });

  it('gives pages that fit together, far beyond those hits that speak for each other', {
    tags: 'long',
  }, () => {
    const random = seeded(3);
    const word = () => ['postgres', 'pool', 'retry', 'queue'][Math.floor(random() * 4)]!;
    const all = Array.from({ length: 600 }, (_, n) =>
      said(`postgres ${word()} ${word()} ${n}`, { session: `s${n % 40}` }),
    );
    const project = told(...all);
    const query = 'postgres pool retry';
    const whole = seqs(project, query, { limit: 600 });
    const pages = Array.from({ length: 4 }, (_, n) =>
      seqs(project, query, { skip: 150 * n, limit: 150 }),
    );
    expect(pages.flat()).toEqual(whole);
  });

  it('answers whatever is asked, and refuses only what asks for nothing', () => {
    const project = told(said('postgres \ud800 \0 語言 العربية'));
    for (const query of ['???', '"', '\0', '\ud800', 'x '.repeat(5_000), '"'.repeat(10_000)])
      expect(found(project, query).matches, query.slice(0, 20)).toEqual([]);
    for (const query of ['語言', 'العربية', `${'nothing '.repeat(1_200)}postgres`])
      expect(seqs(project, query), query.slice(0, 20)).toEqual([1]);
    expect(codeOf(() => found(project, ''))).toBe('USAGE');
    expect(found(openTestProject(), 'postgres')).toMatchObject({ matches: [], of: 0, events: 0 });
  });
});

describe('a search as of a point', () => {
  const inSession = (session: string, from: number) => [
    said('postgres first', { session, at: from, fact: `${session}1` }),
    answered('postgres is chosen', { session, at: from + 1, fact: `${session}2` }),
    said('postgres last', { session, at: from + 2, fact: `${session}3` }),
    answered('postgres runs', { session, at: from + 3, fact: `${session}4` }),
  ];
  const project = () => told(...inSession('a', START), ...inSession('b', START + HOUR));

  it('knows what the journal knew by an event, itself included', () => {
    const it = project();
    expect(seqs(it, 'postgres', asOf(it, '@3')).sort()).toEqual([1, 2, 3]);
    expect(seqs(it, 'postgres', asOf(it, '@0'))).toEqual([]);
    expect(seqs(it, 'postgres', asOf(it, '@head'))).toHaveLength(8);
  });

  it('knows what came before a prompt, without that prompt, in other sessions by the time', () => {
    const it = project();
    expect(seqs(it, 'postgres', asOf(it, '@prompt:-1')).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(seqs(it, 'postgres', asOf(it, '@prompt:1', 'b')).sort()).toEqual([1, 2, 3, 4]);
    expect(seqs(it, 'postgres', asOf(it, '@prompt:-1', 'a')).sort()).toEqual([1, 2]);
  });

  it('knows nothing of a session at its start, all at its end, and what happened up to a time', () => {
    const it = project();
    expect(seqs(it, 'postgres', asOf(it, '@session:b')).sort()).toEqual([1, 2, 3, 4]);
    expect(seqs(it, 'postgres', asOf(it, '@session:a:end')).sort()).toEqual([1, 2, 3, 4]);
    const time = new Date(START + HOUR + 1).toISOString();
    expect(seqs(it, 'postgres', asOf(it, `@${time}`)).sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('knows a prompt by its place in the conversation, whatever the clock of the hook said', () => {
    const it = openTestProject();
    importInto(it, path.join(FIXTURES, 'real-client/working-session'));
    const query = 'dates readme overdue filter kind:prompt';
    const before = (n: number) => seqs(it, query, asOf(it, `@prompt:${n}`, '30b880')).sort();
    expect([1, 2, 3].map(before)).toEqual([[], [1], [1, 27]]);
  });
});

describe('what the conversation went back from', () => {
  it('counts a quarter and says so, and as of before it counts in full', () => {
    const project = openTestProject();
    importInto(project, path.join(FIXTURES, 'real-client/rewound-and-forked'));
    const session = 'f2e259d5-db24-48de-b68d-61dd8307c7f4';
    const [right, wrong] = found(project, 'try the wrong way', { session }).matches;
    expect([wrong?.title, right?.title]).toEqual([
      'Try it the wrong way.',
      'Try it the right way.',
    ]);
    expect(right).toMatchObject({ standing: 'in force', parts: { standing: 1 } });
    expect(wrong).toMatchObject({
      standing: `abandoned by @${right?.seq}`,
      parts: { standing: 0.25 },
    });
    for (const point of [
      `@${right!.seq - 1}`,
      '@prompt:-1',
      `@${new Date(right!.at! - 1).toISOString()}`,
    ]) {
      const before = found(project, 'try the wrong way', {
        session,
        ...asOf(project, point, session),
      });
      expect(before.matches, point).toMatchObject([
        { seq: wrong?.seq, standing: 'in force', parts: { standing: 1 } },
      ]);
    }
  });
});
