import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, validate } from 'graphql';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Ben10Config } from '../../src/platform/config/keys.ts';
import { JOBS } from '../../src/project/features.ts';
import type { Project } from '../../src/project/open.ts';
import { readEvents } from '../../src/projections/events.ts';
import { deliveries } from '../../src/projections/folds/deliveries.ts';
import { deliverDue } from '../../src/tracker/deliver.ts';
import { trackerJob } from '../../src/tracker/job.ts';
import { DOCUMENTS } from '../../src/tracker/linear.ts';
import { git } from '../handoff/support.ts';
import { iterate, startLoop } from '../loop/support.ts';
import { folder, openTestProject } from '../support.ts';
import { answering, KEY, Linear, SCHEMA } from './linear-server.ts';
import { deliver, handOff, settingsOf, TRACKED, trackedProject } from './support.ts';

const eventsOf = ({ reader, ports }: Project) => [...readEvents(reader, ports.xxh64, {})];
const typesOf = (project: Project) => eventsOf(project).map(({ type }) => type);
const failuresOf = (project: Project) => project.states.at(deliveries, null).state.failures;
const TOKEN = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';

it.each(Object.entries(DOCUMENTS))('asks Linear what its schema has: %s', (_, document) => {
  expect(validate(SCHEMA, parse(document))).toEqual([]);
});

describe('an issue', () => {
  it('gets one comment a session, to which each handoff adds its line', async () => {
    const linear = await new Linear().listen();
    linear.issue('ENG-1');
    const project = trackedProject();
    const first = handOff(project, { percent: 71.6, steps: ['Split `it`', '@all: go'] });
    await deliver(project, linear);
    const second = handOff(project, { percent: 86, text: '# The ``` second\n+++ b/a.ts' });
    handOff(project, { session: 'session-2', steps: ['Of another'] });
    expect((await deliver(project, linear)).sent.map(({ what }) => what)).toEqual([
      ...['comment', 'issue', 'comment'],
    ]);
    expect(linear.comments).toHaveLength(2);
    const { body } = linear.comments[0]!;
    expect(body).toMatch(/^\*\*ben10\*\*: handoffs of session `session-`\n\n- \*\*L2 at 72%\*\*, /);
    for (const words of [first, second, 'ab'.repeat(32), '`.claude/handoffs/2026-01-07-1145.md`'])
      expect(body).toContain(words);
    // Quoted words are neither markup nor mention.
    expect(body).toContain("  1. `Split 'it'`\n  2. `@all: go`\n- **L2 at 86%**");
    // Folded away, the newest document alone, in a block that nothing in it ends.
    expect(body).toContain(
      '+++ Handoff document\n\n````markdown\n# The ``` second\n +++ b/a.ts\n````\n\n+++',
    );
    expect(body).not.toContain('Of another');
    expect((await deliver(project, linear)).sent).toEqual([]);
    expect(linear.asked).toEqual('Look Comment Label Change Look Comment ChangeComment'.split(' '));
  });

  it('is started if it was not, and stays where it is otherwise', async () => {
    const linear = await new Linear().listen();
    const states = ['s-back', 's-todo', 's-review', 's-done'];
    for (const [n, state] of states.entries()) linear.issue(`ENG-${n}`, state);
    const project = trackedProject();
    for (const n of states.keys()) handOff(project, { issue: `ENG-${n}` });
    expect((await deliver(project, linear)).failed).toEqual([]);
    expect(linear.issues.map(({ state }) => state)).toEqual([
      ...['s-doing', 's-doing', 's-review', 's-done'],
    ]);
    linear.issue('ENG-7');
    handOff(project, { issue: 'ENG-7' });
    await deliver(project, linear, settingsOf({ linear: { state: 'in review' } }));
    expect(linear.issues.at(-1)!.state).toBe('s-review');
    // Somebody puts it back: nothing moves it again.
    linear.issues[0]!.state = 's-back';
    await deliver(project, linear);
    expect(linear.issues[0]!.state).toBe('s-back');
  });

  it('gets the label of its team, which is made if there is none, and keeps its others', async () => {
    const linear = await new Linear().listen();
    const [eng, ops] = [linear.issue('ENG-1'), linear.issue('OPS-1', 's-todo', 'OPS')];
    linear.labels.push({ id: 'bug', name: 'Bug', team: 'ENG' });
    linear.labels.push({ id: 'theirs', name: 'Context-Checkpointed', team: 'OPS' });
    eng.labels.push('bug');
    const project = trackedProject();
    for (const issue of ['ENG-1', 'OPS-1']) handOff(project, { issue });
    await deliver(project, linear);
    const [made] = linear.labels.slice(2);
    expect(made).toMatchObject({ name: 'context-checkpointed', team: 'ENG' });
    expect([eng.labels, ops.labels]).toEqual([['bug', made!.id], ['theirs']]);
    expect(linear.labels).toHaveLength(3);
  });

  it('gets the document as an attachment where it is committed and the remote shows it', async () => {
    const linear = await new Linear().listen();
    linear.issue('ENG-1');
    const dir = folder({ 'a.txt': 'a\n' });
    git(dir, 'init', '-q');
    git(dir, 'remote', 'add', 'origin', `https://me:${TOKEN}@git.example.com/acme/app.git`);
    const project = trackedProject(dir);
    handOff(project, { branch: 'feature/x#1' });
    await deliver(project, linear, settingsOf({}, true));
    await deliver(project, linear, settingsOf({}, true));
    expect(linear.attachments.map(({ url }) => url)).toEqual([
      'https://git.example.com/acme/app/blob/feature/x%231/.claude/handoffs/2026-01-07-1145.md',
    ]);
  });

  it('is told no secret, and of the document only its place where that is set so', async () => {
    const linear = await new Linear().listen();
    linear.issue('ENG-1');
    const project = trackedProject();
    handOff(project, { text: `# Document with ${TOKEN}`, steps: [`use ${TOKEN}`] });
    await deliver(project, linear);
    expect(linear.comments[0]!.body).toContain('# Document with [REDACTED:');
    handOff(project, { text: '# Document' });
    await deliver(project, linear, settingsOf({ send: 'summary', label: '' }));
    expect(linear.comments[0]!.body).not.toContain('# Document');
    expect(JSON.stringify(linear.comments)).not.toContain(TOKEN);
  });
});

describe('what cannot be told', () => {
  it('is told later: after 1, 2, 4 minutes up to an hour, or what the tracker asks for', async () => {
    let now = Date.UTC(2026, 0, 7);
    const linear = await new Linear().listen();
    linear.issue('ENG-1');
    linear.fault = () => 'broken';
    const project = openTestProject(undefined, { tracker: TRACKED });
    Object.assign(project.ports, { clock: { ...project.ports.clock, now: () => now } });
    handOff(project);
    const waits: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      const { failed } = await deliver(project, linear, settingsOf(), { isAsked: false });
      expect(failed.map(({ code }) => code)).toEqual(['server-error']);
      waits.push((failed[0]!.retryAt! - now) / 60_000);
      now = failed[0]!.retryAt! - 1;
      const early = await deliver(project, linear, settingsOf(), { isAsked: false });
      expect([early.failed, early.open]).toEqual([[], 2]);
      now += 1;
    }
    for (const [n, wait] of waits.entries()) {
      const minutes = Math.min(60, 2 ** n);
      expect(wait).toBeGreaterThanOrEqual(0.75 * minutes - 0.001);
      expect(wait).toBeLessThanOrEqual(1.25 * minutes + 0.001);
    }
    // A clock that is set back makes nobody wait for it.
    now -= 86_400_000;
    linear.fault = () => 'limited';
    const limited = await deliver(project, linear, settingsOf(), { isAsked: false });
    expect(limited.failed).toMatchObject([{ code: 'limited' }]);
    expect(limited.failed[0]!.retryAt! - now).toBeGreaterThan(80_000);
    linear.fault = () => undefined;
    expect((await deliver(project, linear, settingsOf(), { isAsked: true })).open).toBe(0);
    expect(failuresOf(project)).toEqual({});
  });

  it('of one issue stops no other one', async () => {
    const linear = await new Linear().listen();
    linear.issue('ENG-1');
    const project = trackedProject();
    for (const issue of ['UTF-8', 'ENG-1']) handOff(project, { issue });
    const { failed, open } = await deliver(project, linear);
    expect([failed, open]).toEqual([
      [{ issue: 'UTF-8', code: 'no-issue', retryAt: expect.any(Number) as number }],
      2,
    ]);
    expect(linear.comments).toHaveLength(1);
    const named = await deliver(project, linear, settingsOf({ linear: { state: 'Nowhere' } }));
    expect(named.failed.map(({ code }) => code)).toEqual(['no-issue']);
  });

  it('because the key is refused is not tried again by this process, but by one that is asked to', async () => {
    const linear = await new Linear().listen();
    linear.issue('ENG-1');
    const project = trackedProject();
    handOff(project);
    const way = { isAsked: false, key: 'lin_api_wrong' };
    expect((await deliver(project, linear, settingsOf(), way)).failed).toMatchObject([
      { code: 'refused-key' },
    ]);
    const again = await deliver(project, linear, settingsOf(), { isAsked: false });
    expect([again.failed, again.open, linear.asked]).toEqual([[], 2, []]);
    expect((await deliver(project, linear)).open).toBe(0);
    expect(JSON.stringify(eventsOf(project))).not.toContain('lin_api');
  });

  it('is told once where two want to tell it at the same time', async () => {
    const linear = await new Linear().listen();
    linear.issue('ENG-1');
    const project = trackedProject();
    const other = trackedProject(project.dir);
    handOff(project);
    const both = await Promise.all([deliver(project, linear), deliver(other, linear)]);
    expect(both.map(({ isBusy }) => isBusy).sort()).toEqual([false, true]);
    expect(linear.comments).toHaveLength(1);
    expect((await deliver(other, linear)).open).toBe(0);
  });

  it('is dropped after a week', async () => {
    const linear = await new Linear().listen();
    linear.issue('ENG-1');
    const project = trackedProject();
    handOff(project);
    const { clock } = project.ports;
    Object.assign(project.ports, { clock: { ...clock, now: () => Date.now() + 8 * 86_400_000 } });
    expect(await deliver(project, linear)).toMatchObject({ sent: [], open: 0 });
    expect(linear.asked).toEqual([]);
  });
});

describe('a key', () => {
  it('in the environment alone sends nothing', async () => {
    const linear = await new Linear().listen();
    const project = trackedProject();
    handOff(project);
    const round = await deliver(project, linear, settingsOf({ kind: 'none' }));
    expect([round.open, linear.asked]).toEqual([0, []]);
    expect(typesOf(project)).not.toContain('tracker.failed');
  });

  it('goes to this machine or to Linear, and follows no redirection', async () => {
    const project = trackedProject();
    handOff(project);
    for (const url of ['http://127.0.0.1.example.com/', 'https://example.com', 'nonsense']) {
      const env = { LINEAR_API_KEY: KEY, BEN10_LINEAR_URL: url };
      const sent = deliverDue(project, settingsOf(), { env });
      await expect(sent).rejects.toThrow('BEN10_LINEAR_URL does not lead to this machine');
    }
    const seen: (string | undefined)[] = [];
    const env = await answering((request, response) => {
      seen.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const { failed } = await deliverDue(project, settingsOf(), { env });
    expect([failed[0]!.code, seen]).toEqual(['unreachable', ['/graphql']]);
  });

  it('that is missing, or none, is said', async () => {
    const linear = await new Linear().listen();
    const project = trackedProject();
    handOff(project);
    for (const key of ['', 'two\nlines'])
      expect((await deliver(project, linear, settingsOf(), { isAsked: true, key })).failed).toEqual(
        [{ code: 'no-key' }],
      );
    expect(typesOf(project)).not.toContain('tracker.failed');
  });
});

it('an answer that is none of Linear’s is no success, and stops nothing', async () => {
  const project = trackedProject();
  handOff(project);
  let answer: unknown;
  const env = await answering((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  const nodes = { nodes: [null] };
  const issue = { id: '1', title: 't', url: 'u', state: { name: 'a', type: 'b' } };
  for (const one of [
    null,
    [],
    { errors: 7 },
    { data: {} },
    { data: { issue: null } },
    { data: { issue: { ...issue, team: { id: 'x', states: nodes } }, issueLabels: nodes } },
    { data: { issue: { ...issue, title: 7 } } },
    'x'.repeat(2 * 1024 * 1024),
  ]) {
    answer = one;
    const round = await deliverDue(project, settingsOf(), { env, isAsked: true });
    expect([round.sent, round.failed], JSON.stringify(one)?.slice(0, 80)).toMatchObject([
      [],
      [{ code: typeof one === 'string' ? 'unreachable' : 'refused' }],
    ]);
  }
});

it('the server tells it while it is idle, and no hook does', async () => {
  const linear = await new Linear().listen();
  linear.issue('ENG-1');
  const project = trackedProject();
  handOff(project);
  vi.stubEnv('LINEAR_API_KEY', KEY);
  vi.stubEnv('BEN10_LINEAR_URL', linear.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  const config = (kind: 'none' | 'linear') => settingsOf({ kind }) as Ben10Config;
  expect(JOBS).toContain(trackerJob);
  expect([trackerJob.isWanted!(config('none')), trackerJob.isWanted!(config('linear'))]).toEqual([
    ...[false, true],
  ]);
  const about = { waiting: 0, signal: AbortSignal.timeout(60_000) };
  expect(await trackerJob.run(project, { ...about, config: config('linear') })).toBe(true);
  expect(linear.comments).toHaveLength(1);
  const bundles = path.join(import.meta.dirname, '../../dist');
  for (const name of ['hook', 'hook-slow', 'hook-handoff', 'statusline'])
    expect(readFileSync(path.join(bundles, `${name}.cjs`), 'utf8')).not.toContain('api.linear.app');
});

it('a handoff of a loop names its iteration', async () => {
  const linear = await new Linear().listen();
  linear.issue('ENG-1');
  const project = trackedProject();
  startLoop(project);
  iterate(project, 3, 'session-1');
  handOff(project);
  await deliver(project, linear);
  expect(linear.comments[0]!.body).toContain('- **L2 at 86% · iter 3**, ');
});
