/** Writes standard formats: the `lz4` and `zstd` programs can read them. */
export interface Codec {
  /** Undefined if the result is not smaller. */
  compress(bytes: Uint8Array, level: number): Uint8Array | undefined;
}

export interface Decoders {
  /**
   * @param plainBytes the expected length; the content is for the caller's checksum to check
   * @param into a buffer of that length to reuse
   * @throws on any other length
   */
  lz4(bytes: Uint8Array, plainBytes: number, into?: Uint8Array): Uint8Array;
  zstd(bytes: Uint8Array, plainBytes: number): Uint8Array;
}
