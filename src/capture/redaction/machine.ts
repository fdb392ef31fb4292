import { engine } from './engine.ts';

/*
 * Runs the programs that `tools/expressions.mjs` makes of regular expressions. V8 takes 0.3 to 3 ms to compile a large one, which
 * a hook uses once or twice.
 */

// Where `machine.wat` has them.
const PROGRAM = 196_608;
const GROUPS = PROGRAM + 4;
const TEXT = 221_184;
const REGISTERS = 253_952;

/** Of a longer text a sticky expression sees what is near; V8 is asked where that is not enough, and for others always. */
const TEXT_CHARS_MAX = 16 * 1024;
const BEFORE_CHARS = 512;
const BEHIND_CHARS = 2048;

let loaded: string | undefined;
let registers: Int32Array | undefined;
/** Where the text begins that the machine has seen, in the text that it was asked about. */
let start = 0;

/**
 * Where the first match in the text begins, from `from` on or only there; -1 where none does, undefined where the machine cannot say.
 * @param program in base64
 */
export function runProgram(
  program: string,
  text: string,
  from: number,
  isSticky: boolean,
): number | undefined {
  const own = engine();
  const isCut = text.length > TEXT_CHARS_MAX;
  if (own === null || (isCut && !isSticky)) return undefined;
  start = isCut ? Math.max(0, from - BEFORE_CHARS) : 0;
  const seen = isCut ? text.slice(start, from + BEHIND_CHARS) : text;
  try {
    if (loaded !== program) own.writeBytes(program, PROGRAM);
    loaded = program;
    own.writeText(seen, TEXT);
    const at = own.exec(seen.length, from - start, isSticky ? 1 : 0);
    if (isCut && own.beyond.value !== 0) return undefined;
    return at < 0 ? at : start + at;
  } catch {
    return undefined; // no room for all that it may still try
  }
}

/** The place of a group of the match that was found last, 0 for all of it; undefined where it matches nothing. */
export function groupAt(group: number): { start: number; end: number } | undefined {
  registers ??= new Int32Array(engine()!.bytes.buffer, REGISTERS);
  const from = registers[2 * group] ?? -1;
  const to = registers[2 * group + 1] ?? -1;
  return from < 0 || to < 0 ? undefined : { start: start + from, end: start + to };
}

/** How many groups the program has that was run last. */
export const groupCount = (): number => engine()!.bytes[GROUPS]!;
