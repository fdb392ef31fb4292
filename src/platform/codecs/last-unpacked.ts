type Unpack = (bytes: Uint8Array, plainBytes: number) => Uint8Array;

/** Caches the last block: states that were saved together share a chunk. The result must not be changed. */
export function lastUnpacked(unpack: Unpack): Unpack {
  let last: { bytes: Uint8Array; plain: Uint8Array } | undefined;
  return (bytes, plainBytes) => {
    const same = last?.plain.length === plainBytes && Buffer.compare(last.bytes, bytes) === 0;
    if (!same) last = { bytes: Uint8Array.from(bytes), plain: unpack(bytes, plainBytes) };
    return last!.plain;
  };
}
