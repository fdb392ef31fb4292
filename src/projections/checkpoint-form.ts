import { isAscii } from 'node:buffer';
import { Encoder } from '@msgpack/msgpack';
import { readMsgpack } from '../journal/format/msgpack-read.ts';
import type { Frontier } from './frontier.ts';

export interface Meta {
  projection: string;
  version: number;
  session: string | null;
  frontier: Frontier;
  /** Chain of the newest event that it knows, hex: it differs in another history. */
  chain: string;
  erasureEpoch: number;
}

/** The encoder's own nesting limit: `load` must read all that `save` wrote. */
export const ENCODER_DEPTH_MAX = 100;

/** Far more values than any state has. Without a limit 20 KB could unpack to gigabytes of empty maps. */
export const STATE_VALUES_MAX = 4_000_000;

const SHORT_ID_CHARS = 16;

/** The ids are one text: decoded one by one they would take most of the time. */
interface StoredFrontier extends Omit<Frontier, 'recent'> {
  halves: string;
}

/** How much longer escaping may make a text. */
const ESCAPED_MAX = 1.2;

/** `[`: no MessagePack list of two begins with it. */
const JSON_START = 0x5b;

/**
 * As JSON, which a new process reads three times as fast as MessagePack.
 * @param hasBytes the state holds bytes, so MessagePack is needed
 * @returns encodes the state as it was at the call
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

/** ASCII is read twice as fast; not worth it where escapes make the text much longer. */
function escaped(json: string): string {
  const ascii = json.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return ascii.length < json.length * ESCAPED_MAX ? ascii : json;
}

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

/** @throws TypeError when another version wrote it */
function frontierOf(stored: StoredFrontier): Frontier {
  const { halves, ...frontier } = stored;
  const { seq, last, folded, reached } = frontier;
  const isOurs =
    typeof seq === 'number' &&
    typeof last === 'number' &&
    Array.isArray(folded) &&
    Array.isArray(reached) &&
    typeof halves === 'string' &&
    halves.length % SHORT_ID_CHARS === 0;
  if (!isOurs) throw new TypeError();
  const ids = Array.from({ length: halves.length / SHORT_ID_CHARS }, (_, n) =>
    halves.slice(SHORT_ID_CHARS * n, SHORT_ID_CHARS * (n + 1)),
  );
  return { ...frontier, recent: ids };
}
