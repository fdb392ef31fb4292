/** The largest block that a Zstd frame may have. */
const BLOCK_BYTES = 128 * 1024;
/** Frame header without a content size; the window is 128 KiB. */
const HEADER = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38]);
const RUN = 1;

/**
 * A Zstd frame of run-length blocks, made by hand after RFC 8878: four bytes for each 128 KiB.
 * @param blocks how many times 128 KiB of the byte come out
 */
export function zstdOfRuns(byte: number, blocks: number): Buffer {
  const parts = [HEADER];
  for (let left = blocks; left > 0; left -= 1) {
    const block = Buffer.alloc(4);
    block.writeUIntLE((BLOCK_BYTES << 3) | (RUN << 1) | (left === 1 ? 1 : 0), 0, 3);
    block.writeUInt8(byte, 3);
    parts.push(block);
  }
  return Buffer.concat(parts);
}
