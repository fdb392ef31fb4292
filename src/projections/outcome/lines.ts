/** Bounds the time of each pattern, and of all. */
const LINE_CHARS = 400;
/** Parts of a long output that are read; results stand at its end. */
const HEAD_CHARS = 12_000;
const TAIL_CHARS = 24_000;

/** Escape sequences, also those of which a log dropped the escape. */
const ESCAPES =
  /\x1b\[[0-?]{0,40}[ -/]{0,4}[@-~]?|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[ -/]?[0-~]?|\[\d{1,3}(?:;\d{1,3}){0,4}m/g;
/** `│` of a drawn box; `0.512` of a step's clock. */
const BESIDE_LINE = /^[│╷╵]\s*|^\d+\.\d{1,3}\s+(?=\S)/;
/** The client's own first line of a failed command. */
const CODE_LINE = /^(?:Error: )?Exit code \d+$/;

/** The lines of an output that are not empty: trimmed, without colours and the decoration around them. */
export function linesOf(output: string): string[] {
  const isLong = output.length > HEAD_CHARS + TAIL_CHARS;
  const parts = isLong
    ? [output.slice(0, HEAD_CHARS), wholeFrom(output.slice(-TAIL_CHARS))]
    : [output];
  return parts
    .flatMap((part) => part.replace(ESCAPES, '').split('\n'))
    .map((line) => leftOf(line).slice(0, LINE_CHARS).trim().replace(BESIDE_LINE, ''))
    .filter((line) => line !== '' && !CODE_LINE.test(line));
}

/** A progress bar overwrites itself: only the last version counts. */
function leftOf(line: string): string {
  if (!line.includes('\r')) return line;
  const text = line.trimEnd();
  return text.slice(text.lastIndexOf('\r') + 1);
}

/** The end of a cut output from its first whole line (or word) on. */
export function wholeFrom(cut: string): string {
  const line = /[\r\n]/.exec(cut) ?? /\s/.exec(cut);
  return line === null ? cut : cut.slice(line.index + 1);
}
