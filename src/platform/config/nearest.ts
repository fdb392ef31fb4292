/** Limits the work, which is the product of both lengths. */
const COMPARED_CHARS_MAX = 64;

/** The candidate with the smallest Levenshtein distance, ignoring case. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const changes = distance(name.toLowerCase(), candidate.toLowerCase());
    if (changes < least) [best, least] = [candidate, changes];
  }
  return best;
}

/** The same if it is likely meant: at most a third of the letters differ, or letters are swapped. */
export function nearName(name: string, candidates: readonly string[]): string | undefined {
  const letters = (text: string) => [...text.toLowerCase()].sort().join('');
  const short = name.slice(0, COMPARED_CHARS_MAX);
  const swapped = candidates.find((candidate) => letters(candidate) === letters(short));
  const nearest = swapped ?? nearestName(short, candidates);
  if (nearest === undefined || nearest === swapped) return nearest;
  const changes = distance(short.toLowerCase(), nearest.toLowerCase());
  return changes <= Math.max(1, Math.floor(short.length / 3)) ? nearest : undefined;
}

export function distance(a: string, b: string): number {
  const from = a.slice(0, COMPARED_CHARS_MAX);
  const to = b.slice(0, COMPARED_CHARS_MAX);
  // row[j] = distance from the part of `from` seen so far to the first j characters of `to`.
  let row = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replace = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replace));
    }
    row = next;
  }
  return row[to.length]!;
}
