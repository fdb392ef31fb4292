import { type FseTable, tableOf } from './fse-table.ts';

/** A length is the code's base plus the value of its extra bits. */
interface LengthCodes {
  bits: Uint8Array;
  bases: Int32Array;
}

/** The codes and default tables of RFC 8878, 3.1.1.3.2. */
export interface ZstdCodes {
  literals: LengthCodes;
  matches: LengthCodes;
  /** Defaults for literals' lengths, offsets and matches' lengths. */
  tables: readonly [FseTable, FseTable, FseTable];
}

export const SYMBOLS_MAX = [36, 32, 53] as const;
export const LOG_MAX = [9, 8, 9] as const;

const times = (count: number, value: number): number[] => Array<number>(count).fill(value);

let made: ZstdCodes | undefined;

export function zstdCodes(): ZstdCodes {
  made ??= {
    literals: lengthCodes([...times(16, 0), 1, 1, 1, 1, 2, 2, 3, 3, 4, ...upTo16(6)], 0),
    matches: lengthCodes([...times(32, 0), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, ...upTo16(7)], 3),
    tables: [
      tableOf(
        [4, 3, ...times(11, 2), 1, 1, 1, ...times(9, 2), 3, 2, ...times(5, 1), ...rare(4)],
        6,
      ),
      tableOf([...times(6, 1), 2, 2, 2, ...times(15, 1), ...rare(5)], 5),
      tableOf([1, 4, 3, ...times(6, 2), ...times(37, 1), ...rare(7)], 6),
    ],
  };
  return made;
}

const rare = (count: number): number[] => times(count, -1);
const upTo16 = (from: number): number[] => Array.from({ length: 17 - from }, (_, n) => from + n);

function lengthCodes(bits: readonly number[], first: number): LengthCodes {
  const bases = new Int32Array(bits.length);
  let base = first;
  for (const [code, width] of bits.entries()) {
    bases[code] = base;
    base += 1 << width;
  }
  return { bits: Uint8Array.from(bits), bases };
}
