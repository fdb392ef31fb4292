const LF = 0x0a;

/**
 * A text in pages: cut between items, and a larger item at the end of a line, or of a character. Together they are the text.
 * @param cuts byte offsets between items, ascending
 * @param most bytes of a page
 */
export function pagesOf(
  { text, cuts }: { text: Buffer; cuts: readonly number[] },
  most: number,
): Buffer[] {
  const pages: Buffer[] = [];
  for (let from = 0; from < text.length; ) {
    const limit = from + most;
    const cut = cuts.findLast((at) => at > from && at <= limit);
    const to = limit >= text.length ? text.length : (cut ?? endBefore(text, from, limit));
    pages.push(text.subarray(from, to));
    from = to;
  }
  return pages.length === 0 ? [text] : pages;
}

function endBefore(text: Buffer, from: number, limit: number): number {
  const line = text.lastIndexOf(LF, limit - 1) + 1;
  if (line > from) return line;
  let end = limit;
  while ((text[end]! & 0xc0) === 0x80) end -= 1;
  return end;
}
