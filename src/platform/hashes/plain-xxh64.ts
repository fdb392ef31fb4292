const PRIME_1 = 0x9e3779b185ebca87n;
const PRIME_2 = 0xc2b2ae3d27d4eb4fn;
const PRIME_3 = 0x165667b19e3779f9n;
const PRIME_4 = 0x85ebca77c2b2ae63n;
const PRIME_5 = 0x27d4eb2f165667c5n;
const STRIPE_BYTES = 32;

const u64 = (value: bigint): bigint => BigInt.asUintN(64, value);
const rotate = (value: bigint, bits: bigint): bigint =>
  u64((value << bits) | (value >> (64n - bits)));
const round = (lane: bigint, input: bigint): bigint =>
  u64(rotate(u64(lane + input * PRIME_2), 31n) * PRIME_1);

/** XXH64 without WebAssembly: slow, for systems that switch it off or limit address space. */
export function plainXxh64(bytes: Uint8Array, seed: bigint): bigint {
  const { length } = bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  let at = 0;
  let sum = seed + PRIME_5;
  if (length >= STRIPE_BYTES) {
    const lanes = [seed + PRIME_1 + PRIME_2, seed + PRIME_2, seed, seed - PRIME_1].map(u64);
    for (; at + STRIPE_BYTES <= length; at += STRIPE_BYTES)
      for (const [n, lane] of lanes.entries())
        lanes[n] = round(lane, view.getBigUint64(at + n * 8, true));
    const [a, b, c, d] = lanes as [bigint, bigint, bigint, bigint];
    sum = rotate(a, 1n) + rotate(b, 7n) + rotate(c, 12n) + rotate(d, 18n);
    for (const lane of lanes) sum = (u64(sum) ^ round(0n, lane)) * PRIME_1 + PRIME_4;
  }
  sum = u64(sum + BigInt(length));
  for (; at + 8 <= length; at += 8) {
    sum ^= round(0n, view.getBigUint64(at, true));
    sum = u64(rotate(sum, 27n) * PRIME_1 + PRIME_4);
  }
  if (at + 4 <= length) {
    sum ^= u64(BigInt(view.getUint32(at, true)) * PRIME_1);
    sum = u64(rotate(sum, 23n) * PRIME_2 + PRIME_3);
    at += 4;
  }
  for (; at < length; at += 1) {
    sum ^= u64(BigInt(bytes[at]!) * PRIME_5);
    sum = u64(rotate(sum, 11n) * PRIME_1);
  }
  sum = u64((sum ^ (sum >> 33n)) * PRIME_2);
  sum = u64((sum ^ (sum >> 29n)) * PRIME_3);
  return sum ^ (sum >> 32n);
}
