import type { Codec } from '../../src/platform/codecs/codecs.ts';

/** The WebAssembly encoder on every Node: Node's own gives other bytes from version to version. */
export async function loadZstdWasm(): Promise<Codec> {
  const wasm = await import('@bokuweb/zstd-wasm');
  await wasm.init();
  return {
    compress(bytes, level) {
      const stored = wasm.compress(bytes as Buffer, level);
      return stored.length < bytes.length ? stored : undefined;
    },
  };
}
