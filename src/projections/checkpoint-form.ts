import { isAscii } from 'node:buffer';
import { Encoder } from '@msgpack/msgpack';
import { readMsgpack } from '../journal/format/msgpack-read.ts';
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

/** Values in a stored state, far more than any has: 64 MiB of empty maps, which 20 KB unpack to, would take gigabytes. */
export const STATE_VALUES_MAX = 4_000_000;

/** Of a fact's id, as a frontier has it, hex digits. */
const SHORT_ID_CHARS = 16;

/** As it is stored: thousands of ids in one piece, for one by one they are most of what there is to decode. */
interface StoredFrontier extends Omit<Frontier, 'recent'> {
  /** In hex; bytes as ben10 wrote them before. */
  halves: string | Uint8Array;
}

/** How much longer a text may get by that. */
const ESCAPED_MAX = 1.2;

/** What MessagePack cannot begin with, when it is a list of two. */
const JSON_START = 0x5b;

/**
 * JSON: the engine reads it in a third of the time that MessagePack takes in JavaScript, in a process that has just begun.
 * @param hasBytes whether the state holds bytes, which JSON cannot: MessagePack then
 * @returns gives the bytes of the state as it was when this was called
 */
export function encodeCheckpoint(meta: Meta, state: unknown, hasBytes: boolean): () => Uint8Array {
  const { recent, ...frontier } = meta.frontier;
  const stored = [{ ...meta, frontier: { ...frontier, halves: recent.join('') } }, state];
  if (hasBytes) {
    const bytes = new Encoder({ initialBufferSize: 64 * 1024 }).encode(stored);
    return () => bytes;
  }
  const json = JSON.stringify(stored);
  return () => Buffer.from(escaped(json));
}

/** In ASCII, which is read in half of the time, unless it has so many other letters that it would be much longer. */
function escaped(json: string): string {
  const ascii = json.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return ascii.length < json.length * ESCAPED_MAX ? ascii : json;
}

/** Undefined when it is checksummed, but not by a ben10 that we understand. */
export function decodeCheckpoint<S>(plain: Buffer): { meta: Meta; state: S } | undefined {
  try {
    const [meta, state] = contentOf(plain) as [Meta, S];
    const frontier = frontierOf(meta.frontier as unknown as StoredFrontier);
    return { meta: { ...meta, frontier }, state };
  } catch {
    return undefined;
  }
}

const contentOf = (plain: Buffer): unknown =>
  plain[0] === JSON_START
    ? JSON.parse(plain.toString(isAscii(plain) ? 'latin1' : 'utf8'))
    : readMsgpack(plain, ENCODER_DEPTH_MAX, STATE_VALUES_MAX);

/** @throws TypeError when it was written by a ben10 whose stored states looked different */
function frontierOf(stored: StoredFrontier): Frontier {
  const { halves, ...frontier } = stored;
  const { seq, last, folded, reached } = frontier;
  const hex = typeof halves === 'string' ? halves : Buffer.from(halves).toString('hex');
  const isOurs =
    typeof seq === 'number' &&
    typeof last === 'number' &&
    Array.isArray(folded) &&
    Array.isArray(reached) &&
    hex.length % SHORT_ID_CHARS === 0;
  if (!isOurs) throw new TypeError();
  const ids = Array.from({ length: hex.length / SHORT_ID_CHARS }, (_, n) =>
    hex.slice(SHORT_ID_CHARS * n, SHORT_ID_CHARS * (n + 1)),
  );
  return { ...frontier, recent: ids };
}
