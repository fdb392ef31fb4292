import { Decoder, Encoder } from '@msgpack/msgpack';
import { assertShape } from '../journal/msgpack.ts';
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
export const encodeCheckpoint = (meta: Meta, state: unknown): Uint8Array =>
  new Encoder({ initialBufferSize: 64 * 1024 }).encode([meta, state]);

/** Undefined when it is checksummed, but not by a ben10 that we understand. */
export function decodeCheckpoint<S>(plain: Buffer): { meta: Meta; state: S } | undefined {
  try {
    assertShape(plain, ENCODER_DEPTH_MAX);
    const [meta, state] = new Decoder().decode(plain) as [Meta, S];
    assertMeta(meta);
    return { meta, state };
  } catch {
    return undefined;
  }
}

/** @throws TypeError when it was written by a ben10 whose stored states looked different */
function assertMeta({ frontier }: Meta): void {
  const { seq, last, folded, reached, recent } = frontier;
  const lists = [folded, reached, recent].every(Array.isArray);
  if (typeof seq !== 'number' || typeof last !== 'number' || !lists) throw new TypeError();
}
