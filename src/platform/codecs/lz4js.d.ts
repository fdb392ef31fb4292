declare module 'lz4js' {
  function compress(bytes: Uint8Array): Uint8Array;
  function compressBound(bytes: number): number;
  /** @returns how many bytes it wrote, 0 where it saves none */
  function compressBlock(
    bytes: Uint8Array,
    into: Uint8Array,
    from: number,
    length: number,
    positions: Uint32Array,
  ): number;
  function decompressFrame(bytes: Uint8Array, into: Uint8Array): number;
  const lz4: {
    compress: typeof compress;
    compressBound: typeof compressBound;
    compressBlock: typeof compressBlock;
    decompressFrame: typeof decompressFrame;
  };
  export default lz4;
}
