import { type Engine, engine } from './engine.ts';
import type { Places } from './places.ts';
import type { Span } from './rule.ts';
import { AHEAD_CHARS, BEHIND_CHARS } from './scanner-reach.ts';
import { SCANNER_TABLES } from './scanner-tables.ts';

const TABLES = 384;
const TEXT = 12_672;
const GIVEN = 131_072;
const FOUND = 43_520;

/** How much is searched at once, UTF-16 units: in a new process each page of memory costs when first written. */
const WINDOW_CHARS = 8 * 1024;

export interface Scanner {
  /**
   * Adds to `places` where something stands by which secrets are found: maybe too many places, never one too few.
   * @param span what is searched, by default all of the text; it begins at 0, or behind `BEHIND_CHARS`
   */
  scan(text: string, places: Places, span?: Span): void;
  /**
   * The same of a text without a terminal's sequences: what is found in that, and in the text as it is near those places.
   * @returns false where that does not say all: the text must then be searched in both ways, and what was added is of no use
   */
  scanPlain(text: string, plain: Places, itself: Places): boolean;
}

class WasmScanner implements Scanner {
  readonly #engine: Engine;
  readonly #found: Uint32Array;

  constructor(own: Engine) {
    this.#engine = own;
    this.#found = new Uint32Array(own.bytes.buffer, FOUND);
    own.writeBytes(SCANNER_TABLES, TABLES);
  }

  scan(text: string, places: Places, span: Span = { start: 0, end: text.length }): void {
    for (let from = span.start; from < span.end; from += WINDOW_CHARS) {
      const start = Math.max(0, from - BEHIND_CHARS);
      const to = Math.min(span.end, from + WINDOW_CHARS);
      const end = Math.min(text.length, to + AHEAD_CHARS);
      this.#engine.writeText(text.slice(start, end), TEXT);
      this.#add(places, this.#engine.scan(end - start, from - start, to - start), start);
    }
  }

  /** Whole lines at a time: whatever the scanner looks at ends with the line, but for a word that begins with its break. */
  scanPlain(text: string, plain: Places, itself: Places): boolean {
    let chars = 0;
    for (let from = 0, to = 0; from < text.length; from = to) {
      to = from + WINDOW_CHARS;
      to = to < text.length ? text.lastIndexOf('\n', to - 1) + 1 : text.length;
      // No line ends there, or too little stands before this one for `scan`.
      if (to <= from || (from > 0 && from <= BEHIND_CHARS)) return false;
      const before = from > 0 ? 1 : 0;
      this.#engine.writeText(text.slice(from - before, to), GIVEN);
      const left = this.#engine.strip(to - from + before);
      if (left < 0) return false;
      const count = this.#engine.scan(left, 0, left);
      this.#add(plain, count, chars - before);
      if (count > 0) this.scan(text, itself, { start: from - before, end: to });
      chars += left - before;
    }
    return true;
  }

  #add(places: Places, count: number, start: number): void {
    for (let index = 0; index < count; index += 1) {
      const found = this.#found[index] ?? 0;
      places.add(found >>> 24, start + (found & 0xffffff));
    }
  }
}

/** Null where there is no WebAssembly to be had. */
export function wasmScanner(): Scanner | null {
  const own = engine();
  return own && new WasmScanner(own);
}
