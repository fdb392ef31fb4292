import { SCANNER_BYTES } from './scanner-bytes.ts';

/** Node's types leave it out. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

/** What `scanner.wat` exports. */
interface Scanner {
  memory: { readonly buffer: ArrayBuffer };
  /** Where the last scan stopped. */
  next: { readonly value: number };
  prepare(chars: number): void;
  scan(from: number, to: number, chars: number): number;
}

/** A native method of a Buffer, which Node's types leave out. */
type Memory = Buffer & { ucs2Write(text: string, at: number): number };

const LINES_AT = 0x1d000;
const LINES_CHARS_MAX = 32 * 1024;
const FOUND_AT = 0x2d000;
const TEXT_AT = 0x35000;
/** How much of a text is scanned at once, and what is seen around it. */
const SCANNED_CHARS = 16 * 1024;
const BEFORE_CHARS = 128;
const BEHIND_CHARS = 512;

/** Searching a shorter one again costs nothing. */
const LONG_CHARS_MIN = 1024;

/** Where a keyword stands: its place and its number, one pair after the other. */
export type Candidates = number[];

export interface Keyword {
  readonly text: string;
  /** The places of its rules in the table. */
  readonly ranks: readonly number[];
}

/**
 * Finds keywords in one pass over the text, with a look at what stands around them: nearly every text ends here, and no expression
 * is run for it. It is WebAssembly because a hook's process lives too short for V8 to make machine code of a loop.
 */
export class Prefilter {
  readonly #lines: readonly string[];
  readonly #scanner: Scanner | undefined;
  readonly #memory: Memory | undefined;
  #last: { text: string; candidates: Candidates } | undefined;

  /** @param lines as `keywords.ts` has them */
  constructor(lines: string) {
    this.#lines = lines.split('\n');
    this.#scanner = scannerOf();
    if (this.#scanner === undefined) return;
    if (lines.length > LINES_CHARS_MAX) throw new Error('too many keywords');
    this.#memory = Buffer.from(this.#scanner.memory.buffer) as Memory;
    this.#memory.ucs2Write(lines, LINES_AT);
    this.#scanner.prepare(lines.length);
  }

  keyword(index: number): Keyword {
    const line = this.#lines[index]!;
    const end = line.lastIndexOf('\t');
    const [, ...ranks] = line.slice(end + 1).split(' ');
    return { text: line.slice(1, end), ranks: ranks.map(Number) };
  }

  /** The gate and the rules ask for the same long text one after the other. */
  candidates(text: string): Candidates {
    if (text.length < LONG_CHARS_MIN) return this.#search(text);
    if (this.#last?.text !== text) this.#last = { text, candidates: this.#search(text) };
    return this.#last.candidates;
  }

  #search(text: string): Candidates {
    if (this.#scanner === undefined) return this.#plainly(text);
    const found: Candidates = [];
    for (let at = 0; at < text.length; )
      at = this.#scan(this.#scanner, this.#memory!, text, at, found);
    return found;
  }

  /** @returns where the next one begins */
  #scan(scanner: Scanner, memory: Memory, text: string, from: number, found: Candidates): number {
    const start = Math.max(0, from - BEFORE_CHARS);
    const part = text.slice(start, from + SCANNED_CHARS + BEHIND_CHARS);
    memory.ucs2Write(part, TEXT_AT);
    const end = Math.min(text.length, from + SCANNED_CHARS);
    const count = scanner.scan(from - start, end - start, part.length);
    for (let pair = FOUND_AT; pair < FOUND_AT + 8 * count; pair += 8) {
      const at = start + memory.readUInt32LE(pair);
      const index = memory.readUInt32LE(pair + 4);
      if (at === 0 || this.#lines[index]![0] !== 'p' || !isInside(text, at)) found.push(at, index);
    }
    return start + scanner.next.value;
  }

  /** The same and more, without a look at what stands around. */
  #plainly(text: string): Candidates {
    const lower = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
    const pairs: [number, number][] = [];
    for (const [index, line] of this.#lines.entries()) {
      const word = this.keyword(index).text;
      const where = line[0] === 't' ? text : lower;
      for (let at = where.indexOf(word); at >= 0; at = where.indexOf(word, at + 1))
        pairs.push([at, index]);
    }
    return pairs.sort((a, b) => a[0] - b[0]).flat();
  }
}

/** Undefined where WebAssembly is switched off, or no address space is left for it. */
function scannerOf(): Scanner | undefined {
  try {
    const module = new WebAssembly.Module(Buffer.from(SCANNER_BYTES, 'base64'));
    return new WebAssembly.Instance(module).exports as Scanner;
  } catch {
    return undefined;
  }
}

/** Whether the word is but the end of another: `compass`, `monkey`. */
const isInside = (text: string, at: number): boolean =>
  /^(?:[A-Za-z][a-z]|[A-Z]{2})/.test(text.slice(at - 1, at + 1)) &&
  !KNOWN_BEFORE.test(text.slice(Math.max(0, at - 6), at));
/** Words that stand before a label without a sign, and an escape. */
export const KNOWN_BEFORE =
  /(?:db|user|my|admin|root|smtp|mail|api|ftp|ssh|sql|pg|redis|auth|become|\\[nrt])$/i;
