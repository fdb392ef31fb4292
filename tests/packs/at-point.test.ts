import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../src/capture/redaction/index.ts';
import type { ToolSucceeded } from '../../src/events/types.ts';
import { addSources, createPack } from '../../src/packs/change.ts';
import { packsOf, renderOf } from '../../src/packs/of-project.ts';
import { pastOf } from '../../src/packs/sources/at-point.ts';
import { sourcesOf } from '../../src/packs/sources/sources.ts';
import type { Project } from '../../src/project/open.ts';
import { readEvents } from '../../src/projections/events.ts';
import { merge } from '../../src/timetravel/merge.ts';
import { resolvePoint } from '../../src/timetravel/resolve.ts';
import { scratch } from '../support.ts';
import { ran, saw, tell } from '../tell.ts';
import { imported, testProject, transcript } from '../timetravel/project.ts';
import { contentsOf, type Given, reasonsOf, renderIn } from './support.ts';
import { movedInto, RECORDED, recordedCalls, replayed } from './transcripts.ts';

const then = (project: Project, point: string | number) =>
  pastOf(project, resolvePoint(project, `@${point}`));

/** With nothing on the disk. */
const readerAt = (project: Project, point: string | number) =>
  then(project, point).read(() => 'missing');

describe('files at a point', () => {
  it.each(RECORDED)('are those that another program replays: %s', async (name, from) => {
    const dir = scratch();
    const transcripts = movedInto(dir, from, [transcript(name)]);
    const project = imported(testProject({ dir }), ...transcripts);
    const calls = recordedCalls(...transcripts);
    let known = 0;
    for (const [seq, done] of outcomes(project)) {
      const read = readerAt(project, seq);
      for (const [file, text] of replayed(calls.filter(({ id }) => done.has(id)))) {
        if (!file.startsWith(`${dir}/`)) continue;
        const found = read(path.relative(dir, file), { allowSensitive: false, isFound: false });
        expect(`@${seq} ${file} ${found}`).toBe(`@${seq} ${file} ${expected(text)}`);
        known += typeof found === 'string' ? 0 : 1;
      }
    }
    expect(known).toBeGreaterThan(5);
  });
});

/** An agent that works on files, and a journal that sees only what tools say. */
class Agent {
  readonly project: Project = testProject();
  #calls = 0;

  path(name: string): string {
    return path.join(this.project.dir, name);
  }

  onDisk(name: string, content: string): void {
    mkdirSync(path.dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
  }

  call(name: string, input: object, response: object, about: { session?: string } = {}): number {
    this.#calls += 1;
    const at = this.#calls * 1000;
    tell(this.project, ...ran(`t${this.#calls}`, name, input, { response }, { at, ...about }));
    return resolvePoint(this.project, '@head').seq;
  }

  /** @returns the event after which it is there */
  writes(name: string, content: string, session = 's'): number {
    this.onDisk(name, content);
    return this.call('Write', { file_path: this.path(name), content }, {}, { session });
  }

  reads(name: string, content: string, totalLines = content.split('\n').length): number {
    const numLines = content.split('\n').length;
    const file = { filePath: this.path(name), content, startLine: 1, numLines, totalLines };
    return this.call('Read', { file_path: this.path(name) }, { type: 'text', file });
  }

  async at(point: string | number, given: readonly Given[]) {
    const at = resolvePoint(this.project, `@${point}`);
    const options = { past: pastOf(this.project, at), sources: sourcesOf(this.project, at) };
    const rendered = await renderIn(this.project.dir, given, options);
    return { ...contentsOf(rendered), ...reasonsOf(rendered) };
  }
}

describe('a pack at a point', () => {
  it('has what the journal last saw, in all sessions, and guesses nothing', async () => {
    const agent = new Agent();
    agent.onDisk('never-seen.ts', 'x\n');
    const first = agent.writes('a.ts', 'one\n');
    agent.reads('part.ts', 'a\nb', 900);
    const second = agent.writes('a.ts', 'two\n', 'another');
    agent.writes('a.ts', 'three\n');
    const given = ['file:a.ts', 'file:part.ts', 'file:never-seen.ts'];
    const unknown = { 'part.ts': 'unknown_then', 'never-seen.ts': 'unknown_then' };
    expect(await agent.at(first, given)).toEqual({ 'a.ts': 'one\n', ...unknown });
    expect(await agent.at(second, given)).toEqual({ 'a.ts': 'two\n', ...unknown });
    expect(await agent.at(0, given)).toEqual({ 'a.ts': 'unknown_then', ...unknown });
  });

  it('goes on from what another session wrote, after a part was read', async () => {
    const agent = new Agent();
    agent.writes('a.ts', 'one\ntwo\n');
    const response = { filePath: agent.path('a.ts'), userModified: false };
    const edit = { file_path: agent.path('a.ts'), old_string: 'one', new_string: '1' };
    const read = {
      type: 'text',
      file: { content: 'two', startLine: 2, numLines: 1, totalLines: 2 },
    };
    agent.call('Read', { file_path: agent.path('a.ts') }, read, { session: 'another' });
    const seq = agent.call('Edit', edit, response, { session: 'another' });
    expect(await agent.at(seq, ['file:a.ts'])).toEqual({ 'a.ts': '1\ntwo\n' });
  });

  it('cuts by what had happened where the point says so', async () => {
    const agent = new Agent();
    agent.writes('a.ts', 'one\n');
    tell(agent.project, saw('prompt.submitted', { text: 'again' }, { fact: 'p', at: 1500 }));
    agent.writes('a.ts', 'two\n');
    expect(await agent.at('prompt:-1', ['file:a.ts'])).toEqual({ 'a.ts': 'one\n' });
  });

  it('lists in a collection what the journal knew', async () => {
    const agent = new Agent();
    agent.onDisk('src/unseen.ts', 'x\n');
    agent.writes('src/b.ts', 'b\n');
    agent.reads('src/part.ts', 'a', 90);
    agent.writes('docs/a.md', '# a\n');
    const seq = agent.writes('.env', 'KEY=1\n');
    agent.writes('src/later.ts', 'x\n');
    expect(await agent.at(seq, ['glob:{src/**,.env}', 'md_dir:docs'])).toEqual({
      'src/b.ts': 'b\n',
      'src/part.ts': 'unknown_then',
      'docs/a.md': '# a\n',
      '.env': 'denied',
    });
  });

  it('takes today’s file where only its name is known, and is the same', async () => {
    const agent = new Agent();
    for (const name of ['same.ts', 'other.ts', 'gone.ts', 'kept.ts'])
      agent.writes(name, 'before\n');
    for (const name of ['same.ts', 'other.ts', 'kept.ts']) agent.onDisk(name, 'from outside\n');
    rmSync(agent.path('gone.ts'));
    merge(agent.project, { strategy: 'disk', paths: ['same.ts', 'other.ts', 'gone.ts'] });
    merge(agent.project, { strategy: 'journal', paths: ['kept.ts'] });
    const { seq } = resolvePoint(agent.project, '@head');
    agent.onDisk('other.ts', 'and again\n');
    const given = ['same.ts', 'other.ts', 'gone.ts', 'kept.ts'].map((name) => `file:${name}`);
    expect(await agent.at(seq, given)).toEqual({
      'same.ts': 'from outside\n',
      'other.ts': 'unknown_then',
      'gone.ts': 'missing',
      'kept.ts': 'before\n',
    });
    expect(await agent.at(seq, ['glob:*.ts'])).not.toHaveProperty('gone.ts');
  });

  it('follows a file that was moved', async () => {
    const agent = new Agent();
    agent.writes('old.ts', 'before\n');
    renameSync(agent.path('old.ts'), agent.path('new.ts'));
    merge(agent.project, { strategy: 'disk' });
    agent.onDisk('new.ts', 'after\n');
    expect(await agent.at('head', ['glob:*.ts'])).toEqual({ 'new.ts': 'before\n' });
  });

  it('reads nothing that rules of today keep out', async () => {
    const agent = new Agent();
    agent.writes('.env', 'KEY=1\n');
    mkdirSync(agent.path('real'));
    writeFileSync(agent.path('real/x.pem'), 'x');
    agent.writes('link.ts', 'as it was\n');
    rmSync(agent.path('link.ts'));
    symlinkSync(agent.path('real/x.pem'), agent.path('link.ts'));
    expect(await agent.at('head', ['file:.env', 'file:link.ts'])).toEqual({
      '.env': 'denied',
      'link.ts': 'denied',
    });
  });

  it('has ranges, outputs and rules of then, and no diff of git', async () => {
    const agent = new Agent();
    const shell = (command: string, stdout: string) =>
      agent.call('Bash', { command }, { stdout, stderr: '', interrupted: false });
    agent.writes('a.ts', 'one\ntwo\nthree\n');
    tell(agent.project, saw('prompt.submitted', { text: 'Never push to main.' }, { fact: 'p' }));
    const seq = shell('npm test', 'Tests: 1 failed, 1 passed');
    agent.writes('b.ts', 'b\n');
    shell('npm test', 'Tests: 2 passed');
    const given = [
      'file:a.ts#L2',
      'journal:run=npm test',
      'journal:rules',
      'journal:edited',
      'git:diff',
    ];
    expect(await agent.at(seq, given)).toEqual({
      'a.ts#L2': 'duplicate',
      'a.ts': 'one\ntwo\nthree\n',
      'npm test': 'Tests: 1 failed, 1 passed\n',
      rules: '- Never push to main.\n',
      'diff HEAD...worktree': 'unknown_then',
    });
  });

  it('counts back from the point', async () => {
    const agent = new Agent();
    const asks = (n: number) =>
      tell(agent.project, saw('prompt.submitted', { text: `${n}` }, { fact: `p${n}`, at: n }));
    agent.writes('a.ts', 'a\n');
    asks(1500);
    const seq = agent.writes('b.ts', 'b\n');
    asks(2500);
    agent.writes('c.ts', 'c\n');
    const since = (point: string): Given => ({
      source: 'journal:edited',
      options: { since: point },
    });
    expect(await agent.at(seq, [since('@prompt:-1')])).toEqual({ 'b.ts': 'b\n' });
    expect(await agent.at('head', [since('@prompt:-1')])).toEqual({ 'c.ts': 'c\n' });
    expect(await agent.at(seq, [since('@prompt:2')])).toEqual({ 'journal:edited': 'unknown_then' });
  });

  it('is the pack as it was defined then', async () => {
    const agent = new Agent();
    const { project } = agent;
    agent.writes('a.ts', 'one\n');
    agent.writes('b.ts', 'b\n');
    createPack(project, 'auth', {}, 'cli');
    await addSources(project, 'auth', ['file:a.ts'], {}, 'cli');
    const at = resolvePoint(project, '@head');
    agent.writes('a.ts', 'two\n');
    await addSources(project, 'auth', ['file:b.ts'], {}, 'cli');
    const then = await renderOf(project, { packs: packsOf(project, ['auth'], at), at });
    expect(contentsOf(then)).toEqual({ 'a.ts': 'one\n' });
    const now = await renderOf(project, { packs: packsOf(project, ['auth']) });
    expect(contentsOf(now)).toEqual({ 'a.ts': 'two\n', 'b.ts': 'b\n' });
    expect(() => packsOf(project, ['auth'], resolvePoint(project, '@2'))).toThrow(
      expect.objectContaining({ code: 'PACK_NOT_FOUND' }),
    );
  });
});

/** After each call of a file tool, which ones were done. */
function* outcomes({ reader, ports }: Project): Generator<[number, Set<string>]> {
  const done = new Set<string>();
  for (const { seq, data } of readEvents(reader, ports.xxh64, { types: ['tool.succeeded'] })) {
    const { toolUseId, name = '' } = data as ToolSucceeded;
    done.add(toolUseId);
    if (/^(?:Read|Write|\w*Edit)$/.test(name)) yield [seq, done];
  }
}

const { options: redaction } = compileRedaction();

/** What has a secret is not in the journal. */
const expected = (text: string | undefined): string =>
  text === undefined || redactText(text, redaction).text !== text ? 'unknown_then' : text;
