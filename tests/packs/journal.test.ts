import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourcesOf } from '../../src/packs/sources/sources.ts';
import type { Project } from '../../src/project/open.ts';
import { resolvePoint } from '../../src/timetravel/resolve.ts';
import { folder, scratch } from '../support.ts';
import { ran, saw, tell } from '../tell.ts';
import { imported, testProject, transcript } from '../timetravel/project.ts';
import { blocksOf, contentsOf, type Given, reasonsOf, renderIn, textOf } from './support.ts';
import { fileOf, movedInto, RECORDED, recordedCalls } from './transcripts.ts';

/** What a pack of these sources has of a journal. */
const rendered = (project: Project, given: readonly Given[], point?: string) =>
  renderIn(project.dir, given, {
    sources: sourcesOf(project, point === undefined ? undefined : resolvePoint(project, point)),
  });

const labels = async (project: Project, source: string, point?: string): Promise<string[]> => {
  const { included, excluded } = await rendered(project, [source], point);
  return [...included, ...excluded].map(({ candidate }) => candidate.label).sort();
};

/** Tells a journal of calls, each a second after the one before. */
class Agent {
  readonly project: Project;
  #calls = 0;

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.project = testProject({ dir: folder(files) });
  }

  call(
    name: string,
    input: object,
    end: { response: unknown } | { error: string; exitCode?: number },
  ): void {
    this.#calls += 1;
    tell(this.project, ...ran(`t${this.#calls}`, name, input, end, { at: this.#calls * 1000 }));
  }

  shell(command: string, stdout: string): void {
    this.call('Bash', { command }, { response: { stdout, stderr: '', interrupted: false } });
  }

  fails(command: string, error: string): void {
    this.call('Bash', { command }, { error: `Exit code 1\n${error}`, exitCode: 1 });
  }

  edits(name: string, tool = 'Edit'): void {
    this.call(tool, { file_path: path.join(this.project.dir, name) }, { response: {} });
  }

  says(text: string): void {
    this.#calls += 1;
    tell(
      this.project,
      saw('prompt.submitted', { text }, { fact: `p${this.#calls}`, at: this.#calls * 1000 }),
    );
  }
}

describe('journal:touched, edited and read', () => {
  it.each(RECORDED)('are the files that the transcript has: %s', async (name, from) => {
    const dir = scratch();
    const transcripts = movedInto(dir, from, [transcript(name)]);
    const project = imported(testProject({ dir }), ...transcripts);
    const namesOf = (tools: RegExp): string[] => {
      const calls = recordedCalls(...transcripts).filter(
        ({ tool, isError }) => tools.test(tool) && !isError,
      );
      return [...new Set(calls.map((call) => path.relative(dir, fileOf(call))))].sort();
    };
    expect(await labels(project, 'journal:touched')).toEqual(namesOf(/^(?:Read|Write|\w*Edit)$/));
    expect(await labels(project, 'journal:edited')).toEqual(namesOf(/^(?:Write|\w*Edit)$/));
    expect(await labels(project, 'journal:read')).toEqual(namesOf(/^Read$/));
  });

  it('are files as they are now, by name, and those outside are left out', async () => {
    const agent = new Agent({ 'b.ts': 'b now\n', 'a.ts': 'a now\n', '.env': 'KEY=1\n' });
    for (const name of ['b.ts', '../other/c.ts', 'gone.ts', '.env', 'a.ts', 'b.ts'])
      agent.edits(name);
    const found = await rendered(agent.project, ['journal:touched']);
    expect(contentsOf(found)).toEqual({ 'a.ts': 'a now\n', 'b.ts': 'b now\n' });
    expect(Object.keys(contentsOf(found))).toEqual(['a.ts', 'b.ts']);
    expect(reasonsOf(found)).toEqual({
      '../other/c.ts': 'outside',
      'gone.ts': 'missing',
      '.env': 'denied',
    });
  });

  it('leave out what failed, and what came before --since', async () => {
    const agent = new Agent({ 'a.ts': 'a\n', 'b.ts': 'b\n', 'c.ts': 'c\n' });
    agent.edits('a.ts');
    agent.says('go on');
    agent.edits('b.ts');
    agent.call('Edit', { file_path: `${agent.project.dir}/c.ts` }, { error: 'String not found' });
    const since = { source: 'journal:edited', options: { since: '@prompt:-1' } };
    expect(Object.keys(contentsOf(await rendered(agent.project, ['journal:edited'])))).toEqual([
      'a.ts',
      'b.ts',
    ]);
    expect(Object.keys(contentsOf(await rendered(agent.project, [since])))).toEqual(['b.ts']);
  });
});

describe('journal:failed', () => {
  it('has what commands printed whose last run failed, the newest first', async () => {
    const agent = new Agent();
    agent.fails('npm test', 'Tests: 1 failed, 3 passed');
    agent.fails('cargo build', 'error[E0308]: mismatched types');
    agent.fails('npx eslint .', '✖ 2 problems (2 errors, 0 warnings)');
    agent.shell('npm test', 'Tests: 4 passed');
    const found = await rendered(agent.project, ['journal:failed']);
    expect(blocksOf(found)).toEqual([
      '<ben10-item cmd="npx eslint ." exit="1">\nExit code 1\n✖ 2 problems (2 errors, 0 warnings)\n</ben10-item>\n',
      '<ben10-item cmd="cargo build" exit="1">\nExit code 1\nerror[E0308]: mismatched types\n</ben10-item>\n',
    ]);
  });

  it('has neither what the user refused, nor what ben10 said', async () => {
    const agent = new Agent();
    agent.fails('npx ben10 show 12', 'POINT_NOT_FOUND');
    agent.call('mcp__ben10__recall', { query: 'x' }, { error: 'nothing' });
    agent.call(
      'Bash',
      { command: 'rm -rf build' },
      {
        error:
          "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.",
      },
    );
    expect(await labels(agent.project, 'journal:failed')).toEqual([]);
  });

  it('keeps two commands that printed the same', async () => {
    const agent = new Agent();
    agent.fails('make lint', 'boom');
    agent.fails('make docs', 'boom');
    expect(await labels(agent.project, 'journal:failed')).toEqual(['make docs', 'make lint']);
  });
});

describe('journal:run=PATTERN', () => {
  it('is the last recorded run, and runs nothing', async () => {
    const agent = new Agent();
    const { dir } = agent.project;
    agent.shell(`touch ${dir}/mark && npm test -- auth`, 'Tests: 1 passed');
    agent.shell('cd app && npm run test -- auth 2>&1 | tail -5', 'Tests: 2 passed');
    agent.shell('echo npm test', 'npm test');
    const found = await rendered(agent.project, ['journal:run=npm test']);
    expect(contentsOf(found)).toEqual({
      'cd app && npm run test -- auth 2>&1 | tail -5': 'Tests: 2 passed\n',
    });
    expect(existsSync(`${dir}/mark`)).toBe(false);
  });

  it('takes words of what only looks, and stars', async () => {
    const agent = new Agent();
    agent.shell('git status --short', ' M a.ts');
    agent.shell('docker compose up -d api', 'Started');
    expect(await labels(agent.project, 'journal:run=git status')).toEqual(['git status --short']);
    expect(await labels(agent.project, 'journal:run=docker*api')).toEqual([
      'docker compose up -d api',
    ]);
  });

  it('says that there is none', async () => {
    const found = await rendered(new Agent().project, ['journal:run=npm test']);
    expect(reasonsOf(found)).toEqual({ 'journal:run=npm test': 'not_captured' });
  });

  it('gives 64 KiB at most, in whole lines, and no half of a secret', async () => {
    const agent = new Agent();
    const line = `${'x'.repeat(79)}\n`;
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${`${'A1b2'.repeat(16)}\n`.repeat(600)}-----END RSA PRIVATE KEY-----\n`;
    agent.shell('npm test', `${line.repeat(100)}${key}${line.repeat(1500)}done\n`);
    const { 'npm test': text = '' } = contentsOf(
      await rendered(agent.project, ['journal:run=npm test']),
    );
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64 * 1024);
    expect(Buffer.byteLength(text)).toBeGreaterThan(60 * 1024);
    expect(text).toMatch(/^\[[\d,]+ bytes are left out here\]$/m);
    expect(text).not.toContain('A1b2');
    expect(text.split('\n').every((one) => !one.startsWith('x') || one === line.trim())).toBe(true);
    expect(text.endsWith('done\n')).toBe(true);
  });
});

describe('journal:rules', () => {
  it('is what the user asks for', async () => {
    const agent = new Agent();
    agent.says('Always use tabs in this repo. Now fix the login.');
    agent.says('Never push to main.');
    const found = await rendered(agent.project, ['journal:rules']);
    expect(blocksOf(found)).toEqual([
      '<ben10-item journal="rules">\n- Always use tabs in this repo.\n- Never push to main.\n</ben10-item>\n',
    ]);
    expect(found.included[0]!.candidate.events).toHaveLength(2);
  });
});

describe('what the journal has', () => {
  it('names its events beside its bytes, which are the same in another journal', async () => {
    const told = (agent: Agent): Project => {
      agent.edits('a.ts');
      agent.fails('npm test', '1 failed');
      return agent.project;
    };
    const files = { 'a.ts': 'a\n' };
    const other = new Agent(files);
    other.says('hello');
    const sources = ['journal:touched', 'journal:failed'];
    const [one, two] = [
      await rendered(told(new Agent(files)), sources),
      await rendered(told(other), sources),
    ];
    expect(one.renderHash).toBe(two.renderHash);
    expect(textOf(one)).toBe(textOf(two));
    const eventsOf = ({ included }: typeof one) =>
      included.map(({ candidate }) => candidate.events);
    expect(eventsOf(one)).toEqual([[2], [4]]);
    expect(eventsOf(two)).toEqual([[3], [5]]);
  });

  it('is not there for a session or a point that it does not know', async () => {
    const { project } = new Agent();
    for (const options of [{ session: 'nobody' }, { since: '@compaction:-1' }, { since: '@900' }]) {
      const found = await rendered(project, [{ source: 'journal:failed', options }]);
      expect(reasonsOf(found)).toEqual({ 'journal:failed': 'unknown_then' });
    }
    const bad = rendered(project, [{ source: 'journal:failed', options: { since: '@never:1' } }]);
    await expect(bad).rejects.toMatchObject({ code: 'POINT_INVALID' });
  });

  it.each([
    'journal:',
    'journal:all',
    'journal:run=',
    'journal:run=*',
    'journal:run=a\nb',
    `journal:run=${'a'.repeat(201)}`,
    'journal:run=*a*b*c*',
  ])('is refused for %j', (source) => {
    expect(() => rendered(new Agent().project, [source])).toThrow(
      expect.objectContaining({ code: 'USAGE' }),
    );
  });
});
