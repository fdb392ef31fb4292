/** The largest block that a Zstd frame may have. */
const BLOCK_BYTES = 128 * 1024;
export const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** The rest of a frame's header: no content size, a window of 128 KiB. */
const PLAIN_HEAD = Buffer.from([0x00, 0x38]);
const RUN = 1;

/**
 * A Zstd frame of run-length blocks, made by hand after RFC 8878: four bytes for each 128 KiB.
 * @param blocks how many times 128 KiB of the byte come out
 * @param head of the frame, behind its magic
 */
export function zstdOfRuns(byte: number, blocks: number, head = PLAIN_HEAD): Buffer {
  const parts = [ZSTD_MAGIC, head];
  for (let left = blocks; left > 0; left -= 1) {
    const block = Buffer.alloc(4);
    block.writeUIntLE((BLOCK_BYTES << 3) | (RUN << 1) | (left === 1 ? 1 : 0), 0, 3);
    block.writeUInt8(byte, 3);
    parts.push(block);
  }
  return Buffer.concat(parts);
}
