import type { Decoders } from '../../src/platform/codecs/codecs.ts';
import { unlz4 } from '../../src/platform/codecs/lz4.ts';
import { unzstd } from '../../src/platform/codecs/zstd-read.ts';

/** As many as a journal has blocks. */
const REMEMBERED_MAX = 16;

type Unpack = Decoders['zstd'];
interface Unpacked {
  bytes: Buffer;
  plainBytes: number;
  plain?: Uint8Array;
  error?: unknown;
}

/**
 * Unpacking is a function of the bytes: what is read again and again while a bit elsewhere is damaged is unpacked once.
 * All bytes are compared, and nobody writes into what comes out.
 */
export function remembering(unpack: Unpack): Unpack {
  const all: Unpacked[] = [];
  return (bytes, plainBytes) => {
    const at = all.findIndex(
      (one) =>
        one.plainBytes === plainBytes &&
        one.bytes.length === bytes.length &&
        Buffer.compare(one.bytes, bytes) === 0,
    );
    const found: Unpacked = at === -1 ? once(unpack, bytes, plainBytes) : all.splice(at, 1)[0]!;
    // In front: of what is damaged, each comes twice and never again.
    all.unshift(found);
    all.splice(REMEMBERED_MAX);
    if (found.error !== undefined) throw found.error;
    return found.plain!;
  };
}

function once(unpack: Unpack, bytes: Uint8Array, plainBytes: number): Unpacked {
  const about = { bytes: Buffer.from(bytes), plainBytes };
  try {
    return { ...about, plain: unpack(bytes, plainBytes) };
  } catch (error) {
    return { ...about, error };
  }
}

export const newDecoders = (): Decoders => ({ lz4: remembering(unlz4), zstd: remembering(unzstd) });
