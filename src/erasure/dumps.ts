import type { Unpacked } from './layer.ts';

/** A line of a dump: its offset, then bytes in groups (`xxd`, `hexdump`, `od -x`, `Format-Hex`); what stands behind them is left. */
const LINE =
  /^[ \t]*(?:0x)?(?<offset>[0-9A-Fa-f]{6,16}):?[ \t]{1,4}(?<groups>(?:[0-9A-Fa-f]{2}){1,8}(?: {1,2}(?:[0-9A-Fa-f]{2}){1,8}){0,31})(?![0-9A-Fa-f]).*$/gm;
const BREAK_CHARS_MAX = 2;
const GROUPS = /[0-9A-Fa-f]+/g;
/** `hexdump` and `od -x` write two bytes as one number. */
const WORD_DIGITS = 4;

/**
 * Bytes of a text's dumps, whose offsets and margins cut whatever goes over the end of a line. The span is the whole dump, for its
 * margin says the same once more. A dump of words is given in both orders of their bytes.
 */
export function* dumpsIn(text: string): Generator<Unpacked> {
  let lines: RegExpMatchArray[] = [];
  for (const line of text.matchAll(LINE)) {
    const before = lines.at(-1);
    if (before !== undefined && line.index - endOf(before) > BREAK_CHARS_MAX) {
      yield* dumpOf(lines);
      lines = [];
    }
    lines.push(line);
  }
  yield* dumpOf(lines);
}

const endOf = ({ 0: found, index }: RegExpMatchArray): number => index! + found.length;

/** One line says all that it has in one piece, and is found without. */
function* dumpOf(lines: readonly RegExpMatchArray[]): Generator<Unpacked> {
  if (lines.length < 2) return;
  const span = [lines[0]!.index!, endOf(lines.at(-1)!)] as const;
  const rows = rowsOf(lines);
  yield { span, bytes: Buffer.from(rows.flat().join(''), 'hex') };
  if (rows.some((row) => row.some((group) => group.length === WORD_DIGITS)))
    yield { span, bytes: Buffer.from(rows.flat().map(turned).join(''), 'hex') };
}

/** Groups of each line; as many bytes as the offsets say, for a margin may begin like bytes. */
function rowsOf(lines: readonly RegExpMatchArray[]): string[][] {
  const offsets = lines.map(({ groups }) => Number.parseInt(groups!.offset!, 16));
  const step = offsets[1]! - offsets[0]!;
  return lines.map(({ groups }, index) => {
    const digits = 2 * ((offsets[index + 1] ?? offsets[index]! + step) - offsets[index]!);
    const row: string[] = [];
    let count = 0;
    for (const group of groups!.groups!.match(GROUPS)!) {
      if (digits > 0 && count >= digits) break;
      row.push(group);
      count += group.length;
    }
    return row;
  });
}

const turned = (word: string): string => word.match(/../g)!.reverse().join('');
