import { createHash } from 'node:crypto';
import { decodeEnvelope } from '../../src/journal/envelope.ts';
import type { JournalPorts } from '../../src/journal/ports.ts';
import { JournalReader } from '../../src/journal/reader.ts';
import { verifyJournal } from '../../src/journal/verify.ts';
import { JournalWriter } from '../../src/journal/writer.ts';
import type { Decoders } from '../../src/platform/codecs/codecs.ts';
import type { Account } from './crew.ts';

/** An event that is in the journal. */
export interface Kept {
  seq: number;
  /** milliseconds × 65536 + count */
  hlc: bigint;
  /** `writer:number`, or the type of an event that no writer sent. */
  key: string;
  /** SHA-256 of the payload, hex. */
  digest: string;
}

/** What is left of a journal whose writers were killed, looked at again and again while others go on writing. */
export class Survivors {
  readonly kept: Kept[] = [];
  readonly #known = new Set<string>();
  readonly #root: string;
  readonly #ports: JournalPorts;
  readonly #decoders: Decoders;

  constructor(root: string, ports: JournalPorts, decoders: Decoders) {
    this.#root = root;
    this.#ports = ports;
    this.#decoders = decoders;
  }

  has(key: string): boolean {
    return this.#known.has(key);
  }

  /** What was acknowledged by now and is neither in the journal nor in its inbox. */
  missing({ acknowledged }: Account): string[] {
    const promised = [...acknowledged].filter((key) => !this.#known.has(key));
    // The inbox first: what moves on meanwhile is then seen twice, and not missed.
    const waiting = new Set(
      this.#reader()
        .inbox()
        .map(({ payload }) => named(payload).key),
    );
    for (const one of this.read((this.kept.at(-1)?.seq ?? 0) + 1)) {
      this.kept.push(one);
      this.#known.add(one.key);
    }
    return promised.filter((key) => !this.#known.has(key) && !waiting.has(key));
  }

  /**
   * What stands in the journal from a seq on.
   * @throws when any of it is damaged
   */
  read(from: number): Kept[] {
    const kept: Kept[] = [];
    for (const { entry, damage } of this.#reader().entries(from)) {
      if (entry === undefined) throw new Error(`damage: ${JSON.stringify(damage)}`);
      const hlc = BigInt(entry.hlc.ms) * 65536n + BigInt(entry.hlc.count);
      kept.push({ seq: entry.seq, hlc, ...named(entry.payload) });
    }
    return kept;
  }

  /**
   * When all writers are dead: the next one makes the tail good and takes in the inbox, and then everything that was
   * acknowledged is there once, in order, as it was sent.
   * @returns what is not so, as sentences
   */
  reckon(account: Account): string[] {
    const last = new JournalWriter(this.#ports, this.#root, { lockBudgetMs: 5000 });
    const wrong: string[] = [];
    if (!last.drain()) wrong.push('the inbox could not be taken in');
    last.close();
    wrong.push(...this.missing(account).map((key) => `${key} was acknowledged and is lost`));
    for (const { key, digest } of this.kept) {
      if (key.includes(':') && account.attempted.get(key) !== digest)
        wrong.push(`${key} is not what was sent`);
    }
    wrong.push(...outOfOrder(this.kept));
    const now = this.read(1);
    const changed = now.findIndex((one, index) => !same(one, this.kept[index]));
    if (changed !== -1 || now.length !== this.kept.length)
      wrong.push(`what was read before is not the same now, from ${changed} on`);
    const found = verifyJournal(this.#ports, this.#root, this.#decoders);
    if (!found.ok || found.waiting > 0 || found.events !== this.kept.length)
      wrong.push(`verify: ${JSON.stringify(found)}`);
    return wrong;
  }

  #reader(): JournalReader {
    return new JournalReader(this.#ports, this.#root, this.#decoders);
  }
}

const same = (a: Kept, b: Kept | undefined): boolean =>
  a.seq === b?.seq && a.hlc === b.hlc && a.key === b.key && a.digest === b.digest;

function named(payload: Buffer): Pick<Kept, 'key' | 'digest'> {
  const { type, data } = decodeEnvelope(payload);
  const { name, n } = (data ?? {}) as { name?: string; n?: number };
  const digest = createHash('sha256').update(payload).digest('hex');
  return { key: type === 'test.happened' ? `${name}:${n}` : type, digest };
}

/** Seqs without a gap, clocks that rise, and each process's events in the order in which it sent them. */
function outOfOrder(kept: readonly Kept[]): string[] {
  const wrong: string[] = [];
  const last = new Map<string, number>();
  for (const [index, { seq, hlc, key }] of kept.entries()) {
    if (seq !== index + 1) wrong.push(`seq ${seq} stands at ${index + 1}`);
    if (index > 0 && hlc <= kept[index - 1]!.hlc)
      wrong.push(`the clock of seq ${seq} does not rise`);
    const [name = '', number] = key.split(':');
    if (number === undefined) continue;
    if (Number(number) <= (last.get(name) ?? -1)) wrong.push(`${key} stands behind a later one`);
    last.set(name, Number(number));
  }
  return wrong;
}
