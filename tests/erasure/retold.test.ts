import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { reconcile } from '../../src/capture/reconcile.ts';
import { erase } from '../../src/erasure/erase.ts';
import { parsePattern } from '../../src/erasure/pattern.ts';
import type { Request } from '../../src/erasure/request.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import type { Project } from '../../src/project/open.ts';
import { readEvents } from '../../src/projections/events.ts';
import { context } from '../../src/projections/folds/context.ts';
import { cursors } from '../../src/projections/folds/cursors.ts';
import { SESSION, SESSION_ID } from '../cli/support.ts';
import { openTestProject } from '../support.ts';
import { importInto } from '../tell.ts';
import { canaries, codecs } from './support.ts';

/** Words of a prompt, of what the model said to it, and of the recorded session's files. */
const WORDS = 'overdue filter';
const request: Request = { by: 'pattern', wanted: parsePattern(WORDS) };

function imported(): Project {
  const project = openTestProject();
  importInto(project, SESSION);
  return project;
}

const countOf = ({ reader, ports }: Project) => [...readEvents(reader, ports.xxh64, {})].length;
const has = (project: Project) => canaries(project, [['plain', Buffer.from(WORDS)]]).length > 0;
const textsOf = (project: Project) => JSON.stringify(project.states.at(context, SESSION_ID).state);

/** As a hook reads the transcript when a turn ends. */
function reread(project: Project, file = SESSION) {
  const { ports, reader, recorder, states } = project;
  return reconcile({
    ports,
    reader,
    recorder,
    cursors: states.at(cursors, SESSION_ID).state,
    session: SESSION_ID,
    agent: null,
    path: file,
    source: 'transcript',
  });
}

describe.each(['active', 'sealed'])('what was erased from %s segments', (kind) => {
  it('does not come back when the transcript is imported or read again', () => {
    const project = imported();
    if (kind === 'sealed') {
      project.writer.rotate(0);
      compactJournal(project.ports, project.root, codecs);
    }
    expect(has(project)).toBe(true);
    erase(project, request, codecs);
    expect(has(project)).toBe(false);
    const state = textsOf(project);
    const before = countOf(project);
    importInto(project, SESSION);
    reread(project);
    const copy = path.join(project.dir, 'copy.jsonl');
    copyFileSync(SESSION, copy);
    reread(project, copy);
    expect(has(project)).toBe(false);
    expect(textsOf(project)).toBe(state);
    // The readings' own cursors.
    expect(countOf(project)).toBeLessThanOrEqual(before + 3);
  });

  it('does not come back as a whole either, when the events went as a whole', () => {
    const project = imported();
    if (kind === 'sealed') {
      project.writer.rotate(0);
      compactJournal(project.ports, project.root, codecs);
    }
    const events = [...readEvents(project.reader, project.ports.xxh64, {})];
    const seqs = events
      .filter(({ data }) => JSON.stringify(data).includes(WORDS))
      .map(({ seq }) => seq);
    erase(project, { by: 'event', seqs }, codecs);
    expect(has(project)).toBe(false);
    importInto(project, SESSION);
    expect(has(project)).toBe(false);
  });
});

describe('a fact that a hook told, erased before its transcript was read', () => {
  /** The journal of hooks alone: every fact of the transcript, told by a hook, without a place. */
  function toldByHooks(): Project {
    const source = imported();
    const project = openTestProject();
    const events = [...readEvents(source.reader, source.ports.xxh64, {})];
    const { recorder } = project;
    for (const event of events) {
      if (!/^(?:prompt|tool)\./.test(event.type)) continue;
      const { trace, ...data } = event.data as { trace?: unknown };
      const seen = { type: event.type, session: event.session, agent: null, at: event.at, data };
      const made = recorder.event({ ...seen, fact: null } as never, 'hook');
      recorder.append([{ ...made, id: Buffer.from(event.id, 'hex') }]);
    }
    return project;
  }

  it.each(['by its text', 'as a whole'])('%s stays erased when the transcript is read', (how) => {
    const project = toldByHooks();
    expect(has(project)).toBe(true);
    const events = [...readEvents(project.reader, project.ports.xxh64, {})];
    const mine = events.filter(({ data }) => JSON.stringify(data).includes(WORDS));
    const seqs = mine.map(({ seq }) => seq);
    erase(project, how === 'as a whole' ? { by: 'event', seqs } : request, codecs);
    expect(has(project)).toBe(false);
    const ids = new Set(mine.map(({ id }) => id));
    reread(project);
    importInto(project, SESSION);
    const after = [...readEvents(project.reader, project.ports.xxh64, {})];
    const again = after.filter(
      ({ id, data }) => ids.has(id) && JSON.stringify(data).includes(WORDS),
    );
    expect(again).toEqual([]);
    const more = after.filter(
      ({ type, data }) =>
        type === 'fact.enriched' &&
        ids.has((data as { of: string }).of) &&
        JSON.stringify(data).includes(WORDS),
    );
    expect(more).toEqual([]);
  });

  it('erased by its text gets its place from the transcript', () => {
    const project = toldByHooks();
    erase(project, request, codecs);
    reread(project);
    const prompts = project.states
      .facts(SESSION_ID, ['prompt.submitted'])
      .filter(({ fact }) => JSON.stringify(fact.data).includes('ERASED'));
    expect(prompts.length).toBeGreaterThan(0);
    for (const { fact } of prompts) expect(fact.trace).toBeDefined();
  });

  it('as a whole stays erased when the transcript is read on from where it was left', () => {
    const project = openTestProject();
    const file = path.join(project.dir, 'growing.jsonl');
    const lines = readFileSync(SESSION, 'utf8').split('\n');
    const first = lines.findIndex((line) => line.includes(WORDS));
    writeFileSync(
      file,
      lines
        .slice(0, first)
        .map((line) => `${line}\n`)
        .join(''),
    );
    reread(project, file);
    const events = [...readEvents(toldByHooks().reader, project.ports.xxh64, {})];
    const told = events.filter(({ data }) => JSON.stringify(data).includes(WORDS));
    const { recorder } = project;
    for (const { id, type, session, at, data } of told) {
      const seen = { type, session, agent: null, at, data, fact: null };
      const made = recorder.event(seen as never, 'hook');
      recorder.append([{ ...made, id: Buffer.from(id, 'hex') }]);
    }
    const mine = [...readEvents(project.reader, project.ports.xxh64, {})].filter(({ data }) =>
      JSON.stringify(data).includes(WORDS),
    );
    expect(mine.map(({ id }) => id)).toEqual(told.map(({ id }) => id));
    erase(project, { by: 'event', seqs: mine.map(({ seq }) => seq) }, codecs);
    expect(has(project)).toBe(false);
    writeFileSync(file, lines.join('\n'));
    expect(reread(project, file)?.added).toBeGreaterThan(0);
    const ids = new Set(told.map(({ id }) => id));
    const again = [...readEvents(project.reader, project.ports.xxh64, {})].filter(({ id }) =>
      ids.has(id),
    );
    expect(again).toEqual([]);
  });
});
