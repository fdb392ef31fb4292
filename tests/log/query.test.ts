import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spool } from '../../src/journal/append/inbox.ts';
import { keepLast, type LogEvent, type LogQuery, queryLog } from '../../src/log/query.ts';
import type { Project } from '../../src/project/open.ts';
import { openTestProject, realPorts } from '../support.ts';
import { call, NOON, prompt } from './events.ts';

const textOf = ({ data }: LogEvent): string => {
  const { text, input } = data as { text?: string; input?: { command: string } };
  return text ?? input?.command ?? '';
};
const texts = (project: Project, query?: LogQuery): string[] =>
  [...queryLog(project, query)].map(textOf);

/** p1, c1, p2 (another session, an hour later), c2, p3 (without a time). */
function journal(): Project {
  const project = openTestProject();
  project.writer.append([
    prompt('p1'),
    call('t1', 'c1', { at: NOON + 1000 }),
    prompt('p2', { session: 's2', at: NOON + 3_600_000 }),
    call('t2', 'c2', { at: NOON + 2000 }),
    prompt('p3', { at: null }),
  ]);
  return project;
}

describe('a query of the log', () => {
  it('gives every event in the order of the journal, with its seq and what is in it', () => {
    const project = journal();
    const events = [...queryLog(project)];
    expect(events.map((event) => event.seq)).toEqual([1, 2, 3, 4, 5]);
    expect(events.map(textOf)).toEqual(['p1', 'c1', 'p2', 'c2', 'p3']);
    expect(events[1]).toMatchObject({
      type: 'tool.called',
      session: 's1',
      source: 'hook',
      at: NOON + 1000,
    });
  });

  it('gives nothing of an empty journal', () => {
    expect(texts(openTestProject())).toEqual([]);
    expect(texts(openTestProject(), { limit: 3 })).toEqual([]);
  });

  it('keeps to types, a session, times and seqs, each by itself and all together', () => {
    const project = journal();
    expect(texts(project, { types: ['tool.called'] })).toEqual(['c1', 'c2']);
    expect(texts(project, { session: 's2' })).toEqual(['p2']);
    expect(texts(project, { since: NOON + 2000 })).toEqual(['p2', 'c2']);
    expect(texts(project, { until: NOON + 1000 })).toEqual(['p1', 'c1']);
    expect(texts(project, { from: 2, to: 3 })).toEqual(['c1', 'p2']);
    expect(texts(project, { accepts: ({ seq }) => seq % 2 === 1 })).toEqual(['p1', 'p2', 'p3']);
    const all = { types: ['tool.called'], session: 's1', since: NOON + 2000, from: 2, to: 4 };
    expect(texts(project, all)).toEqual(['c2']);
  });

  it('gives the newest of those that match, oldest first, or newest first where that is asked', () => {
    const project = journal();
    expect(texts(project, { limit: 2 })).toEqual(['c2', 'p3']);
    expect(texts(project, { limit: 2, reverse: true })).toEqual(['p3', 'c2']);
    expect(texts(project, { limit: 1, types: ['tool.called'] })).toEqual(['c2']);
    expect(texts(project, { limit: 1, session: 's2' })).toEqual(['p2']);
    expect(texts(project, { reverse: true })).toEqual(['p3', 'c2', 'p2', 'c1', 'p1']);
    expect(texts(project, { limit: 99 })).toEqual(['p1', 'c1', 'p2', 'c2', 'p3']);
  });

  it('shows a fact that was told twice once, also when the first telling is outside of the range', () => {
    const project = journal();
    // Far enough from the first for a writer to have forgotten it.
    project.writer.append(Array.from({ length: 40 }, () => prompt('x'.repeat(4000))));
    const other = openTestProject(project.dir);
    other.writer.append([call('t1', 'c1 again')]);
    const repeated = [...other.reader.entries()].at(-1)?.entry?.seq;
    expect(repeated).toBe(46);
    expect(texts(other, { types: ['tool.called'] })).toEqual(['c1', 'c2']);
    expect(texts(other, { types: ['tool.called'], from: 40 })).toEqual([]);
    expect(texts(other, { types: ['tool.called'], limit: 2 })).toEqual(['c1', 'c2']);
  });

  it('passes damage over', () => {
    const project = journal();
    const file = project.reader.segments()[0]!.path;
    const bytes = readFileSync(file);
    // As MessagePack has it: two letters alone may stand in a random id.
    bytes[bytes.indexOf(Buffer.from('\xa2p2', 'latin1'))]! ^= 0xff;
    writeFileSync(file, bytes);
    expect(texts(openTestProject(project.dir))).toEqual(['p1', 'c1', 'c2', 'p3']);
    truncateSync(file, bytes.length - 3);
    expect(texts(openTestProject(project.dir))).toEqual(['p1', 'c1', 'c2']);
  });

  it('lists what waits in the inbox behind everything else, marked and without a seq', () => {
    const project = journal();
    spool(realPorts, project.layout, [prompt('waits', { session: 's2' })]);
    const last = [...queryLog(project)].at(-1)!;
    expect(last).toMatchObject({ waiting: true, seq: 0, type: 'prompt.submitted' });
    expect(texts(project, { limit: 2 })).toEqual(['p3', 'waits']);
    expect(texts(project, { session: 's2' })).toEqual(['p2', 'waits']);
    expect(texts(project, { to: 5 })).not.toContain('waits');
    expect([...queryLog(project)][0]).not.toHaveProperty('waiting');
  });
});

describe('keepLast', () => {
  it('keeps the last of any number of items, in their order', () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(300), (length, limit) => {
        const items = Array.from({ length }, (_, index) => index);
        expect(keepLast(items, limit)).toEqual(limit === 0 ? [] : items.slice(-limit));
      }),
    );
  });
});
