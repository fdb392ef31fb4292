import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { prompt } from '../../log/events.ts';
import { openTestProject } from '../../support.ts';
import { importInto, saw, tell } from '../../tell.ts';
import { loseEvent, loseHeader } from '../damaged.ts';
import {
  emptyProject,
  here,
  inMemory,
  lines,
  recordedProject,
  SESSION,
  SESSION_ID,
  SESSIONS,
  start,
} from '../support.ts';

interface Line {
  seq: number | null;
  at: number;
  type: string;
  data: Record<string, unknown>;
  waiting?: boolean;
}

/** Of the recorded session: its 52 events without 11 outcomes that stand in the line of their call. */
const LINES = 41;

describe('ben10 log', () => {
  it('prints the sample in README.md', async () => {
    const readme = readFileSync(path.join(import.meta.dirname, '../../../README.md'), 'utf8');
    const [, args, sample] = /```\n\$ ben10 (log .*)\n([\s\S]*?)```/.exec(readme)!;
    const dir = emptyProject();
    const [file] = readdirSync(path.join(SESSIONS, 'working-session/projects'), { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.jsonl'))
      .sort();
    await here(dir, ['import', path.join(SESSIONS, 'working-session/projects', file!)]);
    const { stdout } = await here(dir, args!.split(' '), { COLUMNS: '100' });
    // Another year has a date without a time.
    const settled = (text: string) => text.replace(/\d\d-\d\d \d\d:\d\d|\d{4}-\d\d-\d\d/g, 'TIME');
    expect(settled(stdout).replace(/ +TIME/g, ' TIME')).toBe(
      settled(sample!).replace(/ +TIME/g, ' TIME'),
    );
  });

  it('prints every event as one line of JSON, whose keys are the contract', async () => {
    const result = await here(recordedProject(), ['log', '--json']);
    expect(result.status).toBe(0);
    const events = lines<Line>(result);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 52 }, (_, i) => i + 1));
    for (const event of events) {
      expect(Object.keys(event)).toEqual([
        'seq',
        'id',
        'at',
        'type',
        'version',
        'session',
        'agent',
        'client',
        'source',
        'data',
      ]);
    }
    const called = events.find(({ type }) => type === 'tool.called')!;
    expect(called).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      at: expect.any(Number),
      version: 1,
      session: SESSION_ID,
      agent: null,
      client: 'claude-code',
      source: 'import',
      data: { toolUseId: expect.any(String), name: expect.any(String), input: expect.any(Object) },
    });
  });

  it('prints aligned lines for people, a call and its outcome in one, within 80 columns', async () => {
    const { code, stdout } = await inMemory(recordedProject(), ['log', '--all', '--limit', '0'], {
      env: { COLUMNS: '80' },
    });
    expect(code).toBe(0);
    const printed = stdout.trimEnd().split('\n');
    expect(printed).toHaveLength(LINES);
    expect(stdout).not.toContain('tool.called');
    for (const line of printed) {
      expect(line.length).toBeLessThanOrEqual(80);
      expect(line).toMatch(/^ {3,4}\d{1,2} {2}.{11} {2}d31653 {2}[a-z]+\.[a-z-]+ /);
    }
  });

  it('shows the newest forty to people who did not say how many, and that there are more', async () => {
    const dir = recordedProject();
    const few = await inMemory(dir, ['log', '--all']);
    expect(few.stdout).not.toMatch(/^ +1 /m);
    expect(few.stderr).toContain('earlier events are not shown');
    const said = await inMemory(dir, ['log', '--all', '--limit', '5']);
    expect(said.stdout).toMatch(/^ +47 /);
    expect(said.stderr).toBe('');
    const all = await inMemory(dir, ['log', '--type', 'prompt.']);
    expect(all.stderr).toBe('');
  });

  it('leaves out what is quiet unless it is asked for, and says how much', async () => {
    const dir = recordedProject();
    const all = lines<Line>(await inMemory(dir, ['log', '--json']));
    const isQuiet = ({ type, data }: Line) =>
      ['usage.sampled', 'transcript.read', 'fact.enriched'].includes(type) ||
      (type === 'message.recorded' && ['thinking', 'command'].includes(data.kind as string));
    const quiet = all.filter(isQuiet);
    const { stdout, stderr } = await inMemory(dir, ['log', '--limit', '0']);
    const outcomes = all.filter(({ type }) => /^tool\.(?:failed|succeeded)$/.test(type)).length;
    expect(stdout.trimEnd().split('\n')).toHaveLength(all.length - quiet.length - outcomes);
    expect(stdout).toMatch(/prompt\.submitted/);
    expect(stdout).toMatch(/compaction\.finished/);
    expect(stdout).not.toMatch(/usage\.sampled|transcript\.read/);
    expect(stderr).toBe(`${quiet.length} more with --all\n`);
    const asked = await inMemory(dir, ['log', '--type', 'usage.']);
    expect(asked.stdout).toContain('usage.sampled');
    expect(asked.stderr).toBe('');
    // Only what is quiet in the part that is shown.
    const newest = await inMemory(dir, ['log', '--limit', '1']);
    expect(newest.stderr).toMatch(/^\d more with --all\n$/);
  });

  it('counts lines, and cuts none between a call and its outcome', async () => {
    const dir = recordedProject();
    const whole = (await inMemory(dir, ['log', '--limit', '0'])).stdout.trimEnd().split('\n');
    for (let limit = 1; limit <= whole.length; limit += 1) {
      const { stdout } = await inMemory(dir, ['log', '--limit', String(limit)]);
      expect(stdout.trimEnd().split('\n')).toEqual(whole.slice(-limit));
    }
  });

  it('is quiet about what the client says of its own commands, and where nothing was given back', async () => {
    const project = openTestProject(emptyProject());
    const gave = { event: 'UserPromptSubmit', source: 'prompt', items: [] };
    tell(
      project,
      saw('message.recorded', { role: 'user', kind: 'command', text: 'Compacted' }),
      saw('recall.injected', { ...gave, chars: 0 }),
      saw('recall.injected', { ...gave, chars: 40 }),
    );
    const { stdout, stderr } = await inMemory(project.dir, ['log']);
    expect(stdout).toMatch(/^ +3 .*recall\.injected .*\n$/);
    expect(stderr).toBe('2 more with --all\n');
  });

  it('is in the order in which things happened, whatever ben10 learned first', async () => {
    const project = openTestProject(emptyProject());
    tell(project, saw('prompt.submitted', { text: 'now' }, { session: 'new', at: Date.now() }));
    importInto(project, SESSION);
    const logged = lines<Line>(await inMemory(project.dir, ['log', '--json']));
    const prompts = logged.filter(({ type }) => type === 'prompt.submitted');
    expect(prompts.map(({ seq }) => seq).at(-1)).toBe(1);
    expect(prompts.map(({ at }) => at)).toEqual(prompts.map(({ at }) => at).sort((a, b) => a - b));
    // The newest is the newest that happened, in words and for programs.
    const newest = ['log', '--type', 'prompt.', '--limit', '1'];
    expect((await inMemory(project.dir, newest)).stdout).toMatch(/ now\n$/);
  });

  it('puts what a hook saw where the transcript has it, however long the history', async () => {
    const project = openTestProject(emptyProject());
    const many = Array.from({ length: 2500 }, (_, n) =>
      saw('prompt.submitted', { text: `${n}` }, { at: 1000 + n * 10, fact: `p${n}` }),
    );
    // Arrived backwards, so that no two are where they belong.
    tell(project, ...many.reverse());
    const texts = async (...args: string[]) =>
      lines<Line>(await inMemory(project.dir, ['log', '--json', ...args])).map(
        ({ data }) => data.text,
      );
    expect(await texts()).toEqual(Array.from({ length: 2500 }, (_, n) => `${n}`));
    expect(await texts('--limit', '3')).toEqual(['2497', '2498', '2499']);
  });

  it('leaves out the end of a turn that repeats the answer, and keeps another', async () => {
    const project = openTestProject(emptyProject());
    const answer = { role: 'assistant', kind: 'text', text: 'All is done.' } as const;
    tell(
      project,
      saw('message.recorded', answer, { at: 10, fact: 'a' }),
      saw('turn.ended', { lastMessage: 'All is done.' }, { at: 11, fact: 'b' }),
      saw('turn.ended', { lastMessage: 'Another answer.' }, { at: 12, fact: 'c' }),
    );
    const { stdout } = await inMemory(project.dir, ['log']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(stdout).toContain('Another answer.');
  });

  it('keeps to types, sessions, times and a number, alone and together', async () => {
    const dir = recordedProject();
    const types = async (...args: string[]): Promise<string[]> => {
      const { stdout } = await inMemory(dir, ['log', '--json', ...args]);
      return lines<Line>({ stdout }).map(({ type }) => type);
    };
    expect(new Set(await types('--type', 'tool.'))).toEqual(
      new Set(['tool.called', 'tool.succeeded', 'tool.failed']),
    );
    expect(await types('--type', 'prompt.submitted', '--type', 'compaction.')).toEqual([
      'prompt.submitted',
      'compaction.finished',
      'prompt.submitted',
    ]);
    expect(await types('--session', 'd3165')).toHaveLength(52);
    expect(await types('--type', 'tool.failed', '--limit', '1')).toEqual(['tool.failed']);
    const at = lines<Line>(
      await inMemory(dir, ['log', '--json', '--type', 'compaction.finished']),
    )[0]!.at;
    const iso = new Date(at).toISOString();
    expect((await types('--since', iso, '--type', 'prompt.')).length).toBe(1);
    expect((await types('--until', iso, '--type', 'prompt.')).length).toBe(1);
    expect(await types('--since', iso, '--until', iso)).toContain('compaction.finished');
    expect(await types('--since', '2027-01-01')).toEqual([]);
  });

  it('keeps to a narrow terminal, and still says what each event is about', async () => {
    const dir = recordedProject();
    for (const columns of [40, 50, 60, 72, 80]) {
      const { stdout } = await inMemory(dir, ['log', '--all', '--limit', '0'], {
        env: { COLUMNS: `${columns}` },
      });
      const printed = stdout.trimEnd().split('\n');
      expect(printed.filter((line) => line.length > columns)).toEqual([]);
      const telling = printed.filter((line) => /^ +\d+ .*[a-z]+\.[a-z]+ +[^ …]/.test(line));
      expect(telling).toHaveLength(LINES);
    }
  });

  it('says on stderr that there is nothing to show', async () => {
    const nothing = await inMemory(emptyProject(), ['log']);
    expect(nothing).toMatchObject({ code: 0, stdout: '' });
    expect(nothing.stderr).toBe('nothing was recorded here yet; see: ben10 status\n');
    const none = await inMemory(recordedProject(), ['log', '--since', '2027-01-01']);
    expect(none).toMatchObject({ code: 0, stdout: '' });
    expect(none.stderr).toContain('no event matches');
    const asJson = await inMemory(emptyProject(), ['log', '--json']);
    expect(asJson).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('says which sessions there are when none starts as asked', async () => {
    const { code, stderr } = await inMemory(recordedProject(), ['log', '--session', 'ffff']);
    expect(code).toBe(1);
    expect(stderr).toContain(SESSION_ID);
  });

  it('takes a range of points as what happened between them', async () => {
    const dir = recordedProject();
    const seqs = async (range: string): Promise<(number | null)[]> => {
      const result = await inMemory(dir, ['log', range, '--json']);
      expect(result).toMatchObject({ code: 0, stderr: '' });
      return lines<Line>(result).map(({ seq }) => seq);
    };
    const upto = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, i) => from + i);
    expect(await seqs('@10..@20')).toEqual(upto(11, 20));
    expect(await seqs('@49..')).toEqual(upto(50, 52));
    expect(await seqs('..@3')).toEqual(upto(1, 3));
    expect(await seqs('@3')).toEqual(upto(1, 3));
    expect(await seqs('@-3..@head')).toEqual(upto(50, 52));
    expect(await seqs('@20..@10')).toEqual([]);
    // A prompt is a point just before it: it belongs to what came of it.
    expect(await seqs('@prompt:-1..@head')).toEqual(upto(37, 52));
    expect(await seqs('@prompt:1..@prompt:2')).toEqual(upto(1, 36));
    expect(await seqs('@compaction:-1..@prompt:-1')).toEqual([34, 35, 36]);
    expect(await seqs('@10..@compaction:-1')).toEqual(upto(11, 33));
    expect(await seqs(`@session:${SESSION_ID}..@session:${SESSION_ID}:end`)).toEqual(upto(1, 51));
  });

  it('takes days and ages for points, and says which times they are here', async () => {
    const now = new Date();
    const at = (days: number, hour: number) =>
      new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, hour).getTime();
    const project = openTestProject(emptyProject());
    const said = (text: string, time: number) =>
      saw('prompt.submitted', { text }, { at: time, fact: text });
    tell(
      project,
      ...[said('two days ago', at(2, 12)), said('yesterday', at(1, 0)), said('late', at(1, 23))],
      ...[said('today', at(0, 0)), said('now', now.getTime() - 60_000)],
    );
    const texts = async (...args: string[]) =>
      lines<Line>(await inMemory(project.dir, ['log', '--json', ...args])).map(
        ({ data }) => data.text,
      );
    expect(await texts('yesterday')).toEqual(['yesterday', 'late']);
    expect(await texts('@yesterday..yesterday')).toEqual(['yesterday', 'late']);
    expect(await texts('today..')).toEqual(['today', 'now']);
    expect(await texts('..yesterday')).toEqual(['two days ago', 'yesterday', 'late']);
    expect(await texts('30m..')).toContain('now');
    expect(await texts('30m..')).not.toContain('late');
    expect(await texts('--since', 'yesterday', '--until', 'yesterday')).toEqual([
      'yesterday',
      'late',
    ]);
    const { stderr } = await inMemory(project.dir, ['log', 'yesterday']);
    expect(stderr).toMatch(/^after @[\d-]+T00:00:00\.000(?:Z|[+-]\d\d:\d\d), up to @/);
  });

  it('keeps a range of one session to that session', async () => {
    const dir = recordedProject();
    const project = openTestProject(dir);
    project.writer.append([prompt('of another', { session: 'other' })]);
    const { stdout } = await inMemory(dir, ['log', '@prompt:-1..', '--session', 'd3', '--json']);
    expect(lines<Line>({ stdout }).map(({ seq }) => seq)).not.toContain(53);
  });

  it('follows: what is there, then each event as it comes, until Ctrl-C', {
    tags: 'long',
  }, async () => {
    const dir = emptyProject();
    const project = openTestProject(dir);
    project.writer.append([prompt('0')]);
    const running = start(dir, ['log', '--follow', '--json']);
    for (let n = 1; n <= 5; n += 1) {
      await running.until((stdout) => lines({ stdout }).length === n);
      project.writer.append([prompt(String(n))]);
    }
    const stdout = await running.until((text) => lines({ stdout: text }).length === 6);
    expect(lines<Line>({ stdout }).map(({ data }) => data.text)).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
    expect(await running.end('SIGINT')).toBe(0);
  });

  it('follows quietly, too, and shows what is asked for by its type', {
    tags: 'long',
  }, async () => {
    const dir = emptyProject();
    const project = openTestProject(dir);
    const usage = { inputTokens: 1, outputTokens: 1, cacheCreationTokens: 0, cacheReadTokens: 0 };
    const both = (n: number) => [
      saw('usage.sampled', { messageId: `m${n}`, ...usage }, { at: n, fact: `u${n}` }),
      saw('prompt.submitted', { text: `prompt ${n}` }, { at: n, fact: `p${n}` }),
    ];
    tell(project, ...both(1));
    const quiet = start(dir, ['log', '--follow']);
    const asked = start(dir, ['log', '--follow', '--type', 'usage.']);
    await Promise.all([quiet.until((text) => text.includes('prompt 1')), asked.until(Boolean)]);
    tell(project, ...both(2));
    expect(await quiet.until((text) => text.includes('prompt 2'))).not.toContain('usage.sampled');
    await asked.until((text) => text.split('usage.sampled').length === 3);
  });

  it('says that events could not be read, in words and as the last line of JSON', async () => {
    const dir = recordedProject();
    loseHeader(dir);
    const segments = ['0000000000000001.b10'];
    expect(await inMemory(dir, ['log'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'some events could not be read, in 0000000000000001.b10: run ben10 verify\n',
    });
    expect(lines(await inMemory(dir, ['log', '--json']))).toEqual([
      { unreadable: { events: null, segments } },
    ]);
    const one = recordedProject();
    loseEvent(one);
    const { stderr } = await inMemory(one, ['log', '--limit', '0']);
    expect(stderr).toContain('1 event could not be read, in 0000000000000001.b10: run ben10 ver');
    const all = lines(await inMemory(one, ['log', '--json']));
    expect(all).toHaveLength(52);
    expect(all.at(-1)).toEqual({ unreadable: { events: 1, segments } });
  });

  it('says so at once when it follows', async () => {
    const dir = recordedProject();
    loseEvent(dir);
    const running = start(dir, ['log', '--follow', '--json', '--limit', '1']);
    const stdout = await running.until((text) => lines({ stdout: text }).length === 2);
    expect(lines({ stdout })[0]).toMatchObject({ unreadable: { events: 1 } });
    expect(await running.end('SIGINT')).toBe(0);
  });
});
