import { describe, expect, it } from 'vitest';
import { withDigests } from '../../src/erasure/digests.ts';
import { erase } from '../../src/erasure/erase.ts';
import { parsePattern } from '../../src/erasure/pattern.ts';
import type { EventData } from '../../src/events/types.ts';
import { readEvents } from '../../src/projections/events.ts';
import { context } from '../../src/projections/folds/context.ts';
import { evidence } from '../../src/projections/folds/evidence.ts';
import { findItems } from '../../src/recall/items.ts';
import { anEvent, prompt } from '../log/events.ts';
import { openTestProject } from '../support.ts';
import { canaries, codecs } from './support.ts';

const SECRET = 'kanari-4711-vogel';
const request = { by: 'pattern', wanted: parsePattern(SECRET) } as const;
type Reading = EventData['transcript.read'];
const reading = (to: number, tail = 'feedfacefeedface'): Reading => ({
  path: '/t/s1.jsonl',
  from: 0,
  to,
  tail,
  records: 1,
  malformed: 0,
  unknown: {},
});
const traced = (text: string, pos: number) => anEvent('prompt.submitted', { text, trace: { pos } });

describe('digests of what is erased', () => {
  it('go from recalls: a key that is worked out from the text is nowhere any more', () => {
    const project = openTestProject();
    project.writer.append([prompt(`PIN ${SECRET}`)]);
    const { state } = project.states.at(context, 's1');
    const known = project.states.at(evidence, 's1').state;
    const items = findItems(state, known).map(({ kind, seq, key }) => ({ kind, seq, key }));
    expect(items.length).toBeGreaterThan(0);
    const injected = { event: 'SessionStart', source: 'compact', chars: 9, items };
    project.writer.append([anEvent('recall.injected', injected)]);
    const needles: [string, Buffer][] = items.map(({ key }) => ['key', Buffer.from(key)]);
    expect(canaries(project, needles)).not.toEqual([]);
    const { plan } = erase(project, request, codecs);
    expect(plan.events).toMatchObject([{ seq: 1 }, { seq: 2, isDigest: true }]);
    expect(canaries(project, needles)).toEqual([]);
    const [left] = readEvents(project.reader, project.ports.xxh64, { types: ['recall.injected'] });
    expect(left!.data).toEqual({ ...injected, items: items.map((item) => ({ ...item, key: '' })) });
  });

  it.each([
    ['ends with its record', 1000, 1200, true],
    ['ends a little behind it', 1000, 1200 + 255, true],
    ['ends far behind it', 1000, 1200 + 256, false],
    ['ends before it', 1000, 900, false],
  ])('go from a reading of the transcript that %s', (_, pos, to, isGone) => {
    const project = openTestProject();
    // The first reading behind the record ends at 1200: no record ends before that.
    const others = to === 1200 ? [] : [anEvent('transcript.read', reading(1200))];
    project.writer.append([
      traced(SECRET, pos),
      ...others,
      anEvent('transcript.read', reading(to, '0123456789abcdef')),
      anEvent('transcript.read', reading(to, '0123456789abcdef'), { session: 'other' }),
    ]);
    erase(project, request, codecs);
    const tails = [
      ...readEvents(project.reader, project.ports.xxh64, { types: ['transcript.read'] }),
    ]
      .filter(({ data }) => (data as Reading).to === to)
      .map(({ session, data }) => [session, (data as Reading).tail]);
    expect(tails).toEqual([
      ['s1', isGone ? '' : '0123456789abcdef'],
      ['other', '0123456789abcdef'],
    ]);
  });

  it('are looked for where a later witness says that the fact stands', () => {
    const project = openTestProject();
    const told = prompt(SECRET);
    const of = told.id.toString('hex');
    project.writer.append([
      told,
      anEvent('fact.enriched', { of, type: 'prompt.submitted', trace: { pos: 500 } }),
      anEvent('transcript.read', reading(700)),
    ]);
    const found = [{ origin: project.reader.origin()!, seq: 1, type: null, at: null }];
    expect(withDigests(project, found).map(({ seq }) => seq)).toEqual([1, 3]);
  });

  it('go from a reading that has a part of it itself', () => {
    const project = openTestProject();
    const own = { ...reading(1200), unknown: { [SECRET]: 1 } };
    project.writer.append([traced(SECRET, 1000), anEvent('transcript.read', own)]);
    erase(project, request, codecs);
    const [left] = readEvents(project.reader, project.ports.xxh64, { types: ['transcript.read'] });
    expect(left!.data).toMatchObject({ tail: '', unknown: { '[REDACTED:ERASED]': 1 } });
    expect(canaries(project, [['tail', Buffer.from('feedface')]])).toEqual([]);
  });

  it('go from what stands for a reading since an earlier erasure', () => {
    const project = openTestProject();
    const own = { ...reading(1200), unknown: { 'another-secret': 1 } };
    project.writer.append([traced(SECRET, 1000), anEvent('transcript.read', own)]);
    erase(project, { by: 'pattern', wanted: parsePattern('another-secret') }, codecs);
    expect(canaries(project, [['tail', Buffer.from('feedface')]])).not.toEqual([]);
    erase(project, request, codecs);
    expect(canaries(project, [['tail', Buffer.from('feedface')]])).toEqual([]);
    const [left] = readEvents(project.reader, project.ports.xxh64, { types: ['transcript.read'] });
    expect(left!.data).toMatchObject({ to: 1200, tail: '' });
  });

  it('go from merges of the same session: a file whose content had it is not told by that', () => {
    const project = openTestProject();
    const named = { path: '/p/a', believed: 'disk' as const, hash: 'feedfacefeedface', bytes: 17 };
    const merged: EventData['context.merged'] = {
      strategy: 'disk',
      files: [named, { path: '/p/gone', believed: 'disk' }],
    };
    project.writer.append([
      anEvent('context.merged', merged),
      prompt(`PIN ${SECRET}`),
      anEvent('context.merged', merged),
      anEvent('context.merged', merged, { session: 'other' }),
    ]);
    const { plan } = erase(project, request, codecs);
    expect(plan.events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    const left = [
      ...readEvents(project.reader, project.ports.xxh64, { types: ['context.merged'] }),
    ];
    const bare = { path: '/p/a', believed: 'disk' };
    expect(left.map(({ data }) => (data as EventData['context.merged']).files[0])).toEqual([
      bare,
      bare,
      named,
    ]);
    const again = erase(project, request, codecs);
    expect(again.plan.events).toEqual([]);
  });

  it('are none where nothing is erased, or only in another origin', () => {
    const project = openTestProject();
    project.writer.append([traced('x', 1), anEvent('transcript.read', reading(10))]);
    expect(withDigests(project, [])).toEqual([]);
    const elsewhere = [{ origin: '0'.repeat(32), seq: 1, type: null, at: null }];
    expect(withDigests(project, elsewhere)).toEqual(elsewhere);
  });
});
