/** @module-tag long */
import { cpSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { erase } from '../../src/erasure/erase.ts';
import { parsePattern } from '../../src/erasure/pattern.ts';
import { DONE_TYPE, REQUESTED_TYPE } from '../../src/journal/erase/events.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import { Ben10Error } from '../../src/platform/errors.ts';
import type { FileSystem } from '../../src/platform/fs.ts';
import { takeInbox } from '../../src/project/inbox.ts';
import type { Project } from '../../src/project/open.ts';
import { readEvents } from '../../src/projections/events.ts';
import { dyingAt, failingAt } from '../dying-fs.ts';
import { hooked, toolCall } from '../hook/run-hook.ts';
import { prompt } from '../log/events.ts';
import { decoders, openTestProject, scratch, twinOf } from '../support.ts';
import { CANARY, canaries, codecs, leakyProject } from './support.ts';

const byText = { by: 'pattern', wanted: parsePattern(CANARY) } as const;
const seqs = [3, 21];
const bySeqs = { by: 'event', seqs } as const;

/** Of an erasure's calls, those after which a hook comes by. */
const HOOKED_PLACES = 8;
/** The same project with another file system under it. */
const on = (project: Project, fs: FileSystem): Project =>
  Object.create(project, { ports: { value: { ...project.ports, fs } } });

const TOLD = /^(?:prompt|tool|session)\./;
const storyOf = ({ reader, ports }: Project) =>
  [...readEvents(reader, ports.xxh64, {})]
    .filter(({ type }) => TOLD.test(type))
    .map(({ seq, id, data }) => JSON.stringify([seq, id, data]));

function countOf(project: Project, type: string): number {
  return [...readEvents(project.reader, project.ports.xxh64, { types: [type] })].length;
}

const verify = ({ ports, root }: Project) => verifyJournal(ports, root, decoders);

/** One journal, copied for every crash. */
function original(): { dir: string; copy: () => Project } {
  const dir = scratch();
  const project = leakyProject(dir);
  project.writer.drain();
  project.close();
  return {
    dir,
    copy() {
      const to = scratch();
      twinOf(path.join(dir, '.ben10'), path.join(to, '.ben10'));
      return openTestProject(to);
    },
  };
}

describe.each([
  // Between two calls, most of what can be is what the cut writes leave behind as well.
  ['by a text', byText, false, 11],
  ['by a text, writes cut in half', byText, true, 9],
  ['by seqs, writes cut in half', bySeqs, true, 9],
] as const)('an erasure %s that dies at calls all over it', (_, request, half, every) => {
  it('was not begun, or is finished by the next who comes by, or was done', () => {
    const { copy } = original();
    const whole = copy();
    const untouched = storyOf(whole);
    const counted = dyingAt(0, false);
    erase(on(whole, counted.fs), request, codecs);
    const all = counted.calls();
    const erased = storyOf(whole);
    expect(all).toBeGreaterThan(40);
    const outcomes = { untouched: 0, resumed: 0, done: 0 };
    const places = Array.from({ length: Math.ceil(all / every) }, (_, n) => 1 + n * every);
    // At the last call all is done but to tell so.
    for (const n of new Set([...places, all])) {
      const project = copy();
      expect(() => erase(on(project, dyingAt(n, half).fs), request, codecs), `call ${n}`).toThrow();
      const before = countOf(project, DONE_TYPE);
      takeInbox(project);
      const isDone = countOf(project, DONE_TYPE) === 1;
      expect(countOf(project, REQUESTED_TYPE), `call ${n}`).toBe(isDone ? 1 : 0);
      expect(verify(project).damage, `call ${n}`).toEqual([]);
      expect(storyOf(project), `call ${n}`).toEqual(isDone ? erased : untouched);
      if (isDone && request.by === 'pattern') expect(canaries(project), `call ${n}`).toEqual([]);
      outcomes[isDone ? (before === 1 ? 'done' : 'resumed') : 'untouched'] += 1;
      // Whatever it was: to run it again ends it.
      if (!isDone) erase(project, request, codecs);
      expect(storyOf(project), `call ${n}`).toEqual(erased);
      project.close();
    }
    expect(Math.min(...Object.values(outcomes)), JSON.stringify(outcomes)).toBeGreaterThan(0);
  });
});

describe('an erasure in the folders of two origins that dies at any call', () => {
  it('was begun in neither, or is finished in both by the next who comes by', () => {
    const dir = scratch();
    const [first, other] = [openTestProject(dir), openTestProject()];
    first.writer.append([prompt(`ours ${CANARY}`), prompt('another')]);
    other.writer.append([prompt(`theirs ${CANARY}`)]);
    const theirs = other.reader.origin()!;
    cpSync(path.join(other.layout.journal, theirs), path.join(first.layout.journal, theirs), {
      recursive: true,
    });
    first.close();
    const copy = () => {
      const to = scratch();
      twinOf(path.join(dir, '.ben10'), path.join(to, '.ben10'));
      return openTestProject(to);
    };
    const counted = dyingAt(0, false);
    erase(on(copy(), counted.fs), byText, codecs);
    const outcomes = new Set<number>();
    for (let n = 1; n <= counted.calls(); n += 1) {
      const project = copy();
      expect(() => erase(on(project, dyingAt(n, false).fs), byText, codecs)).toThrow();
      takeInbox(project);
      const done = countOf(project, DONE_TYPE);
      expect([n, countOf(project, REQUESTED_TYPE)]).toEqual([n, done]);
      expect([n, done]).toEqual([n, done === 0 ? 0 : 2]);
      if (done > 0) expect(canaries(project), `call ${n}`).toEqual([]);
      outcomes.add(done);
      project.close();
    }
    expect(outcomes).toEqual(new Set([0, 2]));
  });
});

describe('an erasure that died half-way', () => {
  it.each([
    ['SessionStart', { source: 'resume' }],
    ['UserPromptSubmit', { prompt: 'nothing of it' }],
  ])('is finished by the next %s, which is recorded behind it', async (event, fields) => {
    const { copy } = original();
    const counted = dyingAt(0, false);
    erase(on(copy(), counted.fs), byText, codecs);
    const project = copy();
    const dying = dyingAt(counted.calls() >> 1, false);
    expect(() => erase(on(project, dying.fs), byText, codecs)).toThrow();
    expect(countOf(project, DONE_TYPE)).toBe(0);
    const about = { session_id: 's1', transcript_path: '/nowhere.jsonl' };
    await hooked(project.dir, event, { ...about, ...fields });
    expect(countOf(project, DONE_TYPE)).toBe(1);
    expect(canaries(project)).toEqual([]);
    expect(verify(project).damage).toEqual([]);
    expect(project.reader.inbox()).toEqual([]);
    if (event === 'UserPromptSubmit')
      expect(storyOf(project).filter((one) => one.includes('nothing of it'))).toHaveLength(1);
  });
});

describe('hooks of tool calls beside an erasure that died', () => {
  it('bring nothing of it back, wherever it died, and it is finished after them', async () => {
    const { copy } = original();
    const counted = dyingAt(0, false);
    erase(on(copy(), counted.fs), byText, codecs);
    const calls = counted.calls();
    // Every part of an erasure; a process for each call would take a minute.
    const parts = Array.from({ length: HOOKED_PLACES }, (_, n) =>
      Math.ceil(((n + 1) * calls) / (HOOKED_PLACES + 1)),
    );
    const states = new Set<string>();
    for (const n of parts) {
      const project = copy();
      expect(() => erase(on(project, dyingAt(n, true).fs), byText, codecs), `call ${n}`).toThrow();
      const isBegun = countOf(project, REQUESTED_TYPE) === 1;
      const begun = isBegun && countOf(project, DONE_TYPE) === 0;
      states.add(isBegun ? (begun ? 'begun' : 'done') : 'not begun');
      const call = { ...toolCall('t1', 'ls'), hook_event_name: 'PostToolUse', session_id: 's1' };
      const tool_response = { stdout: 'nothing of it' };
      await hooked(project.dir, 'PostToolUse', { ...call, tool_response });
      takeInbox(project);
      expect(countOf(project, DONE_TYPE), `call ${n}`).toBe(isBegun ? 1 : 0);
      if (!isBegun) erase(project, byText, codecs);
      expect(canaries(project), `call ${n}`).toEqual([]);
      expect(verify(project).damage, `call ${n}`).toEqual([]);
      const told = storyOf(project).filter((one) => one.includes('nothing of it'));
      expect(told, `call ${n}`).toHaveLength(1);
      project.close();
    }
    expect([...states]).toEqual(expect.arrayContaining(['not begun', 'begun']));
  }, 60_000);
});

/** Each so-manieth of an erasure's calls fails; `tests/faults` fails all of them in the journal's own erasure. */
const FAILED_EVERY = 7;

describe('an erasure whose disk fails at calls all over it, once', () => {
  it('says so or has done it all the same, and is ended by the next try', () => {
    const { copy } = original();
    const whole = copy();
    const counted = dyingAt(0, false);
    erase(on(whole, counted.fs), byText, codecs);
    const erased = storyOf(whole);
    let failed = 0;
    for (let n = 1; n <= counted.calls(); n += FAILED_EVERY) {
      const project = copy();
      let error: unknown;
      try {
        const done = erase(on(project, failingAt(n)), byText, codecs);
        // Only what nobody relies on may fail without a word.
        expect(canaries(project), `call ${n}`).toEqual([]);
        expect(done.left, `call ${n}`).toEqual([]);
      } catch (thrown) {
        error = thrown;
        failed += 1;
      }
      if (error !== undefined) expect(error, `call ${n}`).toBeInstanceOf(Ben10Error);
      erase(project, byText, codecs);
      expect(canaries(project), `call ${n}`).toEqual([]);
      expect(storyOf(project), `call ${n}`).toEqual(erased);
      expect(verify(project).damage, `call ${n}`).toEqual([]);
      project.close();
    }
    expect(failed).toBeGreaterThan(8);
  });
});
