/** Shrinks and restores byte blocks. Standard bitstreams: the `lz4` and `zstd` programs read what these write. */
export interface Codec {
  /** Undefined when the bytes did not get smaller. */
  compress(bytes: Uint8Array, level: number): Uint8Array | undefined;
}

export interface Decoders {
  /**
   * @param plainBytes what must come out
   * @param into as many bytes, for what comes out: who has room need not be given more
   * @throws when anything else would come out; the content itself is checked by the caller's checksum, since
   * neither library checks it
   */
  lz4(bytes: Uint8Array, plainBytes: number, into?: Uint8Array): Uint8Array;
  zstd(bytes: Uint8Array, plainBytes: number): Uint8Array;
}
