/** V8 keeps each character that a repetition takes, and has room for some millions: a picture may have more. */
const AT_ONCE = 65_536;

/** A run of characters, as `matchAll` gives it. */
export interface Run {
  0: string;
  index: number;
}

/**
 * Finds runs of some characters, however long they are.
 * @param min the least characters of one
 * @param first of each
 */
export function runsOf(
  chars: string,
  min: number,
  first = chars,
): (text: string) => Generator<Run> {
  const begins = new RegExp(`${first}${chars}{${min - 1},${AT_ONCE}}`, 'g');
  const goesOn = new RegExp(`${chars}{1,${AT_ONCE}}`, 'y');
  return function* runs(text) {
    for (let end = 0; ; ) {
      begins.lastIndex = end;
      const found = begins.exec(text);
      if (found === null) return;
      const { 0: beginning, index } = found;
      end = index + beginning.length;
      if (beginning.length > AT_ONCE) {
        goesOn.lastIndex = end;
        while (goesOn.test(text)) end = goesOn.lastIndex;
      }
      yield { 0: text.slice(index, end), index };
    }
  };
}
