/** @module-tag long */
import { execFileSync } from 'node:child_process';
import { cpSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { asOneReader } from '../../src/capture/one-reader.ts';
import { reconcileSession } from '../../src/capture/reconcile-session.ts';
import { READ_ON } from '../../src/hook/read-on.ts';
import { readRest } from '../../src/hook/rest.ts';
import { LockFile } from '../../src/journal/append/locking.ts';
import type { Project } from '../../src/project/open.ts';
import { readEvents } from '../../src/projections/events.ts';
import { context } from '../../src/projections/folds/context.ts';
import { evidence } from '../../src/projections/folds/evidence.ts';
import { recentSessions } from '../../src/projections/folds/sessions.ts';
import { Script } from '../capture/support/script.ts';
import { here } from '../cli/support.ts';
import { openTestProject, scratch } from '../support.ts';
import { hooked } from './run-hook.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
/** 4 KB each: an end reads a fifth of them. */
const MESSAGES = 1200;
const WAIT = { timeout: 60_000, interval: 20 };

/** A transcript that nobody has read, and its project. Its last part takes back what its first part says. */
function unread(messages = MESSAGES) {
  const dir = scratch();
  const script = new Script();
  const wrote = (id: string, content: string) =>
    script.calls(id, 'Write', { file_path: '/app/a.txt', content }) + script.result(id);
  const long = Array.from({ length: messages }, (_, n) => script.says(`${n} ${'x'.repeat(4000)}`));
  const asked = [script.prompt('Never use tabs.', 'p1'), script.prompt('The LAST prompt.', 'p2')];
  const transcript = path.join(dir, 's.jsonl');
  const lines = [asked[0], wrote('w1', 'before'), ...long, wrote('w2', 'after'), asked[1]];
  writeFileSync(transcript, lines.join(''));
  const project = openTestProject(dir);
  const events = () => [...readEvents(project.reader, project.ports.xxh64, { session: 's' })];
  const count = (type: string) => events().filter((event) => event.type === type).length;
  const hook = (event: string, fields: Record<string, unknown> = {}, dist = DIST) =>
    hooked(dir, event, { transcript_path: transcript, ...fields }, {}, dist);
  const end = (dist = DIST) => hook('SessionEnd', { reason: 'exit' }, dist);
  /** Of another session. */
  const start = () =>
    hook('SessionStart', { source: 'startup', session_id: 't', transcript_path: '/nowhere' });
  const isAllThere = () => {
    const ids = events().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(count('message.recorded')).toBe(MESSAGES);
    expect(count('prompt.submitted')).toBe(2);
    expect(count('session.ended')).toBeGreaterThan(0);
    expect(project.states.at(recentSessions, null).state.sessions.s?.isUnread).toBe(false);
  };
  return { dir, transcript, project, count, hook, end, start, isAllThere };
}

/** The processes that read on in a project. */
function readers(dir: string): number[] {
  const lines = execFileSync('ps', ['-ww', '-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  const own = lines.filter((line) => line.includes(` ${READ_ON} ${dir} `));
  return own.map((line) => Number.parseInt(line, 10));
}

/** Until somebody else reads transcripts. */
const isBeingRead = ({ ports, layout }: Project) =>
  vi.waitFor(() => {
    const lock = new LockFile(ports, layout.transcriptsLock);
    const held = lock.hold(0, () => true);
    lock.close();
    expect(held).toBeUndefined();
  }, WAIT);

const allEnded = (dir: string) => vi.waitFor(() => expect(readers(dir)).toEqual([]), WAIT);

describe('the end of a session of which much was not read', () => {
  it('has its event and the first part when it returns, and leaves the rest to a process that ends when it has read all', async () => {
    const { dir, count, end, isAllThere } = unread();
    await end();
    const [reader, ...others] = readers(dir);
    expect(reader).toBeGreaterThan(0);
    expect(others).toEqual([]);
    expect(count('session.ended')).toBe(1);
    expect(count('message.recorded')).toBeGreaterThan(200);
    await allEnded(dir);
    isAllThere();
    const { stdout } = await here(dir, ['restore', '--full']);
    for (const said of ['Never use tabs', 'The LAST prompt', 'a.txt'])
      expect(stdout).toContain(said);
  });

  it('comes to the state that an end comes to which reads all of it', async () => {
    const { dir, transcript, project, end } = unread();
    await end();
    await allEnded(dir);
    const whole = unread();
    await whole.hook('SessionEnd', { reason: 'exit', transcript_path: '/nowhere' });
    const reading = { deadline: Date.now() + 60_000 };
    expect(reconcileSession(whole.project, 's', transcript, reading).isWhole).toBe(true);
    const stateOf = ({ states }: typeof project) =>
      JSON.stringify([states.at(context, 's').state, states.at(evidence, 's').state]);
    expect(stateOf(project)).toBe(stateOf(whole.project));
  });

  it('stores the states for the next process, however much there was', async () => {
    const { dir, project, end } = unread();
    await end();
    await allEnded(dir);
    expect(project.states.newerThanStored(context, 's').stored).toBeGreaterThan(MESSAGES / 2);
  });

  it('is read on by the next start where that process was killed', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { dir, count, end, start, isAllThere } = unread();
      await end();
      await new Promise((resolve) => setTimeout(resolve, round * 60));
      for (const pid of readers(dir)) process.kill(pid, 'SIGKILL');
      await allEnded(dir);
      // A start reads a part, and starts such a process again.
      for (let n = 0; n < 5 && count('message.recorded') < MESSAGES; n += 1) await start();
      await allEnded(dir);
      isAllThere();
    }
  });

  it('is read on by the next start where that process cannot be started', async () => {
    const { dir, count, end, start, isAllThere } = unread();
    const [program, link] = [path.join(scratch(), 'dist'), scratch()];
    cpSync(DIST, program, { recursive: true });
    renameSync(path.join(program, 'ben10.cjs'), path.join(program, 'moved.cjs'));
    symlinkSync(path.join(program, 'moved.cjs'), path.join(link, 'ben10.cjs'));
    await end(link);
    await allEnded(dir);
    expect(count('session.ended')).toBe(1);
    expect(count('message.recorded')).toBeLessThan(MESSAGES);
    for (let n = 0; n < 5 && count('message.recorded') < MESSAGES; n += 1) await start();
    await allEnded(dir);
    isAllThere();
  });

  it('has each fact once when two ends come at once, a start beside them, and an import behind', async () => {
    const { dir, transcript, count, end, start, isAllThere } = unread();
    await Promise.all([end(), end()]);
    await start();
    await allEnded(dir);
    isAllThere();
    await here(dir, ['import', transcript]);
    isAllThere();
    expect(count('session.ended')).toBe(2);
  });
});

describe('the end of a session of which little was not read', () => {
  it('reads all of it, and starts no process', async () => {
    const { dir, count, end } = unread(200);
    await end();
    expect(readers(dir)).toEqual([]);
    expect(count('message.recorded')).toBe(200);
  });
});

describe('a process that reads on', () => {
  it('lets who waits to read go first, and reads the rest behind that', async () => {
    const many = 4 * MESSAGES;
    const { dir, project, count, end } = unread(many);
    await end();
    await isBeingRead(project);
    const seen = asOneReader(project, Date.now() + 60_000, () => count('message.recorded'));
    expect(seen).toBeLessThan(many);
    expect(readers(dir)).toHaveLength(1);
    await allEnded(dir);
    expect(count('message.recorded')).toBe(many);
  });

  it('gives up when its time is over', () => {
    const { transcript, project, count } = unread();
    project.writer.drain();
    const other = new LockFile(project.ports, project.layout.transcriptsLock);
    const began = Date.now();
    other.hold(0, () => readRest(project, 's', transcript, began + 700));
    other.close();
    expect(Date.now() - began).toBeGreaterThanOrEqual(700);
    expect(Date.now() - began).toBeLessThan(5000);
    expect(count('message.recorded')).toBe(0);
  });
});
