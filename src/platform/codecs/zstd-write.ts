import * as zlib from 'node:zlib';
import { Ben10Error } from '../errors.ts';
import { wasmHashes } from '../hashes/wasm.ts';
import type { Codec } from './codecs.ts';

interface NativeZstd {
  zstdCompressSync(bytes: Uint8Array, options: { params: Record<number, number> }): Buffer;
}

const shrunk = (bytes: Uint8Array, stored: Uint8Array): Uint8Array | undefined =>
  stored.length < bytes.length ? stored : undefined;

let loaded: Promise<typeof import('@bokuweb/zstd-wasm')> | undefined;

/** Once only: a second init would replace memory that is in use. */
function loadWasm(): Promise<typeof import('@bokuweb/zstd-wasm')> {
  loaded ??= import('@bokuweb/zstd-wasm').then(async (wasm) => {
    await wasm.init();
    return wasm;
  });
  return loaded;
}

/** Node's own Zstd (22.15 and later), else the WebAssembly build. @throws Ben10Error LIMIT_EXCEEDED if there is neither */
export async function loadZstd(): Promise<Codec> {
  const native = zlib as Partial<NativeZstd>;
  if (native.zstdCompressSync !== undefined) {
    const compress = native.zstdCompressSync;
    const level = (zlib.constants as Record<string, number>).ZSTD_c_compressionLevel ?? 100;
    return {
      compress: (bytes, value) => shrunk(bytes, compress(bytes, { params: { [level]: value } })),
    };
  }
  // Checked first: without memory, the package's init neither ends nor fails.
  if (wasmHashes() === null) throw noZstd();
  const wasm = await loadWasm();
  return { compress: (bytes, level) => shrunk(bytes, wasm.compress(bytes as Buffer, level)) };
}

const noZstd = () =>
  new Ben10Error(
    'LIMIT_EXCEEDED',
    'cannot compress: this Node has neither Zstd nor WebAssembly (switched off, or address space is limited)',
    { next: 'Use Node 22.15 or later, or raise the limit: ulimit -v unlimited' },
  );
