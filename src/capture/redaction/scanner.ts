import type { Places } from './places.ts';
import { SCANNER } from './scanner-bytes.ts';
import { LITERAL_WORDS, TOKEN_WORDS } from './scanner-words.ts';

/** What `scanner.wat` exports. Offsets are in bytes of its memory. */
interface Exports {
  memory: { readonly buffer: ArrayBuffer };
  learn(literals: number, tokens: number, end: number): void;
  scan(chars: number, from: number, to: number): number;
}

/** Node's types leave it out. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

/** Native methods of a Buffer, which Node's types leave out: nothing of them has to be compiled. */
type Write = (this: Uint8Array, text: string, at: number) => number;
const { latin1Write, ucs2Write } = Buffer.prototype as unknown as Record<string, Write>;

const WORDS = 33_280;
const TEXT = 49_152;
const FOUND = 155_648;

/**
 * How much is searched at once, UTF-16 units. `scanner.wat` has room for four times as much; but V8 takes the code that it
 * has meanwhile made faster only from the next call on, and in a new process each page of memory costs when first written.
 */
const WINDOW_CHARS = 8 * 1024;
/** What must be seen before a place to judge it: the name that a label ends. */
const BEHIND_CHARS = 80;
/** And behind it: the longest word, and the host of a URL or as much of a token as tells it from a word. */
const AHEAD_CHARS = 192;

export interface Scanner {
  /** Adds to `places` where something stands by which secrets are found: maybe too many places, never one too few. */
  scan(text: string, places: Places): void;
}

class WasmScanner implements Scanner {
  readonly #exports: Exports;
  readonly #memory: Uint8Array;
  readonly #found: Uint32Array;

  constructor() {
    const module = new WebAssembly.Module(Buffer.from(SCANNER, 'base64'));
    this.#exports = new WebAssembly.Instance(module).exports as Exports;
    const { buffer } = this.#exports.memory;
    this.#memory = new Uint8Array(buffer);
    this.#found = new Uint32Array(buffer, FOUND);
    const tokens = WORDS + LITERAL_WORDS.length;
    latin1Write?.call(this.#memory, LITERAL_WORDS + TOKEN_WORDS, WORDS);
    this.#exports.learn(WORDS, tokens, tokens + TOKEN_WORDS.length);
  }

  scan(text: string, places: Places): void {
    for (let from = 0; from < text.length; from += WINDOW_CHARS) {
      const start = Math.max(0, from - BEHIND_CHARS);
      const to = Math.min(text.length, from + WINDOW_CHARS);
      const end = Math.min(text.length, to + AHEAD_CHARS);
      ucs2Write?.call(this.#memory, text.slice(start, end), TEXT);
      const count = this.#exports.scan(end - start, from - start, to - start);
      for (let index = 0; index < count; index += 1) {
        const found = this.#found[index] ?? 0;
        places.add(found >>> 24, start + (found & 0xffffff));
      }
    }
  }
}

/** Null where there is no WebAssembly to be had. */
export function wasmScanner(): Scanner | null {
  try {
    return new WasmScanner();
  } catch {
    return null;
  }
}
