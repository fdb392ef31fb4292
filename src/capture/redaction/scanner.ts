import type { Places } from './places.ts';
import type { Span } from './rule.ts';
import { SCANNER } from './scanner-bytes.ts';
import { AHEAD_CHARS, BEHIND_CHARS } from './scanner-reach.ts';
import { SCANNER_TABLES } from './scanner-tables.ts';

/** What `scanner.wat` exports. Offsets are in bytes of its memory. */
interface Exports {
  memory: { readonly buffer: ArrayBuffer };
  scan(chars: number, from: number, to: number): number;
}

/** Node's types leave it out. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

/** Native methods of a Buffer, which Node's types leave out: nothing of them has to be compiled. */
type Write = (this: Uint8Array, text: string, at: number) => number;
const { base64Write, ucs2Write } = Buffer.prototype as unknown as Record<string, Write>;

const TABLES = 384;
const TEXT = 12_288;
const FOUND = 43_520;

/** How much is searched at once, UTF-16 units: in a new process each page of memory costs when first written. */
const WINDOW_CHARS = 8 * 1024;

export interface Scanner {
  /**
   * Adds to `places` where something stands by which secrets are found: maybe too many places, never one too few.
   * @param span what is searched, by default all of the text; it begins at 0, or behind `BEHIND_CHARS`
   */
  scan(text: string, places: Places, span?: Span): void;
}

class WasmScanner implements Scanner {
  readonly #exports: Exports;
  readonly #memory: Uint8Array;
  readonly #found: Uint32Array;

  constructor() {
    const bytes = new Uint8Array(
      (SCANNER.length / 4) * 3 - (SCANNER.endsWith('==') ? 2 : SCANNER.endsWith('=') ? 1 : 0),
    );
    base64Write?.call(bytes, SCANNER, 0);
    const module = new WebAssembly.Module(bytes);
    this.#exports = new WebAssembly.Instance(module).exports as Exports;
    const { buffer } = this.#exports.memory;
    this.#memory = new Uint8Array(buffer);
    this.#found = new Uint32Array(buffer, FOUND);
    base64Write?.call(this.#memory, SCANNER_TABLES, TABLES);
  }

  scan(text: string, places: Places, span: Span = { start: 0, end: text.length }): void {
    for (let from = span.start; from < span.end; from += WINDOW_CHARS) {
      const start = Math.max(0, from - BEHIND_CHARS);
      const to = Math.min(span.end, from + WINDOW_CHARS);
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
