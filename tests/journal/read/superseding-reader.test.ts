import { describe, expect, it } from 'vitest';
import { eraseEvents } from '../../../src/journal/erase/erase.ts';
import { supersededEvent } from '../../../src/journal/erase/events.ts';
import { typeTag } from '../../../src/journal/format/envelope.ts';
import { FRAME_KIND } from '../../../src/journal/format/format.ts';
import type { Entry, Frame } from '../../../src/journal/format/frame.ts';
import {
  PAYLOADS_BYTES_MAX,
  SupersedingReader,
} from '../../../src/journal/read/superseding-reader.ts';
import { xxh64 } from '../../../src/platform/xxh64.ts';
import { decoders, newEvent, realPorts } from '../../support.ts';
import { codecs, eraseSeqs, originOf } from '../journals.ts';
import { appendAll, edit, eventsOf, flipBit, newRoot, readAll, segmentFiles } from '../support.ts';

describe('a reader of what stands for erased events', () => {
  const reader = (root: string) => new SupersedingReader(realPorts, root, decoders);
  const envelope = (text: string) => ({
    type: 'test.happened',
    version: 1,
    session: 's1',
    agent: null,
    client: 'test',
    source: 'tool',
    at: 5,
    data: { text },
  });
  const textsOf = (one: SupersedingReader, from = 1, to?: number) =>
    [...one.entries(from, to)].flatMap(({ entry }) =>
      entry!.typeTag === typeTag('test.happened', xxh64) && entry!.kind === FRAME_KIND.event
        ? [[entry!.seq, decodeText(entry!)]]
        : [],
    );
  const decodeText = ({ payload }: Entry) =>
    /\u00a4text(?:[\xa0-\xbf]|\xd9.)(.*)$/s.exec(payload.toString('latin1'))?.[1];

  function replaced(): string {
    const root = newRoot();
    appendAll(
      root,
      ['a', 'b', 'c', 'd'].map((text) => newEvent({ data: { text } })),
    );
    const events = [1, 3].map((seq) => ({
      origin: originOf(root),
      seq,
      replacement: envelope(`new ${seq}`),
    }));
    eraseEvents(realPorts, root, codecs, () => ({ by: 'event', events, blobs: [], files: [] }));
    return root;
  }

  it('gives them at their own place and under their own id', () => {
    const root = replaced();
    const all = [
      [1, 'new 1'],
      [2, 'b'],
      [3, 'new 3'],
      [4, 'd'],
    ];
    expect(textsOf(reader(root))).toEqual(all);
    const ids = [...reader(root).entries()].map(({ entry }) => entry!.id.toString('hex'));
    expect(ids).toEqual(readAll(root).entries.map(({ id }) => id.toString('hex')));
    for (let from = 1; from <= 4; from += 1) {
      for (let to = from; to <= 4; to += 1)
        expect(textsOf(reader(root), from, to)).toEqual(all.slice(from - 1, to));
    }
  });

  it('gives the newest that stands for one, in whatever order it is asked', () => {
    const root = replaced();
    const held = reader(root);
    expect(textsOf(held, 3, 3)).toEqual([[3, 'new 3']]);
    appendAll(root, [supersededEvent(realPorts, 3, envelope('newer 3'))]);
    expect(textsOf(held, 3, 3)).toEqual([[3, 'newer 3']]);
    expect(textsOf(held, 1, 3)).toEqual([
      [1, 'new 1'],
      [2, 'b'],
      [3, 'newer 3'],
    ]);
    expect(textsOf(reader(root), 1, 3)).toEqual(textsOf(held, 1, 3));
  });

  it('leaves alone what is no tombstone, and what stands for nothing', () => {
    const root = replaced();
    appendAll(root, [supersededEvent(realPorts, 2, envelope('forged'))]);
    expect(textsOf(reader(root))[1]).toEqual([2, 'b']);
    eraseSeqs(root, 4);
    expect(textsOf(reader(root)).map(([seq]) => seq)).toEqual([1, 2, 3]);
  });

  it('keeps a bounded part of them in memory, and reads the rest again', () => {
    const root = newRoot();
    const count = 40;
    appendAll(
      root,
      Array.from({ length: count }, (_, n) => newEvent({ data: { text: `old ${n}` } })),
    );
    // More than two and a half times what is kept.
    const text = (seq: number) => `${seq} `.padEnd(PAYLOADS_BYTES_MAX / 15, 'x');
    const events = Array.from({ length: count }, (_, n) => ({
      origin: originOf(root),
      seq: n + 1,
      replacement: envelope(text(n + 1)),
    }));
    eraseEvents(realPorts, root, codecs, () => ({ by: 'event', events, blobs: [], files: [] }));
    const held = reader(root);
    const seqsOf = () =>
      [...held.entries(1, count)].map(({ entry }) => {
        const found = /(\d+) x+$/.exec(entry!.payload.toString('latin1'))?.[1];
        return [entry!.seq, Number(found)];
      });
    const expected = Array.from({ length: count }, (_, n) => [n + 1, n + 1]);
    expect(seqsOf()).toEqual(expected);
    expect(seqsOf()).toEqual(expected);
    expect(seqsOf().length).toBe(count);
    for (const seq of [count, 1, 30, 2]) {
      const [item] = held.entries(seq, seq);
      expect(item!.entry!.payload.includes(`${seq} x`)).toBe(true);
    }
    expect(count * text(1).length).toBeGreaterThan(2.5 * PAYLOADS_BYTES_MAX);
  });

  it('passes by what is damaged on its look ahead, and gives it in its own place', () => {
    const root = replaced();
    appendAll(root, eventsOf(2));
    const [file] = segmentFiles(root);
    // The last one but one: behind the request and what is done.
    edit(file!, (bytes) => {
      const frames = readAll(root).entries as Frame[];
      flipBit(bytes, (frames.at(-2)!.offset + 130) * 8);
    });
    expect(textsOf(reader(root), 1, 4).map(([, text]) => text)).toEqual([
      'new 1',
      'b',
      'new 3',
      'd',
    ]);
    const damage = [...reader(root).entries()].flatMap(({ damage: one }) => one ?? []);
    expect(damage).toMatchObject([{ kind: 'body' }]);
  });
});
