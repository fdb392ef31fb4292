import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { withDigests } from '../../src/erasure/digests.ts';
import { erase } from '../../src/erasure/erase.ts';
import { parsePattern } from '../../src/erasure/pattern.ts';
import type { EventData } from '../../src/events/types.ts';
import { decodeContainer } from '../../src/journal/format/container.ts';
import { readEvents } from '../../src/projections/events.ts';
import { context } from '../../src/projections/folds/context.ts';
import { evidence } from '../../src/projections/folds/evidence.ts';
import { preferenceKey } from '../../src/projections/folds/preferences.ts';
import { findItems } from '../../src/recall/items.ts';
import { contextNow } from '../../src/timetravel/now.ts';
import { preferences, retract } from '../../src/timetravel/preferences.ts';
import { showSnapshot } from '../../src/timetravel/snapshots/indexed.ts';
import { loadSnapshot } from '../../src/timetravel/snapshots/load.ts';
import { takeSnapshot } from '../../src/timetravel/snapshots/take.ts';
import { anEvent, call, prompt } from '../log/events.ts';
import { decoders, openTestProject } from '../support.ts';
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
    expect(left!.data).toEqual({
      ...injected,
      chars: 0,
      items: items.map((item) => ({ ...item, key: '' })),
    });
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

  it('go from snapshots that were taken later, which can be read all the same, and are stored anew', () => {
    const project = openTestProject();
    project.writer.append([prompt('before')]);
    const earlier = takeSnapshot(project, { session: 's1', trigger: 'manual' });
    project.writer.append([prompt(`PIN ${SECRET}`)]);
    const later = takeSnapshot(project, { session: 's1', trigger: 'manual' });
    const { recorder } = project;
    const annotated = (data: EventData['snapshot.annotated']) =>
      recorder.event(
        { type: 'snapshot.annotated', fact: null, session: 's1', agent: null, at: 1, data },
        'cli',
      );
    const sum = 'feedfacefeedface';
    recorder.append([
      annotated({ snapshot: later.snapshot, contentHash: sum }),
      annotated({ snapshot: later.snapshot, pinned: true }),
    ]);
    const { plan } = erase(project, request, codecs);
    expect(plan.events.map(({ seq, isDigest }) => [seq, isDigest])).toEqual([
      [3, undefined],
      [4, true],
      [5, true],
    ]);
    const needles: [string, Buffer][] = [later.contentHash, sum].map((one) => [
      'sum',
      Buffer.from(one),
    ]);
    expect(canaries(project, needles)).toEqual([]);
    expect(showSnapshot(project, earlier.snapshot)).toMatchObject({
      contentHash: earlier.contentHash,
      plainBytes: earlier.plainBytes,
    });
    const bare = { contentHash: '', plainBytes: 0, bytes: 0, pinned: true };
    expect(showSnapshot(project, later.snapshot)).toMatchObject(bare);
    expect(loadSnapshot(project, later.snapshot).notes[0]).toMatch(/is not there.* stored again/);
    expect(loadSnapshot(project, later.snapshot).notes).toEqual([]);
    expect(showSnapshot(project, later.snapshot).contentHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('tell nothing of a snapshot whose event comes after the erasure: its sum is of a salt as well', () => {
    const project = openTestProject();
    project.writer.append([prompt(`PIN ${SECRET}`)]);
    const { state, ...of } = contextNow(project, 's1');
    const made = takeSnapshot(project, { session: 's1', trigger: 'manual' });
    const bytes = readFileSync(path.join(project.root, made.file));
    const plain = decodeContainer(bytes, decoders, project.ports.xxh64)!;
    expect(made.contentHash).toBe(hash('sha256', plain, 'hex'));
    expect(made.contentHash).not.toBe(hash('sha256', encode([of, state]), 'hex'));
  });

  it.each([
    ['restored', anEvent('context.restored', { point: '@1', mode: 'full', chars: 4711 })],
    [
      'told of the surroundings',
      anEvent('environment.told', { worktree: '.', upto: 1, chars: 4711 }),
    ],
  ])('are also how long it was what was %s since', (_, event) => {
    const project = openTestProject();
    project.writer.append([event, prompt(SECRET), { ...event, id: prompt('x').id }]);
    erase(project, request, codecs);
    const types = ['context.restored', 'environment.told'];
    const left = [...readEvents(project.reader, project.ports.xxh64, { types })];
    expect(left.map(({ data }) => (data as { chars: number }).chars)).toEqual([4711, 0]);
  });

  it('are the keys of what was taken back: it stays taken back in the words that are left', () => {
    const project = openTestProject();
    const texts = () => preferences(project).map(({ text }) => text);
    project.writer.append([
      prompt(`Always use the door code ${SECRET} for the gate.`),
      prompt('Never use globals.'),
      prompt('Always write tests first.'),
    ]);
    const keys = preferences(project)
      .filter(({ text }) => !text.includes('tests'))
      .map(({ key }) => key);
    expect(keys).toHaveLength(2);
    for (const key of keys) retract(project, key);
    erase(project, request, codecs);
    const own = preferenceKey('rule', `Always use the door code ${SECRET} for the gate.`);
    expect(keys).toContain(own);
    expect(canaries(project, [['key', Buffer.from(own)]])).toEqual([]);
    expect(texts()).toEqual(['Always write tests first.']);
  });

  it('are the keys of what was taken back also where all of an event goes, unless another one says it', () => {
    const project = openTestProject();
    project.writer.append([
      prompt('Never use globals.'),
      prompt('Never use globals.', { session: 's2' }),
      prompt('Always write tests first.'),
    ]);
    for (const { key } of preferences(project)) retract(project, key);
    erase(project, { by: 'event', seqs: [1, 3] }, codecs);
    const left = [
      ...readEvents(project.reader, project.ports.xxh64, { types: ['preference.retracted'] }),
    ];
    expect(left.map(({ data }) => (data as { key: string }).key).sort()).toEqual([
      '',
      ...Array(2).fill(preferenceKey('rule', 'Never use globals.')),
    ]);
    expect(preferences(project)).toEqual([]);
  });

  it('are the keys in command lines by which an agent took one back, and in what ben10 answered', () => {
    const project = openTestProject();
    const sentence = `Always use the door code ${SECRET} for the gate.`;
    const [own, other] = [sentence, 'Never use globals.'].map((text) =>
      preferenceKey('rule', text),
    );
    const starts = [own!, own!.slice(0, 8), own!.slice(0, 4)];
    project.writer.append([prompt(sentence), prompt('Never use globals.')]);
    for (const [n, start] of starts.entries())
      project.writer.append([
        call(`t${n}`, `ben10 preferences retract ${start}`),
        prompt(`ben10: there is no preference with the key "${start}"`),
      ]);
    project.writer.append([
      call('t8', `ben10 preferences retract "${other}"`),
      call('t9', `git show ${own!.slice(0, 4)}`),
    ]);
    erase(project, request, codecs);
    const left = JSON.stringify([...readEvents(project.reader, project.ports.xxh64, {})]);
    const keys = left.match(/(?<=retract |the key \\"|retract \\")[0-9a-f]+/g);
    const anew = preferenceKey('rule', sentence.replace(SECRET, '[REDACTED:ERASED]'));
    expect(new Set(keys)).toEqual(
      new Set([...starts.map(({ length }) => anew.slice(0, length)), other]),
    );
    expect(left).toContain(`git show ${own!.slice(0, 4)}`);
    expect(canaries(project, [['key', Buffer.from(own!.slice(0, 8))]])).toEqual([]);
  });

  it('are none where nothing is erased, or only in another origin', () => {
    const project = openTestProject();
    project.writer.append([traced('x', 1), anEvent('transcript.read', reading(10))]);
    expect(withDigests(project, [])).toEqual([]);
    const elsewhere = [{ origin: '0'.repeat(32), seq: 1, type: null, at: null }];
    expect(withDigests(project, elsewhere)).toEqual(elsewhere);
  });
});
