declare module 'lz4js' {
  function compress(bytes: Uint8Array): Uint8Array;
  function decompressFrame(bytes: Uint8Array, into: Uint8Array): number;
  const lz4: { compress: typeof compress; decompressFrame: typeof decompressFrame };
  export default lz4;
}
