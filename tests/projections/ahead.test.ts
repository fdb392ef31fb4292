import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fact } from '../../src/events/identity.ts';
import { context } from '../../src/projections/folds/context.ts';
import { END } from '../../src/projections/order.ts';
import { States } from '../../src/projections/states.ts';
import { Journal, T0, type Telling } from './support/telling.ts';

const prompt = (n: number, at = T0 + n): Telling => ({
  type: 'prompt.submitted',
  name: fact.prompt(`p${n}`, 1),
  data: { text: `Prompt ${n}.`, promptId: `p${n}` },
  who: { at },
});
const prompts = (from: number, to: number): Telling[] =>
  Array.from({ length: to - from }, (_, n) => prompt(from + n));

/** A session of which everything is so new that nothing is settled, stored ahead. */
function journalAhead(count: number) {
  const journal = new Journal();
  journal.tell(...prompts(0, count));
  journal.states.keepAhead(context, 's');
  const store = journal.openStore();
  const awaited = new States(journal.reader, journal.ports.xxh64, store, { awaited: 's' });
  return { journal, awaited };
}

describe('a hook that somebody waits for', () => {
  it('stores nothing of its own session, which a later hook does, and what it has folded of another one', () => {
    const journal = new Journal();
    const told = (session: string) =>
      journal.tell(...prompts(0, 200).map((one) => ({ ...one, who: { ...one.who, session } })));
    told('s');
    told('before');
    journal.tell(prompt(99_999));
    const { store, reader, ports } = journal;
    const awaited = new States(reader, ports.xxh64, store, { awaited: 's' });
    for (const session of ['s', 'before']) awaited.at(context, session);
    expect(store.list(context, 's')).toEqual([]);
    expect(store.list(context, 'before')).toHaveLength(1);
  });
});

describe('a state that was stored ahead', () => {
  it('is what a hook begins with that somebody waits for, also with what is not settled', () => {
    const { journal, awaited } = journalAhead(8);
    expect(awaited.at(context, 's').folded).toBe(0);
    journal.tell(prompt(8), prompt(9));
    const { state, folded, seq } = awaited.at(context, 's');
    expect({ folded, seq }).toEqual({ folded: 2, seq: 10 });
    expect(state).toEqual(journal.bare.at(context, 's').state);
    // Who is not waited for stores what is settled, and begins with that.
    expect(journal.states.at(context, 's').folded).toBe(10);
  });

  it('is what a compaction is answered with, and not what happened while it ran', () => {
    const { journal } = journalAhead(8);
    const before = { ...END, time: T0 + 8 };
    journal.tell(prompt(9), prompt(10));
    const { state, folded } = journal.states.at(context, 's', { before });
    expect(folded).toBe(0);
    expect(state).toEqual(journal.bare.at(context, 's', { before }).state);
  });

  it('is not used where it has more than is asked for', () => {
    const { journal, awaited } = journalAhead(8);
    const before = { ...END, time: T0 + 4 };
    const { state, folded } = awaited.at(context, 's', { before });
    expect(folded).toBe(4);
    expect(state).toEqual(journal.bare.at(context, 's', { before }).state);
  });

  it.each<[string, Telling]>([
    ['something turned up that belongs before its end', prompt(99, T0 + 2)],
    [
      'a transcript has told where something in it belongs',
      {
        type: 'fact.enriched',
        data: { of: '', type: 'prompt.submitted', trace: { pos: 70, time: T0 + 70 } },
        who: { source: 'transcript' },
      },
    ],
  ])('does not hold any more when %s', (_, telling) => {
    const { journal, awaited } = journalAhead(8);
    const [first] = [...journal.reader.entries(3, 3)];
    const of = first!.entry!.id.toString('hex');
    if ('of' in telling.data) telling.data.of = of;
    journal.tell(telling);
    const { state, folded } = awaited.at(context, 's');
    expect(folded).toBeGreaterThan(7);
    expect(state).toEqual(journal.bare.at(context, 's').state);
  });

  it('is one of each session', () => {
    const { journal } = journalAhead(8);
    journal.tell(prompt(8));
    journal.states.keepAhead(context, 's');
    const [session] = readdirSync(`${journal.layout.checkpoints}/context-ahead`);
    expect(readdirSync(`${journal.layout.checkpoints}/context-ahead/${session}`)).toEqual([
      '0000000000000009.ckpt',
    ]);
  });
});
