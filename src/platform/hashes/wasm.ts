import { WASM_BYTES } from './wasm-bytes.ts';

/** The exports of `hashes.wat`; offsets are in its memory. */
interface Exports {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  sha256(from: number, end: number): void;
  xxh64(from: number, bytes: number, seed: bigint): bigint;
  /** `low`, `high` and `sum` are taken modulo 2^32. */
  holds(from: number, bytes: number, salt: bigint, low: number, high: number, sum: number): number;
}

/** Missing in Node's types. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

const DIGEST = 576;
const DIGEST_BYTES = 32;
const INPUT = 1024;
const PAGE_BYTES = 64 * 1024;

/** SHA-256 and XXH64 in WebAssembly, loaded synchronously. */
export class WasmHashes {
  readonly #exports: Exports;
  /** Not a Buffer: a hook would have to compile its methods first. */
  #memory: Uint8Array;

  /** @throws if WebAssembly is switched off, or no address space is left */
  constructor() {
    const module = new WebAssembly.Module(Buffer.from(WASM_BYTES, 'base64'));
    this.#exports = new WebAssembly.Instance(module).exports as Exports;
    this.#memory = new Uint8Array(this.#exports.memory.buffer);
  }

  xxh64(bytes: Uint8Array, seed: bigint): bigint {
    this.#reserve(bytes.length);
    this.#memory.set(bytes, INPUT);
    return BigInt.asUintN(64, this.#exports.xxh64(INPUT, bytes.length, seed));
  }

  sha256(parts: readonly Uint8Array[], bytes: number): Buffer {
    // FIPS 180-4 §5.1.1: a one bit, zeros, and the length in bits, up to a multiple of 64 bytes.
    const padded = (Math.floor((bytes + 8) / 64) + 1) * 64;
    this.#reserve(padded);
    const memory = this.#memory;
    let at = INPUT;
    for (const part of parts) {
      memory.set(part, at);
      at += part.length;
    }
    const end = INPUT + padded;
    memory.fill(0, at, end);
    memory[at] = 0x80;
    let bits = bytes * 8;
    for (let i = end - 1; bits > 0; i -= 1) {
      memory[i] = bits % 256;
      bits = Math.floor(bits / 256);
    }
    this.#exports.sha256(INPUT, end);
    const digest = Buffer.allocUnsafe(DIGEST_BYTES);
    digest.set(memory.subarray(DIGEST, DIGEST + DIGEST_BYTES));
    return digest;
  }

  /** Memory for bytes that `holds` checks in place. Valid until the next call that needs more memory. */
  room(bytes: number): Buffer {
    this.#reserve(bytes);
    return Buffer.from(this.#memory.buffer, INPUT, bytes);
  }

  /** Whether XXH64 of bytes in `room`, seeded with `salt ^ place`, equals the value at `sum`. */
  holds(from: number, bytes: number, salt: bigint, place: number, sum: number): boolean {
    const high = Math.floor(place / 0x1_0000_0000);
    return this.#exports.holds(INPUT + from, bytes, salt, place, high, INPUT + sum) === 1;
  }

  #reserve(bytes: number): void {
    const missing = INPUT + bytes - this.#memory.length;
    if (missing <= 0) return;
    this.#exports.memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.#memory = new Uint8Array(this.#exports.memory.buffer);
  }
}

let loaded: WasmHashes | null | undefined;

/** Null without WebAssembly: callers have slower alternatives. */
export function wasmHashes(): WasmHashes | null {
  if (loaded === undefined) {
    try {
      loaded = new WasmHashes();
    } catch {
      loaded = null;
    }
  }
  return loaded;
}
