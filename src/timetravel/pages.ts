/** As `estimateTokens` counts them. */
export const BYTES_PER_TOKEN = 3.1;
export const bytesOf = (text: string): number => Buffer.byteLength(text);

/** A shorter piece of a line is not worth a cut in it. */
const PIECE_BYTES_MIN = 120;

/** Lines as pages of at most so many bytes. A line that does not fit starts where there is room, and goes on on the next page. */
export function paged(lines: readonly string[], bytesMax: number): string[] {
  const pages: string[] = [];
  let page: string[] = [];
  let room = bytesMax;
  const turn = () => {
    pages.push(page.join('\n'));
    page = [];
    room = bytesMax;
  };
  for (const line of lines) {
    let rest = line;
    while (bytesOf(rest) + 1 > room) {
      const isLong = bytesOf(rest) + 1 > bytesMax;
      const piece =
        isLong && (room > PIECE_BYTES_MIN || page.length === 0) ? headBytes(rest, room - 1) : '';
      if (piece !== '') page.push(piece);
      rest = rest.slice(piece.length);
      turn();
    }
    // A page does not begin with what keeps apart.
    if (rest === '' && page.length === 0) continue;
    page.push(rest);
    room -= bytesOf(rest) + 1;
  }
  if (page.length > 0 || pages.length === 0) turn();
  return pages;
}

/** The start of a text that takes at most so many bytes of UTF-8; never half a character. */
export function headBytes(text: string, bytesMax: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.floor(bytesMax)));
  return text.slice(0, read);
}
