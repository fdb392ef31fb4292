import { describe, expect, it } from 'vitest';
import {
  DONE_TYPE,
  doneEvent,
  doneIn,
  REQUESTED_TYPE,
  requestedEvent,
  requestIn,
  supersededIn,
} from '../../../src/journal/erase/events.ts';
import { encodeEnvelope } from '../../../src/journal/format/envelope.ts';
import { FRAME_KIND } from '../../../src/journal/format/format.ts';
import type { Entry } from '../../../src/journal/format/frame.ts';
import { realPorts } from '../../support.ts';

describe('an event about an erasure', () => {
  const entry = (payload: Buffer) => ({ kind: FRAME_KIND.event, payload }) as Entry;
  const own = (type: string, data: unknown, version = 1) =>
    entry(
      encodeEnvelope({
        type,
        version,
        session: null,
        agent: null,
        client: null,
        source: 'journal',
        at: 1,
        data,
      }),
    );

  it('is read as it was written', () => {
    const request = { by: 'pattern', targets: [1, 2] } as const;
    expect(
      requestIn(entry(requestedEvent(realPorts, { ...request, targets: [1, 2] }).payload)),
    ).toEqual(request);
    const done = { request: 7, events: 1, segments: 1, blobs: 0 };
    expect(doneIn(entry(doneEvent(realPorts, done).payload))).toBe(7);
  });

  it.each([
    ['no targets', own(REQUESTED_TYPE, { by: 'event' })],
    ['targets that are no seqs', own(REQUESTED_TYPE, { by: 'event', targets: ['1'] })],
    [
      'an origin that leads out of the folder',
      own(REQUESTED_TYPE, { by: 'event', targets: [1], origin: '../../..' }),
    ],
    ['seqs to be kept that are no list', own(REQUESTED_TYPE, { by: 'age', targets: [], kept: 5 })],
    ['no data', own(REQUESTED_TYPE, null)],
    ['another version', own(REQUESTED_TYPE, { by: 'event', targets: [1] }, 2)],
    ['another type', own(DONE_TYPE, { by: 'event', targets: [1] })],
    ['no envelope', entry(Buffer.from('garbage'))],
    ['no body', { kind: FRAME_KIND.tombstone, payload: Buffer.alloc(0) } as Entry],
  ])('with %s asks for nothing', (_, given) => {
    expect(requestIn(given)).toBeUndefined();
    expect(doneIn(given)).toBeUndefined();
    expect(supersededIn(given)).toBeUndefined();
  });

  it.each([
    { seq: '1', event: {} },
    { seq: 1, event: null },
    { seq: 1 },
    { seq: 1, event: { type: 5 } },
    {
      seq: 1,
      event: {
        type: 'a',
        version: 1,
        session: 5,
        agent: null,
        client: null,
        source: 'b',
        at: null,
      },
    },
    {
      seq: 1,
      event: {
        type: 'a',
        version: 'x',
        session: null,
        agent: null,
        client: null,
        source: 'b',
        at: null,
      },
    },
    {
      seq: 1,
      event: {
        type: 'a',
        version: 1,
        session: null,
        agent: null,
        client: null,
        source: 'b',
        at: 'now',
      },
    },
  ])('that stands for nothing that can be read: %j', (data) => {
    expect(supersededIn(own('event.superseded', data))).toBeUndefined();
  });
});
