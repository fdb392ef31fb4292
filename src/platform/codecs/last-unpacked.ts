type Unpack = (bytes: Uint8Array, plainBytes: number) => Uint8Array;

/**
 * Remembers the last block and what was in it: stored states that were saved together each have their place in the
 * same chunk looked up, and in JavaScript unpacking it takes longer than all the rest. Nobody writes into the result.
 */
export function lastUnpacked(unpack: Unpack): Unpack {
  let last: { bytes: Uint8Array; plain: Uint8Array } | undefined;
  return (bytes, plainBytes) => {
    const same = last?.plain.length === plainBytes && Buffer.compare(last.bytes, bytes) === 0;
    if (!same) last = { bytes: Uint8Array.from(bytes), plain: unpack(bytes, plainBytes) };
    return last!.plain;
  };
}
