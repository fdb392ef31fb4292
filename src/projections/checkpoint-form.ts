import { Encoder } from '@msgpack/msgpack';
import { readMsgpack } from '../journal/msgpack-read.ts';
import type { Frontier } from './frontier.ts';

/** What a stored state says of itself. */
export interface Meta {
  projection: string;
  version: number;
  session: string | null;
  frontier: Frontier;
  /** Chain of the newest event that it knows of, hex: of another history it would differ. */
  chain: string;
  erasureEpoch: number;
}

/** Containers within containers, as many as the encoder writes: what `save` stored, `load` must read. */
export const ENCODER_DEPTH_MAX = 100;

/** Of a fact's id, as a frontier has it. */
const SHORT_ID_BYTES = 8;

/**
 * As it is stored: thousands of ids in one piece, for as strings they are most of what there is to decode. A state with `recent`
 * is of before, when that were the ids' first halves.
 */
type StoredFrontier = Omit<Frontier, 'recent'> & { halves: Uint8Array };

export function encodeCheckpoint(meta: Meta, state: unknown): Uint8Array {
  const { recent, ...frontier } = meta.frontier;
  const halves = Buffer.from(recent.join(''), 'hex');
  const stored = { ...meta, frontier: { ...frontier, halves } };
  return new Encoder({ initialBufferSize: 64 * 1024 }).encode([stored, state]);
}

/** Undefined when it is checksummed, but not by a ben10 that we understand. */
export function decodeCheckpoint<S>(plain: Buffer): { meta: Meta; state: S } | undefined {
  try {
    const [meta, state] = readMsgpack(plain, ENCODER_DEPTH_MAX) as [Meta, S];
    const frontier = frontierOf(meta.frontier as unknown as StoredFrontier);
    return { meta: { ...meta, frontier }, state };
  } catch {
    return undefined;
  }
}

/** @throws TypeError when it was written by a ben10 whose stored states looked different */
function frontierOf(stored: StoredFrontier): Frontier {
  const { halves, ...frontier } = stored;
  const { seq, last, folded, reached } = frontier;
  const isOurs =
    typeof seq === 'number' &&
    typeof last === 'number' &&
    Array.isArray(folded) &&
    Array.isArray(reached) &&
    halves instanceof Uint8Array &&
    halves.length % SHORT_ID_BYTES === 0;
  if (!isOurs) throw new TypeError();
  const hex = Buffer.from(halves.buffer, halves.byteOffset, halves.length).toString('hex');
  const ids = Array.from({ length: halves.length / SHORT_ID_BYTES }, (_, n) =>
    hex.slice(2 * SHORT_ID_BYTES * n, 2 * SHORT_ID_BYTES * (n + 1)),
  );
  return { ...frontier, recent: ids };
}
