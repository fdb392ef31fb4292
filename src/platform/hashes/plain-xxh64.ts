/**
 * XXH64 in plain 32-bit arithmetic, for where there is no WebAssembly: the same value as every other implementation.
 */
// The five primes of XXH64, as [high, low] halves.
const P1H = 0x9e3779b1 | 0;
const P1L = 0x85ebca87 | 0;
const P2H = 0xc2b2ae3d | 0;
const P2L = 0x27d4eb4f | 0;
const P3H = 0x165667b1;
const P3L = 0x9e3779f9 | 0;
const P4H = 0x85ebca77 | 0;
const P4L = 0xc2b2ae63 | 0;
const P5H = 0x27d4eb2f;
const P5L = 0x165667c5;

// Results of the helpers below: two halves cannot be returned without allocating.
let hi = 0;
let lo = 0;

function multiply(ah: number, al: number, bh: number, bl: number): void {
  const a0 = al & 0xffff;
  const a1 = al >>> 16;
  const b0 = bl & 0xffff;
  const b1 = bl >>> 16;
  const low = Math.imul(a0, b0) >>> 0;
  const cross1 = Math.imul(a0, b1) >>> 0;
  const cross2 = Math.imul(a1, b0) >>> 0;
  const middle = (low >>> 16) + (cross1 & 0xffff) + (cross2 & 0xffff);
  lo = (middle << 16) | (low & 0xffff);
  hi =
    (Math.imul(a1, b1) +
      (cross1 >>> 16) +
      (cross2 >>> 16) +
      (middle >>> 16) +
      Math.imul(ah, bl) +
      Math.imul(al, bh)) |
    0;
}

function add(ah: number, al: number, bh: number, bl: number): void {
  const sum = (al >>> 0) + (bl >>> 0);
  lo = sum | 0;
  hi = (ah + bh + (sum > 0xffffffff ? 1 : 0)) | 0;
}

/** Rotates (hi, lo) left by 1..31. */
function rotate(bits: number): void {
  const h = (hi << bits) | (lo >>> (32 - bits));
  lo = (lo << bits) | (hi >>> (32 - bits));
  hi = h;
}

function round(accH: number, accL: number, inH: number, inL: number): void {
  multiply(inH, inL, P2H, P2L);
  add(accH, accL, hi, lo);
  rotate(31);
  multiply(hi, lo, P1H, P1L);
}

function mergeRound(accH: number, accL: number, laneH: number, laneL: number): void {
  round(0, 0, laneH, laneL);
  multiply(accH ^ hi, accL ^ lo, P1H, P1L);
  add(hi, lo, P4H, P4L);
}

const word = (b: Uint8Array, i: number): number =>
  b[i]! | (b[i + 1]! << 8) | (b[i + 2]! << 16) | (b[i + 3]! << 24);

/** Consumes whole 32-byte stripes; leaves the merged accumulator in (hi, lo) and returns the new position. */
function stripes(b: Uint8Array, seedH: number, seedL: number): number {
  const lanes = new Int32Array(8);
  add(seedH, seedL, P1H, P1L);
  add(hi, lo, P2H, P2L);
  lanes[0] = hi;
  lanes[1] = lo;
  add(seedH, seedL, P2H, P2L);
  lanes[2] = hi;
  lanes[3] = lo;
  lanes[4] = seedH;
  lanes[5] = seedL;
  add(seedH, seedL, ~P1H, ~P1L);
  add(hi, lo, 0, 1);
  lanes[6] = hi;
  lanes[7] = lo;
  let i = 0;
  for (; i + 32 <= b.length; i += 32) {
    for (let lane = 0; lane < 4; lane += 1) {
      const at = i + lane * 8;
      round(lanes[lane * 2]!, lanes[lane * 2 + 1]!, word(b, at + 4), word(b, at));
      lanes[lane * 2] = hi;
      lanes[lane * 2 + 1] = lo;
    }
  }
  let sumH = 0;
  let sumL = 0;
  for (const [lane, bits] of [1, 7, 12, 18].entries()) {
    hi = lanes[lane * 2]!;
    lo = lanes[lane * 2 + 1]!;
    rotate(bits);
    add(sumH, sumL, hi, lo);
    sumH = hi;
    sumL = lo;
  }
  for (let lane = 0; lane < 4; lane += 1) {
    mergeRound(sumH, sumL, lanes[lane * 2]!, lanes[lane * 2 + 1]!);
    sumH = hi;
    sumL = lo;
  }
  return i;
}

/** Mixes in what is left after the stripes; works on and leaves its result in (hi, lo). */
function tail(b: Uint8Array, start: number): void {
  let i = start;
  for (; i + 8 <= b.length; i += 8) {
    const accH = hi;
    const accL = lo;
    round(0, 0, word(b, i + 4), word(b, i));
    hi ^= accH;
    lo ^= accL;
    rotate(27);
    multiply(hi, lo, P1H, P1L);
    add(hi, lo, P4H, P4L);
  }
  if (i + 4 <= b.length) {
    const accH = hi;
    const accL = lo;
    multiply(0, word(b, i), P1H, P1L);
    hi ^= accH;
    lo ^= accL;
    rotate(23);
    multiply(hi, lo, P2H, P2L);
    add(hi, lo, P3H, P3L);
    i += 4;
  }
  for (; i < b.length; i += 1) {
    const accH = hi;
    const accL = lo;
    multiply(0, b[i]!, P5H, P5L);
    hi ^= accH;
    lo ^= accL;
    rotate(11);
    multiply(hi, lo, P1H, P1L);
  }
}

export function plainXxh64(bytes: Uint8Array, seed: bigint): bigint {
  const seedL = Number(seed & 0xffffffffn) | 0;
  const seedH = Number((seed >> 32n) & 0xffffffffn) | 0;
  let from = 0;
  if (bytes.length >= 32) from = stripes(bytes, seedH, seedL);
  else add(seedH, seedL, P5H, P5L);
  add(hi, lo, 0, bytes.length);
  tail(bytes, from);
  // Avalanche: xor-shift by 33, 29 and 32 around two multiplications.
  lo ^= hi >>> 1;
  multiply(hi, lo, P2H, P2L);
  const h = hi;
  hi ^= h >>> 29;
  lo ^= (h << 3) | (lo >>> 29);
  multiply(hi, lo, P3H, P3L);
  lo ^= hi;
  return (BigInt(hi >>> 0) << 32n) | BigInt(lo >>> 0);
}
