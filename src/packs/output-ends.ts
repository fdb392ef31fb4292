import type { RedactionOptions } from '../capture/redaction/index.ts';
import type { Ends } from '../platform/programs/ends.ts';
import { redactedSpan } from './render/content.ts';

interface Kept {
  output: string;
  cut: number;
  secrets: number;
}

/** The beginning and the end of what a command printed, cut at lines. Redacted as far as it is known, and only then cut. */
export function keptOf(
  { first, last, bytes }: Pick<Ends, 'first' | 'last' | 'bytes'>,
  redaction: RedactionOptions,
  limits: { first: number; last: number },
): Kept {
  const isWhole = first.length + last.length === bytes;
  const all = isWhole ? Buffer.concat([first, last]) : undefined;
  if (all !== undefined && bytes <= limits.first + limits.last) {
    const { text, secrets } = redacted(all, 0, all.length, redaction);
    return { output: ended(text), cut: 0, secrets };
  }
  const [begin, end] = [all ?? first, all ?? last];
  const to = lineEndBefore(begin, limits.first);
  const from = lineStartAfter(end, end.length - limits.last);
  const cut = bytes - to - (end.length - from);
  const head = redacted(begin, 0, to, redaction);
  const tail = redacted(end, from, end.length, redaction);
  const told = `[${cut.toLocaleString('en-US')} bytes are left out here]\n`;
  return {
    output: `${ended(head.text)}${told}${ended(tail.text)}`,
    cut,
    secrets: head.secrets + tail.secrets,
  };
}

/** A part of what is known, of which the whole tells what is secret. */
function redacted(bytes: Buffer, from: number, to: number, redaction: RedactionOptions) {
  const before = decoded(bytes.subarray(0, from));
  const part = decoded(bytes.subarray(from, to));
  const whole = before + part + decoded(bytes.subarray(to));
  const span = { start: before.length, end: before.length + part.length };
  const { text, counts } = redactedSpan(whole, span, redaction);
  return { text, secrets: Object.values(counts).reduce((sum, count) => sum + count, 0) };
}

/** With a NUL in it, it would pass for no text. */
const decoded = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', '');

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

const LF = 0x0a;

const lineEndBefore = (bytes: Buffer, most: number): number =>
  bytes.lastIndexOf(LF, most - 1) + 1 || characterAt(bytes, most);

function lineStartAfter(bytes: Buffer, least: number): number {
  const at = bytes.indexOf(LF, least - 1) + 1;
  return at === 0 || at === bytes.length ? characterAt(bytes, least) : at;
}

/** Not within a character of UTF-8. */
function characterAt(bytes: Buffer, from: number): number {
  let at = from;
  while (at > from - 3 && (bytes[at]! & 0xc0) === 0x80) at -= 1;
  return at;
}
