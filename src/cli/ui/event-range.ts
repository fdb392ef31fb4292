/** `@7`, `@7 to @9`, `from @7 on`; a first seq of null is not known. */
export function eventRange(first: number | null, last: number | null): string {
  if (first === null) return last === null ? 'not known' : `up to @${last}`;
  if (last === null) return `from @${first} on`;
  return first === last ? `@${first}` : `@${first} to @${last}`;
}
