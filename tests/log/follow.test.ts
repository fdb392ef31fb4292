import { describe, expect, it } from 'vitest';
import { spool } from '../../src/journal/append/inbox.ts';
import { followLog } from '../../src/log/follow.ts';
import { type LogEvent, queryLog } from '../../src/log/query.ts';
import { openTestProject } from '../support.ts';
import { call, prompt } from './events.ts';

const textOf = ({ data }: LogEvent): string => String((data as { text?: string }).text);

describe('following the log', () => {
  it('gives what is there, then every event as it arrives, none twice and none left out', {
    tags: 'long',
  }, async () => {
    const writing = openTestProject();
    const reading = openTestProject(writing.dir);
    writing.writer.append([prompt('0'), prompt('1')]);
    const controller = new AbortController();
    const got: string[] = [];
    for await (const event of followLog(reading, {}, controller.signal)) {
      got.push(textOf(event));
      // Each arrival brings the next, so that reading and writing take turns in every way.
      if (got.length >= 2 && got.length < 12) writing.writer.append([prompt(String(got.length))]);
      if (got.length === 12) controller.abort();
    }
    expect(got).toEqual(Array.from({ length: 12 }, (_, index) => String(index)));
  });

  it('starts with the newest and keeps to the filters', async () => {
    const writing = openTestProject();
    const reading = openTestProject(writing.dir);
    writing.writer.append([prompt('0'), call('t1', 'ls'), prompt('1'), prompt('2')]);
    const controller = new AbortController();
    const got: string[] = [];
    const query = { types: ['prompt.submitted'], limit: 2 };
    for await (const event of followLog(reading, query, controller.signal)) {
      got.push(textOf(event));
      if (got.length === 2) writing.writer.append([call('t2', 'ls'), prompt('3')]);
      if (got.length === 3) controller.abort();
    }
    expect(got).toEqual(['1', '2', '3']);
  });

  it('goes on over the border of a segment', async () => {
    const writing = openTestProject();
    const reading = openTestProject(writing.dir);
    writing.writer.append([prompt('0')]);
    const controller = new AbortController();
    const got: string[] = [];
    for await (const event of followLog(reading, {}, controller.signal)) {
      got.push(textOf(event));
      if (got.length === 1) {
        writing.writer.rotate(0);
        writing.writer.append([prompt('1')]);
      } else controller.abort();
    }
    expect(got).toEqual(['0', '1']);
    expect(reading.reader.segments()).toHaveLength(2);
  });

  it('shows an event of the inbox when it has got its seq', async () => {
    const writing = openTestProject();
    const reading = openTestProject(writing.dir);
    writing.writer.append([prompt('0')]);
    spool(writing.ports, writing.layout, [prompt('waited')]);
    expect([...queryLog(reading)].at(-1)).toMatchObject({ waiting: true });
    const controller = new AbortController();
    const got: LogEvent[] = [];
    for await (const event of followLog(reading, {}, controller.signal)) {
      got.push(event);
      if (got.length === 1) writing.writer.drain();
      else controller.abort();
    }
    expect(got.map(textOf)).toEqual(['0', 'waited']);
    expect(got[1]).toMatchObject({ seq: 2 });
  });

  it('ends at once when it was aborted before it began to wait', async () => {
    const project = openTestProject();
    const got: LogEvent[] = [];
    for await (const event of followLog(project, {}, AbortSignal.abort())) got.push(event);
    expect(got).toEqual([]);
  });
});
