import { admissionOf } from '../../src/journal/append/admission.ts';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { resumeErasure } from '../../src/journal/erase/resume.ts';
import { decodeEnvelope } from '../../src/journal/format/envelope.ts';
import { FRAME_KIND } from '../../src/journal/format/format.ts';
import type { Entry } from '../../src/journal/format/frame.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import type { JournalPorts } from '../../src/journal/format/ports.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { oneRoom } from '../../src/journal/read/room.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import type { Decoders } from '../../src/platform/codecs/codecs.ts';
import type { Account } from './account.ts';
import { digestOf, keyOf } from './test-events.ts';

/** An event that is in the journal. */
export interface Kept {
  seq: number;
  /** milliseconds × 65536 + count */
  hlc: bigint;
  /** `writer:number`; the type of an event that no writer sent; `tombstone KEY` of an erased one. */
  key: string;
  /** SHA-256 of the payload, hex; empty of a tombstone. */
  digest: string;
}

const REPAIRED = 'journal.repaired';

/** What is left of a journal whose writers were killed, looked at again and again while others go on writing. */
export class Survivors {
  readonly kept: Kept[] = [];
  readonly #known = new Set<string>();
  /** Of all looks: the system takes its time to find new memory for megabytes. */
  readonly #room = oneRoom();
  readonly #root: string;
  readonly #ports: JournalPorts;
  readonly #decoders: Decoders;

  constructor(root: string, ports: JournalPorts, decoders: Decoders) {
    this.#root = root;
    this.#ports = ports;
    this.#decoders = decoders;
  }

  /** Torn tails that the next writer made good. */
  get repairs(): number {
    return this.kept.filter(({ key }) => key === REPAIRED).length;
  }

  /** Whether an event was erased by now. */
  isErased(key: string): boolean {
    return this.#known.has(tombstoneOf(key));
  }

  /**
   * Reads what came since the last look.
   * @returns what was acknowledged by now and is neither in the journal nor in its inbox
   * @throws when any of it is damaged
   */
  look({ unseen, erasing }: Account): string[] {
    const promised = [...unseen];
    // The inbox first: what moves on meanwhile is then seen twice, and not missed.
    const inbox = this.#reader().inbox();
    const waiting = new Set(inbox.map(keyOf));
    for (const one of this.read((this.kept.at(-1)?.seq ?? 0) + 1)) {
      this.kept.push(one);
      this.#known.add(one.key);
    }
    const isHere = (key: string) =>
      this.#known.has(key) || (erasing.has(key) && this.#known.has(tombstoneOf(key)));
    for (const key of promised) if (isHere(key)) unseen.delete(key);
    return promised
      .filter((key) => unseen.has(key) && !waiting.has(key))
      .map((key) => `${key} was acknowledged and is lost`);
  }

  /**
   * What stands in the journal from a seq on.
   * @throws when any of it is damaged
   */
  read(from: number): Kept[] {
    const kept: Kept[] = [];
    for (const { entry, damage } of this.#reader().entries(from, undefined, this.#room)) {
      if (entry === undefined) throw new Error(`damage: ${JSON.stringify(damage)}`);
      const hlc = BigInt(entry.hlc.ms) * 65536n + BigInt(entry.hlc.count);
      kept.push({ seq: entry.seq, hlc, ...named(entry) });
    }
    return kept;
  }

  /**
   * When all writers are dead: the next one makes the tail good, takes in the inbox and finishes what was being erased,
   * and then everything that was acknowledged is there once, in order, as it was sent.
   * @returns what is not so, as sentences
   */
  reckon(account: Account): string[] {
    const wrong: string[] = [];
    resumeErasure(this.#ports, this.#root, this.#decoders);
    const last = new JournalWriter(this.#ports, this.#root, {
      lockBudgetMs: 5000,
      admission: () => admissionOf(this.#ports, layoutOf(this.#root), this.#decoders),
    });
    if (!last.drain()) wrong.push('the inbox could not be taken in');
    last.close();
    wrong.push(...this.look(account));
    const now = this.read(1);
    for (const { key } of now) this.#known.add(key);
    for (const { key, digest } of now) {
      if (key.includes(':') && !isTombstone(key) && account.attempted.get(key) !== digest)
        wrong.push(`${key} is not what was sent`);
    }
    wrong.push(...outOfOrder(now, account), ...halfErased(now, account));
    const isNow = (one: Kept | undefined, index: number) =>
      same(one, this.kept[index]) || isErased(one, this.kept[index], account);
    const changed = now.findIndex((one, index) => !isNow(one, index));
    if (changed !== -1 || now.length !== this.kept.length)
      wrong.push(`what was read before is not the same now, from ${changed} on`);
    const found = verifyJournal(this.#ports, this.#root, this.#decoders);
    if (!found.ok || found.waiting > 0 || found.events !== now.length)
      wrong.push(`verify: ${JSON.stringify(found)}`);
    return wrong;
  }

  #reader(): JournalReader {
    return new JournalReader(this.#ports, this.#root, this.#decoders);
  }
}

const same = (a: Kept | undefined, b: Kept | undefined): boolean =>
  a?.seq === b?.seq && a?.hlc === b?.hlc && a?.key === b?.key && a?.digest === b?.digest;

const tombstoneOf = (key: string): string => `tombstone ${key}`;
const isTombstone = (key: string): boolean => key.startsWith('tombstone ');

/** Whether an event has become a tombstone since, in its place. */
const isErased = (now: Kept | undefined, before: Kept | undefined, { erasing }: Account): boolean =>
  before !== undefined &&
  erasing.has(before.key) &&
  same(now, { ...before, key: tombstoneOf(before.key), digest: '' });

function named(entry: Entry): Pick<Kept, 'key' | 'digest'> {
  const key = keyOf(entry);
  if (entry.kind === FRAME_KIND.tombstone) return { key: tombstoneOf(String(key)), digest: '' };
  return { key: key ?? decodeEnvelope(entry.payload).type, digest: digestOf(entry.payload) };
}

/** An erasure that was requested is done once the next one came by, and erased nothing else. */
function halfErased(kept: readonly Kept[], { erasing }: Account): string[] {
  const keys = new Set(kept.map(({ key }) => key));
  const tombstones = [...keys].filter(isTombstone);
  const asked = new Set([...erasing].map(tombstoneOf));
  const wrong = tombstones
    .filter((key) => !asked.has(key))
    .map((key) => `${key} was not to be erased`);
  const isRequested = keys.has('erasure.requested');
  if (isRequested !== keys.has('erasure.done')) wrong.push('an erasure was requested and not done');
  for (const key of isRequested ? erasing : [])
    if (keys.has(key)) wrong.push(`${key} was to be erased and is there`);
  return wrong;
}

/**
 * Seqs without a gap, clocks that rise, and each process's events in the order in which it sent them, the last ones
 * missing at most.
 */
function outOfOrder(kept: readonly Kept[], { erasing }: Account): string[] {
  const wrong: string[] = [];
  const erased = new Map([...erasing].map((key) => [tombstoneOf(key), key]));
  const counts = new Map<string, number>();
  for (const [index, one] of kept.entries()) {
    const { seq, hlc } = one;
    if (seq !== index + 1) wrong.push(`seq ${seq} stands at ${index + 1}`);
    if (index > 0 && hlc <= kept[index - 1]!.hlc)
      wrong.push(`the clock of seq ${seq} does not rise`);
    const key = erased.get(one.key) ?? one.key;
    const [name = '', number] = key.split(':');
    if (number === undefined) continue;
    const count = counts.get(name) ?? 0;
    if (Number(number) !== count) wrong.push(`${key} stands where ${name}:${count} belongs`);
    counts.set(name, count + 1);
  }
  return wrong;
}
