import { SCANNER } from './scanner-bytes.ts';

/** What `scanner.wat` and `machine.wat` export. Offsets are in bytes of their memory. */
export interface Engine {
  /** @returns how many places it found */
  scan(chars: number, from: number, to: number): number;
  strip(chars: number): number;
  /** @returns where the first match begins, -1 where none does */
  exec(chars: number, from: number, sticky: number): number;
  /** Writes a text as UTF-16. */
  writeText(text: string, at: number): void;
  /** Writes what a text in base64 stands for. */
  writeBytes(text: string, at: number): void;
  /** Whether `exec` looked beyond the text. */
  readonly beyond: { readonly value: number };
  /** All of the memory. */
  readonly bytes: Uint8Array;
}

/** Node's types leave it out. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

type Exports = Pick<Engine, 'scan' | 'strip' | 'exec' | 'beyond'> & {
  memory: { readonly buffer: ArrayBuffer };
};

/** Native methods of a Buffer, which Node's types leave out: nothing of them has to be compiled. */
type Write = (this: Uint8Array, text: string, at: number) => number;
const { base64Write, ucs2Write } = Buffer.prototype as unknown as Record<string, Write>;

function start(): Engine {
  const code = new Uint8Array(
    (SCANNER.length / 4) * 3 - (SCANNER.endsWith('==') ? 2 : SCANNER.endsWith('=') ? 1 : 0),
  );
  base64Write?.call(code, SCANNER, 0);
  const module = new WebAssembly.Module(code);
  const { memory, scan, strip, exec, beyond } = new WebAssembly.Instance(module).exports as Exports;
  const bytes = new Uint8Array(memory.buffer);
  return {
    scan,
    strip,
    exec,
    beyond,
    bytes,
    writeText: (text, at) => ucs2Write?.call(bytes, text, at),
    writeBytes: (text, at) => base64Write?.call(bytes, text, at),
  };
}

let made: Engine | null | undefined;

/** Null where there is no WebAssembly to be had (`--jitless`, a limit on address space). */
export function engine(): Engine | null {
  if (made === undefined)
    try {
      made = start();
    } catch {
      made = null;
    }
  return made;
}
