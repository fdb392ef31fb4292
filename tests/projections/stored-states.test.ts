/** @module-tag long */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeEvent } from '../../src/events/encode.ts';
import type { EventData, EventType } from '../../src/events/types.ts';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { lz4Codec } from '../../src/platform/codecs/lz4.ts';
import { CheckpointStore } from '../../src/projections/checkpoints.ts';
import type { Projection } from '../../src/projections/contract.ts';
import type { Cut } from '../../src/projections/gather.ts';
import { States } from '../../src/projections/states.ts';
import { decoders, realPorts, scratch } from '../support.ts';

/**
 * Sees everything: each fact with what is known of it, in order; of the ends of turns what a fold sees, those before the first fact
 * that a transcript of the main thread tells.
 */
const seen: Projection<{ list: unknown[]; isHeard: boolean }> = {
  name: 'seen',
  version: 1,
  scope: 'session',
  types: ['prompt.submitted', 'tool.called', 'turn.ended'],
  initial: () => ({ list: [], isHeard: false }),
  apply(state, { id, type, agent, at, data, trace }) {
    if (type === 'turn.ended' && state.isHeard) return state;
    if (trace !== undefined && agent === null) state.isHeard = true;
    state.list.push([id, at, data, trace?.pos ?? null]);
    return state;
  },
};

/** What witnesses may tell, in any order; numbers choose among what is there. */
type Step =
  | { do: 'hook' | 'agent' | 'end' | 'transcript' | 'old'; late: number }
  | { do: 'confirm' | 'repeat'; which: number; late: number }
  | { do: 'read' | 'part' | 'appear' | 'store' | 'ahead' };

/** What hooks tell, where nobody finds a transcript. */
const hooked: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('hook' as const), late: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('agent' as const), late: fc.nat(5) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('end' as const), late: fc.nat(5) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('repeat' as const), which: fc.nat(), late: fc.nat(3) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('store' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('ahead' as const) }) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: hooked },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('transcript' as const), late: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('old' as const), late: fc.nat(30) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('confirm' as const, 'repeat' as const),
      which: fc.nat(),
      late: fc.nat(3),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('read' as const, 'part' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('store' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('ahead' as const) }) },
);

/** A session that goes on without a transcript, which may turn up, and what comes then. */
const life: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.array(hooked, { maxLength: 50 }),
    fc.constantFrom<Step[]>([], [{ do: 'appear' }], [{ do: 'part' }, { do: 'appear' }]),
    fc.array(step, { minLength: 5, maxLength: 50 }),
  )
  .map((parts) => parts.flat());

class Journal {
  readonly #root = `${scratch()}/.ben10`;
  // Each segment keeps a stored state, so that some are left all along.
  readonly #writer = new JournalWriter(realPorts, this.#root, {
    lockBudgetMs: 5000,
    segmentBytes: 2048,
  });
  readonly #reader = new JournalReader(realPorts, this.#root, decoders);
  readonly #layout = layoutOf(this.#root);
  readonly #store = new CheckpointStore(realPorts, this.#layout, { lz4: lz4Codec, decoders }, 0);
  readonly stored = new States(this.#reader, realPorts.xxh64, this.#store, { partEvents: 7 });
  /** As a hook is that somebody waits for. */
  readonly awaited = new States(this.#reader, realPorts.xxh64, this.#store, { awaited: 's' });
  readonly scratch = new States(this.#reader, realPorts.xxh64, undefined, {
    partEvents: Number.POSITIVE_INFINITY,
  });
  /** Facts by their order of birth: their ids, and whether the transcript has told them. */
  readonly #facts: { id: Buffer; agent: string | null; at: number; isTraced: boolean }[] = [];
  /** Milliseconds between two steps: a few are within the time in which nothing is settled. */
  readonly #tick: number;
  #clock = 1000;
  #position = 100;
  #last = 0;

  constructor(tick: number) {
    this.#tick = tick;
  }

  get last(): number {
    return this.#last;
  }

  take(one: Step): void {
    this.#clock += this.#tick;
    if (one.do === 'store') this.stored.checkpoint(seen, 's');
    else if (one.do === 'ahead') this.stored.keepAhead(seen, 's');
    else if (one.do === 'read' || one.do === 'part') this.#read(one.do === 'part');
    else if (one.do === 'appear') this.#appear();
    else if (one.do === 'end') this.#end(one.late);
    else if (one.do === 'hook') this.#tell(this.#birth(false), one.late, undefined);
    else if (one.do === 'agent') this.#tell(this.#birth(false, 'a1'), one.late, undefined);
    else if (one.do === 'transcript') this.#tell(this.#birth(true), one.late, this.#nextPosition());
    else if (one.do === 'old') this.#tell(this.#birth(true), one.late, one.late);
    else this.#again(one as Extract<Step, { which: number }>);
  }

  close(): void {
    this.#writer.close();
  }

  #birth(isTraced: boolean, agent: string | null = null): Buffer {
    const id = Buffer.alloc(16);
    for (const half of [0, 8]) id.writeUInt32BE(this.#facts.length + 1, half);
    this.#facts.push({ id, agent, at: this.#clock, isTraced });
    return id;
  }

  #nextPosition(): number {
    this.#position += 10;
    return this.#position;
  }

  #tell(id: Buffer, late: number, pos: number | undefined): void {
    const text = `${this.#clock}`;
    const data = pos === undefined ? { text } : { text, trace: { pos } };
    const agent = this.#facts.find((one) => one.id.equals(id))?.agent ?? null;
    this.#append(id, 'prompt.submitted', data, this.#clock - late * this.#tick, agent);
  }

  #end(late: number): void {
    const id = Buffer.alloc(16, 0xdd);
    for (const half of [0, 8]) id.writeUInt32BE(this.#clock, half);
    this.#append(id, 'turn.ended', {}, this.#clock - late * this.#tick);
  }

  /** A transcript of the main thread tells all that hooks told of it, in an order of its own. */
  #appear(): void {
    const told = this.#facts.filter(({ agent, isTraced }) => agent === null && !isTraced);
    for (const fact of told.sort((a, b) => a.at - b.at)) {
      fact.isTraced = true;
      const trace = { pos: this.#nextPosition(), time: fact.at };
      const data = { of: fact.id.toString('hex'), type: 'prompt.submitted' as const, trace };
      this.#append(Buffer.from(fact.id).reverse(), 'fact.enriched', data, fact.at);
    }
    this.#read(false);
  }

  #again({
    do: what,
    which,
    late,
  }: {
    do: 'confirm' | 'repeat';
    which: number;
    late: number;
  }): void {
    const fact = this.#facts[which % Math.max(this.#facts.length, 1)];
    if (fact === undefined) return;
    if (what === 'repeat') this.#tell(fact.id, late, undefined);
    if (what === 'repeat' || fact.isTraced) return;
    fact.isTraced = true;
    const of = fact.id.toString('hex');
    const trace = { pos: this.#nextPosition() };
    const more = { text: `better ${which}` };
    const data = { of, type: 'prompt.submitted' as const, trace, more };
    const at = this.#clock - late * this.#tick;
    this.#append(Buffer.from(fact.id).reverse(), 'fact.enriched', data, at);
  }

  #read(partial: boolean): void {
    const counts = { records: 0, malformed: 0, unknown: {}, ...(partial && { partial }) };
    const data = { path: '/t.jsonl', from: 0, to: this.#position, tail: '', ...counts };
    const id = Buffer.alloc(16, 0xff);
    for (const half of [0, 8]) id.writeUInt32BE(this.#clock, half);
    this.#append(id, 'transcript.read', data, this.#clock);
  }

  #append<T extends EventType>(
    id: Buffer,
    type: T,
    data: EventData[T],
    at: number,
    agent: string | null = null,
  ): void {
    const who = { session: 's', agent, client: 'test', source: 'hook' as const };
    const { seqs } = this.#writer.append([
      encodeEvent({ id, type, ...who, at, data }, realPorts.xxh64),
    ]);
    this.#last = Math.max(this.#last, ...seqs);
  }
}

/** What is read again behind the first stored state is more than a part, and ends before what the transcript tells of fact 0. */
const PART_WITHIN: Step[] = [
  ...(['hook', 'read', 'read', 'hook', 'hook', 'hook', 'store', 'read'] as const).map((one) =>
    one === 'hook' ? { do: one, late: 0 } : { do: one },
  ),
  { do: 'confirm', which: 0, late: 0 },
  { do: 'store' },
  { do: 'hook', late: 0 },
  { do: 'confirm', which: 0, late: 0 },
  { do: 'store' },
];

test('a state is the same from the stored ones and from the start, whatever witnesses tell and when', () => {
  fc.assert(
    fc.property(
      life,
      fc.array(fc.nat(90), { maxLength: 6 }),
      fc.constantFrom(1, 3000),
      (steps, cuts, tick) => {
        const journal = new Journal(tick);
        for (const one of steps) journal.take(one);
        const points: Cut[] = cuts.flatMap((n) => [
          { upto: n % (journal.last + 1) },
          { before: { time: 1000 + n * tick, rank: 0, thread: '', position: -1 } },
        ]);
        for (const cut of [{}, ...points]) {
          const { state } = journal.stored.at(seen, 's', cut);
          const whole = journal.scratch.at(seen, 's', cut).state;
          expect(state).toEqual(whole);
          expect(journal.awaited.at(seen, 's', cut).state).toEqual(whole);
        }
        journal.close();
      },
    ),
    { numRuns: 60, examples: [[PART_WITHIN, [], 3000]] },
  );
});
